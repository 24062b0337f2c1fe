#include "gui/presenter/kept_run.hpp"

#include <fmt/format.h>

#include "gui/presenter/banner.hpp"
#include "gui/presenter/comparison_view.hpp"
#include "gui/presenter/short_name.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

constexpr std::size_t kMostJobs = 3;
constexpr std::size_t kMostDifferences = 3;  // a card tells no longer story

std::string difference_text(const ScenarioDocument& now, const InputDifference& input) {
  const auto shown = [](const std::string& value) {
    return value.starts_with("[{") ? std::string("another list") : value;
  };
  return fmt::format("{}: {}, now {}", place_name(now, input.pointer), shown(input.before_text("none")),
                     shown(input.after_text("none")));
}

}  // namespace

std::string KeptRun::name() const { return fmt::format("run {}", number); }

RunCardText run_card(const KeptRun& run, bool is_baseline, const ScenarioDocument& now) {
  RunCardText card;
  card.name = run.name() + (is_baseline ? ", baseline" : "");
  const Phase phase = blame_known(run.outcome) ? Phase::answer : Phase::bound;
  card.verdict = banner_of(run.outcome, phase, nullptr, false).verdict;
  const bool is_plain = run.outcome.verdict == models::Verdict::fed && run.outcome.evidence.assumed.empty();
  if (is_plain && phase == Phase::answer) card.verdict = reports::capital(verdict_word(run.outcome.verdict));
  if (phase == Phase::bound) card.verdict += " (closed form)";
  const bool several = reports::has_several_jobs(run.outcome);
  const auto add = [&card](const std::string& of, std::string_view metric, const models::Metric* found) {
    if (found != nullptr)
      card.figures.emplace_back(of + reports::spoken_name(metric),
                                reports::humane(found->mean, models::traits_of(metric).unit));
  };
  for (std::size_t job = 0; several && job < run.outcome.jobs.size() && job < kMostJobs; ++job)
    add(run.outcome.jobs[job].name + ": ", "step_time_s",
        models::find_in(run.outcome.jobs[job].metrics, "step_time_s"));
  for (const char* metric : {"step_time_s", "gpu_idle_fraction", "samples_per_s"})
    if (!several || !reports::mixes_jobs(metric)) add(several ? "all GPUs: " : "", metric, run.outcome.find(metric));
  const std::vector<InputDifference> inputs = changed_inputs(run.document, now);
  for (std::size_t i = 0; i < inputs.size() && i < kMostDifferences; ++i)
    card.differences.push_back(difference_text(now, inputs[i]));
  if (inputs.size() > kMostDifferences)
    card.differences.push_back(fmt::format("and {} more", inputs.size() - kMostDifferences));
  return card;
}

std::vector<std::size_t> ghost_runs(std::size_t runs, const std::size_t* baseline) {
  std::vector<std::size_t> chosen;
  if (baseline != nullptr) chosen.push_back(*baseline);
  for (std::size_t i = runs; i-- > 0 && chosen.size() < kMostGhosts;)
    if (baseline == nullptr || i != *baseline) chosen.push_back(i);
  return chosen;
}

}  // namespace headrace::gui
