// The way from a point of a space to its scenario that reads no document: values that are plain numbers, flags or
// choices are set in a copy, and what has to be read is read once for all points that share it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "scenarios/document/point_setter.hpp"
#include "scenarios/results/axis.hpp"

namespace headrace::scenarios {

class PointShortcut {
 public:
  /// `values` of each axis, by its position.
  PointShortcut(const std::vector<Axis>& axes, const std::vector<std::vector<Node>>& values,
                const models::Scenario& base);

  /// The scenario with these values read from the document; none where it complains.
  using Read = std::function<std::optional<models::Scenario>(const std::vector<std::size_t>& axes)>;

  /// The scenario at these positions, one for each axis. None where the document has to be read as a whole, because
  /// its complaint is wanted or values contradict each other. Safe to call from several threads.
  std::optional<models::Scenario> at(const std::vector<std::size_t>& positions, const Read& read) const;

 private:
  std::shared_ptr<const models::Scenario> variant(const std::vector<std::size_t>& positions, const Read& read) const;

  PointSetter setter_;
  std::vector<std::size_t> documented_;  ///< axes whose values are read
  mutable std::mutex mutex_;
  mutable std::map<std::vector<std::size_t>, std::shared_ptr<const models::Scenario>> variants_;  ///< null: a complaint
};

}  // namespace headrace::scenarios
