// Whether what a run waits for hangs on how it began. Where batches are nearly alike and every step waits for all
// ranks, ranks keep the order in which they began: they may ask one after the other and never wait, or all at once and
// wait in every step, each for longer than an epoch. The interval of one such run is narrow and says nothing of the
// others.
#pragma once

#include <cstdint>

namespace headrace::models {

struct IngestPath;
struct Measured;
class WindowStudy;

/// Starts that are compared. Of two ways to go on that are equally likely, four runs miss one with probability 1/8, two
/// with 1/2.
inline constexpr std::uint32_t kOtherStarts = 4;

/// Whether the steps of a window wait beyond what its resources ask for, or a resource is so busy that they might: only
/// then can a start make a difference.
bool may_depend_on_start(const WindowStudy& study);

/// The same of a mean step on a path.
bool may_depend_on_start(const IngestPath& path, double step_time_s);

/// Whether two runs lie further apart in their mean step than chance explains, and by more than the share of waits that
/// decides a verdict.
bool differ_by_start(const Measured& one_s, const Measured& other_s);

}  // namespace headrace::models
