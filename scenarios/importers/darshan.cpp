// The text of darshan-parser. Columns: module, rank, record id, counter, value, file, mount point, file system, parted
// by tabs (darshan, darshan-util). Traps: -1 is "not known"; rank -1 is a record that all processes share; times of
// shared records are sums over processes; reads that a cache served are counted like any others.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Parameter;

/// What one record must agree with itself in.
struct Record {
  std::size_t counters = 0;
  double reads = -1.0, writes = -1.0, bytes_read = -1.0, bytes_written = -1.0;  ///< -1: not told
  std::array<double, 10> read_bins{}, write_bins{};                             ///< by decade of size
  std::size_t bins_told = 0;
  Place place;  ///< of its last line
};

/// Counters of one file, all its records together.
struct FileUse {
  double reads = 0.0, writes = 0.0, opens = 0.0, stats = 0.0;
  double bytes_read = 0.0, bytes_written = 0.0;
  double last_read = -1.0, last_written = -1.0;
  double sequential = 0.0;
};

struct Log {
  double processes = 0.0;
  double seconds = 0.0;
  std::map<std::string, FileUse> files;                   ///< by record id
  std::map<std::string, Record> records;                  ///< by record id and rank
  std::map<std::string, std::array<double, 4>> sizes_of;  ///< POSIX_ACCESSn_ACCESS by record and rank
  std::map<std::string, std::array<double, 4>> counts_of;
};

constexpr std::array<std::string_view, 10> kBins = {"0_100", "100_1K", "1K_10K",   "10K_100K", "100K_1M",
                                                    "1M_4M", "4M_10M", "10M_100M", "100M_1G",  "1G_PLUS"};
/// Edges of the bins (darshan-util, DARSHAN_BUCKET_INC); the last has no upper one.
constexpr std::array<double, 10> kBinEdges = {0.0,       100.0,     1024.0,     10240.0,     102400.0,
                                              1048576.0, 4194304.0, 10485760.0, 104857600.0, 1073741824.0};

