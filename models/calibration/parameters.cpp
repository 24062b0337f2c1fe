#include "models/calibration/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "models/calibration/latency_histogram.hpp"

namespace headrace::models::calibration {
namespace {

std::string size_text(double bytes) {
  if (bytes >= 1048576.0) return fmt::format("{:g} MiB", bytes / 1048576.0);
  if (bytes >= 1024.0) return fmt::format("{:g} KiB", bytes / 1024.0);
  return fmt::format("{:g} B", bytes);
}

/// "random_read 4 KiB depth 1, direct, scattered: 12 windows, 9 clean".
std::string provenance_of(const Cell& cell) {
  std::string text = cell.probe;
  if (!cell.detail.empty()) text += " " + cell.detail;
  if (cell.block_bytes > 0.0) text += " " + size_text(cell.block_bytes);
  if (cell.depth > 1) text += fmt::format(" depth {}", cell.depth);
  if (cell.threads > 1) text += fmt::format(" {} threads", cell.threads);
  if (cell.direct) text += " direct";
  if (cell.buffers != "none") text += " " + cell.buffers;
  text += fmt::format(": {} windows, {} clean", cell.estimate.windows, cell.estimate.clean_windows);
  for (const std::string& flag : cell.flags) text += ", " + flag;
  return text;
}

bool has_two_rates(const Cell& cell) {
  const auto known = [](const std::optional<Estimate>& e) { return e && e->verdict != Verdict::undetermined; };
  return known(cell.burst) && known(cell.sustained);
}

/// Bytes that a cell wrote before its rate fell, to the window in which it did.
struct WrittenBytes {
  double bytes = 0.0;
  double least_bytes = 0.0;
  double most_bytes = 0.0;
};

std::optional<WrittenBytes> written_before_fall(const std::vector<Window>& windows, double below_per_s) {
  WrittenBytes written;
  for (const Window& window : windows) {
    const double bytes = window.rate_per_s * window.length_s;
    if (window.rate_per_s >= below_per_s) {
      written.least_bytes = written.bytes;
      written.bytes += bytes;
      continue;
    }
    written.most_bytes = written.bytes + bytes;
    return written.least_bytes > 0.0 ? std::optional(written) : std::nullopt;
  }
  return std::nullopt;
}

class ParameterList {
 public:
  ParameterList(Calibration& calibration, const ParameterNames& names) : out_(calibration), names_(names) {}

  const Cell* find(std::string_view probe, std::string_view detail, double block = 0.0, std::uint64_t depth = 0,
                   std::uint64_t threads = 0) const {
    for (const Cell& cell : out_.cells)
      if (cell.probe == probe && (detail.empty() || cell.detail == detail) &&
          (block == 0.0 || cell.block_bytes == block) && (depth == 0 || cell.depth == depth) &&
          (threads == 0 || cell.threads == threads))
        return &cell;
    return nullptr;
  }

  /// The cell of a probe with the highest rate (in bytes where `bytes`) among those that are determined; any of them
  /// otherwise.
  template <class Accept>
  const Cell* best(std::string_view probe, bool bytes, const Accept& accept) const {
    const auto rate = [bytes](const Cell& cell) {
      return cell.estimate.value * (bytes && cell.unit == "1/s" ? cell.block_bytes : 1.0);
    };
    const Cell* found = nullptr;
    for (const Cell& cell : out_.cells) {
      if (cell.probe != probe || !accept(cell)) continue;
      if (found == nullptr || rate(cell) > rate(*found)) found = &cell;
    }
    return found;
  }

  std::string store_target(const char* key) const { return "/stores/" + names_.store + "/" + key; }
  std::string gpu_target(const char* key) const { return "/cluster/pools/" + names_.pool + "/gpu/" + key; }
  std::string host_target(const char* key) const { return "/cluster/pools/" + names_.pool + "/host/" + key; }

  /// A rate of a cell times `factor`.
  void rate(const char* name, const Cell* cell, const char* unit, double factor, const std::string& target) {
    if (cell == nullptr) return;
    add_rate(started(name, *cell, unit, target), cell->estimate, factor);
    // A store whose rate drifts (a cache that fills, heat, credits of a cloud) has two: of the beginning, and what
    // stays.
    if (std::string_view(name).substr(0, 8) != "storage." || !has_two_rates(*cell)) return;
    add_rate(started(std::string(name) + ".burst", *cell, unit, ""), *cell->burst, factor);
    add_rate(started(std::string(name) + ".sustained", *cell, unit, ""), *cell->sustained, factor);
  }

