#include "cli/unpriced_egress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/path/ingest_path.hpp"

namespace headrace::cli {

std::string unpriced_egress(const LoadedScenario& loaded) {
  const models::Scenario& scenario = loaded.value;
  for (std::size_t i = 0; i < scenario.stores.size(); ++i) {
    const models::Store& store = scenario.stores[i];
    const bool read = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const models::Job& job) {
      return dataset_of(scenario, job).store == store.name;
    });
    const std::string place = fmt::format("/stores/{}/price/egress", i);
    const bool stated = store.price.egress_usd_per_byte > 0.0 || !store.price.egress_tiers.empty() ||
                        loaded.origin_of(place).kind != scenarios::Origin::Kind::default_value;
    if (read && store.kind == models::StoreKind::object_store && !stated)
      return fmt::format("no egress price stated for store '{}': set {}", store.name, place);
  }
  return {};
}

}  // namespace headrace::cli
