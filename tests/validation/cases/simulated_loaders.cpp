// Loader cases through the max-plus recursions, as long as the reference's own interval asks for.
#include <algorithm>

#include "models/engine/max_plus.hpp"
#include "tests/validation/cases/ratio_batches.hpp"
#include "tests/validation/cases/simulated.hpp"

namespace headrace::cases {
namespace {

using models::LoaderShape;
using models::StepStart;

constexpr double kLeastDrawPrecision = 1.7;  // where the aim costs more draws than a case has; 2 is the limit
constexpr double kDrawsOfACase = 3e7;
constexpr double kLeastDraws = 2e6;   // an interval from fewer can have missed the rare events altogether
constexpr double kUnseenDraws = 5e6;  // where the reference saw no idle time
constexpr double kMostDraws = 3e8;
constexpr std::size_t kLeastBusyBatches = 8;
constexpr sim::Purpose kProduction{1};

template <class Engine>
Prediction run(Engine engine, const LoaderShape& shape, double reference_half_width) {
  const std::size_t warm_up = 1000 + 40 * std::size_t{shape.outstanding};
  sim::TimeNs last = 0;
  for (std::size_t i = 0; i < warm_up; ++i) last = engine.advance().start_ns;
  const double unseen_steps = std::max(2000.0, kUnseenDraws / shape.loaders);
  const std::size_t first = std::max<std::size_t>(2 * std::size_t{shape.outstanding}, 20);
  RatioBatches batches(reference_half_width > 0.0 ? first : static_cast<std::size_t>(unseen_steps / 64.0));
  for (double draws = 0.0;; draws += shape.loaders) {
    const StepStart step = engine.advance();
    const bool complete = batches.add(static_cast<double>(step.wait_ns), static_cast<double>(step.start_ns - last));
    last = step.start_ns;
    if (!complete) continue;
    if (reference_half_width == 0.0 || draws > kMostDraws) break;
    if (batches.ratio() == 0.0 && draws > kDrawsOfACase) break;  // more would find no event either
    const bool seen = batches.batches_with_part() >= kLeastBusyBatches && draws >= kLeastDraws;
    const double wanted = draws < kDrawsOfACase ? kAimedPrecision : kLeastDrawPrecision;
    if (seen && batches.half_width() <= wanted * reference_half_width) break;
  }
  Prediction prediction;
  prediction.values["idle"] = batches.ratio();
  prediction.half_width["idle"] = batches.half_width();
  return prediction;
}

}  // namespace

std::optional<Prediction> simulate_loaders(const ReferenceCase& c) {
  if (!c.has("N") || !c.has("EX") || !c.has("cv") || !(c.has("P") || c.has("D"))) return std::nullopt;
  LoaderShape shape;
  shape.loaders = c.has("n") ? static_cast<std::uint32_t>(c.integer("n")) : 1;
  shape.workers = static_cast<std::uint32_t>(c.integer("N"));
  shape.outstanding = c.has("P") ? shape.workers * static_cast<std::uint32_t>(c.integer("P"))
                                 : shape.workers + static_cast<std::uint32_t>(c.integer("D"));
  shape.compute_ns = sim::duration_ns(c.number("Tc", 1.0));
  const models::ProductionLaw law{sim::Distribution::lognormal(c.number("EX"), c.number("cv")), 0};
  const sim::StreamKey key{.seed = 20240601, .replication = 0, .purpose = kProduction, .entity = 0};
  const double half_width = c.half_width_of("idle");
  const auto any_order = [&](models::Dispatch dispatch) {
    return run(models::MaxPlusAnyOrder(shape, dispatch, law, key), shape, half_width);
  };
  const bool says_any_order =
      c.model.find("any order") != std::string::npos || c.model.find("any-order") != std::string::npos;
  if (c.id.find("torchany") != std::string::npos || c.model.find("in_order=False") != std::string::npos) {
    return any_order(models::Dispatch::kPerWorker);
  }
  if (c.id.find("_bas_") != std::string::npos || c.id.find("tokfc") != std::string::npos || says_any_order) {
    return any_order(models::Dispatch::kSharedPool);
  }
  if (!c.has("P")) return std::nullopt;
  return run(models::MaxPlusInOrder(shape, law, key), shape, half_width);
}

}  // namespace headrace::cases
