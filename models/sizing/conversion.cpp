// Writing a dataset once in another format: what it takes, and after how many epochs it has paid.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "models/answer/flow_bound.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kConversion = "datasets/conversion";
constexpr std::string_view kPays = "datasets/conversion with a format that is faster to read";

constexpr std::array kConversionFigures = {
    SizingDescription{"conversion_time_s", "s", "V / (w r) + I", "Time of converting the dataset once.", "definition",
                      kConversion, true},
    SizingDescription{"conversion_intermediate_s", "s", "f V / C_w + f V / C_r",
                      "Part of it that writes and reads intermediate data.", "definition",
                      "datasets/conversion/intermediate"},
    SizingDescription{"conversion_usd", "USD", "w t p_w", "What the workers of the conversion cost.", "definition",
                      "datasets/conversion/worker_hour"},
    SizingDescription{"conversion_recompute_s", "s", "x t",
                      "Work that is done again when the conversion fails at its end.", "definition", kConversion},
    SizingDescription{"converted_step_s", "s", "flow bound", "Step that reads the converted dataset.",
                      "flow bound of the job on the converted dataset", kConversion},
    SizingDescription{"conversion_pays_after_epochs", "", "t / (E - E')",
                      "Epochs after which the conversion has saved its own time.", "definition", kPays, true},
    SizingDescription{"conversion_pays_after_epochs_usd", "", "conversion cost / (c - c')",
                      "Epochs after which it has saved its own cost.", "definition",
                      "datasets/conversion/worker_hour, prices, and a format that is cheaper to read"},
};

Scenario converted(const SizingCase& c) {
  Scenario scenario = c.scenario;
  const FormatConversion& to = *c.dataset.conversion;
  for (Dataset& data : scenario.datasets) {
    if (data.name != c.dataset.name) continue;
    const double samples = data.samples();
    data.files = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::ceil(samples / static_cast<double>(to.samples_per_file))));
    data.samples_per_file = static_cast<std::uint64_t>(std::ceil(samples / static_cast<double>(data.files)));
    if (to.samples_per_file > 1) data.order = SampleOrder::shard_sequential;
    data.sample_bytes = scaled(data.sample_bytes, to.size);
    data.parse_s_per_sample = to.parse_s_per_sample;
    data.parse_bytes_per_s = to.parse_bytes_per_s;
    data.skew = 0.0;
  }
  if (to.cpu_s_per_sample > 0.0)
    scenario.jobs.front().loader.cpu_s_per_sample = DistributionSpec::constant(to.cpu_s_per_sample);
  return scenario;
}

void fill_conversion(const SizingCase& c, SizingSheetWriter& sheet) {
  if (!c.dataset.conversion) return;
  const FormatConversion& to = *c.dataset.conversion;
  const std::string key = c.dataset_key + "/conversion";
  const double bytes = c.stored_bytes();
  const auto workers = static_cast<double>(to.workers);
  const double write =
      c.store.write_bandwidth_bytes_per_s > 0.0 ? c.store.write_bandwidth_bytes_per_s : c.store.bandwidth_bytes_per_s;
  const double between = to.intermediate * bytes;
  const double between_s = between / write + between / c.store.bandwidth_bytes_per_s;
  const double time_s = bytes / (workers * to.bytes_per_s) + between_s;
  const double usd = workers * time_s / 3600.0 * to.worker_hour_usd;
  const SizingInput v{"V", c.dataset_key, bytes, "B"};
  const SizingInput w{"w", key + "/workers", workers, ""};
  const SizingInput t{"t", "conversion_time_s", time_s, "s"};
  sheet.add("conversion_time_s", time_s,
            {v, w, {"r", key + "/rate", to.bytes_per_s, "B/s"}, {"I", "conversion_intermediate_s", between_s, "s"}});
  if (between > 0.0)
    sheet.add("conversion_intermediate_s", between_s,
              {{"f", key + "/intermediate", to.intermediate, ""},
               v,
               {"C_w", c.store_key + "/write_bandwidth", write, "B/s"},
               {"C_r", c.store_key + "/bandwidth", c.store.bandwidth_bytes_per_s, "B/s"}});
  if (to.worker_hour_usd > 0.0)
    sheet.add("conversion_usd", usd, {w, t, {"p_w", key + "/worker_hour", to.worker_hour_usd, "USD/h"}});
  sheet.add("conversion_recompute_s", to.recomputed * time_s, {{"x", key + "/recomputed", to.recomputed, "1"}, t});
  const Outcome after = flow_bound(converted(c));
  sheet.add("converted_step_s", after.find("step_time_s")->mean,
            {{"size", key + "/size", to.size, ""},
             {"k", key + "/samples_per_file", static_cast<double>(to.samples_per_file), ""}});
  const double now_s = c.metric("epoch_time_s");
  const double then_s = after.find("epoch_time_s")->mean;
  if (then_s < now_s)
    sheet.add("conversion_pays_after_epochs", time_s / (now_s - then_s),
              {t, {"E", "epoch_time_s", now_s, "s"}, {"E'", "converted_step_s", then_s, "s"}});
  const double now_usd = c.metric("cost_per_epoch_usd");
  const double then_usd = after.find("cost_per_epoch_usd")->mean;
  if (usd > 0.0 && then_usd < now_usd)
    sheet.add("conversion_pays_after_epochs_usd", usd / (now_usd - then_usd),
              {{"conversion cost", "conversion_usd", usd, "USD"},
               {"c", "cost_per_epoch_usd", now_usd, "USD"},
               {"c'", "converted_step_s", then_usd, "USD"}});
}

}  // namespace

const SizingRoom kConversionRoom{"conversion", "Whether another format pays", kConversionFigures, fill_conversion};

}  // namespace headrace::models
