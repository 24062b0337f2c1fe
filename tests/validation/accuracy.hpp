// docs/accuracy.md: errors of the predictions on every data set, beside those of a plain rule, for this version of the
// models and for earlier ones. A data set adds a function that returns its part to kAccuracyParts in accuracy_test.cpp.
#pragma once

#include <string>
#include <utility>
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

/// What a plain rule says of the same rows.
struct RuleErrors {
  std::string name;
  std::vector<double> errors;  ///< in the unit of the row, signed or not
};
/// Beside the rule with the smallest median error.
AccuracyRow accuracy_row(std::string data_set, std::string quantity, std::string split, std::string unit,
                         const std::vector<double>& errors, const std::vector<RuleErrors>& rules);

/// Errors in per cent of a prediction and of plain rules on the same rows.
struct RuledErrors {
  std::vector<double> product;
  std::vector<RuleErrors> plain;

  /// The rules in the same order each time: name and value.
  void add(double measured, double predicted, const std::vector<std::pair<std::string, double>>& rules);
};

/// What one data set contributes: its rows, and a section of the page about source, split, worst rows and what is
/// missing for them (Markdown).
struct AccuracyPart {
  std::vector<AccuracyRow> rows;
  std::string section;

  void add(const std::string& data_set, const std::string& quantity, const std::string& split,
           const RuledErrors& errors);
  /// Markdown: errors of every plain rule of the rows that add() made.
  std::string plain_rules() const;

 private:
  std::string plain_lines_;
};

AccuracyPart checkpoint_accuracy();
AccuracyPart training_accuracy();
AccuracyPart scale_accuracy();
AccuracyPart host_accuracy();
AccuracyPart worker_accuracy();
AccuracyPart store_accuracy();
AccuracyPart metadata_accuracy();
AccuracyPart torch_accuracy();

/// Lines of a text, cells of a line without quotes.
std::vector<std::string> lines_of(const std::string& text);
std::vector<std::string> cells_of(const std::string& line);

/// One decimal, or none from 100 on.
std::string error_text(double value);

/// Rows of tests/validation/data/accuracy_history.csv, with those of this version of the models replaced.
std::string accuracy_history(const std::string& earlier, const std::vector<AccuracyPart>& parts);
/// The page with the parts, the history, and what is said of it.
std::string accuracy_page(const std::vector<AccuracyPart>& parts, const std::string& history,
                          const std::string& of_history);

}  // namespace headrace::testing
