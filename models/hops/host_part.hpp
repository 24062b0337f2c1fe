// Loaders slow the step down. The host part of a step (launches, Python, receiving a batch) is the work of a training
// process, which asks for a core of its node like the workers and all other processes do.
//
// A thread that becomes ready looks at d cores and takes an idle one. At utilization u of the cores it finds none with
// probability u^d and then shares a core with another thread, which takes twice as long. The mean slowdown is
//
//   s(u) = 1 + u^d,   u = (cores busy beside it + core time of the node's loaders per step / step) / cores.
//
// Source: N. D. Vvedenskaya, R. L. Dobrushin, F. I. Karpelevich, Problems of Information Transmission 32(1), 1996, and
// M. Mitzenmacher, IEEE TPDS 12(10), 2001: who looks at d of many queues finds all of them busy with probability u^d.
// Longer queues behind a core are left out. Processor sharing of the core: L. Kleinrock, Queueing Systems II, 1976.
// Linux looks at no less than four cores (kernel/sched/fair.c, select_idle_cpu).
//
// The step time T is the root of T = max(floors of the resources, step + (host part + receiving) (s(u(T)) - 1)): the
// left side rises and the right side falls. The accelerators wait for each launch, so that the times add; if the host
// ran ahead of them by a queue of launches, the larger of both times would count. docs/models/host.md.
#pragma once

#include <array>

#include "models/hops/path.hpp"
#include "models/hops/stage.hpp"

namespace headrace::models {

/// 1 + u^d. Shape: u in [0, 1].
double host_slowdown(double utilization, double cores_searched);

/// Sets the slowdown at the path's window, with the wait and the time of receiving. Nothing changes without a host
/// part.
void slow_host_part(IngestPath& path);
void set_host_slowdown(IngestPath& path, double slowdown);

/// The slowdown where these stages take no time (relief).
double host_slowdown_without(const IngestPath& path, const std::array<bool, kStageCount>& relieved);

}  // namespace headrace::models
