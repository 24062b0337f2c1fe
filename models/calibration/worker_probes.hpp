// CPU work of workers at 1, 2, 4 ... up to twice the cores: how they slow each other down, for host/contention.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "models/calibration/arms.hpp"
#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

/// 1, 2, 4 ... below twice the cores, the cores, and twice the cores.
std::vector<unsigned> worker_counts(unsigned cores);

/// One decoder in so many threads at once: JPEG, or what is linked of the others, or checksums.
std::vector<Arm> worker_arms(unsigned cores, const std::stop_token& stop);

/// The universal scalability law of the cells of worker_arms. At most `cores` of them run at a time; that limit is not
/// part of sigma and kappa, since scenarios have it in host/cores.
std::optional<Fit> fit_workers(const std::vector<Cell>& cells, unsigned cores);

}  // namespace headrace::models::calibration
