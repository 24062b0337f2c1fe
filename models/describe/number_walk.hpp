// Passes every number of a record in the order of its description and lets it be changed: what input uncertainty
// draws. Names, choices and flags are decisions, not estimates, and are passed over.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/describe/describe.hpp"

namespace headrace::models {

/// A number as the walk passes it. References hold during the call.
struct NumberSite {
  const std::string& pointer;  ///< "/stores/0/latency"; for a law the pointer of the law
  Unit unit;
  const Facts& facts;
  bool law;           ///< the number is the mean of a distribution; a new one stretches it
  bool spread_only;   ///< it shapes a distribution and leaves its mean alone
  bool bare = false;  ///< a bare number may stand for its record, whose pointer names it too
};

class NumberWalk : public Visitor {
 protected:
  /// The number's new value; nullopt leaves it as it is.
  virtual std::optional<double> pass(const NumberSite& site, double value) = 0;
  /// The whole number's new value, which is rounded; it is drawn where somebody states its range only.
  virtual std::optional<double> pass_count(const NumberSite& /*site*/, double /*value*/) { return std::nullopt; }

 private:
  void on_quantity(std::string_view key, double& value, Unit unit, const Facts& facts) override;
  void on_optional_quantity(std::string_view key, std::optional<double>& value, Unit unit, const Facts& facts) override;
  void on_variant(std::string_view key, VariantAccess& variant, const Facts& facts) override;
  void on_record(std::string_view key, const Facts& facts, const std::function<void(Visitor&)>& visit) override;
  void on_optional_record(std::string_view key, OptionalAccess& record, const Facts& facts) override;
  void on_list(std::string_view key, ListAccess& list, const Facts& facts) override;
  void on_quantities(std::string_view, std::vector<double>&, Unit, const Facts&) override {}
  void on_count(std::string_view key, std::int64_t& value, const Facts& facts) override;
  void on_optional_count(std::string_view key, std::optional<std::int64_t>& value, const Facts& facts) override;
  void on_flag(std::string_view, bool&, const Facts&) override {}
  void on_text(std::string_view, std::string&, const Facts&) override {}
  void on_name(std::string_view, std::string&, Kind, const Facts&) override {}
  void on_reference(std::string_view, std::string&, Kind, const Facts&) override {}
  void on_references(std::string_view, std::vector<std::string>&, Kind, const Facts&) override {}
  void on_choice(std::string_view, ChoiceAccess&, const Facts&) override {}
  void on_constraint(const ConstraintFacts&, bool) override {}
  void on_not_modelled(std::string_view, std::string_view) override {}

  template <class Visit>
  void within(std::string_view key, const Visit& visit);
  void visit_law(VariantAccess& law);

  std::string pointer_;
  std::string_view bare_;         ///< of the record that is being walked
  std::optional<Unit> law_unit_;  ///< inside a law: the unit of its values
  bool mean_fixed_ = false;       ///< inside a law that is stated by its mean
};

}  // namespace headrace::models
