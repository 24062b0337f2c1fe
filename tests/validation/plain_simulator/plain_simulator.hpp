// A second simulator of training data ingest, written from the documents of the models (docs/models/) and not from
// their code: it reads the record of a scenario and shares nothing else with the product. Sample by sample, seconds as
// doubles, one queue of events.
//
// - Each GPU is a rank with a loader of N workers and N x prefetch batches, in order: worker i mod N loads batch i. A
//   slot is free when the rank takes its own batch, which it does when its step has ended and the batch is ready. The
//   step starts when all ranks have theirs, and takes compute time and overhead.
// - A sample is looked up in the cache of its node (a list of items: lru, fifo or pinned). A hit takes its bytes over
//   the medium, which the node's workers share, and its latency. A miss is opened at the metadata service and asked for
//   at the store, each of so many servers that serve in order of arrival, and then comes over the bandwidths of store
//   and NIC, which flows share max-min fair. Then it is decoded on the cores of the node, at most one each.
// - A checkpoint is due after so much training. Each writer opens a file, waits for the first byte and writes its part:
//   while training stops, or in the background after a copy to host memory. A written byte takes bandwidth of store
//   over write bandwidth of reading; links carry both directions at once.
//
// It knows one job of ranks that read single files of one shared store, in order, with one lane, and the laws of
// draws.hpp. Parameters beyond that it does not read.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/spec/scenario.hpp"

namespace headrace::plain {

/// Means under the names of the product's metrics; utilizations under "utilization: " and the station's name.
using Figures = std::map<std::string, double>;

/// Steady means over so many steps behind a warm-up, of jobs without caches and checkpoints; the last epoch of jobs
/// with caches; whole intervals between checkpoints, as many as so many steps need.
Figures simulate(const models::Scenario& scenario, std::uint64_t seed, std::uint64_t steps);

}  // namespace headrace::plain
