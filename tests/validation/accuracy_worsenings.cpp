#include "tests/validation/accuracy_worsenings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tests/validation/accuracy.hpp"

namespace headrace::testing {

namespace {

/// Columns of the history that are read here.
enum HistoryColumn : std::size_t {
  version_column,
  data_set_column,
  quantity_column,
  split_column,
  unit_column,
  count_column,
  median_column,
  mean_column
};

using Cells = std::vector<std::string>;

/// A figure of the page has one decimal, and none from 100 on.
double rounding_of(const std::string& figure) { return figure.find('.') == std::string::npos ? 1.0 : 0.1; }

void add_growth(std::vector<Worsening>& grown, const Cells& before, const Cells& after, std::size_t column,
                const char* figure) {
  constexpr double kBinary = 1e-6;  // of decimals
  const double was = std::stod(before.at(column));
  const double is = std::stod(after.at(column));
  if (is - was <= std::max(rounding_of(before.at(column)), rounding_of(after.at(column))) + kBinary) return;
  grown.push_back({after.at(version_column), after.at(data_set_column), after.at(quantity_column),
                   after.at(split_column), after.at(unit_column), figure, was, is});
}

bool are_same_rows(const Cells& a, const Cells& b) {
  for (const std::size_t column : {data_set_column, quantity_column, split_column, unit_column, count_column})
    if (a.at(column) != b.at(column)) return false;
  return true;
}

}  // namespace

std::vector<Worsening> worsenings(const std::string& history, const std::string& model_version) {
  std::vector<Cells> current;
  std::vector<Cells> earlier;
  std::string before;  // the last version above the current one
  const std::vector<std::string> lines = lines_of(history);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Cells cells = cells_of(lines[i]);
    if (cells.at(version_column) == model_version) {
      current.push_back(cells);
    } else if (current.empty()) {
      if (cells.at(version_column) != before) earlier.clear();
      before = cells.at(version_column);
      earlier.push_back(cells);
    }
  }
  std::vector<Worsening> grown;
  for (const Cells& after : current)
    for (const Cells& was : earlier)
      if (are_same_rows(was, after)) {
        add_growth(grown, was, after, median_column, "median");
        add_growth(grown, was, after, mean_column, "mean");
      }
  return grown;
}

bool AcceptedWorsening::covers(const Worsening& worsening) const {
  return model_version == worsening.model_version && data_set == worsening.data_set && quantity == worsening.quantity &&
         split == worsening.split && figure == worsening.figure && worsening.after <= at_most + 1e-6;
}

std::vector<AcceptedWorsening> read_accepted_worsenings(const std::string& csv) {
  std::vector<AcceptedWorsening> accepted;
  const std::vector<std::string> lines = lines_of(csv);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Cells c = cells_of(lines[i]);
    accepted.push_back({c.at(0), c.at(1), c.at(2), c.at(3), c.at(4), std::stod(c.at(5)), c.at(6)});
  }
  return accepted;
}

std::vector<std::string> unaccepted(const std::vector<Worsening>& grown, const std::vector<AcceptedWorsening>& accepted,
                                    const std::string& model_version) {
  std::vector<std::string> lines;
  for (const Worsening& one : grown)
    if (std::none_of(accepted.begin(), accepted.end(), [&](const auto& by) { return by.covers(one); }))
      lines.push_back(fmt::format("{} of {}, {} ({}) grew from {} to {} {}: mend it, or accept it with its reason",
                                  one.figure, one.data_set, one.quantity, one.split, error_text(one.before),
                                  error_text(one.after), one.unit));
  for (const AcceptedWorsening& by : accepted)
    if (by.model_version == model_version &&
        std::none_of(grown.begin(), grown.end(), [&](const Worsening& one) { return by.covers(one); }))
      lines.push_back(fmt::format("{} of {}, {} ({}) did not grow to {}: delete its acceptance", by.figure, by.data_set,
                                  by.quantity, by.split, error_text(by.at_most)));
  return lines;
}

std::string worsenings_section(const std::vector<Worsening>& grown, const std::vector<AcceptedWorsening>& accepted) {
  std::string section =
      "A test fails if the median or the mean of a row is larger than in the version before, on the same number of "
      "rows "
      "and by\nmore than the rounding of this page. Accepted "
      "(`tests/validation/data/accepted_worsenings.csv`):\n\n"
      "| model version | data set | quantity | calibrated on, predicted | figure | before | now | reason |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const Worsening& one : grown)
    for (const AcceptedWorsening& by : accepted)
      if (by.covers(one))
        section += fmt::format("| {} | {} | {} | {} | {} | {} {} | {} {} | {} |\n", one.model_version, one.data_set,
                               one.quantity, one.split, one.figure, error_text(one.before), one.unit,
                               error_text(one.after), one.unit, by.reason);
  return section + "\n";
}

}  // namespace headrace::testing
