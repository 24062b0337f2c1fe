// Moving data to the compute, or the compute to the data; and what a site gives that keeps making more.
#include <algorithm>
#include <array>

#include "models/host_costs.hpp"
#include "models/ownership.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr double kSecondsPerDay = 86400.0;
constexpr std::string_view kLink = "datasets/origin with a link";
constexpr std::string_view kThere = "datasets/origin/gpu_hour and prices";

constexpr std::array kFigures = {
    SizingDescription{"arrival_bytes_per_s", "B/s", "V_day / 86,400 s", "Rate at which new data arise, sustained.",
                      "definition", "datasets/origin/per_day", true},
    SizingDescription{"origin_link_bytes_per_s", "B/s", "min(C, k b)", "What the link from the site carries.",
                      "models/fabric", kLink},
    SizingDescription{"arrival_link_share", "1", "arrival / link",
                      "Share of that link which new data take; over 1 they pile up at the site.",
                      "conservation of flow", "datasets/origin with a link and per_day"},
    SizingDescription{"move_data_s", "s", "V / link", "Time of copying the dataset to the cluster.", "bytes over rate",
                      kLink, true},
    SizingDescription{"move_data_usd", "USD", "V p_e", "What leaves the site costs, once.", "definition",
                      "datasets/origin/egress"},
    SizingDescription{"move_compute_usd", "USD", "G E (p_there - p_here)",
                      "What all epochs cost more where the data are; below 0: less.", "definition", kThere},
    SizingDescription{"move_data_pays_after_epochs", "", "V p_e / (G (p_there - p_here))",
                      "Epochs from which moving the data is cheaper than computing at the site.", "definition",
                      "datasets/origin/egress, gpu_hour above that of prices"},
};

void add_link(const SizingCase& c, const DataOrigin& origin, const std::string& key, SizingSheetWriter& sheet) {
  const double connection = wide_area_bytes_per_s(*origin.link);
  const auto connections = static_cast<double>(origin.connections);
  const double carried = connections * connection;
  const double link = origin.bandwidth_bytes_per_s > 0.0 ? std::min(origin.bandwidth_bytes_per_s, carried) : carried;
  const SizingInput rate{"link", "origin_link_bytes_per_s", link, "B/s"};
  sheet.add("origin_link_bytes_per_s", link,
            {{"C", key + "/bandwidth", origin.bandwidth_bytes_per_s, "B/s"},
             {"k", key + "/connections", connections, ""},
             {"b", "wan_connection_bytes_per_s", connection, "B/s"}});
  sheet.add("move_data_s", c.stored_bytes() / link, {{"V", c.dataset_key, c.stored_bytes(), "B"}, rate});
  if (origin.bytes_per_day > 0.0)
    sheet.add("arrival_link_share", origin.bytes_per_day / kSecondsPerDay / link,
              {{"arrival", "arrival_bytes_per_s", origin.bytes_per_day / kSecondsPerDay, "B/s"}, rate});
}

void fill(const SizingCase& c, SizingSheetWriter& sheet) {
  if (!c.dataset.origin) return;
  const DataOrigin& origin = *c.dataset.origin;
  const std::string key = c.dataset_key + "/origin";
  if (origin.bytes_per_day > 0.0)
    sheet.add("arrival_bytes_per_s", origin.bytes_per_day / kSecondsPerDay,
              {{"V_day", key + "/per_day", origin.bytes_per_day, "B"}});
  if (origin.link) add_link(c, origin, key, sheet);
  const double move_usd = c.stored_bytes() * origin.usd_per_byte;
  const SizingInput v{"V", c.dataset_key, c.stored_bytes(), "B"};
  const SizingInput egress{"p_e", key + "/egress", origin.usd_per_byte, "USD/B"};
  if (move_usd > 0.0) sheet.add("move_data_usd", move_usd, {v, egress});
  const double here = gpu_hour_usd(c.scenario.prices);
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

const SizingRoom kGravityRoom{"gravity", "Moving data, or moving compute", kFigures, fill};

}  // namespace headrace::models
