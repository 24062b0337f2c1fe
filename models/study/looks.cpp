#include "models/study/looks.hpp"

#include <algorithm>

#include "models/study/budget.hpp"

namespace headrace::models {

std::uint64_t LookLengths::after(std::uint64_t steps) const {
  std::uint64_t look = first_steps;
  while (look <= steps && look < last_steps) look *= 2;
  return std::min(look, last_steps);
}

PrecisionReport precision_of(double asked, const Measured& step_s, const Measured& idle, bool enough_data) {
  PrecisionReport report;
  report.asked = asked;
  report.idle_asked = std::max(0.2 * asked, 10.0 * asked * idle.mean);
  if (step_s.ci95 && step_s.mean > 0.0) report.reached = step_s.longer_arm() / step_s.mean;
  if (idle.ci95) report.idle_reached = idle.longer_arm();
  report.enough_data = enough_data;
  report.met = enough_data && report.reached && report.idle_reached && *report.reached <= report.asked &&
               *report.idle_reached <= report.idle_asked;
  return report;
}

Look last_look(const std::function<Look()>& look, std::uint64_t most) {
  for (std::uint64_t looks = 1;; ++looks) {
    const Look found = look();
    if (found != Look::open || looks >= most) return found;
  }
}

std::string look_until_decided(const Budget& budget, std::uint64_t most, const std::function<Look()>& look,
                               const std::string& at_end) {
  const Look end = last_look(
      [&] {
        const Look found = look();
        return found != Look::decided && budget.is_spent() ? Look::cut_short : found;
      },
      most);
  if (end == Look::decided) return "decided";
  return end == Look::cut_short ? budget.reason() : at_end;
}

}  // namespace headrace::models
