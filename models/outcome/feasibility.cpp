#include "models/outcome/feasibility.hpp"

#include <cstdio>
#include <iterator>
#include <utility>

namespace headrace::models {

namespace {

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.95 && unit + 1 < std::size(kUnits)) {
    bytes /= 1000.0;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.1f %s", bytes, kUnits[unit]);
  return text;
}

}  // namespace

double Requirement::needed_bytes() const {
  double sum = 0.0;
  for (const Need& need : needs) sum += need.bytes;
  return sum;
}

std::string Requirement::text() const {
  std::string text = bytes_text(needed_bytes()) + " of " + bytes_text(available_bytes);
  const char* joint = ": ";
  for (const Need& need : needs) {
    if (!(need.bytes > 0.0)) continue;
    text += joint + need.what + " " + bytes_text(need.bytes);
    joint = " + ";
  }
  return text;
}

void require(const Requirement& requirement, Outcome& outcome) {
  if (requirement.is_met()) return;
  refuse({requirement.room + " does not suffice", "it would take " + requirement.text(), requirement.fix}, outcome);
}

void refuse(Warning reason, Outcome& outcome) {
  const bool first = outcome.verdict != Verdict::infeasible;
  outcome.verdict = Verdict::infeasible;
  // Why nothing runs stands before what is only doubtful about the figures.
  outcome.warnings.insert(first ? outcome.warnings.begin() : outcome.warnings.end(), std::move(reason));
}

}  // namespace headrace::models
