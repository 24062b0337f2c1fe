// Moving data to the compute, or the compute to the data; and what a site gives that keeps making more.
#include <algorithm>
#include <array>
#include <cmath>

#include "models/base/limits.hpp"
#include "models/outcome/ownership.hpp"
#include "models/path/host_costs.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr double kSecondsPerDay = 86400.0;
constexpr std::string_view kOriginLink = "datasets/origin with a link";
constexpr std::string_view kThere = "datasets/origin/gpu_hour and prices";

constexpr std::string_view kFilling = "datasets/origin/per_day, a store with a capacity above the dataset";

constexpr std::array kGravityFigures = {
    SizingDescription{"arrival_bytes_per_s", "B/s", "V_day / 86,400 s", "Rate at which new data arise, sustained.",
                      "definition", "datasets/origin/per_day", true},
    SizingDescription{"origin_link_bytes_per_s", "B/s", "min(C, k b)", "What the link from the site carries.",
                      "models/fabric", kOriginLink},
    SizingDescription{"arrival_link_share", "1", "arrival / link",
                      "Share of that link which new data take; over 1 they pile up at the site.",
                      "conservation of flow", "datasets/origin with a link and per_day"},
    SizingDescription{"move_data_s", "s", "V / link", "Time of copying the dataset to the cluster.", "bytes over rate",
                      kOriginLink, true},
    SizingDescription{"move_data_usd", "USD", "V p_e", "What leaves the site costs, once.", "definition",
                      "datasets/origin/egress"},
    SizingDescription{"move_compute_usd", "USD", "G E (p_there - p_here)",
                      "What all epochs cost more where the data are; below 0: less.", "definition", kThere},
    SizingDescription{"move_data_pays_after_epochs", "", "V p_e / (G (p_there - p_here))",
                      "Epochs from which moving the data is cheaper than computing at the site.", "definition",
                      "datasets/origin/egress, gpu_hour above that of prices"},
    SizingDescription{"store_full_s", "s", "(C - V) / arrival",
                      "Time until the store is full of new data that come at the present rate.",
                      "conservation of bytes", kFilling},
    SizingDescription{"store_full_growing_s", "s", "ln(C / V) V / arrival",
                      "The same, if the rate grows in proportion to the stored data.",
                      "exponential growth, dV/dt = g V with g = arrival / V", kFilling},
    SizingDescription{"retention_s", "s", "C / arrival",
                      "Age from which data must be archived or deleted to make space for new data.", "Little's law",
                      kFilling},
    SizingDescription{"update_round_bytes", "B", "2 P w",
                      "What a site that trains on its own data receives and sends in a round of updates.",
                      "federated averaging: H. B. McMahan et al., AISTATS 2017", "datasets/origin, jobs/model"},
    SizingDescription{"update_rounds_for_data", "", "V / (2 P w)",
                      "Rounds of updates that move as many bytes as the data of the site, once.",
                      "federated averaging: H. B. McMahan et al., AISTATS 2017", "datasets/origin, jobs/model"},
};

void add_link(const SizingCase& c, const DataOrigin& origin, const std::string& key, SizingSheetWriter& sheet) {
  const double connection = wide_area_bytes_per_s(*origin.link);
  const auto connections = static_cast<double>(origin.connections);
  const double carried = connections * connection;
  const double link = capped(carried, origin.bandwidth_bytes_per_s);
  const SizingInput rate{"link", "origin_link_bytes_per_s", link, "B/s"};
  sheet.add("origin_link_bytes_per_s", link,
            {{"C", key + "/bandwidth", as_written(origin.bandwidth_bytes_per_s), "B/s"},
             {"k", key + "/connections", connections, ""},
             {"b", "wan_connection_bytes_per_s", connection, "B/s"}});
  sheet.add("move_data_s", c.stored_bytes() / link, {{"V", c.dataset_key, c.stored_bytes(), "B"}, rate});
  if (origin.bytes_per_day > 0.0)
    sheet.add("arrival_link_share", origin.bytes_per_day / kSecondsPerDay / link,
              {{"arrival", "arrival_bytes_per_s", origin.bytes_per_day / kSecondsPerDay, "B/s"}, rate});
}

