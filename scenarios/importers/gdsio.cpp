// The line of gdsio (NVIDIA GPUDirect Storage guide) and the figures of the benchmarks of KvikIO. Traps: the line may
// be wrapped; IOSize may be a range; the type of transfer is what was asked for, not the path that was taken: cuFile
// falls back to ordinary reads and does not say so; only the mean of the latency is told.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Cell;

constexpr double kKiB = 1024.0;
constexpr double kGiB = 1073741824.0;

/// A text without its white space, and where its characters stood.
struct Packed {
  std::string text;
  std::vector<std::size_t> places;
};

Packed packed(std::string_view text) {
  Packed out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) continue;
    out.text += text[i];
    out.places.push_back(i);
  }
  return out;
}

/// One result: the text between two "IoType:".
class GdsioLine {
 public:
  GdsioLine(Reading& in, std::string_view text, const Place& place) : in_(in), text_(text), place_(place) {}

  const Place& place() const { return place_; }
  /// What stands between `before` and `after`.
  std::string_view between(std::string_view before, std::string_view after) const {
    const std::size_t begin = text_.find(before);
    if (begin == std::string_view::npos) return {};
    const std::size_t from = begin + before.size();
    const std::size_t end = after.empty() ? text_.size() : text_.find(after, from);
    return end == std::string_view::npos ? std::string_view() : text_.substr(from, end - from);
  }
  double number(std::string_view before, std::string_view after, double max) const {
    const std::string_view text = between(before, after);
    if (text.empty()) {
      in_.not_this(place_, fmt::format("'{}' is missing in a line of gdsio", before), "is the line truncated?");
      return 0.0;
    }
    return in_.number_in(text, place_, before.substr(0, before.size() - 1), {0.0, max, true}).value_or(0.0);
  }

 private:
  Reading& in_;
  std::string_view text_;
  Place place_;
};

struct Figures {
  std::string operation, path, size;
  double threads = 0.0, size_bytes = 0.0, bytes_per_s = 0.0, latency_s = 0.0, operations = 0.0, seconds = 0.0;
};

/// The middle of "16384-32768-4096" (from, to, step), or the one size.
std::optional<double> middle_kib(const std::string& text) {
  const std::size_t dash = text.find('-');
  const auto from = decimal(text.substr(0, dash));
  if (!from || dash == std::string::npos) return from;
  const auto to = decimal(text.substr(dash + 1, text.find('-', dash + 1) - dash - 1));
  return to ? std::optional(0.5 * (*from + *to)) : std::nullopt;
}

void check(Reading& in, const GdsioLine& line, const Figures& f, std::vector<std::string>& flags) {
  const bool range = f.size.find('-') != std::string::npos;
  if (range) add_flag(flags, "mixed_sizes");
  if (f.seconds <= 0.0 || f.operations <= 0.0 || f.size_bytes <= 0.0)
    return in.refuse("E0207", line.place(), "no operations, no time or no size", "the run read and wrote nothing");
  if (!range)
    in.agree(line.place(), "Throughput and ops x IOSize / total_time", f.bytes_per_s,
             f.operations * f.size_bytes / f.seconds);
  in.little(line.place(), "Threads", f.threads, f.operations / f.seconds, f.operations / f.seconds, f.latency_s, flags);
}

Figures figures_of(Reading& in, const GdsioLine& line) {
  Figures f;
  f.operation = std::string(line.between("IoType:", "XferType:"));
  f.path = std::string(line.between("XferType:", "Threads:"));
  f.threads = line.number("Threads:", "DataSetSize:", 1e6);
  f.size = std::string(line.between("IOSize:", "(KiB)"));
  const auto kib = middle_kib(f.size);
  if (!kib || *kib <= 0.0 || *kib > 1e12)
    in.refuse("E0206", line.place(), fmt::format("IOSize: '{}' is not a size", f.size), "");
  f.size_bytes = kKiB * kib.value_or(0.0);
  f.bytes_per_s = kGiB * line.number("Throughput:", "GiB/sec", 1e6);
  f.latency_s = 1e-6 * line.number("Avg_Latency:", "usecs", 1e12);
  f.operations = line.number("ops:", "total_time", 1e15);
  f.seconds = line.number("total_time", "secs", 1e9);
  return f;
}

