// docs/accuracy.md: errors of the predictions on every data set, beside those of a plain rule, for this version of the
// models and for earlier ones. A data set adds a function that returns its part to kAccuracyParts in accuracy_test.cpp.
#pragma once

#include <string>
#include <vector>

namespace headrace::testing {

/// Absolute errors of one quantity, in `unit`.
struct ErrorFigures {
  double median = 0.0;
  double mean = 0.0;
  double largest = 0.0;
};
ErrorFigures figures_of(std::vector<double> errors);  ///< signed or not

/// One line of the page.
struct AccuracyRow {
  std::string data_set;
  std::string quantity;
  std::string split;  ///< what calibrates, and what is predicted from it
  std::string unit;   ///< "%" of the measurement, or "points"
  std::size_t count = 0;
  ErrorFigures model;
  std::string plain_rule;
  ErrorFigures plain;
};
AccuracyRow accuracy_row(std::string data_set, std::string quantity, std::string split, std::string unit,
                         const std::vector<double>& errors, std::string plain_rule,
                         const std::vector<double>& plain_errors);

/// What one data set contributes: its rows, and a section of the page about source, split, worst rows and what is
/// missing for them (Markdown).
struct AccuracyPart {
  std::vector<AccuracyRow> rows;
  std::string section;
};

AccuracyPart checkpoint_accuracy();
AccuracyPart training_accuracy();

/// One decimal, or none from 100 on.
std::string error_text(double value);

/// Rows of tests/validation/data/accuracy_history.csv, with those of this version of the models replaced.
std::string accuracy_history(const std::string& earlier, const std::vector<AccuracyPart>& parts);
/// The page with the parts and the history.
std::string accuracy_page(const std::vector<AccuracyPart>& parts, const std::string& history);

}  // namespace headrace::testing
