// Finding the objects of a dataset: LIST pages, herds of nodes that list, manifests.
#include <array>

#include "models/base/limits.hpp"
#include "models/engine/start_up.hpp"
#include "models/sizing/sizing.hpp"
#include "models/twins/request_limits.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kIndex = "jobs/index";

constexpr std::array kListingFigures = {
    SizingDescription{"list_pages", "", "ceil(f / k)", "LIST requests of one pass over the dataset.",
                      "Amazon S3 ListObjectsV2: at most 1,000 keys a page", kIndex},
    SizingDescription{"list_time_s", "s", "U + ceil(f / k) R / p",
                      "Listing time of a single node, p prefixes at a time.",
                      "each page is asked for after the one before; set-up U", kIndex, true},
    SizingDescription{"list_charge_usd", "USD", "pages x price", "LIST charges of one pass.", "definition",
                      "jobs/index and stores/price/list"},
    SizingDescription{"every_node_lists_s", "s", "U + max(pages R / p, (m pages - burst) / rate)",
                      "Until every node has listed everything, all at once: the store's request limit.",
                      "token bucket, models/start-up", kIndex},
    SizingDescription{"one_leader_lists_s", "s", "list time + fan-out",
                      "One node lists and passes the list on in pieces.", "models/start-up", kIndex},
    SizingDescription{"manifest_s", "s", "read + fan-out",
                      "One node reads a list that was made before and passes it on: no LIST.", "models/start-up",
                      kIndex},
    SizingDescription{"manifest_bytes", "B", "f e", "The list that is passed on.", "definition", kIndex},
};

StartUp start_with(const SizingCase& c, IndexMode mode) {
  Scenario scenario = c.scenario;
  scenario.jobs.front().index->mode = mode;
  return *start_up_of(scenario, c.path, false, 0);
}

void fill_listing(const SizingCase& c, SizingSheetWriter& sheet) {
  if (!c.job.index) return;
  const StartIndex& index = *c.job.index;
  const std::string key = c.job_key + "/index";
  const auto files = static_cast<double>(c.dataset.files);
  const auto keys = static_cast<double>(index.keys_per_page);
  const auto parallel = static_cast<double>(index.parallel);
  const double pages = twins::list_pages(files, keys);
  const SizingInput f{"f", c.dataset_key + "/files", files, ""};
  const SizingInput k{"k", key + "/keys_per_page", keys, ""};
  const SizingInput r{"R", key + "/round_trip", index.round_trip_s, "s"};
  const SizingInput u{"U", key + "/set_up", index.set_up_s, "s"};
  const SizingInput p{"p", key + "/parallel", parallel, ""};
  const SizingInput n{"pages", "list_pages", pages, ""};
  const SizingInput m{"m", c.pool_key + "/nodes", static_cast<double>(c.path.nodes), ""};
  sheet.add("list_pages", pages, {f, k});
  sheet.add("list_time_s", twins::list_time_s(files, keys, index.round_trip_s, parallel, index.set_up_s),
            {u, f, k, r, p});
  if (c.store.price.usd_per_list > 0.0)
    sheet.add("list_charge_usd", pages * c.store.price.usd_per_list,
              {n, {"price", c.store_key + "/price/list", c.store.price.usd_per_list, "USD"}});
  sheet.add("every_node_lists_s", start_with(c, IndexMode::every_node).index_s,
            {u,
             n,
             r,
             p,
             m,
             {"rate", c.store_key + "/limit/requests_per_prefix", as_written(c.store.limit.requests_per_s()), "1/s"}});
  const StartUp leader = start_with(c, IndexMode::one_leader);
  const SizingInput list{"f e", key + "/manifest_bytes_per_object", leader.passed_on_bytes, "B"};
  sheet.add("one_leader_lists_s", leader.index_s, {n, r, p, list, m});
  sheet.add("manifest_s", start_with(c, IndexMode::manifest).index_s, {list, m});
  sheet.add("manifest_bytes", leader.passed_on_bytes,
            {f, {"e", key + "/manifest_bytes_per_object", index.manifest_bytes_per_object, "B"}});
}

}  // namespace

const SizingRoom kListingRoom{"listing", "Finding the objects", kListingFigures, fill_listing};

}  // namespace headrace::models
