#include "tests/validation/cases/simulated.hpp"

namespace headrace::cases {

std::optional<Prediction> predict_by_simulation(const ReferenceCase& c) {
  if (c.group == "contention_sim") return simulate_contention(c);
  if (c.id.find("maxplus_vs_des") != std::string::npos) return compare_engines(c);
  if (c.group == "prefetch_sim" || c.group == "barrier_sim") return simulate_loaders(c);
  if (c.group == "cache" && c.id.find("fifo") != std::string::npos) return simulate_fifo_cache(c);
  if (c.group == "failure" && c.has("work")) return simulate_checkpoints(c);
  if (c.group == "shuffle" && c.has("m")) return simulate_hot_spots(c);
  return std::nullopt;
}

}  // namespace headrace::cases
