// Sets numbers, counts, flags and choices of a scenario by JSON pointer without reading any text: the pointers are
// resolved once, and a walk over the description then passes only the records that hold one of them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/spec/scenario.hpp"
#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

class PointSetter {
 public:
  PointSetter();
  ~PointSetter();
  PointSetter(PointSetter&&) noexcept;
  PointSetter& operator=(PointSetter&&) noexcept;

  /// Adds a parameter and the values that it takes at each position of axis number `axis`. False, and nothing added,
  /// where it is no plain number, count, flag or choice of `scenario`, or where one of the values is not one that it
  /// may take: the document is the place to set those, and to complain.
  bool add(std::size_t axis, std::string_view pointer, const std::vector<Node>& values, models::Scenario scenario);

  /// Sets all parameters to the values at these positions, by axis. Returns the first relation between parameters that
  /// the result violates; empty if none.
  std::string set(const std::vector<std::size_t>& positions, models::Scenario& scenario) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace headrace::scenarios
