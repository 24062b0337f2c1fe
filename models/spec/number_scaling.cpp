#include "models/spec/number_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/describe/describe.hpp"

namespace headrace::models {
namespace {

class ScalingVisitor final : public Visitor {
 public:
  explicit ScalingVisitor(const NumberFactors& factors) : factors_(factors) {}
  std::set<std::string> found;
  std::string conflict;

 private:
  /// The factor of a key; 1 where nobody asks for another one.
  double factor(std::string_view key) {
    const auto entry = factors_.find(pointer_ + "/" + std::string(key));
    if (entry == factors_.end()) return 1.0;
    found.insert(entry->first);
    return entry->second;
  }
  void on_quantity(std::string_view key, double& value, Unit, const Facts&) override { value *= factor(key); }
  void on_optional_quantity(std::string_view key, std::optional<double>& value, Unit, const Facts&) override {
    if (value) *value *= factor(key);
  }
  void on_quantities(std::string_view, std::vector<double>&, Unit, const Facts&) override {}
  void on_count(std::string_view key, std::int64_t& value, const Facts& facts) override {
    const double by = factor(key);
    if (value == 0 || by == 1.0) return;
    const double scaled = std::max(1.0, std::round(static_cast<double>(value) * by));
    value = static_cast<std::int64_t>(is_stated(facts.max) ? std::min(scaled, facts.max) : scaled);
  }
  void on_optional_count(std::string_view key, std::optional<std::int64_t>& value, const Facts& facts) override {
    if (value) on_count(key, *value, facts);
  }
  void on_variant(std::string_view key, VariantAccess& variant, const Facts&) override {
    if (variant.unit())
      variant.scale(factor(key));
    else
      within(key, [&] { within(variant.names()[variant.index()], [&] { variant.visit(*this); }); });
  }
  void on_record(std::string_view key, const Facts&, const std::function<void(Visitor&)>& visit) override {
    within(key, [&] { visit(*this); });
  }
  void on_optional_record(std::string_view key, OptionalAccess& record, const Facts&) override {
    if (record.present()) within(key, [&] { record.visit(*this); });
  }
  void on_list(std::string_view key, ListAccess& list, const Facts&) override {
    within(key, [&] {
      for (std::size_t i = 0; i < list.size(); ++i) within(std::to_string(i), [&] { list.visit(i, *this); });
    });
  }
  void on_constraint(const ConstraintFacts& constraint, bool holds) override {
    if (!holds && conflict.empty()) conflict = constraint.message;
  }
  void on_flag(std::string_view, bool&, const Facts&) override {}
  void on_text(std::string_view, std::string&, const Facts&) override {}
  void on_texts(std::string_view, std::vector<NamedText>&, const Facts&) override {}
  void on_name(std::string_view, std::string&, Kind, const Facts&) override {}
  void on_reference(std::string_view, std::string&, Kind, const Facts&) override {}
  void on_references(std::string_view, std::vector<std::string>&, Kind, const Facts&) override {}
  void on_choice(std::string_view, ChoiceAccess&, const Facts&) override {}
  void on_not_modelled(std::string_view, std::string_view) override {}

  template <class Visit>
  void within(std::string_view key, const Visit& visit) {
    const std::size_t length = pointer_.size();
    pointer_ += '/';
    pointer_ += key;
    visit();
    pointer_.resize(length);
  }

  const NumberFactors& factors_;
  std::string pointer_;
};

}  // namespace

std::string scale_numbers(const NumberFactors& factors, Scenario& scenario) {
  ScalingVisitor visitor(factors);
  describe(scenario, static_cast<Visitor&>(visitor));
  return visitor.conflict;
}

std::set<std::string> without_number(const NumberFactors& factors, const Scenario& scenario) {
  Scenario copy = scenario;
  ScalingVisitor visitor(factors);
  describe(copy, static_cast<Visitor&>(visitor));
  std::set<std::string> missing;
  for (const auto& [pointer, factor] : factors)
    if (!visitor.found.contains(pointer)) missing.insert(pointer);
  return missing;
}

}  // namespace headrace::models