/// Text behind "# key: ", or nullopt.
std::optional<std::string_view> header(std::string_view line, std::string_view key) {
  if (!line.starts_with("# ") || !line.substr(2).starts_with(key)) return std::nullopt;
  line.remove_prefix(2 + key.size());
  if (!line.starts_with(":")) return std::nullopt;
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

void read_header(Reading& in, const Line& line, Log& log) {
  if (const auto text = header(line.text, "darshan log version"))
    in.record.imported->tool = fmt::format("darshan {}", *text);
  if (const auto text = header(line.text, "exe")) in.record.host.push_back({"command", std::string(*text)});
  if (const auto text = header(line.text, "nprocs"))
    log.processes = in.number_in(*text, line.place, "nprocs", {1.0, 1e8, true}).value_or(0.0);
  if (const auto text = header(line.text, "run time"))
    log.seconds = in.number_in(*text, line.place, "run time", {0.0, 1e9, true}).value_or(0.0);
  if (const auto text = header(line.text, "start_time"))
    in.record.date = date_of(in.number_in(*text, line.place, "start_time", {0.0, 1e11, true}).value_or(0.0));
}

void count(Log& log, const std::string& record, const std::string& with_rank, std::string_view counter, double value) {
  FileUse& file = log.files[record];
  if (counter == "POSIX_READS") file.reads += value;
  if (counter == "POSIX_WRITES") file.writes += value;
  if (counter == "POSIX_OPENS") file.opens += value;
  if (counter == "POSIX_STATS") file.stats += value;
  if (counter == "POSIX_BYTES_READ") file.bytes_read += value;
  if (counter == "POSIX_BYTES_WRITTEN") file.bytes_written += value;
  if (counter == "POSIX_SEQ_READS") file.sequential += value;
  if (counter == "POSIX_MAX_BYTE_READ") file.last_read = std::max(file.last_read, value);
  if (counter == "POSIX_MAX_BYTE_WRITTEN") file.last_written = std::max(file.last_written, value);
  if (counter.size() == 20 && counter.starts_with("POSIX_ACCESS") && counter[12] >= '1' && counter[12] <= '4') {
    const auto index = static_cast<std::size_t>(counter[12] - '1');
    if (counter.ends_with("_ACCESS")) log.sizes_of[with_rank][index] = value;
  }
  if (counter.size() == 19 && counter.starts_with("POSIX_ACCESS") && counter.ends_with("_COUNT") &&
      counter[12] >= '1' && counter[12] <= '4')
    log.counts_of[with_rank][static_cast<std::size_t>(counter[12] - '1')] = value;
}

void count(Record& record, std::string_view counter, double value) {
  if (counter == "POSIX_READS") record.reads = value;
  if (counter == "POSIX_WRITES") record.writes = value;
  if (counter == "POSIX_BYTES_READ") record.bytes_read = value;
  if (counter == "POSIX_BYTES_WRITTEN") record.bytes_written = value;
  for (const bool read : {true, false}) {
    const std::string_view head = read ? "POSIX_SIZE_READ_" : "POSIX_SIZE_WRITE_";
    if (!counter.starts_with(head)) continue;
    for (std::size_t i = 0; i < kBins.size(); ++i)
      if (counter.substr(head.size()) == kBins[i]) {
        (read ? record.read_bins : record.write_bins)[i] = std::max(value, 0.0);
        ++record.bins_told;
      }
  }
}

void read_row(Reading& in, const Line& line, Log& log) {
  const auto columns = columns_of(line.text, '\t');
  if (columns.size() < 5)
    return in.not_this(line.place, "a line of darshan-parser has 8 columns separated by tabs",
                       "is the file truncated, or were tabs replaced by spaces?");
  if (columns[0] != "POSIX") return;
  if (columns.size() < 8)
    return in.not_this(line.place, fmt::format("{} columns of 8", columns.size()), "is the file truncated?");
  const auto value = in.number_in(columns[4], line.place, columns[3], {-1.0, 1e18, true});
  if (!value) return;
  const std::string record(columns[2]);
  const std::string with_rank = fmt::format("{} {}", record, columns[1]);
  Record& own = log.records[with_rank];
  ++own.counters;
  own.place = line.place;
  count(own, columns[3], *value);
  if (*value >= 0.0) count(log, record, with_rank, columns[3], *value);
}

struct Totals {
  double reads = 0.0, writes = 0.0, opens = 0.0, bytes_read = 0.0, bytes_written = 0.0, sequential = 0.0;
  std::vector<double> sizes_read;  ///< how much of each file that was read
};

Totals totals_of(const Log& log) {
  Totals t;
  for (const auto& [record, file] : log.files) {
    t.reads += file.reads;
    t.writes += file.writes;
    t.opens += file.opens + file.stats;
    t.bytes_read += file.bytes_read;
    t.bytes_written += file.bytes_written;
    t.sequential += file.sequential;
    if (file.reads > 0.0 && file.last_read >= 0.0) t.sizes_read.push_back(file.last_read + 1.0);
  }
  return t;
}

/// Operations and bytes of one direction against the bins of sizes.
void check_direction(Reading& in, const Record& r, const char* what, double operations, double bytes,
                     const std::array<double, 10>& bins) {
  if (operations < 0.0 || bytes < 0.0) return;
  double in_bins = 0.0;
  double least = 0.0;
  double most = 0.0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    in_bins += bins[i];
    least += bins[i] * kBinEdges[i];
    most += bins[i] * (i + 1 < bins.size() ? kBinEdges[i + 1] : 1e18);
  }
  in.agree(r.place, fmt::format("POSIX_{} and the histogram of sizes", what), operations, in_bins);
  if (bytes < least * (1.0 - kAgreement) || bytes > most * (1.0 + kAgreement))
    in.refuse("E0140", r.place,
              fmt::format("{:.6g} bytes in {} {:g}, but by the histogram of sizes they are {:.6g} to {:.6g}", bytes,
                          what, operations, least, most),
              "is the file damaged or truncated?");
}

/// darshan-parser writes every counter of every record: one that lacks some was cut.
void check(Reading& in, const Log& log) {
  std::size_t all = 0;
  for (const auto& [name, r] : log.records) all = std::max(all, r.counters);
  for (const auto& [name, r] : log.records) {
    if (r.counters < all || r.bins_told < 2 * kBins.size())
      return in.not_this(r.place,
                         fmt::format("the record {} has {} counters, {} bins of sizes", name, r.counters, r.bins_told),
                         fmt::format("records have {} counters, with {} bins: is the file truncated or filtered?", all,
                                     2 * kBins.size()));
    check_direction(in, r, "READS", r.reads, r.bytes_read, r.read_bins);
    check_direction(in, r, "WRITES", r.writes, r.bytes_written, r.write_bins);
    if (in.failed()) return;
  }
}

