#include "scenarios/document/explain_visitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using models::ChoiceAccess;
using models::Facts;
using models::Kind;
using models::Unit;
using models::Visitor;

std::string limits_text(const Facts& facts, Unit unit) {
  std::string out;
  const auto add = [&out](std::string_view words, double limit, Unit u) {
    if (models::is_stated(limit)) out += (out.empty() ? "" : ", ") + std::string(words) + print_quantity(limit, u);
  };
  constexpr double widest = 9007199254740992.0;  // no limit of its own, only of whole doubles
  add("at least ", facts.min, unit);
  add("more than ", facts.above, unit);
  add("at most ", facts.max == widest ? models::kUntold : facts.max, unit);
  add("less than ", facts.below, unit);
  return out;
}

class ExplainVisitor final : public Visitor {
 public:
  std::vector<Parameter> parameters;

 private:
  Parameter& add(std::string_view key, std::string type, const Facts& facts, std::string default_text) {
    Parameter p;
    p.pointer = join_pointer(pointer_, key);
    p.type = std::move(type);
    p.required = facts.required;
    if (!facts.required) p.default_text = std::move(default_text);
    p.evidence = facts.required ? std::string() : std::string(evidence_name(facts.evidence));
    p.meaning = std::string(facts.meaning);
    p.source = std::string(facts.source);
    p.rule = std::string(facts.rule);
    p.log_scale = facts.log_scale;
    parameters.push_back(std::move(p));
    return parameters.back();
  }
  void add_number(std::string_view key, std::string type, Unit unit, const Facts& facts, std::string default_text) {
    Parameter& p = add(key, std::move(type), facts, std::move(default_text));
    if (needs_unit(unit)) p.unit = std::string(unit_symbol(unit));
    p.limits = limits_text(facts, unit);
    p.ranged = models::is_stated(facts.low) && models::is_stated(facts.high);
    if (!p.ranged) return;
    p.low = facts.low;
    p.high = facts.high;
    p.plausible = fmt::format("{} to {}", print_quantity(facts.low, unit), print_quantity(facts.high, unit));
  }
  void within(std::string_view key, const std::function<void(Visitor&)>& visit) {
    const std::string outer = pointer_;
    pointer_ = join_pointer(pointer_, key);
    visit(*this);
    pointer_ = outer;
  }

  void on_quantity(std::string_view key, double& value, Unit unit, const Facts& facts) override {
    add_number(key, unit == Unit::one ? "number" : (unit == Unit::fraction ? "fraction" : "quantity"), unit, facts,
               print_quantity(value, unit));
  }
  void on_optional_quantity(std::string_view key, std::optional<double>& value, Unit unit,
                            const Facts& facts) override {
    add_number(key, needs_unit(unit) ? "quantity" : "number", unit, facts, value ? print_quantity(*value, unit) : "");
  }
  void on_quantities(std::string_view key, std::vector<double>& values, Unit unit, const Facts& facts) override {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + print_quantity(value, unit);
    add_number(key, "list of quantities", unit, facts, "[" + text + "]");
  }
  void on_count(std::string_view key, std::int64_t& value, const Facts& facts) override {
    add_number(key, "count", Unit::one, facts, std::to_string(value));
  }
  void on_optional_count(std::string_view key, std::optional<std::int64_t>& value, const Facts& facts) override {
    add_number(key, "count", Unit::one, facts, value ? std::to_string(*value) : "");
  }
  void on_flag(std::string_view key, bool& value, const Facts& facts) override {
    add(key, "flag", facts, value ? "true" : "false");
  }
  void on_text(std::string_view key, std::string& value, const Facts& facts) override {
    add(key, "text", facts, value);
  }
  void on_json(std::string_view key, std::string& text, const Facts& facts) override {
    add(key, "any value", facts, text);
  }
  void on_texts(std::string_view key, std::vector<models::NamedText>&, const Facts& facts) override {
    add(key, "texts by name", facts, "none").evidence.clear();
  }
  void on_name(std::string_view key, std::string& value, Kind kind, const Facts& facts) override {
    add(key, "name", facts, value).choices = fmt::format("unique name of a {}", kind_name(kind));
  }
  void on_reference(std::string_view key, std::string& value, Kind kind, const Facts& facts) override {
    add(key, "reference", facts, value).choices = fmt::format("name of a {}", kind_name(kind));
  }
  void on_references(std::string_view key, std::vector<std::string>&, Kind kind, const Facts& facts) override {
    add(key, "list of references", facts, "[]").choices = fmt::format("names of a {}", kind_name(kind));
  }
  void on_choice(std::string_view key, ChoiceAccess& choice, const Facts& facts) override {
    add(key, "choice", facts, std::string(choice.names[choice.index])).choices = list_words(choice.names);
  }
  void on_record(std::string_view key, const Facts& facts, const std::function<void(Visitor&)>& visit) override {
    add(key, "record", facts, "").evidence.clear();
    if (!facts.catalogue.empty())
      parameters.back().choices = fmt::format("or a name of the catalogue section '{}'", facts.catalogue);
    if (!facts.bare.empty()) parameters.back().choices += fmt::format(", or a number, which means '{}'", facts.bare);
    within(key, visit);
  }
  void on_optional_record(std::string_view key, models::OptionalAccess& record, const Facts& facts) override {
    add(key, "optional record", facts, "").evidence.clear();
    within(key, [&record](Visitor& v) { record.visit_default(v); });
  }
  void on_list(std::string_view key, models::ListAccess& list, const Facts& facts) override {
    Parameter& p = add(key, "list", facts, fmt::format("{} elements", list.size()));
    p.evidence.clear();
    if (!facts.singular.empty()) p.choices = fmt::format("short form for one element: \"{}\"", facts.singular);
    within(key, [&](Visitor&) { within("*", [&list](Visitor& v) { list.visit_default(v); }); });
  }
  void on_variant(std::string_view key, models::VariantAccess& variant, const Facts& facts) override {
    const std::string names = list_words(variant.names());
    if (const auto unit = variant.unit()) {
      add_number(
          key, "distribution", *unit, facts,
          variant.index() == 0 ? print_quantity(variant.mean(), *unit) : std::string(variant.names()[variant.index()]));
      parameters.back().choices = "a value, or one of " + names;
      return;
    }
    Parameter& p = add(key, "variant", facts, std::string(variant.names()[variant.index()]));
    p.choices = names;
    for (std::size_t i = 0; i < variant.names().size(); ++i) {
      within(key, [&](Visitor&) {
        within(variant.names()[i], [&variant, i](Visitor& v) { variant.visit_alternative(i, v); });
      });
    }
  }
  void on_constraint(const models::ConstraintFacts&, bool) override {}
  void on_not_modelled(std::string_view key, std::string_view meaning) override {
    Facts facts;
    facts.meaning = meaning;
    add(key, "not modelled yet", facts, "").evidence.clear();
  }

