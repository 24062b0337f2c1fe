// Two activities at the same time, each also alone, all in the same rounds: reading beside copies, reading beside work
// on all cores, reading beside reading, copying beside reading; with a GPU reading and copies to it beside each other.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "models/calibration/record.hpp"
#include "models/calibration/storage_probes.hpp"

namespace headrace::models::calibration {

/// `gpu_copy` copies to a GPU for the given seconds and tells bytes and time; empty: there is no GPU.
using GpuCopy = std::function<ArmWindow(double seconds)>;

std::vector<Arm> contention_arms(IoEngine& engine, const DataFile& file, unsigned cores, const GpuCopy& gpu_copy,
                                 const std::stop_token& stop);

/// rate_a(load_b) = rate_a0 / (1 + g u_b), with u_b = 1 as measured: g = rate_a0 / rate_a - 1 with its interval.
/// Nothing is said beyond u_b = 1.
std::vector<Fit> fit_contention(const std::vector<Cell>& cells);

}  // namespace headrace::models::calibration
