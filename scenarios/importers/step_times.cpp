#include "scenarios/importers/step_times.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <locale>
#include <optional>
#include <sstream>
#include <utility>

#include "scenarios/document/csv_table.hpp"

namespace headrace::scenarios {
namespace {

constexpr std::size_t kLeastSteps = 40;
constexpr std::array<const char*, 3> kColumns = {"step", "step_time_s", "load_wait_s"};

std::optional<double> number_of(const std::string& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  double value = 0.0;
  if (!(in >> value) || in.peek() != std::istringstream::traits_type::eof()) return std::nullopt;
  return value;
}

class Reader {
 public:
  Reader(const std::string& name, const std::string& text) {
    source_ = sources_.add({SourceKind::file, name, text, 0});
    table_ = parse_csv(sources_, source_, diagnostics_);
  }

  tl::expected<std::vector<models::verification::MeasuredStep>, Diagnostics> read() {
    if (!table_ || !find_columns()) return tl::unexpected(std::move(diagnostics_));
    std::vector<models::verification::MeasuredStep> steps;
    for (const auto& row : table_->rows) {
      const auto number = number_at(row, 0);
      const auto time_s = number_at(row, 1);
      const auto wait_s = number_at(row, 2);
      if (!number || !time_s || !wait_s) continue;  // complained about; what it would be is nobody's figure
      models::verification::MeasuredStep step;
      step.step_time_s = *time_s;
      step.load_wait_s = *wait_s;
      if (step.step_time_s <= 0.0 || step.load_wait_s < 0.0 || step.load_wait_s > step.step_time_s)
        complain("E0207", "a step time must be above 0, and a wait at most the step time", row[columns_[1]].place,
                 "step_time_s > 0 and 0 <= load_wait_s <= step_time_s, both in seconds");
      steps.push_back(step);
    }
    if (diagnostics_.empty() && steps.size() < kLeastSteps)
      complain("E0207", fmt::format("the file has {} steps", steps.size()), table_->header.front().place,
               fmt::format("at least {} steps are needed for an interval", kLeastSteps));
    if (!diagnostics_.empty()) return tl::unexpected(std::move(diagnostics_));
    return steps;
  }

 private:
  bool find_columns() {
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const auto found = table_->column(kColumns[i]);
      if (!found)
        complain("E0202", fmt::format("there is no column '{}'", kColumns[i]), table_->header.front().place,
                 "the columns are step, step_time_s and load_wait_s");
      columns_[i] = found.value_or(0);
    }
    return diagnostics_.empty();
  }

  std::optional<double> number_at(const std::vector<CsvCell>& row, std::size_t column) {
    const CsvCell& cell = row[columns_[column]];
    const std::optional<double> value = number_of(cell.text);
    if (value && std::isfinite(*value)) return value;
    complain("E0201", fmt::format("'{}' is not a number", cell.text), cell.place,
             fmt::format("{} is a number", kColumns[column]));
    return std::nullopt;
  }

  void complain(const char* code, std::string message, const Place& place, std::string help) {
    Diagnostic d;
    d.code = code;
    d.message = std::move(message);
    d.where = excerpt_at(sources_, place);
    d.help = std::move(help);
    diagnostics_.add(std::move(d));
  }

  Sources sources_;
  std::uint32_t source_ = 0;
  Diagnostics diagnostics_;
  std::optional<CsvTable> table_;
  std::array<std::size_t, kColumns.size()> columns_{};
};

}  // namespace

tl::expected<std::vector<models::verification::MeasuredStep>, Diagnostics> read_step_times(const std::string& file_name,
                                                                                           const std::string& text) {
  return Reader(file_name, text).read();
}

}  // namespace headrace::scenarios
