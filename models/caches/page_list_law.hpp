// How often reads of a training job hit the page cache of Linux as an epoch goes on. The two lists have no closed form
// that holds over their range, so some thousand items are sent through them (page_lists.hpp), always with the same
// draws, and the ratio is taken from them: a third of a millisecond for a size that is
// asked for first.
#pragma once

#include <array>
#include <cstdint>

namespace headrace::models {

/// How many times longer than the inactive list the active one may grow: floor(sqrt(10 x GiB)), at least 1
/// (mm/vmscan.c, inactive_is_low).
std::uint32_t inactive_ratio(double bytes);

struct PageListLaw {
  double fraction = 0.0;  ///< of the corpus that the cache holds
  std::uint32_t inactive_ratio = 1;
  double readers = 1.0;             ///< nodes between whom the corpus is divided anew in every epoch
  std::uint64_t staged_epochs = 0;  ///< epochs that were read before the job, in orders of their own
  std::uint64_t own_epochs = 0;     ///< epochs of the job before this one
  bool fixed_order = false;         ///< of the job's epochs
};

inline constexpr std::size_t kPageWindows = 8;

/// Mean hit ratio in each eighth of the epoch; beyond 24 epochs the mean of six, since a fixed order may settle in
/// epochs that differ in turn. Standard deviation between draws below 0.01.
std::array<double, kPageWindows> page_list_hits(const PageListLaw& law);

/// The same at one position, 0 to 1, of the epoch; in a fixed order the mean of the epoch, wherever it is asked for.
double page_list_hit_ratio_at(const PageListLaw& law, double position);

}  // namespace headrace::models
