#include "scenarios/results/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scenarios/document/complaint.hpp"
#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/parameter_sheet.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/document/units.hpp"
#include "sim/portable_math.hpp"

namespace headrace::scenarios {
namespace {

using models::Unit;

constexpr int kDigitsOfSums = 15;   ///< hides 0.1 + 0.2
constexpr int kDigitsOfPowers = 6;  ///< nobody needs 31.622776601683793 GB/s
constexpr std::string_view kKeys[] = {"parameter", "parameters", "name",  "values", "from",
                                      "to",        "step",       "count", "scale"};

double rounded(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  double result = value;
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

/// Whether the scenario has a count at this pointer, whose list positions stand as * in the description.
bool is_count(std::string_view pointer) {
  const auto tokens = pointer_tokens(pointer);
  if (!tokens) return false;
  std::string pattern;
  for (const std::string& token : *tokens) {
    const bool position = !token.empty() && token.find_first_not_of("0123456789") == std::string::npos;
    pattern = join_pointer(pattern, position ? "*" : token);
  }
  const std::vector<Parameter>& all = scenario_parameters();
  return std::any_of(all.begin(), all.end(),
                     [&](const Parameter& p) { return p.pointer == pattern && p.type == "count"; });
}

/// One axis being read.
class AxisReader {
 public:
  AxisReader(const Node& node, std::string_view pointer, const Sources& sources, Diagnostics& diagnostics)
      : node_(node), pointer_(pointer), sources_(sources), diagnostics_(diagnostics), before_(diagnostics.size()) {}

  std::optional<Axis> read(AxisForm form) {
    if (!node_.is(Node::Type::object)) {
      complain("E0201", pointer_, node_.place, fmt::format("an axis is an object, found {}", type_name(node_.type)),
               R"(write {"parameter": "/jobs/0/loader/workers", "values": [4, 8, 16]})");
      return std::nullopt;
    }
    axis_.place = node_.place;
    check_keys();
    read_parameters();
    read_name();
    read_values(form);
    if (diagnostics_.size() > before_) return std::nullopt;
    return std::move(axis_);
  }

 private:
  void complain(std::string_view code, std::string pointer, const Place& place, std::string message, std::string help) {
    diagnostics_.add(complaint_at(sources_, place, code, std::move(pointer), std::move(message), std::move(help)));
  }
  std::string at(std::string_view key) const { return join_pointer(pointer_, key); }
  const Node* find(std::string_view key) const { return node_.find(key); }

  void check_keys() {
    for (const Member& member : node_.members) {
      if (is_remark(member.key) || std::find(std::begin(kKeys), std::end(kKeys), member.key) != std::end(kKeys))
        continue;
      complain("E0203", at(member.key), member.key_place, fmt::format("unknown key '{}'", member.key),
               suggest(member.key, kKeys));
    }
  }

  void read_parameters() {
    const Node* one = find("parameter");
    const Node* many = find("parameters");
    if ((one == nullptr) == (many == nullptr)) {
      complain("E0501", pointer_, node_.place,
               one == nullptr ? "the axis names no parameter" : "'parameter' and 'parameters' are both given",
               R"(write "parameter": "/jobs/0/loader/workers", or a list of pointers as "parameters")");
      return;
    }
    if (one != nullptr) return add_parameter(*one, at("parameter"));
    if (!many->is(Node::Type::array) || many->items.empty()) {
      complain("E0501", at("parameters"), many->place, "'parameters' is a list of JSON pointers with at least one", "");
      return;
    }
    for (std::size_t i = 0; i < many->items.size(); ++i)
      add_parameter(many->items[i], join_pointer(at("parameters"), std::to_string(i)));
  }

  void add_parameter(const Node& node, const std::string& pointer) {
    const auto tokens =
        node.is(Node::Type::string) ? pointer_tokens(node.text) : std::optional<std::vector<std::string>>();
    if (!tokens || tokens->empty() || tokens->back() == "-") {
      complain("E0501", pointer, node.place,
               node.is(Node::Type::string) ? fmt::format("'{}' is not a single value", node.text)
                                           : fmt::format("expected a JSON pointer, found {}", type_name(node.type)),
               "write a pointer as for --set: /jobs/0/loader/workers");
      return;
    }
    for (const AxisParameter& other : axis_.parameters)
      if (other.pointer == node.text)
        complain("E0501", pointer, node.place, fmt::format("duplicate '{}' in one axis", node.text), "");
    axis_.parameters.push_back({node.text, node.place});
  }

  void read_name() {
    const Node* name = find("name");
    if (name == nullptr) {
      if (!axis_.parameters.empty()) axis_.name = pointer_tokens(axis_.parameters.front().pointer)->back();
      return;
    }
    if (!name->is(Node::Type::string) || name->text.empty()) {
      complain("E0201", at("name"), name->place, "the name of an axis is a word", "");
      return;
    }
    axis_.name = name->text;
  }

  void read_values(AxisForm form) {
    const Node* values = find("values");
    const bool ranged = find("from") != nullptr || find("to") != nullptr;
    if ((values != nullptr) == ranged) {
      complain("E0501", pointer_, node_.place,
               ranged ? "the axis has values and a range" : "the axis has neither values nor a range",
               R"(write "values": [...], or "from", "to" and "step")");
      return;
    }
    if (ranged) return read_range(form);
    for (const std::string_view key : {"step", "count", "scale"})
      if (const Node* extra = find(key))
        complain("E0501", at(key), extra->place, fmt::format("'{}' belongs to a range, not to values", key), "");
    if (!values->is(Node::Type::array)) {
      complain("E0201", at("values"), values->place,
               fmt::format("'values' is a list, found {}", type_name(values->type)), "");
    } else if (values->items.empty()) {
      complain("E0501", at("values"), values->place, "an axis without values leaves no point",
               "give at least one value, or remove the axis");
    } else if (values->items.size() > kMostAxisValues) {
      too_many(at("values"), values->place, static_cast<double>(values->items.size()));
    } else {
      axis_.values = values->items;
      if (form != AxisForm::linked) check_repeats(*values);
    }
  }

  void check_repeats(const Node& values) {
    std::vector<std::pair<std::string, std::size_t>> texts;
    for (std::size_t i = 0; i < values.items.size(); ++i) texts.emplace_back(print_json(values.items[i]), i);
    std::sort(texts.begin(), texts.end());
    for (std::size_t i = 1; i < texts.size(); ++i)
      if (texts[i].first == texts[i - 1].first)
        complain("E0501", join_pointer(at("values"), std::to_string(texts[i].second)),
                 values.items[texts[i].second].place,
                 fmt::format("duplicate {} in one axis", value_text(values.items[texts[i].second])), "");
  }

  void too_many(const std::string& pointer, const Place& place, double count) {
    complain("E0502", pointer, place,
             fmt::format("{:.0f} values are more than the {} that an axis may have", count, kMostAxisValues), "");
  }

  /// A number of the range: bare, or with a unit that the ends share.
  std::optional<double> read_number(std::string_view key, bool difference = false) {
    const Node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const bool zero = node->is(Node::Type::number) && node->number == 0.0;
    const auto number = zero ? ComparableNumber{0.0, range_.unit} : comparable_number(*node);
    if (!number) {
      complain("E0502", at(key), node->place,
               fmt::format("{} is not a number or quantity",
                           node->is(Node::Type::string) ? "'" + node->text + "'" : type_name(node->type)),
               "write 4, or a quantity with its unit: \"10 GB/s\"");
      return std::nullopt;
    }
    if (zero) return 0.0;
    const bool spelled = node->is(Node::Type::string);
    if (unit_known_ && (spelled != range_.spelled || number->unit != range_.unit)) {
      complain("E0502", at(key), node->place,
               fmt::format("{} and the other numbers of the range have different kinds of unit", value_text(*node)),
               difference ? "give the step a unit of the same kind as the ends" : "");
      return std::nullopt;
    }
    unit_known_ = true;
    range_.unit = number->unit;
    range_.spelled = spelled;
    return number->value;
  }

  void read_range(AxisForm form) {
    for (const std::string_view key : {"from", "to"})
      if (find(key) == nullptr)
        complain("E0502", pointer_, node_.place, fmt::format("the range has no '{}'", key), "give both ends");
    const auto low = read_number("from");
    const auto high = read_number("to");
    read_scale();
    if (!low || !high) return;
    range_.low = *low;
    range_.high = *high;
    range_.place = find("from")->place;
    range_.whole = !range_.spelled && std::any_of(axis_.parameters.begin(), axis_.parameters.end(),
                                                  [](const AxisParameter& p) { return is_count(p.pointer); });
    if (!(range_.low < range_.high))
      return complain("E0502", at("from"), range_.place, "a range must increase", "exchange 'from' and 'to'");
    if (range_.log_scale && range_.low <= 0.0)
      return complain("E0502", at("from"), range_.place, "a logarithmic range begins above 0", "");
    axis_.range = range_;
    spell_out(form);
  }

  void read_scale() {
    const Node* scale = find("scale");
    if (scale == nullptr) return;
    if (!scale->is(Node::Type::string) || (scale->text != "log" && scale->text != "linear"))
      complain("E0208", at("scale"), scale->place, "a scale is linear or log", "");
    range_.log_scale = scale->is(Node::Type::string) && scale->text == "log";
  }

  void spell_out(AxisForm form) {
    const Node* step = find("step");
    const Node* count = find("count");
    if (step == nullptr && count == nullptr) {
      if (form == AxisForm::listed)
        complain("E0502", pointer_, node_.place, "the range has neither a step nor a count",
                 R"(give a "step" or a "count")");
      return;
    }
    if (step != nullptr && count != nullptr)
      return complain("E0502", at("count"), count->place, "'step' and 'count' are both given", "keep one of them");
    if (step != nullptr) return spell_steps(*step);
    spell_count(*count);
  }

  void spell_steps(const Node& step) {
    if (range_.log_scale)
      return complain("E0502", at("step"), step.place, "a logarithmic range needs a count, not a step", "");
    const auto width = read_number("step", true);
    if (!width) return;
    if (!(*width > 0.0)) return complain("E0502", at("step"), step.place, "a step must be above 0", "");
    // The end belongs to the range when it is a whole number of steps away, give or take the rounding of decimals.
    const double steps = std::floor((range_.high - range_.low) / *width + 1e-9);
    if (steps >= static_cast<double>(kMostAxisValues)) return too_many(at("step"), step.place, steps + 1.0);
    for (double i = 0.0; i <= steps; i += 1.0) add_value(rounded(range_.low + i * *width, kDigitsOfSums));
  }

  void spell_count(const Node& count) {
    const bool whole = count.is(Node::Type::number) && std::floor(count.number) == count.number;
    if (!whole || count.number < 2.0)
      return complain("E0502", at("count"), count.place, "a count is a whole number from 2 on", "");
    if (count.number > static_cast<double>(kMostAxisValues)) return too_many(at("count"), count.place, count.number);
    const double last = count.number - 1.0;
    for (double i = 0.0; i <= last; i += 1.0) {
      double value = range_.low + (range_.high - range_.low) * (i / last);
      if (range_.log_scale) value = range_.low * sim::pexp(sim::plog(range_.high / range_.low) * (i / last));
      if (i == 0.0) value = range_.low;
      if (i == last) value = range_.high;
      const bool end = i == 0.0 || i == last;
      value = end ? value : rounded(value, range_.log_scale ? kDigitsOfPowers : kDigitsOfSums);
      if (range_.whole) value = std::floor(value + 0.5);
      add_value(value);
    }
  }

  /// Counts on a logarithmic scale may fall together; each value stands once.
  void add_value(double value) {
    Node node = value_node(range_, value);
    if (!axis_.values.empty() && axis_.values.back().text == node.text) return;
    axis_.values.push_back(std::move(node));
  }

 public:
  static Node value_node(const AxisRange& range, double value) {
    if (range.spelled) return make_string(print_quantity(value, range.unit), range.place);
    Node node;
    node.type = Node::Type::number;
    node.number = value;
    node.text = print_number(value);
    node.place = range.place;
    return node;
  }

 private:
  const Node& node_;
  std::string pointer_;
  const Sources& sources_;
  Diagnostics& diagnostics_;
  std::size_t before_;
  Axis axis_;
  AxisRange range_;
  bool unit_known_ = false;
};

}  // namespace

Node AxisRange::at(double share) const {
  double value = low + (high - low) * share;
  if (log_scale) value = low * sim::pexp(sim::plog(high / low) * share);
  if (whole && !log_scale) value = std::min(high, std::floor(low + (high - low + 1.0) * share));
  if (whole && log_scale) value = std::floor(value + 0.5);
  if (!whole) value = std::clamp(rounded(value, kDigitsOfPowers), low, high);
  return AxisReader::value_node(*this, value);
}

std::optional<Axis> read_axis(const Node& node, std::string_view pointer, const Sources& sources,
                              Diagnostics& diagnostics, AxisForm form) {
  return AxisReader(node, pointer, sources, diagnostics).read(form);
}

void apply_value(const Axis& axis, const Node& value, std::vector<Setting>& settings) {
  for (const AxisParameter& parameter : axis.parameters)
    settings.push_back({parameter.pointer, parameter.place, value});
}

std::string value_text(const Node& value) {
  if (value.is(Node::Type::string)) return value.text;
  if (value.is(Node::Type::number)) return value.text;
  return nlohmann::ordered_json::parse(print_json(value)).dump();
}

std::optional<ComparableNumber> comparable_number(const Node& value) {
  if (value.is(Node::Type::number)) return ComparableNumber{value.number, Unit::one};
  if (!value.is(Node::Type::string)) return std::nullopt;
  // A spelling belongs to one unit, except for bare numbers and shares, which come first and agree.
  for (int u = 0; u <= static_cast<int>(models::kLastUnit); ++u) {
    const auto unit = static_cast<Unit>(u);
    if (const auto number = parse_quantity(value.text, unit)) return ComparableNumber{*number, unit};
  }
  return std::nullopt;
}

}  // namespace headrace::scenarios