  std::string pointer_;
};

/// Path tokens without list positions: "/jobs/0/loader" and "jobs.loader" are {"jobs", "loader"}.
std::vector<std::string> path_words(std::string_view path) {
  std::vector<std::string> out;
  std::string word;
  const auto finish = [&] {
    const bool position = word == "*" || word.find_first_not_of("0123456789") == std::string::npos;
    if (!position) out.push_back(word);
    word.clear();
  };
  for (const char c : path) {
    if (c == '/' || c == '.')
      finish();
    else
      word += c;
  }
  finish();
  return out;
}

}  // namespace

std::vector<Parameter> list_parameters(const DescribeFunction& describe_record) {
  ExplainVisitor visitor;
  describe_record(visitor);
  return std::move(visitor.parameters);
}

std::vector<const Parameter*> find_parameters(const std::vector<Parameter>& all, std::string_view query) {
  const std::vector<std::string> wanted = path_words(query);
  std::vector<const Parameter*> whole;
  std::vector<const Parameter*> tail;
  if (wanted.empty()) return whole;
  for (const Parameter& p : all) {
    const std::vector<std::string> words = path_words(p.pointer);
    if (words == wanted) whole.push_back(&p);
    if (words.size() >= wanted.size() && std::equal(wanted.rbegin(), wanted.rend(), words.rbegin())) tail.push_back(&p);
  }
  return whole.empty() ? tail : whole;
}

namespace {

/// Keys of a record, or of the elements of a list, those that are required first: "store (required), interval, ...".
std::string keys_of(const Parameter& record, const std::vector<Parameter>& all) {
  const std::string inside = record.pointer + (record.type == "list" ? "/*/" : "/");
  std::string required;
  std::string others;
  for (const Parameter& p : all) {
    if (!p.pointer.starts_with(inside) || p.pointer.find('/', inside.size()) != std::string::npos) continue;
    std::string& keys = p.required ? required : others;
    keys += (keys.empty() ? "" : ", ") + p.pointer.substr(inside.size()) + (p.required ? " (required)" : "");
  }
  return required.empty() || others.empty() ? required + others : required + ", " + others;
}

/// Broken between words, behind as many blanks as a label takes.
std::string folded(std::string text) {
  constexpr std::size_t kIndent = 13;
  constexpr std::size_t kWidth = 80;
  for (std::size_t begin = 0; text.size() - begin > kWidth - kIndent;) {
    const std::size_t at = text.rfind(' ', begin + kWidth - kIndent);
    if (at == std::string::npos || at <= begin) break;
    text.replace(at, 1, "\n" + std::string(kIndent, ' '));
    begin = at + 1 + kIndent;
  }
  return text;
}

}  // namespace

std::string print_parameter(const Parameter& p, const std::vector<Parameter>& all) {
  std::string out = fmt::format("{}\n  {}\n", p.pointer, p.meaning.empty() ? p.type : p.meaning);
  const auto line = [&out](std::string_view label, std::string_view text) {
    if (!text.empty()) out += fmt::format("  {}{} {}\n", label, std::string(10 - label.size(), ' '), text);
  };
  line("type", p.type);
  line("unit", p.unit);
  line("default", p.required ? "none: required" : std::string_view(p.default_text));
  line("plausible", p.plausible);
  line("limits", p.limits);
  line("allowed", p.choices);
  line("keys", folded(keys_of(p, all)));
  line("missing", p.rule);
  line("evidence", p.evidence);
  line("source", p.source);
  return out;
}

nlohmann::ordered_json parameter_json(const Parameter& p) {
  nlohmann::ordered_json json;
  json["pointer"] = p.pointer;
  json["type"] = p.type;
  json["required"] = p.required;
  const auto put = [&json](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  put("unit", p.unit);
  put("default", p.default_text);
  put("plausible", p.plausible);
  put("limits", p.limits);
  put("allowed", p.choices);
  put("missing", p.rule);
  put("evidence", p.evidence);
  put("meaning", p.meaning);
  put("source", p.source);
  return json;
}

}  // namespace headrace::scenarios
