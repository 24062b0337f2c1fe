#include "gui/presenter/difference_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/presenter/banner.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

using models::GpuState;

constexpr double kSame = 1e-9;  ///< of the larger total: rounding

bool waits(GpuState state) { return state == GpuState::ingest_wait_own || state == GpuState::ingest_wait_peer; }

/// Half of the interval of a share of waits; infinite where too few steps were simulated for one.
double arm_of(const models::StageShare& stage) {
  return stage.ci95 ? 0.5 * (stage.ci95->high - stage.ci95->low) : std::numeric_limits<double>::infinity();
}

/// Waits are told by the stage that causes them, where that is known.
Parts time_parts(const models::Outcome& outcome, const std::string& job) {
  const auto own = std::find_if(outcome.jobs.begin(), outcome.jobs.end(),
                                [&](const models::JobReport& report) { return report.name == job; });
  const bool alone = job.empty();
  if (!alone && own == outcome.jobs.end()) return {};  // not in this run
  Parts parts;
  parts.total = models::mean_in(alone ? outcome.metrics : own->metrics, "step_time_s");
  double unexplained = 0.0;
  double shares = 0.0;
  for (const models::GpuStateShare& state : alone ? outcome.gpu_states : own->gpu_states) {
    shares += state.share;
    if (waits(state.state))
      unexplained += state.share;
    else if (state.share > 0.0)
      parts.parts.push_back({reports::words(models::kGpuStateNames[static_cast<std::size_t>(state.state)]),
                             state.share * parts.total, ""});
  }
  if (blame_known(outcome))
    for (const models::StageShare& stage : alone ? outcome.blame : own->blame) {
      if (!(stage.mean > 0.0)) continue;
      parts.parts.push_back(
          {"wait for " + std::string(name(stage.stage)), stage.mean * parts.total, "", parts.total * arm_of(stage)});
      unexplained -= stage.mean;
    }
  const double rest = parts.total * (unexplained + 1.0 - shares);  // what the shares leave by rounding is part of it
  if (std::abs(rest) > kSame * parts.total) parts.parts.push_back({"wait for data", rest, ""});
  return parts;
}

Parts cost_parts(const models::Outcome& outcome) {
  Parts parts;
  for (const models::LedgerLine& line : outcome.ledger) {
    parts.total += line.usd;
    const auto same =
        std::find_if(parts.parts.begin(), parts.parts.end(), [&](const Share& part) { return part.name == line.item; });
    if (same == parts.parts.end())
      parts.parts.push_back({line.item, line.usd, ""});
    else
      same->value += line.usd;
  }
  return parts;
}

Share part_in(const Parts& parts, const std::string& name) {
  const auto found =
      std::find_if(parts.parts.begin(), parts.parts.end(), [&](const Share& part) { return part.name == name; });
  return found == parts.parts.end() ? Share{name, 0.0, ""} : *found;
}

/// With a sign; an end of a change that cannot be seen is no change.
std::string signed_text(double value, std::string_view unit) {
  return (value < 0.0 ? "\xE2\x88\x92" : "+") + reports::humane(std::abs(value), unit, 3);
}

FloatingBar::Kind kind_of(const Share& change) {
  if (std::abs(change.value) <= change.arm) return FloatingBar::Kind::unsure;
  return change.value < 0.0 ? FloatingBar::Kind::less : FloatingBar::Kind::more;
}

FloatingBar total_bar(std::string name, double total, std::string_view unit) {
  return {FloatingBar::Kind::total, std::move(name), reports::humane(total, unit), 0.0, total, total};
}

}  // namespace

Parts parts_of(const models::Outcome& outcome, Total total, const std::string& job) {
  return total == Total::step_time ? time_parts(outcome, job) : cost_parts(outcome);
}

std::vector<FloatingBar> difference_steps(const models::Outcome& a, const models::Outcome& b, Total total,
                                          std::size_t most, const std::string& job) {
  const Parts before = parts_of(a, total, job);
  const Parts after = parts_of(b, total, job);
  const double larger = std::max(before.total, after.total);
  if (!(larger > 0.0)) return {};
  std::vector<Share> changes;
  for (const Share& part : before.parts) {
    const Share then = part_in(after, part.name);
    changes.push_back({part.name, then.value - part.value, "", std::hypot(then.arm, part.arm)});
  }
  for (const Share& part : after.parts)
    if (std::none_of(before.parts.begin(), before.parts.end(), [&](const Share& p) { return p.name == part.name; }))
      changes.push_back(part);
  std::erase_if(changes, [&](const Share& change) { return std::abs(change.value) <= kSame * larger; });
  if (changes.empty()) return {};
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Share& x, const Share& y) { return std::abs(x.value) > std::abs(y.value); });
  if (changes.size() > most) {
    Share others{"all others", 0.0, ""};
    for (std::size_t i = most - 1; i < changes.size(); ++i) {
      others.value += changes[i].value;
      others.arm = std::hypot(others.arm, changes[i].arm);
    }
    changes.resize(most - 1);
    changes.push_back(others);
  }
  const std::string_view unit = total == Total::step_time ? "s" : "USD";
  std::vector<FloatingBar> steps{total_bar("A", before.total, unit)};
  double at = before.total;
  for (const Share& change : changes) {
    const double next = at + change.value;
    steps.push_back(
        {kind_of(change), change.name, signed_text(change.value, unit), std::min(at, next), std::max(at, next), next});
    at = next;
  }
  steps.push_back(total_bar("B", after.total, unit));
  return steps;
}

}  // namespace headrace::gui
