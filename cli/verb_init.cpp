// headrace init: a commented scenario to start from, or one made from the answers to questions, with a first answer at
// once.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "cli/exit_code.hpp"
#include "cli/load.hpp"
#include "cli/refusal.hpp"
#include "cli/unpriced_egress.hpp"
#include "cli/verb.hpp"
#include "models/study/input_study.hpp"
#include "reports/answers_read.hpp"
#include "reports/completed_outcome.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/questionnaire.hpp"
#include "scenarios/document/shell_quoted.hpp"
#include "scenarios/document/stated_answers.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::cli {
namespace {

using scenarios::AnswerError;
using scenarios::Answers;
using scenarios::Catalogue;
using scenarios::Question;

struct InitOptions {
  OutputOptions output;
  bool ask = false;
  bool force = false;
  Answers answers;
  std::vector<std::string> catalogues;
};

void add_options(OptionTable& table, InitOptions& options) {
  table.examples(
      {R"(headrace init --gpus "64 nodes x 8 H100" --data "100 TB JPEG" -o mine.json)", "headrace init --ask"});
  table.section("Answers");
  table.flag("--ask", options.ask,
             "ask for everything that no option answers, on standard input; an empty line: don't know. Through a pipe "
             "a line answers one question, and one that cannot be read leaves it open");
  for (const Question& question : scenarios::kQuestions)
    table.call(
        fmt::format("--{}", question.key), "ANSWER",
        [&options, key = std::string(question.key)](const std::string& answer) { options.answers[key] = answer; },
        fmt::format("{} Such as: {}", scenarios::question_text(question), question.example));
  add_catalogue(table, options.catalogues);
  add_output(table, options.output);
  table.flag("--force", options.force, "replace a file that is there");
}

/// Scenarios are worked on by hand: a new draft never replaces one by mistake.
bool would_replace(const InitOptions& options) {
  std::error_code error;
  return !options.output.file.empty() && !options.force && std::filesystem::is_regular_file(options.output.file, error);
}

void tell(const AnswerError& error, Console& console) {
  console.error(fmt::format("--{}: {}", error.key, error.message), error.help);
}

/// The call that has the answers so far, so that nobody gives them twice.
std::string resuming_call(const InitOptions& options, const Answers& answers) {
  std::string call = "headrace init --ask";
  if (!options.output.file.empty()) call += " -o " + scenarios::shell_quoted(options.output.file);
  for (const auto& [key, answer] : answers)
    if (!scenarios::is_open(answer)) call += fmt::format(" --{} {}", key, scenarios::shell_quoted(answer));
  return call;
}

/// Asks what is open. A terminal asks again for an answer that is refused; through a pipe the next line answers the
/// next question, and false says at the end that an answer is missing.
bool ask(const InitOptions& options, Answers& answers, const Catalogue& catalogue, Console& console) {
  const bool terminal = ::isatty(STDIN_FILENO) != 0;
  bool complete = true;
  bool ended = false;  // the rest stays open
  int number = 0;
  std::string line;
  for (const Question& question : scenarios::kQuestions) {
    ++number;
    const bool asked = scenarios::is_asked(question, answers, catalogue);
    if (!asked && !terminal && !ended)
      console.note(fmt::format("{:2d}/{} not asked after these answers: {}", number, scenarios::kQuestions.size(),
                               scenarios::question_text(question)));
    bool open = answers.count(question.key) == 0 && asked;
    while (open && !ended) {
      console.note(fmt::format("{:2d}/{} {}\n      such as: {}   (empty: don't know)", number,
                               scenarios::kQuestions.size(), scenarios::question_text(question), question.example));
      ended = !std::getline(std::cin, line);
      if (ended) break;
      const std::string key(question.key);
      const auto wrong =
          scenarios::is_open(line) ? std::nullopt : scenarios::check_answer(key, line, catalogue, answers);
      if (wrong) tell(*wrong, console);
      if (!wrong) answers[key] = line;
      complete = complete && (!wrong || terminal);
      open = wrong && terminal;
    }
  }
  if (!complete) console.note("The other answers are kept. To go on:\n  " + resuming_call(options, answers));
  return complete;
}

std::optional<LoadedScenario> load_draft(const std::string& text, const Catalogue& catalogue, Console& console) {
  auto loaded = load_text("your answers", text, catalogue);
  if (loaded) return std::move(*loaded);
  refuse(loaded.error(), console);
  return std::nullopt;
}

/// Up to three figures to measure: those that move step time or cost most, then those that move another figure. What
/// moves none is not worth it.
std::vector<std::string> measure_next(const models::InputReport& report) {
  std::vector<std::string> next = report.measure_next;
  for (const models::MetricDrivers& drivers : report.drivers)
    for (const models::InputEffect& effect : drivers.effects)
      if (next.size() < 3 && effect.share > 0.0 && std::find(next.begin(), next.end(), effect.parameter) == next.end())
        next.push_back(effect.parameter);
  return next;
}

std::string measure_text(const models::Outcome& outcome) {
  const std::vector<std::string> next = outcome.inputs ? measure_next(*outcome.inputs) : std::vector<std::string>();
  if (next.empty()) return "Nothing that is open moves the answer.\n";
  std::string text = next.size() == 3 ? "Measure these three next:\n"
                                      : "Measure next, because only these figures change the answer:\n";
  for (const std::string& parameter : next) text += fmt::format("  {}\n", parameter);
  return text;
}

constexpr double kHoursPerMonth = 730.0;

std::string ranged(const models::Metric& metric, std::string_view unit) {
  const std::string mean = unit == "%" ? reports::percent(metric.mean) : reports::humane(metric.mean, unit);
  if (!metric.input_range) return mean;
  const auto& [low, high] = *metric.input_range;
  return unit == "%" ? fmt::format("{} ({} to {})", mean, reports::percent(low), reports::percent(high))
                     : fmt::format("{} ({} to {})", mean, reports::humane(low, unit), reports::humane(high, unit));
}

/// What `headrace plan` does with the budget. It limits the cost of an epoch, and a rate per month is none.
std::string budget_of_plan(const scenarios::Budget& budget, double epoch_s, double cost_usd, const std::string& file) {
  const std::string scenario = file.empty() ? "FILE" : scenarios::shell_quoted(file);
  const auto line = [](const std::string& said) {
    return fmt::format("  budget     {}\n", reports::wrapped(said, reports::kTerminalWidth, 13));
  };
  if (budget.usd_per_epoch)
    return line(fmt::format("{} per epoch: {}; headrace plan {} keeps to it (/subject_to/cost_per_epoch)",
                            reports::humane(*budget.usd_per_epoch, "USD"),
                            cost_usd <= *budget.usd_per_epoch ? "within" : "exceeded", scenario));
  if (!budget.usd_per_hour) return {};
  const double hours = epoch_s / 3600.0;
  return line(fmt::format(
      "{} per month: {}. headrace plan limits the cost of an epoch and does not read a budget per "
      "month: for an epoch of this length write headrace plan {} --set "
      "'/subject_to/cost_per_epoch=${:.2f}'",
      reports::humane(*budget.usd_per_hour * kHoursPerMonth, "USD"),
      cost_usd <= *budget.usd_per_hour * hours ? "within" : "exceeded", scenario, *budget.usd_per_hour * hours));
}

std::string budget_text(const scenarios::Budget& budget, const models::Outcome& outcome, const std::string& file) {
  const models::Metric* cost = outcome.find("cost_per_epoch_usd");
  const models::Metric* epoch = outcome.find("epoch_time_s");
  if (cost == nullptr || epoch == nullptr || !(epoch->mean > 0.0)) return {};
  const double usd_per_h = cost->mean / epoch->mean * 3600.0;
  return fmt::format("  cost       {} per epoch, {} per month of running\n", ranged(*cost, "USD"),
                     reports::humane(usd_per_h * kHoursPerMonth, "USD")) +
         budget_of_plan(budget, epoch->mean, cost->mean, file);
}

/// What was understood of the answers, and what stands where nobody answered.
std::string read_back(const models::Scenario& scenario, const scenarios::Draft& draft, const Answers& answers) {
  return reports::wrapped(reports::answers_read_as(scenario, draft, answers), reports::kTerminalWidth, 2) + "\n";
}

/// "Ingest-bound by throttle: GPUs wait for data 99.4 % of the time, limited by ...", its cause and what to change.
std::string answer_text(const models::Outcome& outcome) {
  std::string text = reports::wrapped(reports::verdict_line(outcome), reports::kTerminalWidth, 2) + "\n";
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  if (idle != nullptr) text += fmt::format("GPUs wait for data {} of the time.\n", ranged(*idle, "%"));
  if (outcome.verdict != models::Verdict::ingest_bound || !outcome.binding || idle == nullptr) return text;
  const auto line = [](std::string_view label, const std::string& said) {
    return fmt::format("  {:<11}{}\n", label, reports::wrapped(said, reports::kTerminalWidth, 13));
  };
  text += line("cause", reports::stage_explanation(*outcome.binding));
  if (outcome.remedy)
    text += line("try first", fmt::format("{}: GPUs then wait {} of the time", outcome.remedy->change,
                                          reports::percent(reports::idle_after_remedy(outcome))));
  return text;
}

std::string first_answer(const models::Outcome& outcome, const scenarios::Budget& budget, const std::string& file,
                         const std::string& unpriced) {
  std::string text =
      "\nA first answer, by the queueing estimate; in brackets the range over uncertain\ninputs (p10 to p90):\n";
  for (const auto& [name, label, unit] : {std::tuple{"step_time_s", "step time ", "s"},
                                          {"epoch_time_s", "epoch time", "s"},
                                          {"store_bytes_per_s", "from store", "B/s"}})
    if (const models::Metric* metric = outcome.find(name))
      text += fmt::format("  {} {}\n", label, ranged(*metric, unit));
  text += budget_text(budget, outcome, file);
  if (!unpriced.empty())
    text += fmt::format("  note       {}\n", reports::wrapped(unpriced, reports::kTerminalWidth, 13));
  for (const models::Warning& warning : outcome.warnings)
    text += fmt::format("  note       {}\n", reports::wrapped(warning.seen, reports::kTerminalWidth, 13));
  return text + measure_text(outcome);
}

int from_answers(const InitOptions& options, Console& console) {
  const auto catalogue = catalogue_of(options.catalogues);
  if (!catalogue) return refuse(catalogue.error(), console);
  if (!console.can_deliver({options.output.file})) return kBadInput;
  Answers answers = options.answers;
  if (options.ask && !ask(options, answers, *catalogue, console)) return kBadInput;
  const auto draft = scenarios::draft_scenario(answers, *catalogue);
  if (!draft) {
    tell(draft.error(), console);
    return kBadInput;
  }
  for (const std::string& warning : draft->warnings) console.warn(warning);
  const std::optional<LoadedScenario> loaded = load_draft(draft->text, *catalogue, console);
  if (!loaded) return kBadInput;
  warn_implausible(*loaded, console);
  models::Outcome outcome = models::estimate_over(loaded->value, uncertain_inputs(*loaded), 1);
  const models::Confidence confidence = reports::complete_outcome(outcome, *loaded);
  if (!console.deliver(draft->text, options.output.file)) return kBadInput;
  const std::string text = answer_text(outcome) + read_back(loaded->value, *draft, answers) +
                           first_answer(outcome, draft->budget, options.output.file, unpriced_egress(*loaded));
  if (options.output.file.empty()) {
    console.note(text);
    return kOk;
  }
  console.note("next: headrace simulate " + options.output.file);
  const std::string document =
      options.output.json ? reports::json_text(reports::outcome_json(
                                outcome, {loaded->resolved, loaded->composition.catalogue_version, confidence}))
                          : text;
  return console.deliver(document, "") ? kOk : kBadInput;
}

int run(const InitOptions& options, Console& console) {
  if (would_replace(options))
    return refuse(fmt::format("'{}' is there already", options.output.file),
                  "give another name with -o, or --force to replace it", console);
  if (options.ask || !options.answers.empty()) return from_answers(options, console);
  const std::string text(scenarios::embedded_templates().front().text);
  if (!console.deliver(text, options.output.file)) return kBadInput;
  if (!options.output.file.empty()) console.note("next: headrace simulate " + options.output.file);
  return kOk;
}

}  // namespace

Verb init() {
  return make_verb<InitOptions>("init", "a scenario to start from: a commented one, or one made from your answers",
                                add_options, run);
}

}  // namespace headrace::cli
