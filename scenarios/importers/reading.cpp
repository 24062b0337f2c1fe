#include "scenarios/importers/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include "models/calibration/parameters.hpp"
#include "scenarios/document/complaint.hpp"
#include "scenarios/document/one_client.hpp"
#include "scenarios/document/sha256.hpp"
#include "sim/student_t.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Parameter;
using models::calibration::Verdict;

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// End of the object that begins at `begin`; the size of the text when it has none.
std::size_t object_end(std::string_view text, std::size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return i + 1;
  }
  return text.size();
}

/// The text [begin, end) behind as many lines and columns as stand before it, so that lines and columns are what they
/// are in the file.
std::string only(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view before = text.substr(0, begin);
  const auto breaks = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return std::string(breaks, '\n') + std::string(begin - line_begin, ' ') +
         std::string(text.substr(begin, end - begin));
}

}  // namespace

std::optional<double> decimal(std::string_view text) {
  double value = 0.0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string size_text(double bytes) {
  if (bytes >= 1048576.0) return fmt::format("{:g} MiB", bytes / 1048576.0);
  if (bytes >= 1024.0) return fmt::format("{:g} KiB", bytes / 1024.0);
  return fmt::format("{:g} B", bytes);
}

void add_flag(std::vector<std::string>& flags, std::string_view flag) {
  if (std::find(flags.begin(), flags.end(), flag) == flags.end()) flags.emplace_back(flag);
}

std::string date_of(double seconds) {
  if (!(seconds > 946684800.0 && seconds < 32503680000.0)) return "";  // the years 2000 and 3000
  const std::chrono::sys_days day{std::chrono::days(static_cast<std::int64_t>(seconds / 86400.0))};
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t begin = line.find_first_not_of(" \t"); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    out.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(" \t", end);
  }
  return out;
}

std::vector<std::string_view> columns_of(std::string_view line, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = line.find(separator);
    out.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return out;
    line.remove_prefix(end + 1);
  }
}

Reading::Reading(std::string format, const std::string& file, const std::string& text, const ImportOptions& options)
    : options_(options), file_(base_name(file)) {
  const bool marked = text.starts_with("\xEF\xBB\xBF");
  source_ = sources_.add({SourceKind::file, file, marked ? text.substr(3) : text, 0});
  record.tool_version = options.program_version;
  record.path = file_;
  record.engine = format;
  record.budget.name = "imported";
  record.imported = models::calibration::ImportOrigin{std::move(format), file_, "", sha256(text)};
}

void Reading::refuse(std::string_view code, const Place& place, std::string message, std::string help) {
  diagnostics_.add(complaint_at(sources_, place, code, "", std::move(message), std::move(help)));
}

void Reading::not_this(const Place& place, std::string message, std::string help) {
  refuse("E0141", place, std::move(message), std::move(help));
}

void Reading::note(const std::string& text) {
  if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
}

void Reading::note_open_end() {
  if (!text().empty() && text().back() != '\n')
    note("the last line has no line end: if the file is truncated, results are missing");
}

std::optional<Node> Reading::parse(std::size_t begin, std::size_t end) {
  const bool whole_text = begin == 0 && end == text().size();
  const std::uint32_t source =
      whole_text ? source_ : sources_.add({SourceKind::file, sources_[source_].name, only(text(), begin, end), 0});
  return parse_document(sources_, source, diagnostics_);
}

std::vector<Node> Reading::objects() {
  std::vector<Node> found;
  for (std::size_t at = text().find('{'); at != std::string_view::npos; at = text().find('{', at)) {
    const std::size_t end = object_end(text(), at);
    std::optional<Node> node = parse(at, end);
    if (!node || failed()) return {};
    found.push_back(std::move(*node));
    at = end;
    if (found.size() > 10'000) break;
  }
  if (found.empty()) not_this(whole(), "there is no JSON object in the file", "is it the text output of the tool?");
  return found;
}

std::vector<Line> Reading::lines() const {
  std::vector<Line> out;
  const std::string_view all = text();
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::size_t next = end + 1;
    if (end > begin && all[end - 1] == '\r') --end;
    out.push_back({all.substr(begin, end - begin), {source_, begin, end}});
    begin = next;
  }
  return out;
}

const Node* Reading::member(const Node& object, std::string_view key, Node::Type type, bool required) {
  const Node* found = object.is(Node::Type::object) ? object.find(key) : nullptr;
  if (found == nullptr) {
    if (required) refuse("E0202", object.place, fmt::format("'{}' is missing", key), "is the file complete?");
    return nullptr;
  }
  if (found->is(type)) return found;
  refuse("E0201", found->place,
         fmt::format("'{}': expected {}, found {}", key, type_name(type), type_name(found->type)), "");
  return nullptr;
}

std::optional<double> Reading::number(const Node& object, std::string_view key, const Limits& limits) {
  const Node* found = object.is(Node::Type::object) ? object.find(key) : nullptr;
  if (found != nullptr && found->is(Node::Type::string)) return number_in(found->text, found->place, key, limits);
  const Node* node = member(object, key, Node::Type::number, limits.required);
  if (node == nullptr) return std::nullopt;
  return number_in(node->text, node->place, key, limits);
}

