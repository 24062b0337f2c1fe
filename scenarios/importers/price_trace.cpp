#include "scenarios/importers/price_trace.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "scenarios/document/complaint.hpp"
#include "scenarios/document/csv_table.hpp"

namespace headrace::scenarios {
namespace {

constexpr std::array<const char*, 2> kTraceColumns = {"hour", "usd_per_gpu_hour"};

class PriceTraceReader {
 public:
  PriceTraceReader(const std::string& name, const std::string& text) {
    source_ = sources_.add({SourceKind::file, name, text, 0});
    table_ = parse_csv(sources_, source_, diagnostics_);
  }

  tl::expected<models::PriceTrace, Diagnostics> read() {
    if (!table_ || !find_columns()) return tl::unexpected(std::move(diagnostics_));
    models::PriceTrace trace;
    for (const auto& row : table_->rows) add(row, trace);
    if (table_->rows.empty())
      complain("E0202", "the trace has no prices", table_->header.front().place, "one row for each change of price");
    if (!diagnostics_.empty()) return tl::unexpected(std::move(diagnostics_));
    return trace;
  }

 private:
  bool find_columns() {
    for (std::size_t i = 0; i < kTraceColumns.size(); ++i) {
      const auto found = table_->column(kTraceColumns[i]);
      if (!found)
        complain("E0202", fmt::format("there is no column '{}'", kTraceColumns[i]), table_->header.front().place,
                 "the columns are hour (from the beginning of the campaign) and usd_per_gpu_hour");
      columns_[i] = found.value_or(0);
    }
    return diagnostics_.empty();
  }

  void add(const std::vector<CsvCell>& row, models::PriceTrace& trace) {
    const CsvCell& hour_cell = row[columns_[0]];
    const CsvCell& price_cell = row[columns_[1]];
    const std::optional<double> hour = number_at(hour_cell, kTraceColumns[0]);
    const std::optional<double> price = number_at(price_cell, kTraceColumns[1]);
    if (!hour || !price) return;
    if (*price < 0.0)
      complain("E0207", fmt::format("the price {} is negative", price_cell.text), price_cell.place,
               "prices are US dollars per GPU hour, 0 or more");
    if (trace.empty() && *hour != 0.0)
      complain("E0207", "the trace does not begin with hour 0", hour_cell.place,
               "hours count from the beginning of the campaign: the first price is that of hour 0");
    if (!trace.empty() && !(*hour * models::kHourSeconds > trace.back().at_s))
      complain("E0207", fmt::format("hour {} is not after the one before it", hour_cell.text), hour_cell.place,
               "sort the rows by hour, one row for each change of price");
    trace.push_back({*hour * models::kHourSeconds, *price});
  }

  std::optional<double> number_at(const CsvCell& cell, const char* column) {
    double value = 0.0;
    const char* end = cell.text.data() + cell.text.size();
    const auto [stop, problem] = std::from_chars(cell.text.data(), end, value);
    if (problem == std::errc() && stop == end && std::isfinite(value)) return value;
    complain("E0201", fmt::format("'{}' is not a number", cell.text), cell.place,
             fmt::format("{} is a number", column));
    return std::nullopt;
  }

  void complain(const char* code, std::string message, const Place& place, std::string help) {
    diagnostics_.add(complaint_at(sources_, place, code, {}, std::move(message), std::move(help)));
  }

  Sources sources_;
  Diagnostics diagnostics_;
  std::uint32_t source_ = 0;
  std::optional<CsvTable> table_;
  std::array<std::size_t, 2> columns_{};
};

}  // namespace

tl::expected<models::PriceTrace, Diagnostics> read_price_trace(const std::string& file_name, const std::string& text) {
  return PriceTraceReader(file_name, text).read();
}

}  // namespace headrace::scenarios
