#include "models/calibration/worker_probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "models/calibration/codec_probes.hpp"
#include "models/calibration/cpu_probes.hpp"
#include "models/calibration/scaling_fit.hpp"

namespace headrace::models::calibration {
namespace {

/// Nearest to what loaders do: they decode.
CodecWork worker_work() {
  const std::vector<CodecWork> linked = codec_works();
  for (const char* name : {"jpeg", "zstd", "gzip", "lz4", "sha256"})
    for (const CodecWork& codec : linked)
      if (codec.name == name) return codec;
  return {"checksum", checksum_work()};
}

}  // namespace

std::vector<unsigned> worker_counts(unsigned cores) {
  std::set<unsigned> counts{1, cores, 2 * cores};
  for (unsigned n = 1; n < 2 * cores; n *= 2) counts.insert(n);
  counts.erase(0);
  return {counts.begin(), counts.end()};
}

std::vector<Arm> worker_arms(unsigned cores, const std::stop_token& stop) {
  std::vector<Arm> arms;
  const CodecWork codec = worker_work();
  for (const unsigned threads : worker_counts(cores)) {
    arms.push_back(work_arm("workers", codec.name, "B/s", threads, codec.work, stop));
    arms.back().window_factor = 0.3;
  }
  return arms;
}

std::optional<Fit> fit_workers(const std::vector<Cell>& cells, unsigned cores) {
  std::vector<Throughput> points;
  Fit fit;
  fit.family = "none";
  std::set<std::uint64_t> counts;
  bool any = false;
  for (const Cell& cell : cells) {
    if (cell.probe != "workers") continue;
    any = true;
    fit.parameter = fmt::format("workers {}: rate over workers", cell.detail);
    if (cell.estimate.verdict == Verdict::undetermined) continue;
    points.push_back({static_cast<double>(cell.threads), cell.estimate.value});
    counts.insert(cell.threads);
    fit.count += cell.estimate.windows;
  }
  if (!any) return std::nullopt;
  constexpr std::size_t kFewestCounts = 3;
  if (counts.size() < kFewestCounts) {
    fit.decision = fmt::format("undetermined: {} counts of workers have clean windows, {} are needed", counts.size(),
                               kFewestCounts);
    return fit;
  }
  const ScalingFit scaling = fit_worker_scaling(points, cores);
  fit.family = "usl";
  fit.numbers = {scaling.rate_of_one_per_s, scaling.sigma, scaling.kappa};
  fit.rms_log_error = scaling.rms_log_error;
  fit.chosen = true;
  fit.decision = fmt::format("at most {} run at once; ln kappa is drawn to that of published loaders, weight {:g}",
                             cores, kWorkerPrior.weight);
  return fit;
}

}  // namespace headrace::models::calibration