  /// What a drive writes. Where its rate falls, it has a write cache: the rates before and after are those of the cache
  /// and past it.
  void written(const Cell* cell, bool whole_store) {
    rate("storage.write_bandwidth", cell, "B/s", 1.0, whole_store ? store_target("write_bandwidth") : "");
    constexpr double kLeastFall = 1.25;  // less is heat, or other load
    if (cell == nullptr || !whole_store || !has_two_rates(*cell)) return;
    const double burst = cell->burst->value;
    const double sustained = cell->sustained->value;
    const std::optional<WrittenBytes> fast = written_before_fall(cell->windows, 0.5 * (burst + sustained));
    if (burst < kLeastFall * sustained || !fast) return;
    for (Parameter& p : out_.parameters) {
      if (p.name == "storage.write_bandwidth") p.target.clear();
      if (p.name == "storage.write_bandwidth.burst") p.target = store_target("write_cache/bandwidth");
      if (p.name == "storage.write_bandwidth.sustained") p.target = store_target("write_bandwidth");
    }
    Parameter size = started("storage.write_cache", *cell, "B", store_target("write_cache/bytes"));
    const double kept = 1.0 - sustained / burst;  // it empties at the sustained rate meanwhile
    size.verdict = std::max(cell->burst->verdict, cell->sustained->verdict);
    size.value = kept * fast->bytes;
    size.low = kept * fast->least_bytes;
    size.high = kept * fast->most_bytes;
    out_.parameters.push_back(std::move(size));
  }

  /// The time of one operation of a cell that does one after the other.
  void time_of_one(const char* name, const Cell* cell, const std::string& target) {
    if (cell == nullptr) return;
    Parameter p = started(name, *cell, "s", target);
    if (cell->estimate.value > 0.0) {
      p.value = 1.0 / cell->estimate.value;
      p.low = 1.0 / cell->estimate.high;
      p.high = 1.0 / cell->estimate.low;
    }
    out_.parameters.push_back(std::move(p));
  }

  /// The law of the latencies of a cell. Its interval is that of the mean, which at depth 1 is one over the rate.
  void law(const char* name, const Cell* cell, const std::string& target) {
    if (cell == nullptr || !cell->latency) return;
    Parameter p = started(name, *cell, "s", target);
    const LatencyHistogram histogram = LatencyHistogram::from(*cell->latency);
    if (p.verdict != Verdict::undetermined) {
      p.value = histogram.mean_s();
      p.low = p.value * cell->estimate.value / cell->estimate.high;
      p.high = p.value * cell->estimate.value / cell->estimate.low;
      for (const double probability : kTableProbabilities)
        p.quantiles.push_back({probability, histogram.quantile_s(probability)});
    }
    out_.parameters.push_back(std::move(p));
  }

 private:
  void add_rate(Parameter p, const Estimate& estimate, double factor) {
    p.verdict = estimate.verdict;
    p.value = factor * estimate.value;
    p.low = factor * estimate.low;
    p.high = factor * estimate.high;
    out_.parameters.push_back(std::move(p));
  }

  static Parameter started(std::string name, const Cell& cell, const char* unit, const std::string& target) {
    Parameter p;
    p.name = std::move(name);
    p.unit = unit;
    p.verdict = cell.estimate.verdict;
    p.target = p.verdict == Verdict::undetermined ? "" : target;
    p.provenance = provenance_of(cell);
    return p;
  }

