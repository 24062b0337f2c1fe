// Whether what a run waits for hangs on how it began. Where batches are nearly alike and every step waits for all
// ranks, ranks keep the order in which they began: they may ask one after the other and never wait, or all at once and
// wait in every step, each for longer than an epoch. The interval of one such run is narrow and says nothing of the
// others.
#pragma once

#include <cstdint>

namespace headrace::models {

class WindowStudy;

/// Starts that are compared where two of them differ.
inline constexpr std::uint32_t kOtherStarts = 4;

/// Whether the steps of a window wait beyond what its resources ask for, or a resource is so busy that they might: only
/// then can a start make a difference.
bool may_depend_on_start(const WindowStudy& study);

/// Whether the first two replications lie further apart in their mean step than chance explains, and by more than the
/// share of waits that decides a verdict.
bool differ_by_start(const WindowStudy& study);

}  // namespace headrace::models
