// What a prediction of the closed loop rests on: figures of its parts, each measured without the loop. Reads alone at
// several depths, one worker and many that read and decode without a queue behind them, and what passing the time of a
// step costs on an idle machine and beside such workers.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "models/calibration/concurrency_fit.hpp"
#include "models/calibration/latency_histogram.hpp"
#include "models/calibration/record.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/verification/loop_pipeline.hpp"

namespace headrace::models::verification {

struct LoopFigures {
  std::uint32_t block_bytes = 0;
  unsigned cores = 1;
  std::vector<calibration::Throughput> read_rates;  ///< blocks per second at several depths, the first at depth 1
  std::vector<QuantilePoint> read_quantiles;        ///< of one read at depth 1, s
  double read_s = 0.0;                              ///< of one read by a worker that decodes what it reads
  double read_cpu_s = 0.0;                          ///< processor time of one read
  double decode_s = 0.0;                            ///< of one block that was just read, on one core
  double decode_all_s = 0.0;                        ///< processor time of the same while all cores do it
  double workers_batch_s = 0.0;                     ///< between batches of all the point's workers, never waiting
  double overrun_s = 0.0;                           ///< of a step on a machine with nothing else to do
  double busy_overrun_s = 0.0;                      ///< of a step beside the point's workers, never waiting
};

/// A delay Z and one shared queue D, both s, that reproduce reads at depth 1 exactly and at the others as nearly as may
/// be (least squares of the logarithm); Z + D is the time of a read at depth 1.
struct ReadLaw {
  double delay_s = 0.0;
  double queue_s = 0.0;
};
ReadLaw read_law(const std::vector<calibration::Throughput>& rates);

/// Exponent of the slowdown of decoding on all cores: it takes cores^beta times as long there. 0 to 1.
double decode_contention(const LoopFigures& figures);

struct FigureLengths {
  double cell_s = 0.1;
};

/// Measures all figures for blocks of `data`; the overrun of steps of `point`. Throws IoFailure.
LoopFigures measure_figures(const LoopPoint& point, const LoopData& data, LoopConsumer& consumer, unsigned cores,
                            const FigureLengths& lengths, std::uint64_t seed, const std::stop_token& stop);

/// Means of logarithms of several measurements of the same kind.
LoopFigures average(const std::vector<LoopFigures>& all);

/// Figures of reads and of decoding from a calibration, in place of measured ones. Names what it does not hold.
std::vector<std::string> take_from_site(const calibration::Calibration& site, LoopFigures& figures);

/// Wall and processor time of one kind of work, all threads.
struct WorkTime {
  double wall_s = 0.0;
  double processor_s = 0.0;
};

/// Threads that work without a queue between them, for a time.
struct FreeRun {
  std::uint64_t blocks = 0;
  double seconds = 0.0;
  WorkTime read;
  WorkTime decode;
  calibration::LatencyHistogram latency;  ///< of single reads

  double rate_per_s() const { return seconds > 0.0 ? static_cast<double>(blocks) / seconds : 0.0; }
};
/// read: one block after the other; batches: as a worker does, `batch` reads, then decoding them; decode: of blocks
/// that lie in memory.
enum class FreeWork : std::uint8_t { read, batches, decode };
FreeRun free_run(FreeWork what, std::uint32_t threads, std::uint32_t batch, const LoopData& data, double seconds,
                 std::uint64_t seed, const std::stop_token& stop);

}  // namespace headrace::models::verification
