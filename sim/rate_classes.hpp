// The distinct limits that the flows of a fluid tree have, sorted. Nodes with the same NIC, cap and number of flows
// meet in one class by themselves, so that a water level moves over a few classes instead of over thousands of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/water_level.hpp"

namespace headrace::sim {

using ClassId = std::int32_t;

class RateClasses {
 public:
  /// The end of the sorted list: above every limit.
  static constexpr ClassId kEnd = 0;
  static constexpr ClassId kNone = -1;

  RateClasses();

  /// The class of `limit`, made if need be. `limit` is positive.
  ClassId intern(FixedRate limit);

  FixedRate limit(ClassId id) const { return classes_[index(id)].limit; }
  ClassId next(ClassId id) const { return classes_[index(id)].next; }
  ClassId previous(ClassId id) const { return classes_[index(id)].previous; }
  /// The class of the largest limit, kNone if there is none.
  ClassId largest() const { return classes_[0].previous; }
  std::int64_t flows(ClassId id) const { return classes_[index(id)].flows; }
  void add_flows(ClassId id, std::int64_t flows);

  /// Ids run from 0 to capacity() - 1; ids of reclaimed classes are used again.
  std::size_t capacity() const { return classes_.size(); }
  /// Whether empty classes outnumber the used ones so far that reclaim() pays.
  bool worth_reclaiming() const { return linked_ > 2 * used_ + 256; }
  bool is_empty(ClassId id) const { return id != kEnd && classes_[index(id)].flows == 0; }
  /// Forgets all empty classes. Nobody may hold one (move pointers on with next() first).
  void reclaim();

 private:
  struct Class {
    FixedRate limit = 0;
    std::int64_t flows = 0;
    ClassId next = kEnd;
    ClassId previous = kNone;
  };

  static std::size_t index(ClassId id) { return static_cast<std::size_t>(id); }
  std::size_t home(FixedRate limit) const {
    return static_cast<std::size_t>((static_cast<std::uint64_t>(limit) * 0x9e3779b97f4a7c15u) >> table_shift_);
  }
  void put_in_table(ClassId id);
  void rebuild_table(std::size_t slots);

  std::vector<Class> classes_;
  std::vector<ClassId> free_;
  std::map<FixedRate, ClassId> order_;  // finds the neighbours of a new limit
  std::vector<ClassId> table_;          // open addressing, finds a known limit; only ever looked up, never walked
  int table_shift_ = 0;
  std::size_t linked_ = 0;  // classes in the list
  std::size_t used_ = 0;    // of these, with flows
};

}  // namespace headrace::sim
