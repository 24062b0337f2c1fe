// What the window says about an answer: rows of words and numbers, made by reports, so that terminal, page and window
// say the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::gui {

struct MetricRow {
  std::string metric;
  std::string name;                ///< "step time"
  std::string value;               ///< "337.3 ms"
  std::string interval;            ///< "335.1 to 339.4 ms", "bound"
  std::string inputs;              ///< what uncertain inputs leave open, p10 to p90; empty: not known
  bool is_range_of_bound = false;  ///< by the closed form, beside a simulated value
  std::string baseline;            ///< value of the baseline; empty without one
  std::string change;              ///< "+3.1 %"; empty without a baseline
  std::string meaning;             ///< what it is, and its formula
};

/// A part of a whole or a bar of its own.
struct Share {
  std::string name;
  double value = 0.0;  ///< of 1, or in the unit of the chart
  std::string text;    ///< "95.8 %"
  double arm = 0.0;    ///< of its 95 % interval; infinite: it is simulated, and too briefly for one
};

struct Dashboard {
  std::string verdict;  ///< "Compute-bound: faster storage will not help"
  std::string meaning;
  using Mood = reports::Mood;
  Mood mood = Mood::unsure;
  std::string how_sure;  ///< "flow bound, exact where queues are short", "simulated, 95 % within 1 %"
  std::vector<MetricRow> metrics;
  std::vector<Share> blame;     ///< largest first
  std::vector<Share> stations;  ///< utilization, busiest first
  std::vector<Share> cost;      ///< USD of one epoch, largest first
  std::vector<std::string> warnings;
};

/// The verdict as the banner begins it: "compute-bound", "ingest-bound".
std::string verdict_word(models::Verdict verdict);

/// What a metric is and how it comes about, in two lines.
std::string meaning_of(const std::string& metric);

/// For verdict_line() and its like: the ranges of the inputs leave open that the GPUs do not wait.
inline constexpr std::string_view kOpenOverInputs = "over inputs";

/// `baseline` may be nullptr, and so may `ranges`: an outcome of the same scenario whose input ranges stand for those
/// that the first one does not have.
Dashboard dashboard(const models::Outcome& outcome, const models::Outcome* baseline,
                    const models::Outcome* ranges = nullptr);

/// What to say when bound and simulation are further apart than a queue explains: the simulated step is shorter than
/// the bound (a fault of a model) or more than `kGap` longer (queueing that the bound leaves out). Empty otherwise.
inline constexpr double kGap = 0.25;
std::string disagreement(const models::Outcome& bound, const models::Outcome& simulated);

}  // namespace headrace::gui
