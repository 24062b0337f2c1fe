// What deduplication and filters leave of a dataset, and what that saves.
#include <array>

#include "models/path/tier_path.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kReduction = "datasets/reduction";

constexpr std::array kReductionFigures = {
    SizingDescription{"reduced_bytes", "B", "u k V", "What is left of the dataset.", "definition", kReduction, true},
    SizingDescription{"reduction_saves_s", "s", "(1 - u k) t", "Time that copying it into its store takes less.",
                      "bytes over rate", kReduction},
    SizingDescription{"reduction_saves_usd_per_month", "USD", "(1 - u k) V o p", "Storage that is not paid for.",
                      "definition", "datasets/reduction and stores/price/capacity"},
    SizingDescription{"dedup_index_bytes", "B", "V / c e", "Size of the index of all pieces.", "definition",
                      kReduction},
    SizingDescription{"dedup_core_s", "s", "V / c t_l", "Core time of hashing and looking up every piece.",
                      "definition", "datasets/reduction/lookup"},
};

void fill_reduction(const SizingCase& c, SizingSheetWriter& sheet) {
  if (!c.dataset.reduction) return;
  const DataReduction& reduction = *c.dataset.reduction;
  const std::string key = c.dataset_key + "/reduction";
  const double bytes = c.stored_bytes();
  const double left = reduction.unique * reduction.kept;
  const double pieces = bytes / reduction.chunk_bytes;
  const SizingInput u{"u", key + "/unique", reduction.unique, "1"};
  const SizingInput k{"k", key + "/kept", reduction.kept, "1"};
  const SizingInput v{"V", c.dataset_key, bytes, "B"};
  const SizingInput chunk{"c", key + "/chunk", reduction.chunk_bytes, "B"};
  sheet.add("reduced_bytes", left * bytes, {u, k, v});
  Scenario copied = c.scenario;
  std::optional<Staging>& staging = copied.jobs.front().staging;
  if (!staging) staging = Staging{};
  staging->mode = StagingMode::prestage_store;
  const double copy_s = staging_time_s(copied, 0);
  sheet.add("reduction_saves_s", (1.0 - left) * copy_s, {u, k, {"t", "store_fill_s", copy_s, "s"}});
  const double kept = c.store.redundancy ? c.store.redundancy->overhead() : 1.0;
  const double price = c.store.price.capacity_usd_per_byte_month;
  if (price > 0.0)
    sheet.add("reduction_saves_usd_per_month", (1.0 - left) * bytes * kept * price,
              {u,
               k,
               v,
               {"o", c.store_key + "/redundancy", kept, ""},
               {"p", c.store_key + "/price/capacity", price, "USD/B month"}});
  sheet.add("dedup_index_bytes", pieces * reduction.entry_bytes,
            {v, chunk, {"e", key + "/entry_bytes", reduction.entry_bytes, "B"}});
  if (reduction.lookup_s > 0.0)
    sheet.add("dedup_core_s", pieces * reduction.lookup_s,
              {v, chunk, {"t_l", key + "/lookup", reduction.lookup_s, "s"}});
}

}  // namespace

const SizingRoom kReductionRoom{"reduction", "What reduction leaves", kReductionFigures, fill_reduction};

}  // namespace headrace::models