  Calibration& out_;
  const ParameterNames& names_;
};

void add_storage(ParameterList& list, const ParameterNames& names) {
  constexpr double k4Ki = 4096.0;
  const auto small = [](const Cell& cell) { return cell.block_bytes == k4Ki; };
  const auto large = [](const Cell& cell) { return cell.block_bytes >= 131072.0; };
  const auto whole = [&](const char* key) { return names.remote ? std::string() : list.store_target(key); };
  list.law("storage.latency", list.find("random_read", "", k4Ki, 1), list.store_target("latency"));
  list.rate("storage.requests", list.best("random_read", false, small), "1/s", 1.0, whole("requests"));
  if (const Cell* cell = list.best("random_read", true, large))
    list.rate("storage.bandwidth", cell, "B/s", cell->block_bytes, whole("bandwidth"));
  list.written(list.find("write", ""), !names.remote);
  list.rate("storage.stream", list.find("sequential_read", "cold"), "B/s", 1.0, list.store_target("stream"));
  list.rate("page_cache.bandwidth", list.find("sequential_read", "cached"), "B/s", 1.0,
            list.host_target("page_cache/bandwidth"));
  list.time_of_one("metadata.latency", list.find("metadata", "open+stat+close"), list.store_target("metadata/latency"));
}

void add_host(ParameterList& list) {
  list.rate("host.copy", list.find("cpu", "memcpy DRAM", 0.0, 0, 1), "B/s", 1.0, list.host_target("copy"));
  const auto copies = [](const Cell& cell) { return cell.detail == "memcpy DRAM"; };
  // Each byte copied is read once and written once.
  list.rate("host.memory_bandwidth", list.best("cpu", false, copies), "B/s", 2.0, list.host_target("memory_bandwidth"));
  constexpr std::pair<const char*, const char*> kCodecs[] = {
      {"cpu.crc32c", "crc32c"},        {"cpu.sha256", "sha256"},        {"cpu.lz4_decompress", "lz4"},
      {"cpu.zstd_decompress", "zstd"}, {"cpu.gzip_decompress", "gzip"}, {"cpu.jpeg_decode", "jpeg"}};
  for (const auto& [name, detail] : kCodecs) list.rate(name, list.find("cpu", detail, 0.0, 0, 1), "B/s", 1.0, "");
  list.time_of_one("memory.first_touch", list.find("memory", "first touch 4 KiB"), "");
  list.time_of_one("memory.mapped_page", list.find("memory", "mapped, cached"), "");
  list.time_of_one("memory.mapped_page_cold", list.find("memory", "mapped, cold, random"), "");
}

void add_gpu(ParameterList& list) {
  const auto named = [](std::string_view detail) {
    return [detail](const Cell& cell) { return cell.detail == detail && cell.depth == 1; };
  };
  list.rate("gpu.h2d_pinned", list.best("gpu", false, named("h2d pinned")), "B/s", 1.0, list.gpu_target("pcie"));
  list.rate("gpu.h2d_pageable", list.best("gpu", false, named("h2d pageable")), "B/s", 1.0, "");
  list.rate("gpu.h2d_registered", list.best("gpu", false, named("h2d registered")), "B/s", 1.0, "");
  list.rate("gpu.d2h_pinned", list.best("gpu", false, named("d2h pinned")), "B/s", 1.0, "");
  list.time_of_one("gpu.launch", list.find("gpu", "launch"), "");
  list.rate("gpu.hbm", list.find("gpu", "hbm copy"), "B/s", 1.0, "");
  list.rate("gpu.gemm_bf16", list.best("gpu", false, named("gemm bf16")), "FLOP/s", 1.0, "");
  const auto direct = [](const Cell& cell) { return cell.detail == "gds"; };
  const auto by_host = [](const Cell& cell) { return cell.detail == "gds compat"; };
  list.rate("gpu.direct_read", list.best("gpu", false, direct), "B/s", 1.0, "");
  list.rate("gpu.cufile_compat", list.best("gpu", false, by_host), "B/s", 1.0, "");
  list.rate("gpu.resize", list.find("gpu", "resize"), "B/s", 1.0, "");
}

/// sigma and kappa of host/contention.
void add_workers(Calibration& calibration, const ParameterList& list) {
  for (const Fit& fit : calibration.fits) {
    if (!fit.parameter.starts_with("workers ")) continue;
    Verdict verdict = fit.chosen ? Verdict::clean : Verdict::undetermined;
    for (const Cell& cell : calibration.cells)
      if (fit.chosen && cell.probe == "workers" && cell.estimate.verdict != Verdict::clean) verdict = Verdict::noisy;
    for (const char* name : {"sigma", "kappa"}) {
      Parameter p;
      p.name = std::string("host.contention.") + name;
      p.unit = "count";
      p.verdict = verdict;
      p.provenance = fmt::format("{}, {} windows; {}", fit.parameter, fit.count, fit.decision);
      for (const FitNumber& number : fit.numbers) {
        if (number.name != name) continue;
        p.value = number.value;
        p.low = number.low;
        p.high = number.high;
        p.target = list.host_target("contention/") + name;
      }
      calibration.parameters.push_back(std::move(p));
    }
  }
}

/// Of an object store; rates of one client do not tell what all get.
void add_object_store(ParameterList& list) {
  constexpr double kSmallReadBytes = 65536.0;
  const auto reads = [](const Cell& cell) { return cell.detail == "get"; };
  const auto small = [&](const Cell& cell) { return reads(cell) && cell.block_bytes == kSmallReadBytes; };
  list.law("object_store.first_byte", list.find("s3", "first byte"), list.store_target("latency"));
  list.rate("object_store.stream", list.find("s3", "body"), "B/s", 1.0, list.store_target("stream"));
  list.rate("object_store.requests", list.best("s3", false, small), "1/s", 1.0, "");
  if (const Cell* cell = list.best("s3", true, reads))
    list.rate("object_store.bandwidth", cell, "B/s", cell->block_bytes, "");
  list.rate("object_store.put_stream", list.find("s3", "put"), "B/s", 1.0, "");
  list.time_of_one("object_store.list_page", list.find("s3", "list"), "");
}

}  // namespace

void add_parameters(Calibration& calibration, const ParameterNames& names) {
  ParameterList list(calibration, names);
  add_storage(list, names);
  add_host(list);
  add_workers(calibration, list);
  add_gpu(list);
  add_object_store(list);
}

}  // namespace headrace::models::calibration
