// The text of mdtest (hpc/ior, mdtest.c). Traps: rates only, no distribution; a rate of 0 is a phase that was not run;
// with one client reading what it wrote, stat is answered by its cache (-N 1 shifts the ranks).
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Parameter;

struct MdtestRow {
  std::string operation;
  double max = 0.0, min = 0.0, mean = 0.0, deviation = 0.0;
  Place place;
};

/// "   File stat    97175.603   57844.142   91063.340   12000.718", with a colon behind the name in older versions.
std::optional<MdtestRow> row_of(Reading& in, const Line& line) {
  std::vector<std::string_view> words = words_of(line.text);
  std::erase(words, ":");
  if (words.size() < 6 || (words[0] != "File" && words[0] != "Directory" && words[0] != "Tree")) return std::nullopt;
  MdtestRow row;
  row.place = line.place;
  row.operation = fmt::format("{} {}", words[0], words[1]);
  double* figures[] = {&row.max, &row.min, &row.mean, &row.deviation};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = in.number_in(words[words.size() - 4 + i], line.place, row.operation, {0.0, 1e12, true});
    if (!value) return std::nullopt;
    *figures[i] = *value;
  }
  if (row.mean > row.max * (1.0 + kAgreement) || row.mean < row.min * (1.0 - kAgreement))
    in.refuse("E0140", line.place,
              fmt::format("{}: the mean {:g} is not between {:g} and {:g}", row.operation, row.mean, row.min, row.max),
              "is the line damaged, or are ranks and iterations mixed (--show-perrank-statistics)?");
  return row;
}

/// The first number of "128 tasks, 16384 files" or behind "launched with ".
void read_header(Reading& in, const Line& line, double& tasks, double& iterations) {
  const std::size_t launched = line.text.find("was launched with ");
  if (launched != std::string_view::npos) {
    in.record.imported->tool = std::string(line.text.substr(0, line.text.find(' ')));
    const auto words = words_of(line.text.substr(launched + 18));
    if (!words.empty()) tasks = in.number_in(words[0], line.place, "tasks", {1.0, 1e8, true}).value_or(1.0);
  }
  const std::size_t of = line.text.find("(of ");
  if (line.text.starts_with("SUMMARY") && of != std::string_view::npos) {
    const auto words = words_of(line.text.substr(of + 4));
    if (!words.empty()) iterations = in.number_in(words[0], line.place, "iterations", {1.0, 1e6, true}).value_or(1.0);
    if (line.text.find("time") != std::string_view::npos)
      in.not_this(line.place, "this summary has times, not rates", "run mdtest without --print-time");
  }
}

void add(Reading& in, const MdtestRow& row, double tasks, double iterations) {
  std::string name;
  for (const char c : row.operation)
    name += c == ' ' ? '_' : static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  Parameter& p =
      in.add("metadata." + name, "1/s", row.mean, "",
             fmt::format("{}, {:g} tasks, {:g} iterations", row.operation, tasks, iterations), {"average_only"});
  Reading::set_interval(p, row.deviation, static_cast<std::size_t>(iterations));
}

/// Each task does one operation after the other, so by Little's law one takes tasks / rate under this load; as many
/// servers of that time each are what was seen.
void add_service(Reading& in, const MdtestRow& row, double tasks, double iterations) {
  const std::string text = fmt::format("{}: {:g} tasks over {:.6g} operations/s", row.operation, tasks, row.mean);
  const std::vector<std::string> flags = {"average_only", "under_load"};
  Parameter& latency =
      in.add("metadata.latency", "s", tasks / row.mean, in.store_target("metadata/latency"), text, flags);
  Reading::set_interval(latency, latency.value * row.deviation / row.mean, static_cast<std::size_t>(iterations));
  in.add("metadata.servers", "count", tasks, in.store_target("metadata/servers"), text, flags);
}

}  // namespace

void import_mdtest(Reading& in) {
  in.record.imported->tool = "mdtest";
  double tasks = 0.0;
  double iterations = 1.0;
  std::vector<MdtestRow> rows;
  bool summary = false;
  bool finished = false;
  for (const Line& line : in.lines()) {
    read_header(in, line, tasks, iterations);
    summary = summary || line.text.starts_with("SUMMARY");
    finished = finished || line.text.starts_with("-- finished");
    if (summary)
      if (const auto row = row_of(in, line); row && row->mean > 0.0) rows.push_back(*row);
    if (in.failed()) return;
  }
  if (!summary || tasks <= 0.0)
    return in.not_this(in.whole(), "no line 'mdtest... was launched with N total task(s)' and no SUMMARY", "");
  if (rows.empty()) return in.not_this(in.whole(), "the summary has no rate above 0", "is the file truncated?");
  if (!finished) in.note("no line '-- finished at' after the summary: is the file truncated?");
  for (const MdtestRow& row : rows) add(in, row, tasks, iterations);
  for (const char* wanted : {"File read", "File stat"}) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const MdtestRow& r) { return r.operation == wanted; });
    if (found == rows.end()) continue;
    add_service(in, *found, tasks, iterations);
    break;
  }
}

}  // namespace headrace::scenarios
