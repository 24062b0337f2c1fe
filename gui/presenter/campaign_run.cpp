#include "gui/presenter/campaign_run.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gui/presenter/command_text.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/base/abandoned.hpp"
#include "models/campaign/campaign.hpp"
#include "models/campaign/fleet.hpp"
#include "models/study/study.hpp"
#include "reports/campaign_cells.hpp"
#include "reports/campaign_json.hpp"
#include "reports/humane.hpp"
#include "reports/known_evidence.hpp"

namespace headrace::gui {
namespace {

using reports::humane;

/// No more bars than the chart has room for; what the last one sums up stands in the table.
void sum_up_small(std::vector<Share>& losses) {
  constexpr std::size_t kMostBars = 7;
  if (losses.size() <= kMostBars) return;
  const std::size_t small = losses.size() - (kMostBars - 1);
  Share others{fmt::format("{} others", small), 0.0, {}};
  for (std::size_t i = kMostBars - 1; i < losses.size(); ++i) others.value += losses[i].value;
  others.text = reports::hours_text(others.value);
  losses.resize(kMostBars - 1);
  losses.push_back(std::move(others));
}

template <class Outcome>
void add_losses(const Outcome& outcome, CampaignAnswer& answer) {
  answer.causes = reports::loss_rows(outcome.losses, outcome.losses.size());
  for (const models::CampaignLoss& loss : outcome.losses)
    if (loss.gpu_hours.mean > 0.0)
      answer.losses.push_back({std::string(models::kLossCauses[static_cast<std::size_t>(loss.cause)].meaning),
                               loss.gpu_hours.mean, reports::hours_text(loss.gpu_hours.mean)});
  sum_up_small(answer.losses);
}

template <class Outcome>
void add_shared(const Outcome& outcome, CampaignAnswer& answer) {
  const auto add = [&answer](const char* name, std::string value, std::string interval) {
    answer.figures.push_back({name, std::move(value), std::move(interval)});
  };
  add("goodput of the campaign", reports::percent(outcome.goodput.mean, 2),
      reports::percent_interval_cell(outcome.goodput.ci95));
  add("useful GPU hours", reports::hours_text(outcome.useful_gpu_hours.mean),
      reports::interval_cell(outcome.useful_gpu_hours, "h"));
  add("GPU hours", reports::hours_text(outcome.gpu_hours.mean), reports::interval_cell(outcome.gpu_hours, "h"));
  add("elapsed", humane(outcome.elapsed_s.mean, "s", 3), reports::interval_cell(outcome.elapsed_s, "s", 3));
  if (!(outcome.cost_usd.mean > 0.0)) return;
  if (const auto& per_hour_usd = outcome.cost_per_useful_gpu_hour_usd)
    add("per useful GPU hour", humane(per_hour_usd->mean, "USD"), reports::interval_cell(*per_hour_usd, "USD"));
  add("cost in all", humane(outcome.cost_usd.mean, "USD"), reports::interval_cell(outcome.cost_usd, "USD"));
}

void add_own(const models::CampaignOutcome& outcome, CampaignAnswer& answer) {
  const auto add = [&answer](const char* name, const models::CampaignFigure& figure, const char* unit) {
    answer.figures.push_back({name, humane(figure.mean, unit, 3), reports::interval_cell(figure, unit, 3)});
  };
  answer.figures.insert(answer.figures.begin() + 1,
                        {"goodput of steady work", reports::percent(outcome.closed_form_goodput, 2), "closed form"});
  answer.figures.push_back({"first step, cold", humane(outcome.cold_first_step_s, "s", 3),
                            reports::warm_start_text(outcome.warm_first_step_s, outcome.phases)});
  if (outcome.restart_p50_s) add("restart, median", *outcome.restart_p50_s, "s");
  if (outcome.restart_p99_s) add("restart, p99", *outcome.restart_p99_s, "s");
  answer.figures.push_back({"failures", reports::humane_number(outcome.failures.mean, 3), ""});
  if (outcome.best_interval_s > 0.0)
    answer.figures.push_back({"checkpoints every", humane(outcome.checkpoint_interval_s, "s", 3),
                              fmt::format("best by the closed form: {}", humane(outcome.best_interval_s, "s", 3))});
}

/// Pools of many jobs stand empty, too: their goodput is one of the hours that jobs hold.
std::string goodput_text(const models::FleetOutcome& outcome) {
  return fmt::format(" ({}); goodput {} of the hours that jobs hold", reports::percent(outcome.useful_share.mean, 2),
                     reports::percent(outcome.goodput.mean, 2));
}
std::string goodput_text(const models::CampaignOutcome& outcome) {
  return fmt::format(": goodput of the campaign {}", reports::percent(outcome.goodput.mean, 2));
}

/// Beside the verdict stands another goodput, of the same scenario.
std::string basis_of(const models::CampaignOutcome& outcome) {
  return fmt::format(
      "The verdict and the table of figures are of steady work: goodput {}, with checkpoints and failures at their "
      "mean "
      "rate. The campaign begins with a cold start, draws every failure, and waits for repairs and restarts.",
      reports::percent(outcome.closed_form_goodput, 2));
}
std::string basis_of(const models::FleetOutcome& /*outcome*/) {
  return "The verdict and the table of figures are of the jobs of the scenario in steady work, all at the same time. "
         "The "
         "campaign has jobs that arrive, wait for nodes and end.";
}

void add_warnings(const std::vector<models::Warning>& warnings, CampaignAnswer& answer) {
  for (const models::Warning& warning : warnings) answer.basis += "\n" + reports::warning_sentences(warning);
}

template <class Outcome>
std::string headline_of(const Outcome& outcome) {
  std::string text =
      fmt::format("{} of {} of GPU time are useful{}.", reports::hours_text(outcome.useful_gpu_hours.mean),
                  reports::hours_text(outcome.gpu_hours.mean), goodput_text(outcome));
  std::vector<reports::NamedLoss> named;
  for (const models::CampaignLoss& loss : outcome.losses) {
    const models::LossCauseWords& words = models::kLossCauses[static_cast<std::size_t>(loss.cause)];
    if (loss.gpu_hours.mean > 0.0)
      named.push_back({std::string(words.name), std::string(words.meaning), reports::hours_text(loss.gpu_hours.mean)});
  }
  return named.empty() ? text : text + " " + reports::most_lost_sentence(named);
}

}  // namespace

CampaignAnswer run_campaign_of(const ScenarioDocument& document, const CampaignWish& wish, const std::stop_token& stop,
                               const TellCampaign& tell) {
  CampaignAnswer answer;
  models::CampaignOptions campaign;
  campaign.seed = wish.seed;
  campaign.replications = wish.replications;
  campaign.until_trained = wish.until_trained;
  const scenarios::LoadedScenario& loaded = document.loaded();
  reports::Provenance provenance{loaded.resolved, loaded.composition.catalogue_version};
  try {
    if (models::is_fleet(loaded.value)) {
      std::size_t sets = 0;
      const models::FleetAnswer speeds = [&](const models::Scenario& set) {
        models::end_if_abandoned(stop);
        tell(-1.0, fmt::format("speeds of {} sets of jobs", ++sets));
        return models::queueing_estimate(set, campaign.seed);
      };
      const models::FleetOutcome outcome = models::run_fleet(loaded.value, speeds, campaign);
      add_losses(outcome, answer);
      add_shared(outcome, answer);
      answer.headline = headline_of(outcome);
      answer.basis = basis_of(outcome);
      add_warnings(outcome.warnings, answer);
      provenance.confidence = reports::confidence_of_scenario(loaded);
      answer.json = reports::json_text(reports::fleet_json(outcome, loaded.sha256, provenance));
      return answer;
    }
    models::StudyOptions study;
    study.seed = campaign.seed;
    study.courses = false;  // whole trainings are drawn here
    study.relief = false;
    study.stop = stop;
    study.abandon = stop;
    study.progress = [&tell](const models::Progress& progress) {
      tell(progress.fraction, "steady work: " + std::string(progress.phase));
    };
    models::Outcome steady = models::simulate(loaded.value, study);
    models::end_if_abandoned(stop);
    tell(-1.0, fmt::format("{} campaigns", campaign.replications));
    const models::CampaignOutcome outcome = models::run_campaign(loaded.value, steady, campaign);
    add_losses(outcome, answer);
    add_shared(outcome, answer);
    add_own(outcome, answer);
    answer.headline = headline_of(outcome);
    answer.basis = basis_of(outcome);
    add_warnings(outcome.warnings, answer);
    provenance.confidence = reports::add_known_evidence(steady, loaded);
    answer.json = reports::json_text(reports::campaign_json(outcome, loaded.sha256, provenance));
  } catch (const models::UnusableRequest& problem) {
    answer.error = std::string(problem.what()) + "; " + problem.fix();
  }
  return answer;
}

std::string campaign_command(const ScenarioDocument& document, const CampaignWish& wish) {
  std::string text = "headrace campaign";
  for (const std::string& argument : document.arguments()) text += " " + shell_word(argument);
  if (wish.until_trained) text += " --until trained";
  if (wish.replications != CampaignWish{}.replications) text += fmt::format(" --replications {}", wish.replications);
  return text;
}

}  // namespace headrace::gui
