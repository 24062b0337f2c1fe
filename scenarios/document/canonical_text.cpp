#include "scenarios/document/canonical_text.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/document/sha256.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using models::ChoiceAccess;
using models::Facts;
using models::Kind;
using models::Unit;
using models::Visitor;
using Json = nlohmann::ordered_json;

std::string in_quotes(std::string_view text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (!plain) return Json(text).dump();
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  out += text;
  return out += '"';
}

std::string list_of(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ',';
    out += item;
  }
  return out += ']';
}

void write_canonical(const Json& json, std::string& out) {
  if (json.is_object()) {
    std::map<std::string, const Json*> sorted;
    for (const auto& [key, value] : json.items()) sorted.emplace(key, &value);
    out += '{';
    for (const auto& [key, value] : sorted) {
      if (out.back() != '{') out += ',';
      out += in_quotes(key) + ":";
      write_canonical(*value, out);
    }
    out += '}';
  } else if (json.is_array()) {
    out += '[';
    for (const Json& item : json) {
      if (out.back() != '[') out += ',';
      write_canonical(item, out);
    }
    out += ']';
  } else {
    out += json.is_number_float() ? print_number(json.get<double>()) : json.dump();
  }
}

/// Collects the members of one record, laid out as print_record() does.
class CanonicalVisitor final : public Visitor {
 public:
  std::string text() {
    std::sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) { return a.key < b.key; });
    std::string out = "{";
    for (const Member& member : members_) {
      if (out.size() > 1) out += ',';
      out += in_quotes(member.key) + ":";
      out += member.text;
    }
    return out += '}';
  }

 private:
  struct Member {
    std::string key;
    std::string text;
    bool structured = false;
  };

  static std::string number(double value) {
    constexpr double widest = 9007199254740992.0;
    const auto whole = value >= -widest && value <= widest ? static_cast<std::int64_t>(value) : 0;
    return static_cast<double>(whole) == value ? std::to_string(whole) : print_number(value);  // 3, not 3.0
  }
  template <class Visit>
  static std::string record(const Visit& visit) {
    CanonicalVisitor inner;
    visit(inner);
    return inner.text();
  }
  void add(std::string_view key, std::string text) { members_.push_back({std::string(key), std::move(text), false}); }
  void add_structured(std::string_view key, std::string text) {
    members_.push_back({std::string(key), std::move(text), true});
  }

  void on_quantity(std::string_view key, double& value, Unit, const Facts&) override { add(key, number(value)); }
  void on_optional_quantity(std::string_view key, std::optional<double>& value, Unit, const Facts&) override {
    if (value) add(key, number(*value));
  }
  void on_quantities(std::string_view key, std::vector<double>& values, Unit, const Facts&) override {
    std::vector<std::string> items;
    for (const double value : values) items.push_back(number(value));
    add_structured(key, list_of(items));
  }
  void on_count(std::string_view key, std::int64_t& value, const Facts&) override { add(key, std::to_string(value)); }
  void on_optional_count(std::string_view key, std::optional<std::int64_t>& value, const Facts&) override {
    if (value) add(key, std::to_string(*value));
  }
  void on_flag(std::string_view key, bool& value, const Facts&) override { add(key, value ? "true" : "false"); }
  void on_text(std::string_view key, std::string& value, const Facts&) override { add(key, in_quotes(value)); }
  void on_json(std::string_view key, std::string& text, const Facts&) override {
    if (text.empty()) return;
    const Json json = Json::parse(text);
    members_.push_back({std::string(key), canonical_text(json), json.is_structured()});
  }
  void on_texts(std::string_view key, std::vector<models::NamedText>& values, const Facts&) override {
    if (values.empty()) return;
    Json json;
    for (const models::NamedText& value : values) json[value.name] = value.text;
    add_structured(key, canonical_text(json));
  }
  void on_name(std::string_view key, std::string& value, Kind, const Facts&) override {
    if (!value.empty()) add(key, in_quotes(value));
  }
  void on_reference(std::string_view key, std::string& value, Kind, const Facts&) override {
    if (!value.empty()) add(key, in_quotes(value));
  }
  void on_references(std::string_view key, std::vector<std::string>& values, Kind, const Facts&) override {
    std::vector<std::string> items;
    for (const std::string& value : values) items.push_back(in_quotes(value));
    add_structured(key, list_of(items));
  }
  void on_choice(std::string_view key, ChoiceAccess& choice, const Facts&) override {
    add(key, in_quotes(choice.names[choice.index]));
  }
  void on_record(std::string_view key, const Facts&, const std::function<void(Visitor&)>& visit) override {
    add_structured(key, record(visit));
  }
  void on_optional_record(std::string_view key, models::OptionalAccess& optional, const Facts&) override {
    if (optional.present()) add_structured(key, record([&optional](Visitor& v) { optional.visit(v); }));
  }
  void on_list(std::string_view key, models::ListAccess& list, const Facts& facts) override {
    if (facts.unseen_empty && list.size() == 0) return;
    std::vector<std::string> items;
    for (std::size_t i = 0; i < list.size(); ++i) items.push_back(record([&list, i](Visitor& v) { list.visit(i, v); }));
    add_structured(key, list_of(items));
  }
  void on_variant(std::string_view key, models::VariantAccess& variant, const Facts&) override {
    CanonicalVisitor inner;
    variant.visit(inner);
    const bool plain = variant.index() == 0 && inner.members_.size() == 1 && !inner.members_.front().structured;
    if (plain) return add(key, std::move(inner.members_.front().text));
    add_structured(key, "{" + in_quotes(variant.names()[variant.index()]) + ":" + inner.text() + "}");
  }
  void on_constraint(const models::ConstraintFacts&, bool) override {}
  void on_not_modelled(std::string_view, std::string_view) override {}

  std::vector<Member> members_;
};

}  // namespace

std::string canonical_text(const Json& json) {
  std::string out;
  write_canonical(json, out);
  return out;
}

std::string canonical_text(const DescribeFunction& describe_record) {
  CanonicalVisitor visitor;
  describe_record(visitor);
  return visitor.text();
}

std::string fingerprint(const DescribeFunction& describe_record) { return sha256(canonical_text(describe_record)); }

}  // namespace headrace::scenarios
