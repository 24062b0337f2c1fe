#include "scenarios/planner/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

constexpr std::size_t kMostVariants = 2000;
constexpr std::string_view kContradiction = "E0210";

Diagnostics too_many(const std::string& message, const std::string& help) {
  Diagnostic d;
  d.code = "E0506";
  d.message = message;
  d.help = help;
  Diagnostics diagnostics;
  diagnostics.add(std::move(d));
  return diagnostics;
}

/// Whether every complaint is that values contradict each other, which another value elsewhere may mend.
bool only_contradictions(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics.sorted())
    if (d.code != kContradiction) return false;
  return true;
}

const Axis& part(const PlanAxis& axis, std::size_t index) { return index == 0 ? axis.axis : axis.with[index - 1]; }

}  // namespace

std::vector<Setting> Space::settings(std::size_t axis, std::size_t position) const {
  std::vector<Setting> all;
  for (std::size_t p = 0; p <= axes_[axis].with.size(); ++p) {
    const Axis& one = part(axes_[axis], p);
    apply_value(one, one.values[position], all);
  }
  return all;
}

tl::expected<Space, Diagnostics> Space::make(const LoadedScenario& base, std::vector<PlanAxis> axes,
                                             const Catalogue& catalogue) {
  Space space;
  space.base_ = &base;
  space.catalogue_ = &catalogue;
  space.axes_ = std::move(axes);
  for (const PlanAxis& axis : space.axes_) {
    if (axis.size() > kMostConfigurations / space.size_)
      return tl::unexpected(too_many(fmt::format("the decisions span more than {} configurations", kMostConfigurations),
                                     "use a larger step for ranges, or fewer decisions"));
    space.size_ *= axis.size();
  }
  if (auto resolved = space.resolve(catalogue); !resolved) return tl::unexpected(std::move(resolved.error()));
  space.find_own_values();
  space.scale_coordinates();
  return space;
}

tl::expected<void, Diagnostics> Space::resolve(const Catalogue& catalogue) {
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    bool plain = true;
    PointSetter trial;  // all parameters of an axis are set in one way
    for (std::size_t p = 0; plain && p <= axes_[a].with.size(); ++p)
      for (const AxisParameter& parameter : part(axes_[a], p).parameters)
        plain = plain && trial.add(a, parameter.pointer, part(axes_[a], p).values, base_->value);
    if (!plain) {
      documented_.push_back(a);
      continue;
    }
    for (std::size_t p = 0; p <= axes_[a].with.size(); ++p)
      for (const AxisParameter& parameter : part(axes_[a], p).parameters)
        setter_.add(a, parameter.pointer, part(axes_[a], p).values, base_->value);
  }
  return resolve_variants(catalogue);
}

tl::expected<void, Diagnostics> Space::resolve_variants(const Catalogue& catalogue) {
  // Each value alone first: what is wrong with it is told once, where it stands.
  for (const std::size_t a : documented_)
    for (std::size_t i = 0; i < axes_[a].size(); ++i) {
      auto one = load_variant<models::Scenario>(base_->composition, settings(a, i), catalogue);
      if (!one && !only_contradictions(one.error())) return tl::unexpected(std::move(one.error()));
    }
  std::size_t count = 1;
  for (const std::size_t a : documented_) count *= axes_[a].size();
  if (count > kMostVariants)
    return tl::unexpected(too_many(
        fmt::format("{} combinations of names, distributions or objects are more than {}", count, kMostVariants),
        "use fewer of these decisions"));
  for (std::size_t v = 0; v < count; ++v) {
    if (documented_.empty()) {
      variants_.push_back({base_->value, ""});
      break;
    }
    std::vector<Setting> all;
    std::size_t rest = v;
    for (std::size_t d = documented_.size(); d-- > 0;) {
      const std::size_t a = documented_[d];
      for (Setting& setting : settings(a, rest % axes_[a].size())) all.push_back(std::move(setting));
      rest /= axes_[a].size();
    }
    auto loaded = load_variant<models::Scenario>(base_->composition, all, catalogue);
    if (loaded)
      variants_.push_back({std::move(loaded->value), ""});
    else if (only_contradictions(loaded.error()))
      variants_.push_back({std::nullopt, loaded.error().sorted().front().message});
    else
      return tl::unexpected(std::move(loaded.error()));
  }
  return {};
}

void Space::find_own_values() {
  own_.resize(axes_.size());
  bool all = true;
  std::vector<std::size_t> positions;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    for (std::size_t i = 0; i < axes_[a].size() && !own_[a]; ++i) {
      auto same = load_variant<models::Scenario>(base_->composition, settings(a, i), *catalogue_);
      if (same && same->sha256 == base_->sha256) own_[a] = i;
    }
    all = all && own_[a].has_value();
    positions.push_back(own_[a].value_or(0));
  }
  if (all) today_ = point(positions);
}