void read_line(Reading& in, const GdsioLine& line) {
  const Figures f = figures_of(in, line);
  if (in.failed()) return;
  std::vector<std::string> flags = {"average_only"};
  if (f.path.starts_with("GPU") || f.path == "ASYNC" || f.path.find("BATCH") != std::string::npos)
    add_flag(flags, "path_unproven");
  if (f.path.find("CACHED") != std::string::npos) add_flag(flags, "cache_suspect");
  check(in, line, f, flags);
  if (in.failed()) return;
  Cell cell;
  cell.probe = "gdsio " + f.operation;
  cell.detail = f.path;
  cell.block_bytes = f.size_bytes;
  cell.threads = static_cast<std::uint64_t>(f.threads);
  cell.estimate.value = cell.estimate.low = cell.estimate.high = f.operations / f.seconds;
  cell.estimate.verdict = models::calibration::Verdict::noisy;
  cell.flags = flags;
  in.record.cells.push_back(cell);
  const std::string text = fmt::format("{} {} of {} KiB by {:g} threads, mean latency {:.4g} us, {:.4g} s", f.path,
                                       f.operation, f.size, f.threads, 1e6 * f.latency_s, f.seconds);
  const bool read = f.operation.find("READ") != std::string::npos;
  in.add(fmt::format("gds.{}.{}", f.path, read ? "bandwidth" : "write_bandwidth"), "B/s", f.bytes_per_s, "", text,
         flags);
}

/// The best of each direction gets the place in a scenario.
void place_best(Reading& in, bool read) {
  models::calibration::Parameter* best = nullptr;
  for (auto& p : in.record.parameters)
    if (p.name.ends_with(".write_bandwidth") != read && (best == nullptr || p.value > best->value)) best = &p;
  if (best != nullptr) best->target = in.store_target(read ? "bandwidth" : "write_bandwidth");
}

}  // namespace

void import_gdsio(Reading& in) {
  in.record.imported->tool = "gdsio";
  const Packed all = packed(in.text());
  std::size_t at = all.text.find("IoType:");
  if (at == std::string::npos)
    return in.not_this(in.whole(), "no line of gdsio (IoType: ... total_time ... secs) in the file", "");
  while (at != std::string::npos) {
    const std::size_t next = all.text.find("IoType:", at + 1);
    const std::size_t end = std::min(next, all.text.size());
    read_line(in, GdsioLine(in, std::string_view(all.text).substr(at, end - at),
                            in.place(all.places[at], all.places[at] + 6)));
    if (in.failed()) return;
    at = next;
  }
  place_best(in, true);
  place_best(in, false);
  for (const auto& p : in.record.parameters)
    if (std::find(p.flags.begin(), p.flags.end(), "path_unproven") != p.flags.end())
      in.note(
          "gdsio does not show whether GPUDirect was used: compare the counter posix= of gds_stats, or "
          "/proc/driver/nvidia-fs/stats, before and after");
}

namespace {

/// Each way of reading has a line for reads and then one for writes; each line of several runs ends with their rates in
/// brackets.
void note_cut_kvikio(Reading& in, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::string way = name.substr(0, name.rfind(' '));
    for (const char* direction : {"read", "write"})
      if (const std::string wanted = fmt::format("{} {}", way, direction);
          std::find(names.begin(), names.end(), wanted) == names.end())
        in.note(fmt::format("there is no line '{}': is the file truncated?", wanted));
  }
  in.note_open_end();
}

}  // namespace

void import_kvikio(Reading& in) {
  in.record.imported->tool = "kvikio";
  std::vector<std::string> names;
  for (const Line& line : in.lines()) {
    const std::size_t bar = line.text.find('|');
    if (bar == std::string_view::npos) continue;
    std::string name(line.text.substr(0, bar));
    while (!name.empty() && name.back() == ' ') name.pop_back();
    name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
    if (!name.ends_with("read") && !name.ends_with("write")) continue;
    std::string_view rest = line.text.substr(bar + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::size_t unit = rest.find("iB/s");
    const std::size_t blank = rest.find(' ');
    if (unit == std::string_view::npos || unit == 0 || blank == std::string_view::npos || blank >= unit) {
      in.not_this(line.place, "no rate in GiB/s or MiB/s after the bar", "");
      return;
    }
    const auto value = in.number_in(rest.substr(0, blank), line.place, name, {0.0, 1e9, true});
    if (!value) return;
    if (rest.find('(') != std::string_view::npos && rest.find(')') == std::string_view::npos)
      in.note(fmt::format("the line '{}' has an open bracket: is the file truncated?", name));
    names.push_back(name);
    const double factor = rest[unit - 1] == 'G' ? kGiB : rest[unit - 1] == 'M' ? kKiB * kKiB : kKiB;
    std::vector<std::string> flags = {"cache_suspect", "path_unproven", "average_only"};
    const bool read = name.ends_with("read");
    in.add("gds." + name.substr(0, name.rfind(' ')) + (read ? ".bandwidth" : ".write_bandwidth"), "B/s",
           factor * *value, "", name + ": the file was written just before the read", flags);
  }
  if (in.failed()) return;
  if (in.record.parameters.empty())
    return in.not_this(in.whole(), "no line such as 'cufile read | 3.05 GiB/s' in the file", "");
  note_cut_kvikio(in, names);
  place_best(in, true);
  place_best(in, false);
}

}  // namespace headrace::scenarios
