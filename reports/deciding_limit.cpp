#include "reports/deciding_limit.hpp"

#include <fmt/format.h>

#include <vector>

#include "models/answer/queueing_estimate.hpp"
#include "models/base/limits.hpp"
#include "models/outcome/largest_parts.hpp"
#include "reports/figure_date.hpp"
#include "reports/humane.hpp"
#include "scenarios/document/input_ranges.hpp"

namespace headrace::reports {
namespace {

using models::Resource;
using models::Stage;
using scenarios::Origin;

constexpr int kYearsFresh = 3;
constexpr double kEased = 2.0;        ///< by how much a figure is better in the test whether it decides
constexpr double kNoticedGain = 0.1;  ///< of the wait: less is no limit

/// Of those that make a limit up.
struct LimitFigure {
  std::string pointer;
  std::string what = {};  ///< that figure alone, where the limit has several
};

struct DecidingLimit {
  std::string what;                        ///< "5,500 requests/s on one prefix"
  std::string place;                       ///< where the user sets it
  std::vector<LimitFigure> figures;        ///< what makes it up
  void (*ease)(models::Store&) = nullptr;  ///< makes the figures twice as good
};

void halve(models::DistributionSpec& law) { law = models::scaled(law, 1.0 / kEased); }

DecidingLimit prefix_limit(const models::Store& store, const std::string& at) {
  const models::RequestLimit& limit = store.limit;
  const std::optional<double> requests_per_s = limit.requests_per_s();
  if (!requests_per_s) return {};
  return {fmt::format("{} requests/s on {}", humane_number(*requests_per_s, 1),
                      limit.prefixes == 1 ? "one prefix" : fmt::format("{} prefixes", limit.prefixes)),
          at + "/limit",
          {{at + "/limit/requests_per_prefix"}, {at + "/limit/prefixes"}},
          [](models::Store& one) {
            one.limit.requests_per_s_per_prefix = models::times(one.limit.requests_per_s_per_prefix, kEased);
          }};
}

DecidingLimit bandwidth_limit(const models::Store& store, const std::string& at) {
  return {fmt::format("{} of store '{}'", humane(store.bandwidth_bytes_per_s, "B/s"), store.name),
          at + "/bandwidth",
          {{at + "/bandwidth"}},
          [](models::Store& one) { one.bandwidth_bytes_per_s *= kEased; }};
}

DecidingLimit request_limit(const models::Store& store, const std::string& at) {
  if (!store.requests_per_s) return {};
  return {fmt::format("{} requests/s of store '{}'", humane_number(*store.requests_per_s, 1), store.name),
          at + "/requests",
          {{at + "/requests"}},
          [](models::Store& one) { one.requests_per_s = models::times(one.requests_per_s, kEased); }};
}

DecidingLimit latency_limit(const models::Store& store, const std::string& at) {
  const double latency_s = models::mean_of(store.latency_s);
  if (!(latency_s > 0.0)) return {};
  return {fmt::format("latency of {} of store '{}'", humane(latency_s, "s"), store.name),
          at + "/latency",
          {{at + "/latency"}},
          [](models::Store& one) { halve(one.latency_s); }};
}

DecidingLimit metadata_limit(const models::Store& store, const std::string& at) {
  const double latency_s = models::mean_of(store.metadata.latency_s);
  if (!(latency_s > 0.0)) return {};
  const std::string each = fmt::format("{} for each operation of store '{}'", humane(latency_s, "s"), store.name);
  const LimitFigure latency{at + "/metadata/latency", each};
  if (!store.metadata.servers)
    return {each, latency.pointer, {latency}, [](models::Store& one) { halve(one.metadata.latency_s); }};
  const std::string servers = counted(*store.metadata.servers, "metadata server");
  return {servers + ", " + each,
          at + "/metadata",
          {{latency.pointer, each + " on " + servers},
           {at + "/metadata/servers", fmt::format("{} of store '{}'", servers, store.name)}},
          [](models::Store& one) {
            halve(one.metadata.latency_s);
            *one.metadata.servers *= static_cast<std::uint64_t>(kEased);
          }};
}

DecidingLimit limit_of(const models::Outcome& outcome, const models::Store& store, const std::string& at) {
  const models::StationReport* full = models::busiest_station(outcome);
  const auto is_full = [full](Resource resource) { return full != nullptr && full->resource == resource; };
  if (outcome.binding == Stage::throttle) return prefix_limit(store, at);
  if (outcome.binding == Stage::request)
    return is_full(Resource::store_requests) ? request_limit(store, at) : latency_limit(store, at);
  if (outcome.binding == Stage::metadata) return metadata_limit(store, at);
  if (outcome.binding == Stage::transfer && is_full(Resource::store_bandwidth)) return bandwidth_limit(store, at);
  return {};
}

double wait_s(const models::Outcome& outcome) {
  return models::mean_in(outcome.metrics, "gpu_idle_fraction") * models::mean_in(outcome.metrics, "step_time_s");
}

/// Whether the estimate has another verdict, another bottleneck or clearly shorter waits where the limit is twice as
/// good. What binds beside it, such as the rate of one connection, is the limit otherwise.
bool decides(const DecidingLimit& limit, std::size_t store, const scenarios::LoadedScenario& loaded,
             const models::Outcome& estimate) {
  models::Scenario eased = loaded.value;
  limit.ease(eased.stores[store]);
  const models::Outcome then = models::queueing_estimate(eased, 1);
  return then.verdict != estimate.verdict || then.binding != estimate.binding ||
         wait_s(then) < (1.0 - kNoticedGain) * wait_s(estimate);
}

/// What of the limit is to be set: where `holds` for one of several figures only, that one.
template <class Test>
void keep_what_holds(DecidingLimit& limit, const scenarios::LoadedScenario& loaded, const Test& holds) {
  std::vector<LimitFigure> held;
  for (const LimitFigure& figure : limit.figures)
    if (holds(figure.pointer, loaded.origin_of(figure.pointer))) held.push_back(figure);
  if (held.size() != 1 || held.front().what.empty()) return;
  limit.what = held.front().what;
  limit.place = held.front().pointer;
}

/// The first limit that decides and has a figure of which `holds` is true, and that figure.
template <class Test>
std::optional<std::pair<DecidingLimit, Origin>> first_limit(const models::Outcome& outcome,
                                                            const scenarios::LoadedScenario& loaded,
                                                            const Test& holds) {
  if (outcome.verdict != models::Verdict::ingest_bound) return std::nullopt;
  const bool estimated = outcome.estimate.has_value();
  for (std::size_t i = 0; i < loaded.value.stores.size(); ++i) {
    DecidingLimit limit = limit_of(outcome, loaded.value.stores[i], fmt::format("/stores/{}", i));
    for (const LimitFigure& figure : limit.figures)
      if (Origin origin = loaded.origin_of(figure.pointer);
          holds(figure.pointer, origin) && (!estimated || decides(limit, i, loaded, outcome))) {
        keep_what_holds(limit, loaded, holds);
        return std::pair{std::move(limit), origin};
      }
  }
  return std::nullopt;
}

/// What the scenario says of how well a figure is known wins over where it comes from.
bool is_known_better(const std::string& pointer, const scenarios::LoadedScenario& loaded) {
  const auto& ranges = loaded.value.input_ranges;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (ranges[i].parameter == pointer && ranges[i].evidence != models::Evidence::assumed &&
        !scenarios::is_older(loaded.composition, i, pointer))
      return true;
  return false;
}

bool is_assumed(const Origin& origin) {
  if (origin.kind == Origin::Kind::default_value) return true;
  if (origin.knowledge && origin.knowledge->evidence == "assumed") return true;
  return origin.kind == Origin::Kind::catalogue && origin.as_of.starts_with("assumed");
}

}  // namespace

std::string assumed_limit(const models::Outcome& outcome, const scenarios::LoadedScenario& loaded) {
  const auto found = first_limit(outcome, loaded, [&](const std::string& pointer, const Origin& origin) {
    return is_assumed(origin) && !is_known_better(pointer, loaded);
  });
  if (!found) return {};
  const Origin& origin = found->second;
  if (origin.knowledge && origin.knowledge->one_client)
    return fmt::format("limited by {}, which one client measured alone and the whole store may exceed; set {}",
                       found->first.what, found->first.place);
  if (origin.kind == Origin::Kind::file || origin.kind == Origin::Kind::override_argument)
    return fmt::format(
        "limited by {}, which is written as the catalogue assumes it; if that is measured, say so in "
        "input_ranges (\"evidence\": \"measured\")",
        found->first.what);
  return fmt::format("limited by an assumed {}; set {}", found->first.what, found->first.place);
}

std::optional<models::Warning> old_limit_warning(const models::Outcome& outcome,
                                                 const scenarios::LoadedScenario& loaded) {
  const std::optional<int> newest = last_day(loaded.composition.catalogue_version);
  if (!newest) return std::nullopt;
  const auto found = first_limit(outcome, loaded, [&](const std::string&, const Origin& origin) {
    if (origin.kind != Origin::Kind::catalogue || is_assumed(origin)) return false;
    const std::optional<int> day = last_day(origin.as_of);
    return day && *newest - *day > 365 * kYearsFresh;
  });
  if (!found) return std::nullopt;
  const std::string& as_of = found->second.as_of;
  return models::Warning(
      fmt::format("what decides, {}, is a figure of {}", found->first.what, as_of.substr(0, as_of.find(';'))),
      fmt::format("it is more than {} years older than the catalogue ({}), and such limits are raised", kYearsFresh,
                  loaded.composition.catalogue_version),
      fmt::format("look it up and set {}", found->first.place));
}

}  // namespace headrace::reports