std::vector<Setting> Space::changes(Point point) const {
  const std::vector<std::size_t> where = positions(point);
  std::vector<Setting> all;
  for (std::size_t a = 0; a < axes_.size(); ++a)
    if (own_[a] != where[a])
      for (Setting& setting : settings(a, where[a])) all.push_back(std::move(setting));
  return all;
}

std::optional<std::size_t> Space::neighbour(std::size_t axis, std::size_t position, bool more) const {
  const std::vector<Node>& values = axes_[axis].axis.values;
  const auto own = comparable_number(values[position]);
  std::optional<std::size_t> next;
  double nearest = 0.0;
  for (std::size_t i = 0; own && i < values.size(); ++i) {
    const auto number = comparable_number(values[i]);
    if (!number) return std::nullopt;
    const double distance = more ? number->value - own->value : own->value - number->value;
    if (!(distance > 0.0) || (next && distance >= nearest)) continue;
    next = i;
    nearest = distance;
  }
  return next;
}

std::string Space::own_text(std::size_t axis) const {
  if (own_[axis]) return axes_[axis].text(*own_[axis]);
  const std::string& pointer = axes_[axis].axis.parameters.front().pointer;
  if (const Node* written = find_at(base_->composition.document, pointer)) return value_text(*written);
  const auto value = nlohmann::ordered_json::json_pointer(pointer);
  if (!base_->resolved.contains(value)) return "none";
  const nlohmann::ordered_json& json = base_->resolved.at(value);
  return json.is_string() ? json.get<std::string>() : json.dump();
}

void Space::scale_coordinates() {
  for (const PlanAxis& axis : axes_) {
    std::vector<double> numbers;
    for (const Node& node : axis.axis.values)
      if (const auto number = comparable_number(node)) numbers.push_back(number->value);
    std::vector<double> scaled(axis.size(), 0.0);
    const bool numeric = numbers.size() == axis.size() && axis.size() > 1;
    if (!numeric)
      for (std::size_t i = 0; i < axis.size(); ++i) numbers.resize(axis.size()), numbers[i] = static_cast<double>(i);
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    const bool logarithmic = numeric && *low > 0.0 && *high >= 10.0 * *low;
    const auto scale = [&](double value) { return logarithmic ? std::log(value) : value; };
    const double from = scale(*low);
    const double width = scale(*high) - from;
    for (std::size_t i = 0; i < axis.size(); ++i) scaled[i] = width > 0.0 ? (scale(numbers[i]) - from) / width : 0.0;
    coordinates_.push_back(std::move(scaled));
  }
}

std::vector<std::size_t> Space::positions(Point point) const {
  std::vector<std::size_t> positions(axes_.size());
  for (std::size_t a = axes_.size(); a-- > 0;) {
    positions[a] = point % axes_[a].size();
    point /= axes_[a].size();
  }
  return positions;
}

Point Space::point(const std::vector<std::size_t>& positions) const {
  Point point = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) point = point * axes_[a].size() + positions[a];
  return point;
}

models::Scenario Space::at(Point point, std::string& conflict) const {
  const std::vector<std::size_t> where = positions(point);
  std::size_t v = 0;
  for (const std::size_t a : documented_) v = v * axes_[a].size() + where[a];
  const Variant& variant = variants_[v];
  if (!variant.scenario) {
    conflict = variant.conflict;
    return base_->value;
  }
  models::Scenario scenario = *variant.scenario;
  conflict = setter_.set(where, scenario);
  return scenario;
}

models::Scenario Space::at(Point point) const {
  std::string conflict;
  return at(point, conflict);
}

std::optional<models::Scenario> Space::with(const std::vector<std::optional<std::size_t>>& positions) const {
  std::vector<Setting> all;
  for (std::size_t a = 0; a < axes_.size(); ++a)
    if (positions[a])
      for (Setting& setting : settings(a, *positions[a])) all.push_back(std::move(setting));
  auto loaded = load_variant<models::Scenario>(base_->composition, all, *catalogue_);
  if (!loaded) return std::nullopt;
  return std::move(loaded->value);
}

std::vector<double> Space::coordinates(Point point) const {
  const std::vector<std::size_t> where = positions(point);
  std::vector<double> all(axes_.size());
  for (std::size_t a = 0; a < axes_.size(); ++a) all[a] = coordinates_[a][where[a]];
  return all;
}

}  // namespace headrace::scenarios
