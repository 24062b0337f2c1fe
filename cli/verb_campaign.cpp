// headrace campaign: what a whole training, or many jobs that share pools, deliver over days to months, and where the
// GPU hours go.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/study_options.hpp"
#include "cli/verb.hpp"
#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/base/abandoned.hpp"
#include "models/campaign/campaign.hpp"
#include "models/campaign/fleet.hpp"
#include "models/study/study.hpp"
#include "reports/campaign_json.hpp"
#include "reports/campaign_text.hpp"
#include "reports/export/document_export.hpp"
#include "reports/fleet_text.hpp"
#include "reports/html/campaign_page.hpp"
#include "reports/html/fleet_page.hpp"
#include "reports/known_evidence.hpp"
#include "scenarios/document/calendar.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/importers/price_trace.hpp"

namespace headrace::cli {
namespace {

constexpr double kSecondsPerDay = 86400.0;

struct CampaignVerbOptions {
  ScenarioOptions scenario;
  OutputOptions output;
  models::StudyOptions study;
  models::CampaignOptions campaign;
  std::optional<double> days;
  std::string until;
  std::string level;
  std::string format;
  std::string price_trace;
};

void add_options(OptionTable& table, CampaignVerbOptions& options) {
  table.examples({"headrace campaign llm-pretraining-90-days"});
  add_scenarios(table, options.scenario);
  add_output(table, options.output);
  add_verbose(table, options.output);
  add_report(table, options.output);
  add_progress(table, options.output);
  table.section("Campaign");
  const Option days =
      table.add("--days", "N", options.days, "look at so many days (default: campaign/duration)").range(1e-3, 36500.0);
  table.add("--until", "WHEN", options.until, "trained: until the job, or each of many, has its epochs or steps")
      .one_of({"trained"})
      .excludes(days);
  table.add("--replications", "N", options.campaign.replications, "campaigns that are drawn (default 200)")
      .range(1, 100000);
  table.add("--seed", "N", options.campaign.seed, "seed of all random draws (default 1)");
  table
      .add(
          "--level", "LEVEL", options.level,
          "answer for steady speeds: simulate (default of one job), estimate (default of many), or flow: the bound, at "
          "once, which leaves out what jobs take from each other")
      .one_of({"simulate", "estimate", "flow"});
  table.add("--price-trace", "FILE.csv", options.price_trace,
            "spot prices over time: columns hour and usd_per_gpu_hour; nodes are held while they are not above "
            "campaign/bid");
  table
      .add("--format", "FORMAT", options.format,
           "text (default), json, markdown, or csv: figures, lost hours and cost, one a row")
      .one_of({"text", "json", "markdown", "csv"});
  add_threads(table, options.study.threads, "threads of the simulation (default: all cores); never changes a result");
}

std::optional<models::PriceTrace> prices_of(const CampaignVerbOptions& options, Console& console) {
  if (options.price_trace.empty()) return models::PriceTrace{};
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(options.price_trace, diagnostics);
  if (!text) {
    refuse(diagnostics, console, options.output.json);
    return std::nullopt;
  }
  auto trace = scenarios::read_price_trace(options.price_trace, *text);
  if (trace) return *std::move(trace);
  refuse(trace.error(), console, options.output.json);
  return std::nullopt;
}

/// The answer whose speed holds whenever the job trains. Whole trainings are drawn here, not there.
models::Outcome steady_answer(const CampaignVerbOptions& options, const models::Scenario& scenario,
                              const InterruptWatch& watch, Console& console) {
  if (options.level == "flow") return models::flow_bound(scenario);
  if (options.level == "estimate") return models::queueing_estimate(scenario, options.campaign.seed);
  models::StudyOptions study = options.study;
  study.seed = options.campaign.seed;
  study.courses = false;
  study.relief = false;
  ProgressLine line(console);
  line.follow(study, watch);
  return models::simulate(scenario, study);
}

/// A campaign as a text for a terminal, as a document and as a page.
struct CampaignViews {
  std::string text;
  nlohmann::ordered_json json;
  std::string (*page)(const reports::Document&, const reports::PageFacts&);
};

int deliver(const CampaignViews& views, const LoadedScenario& loaded, const CampaignVerbOptions& options,
            Console& console) {
  const OutputOptions& output = options.output;
  const std::string title = title_of(loaded, options.scenario);
  const auto& json = views.json;
  const bool as_json = options.format.empty() ? output.wants_json() : output.json;
  const bool as_text = !as_json && (options.format.empty() || options.format == "text");
  std::string document;
  if (as_text)
    document = views.text;
  else if (auto text = reports::document_export(json, as_json ? "json" : options.format))
    document = *std::move(text);
  const bool delivered = console.deliver(document, output.file);
  const bool drawn = output.report.empty() || console.deliver(views.page(json, {title, output.program}), output.report);
  return delivered && drawn ? kOk : kBadInput;
}

template <class OutcomeOfCampaign>
void warn_of_prices(const CampaignVerbOptions& options, const LoadedScenario& loaded, OutcomeOfCampaign& outcome,
                    Console& console) {
  const std::string& as_of = options.scenario.as_of;
  for (const models::Warning& warning : old_price_warnings(loaded, as_of.empty() ? scenarios::today() : as_of)) {
    console.warn(warning.seen + "; " + warning.fix);
    if (!as_of.empty()) outcome.warnings.push_back(warning);
  }
}

int run_one(const CampaignVerbOptions& options, const LoadedScenario& loaded, const models::CampaignOptions& campaign,
            const InterruptWatch& watch, Console& console) {
  models::Outcome steady = steady_answer(options, loaded.value, watch, console);
  if (watch.interrupted()) return kInterrupted;
  models::CampaignOutcome outcome = models::run_campaign(loaded.value, steady, campaign);
  warn_of_prices(options, loaded, outcome, console);
  const models::Confidence confidence = reports::add_known_evidence(steady, loaded);
  const std::string title = title_of(loaded, options.scenario);
  return deliver({reports::campaign_text(outcome, confidence, title, options.output.verbose, console.out_style()),
                  reports::campaign_json(outcome, loaded.sha256,
                                         {loaded.resolved, loaded.composition.catalogue_version, confidence}),
                  reports::campaign_page},
                 loaded, options, console);
}

int run_many(const CampaignVerbOptions& options, const LoadedScenario& loaded, const models::CampaignOptions& campaign,
             const InterruptWatch& watch, Console& console) {
  CampaignVerbOptions of_set = options;
  if (of_set.level.empty()) of_set.level = "estimate";
  const models::FleetAnswer answer = [&](const models::Scenario& set) {
    models::end_if_abandoned(watch.token());
    return steady_answer(of_set, set, watch, console);
  };
  models::FleetOutcome outcome;
  try {
    outcome = models::run_fleet(loaded.value, answer, campaign);
  } catch (const models::Abandoned&) {
    return kInterrupted;
  }
  if (watch.interrupted()) return kInterrupted;
  warn_of_prices(options, loaded, outcome, console);
  const std::string title = title_of(loaded, options.scenario);
  const std::optional<models::Confidence> confidence = reports::confidence_of_scenario(loaded);
  return deliver(
      {reports::fleet_text(outcome, confidence, title, options.output.verbose, console.out_style()),
       reports::fleet_json(outcome, loaded.sha256, {loaded.resolved, loaded.composition.catalogue_version, confidence}),
       reports::fleet_page},
      loaded, options, console);
}

int run(const CampaignVerbOptions& options, Console& console) {
  const OutputOptions& output = options.output;
  const std::optional<LoadedScenario> loaded = load(options.scenario, console);
  if (!loaded) return kBadInput;
  warn_unused_stores(*loaded, console);
  if (options.scenario.dry_run) return show_resolved(*loaded, output, console);
  if (!console.can_deliver({output.file, output.report})) return kBadInput;
  std::optional<models::PriceTrace> prices = prices_of(options, console);
  if (!prices) return kBadInput;
  models::CampaignOptions campaign = options.campaign;
  campaign.prices = *std::move(prices);
  campaign.duration_s = options.days.value_or(0.0) * kSecondsPerDay;
  campaign.until_trained = !options.until.empty();
  const InterruptWatch watch(0.0);
  return models::is_fleet(loaded->value) ? run_many(options, *loaded, campaign, watch, console)
                                         : run_one(options, *loaded, campaign, watch, console);
}

}  // namespace

Verb campaign() {
  return make_verb<CampaignVerbOptions>(
      "campaign", "a whole training, or many jobs that queue for pools, over days to months: goodput, lost hours, cost",
      add_options, run);
}

}  // namespace headrace::cli