/// What keeps coming fills the store; what is older than its retention makes room.
void add_filling(const SizingCase& c, const DataOrigin& origin, SizingSheetWriter& sheet) {
  const double capacity = c.store.capacity_bytes;
  const double present = c.stored_bytes();
  if (!(origin.bytes_per_day > 0.0) || !(capacity > present) || !(present > 0.0)) return;
  const double rate = origin.bytes_per_day / kSecondsPerDay;
  const SizingInput room{"C", c.store_key + "/capacity", capacity, "B"};
  const SizingInput data{"V", c.dataset_key, present, "B"};
  const SizingInput arrival{"arrival", "arrival_bytes_per_s", rate, "B/s"};
  sheet.add("store_full_s", (capacity - present) / rate, {room, data, arrival});
  sheet.add("store_full_growing_s", std::log(capacity / present) * present / rate, {room, data, arrival});
  sheet.add("retention_s", capacity / rate, {room, arrival});
}

void add_updates(const SizingCase& c, SizingSheetWriter& sheet) {
  if (!c.job.model || !(c.job.model->parameters > 0.0)) return;
  const double parameters = c.job.model->parameters;
  const double width = c.job.model->value_bytes();
  const SizingInput p{"P", c.job_key + "/model/parameters", parameters, ""};
  const SizingInput w{"w", c.job_key + "/model/precision", width, "B"};
  sheet.add("update_round_bytes", 2.0 * parameters * width, {p, w});
  sheet.add("update_rounds_for_data", c.stored_bytes() / (2.0 * parameters * width),
            {{"V", c.dataset_key, c.stored_bytes(), "B"}, p, w});
}

void fill_gravity(const SizingCase& c, SizingSheetWriter& sheet) {
  if (!c.dataset.origin) return;
  const DataOrigin& origin = *c.dataset.origin;
  const std::string key = c.dataset_key + "/origin";
  if (origin.bytes_per_day > 0.0)
    sheet.add("arrival_bytes_per_s", origin.bytes_per_day / kSecondsPerDay,
              {{"V_day", key + "/per_day", origin.bytes_per_day, "B"}});
  if (origin.link) add_link(c, origin, key, sheet);
  add_filling(c, origin, sheet);
  add_updates(c, sheet);
  const double move_usd = c.stored_bytes() * origin.usd_per_byte;
  const SizingInput v{"V", c.dataset_key, c.stored_bytes(), "B"};
  const SizingInput egress{"p_e", key + "/egress", origin.usd_per_byte, "USD/B"};
  if (move_usd > 0.0) sheet.add("move_data_usd", move_usd, {v, egress});
  const double here = gpu_hour_usd(c.scenario);
  if (!(origin.gpu_hour_usd > 0.0) || !(here > 0.0)) return;
  const double gpu_hours = c.path.gpus * c.metric("epoch_time_s") / 3600.0;
  const double more_usd = gpu_hours * (origin.gpu_hour_usd - here);
  const SizingInput g{"G", "epoch_time_s", gpu_hours, "h"};
  const SizingInput there_price{"p_there", key + "/gpu_hour", origin.gpu_hour_usd, "USD/h"};
  const SizingInput here_price{"p_here", "/prices/gpu_hour", here, "USD/h"};
  const auto epochs = static_cast<double>(c.job.epochs);
  sheet.add("move_compute_usd", epochs * more_usd,
            {g, {"E", c.job_key + "/epochs", epochs, ""}, there_price, here_price});
  if (more_usd > 0.0 && move_usd > 0.0)
    sheet.add("move_data_pays_after_epochs", move_usd / more_usd, {v, egress, g, there_price, here_price});
}

}  // namespace

const SizingRoom kGravityRoom{"gravity", "Moving data, or moving compute", kGravityFigures, fill_gravity};

}  // namespace headrace::models
