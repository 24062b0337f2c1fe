#include "scenarios/results/point_shortcut.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace headrace::scenarios {
namespace {

constexpr std::size_t kMostVariants = 4096;  ///< that are kept; a scenario takes some kilobytes

bool holds(std::string_view outer, std::string_view inner) {
  return inner == outer || (inner.starts_with(outer) && inner[outer.size()] == '/');
}

/// Whether what one axis sets lies within what the other sets: then their order matters.
bool overlap(const Axis& one, const Axis& other) {
  return std::any_of(one.parameters.begin(), one.parameters.end(), [&](const AxisParameter& a) {
    return std::any_of(other.parameters.begin(), other.parameters.end(), [&](const AxisParameter& b) {
      return holds(a.pointer, b.pointer) || holds(b.pointer, a.pointer);
    });
  });
}

/// All parameters of an axis are set in one way.
bool add(const Axis& axis, std::size_t number, const std::vector<Node>& values, const models::Scenario& base,
         PointSetter& setter) {
  return std::all_of(axis.parameters.begin(), axis.parameters.end(), [&](const AxisParameter& parameter) {
    return setter.add(number, parameter.pointer, values, base);
  });
}

}  // namespace

PointShortcut::PointShortcut(const std::vector<Axis>& axes, const std::vector<std::vector<Node>>& values,
                             const models::Scenario& base) {
  for (std::size_t a = 0; a < axes.size(); ++a) {
    PointSetter trial;
    bool plain = add(axes[a], a, values[a], base, trial);
    for (std::size_t b = 0; plain && b < axes.size(); ++b) plain = b == a || !overlap(axes[a], axes[b]);
    if (plain)
      add(axes[a], a, values[a], base, setter_);
    else
      documented_.push_back(a);
  }
  if (documented_.empty()) variants_.emplace(std::vector<std::size_t>(), std::make_shared<models::Scenario>(base));
}

std::shared_ptr<const models::Scenario> PointShortcut::variant(const std::vector<std::size_t>& positions,
                                                               const Read& read) const {
  std::vector<std::size_t> where;
  where.reserve(documented_.size());
  for (const std::size_t axis : documented_) where.push_back(positions[axis]);
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = variants_.find(where); known != variants_.end()) return known->second;
    if (variants_.size() >= kMostVariants) return nullptr;
  }
  std::optional<models::Scenario> fresh = read(documented_);
  auto kept = fresh ? std::make_shared<const models::Scenario>(std::move(*fresh)) : nullptr;
  const std::scoped_lock lock(mutex_);
  return variants_.emplace(std::move(where), std::move(kept)).first->second;
}

std::optional<models::Scenario> PointShortcut::at(const std::vector<std::size_t>& positions, const Read& read) const {
  const std::shared_ptr<const models::Scenario> base = variant(positions, read);
  if (!base) return std::nullopt;
  models::Scenario scenario = *base;
  const std::string violated = setter_.set(positions, scenario);
  return violated.empty() ? std::optional(std::move(scenario)) : std::nullopt;
}

}  // namespace headrace::scenarios
