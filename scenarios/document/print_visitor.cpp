#include "scenarios/document/print_visitor.hpp"

#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using models::ChoiceAccess;
using models::Facts;
using models::Kind;
using models::Unit;
using models::Visitor;
using Json = nlohmann::ordered_json;

class PrintVisitor final : public Visitor {
 public:
  Json json = Json::object();

 private:
  static Json print(double value, Unit unit) {
    if (needs_unit(unit)) return print_quantity(value, unit);
    constexpr double widest = 9007199254740992.0;
    const auto whole = value >= -widest && value <= widest ? static_cast<std::int64_t>(value) : 0;
    if (static_cast<double>(whole) == value) return whole;  // 3, not 3.0
    return value;
  }
  template <class Visit>
  static Json print_within(const Visit& visit) {
    PrintVisitor inner;
    visit(inner);
    return std::move(inner.json);
  }
  Json& slot(std::string_view key) { return json[std::string(key)]; }

  void on_quantity(std::string_view key, double& value, Unit unit, const Facts&) override {
    slot(key) = print(value, unit);
  }
  void on_optional_quantity(std::string_view key, std::optional<double>& value, Unit unit, const Facts&) override {
    if (value) slot(key) = print(*value, unit);
  }
  void on_quantities(std::string_view key, std::vector<double>& values, Unit unit, const Facts&) override {
    slot(key) = Json::array();
    for (const double value : values) slot(key).push_back(print(value, unit));
  }
  void on_count(std::string_view key, std::int64_t& value, const Facts&) override { slot(key) = value; }
  void on_optional_count(std::string_view key, std::optional<std::int64_t>& value, const Facts&) override {
    if (value) slot(key) = *value;
  }
  void on_flag(std::string_view key, bool& value, const Facts&) override { slot(key) = value; }
  void on_text(std::string_view key, std::string& value, const Facts&) override { slot(key) = value; }
  void on_json(std::string_view key, std::string& text, const Facts&) override {
    if (!text.empty()) slot(key) = Json::parse(text);
  }
  void on_texts(std::string_view key, std::vector<models::NamedText>& values, const Facts&) override {
    for (const models::NamedText& value : values) slot(key)[value.name] = value.text;
  }
  void on_name(std::string_view key, std::string& value, Kind, const Facts&) override {
    if (!value.empty()) slot(key) = value;
  }
  void on_reference(std::string_view key, std::string& value, Kind, const Facts&) override {
    if (!value.empty()) slot(key) = value;
  }
  void on_references(std::string_view key, std::vector<std::string>& values, Kind, const Facts&) override {
    slot(key) = values;
  }
  void on_choice(std::string_view key, ChoiceAccess& choice, const Facts&) override {
    slot(key) = choice.names[choice.index];
  }
  void on_record(std::string_view key, const Facts&, const std::function<void(Visitor&)>& visit) override {
    slot(key) = print_within(visit);
  }
  void on_optional_record(std::string_view key, models::OptionalAccess& record, const Facts&) override {
    if (record.present()) slot(key) = print_within([&record](Visitor& v) { record.visit(v); });
  }
  void on_list(std::string_view key, models::ListAccess& list, const Facts& facts) override {
    if (facts.unseen_empty && list.size() == 0) return;
    slot(key) = Json::array();
    for (std::size_t i = 0; i < list.size(); ++i) {
      slot(key).push_back(print_within([&list, i](Visitor& v) { list.visit(i, v); }));
    }
  }
  void on_variant(std::string_view key, models::VariantAccess& variant, const Facts&) override {
    Json inner = print_within([&variant](Visitor& v) { variant.visit(v); });
    const bool plain = variant.index() == 0 && inner.size() == 1 && !inner.begin()->is_structured();
    if (plain) {
      slot(key) = *inner.begin();
    } else {
      slot(key) = Json::object();
      slot(key)[std::string(variant.names()[variant.index()])] = std::move(inner);
    }
  }
  void on_constraint(const models::ConstraintFacts&, bool) override {}
  void on_not_modelled(std::string_view, std::string_view) override {}
};

}  // namespace

Json print_record(const DescribeFunction& describe_record) {
  PrintVisitor visitor;
  describe_record(visitor);
  return std::move(visitor.json);
}

}  // namespace headrace::scenarios
