// E1: the ingest path without contention, as recursions over batches instead of events. n loaders of N workers feed a
// synchronous step. The rank of a loader takes batch i when step i-1 has ended, at E[i-1], and its own batch is ready;
// the step starts when every rank has taken its batch:
//   A[i] = max(E[i-1], F[i]) of each loader,   S[i] = max over loaders A[i],   E[i] = S[i] + Tc.
//
// In order (PyTorch's default): batch i belongs to worker i mod N and may start when its worker is free and its own
// rank has taken batch i-K: F[i] = max(F[i-N], A[i-K]) + X[i]. Exact, monotone and convex in every X and Tc.
//
// Where a rank still receives its batch, A[i] = max(E[i-1], F[i] + p) + r (ready_times.hpp).
//
// Sources: F. Baccelli, G. Cohen, G. J. Olsder, J.-P. Quadrat, Synchronization and Linearity, 1992 (max-plus recursions
// of stochastic event graphs); J. Kiefer, J. Wolfowitz, 1955 (the vector of worker-free times, for any order); the
// dispatch rules are those of PyTorch's DataLoader (torch/utils/data/dataloader.py: `_MultiProcessingDataLoaderIter`
// asks for the next batch, `_try_put_index`, when `_next_data` hands one over, in each rank by itself). Deviations:
// int64 nanoseconds instead of reals, so that an event-driven run without contention gives the same integers.
#pragma once

#include <cstdint>
#include <vector>

#include "models/engine/production_draws.hpp"
#include "models/engine/ready_times.hpp"
#include "sim/random_stream.hpp"
#include "sim/time.hpp"

namespace headrace::models {

/// What all loaders of a synchronous job have in common.
struct LoaderShape {
  std::uint32_t loaders = 1;      ///< n
  std::uint32_t workers = 1;      ///< N per loader
  std::uint32_t outstanding = 1;  ///< K: batches asked for and not yet taken, per loader
  sim::TimeNs compute_ns = 0;     ///< Tc
  bool synchronous = false;       ///< loading waits for the end of the step: E[i-K] in place of A[i-K]
  sim::TimeNs pin_ns = 0;         ///< p: from F[i] until a rank can take the batch
  sim::TimeNs receive_ns = 0;     ///< r: of the rank, before its step (ready_times.hpp)
};

/// When a step started, and how long the GPUs had waited for its data.
struct StepStart {
  sim::TimeNs start_ns = 0;
  sim::TimeNs wait_ns = 0;
};

/// Static assignment, delivery in order.
class MaxPlusInOrder {
 public:
  /// @throws std::invalid_argument for a shape without loaders, workers or batches
  MaxPlusInOrder(const LoaderShape& shape, const ProductionLaw& law, sim::StreamKey key);
  /// The next step; the second form gives it a compute time of its own.
  StepStart advance() { return advance(shape_.compute_ns); }
  StepStart advance(sim::TimeNs compute_ns);

 private:
  LoaderShape shape_;
  ProductionDraws draws_;
  ReadyTimes ready_;
  std::vector<sim::TimeNs> free_from_;  // by slot: no rank takes its batch earlier
  sim::TimeNs compute_end_ = 0;
  std::uint64_t step_ = 0;
  std::uint32_t slot_ = 0;  // step modulo K
};

/// Who may start a batch when one of the outstanding ones was taken.
enum class Dispatch {
  kSharedPool,  ///< the worker that is free first
  kPerWorker,   ///< the worker whose batch was taken (PyTorch with in_order=False: each has K/N outstanding)
};

/// Delivery of whatever is ready first. The A and F of one loader are found batch by batch, because batches start in
/// the order in which they were asked for.
class MaxPlusAnyOrder {
 public:
  /// @throws std::invalid_argument as above, and for kPerWorker unless K is a multiple of N
  MaxPlusAnyOrder(const LoaderShape& shape, Dispatch dispatch, const ProductionLaw& law, sim::StreamKey key);
  StepStart advance() { return advance(shape_.compute_ns); }
  StepStart advance(sim::TimeNs compute_ns);

 private:
  struct Ready {
    sim::TimeNs at;
    std::uint32_t worker;
    friend bool operator>(const Ready& a, const Ready& b) { return a.at != b.at ? a.at > b.at : a.worker > b.worker; }
  };

  Ready start_batch(std::uint32_t loader, std::uint32_t worker, sim::TimeNs asked_at, sim::TimeNs production_ns);
  void ask_for_first_batches();

  LoaderShape shape_;
  Dispatch dispatch_;
  ProductionDraws draws_;
  std::vector<sim::TimeNs> worker_free_;  // [loader][worker]; a heap by time for the shared pool
  std::vector<Ready> ready_;              // [loader][K], a heap: what will be ready, and when
  sim::TimeNs compute_end_ = 0;
  std::uint64_t asked_ = 0;
};

}  // namespace headrace::models
