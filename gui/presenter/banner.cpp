#include "gui/presenter/banner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "gui/presenter/short_name.hpp"
#include "models/outcome/confidence.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

std::string grade_words(const models::Confidence& confidence) {
  return fmt::format("Confidence: {}{}",
                     reports::words(models::kConfidenceGradeNames[static_cast<std::size_t>(confidence.grade)]),
                     confidence.may_change_verdict ? "; the verdict may be wrong" : "");
}

std::string wait_so_far(const models::Metric& idle) {
  if (!idle.ci95) return reports::percent(idle.mean);
  return fmt::format("{} to {}", reports::percent(std::max(0.0, idle.ci95->low)), reports::percent(idle.ci95->high));
}

/// A bound proves waits, never that there are none.
std::string bound_meaning(const models::Outcome& outcome) {
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  if (idle == nullptr) return {};
  return fmt::format("GPUs wait for data at least {} of the time. What they wait for is known after the simulation.",
                     reports::percent(std::max(0.0, idle->mean)));
}

/// The window has a key where the command line has flags: "run longer: --steps, --max-wall".
std::string in_window_words(const std::string& text) {
  static const std::regex flags(R"(([Rr]un (it )?longer):? ?\(?(--[a-z-]+( [0-9]+)?(, )?)+( or more)?\)?)");
  return std::regex_replace(text, flags, "$1 (Shift+F5)");
}

/// A headline names a parameter by its words: its place in the file is for the command line.
std::string with_names(const std::string& text) {
  static const std::regex pointer("(/[a-z0-9_]+)+");
  std::string named;
  std::size_t end = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), pointer); at != std::sregex_iterator(); ++at) {
    const auto begin = static_cast<std::size_t>(at->position());
    const bool is_word_part = begin > 0 && text[begin - 1] != ' ' && text[begin - 1] != '(';  // "and/or", "GB/s"
    named += text.substr(end, begin - end) + (is_word_part ? at->str() : short_name(at->str()));
    end = begin + static_cast<std::size_t>(at->length());
  }
  return named + text.substr(end);
}

void add_so_far(const models::Outcome& outcome, bool busy, Banner& banner) {
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  banner.mood = Dashboard::Mood::unsure;
  banner.verdict = busy ? "Simulating: the verdict follows" : "Stopped before the verdict: press F5 to simulate";
  if (idle != nullptr)
    banner.meaning =
        fmt::format("GPUs wait for data {} of the time so far, after {} steps.", wait_so_far(*idle), outcome.steps);
  banner.confidence = "Confidence: known after the simulation";
}

}  // namespace

bool blame_known(const models::Outcome& outcome) {
  const models::Metric* step = outcome.find("step_time_s");
  return step != nullptr && step->kind == models::AnswerKind::simulated;
}

Banner banner_of(const models::Outcome& outcome, Phase phase, const models::Outcome* bound, bool busy,
                 const std::optional<models::Confidence>& known, const models::Outcome* ranges) {
  Dashboard board = dashboard(outcome, nullptr, ranges);
  board.meaning = in_window_words(board.meaning);
  for (std::string& warning : board.warnings) warning = in_window_words(warning);
  Banner banner;
  banner.verdict = with_names(board.verdict);
  banner.mood = board.mood;
  if (phase == Phase::so_far) {
    add_so_far(outcome, busy, banner);
    return banner;
  }
  if (phase == Phase::bound) {
    banner.meaning = outcome.verdict == models::Verdict::infeasible ? board.meaning : bound_meaning(outcome);
    if (outcome.verdict == models::Verdict::fed) banner.mood = Dashboard::Mood::unsure;
    banner.confidence = fmt::format("{}; {}", busy ? "Simulating ..." : "Not simulated: press F5", board.how_sure);
    banner.warnings = std::move(board.warnings);
    return banner;
  }
  const models::Confidence confidence = known ? *known : models::confidence_of(outcome);
  banner.meaning = board.meaning;
  banner.confidence = fmt::format("{}. {}.", grade_words(confidence), reports::capital(board.how_sure));
  banner.confidence_reason = confidence.reason;
  if (bound != nullptr)
    if (std::string far = disagreement(*bound, outcome); !far.empty()) banner.warnings.push_back(std::move(far));
  banner.warnings.insert(banner.warnings.end(), board.warnings.begin(), board.warnings.end());
  return banner;
}

}  // namespace headrace::gui