/// The most frequent size of a request, by the four that each record names.
double common_size(const Log& log) {
  std::map<double, double> times;
  for (const auto& [record, sizes] : log.sizes_of) {
    const auto counts = log.counts_of.find(record);
    if (counts == log.counts_of.end()) continue;
    for (std::size_t i = 0; i < 4; ++i)
      if (sizes[i] > 0.0) times[sizes[i]] += counts->second[i];
  }
  double best = 0.0;
  double most = 0.0;
  for (const auto& [size, n] : times)
    if (n * size > most * std::max(best, 1.0)) best = size, most = n;
  return best;
}

void add_load(Reading& in, const Log& log, const Totals& t, bool read) {
  const double bytes = read ? t.bytes_read : t.bytes_written;
  const double operations = read ? t.reads : t.writes;
  if (bytes <= 0.0 || operations <= 0.0) return;
  std::string name = in.options().name.empty() ? "darshan" : in.options().name;
  if (!read) name += "-writes";
  const std::string at = join_pointer("/background", name);
  const std::string text = fmt::format("{:.6g} {} of {:.6g} B by {:g} processes in {:.6g} s", operations,
                                       read ? "reads" : "writes", bytes, log.processes, log.seconds);
  const std::vector<std::string> flags = {"mean_over_run"};
  in.layer["background"].push_back(
      {{"name", name}, {"store", in.options().store}, {"direction", read ? "read" : "write"}});
  in.add(name + ".bandwidth", "B/s", bytes / log.seconds, at + "/bandwidth", text, flags);
  in.add(name + ".request", "B", bytes / operations, at + "/request", text, flags);
  in.add(name + ".clients", "count", std::min(log.processes, 1e5), at + "/clients", text, flags);
  if (read && t.opens > 0.0)
    in.add(name + ".opens_per_request", "count", t.opens / operations, at + "/opens_per_request", text, flags);
}

void add_dataset(Reading& in, const Log& log, const Totals& t) {
  if (t.sizes_read.empty()) return;
  const std::string text = fmt::format("{} files that were read", t.sizes_read.size());
  in.add("dataset.files", "count", static_cast<double>(t.sizes_read.size()), in.dataset_target("files"), text,
         {"as_far_as_read"});
  Parameter& size = in.add("dataset.file_bytes", "B", 0.0, in.dataset_target("sample_bytes"), text,
                           {"as_far_as_read", "one_sample_per_file"});
  Reading::set_table(size, t.sizes_read);
  const double request = common_size(log) > 0.0 ? common_size(log) : t.bytes_read / t.reads;
  in.add("dataset.request_bytes", "B", request, in.dataset_target("request_bytes"), "size that moved most bytes", {});
  in.add("dataset.sequential_share", "1", t.sequential / t.reads, "", text, {});
}

}  // namespace

void import_darshan(Reading& in) {
  Log log;
  bool found = false;
  for (const Line& line : in.lines()) {
    if (line.text.empty()) continue;
    found = found || header(line.text, "darshan log version").has_value();
    if (!found && !line.text.starts_with("#")) break;
    if (line.text.starts_with("#"))
      read_header(in, line, log);
    else
      read_row(in, line, log);
    if (in.failed()) return;
  }
  if (!found)
    return in.not_this(in.whole(), "no line '# darshan log version:'",
                       "darshan-parser LOG.darshan > LOG.txt; the log itself is binary");
  if (log.processes <= 0.0 || log.seconds <= 0.0)
    return in.not_this(in.whole(), "the header has no processes or no run time", "is the file truncated?");
  in.note_open_end();
  const Totals totals = totals_of(log);
  if (totals.reads + totals.writes <= 0.0)
    return in.not_this(in.whole(), "the POSIX module has no reads and no writes", "run darshan-parser without --total");
  check(in, log);
  if (in.failed()) return;
  add_load(in, log, totals, true);
  add_load(in, log, totals, false);
  add_dataset(in, log, totals);
}

}  // namespace headrace::scenarios
