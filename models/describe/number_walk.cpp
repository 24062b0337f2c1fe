#include "models/describe/number_walk.hpp"

#include <cmath>
#include <utility>

namespace headrace::models {

template <class Visit>
void NumberWalk::within(std::string_view key, const Visit& visit) {
  const std::size_t length = pointer_.size();
  pointer_ += '/';
  pointer_ += key;
  visit();
  pointer_.resize(length);
}

void NumberWalk::on_quantity(std::string_view key, double& value, Unit unit, const Facts& facts) {
  // The values of a law move together, by its mean; the shares of its quantile table are what orders them.
  if (law_unit_ && (unit == *law_unit_ || unit == Unit::fraction)) return;
  within(key, [&] {
    const NumberSite site{pointer_, unit, facts, false, law_unit_.has_value() && mean_fixed_, key == bare_};
    if (const std::optional<double> changed = pass(site, value)) value = *changed;
  });
}

void NumberWalk::on_optional_quantity(std::string_view key, std::optional<double>& value, Unit unit,
                                      const Facts& facts) {
  if (value) on_quantity(key, *value, unit, facts);
}

void NumberWalk::on_count(std::string_view key, std::int64_t& value, const Facts& facts) {
  within(key, [&] {
    const NumberSite site{pointer_, Unit::one, facts, false, false, key == bare_};
    if (const std::optional<double> changed = pass_count(site, static_cast<double>(value)))
      value = std::llround(*changed);
  });
}

void NumberWalk::on_optional_count(std::string_view key, std::optional<std::int64_t>& value, const Facts& facts) {
  if (value) on_count(key, *value, facts);
}

void NumberWalk::on_variant(std::string_view key, VariantAccess& variant, const Facts& facts) {
  within(key, [&] {
    const std::optional<Unit> unit = variant.unit();
    if (!unit) {
      within(variant.names()[variant.index()], [&] { variant.visit(*this); });
      return;
    }
    if (!law_unit_) {
      const double mean = variant.mean();
      const std::optional<double> changed = pass({pointer_, *unit, facts, true, false}, mean);
      if (changed && mean > 0.0) variant.scale(*changed / mean);
    }
    visit_law(variant);
  });
}

void NumberWalk::visit_law(VariantAccess& law) {
  const std::optional<Unit> outer_unit = law_unit_;
  const bool outer_fixed = mean_fixed_;
  const std::string_view family = law.names()[law.index()];
  law_unit_ = law.unit();
  mean_fixed_ = family != "pareto" && family != "mixture";
  within(family, [&] { law.visit(*this); });
  law_unit_ = outer_unit;
  mean_fixed_ = outer_fixed;
}

void NumberWalk::on_record(std::string_view key, const Facts& facts, const std::function<void(Visitor&)>& visit) {
  const std::string_view outer = std::exchange(bare_, facts.bare);
  within(key, [&] { visit(*this); });
  bare_ = outer;
}

void NumberWalk::on_optional_record(std::string_view key, OptionalAccess& record, const Facts&) {
  if (record.present()) within(key, [&] { record.visit(*this); });
}

void NumberWalk::on_list(std::string_view key, ListAccess& list, const Facts&) {
  within(key, [&] {
    for (std::size_t i = 0; i < list.size(); ++i) within(std::to_string(i), [&] { list.visit(i, *this); });
  });
}

}  // namespace headrace::models
