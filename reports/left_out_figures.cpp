#include "reports/left_out_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "models/outcome/largest_parts.hpp"
#include "reports/humane.hpp"
#include "scenarios/document/catalogue.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::reports {
namespace {

using models::Store;
using models::StoreKind;
using scenarios::Node;
using scenarios::Origin;

/// The class whose figures stand in for those that a shared store lacks; none for the drives of a node.
std::string_view class_of(const Store& store) {
  if (store.kind == StoreKind::parallel_fs) return "generic-parallel-fs";
  if (store.kind == StoreKind::object_store) return "generic-object-store";
  return {};
}

/// Fills one store with what a class says of it.
class Filler {
 public:
  Filler(std::string at, const Node& entry, const scenarios::LoadedScenario& loaded)
      : at_(std::move(at)), entry_(entry), loaded_(loaded) {}
  std::vector<std::string> filled;

  /// The figure of the class at `path` ("metadata/latency"), where the scenario leaves its own out.
  std::optional<double> missing(const std::string& path, models::Unit unit) {
    if (loaded_.origin_of(at_ + "/" + path).kind != Origin::Kind::default_value) return std::nullopt;
    const Node* figure = scenarios::find_at(entry_, "/" + path + "/value");
    if (figure == nullptr) return std::nullopt;
    const auto value = scenarios::parse_quantity(figure->text, unit);
    if (!value) return std::nullopt;
    filled.push_back(path);
    return *value;
  }

 private:
  std::string at_;
  const Node& entry_;
  const scenarios::LoadedScenario& loaded_;
};

std::vector<std::string> fill(const std::string& at, const scenarios::LoadedScenario& loaded, Store& store) {
  const std::optional<Node> entry = scenarios::Catalogue::shipped().raw_entry("store", class_of(store));
  if (!entry) return {};
  Filler filler(at, *entry, loaded);
  using models::Unit;
  if (!store.drives)
    if (const auto latency_s = filler.missing("latency", Unit::seconds))
      store.latency_s = models::DistributionSpec::constant(*latency_s);
  if (const auto per_s = filler.missing("requests", Unit::per_second)) store.requests_per_s = *per_s;
  if (const auto stream = filler.missing("stream", Unit::bytes_per_second)) store.stream_bytes_per_s = *stream;
  if (const auto latency_s = filler.missing("metadata/latency", Unit::seconds))
    store.metadata.latency_s = models::DistributionSpec::constant(*latency_s);
  if (const auto servers = filler.missing("metadata/servers", Unit::one))
    store.metadata.servers = static_cast<std::uint64_t>(*servers);
  return std::move(filler.filled);
}

bool is_read(const Store& store, const models::Scenario& scenario) {
  return std::any_of(scenario.datasets.begin(), scenario.datasets.end(),
                     [&](const models::Dataset& dataset) { return dataset.store == store.name; });
}

}  // namespace

std::string decisive_left_out(const models::Outcome& judged, const ClosedForm& form,
                              const scenarios::LoadedScenario& loaded) {
  if (judged.verdict == models::Verdict::ingest_bound) return {};
  for (std::size_t i = 0; i < loaded.value.stores.size(); ++i) {
    models::Scenario filled = loaded.value;
    Store& store = filled.stores[i];
    if (class_of(store).empty() || !is_read(store, loaded.value)) continue;
    const std::vector<std::string> left_out = fill(fmt::format("/stores/{}", i), loaded, store);
    if (left_out.empty()) continue;
    const std::optional<models::Outcome> there = form.answer(filled);
    if (!there || there->verdict != models::Verdict::ingest_bound) continue;
    return fmt::format(
        "{} of store '{}' ({}), which count as perfect; with those of {} the GPUs wait {} of the time ({})", kLeavesOut,
        store.name, fmt::join(left_out, ", "), class_of(store),
        percent(models::mean_in(there->metrics, "gpu_idle_fraction")), form.name);
  }
  return {};
}

}  // namespace headrace::reports
