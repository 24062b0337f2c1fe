// elbencho --csvfile and --jsonfile. Fields: breuner/elbencho, docs/csv-docs.md. Traps: MiB/s is binary and whole, the
// latency whole microseconds; "first" is the time until the fastest thread was done, when all worked, "last" until all
// were done: capacity is [last], Little's law holds between the two; with a mix of reads and writes the plain columns
// are those of the writes; --jsonfile appends one object after the other.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Cell;

/// One phase of a run.
struct Phase {
  std::string operation;  ///< "READ"
  Place place;
  double hosts = 1.0;
  double threads = 1.0;  ///< per host
  double depth = 1.0;
  double block_bytes = 0.0;
  bool direct = false;
  bool random = false;
  bool mixed = false;
  std::optional<double> first_per_s, last_per_s;  ///< I/O operations
  std::optional<double> entries_per_s;            ///< files or folders, last done
  std::optional<double> bytes_per_s;
  double bytes_slack = 0.0;       ///< what rounding explains
  std::optional<double> io_s;     ///< mean latency of an operation
  std::optional<double> entry_s;  ///< of a file or folder

  double places() const { return hosts * threads * std::max(depth, 1.0); }
};

/// Cells of a line. The last column, "command", holds quotes and commas as they were typed.
std::vector<std::string_view> cells_of(std::string_view line, std::size_t most) {
  std::vector<std::string_view> out;
  while (out.size() + 1 < most) {
    std::size_t end = line.find(',');
    if (line.starts_with('"')) {
      const std::size_t quote = line.find('"', 1);
      end = quote == std::string_view::npos ? quote : line.find(',', quote);
    }
    if (end == std::string_view::npos) break;
    out.push_back(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  out.push_back(line);
  return out;
}

/// A row under its header.
class ElbenchoRow {
 public:
  ElbenchoRow(Reading& in, const std::vector<std::string_view>& header, const Line& line)
      : in_(in), line_(line), cells_(cells_of(line.text, header.size())) {
    for (std::size_t i = 0; i < header.size() && i < cells_.size(); ++i) by_name_[header[i]] = cells_[i];
  }
  std::size_t size() const { return cells_.size(); }
  std::string_view text(std::string_view column) const {
    const auto found = by_name_.find(column);
    return found == by_name_.end() ? std::string_view() : found->second;
  }
  std::optional<double> number(std::string_view column, const Limits& limits = {}) const {
    const std::string_view cell = text(column);
    if (!cell.empty()) return in_.number_in(cell, line_.place, column, limits);
    if (limits.required) in_.refuse("E0202", line_.place, fmt::format("the cell '{}' is empty", column), "");
    return std::nullopt;
  }

 private:
  Reading& in_;
  Line line_;
  std::vector<std::string_view> cells_;
  std::map<std::string_view, std::string_view> by_name_;
};

std::optional<double> micro(std::optional<double> value) { return value ? std::optional(1e-6 * *value) : std::nullopt; }

Phase phase_of(const ElbenchoRow& row, const Line& line) {
  Phase p;
  p.operation = std::string(row.text("operation"));
  p.place = line.place;
  p.hosts = std::max(row.number("hosts", {0.0, 1e6}).value_or(1.0), 1.0);
  p.threads = row.number("threads", {1.0, 1e7, true}).value_or(1.0);
  p.depth = row.number("IO depth", {0.0, 1e6}).value_or(1.0);
  p.block_bytes = row.number("block size", {0.0, 1e15}).value_or(0.0);
  p.direct = row.number("direct IO").value_or(0.0) != 0.0;
  p.random = row.number("random").value_or(0.0) != 0.0;
  p.mixed = !row.text("rwmix read IOPS [last]").empty();
  p.first_per_s = row.number("IOPS [first]", {0.0, 1e12});
  p.last_per_s = row.number("IOPS [last]", {0.0, 1e12});
  p.entries_per_s = row.number("entries/s [last]", {0.0, 1e12});
  if (const auto mib = row.number("MiB/s [last]", {0.0, 1e9})) p.bytes_per_s = kMiB * *mib;
  p.bytes_slack = kMiB;
  p.io_s = micro(row.number("IO lat us [avg]", {0.0, 1e12}));
  p.entry_s = micro(row.number("Ent lat us [avg]", {0.0, 1e12}));
  return p;
}

std::vector<Phase> csv_phases(Reading& in) {
  std::vector<Phase> phases;
  std::vector<std::string_view> header;
  for (const Line& line : in.lines()) {
    if (line.text.empty()) continue;
    if (line.text.starts_with("ISO date,")) {  // again where files were joined
      header = cells_of(line.text, 1000);
      continue;
    }
    if (header.empty()) {
      in.not_this(line.place, "the first line is not a header of elbencho",
                  "write the file with elbencho --csvfile FILE");
      return {};
    }
    const ElbenchoRow row(in, header, line);
    if (row.size() != header.size()) {
      in.not_this(line.place, fmt::format("{} cells under {} columns", row.size(), header.size()),
                  "is the file truncated?");
      return {};
    }
    if (!row.text("version").empty()) in.record.imported->tool = "elbencho " + std::string(row.text("version"));
    if (in.record.date.empty()) in.record.date = std::string(row.text("ISO date").substr(0, 10));
    phases.push_back(phase_of(row, line));
    if (in.failed()) return {};
  }
  return phases;
}

Phase phase_of(Reading& in, const Node& object) {
  Phase p;
  p.place = object.place;
  p.operation = in.word(object, "operation");
  const Node* config = in.member(object, "config", Node::Type::object, true);
  const Node* last = in.member(object, "last_done", Node::Type::object, true);
  const Node* first = in.member(object, "first_done", Node::Type::object, false);
  if (config == nullptr || last == nullptr) return p;
  p.hosts = std::max(in.number(*config, "hosts", {0.0, 1e6}).value_or(1.0), 1.0);
  p.threads = in.number(*config, "threads", {1.0, 1e7, true}).value_or(1.0);
  p.depth = in.number(*config, "io_depth", {0.0, 1e6}).value_or(1.0);
  p.block_bytes = in.number(*config, "block_size", {0.0, 1e15}).value_or(0.0);
  const auto flag = [&](const char* key) {
    const Node* value = config->find(key);
    return value != nullptr && (value->boolean || value->text == "1" || value->text == "true");
  };
  p.direct = flag("direct_io");
  p.random = flag("random");
  if (first != nullptr) p.first_per_s = in.number(*first, "iops", {0.0, 1e12});
  p.last_per_s = in.number(*last, "iops", {0.0, 1e12});
  p.entries_per_s = in.number(*last, "entries/s", {0.0, 1e12});
  p.bytes_per_s = in.number(*last, "bytes/s", {0.0, 1e15});
  const Node* latency = in.member(*last, "latency", Node::Type::object, false);
  const Node* io = latency == nullptr ? nullptr : in.member(*latency, "IO", Node::Type::object, false);
  if (io != nullptr) p.io_s = micro(in.number(*io, "avg_us", {0.0, 1e12}));
  return p;
}

std::vector<Phase> json_phases(Reading& in) {
  std::vector<Phase> phases;
  for (const Node& object : in.objects()) {
    const std::string version = in.word(object, "version");
    if (!version.empty()) in.record.imported->tool = "elbencho " + version;
    if (in.record.date.empty()) in.record.date = in.word(object, "iso_date").substr(0, 10);
    phases.push_back(phase_of(in, object));
    if (in.failed()) return {};
  }
  return phases;
}

void check(Reading& in, const Phase& p, std::vector<std::string>& flags) {
  if (!p.direct) add_flag(flags, "cache_suspect");
  if (p.mixed) add_flag(flags, "mixed_directions");
  if (!p.last_per_s) return;
  // Files are read in blocks, the last of which may be shorter: no more bytes than operations times the size.
  if (p.bytes_per_s && p.block_bytes > 0.0 && *p.bytes_per_s > *p.last_per_s * p.block_bytes)
    in.agree(p.place, p.operation + ": bytes/s and IOPS times the block size", *p.bytes_per_s,
             *p.last_per_s * p.block_bytes, p.bytes_slack + p.block_bytes);
  if (!p.io_s || p.mixed) return;
  const double slack = *p.io_s < 2e-5 ? 0.5e-6 : 0.0;  // whole microseconds
  in.little(p.place, p.operation, p.places(), std::min(*p.last_per_s, p.first_per_s.value_or(*p.last_per_s)),
            std::max(*p.last_per_s, p.first_per_s.value_or(*p.last_per_s)), *p.io_s - slack, flags);
}

std::string described(const Phase& p) {
  return fmt::format("{} of {} x {:g} hosts x {:g} threads depth {:g}{}{}, last done", p.operation,
                     size_text(p.block_bytes), p.hosts, p.threads, std::max(p.depth, 1.0), p.random ? " random" : "",
                     p.direct ? " direct" : "");
}

void add_cell(Reading& in, const Phase& p, const std::vector<std::string>& flags) {
  Cell cell;
  cell.probe = p.operation == "READ" ? (p.random ? "random_read" : "sequential_read") : p.operation;
  cell.detail = p.hosts > 1.0 ? fmt::format("{:g} hosts", p.hosts) : "";
  cell.block_bytes = p.block_bytes;
  cell.depth = static_cast<std::uint64_t>(std::max(p.depth, 1.0));
  cell.threads = static_cast<std::uint64_t>(p.threads);
  cell.direct = p.direct;
  cell.estimate.value = cell.estimate.low = cell.estimate.high = p.last_per_s.value_or(p.entries_per_s.value_or(0.0));
  cell.estimate.verdict = models::calibration::Verdict::noisy;
  cell.flags = flags;
  in.record.cells.push_back(std::move(cell));
}

void add_best(Reading& in, const std::vector<std::pair<Phase, std::vector<std::string>>>& phases, const char* operation,
              const char* name, const char* key) {
  const std::pair<Phase, std::vector<std::string>>* found = nullptr;
  for (const auto& one : phases)
    if (one.first.operation == operation && one.first.bytes_per_s && !one.first.mixed &&
        (found == nullptr || *one.first.bytes_per_s > *found->first.bytes_per_s))
      found = &one;
  if (found != nullptr)
    in.add(name, "B/s", *found->first.bytes_per_s, in.store_target(key), described(found->first), found->second);
}

void add_parameters(Reading& in, const std::vector<std::pair<Phase, std::vector<std::string>>>& phases) {
  add_best(in, phases, "READ", "storage.bandwidth", "bandwidth");
  add_best(in, phases, "WRITE", "storage.write_bandwidth", "write_bandwidth");
  for (const auto& [p, flags] : phases) {
    std::vector<std::string> averages = flags;
    add_flag(averages, "average_only");
    if (p.operation == "READ" && p.random && p.block_bytes <= 16384.0 && p.last_per_s && !p.mixed) {
      if (p.places() > 1.0)  // one read at a time measures the latency, no limit
        in.add("storage.requests", "1/s", *p.last_per_s, in.store_target("requests"), described(p), flags);
      if (p.places() == 1.0 && p.io_s)
        in.add("storage.latency", "s", *p.io_s, in.store_target("latency"), described(p), averages);
    }
    // So many operations served at a time, each of the mean latency under this load, is what was seen.
    if (p.operation == "STAT" && p.entry_s && *p.entry_s > 0.0 && p.entries_per_s) {
      const std::string text = fmt::format("STAT of {:g} hosts x {:g} threads, last done", p.hosts, p.threads);
      in.add("metadata.latency", "s", *p.entry_s, in.store_target("metadata/latency"), text, averages);
      in.add("metadata.servers", "count", std::max(1.0, p.hosts * p.threads), in.store_target("metadata/servers"), text,
             averages);
    }
  }
  if (std::all_of(phases.begin(), phases.end(), [](const auto& phase) { return phase.first.hosts == 1.0; }))
    in.doubt_rates_of_one_client();
}

}  // namespace

void import_elbencho(Reading& in) {
  const std::size_t begin = in.text().find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return in.not_this(in.whole(), "the file is empty", "");
  const bool json = in.text()[begin] == '{';
  in.record.imported->tool = "elbencho";
  const std::vector<Phase> found = json ? json_phases(in) : csv_phases(in);
  if (in.failed()) return;
  if (found.empty()) return in.not_this(in.whole(), "the file has a header and no results", "");
  in.note_open_end();
  std::vector<std::pair<Phase, std::vector<std::string>>> phases;
  for (const Phase& phase : found) {
    std::vector<std::string> flags;
    check(in, phase, flags);
    if (in.failed()) return;
    add_cell(in, phase, flags);
    phases.emplace_back(phase, std::move(flags));
  }
  add_parameters(in, phases);
}

}  // namespace headrace::scenarios
