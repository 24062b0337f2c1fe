#include "tests/validation/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "models/base/model_version.hpp"

namespace headrace::testing {

namespace {

constexpr const char* kHistoryHead =
    "model_version,data_set,quantity,split,unit,count,median,mean,largest,plain_median,plain_mean,plain_largest\n";

constexpr const char* kIntroduction =
    "# Accuracy\n"
    "\n"
    "Errors of Headrace on published measurements and on a recorded run of a PyTorch loader, with the error of a "
    "plain\n"
    "rule in the same unit. The page is made by\n"
    "`HEADRACE_WRITE_GOLDEN=1 build/release/bin/tests_validation \"docs/accuracy.md is current\"`; the same test fails "
    "if the\n"
    "page is not current. [Validation](validation.md) has more data sets, the aims, and how each was calibrated.\n"
    "\n"
    "How to read it: errors are absolute, in per cent of the measurement or in points. No row that calibrates is "
    "counted as\n"
    "predicted. A prediction is not an MLPerf result.\n"
    "\n";

constexpr const char* kAgainstPlain =
    R"(## The engine against a plain simulator

No measurement: 500 random small scenarios, simulated by Headrace sample by sample and by a second simulator that was written
from the model pages alone ([validation](validation.md)). Each side has ten runs of 250 steps with its own draws. The standard
error of a difference is the root of the sum of both variances of a mean. A figure is within three standard errors if its
difference, less a tolerance, is at most as far out as three are for a normal law. The tolerance:

| figure | tolerance | why |
|---|---|---|
| idle time | 0.1 points; held to 1 point and three standard errors | ends of windows and epochs |
| every other figure | 0.1 % of its value | the same, and rounding to nanoseconds |
| duration of a checkpoint in the background | 10 % of its value | the flow is counted in whole requests, of which a short run has few |
| duration of a checkpoint for which training stops | the time in which the store fills all queues, and the mean first byte and opening times ln(1 + ranks) | loaders refill their queues meanwhile; the slowest writer opens last |

Of 4,050 comparisons six, in four scenarios, are more than three standard errors beyond their tolerance, none five; chance alone
gives up to eleven. Not every metric is within three in the strict sense of the words, then. The tolerances were chosen on these
scenarios; 500 others, run once afterwards, had ten of 4,029 beyond three, none five. Whole batches
(`--granularity batch`) are further off; [validation](validation.md) says by how much.

The plain simulator does not know, so that nothing here tests them: request limits with back-off (throttling), collation,
transport and receiving of a batch, the barrier of a step and the delays of its ranks, the host part of a step, contention of
workers, pages of a listing, shards, lanes within a worker, caches that several nodes share, several jobs, stores or data sets,
and start-up of an epoch. These have tests of their own against closed forms, and some have measurements above.

)";

constexpr const char* kHowToAdd =
    "## How to add a data set\n"
    "\n"
    "1. Copy the rows to `tests/validation/data` and state source and licence in its README.\n"
    "2. Write a function that returns an `AccuracyPart` (`tests/validation/accuracy.hpp`): rows and a section.\n"
    "3. Add it to `kAccuracyParts` in `tests/validation/accuracy_test.cpp` and make the page with the command above.\n"
    "\n"
    "The command replaces the rows of the current model version in `tests/validation/data/accuracy_history.csv` and "
    "keeps those\n"
    "of earlier versions.\n";

std::string three(const ErrorFigures& figures) {
  return error_text(figures.median) + " | " + error_text(figures.mean) + " | " + error_text(figures.largest);
}

std::string print_history_row(const AccuracyRow& row) {
  std::ostringstream line;
  line << models::kModelVersion << ',' << row.data_set << ',' << row.quantity << ',' << row.split << ',' << row.unit
       << ',' << row.count;
  for (const ErrorFigures& figures : {row.model, row.plain})
    line << ',' << error_text(figures.median) << ',' << error_text(figures.mean) << ',' << error_text(figures.largest);
  return line.str() + "\n";
}

std::string summary_table(const std::vector<AccuracyPart>& parts) {
  std::ostringstream page;
  page << "## Errors of model version " << models::kModelVersion << "\n\n"
       << "| data set | quantity | calibrated on, predicted | rows | unit | median | mean | largest | plain rule | "
          "median | "
          "mean | largest |\n"
       << "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const AccuracyPart& part : parts)
    for (const AccuracyRow& row : part.rows)
      page << "| " << row.data_set << " | " << row.quantity << " | " << row.split << " | " << row.count << " | "
           << row.unit << " | " << three(row.model) << " | " << row.plain_rule << " | " << three(row.plain) << " |\n";
  return page.str() + "\n";
}

/// Median and largest error by version, the newest version last.
std::string history_table(const std::string& history) {
  std::ostringstream page;
  page << "## By model version\n\n"
       << "| model version | data set | quantity | calibrated on, predicted | rows | unit | median | mean | largest |\n"
       << "|---|---|---|---|---|---|---|---|---|\n";
  const std::vector<std::string> lines = lines_of(history);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> c = cells_of(lines[i]);
    page << "| " << c.at(0) << " | " << c.at(1) << " | " << c.at(2) << " | " << c.at(3) << " | " << c.at(5) << " | "
         << c.at(4) << " | " << c.at(6) << " | " << c.at(7) << " | " << c.at(8) << " |\n";
  }
  return page.str() + "\n";
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

ErrorFigures figures_of(std::vector<double> errors) {
  ErrorFigures figures;
  if (errors.empty()) return figures;
  for (double& error : errors) error = std::fabs(error);
  std::sort(errors.begin(), errors.end());
  const std::size_t middle = errors.size() / 2;
  figures.median = errors.size() % 2 == 1 ? errors[middle] : 0.5 * (errors[middle - 1] + errors[middle]);
  for (const double error : errors) figures.mean += error / static_cast<double>(errors.size());
  figures.largest = errors.back();
  return figures;
}

AccuracyRow accuracy_row(std::string data_set, std::string quantity, std::string split, std::string unit,
                         const std::vector<double>& errors, std::string plain_rule,
                         const std::vector<double>& plain_errors) {
  return {std::move(data_set), std::move(quantity), std::move(split),      std::move(unit),
          errors.size(),       figures_of(errors),  std::move(plain_rule), figures_of(plain_errors)};
}

AccuracyRow accuracy_row(std::string data_set, std::string quantity, std::string split, std::string unit,
                         const std::vector<double>& errors, const std::vector<RuleErrors>& rules) {
  const auto best = std::min_element(rules.begin(), rules.end(), [](const RuleErrors& a, const RuleErrors& b) {
    return figures_of(a.errors).median < figures_of(b.errors).median;
  });
  return accuracy_row(std::move(data_set), std::move(quantity), std::move(split), std::move(unit), errors, best->name,
                      best->errors);
}

void RuledErrors::add(double measured, double predicted, const std::vector<std::pair<std::string, double>>& rules) {
  const auto percent = [measured](double value) { return 100.0 * (value / measured - 1.0); };
  product.push_back(percent(predicted));
  if (plain.empty())
    for (const auto& [name, value] : rules) plain.push_back({name, {}});
  for (std::size_t i = 0; i < rules.size(); ++i) plain[i].errors.push_back(percent(rules[i].second));
}

void AccuracyPart::add(const std::string& data_set, const std::string& quantity, const std::string& split,
                       const RuledErrors& errors) {
  rows.push_back(accuracy_row(data_set, quantity, split, "%", errors.product, errors.plain));
  for (const RuleErrors& rule : errors.plain)
    plain_lines_ += "| " + data_set + ": " + quantity + " | " + split + " | " + rule.name + " | " +
                    three(figures_of(rule.errors)) + " |\n";
}

std::string AccuracyPart::plain_rules() const {
  return "| quantity | calibrated on; predicted | plain rule | median | mean | largest |\n|---|---|---|---|---|---|\n" +
         plain_lines_;
}

std::string error_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, std::fabs(value) < 99.95 ? "%.1f" : "%.0f", value);
  return text;
}

std::string accuracy_history(const std::string& earlier, const std::vector<AccuracyPart>& parts) {
  std::string history = kHistoryHead;
  const std::string own = std::string(models::kModelVersion) + ",";
  const std::vector<std::string> lines = lines_of(earlier);
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (lines[i].rfind(own, 0) != 0) history += lines[i] + "\n";
  for (const AccuracyPart& part : parts)
    for (const AccuracyRow& row : part.rows) history += print_history_row(row);
  return history;
}

std::string accuracy_page(const std::vector<AccuracyPart>& parts, const std::string& history,
                          const std::string& of_history) {
  std::string page = kIntroduction + summary_table(parts);
  for (const AccuracyPart& part : parts) page += part.section;
  return page + kAgainstPlain + history_table(history) + of_history + kHowToAdd;
}

}  // namespace headrace::testing