std::optional<double> Reading::number_in(std::string_view text, const Place& place, std::string_view what,
                                         const Limits& limits) {
  const std::optional<double> value = decimal(text);
  if (!value) {
    refuse("E0206", place, fmt::format("{}: '{}' is not a finite number", what, text.substr(0, 40)), "");
    return std::nullopt;
  }
  if (*value >= limits.min && *value <= limits.max) return value;
  refuse("E0207", place,
         fmt::format("{}: {} is not between {:g} and {:g}", what, text.substr(0, 40), limits.min, limits.max),
         "impossible value: the file is damaged, or the unit is different");
  return std::nullopt;
}

std::string Reading::word(const Node& object, std::string_view key) {
  const Node* found = object.is(Node::Type::object) ? object.find(key) : nullptr;
  if (found == nullptr || found->is(Node::Type::null)) return "";
  if (found->is(Node::Type::string) || found->is(Node::Type::number)) return found->text;
  refuse("E0201", found->place, fmt::format("'{}': expected text, found {}", key, type_name(found->type)), "");
  return "";
}

void Reading::agree(const Place& place, std::string_view what, double stated, double computed, double slack) {
  const double larger = std::max(stated, computed);
  if (std::abs(stated - computed) <= kAgreement * larger + slack) return;
  refuse("E0140", place, fmt::format("{}: the file says {:.6g}, its other figures give {:.6g}", what, stated, computed),
         "they must agree within 5 %: is the file damaged or edited?");
}

void Reading::little(const Place& place, std::string_view what, double places, double rate_low, double rate_high,
                     double latency_s, std::vector<std::string>& flags) {
  if (!(latency_s > 0.0) || !(rate_high > 0.0) || !(places > 0.0)) return;
  const double least = rate_low * latency_s;
  const double most = rate_high * latency_s;
  if (least > (1.0 + kAgreement) * places) {
    refuse("E0140", place,
           fmt::format("{}: {:.6g}/s of {:.4g} s each are {:.4g} outstanding operations, but the depth is {:g}", what,
                       rate_low, latency_s, least, places),
           "by Little's law N = X R they must agree within 5 %: check that the depth is the one used, and the latency "
           "the total one");
    return;
  }
  if (most >= (1.0 - kAgreement) * places) return;
  add_flag(flags, "depth_not_kept");
  note(fmt::format(
      "{}: on average {:.3g} of {:g} operations were outstanding (rate times latency): the tool did not keep the depth",
      what, most, places));
}

Parameter& Reading::add(std::string name, std::string unit, double value, std::string target, std::string provenance,
                        std::vector<std::string> flags) {
  Parameter p;
  p.name = std::move(name);
  p.unit = std::move(unit);
  p.value = p.low = p.high = value;
  p.evidence = models::calibration::FigureClass::measured;
  p.verdict = Verdict::noisy;
  p.target = std::move(target);
  p.provenance = std::move(provenance);
  p.flags = std::move(flags);
  record.parameters.push_back(std::move(p));
  return record.parameters.back();
}

void Reading::set_interval(Parameter& parameter, double deviation, std::size_t count) {
  if (count < 3 || !(deviation > 0.0)) return;
  const auto degrees = static_cast<std::int64_t>(count) - 1;
  const double half = sim::student_t_quantile(0.975, degrees) * deviation / std::sqrt(static_cast<double>(count));
  if (half >= parameter.value) return;
  parameter.low = parameter.value - half;
  parameter.high = parameter.value + half;
  const auto doubtful = [&](std::string_view flag) {
    return std::find(parameter.flags.begin(), parameter.flags.end(), flag) != parameter.flags.end();
  };
  for (const char* flag : {"cache_suspect", "short_run", "not_steady", "depth_not_kept", "mixed_sizes"})
    if (doubtful(flag)) return;
  if (half <= 0.25 * parameter.value) parameter.verdict = Verdict::clean;
}

void Reading::set_table(Parameter& parameter, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double sum = 0.0;
  for (const double value : values) sum += value;
  const auto count = static_cast<double>(values.size());
  parameter.value = parameter.low = parameter.high = sum / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - parameter.value) * (value - parameter.value);
  if (values.size() > 1) set_interval(parameter, std::sqrt(squares / (count - 1.0)), values.size());
  if (values.front() == values.back()) return;  // a constant needs no table
  for (const double p : models::calibration::kTableProbabilities) {
    const double at = p * (count - 1.0);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double share = at - static_cast<double>(below);
    parameter.quantiles.push_back({p, values[below] * (1.0 - share) + values[above] * share});
  }
}

void Reading::doubt_rates_of_one_client() {
  bool any = false;
  for (Parameter& p : record.parameters) {
    if (p.name != "storage.bandwidth" && p.name != "storage.requests" && p.name != "storage.write_bandwidth") continue;
    add_flag(p.flags, kOneClientFlag);
    any = true;
  }
  if (any)
    note(
        "bandwidth and requests are what this one client got: a store that serves many may give more in all, and for "
        "such a store they count as assumed; state its own with --set, or measure from several clients");
}

std::string Reading::store_target(std::string_view key) const {
  return fmt::format("{}/{}", join_pointer("/stores", options_.store), key);
}
std::string Reading::pool_target(std::string_view key) const {
  return fmt::format("{}/{}", join_pointer("/cluster/pools", options_.pool), key);
}
std::string Reading::job_target(std::string_view key) const {
  return options_.job.empty() ? "" : fmt::format("{}/{}", join_pointer("/jobs", options_.job), key);
}
std::string Reading::dataset_target(std::string_view key) const {
  return options_.dataset.empty() ? "" : fmt::format("{}/{}", join_pointer("/datasets", options_.dataset), key);
}

}  // namespace headrace::scenarios
