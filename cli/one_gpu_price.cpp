#include "cli/one_gpu_price.hpp"

#include <fmt/format.h>

#include "models/path/ingest_path.hpp"

namespace headrace::cli {

std::string one_gpu_price(const models::Scenario& a, const models::Scenario& b) {
  const std::string& model_a = pool_of(a, a.jobs.front()).gpu.model;
  const std::string& model_b = pool_of(b, b.jobs.front()).gpu.model;
  const double price_usd = a.prices.gpu_hour_usd;
  if (model_a == model_b || !(price_usd > 0.0) || price_usd != b.prices.gpu_hour_usd) return {};
  return fmt::format("an hour of {} counts as one of {}, ${:.2f}: set /prices/gpu_hour of each", model_b, model_a,
                     price_usd);
}

}  // namespace headrace::cli
