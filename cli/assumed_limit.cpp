#include "cli/assumed_limit.hpp"

#include <fmt/format.h>

#include "models/outcome/largest_parts.hpp"
#include "reports/humane.hpp"

namespace headrace::cli {
namespace {

bool is_assumed(const std::string& pointer, const LoadedScenario& loaded) {
  const scenarios::Origin origin = loaded.origin_of(pointer);
  if (origin.kind == scenarios::Origin::Kind::default_value) return true;
  if (origin.kind != scenarios::Origin::Kind::catalogue) return false;
  return origin.as_of.starts_with("assumed") || (origin.knowledge && origin.knowledge->evidence == "assumed");
}

std::string prefix_limit(const models::Store& store, const std::string& at, const LoadedScenario& loaded) {
  const models::RequestLimit& limit = store.limit;
  if (!(limit.requests_per_s_per_prefix > 0.0)) return {};
  if (!is_assumed(at + "/limit/requests_per_prefix", loaded) && !is_assumed(at + "/limit/prefixes", loaded)) return {};
  return fmt::format("limited by an assumed {} requests/s on {}; set {}/limit",
                     reports::humane_number(limit.requests_per_s_per_prefix * static_cast<double>(limit.prefixes), 1),
                     limit.prefixes == 1 ? "one prefix" : fmt::format("{} prefixes", limit.prefixes), at);
}

std::string bandwidth_limit(const models::Store& store, const std::string& at, const LoadedScenario& loaded) {
  if (!is_assumed(at + "/bandwidth", loaded)) return {};
  return fmt::format("limited by an assumed {} of store '{}'; set {}/bandwidth",
                     reports::humane(store.bandwidth_bytes_per_s, "B/s"), store.name, at);
}

std::string latency_limit(const models::Store& store, const std::string& at, const LoadedScenario& loaded) {
  const double latency_s = models::mean_of(store.latency_s);
  if (!(latency_s > 0.0) || !is_assumed(at + "/latency", loaded)) return {};
  return fmt::format("limited by an assumed latency of {} of store '{}'; set {}/latency",
                     reports::humane(latency_s, "s"), store.name, at);
}

std::string metadata_limit(const models::Store& store, const std::string& at, const LoadedScenario& loaded) {
  const double latency_s = models::mean_of(store.metadata.latency_s);
  if (!(latency_s > 0.0)) return {};
  if (!is_assumed(at + "/metadata/latency", loaded) && !is_assumed(at + "/metadata/servers", loaded)) return {};
  const std::string servers =
      store.metadata.servers == 0 ? "" : reports::counted(store.metadata.servers, "metadata server") + ", ";
  return fmt::format("limited by an assumed {}{} for each operation of store '{}'; set {}/metadata", servers,
                     reports::humane(latency_s, "s"), store.name, at);
}

}  // namespace

std::string assumed_limit(const models::Outcome& outcome, const LoadedScenario& loaded) {
  if (outcome.verdict != models::Verdict::ingest_bound) return {};
  const models::StationReport* full = models::busiest_station(outcome);
  const bool store_full = full != nullptr && full->resource == models::Resource::store_bandwidth;
  for (std::size_t i = 0; i < loaded.value.stores.size(); ++i) {
    const std::string at = fmt::format("/stores/{}", i);
    const models::Store& store = loaded.value.stores[i];
    std::string limit;
    if (outcome.binding == models::Stage::throttle) limit = prefix_limit(store, at, loaded);
    if (outcome.binding == models::Stage::request) limit = latency_limit(store, at, loaded);
    if (outcome.binding == models::Stage::metadata) limit = metadata_limit(store, at, loaded);
    if (store_full && outcome.binding == models::Stage::transfer) limit = bandwidth_limit(store, at, loaded);
    if (!limit.empty()) return limit;
  }
  return {};
}

}  // namespace headrace::cli
