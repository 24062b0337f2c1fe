#include "scenarios/results/condition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenarios/document/complaint.hpp"
#include "scenarios/document/edit_distance.hpp"

namespace headrace::scenarios {
namespace {

using Operator = Condition::Operator;
using Kind = Condition::Kind;

constexpr std::array<std::string_view, 7> kOperators = {"is",      "is_not",    "in",      "less_than",
                                                        "at_most", "more_than", "at_least"};

bool needs_order(Operator op) { return op >= Operator::less_than; }

bool equal(const Comparable& a, const Comparable& b, double times) {
  if (a.number && b.number && a.number->unit == b.number->unit) return a.number->value == b.number->value * times;
  return a.text == b.text;
}

bool ordered(Operator op, const Comparable& a, const Comparable& b, double times) {
  if (!a.number || !b.number) return false;
  const double left = a.number->value;
  const double right = b.number->value * times;
  switch (op) {
    case Operator::less_than:
      return left < right;
    case Operator::at_most:
      return left <= right;
    case Operator::more_than:
      return left > right;
    default:
      return left >= right;
  }
}

class ConditionReader {
 public:
  ConditionReader(std::span<const Axis> axes, const Sources& sources, Diagnostics& diagnostics)
      : axes_(axes), sources_(sources), diagnostics_(diagnostics) {}

  Condition read(const Node& node, const std::string& pointer) {
    Condition condition;
    if (!node.is(Node::Type::object)) {
      complain("E0201", pointer, node.place, fmt::format("a condition is an object, found {}", type_name(node.type)),
               R"(write {"axis": "workers", "at_most": 16})");
      return condition;
    }
    if (node.find("axis") != nullptr) return read_comparison(node, pointer);
    if (node.find("if") != nullptr) return read_implication(node, pointer);
    for (const auto& [key, kind] : {std::pair{"all", Kind::all}, {"any", Kind::any}}) {
      if (node.find(key) == nullptr) continue;
      check_keys(node, pointer, {key});
      return read_list(*node.find(key), join_pointer(pointer, key), kind);
    }
    if (const Node* inner = node.find("not")) {
      check_keys(node, pointer, {"not"});
      condition.kind = Kind::negation;
      condition.parts.push_back(read(*inner, join_pointer(pointer, "not")));
      return condition;
    }
    complain("E0503", pointer, node.place, "the condition names no axis",
             R"(write {"axis": NAME, "at_most": VALUE}, {"if": ..., "then": ...}, {"all": [...]}, {"any": [...]} or )"
             R"({"not": ...})");
    return condition;
  }

 private:
  void complain(std::string_view code, std::string pointer, const Place& place, std::string message, std::string help) {
    diagnostics_.add(complaint_at(sources_, place, code, std::move(pointer), std::move(message), std::move(help)));
  }

  void check_keys(const Node& node, const std::string& pointer, const std::vector<std::string_view>& known) {
    for (const Member& member : node.members)
      if (!is_remark(member.key) && std::find(known.begin(), known.end(), member.key) == known.end())
        complain("E0203", join_pointer(pointer, member.key), member.key_place,
                 fmt::format("unknown key '{}'", member.key), suggest(member.key, known));
  }

  Condition read_list(const Node& list, const std::string& pointer, Kind kind) {
    Condition condition;
    condition.kind = kind;
    if (!list.is(Node::Type::array) || list.items.empty()) {
      complain("E0201", pointer, list.place, "expected a list of conditions with at least one", "");
      return condition;
    }
    for (std::size_t i = 0; i < list.items.size(); ++i)
      condition.parts.push_back(read(list.items[i], join_pointer(pointer, std::to_string(i))));
    return condition;
  }

  Condition read_implication(const Node& node, const std::string& pointer) {
    check_keys(node, pointer, {"if", "then", "else"});
    Condition condition;
    condition.kind = Kind::implication;
    if (node.find("then") == nullptr) {
      complain("E0503", pointer, node.place, "the condition has an 'if' and no 'then'", "");
      return condition;
    }
    for (const char* key : {"if", "then", "else"})
      if (const Node* part = node.find(key)) condition.parts.push_back(read(*part, join_pointer(pointer, key)));
    return condition;
  }

  std::optional<std::size_t> axis_named(const Node& name, const std::string& pointer) {
    for (std::size_t i = 0; i < axes_.size(); ++i)
      if (name.is(Node::Type::string) && axes_[i].name == name.text) return i;
    std::vector<std::string_view> names;
    for (const Axis& axis : axes_) names.emplace_back(axis.name);
    complain("E0503", pointer, name.place,
             fmt::format("there is no axis {}", name.is(Node::Type::string) ? "'" + name.text + "'" : "of this kind"),
             suggest(name.text, names));
    return std::nullopt;
  }

  Condition read_comparison(const Node& node, const std::string& pointer) {
    Condition condition;
    std::vector<std::string_view> known(kOperators.begin(), kOperators.end());
    known.emplace_back("axis");
    check_keys(node, pointer, known);
    const auto axis = axis_named(*node.find("axis"), join_pointer(pointer, "axis"));
    const Member* operation = nullptr;
    std::size_t operations = 0;
    for (const Member& member : node.members) {
      const auto found = std::find(kOperators.begin(), kOperators.end(), member.key);
      if (found == kOperators.end()) continue;
      operation = &member;
      condition.op = static_cast<Operator>(found - kOperators.begin());
      ++operations;
    }
    if (operations != 1) {
      complain("E0503", pointer, node.place, fmt::format("{} comparisons, but exactly one is needed", operations),
               "one of " + list_words(kOperators));
      return condition;
    }
    if (!axis) return condition;
    condition.axis = *axis;
    read_operand(*operation, join_pointer(pointer, operation->key), condition);
    return condition;
  }

  void read_operand(const Member& operation, const std::string& pointer, Condition& condition) {
    const Node& value = operation.value;
    if (value.is(Node::Type::object) && value.find("axis") != nullptr && condition.op != Operator::in)
      return read_other_axis(value, pointer, condition);
    if (condition.op == Operator::in) {
      if (!value.is(Node::Type::array) || value.items.empty())
        return complain("E0201", pointer, value.place, "'in' needs a list with at least one value", "");
      for (const Node& item : value.items) condition.values.push_back(comparable(item));
    } else {
      condition.values.push_back(comparable(value));
    }
    if (!needs_order(condition.op)) return;
    check_unit(condition.axis, condition.values.front().number, pointer, value.place);
  }

  void read_other_axis(const Node& value, const std::string& pointer, Condition& condition) {
    check_keys(value, pointer, {"axis", "times"});
    condition.other_axis = axis_named(*value.find("axis"), join_pointer(pointer, "axis"));
    if (const Node* times = value.find("times")) {
      if (!times->is(Node::Type::number) || times->number <= 0.0)
        complain("E0201", join_pointer(pointer, "times"), times->place, "'times' is a number above 0", "");
      condition.times = times->number;
    }
    if (!condition.other_axis || (!needs_order(condition.op) && condition.times == 1.0)) return;
    check_unit(condition.axis, number_of(axes_[*condition.other_axis]), pointer, value.place);
  }

  /// The number that stands first on an axis: its unit is that of the axis.
  static std::optional<ComparableNumber> number_of(const Axis& axis) {
    if (axis.range) return ComparableNumber{axis.range->low, axis.range->unit};
    for (const Node& value : axis.values)
      if (value.is(Node::Type::string) || value.number != 0.0) return comparable_number(value);
    return comparable_number(axis.values.front());
  }

  /// A bare 0 compares with every unit; nothing else does with another.
  void check_unit(std::size_t axis, const std::optional<ComparableNumber>& other, const std::string& pointer,
                  const Place& place) {
    const auto own = number_of(axes_[axis]);
    const bool zero = other && other->value == 0.0;
    if (own && other && (own->unit == other->unit || zero)) return;
    complain("E0503", pointer, place, fmt::format("the values of '{}' cannot be ordered by this", axes_[axis].name),
             own ? "compare a quantity with one of its kind" : "words compare with is, is_not and in");
  }

  std::span<const Axis> axes_;
  const Sources& sources_;
  Diagnostics& diagnostics_;
};

}  // namespace

Comparable comparable(const Node& value) { return {print_json(value), comparable_number(value)}; }

bool Condition::holds(std::span<const Comparable> point) const {
  const auto part_holds = [&point](const Condition& part) { return part.holds(point); };
  switch (kind) {
    case Kind::all:
      return std::all_of(parts.begin(), parts.end(), part_holds);
    case Kind::any:
      return std::any_of(parts.begin(), parts.end(), part_holds);
    case Kind::negation:
      return !part_holds(parts.front());
    case Kind::implication:
      if (part_holds(parts[0])) return part_holds(parts[1]);
      return parts.size() < 3 || part_holds(parts[2]);
    case Kind::comparison:
      break;
  }
  const Comparable& own = point[axis];
  if (op == Operator::in)
    return std::any_of(values.begin(), values.end(), [&own](const Comparable& v) { return equal(own, v, 1.0); });
  const Comparable& other = other_axis ? point[*other_axis] : values.front();
  if (op == Operator::is) return equal(own, other, times);
  if (op == Operator::is_not) return !equal(own, other, times);
  return ordered(op, own, other, times);
}

std::optional<Condition> read_condition(const Node& node, std::string_view pointer, std::span<const Axis> axes,
                                        const Sources& sources, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  Condition condition = ConditionReader(axes, sources, diagnostics).read(node, std::string(pointer));
  if (diagnostics.size() > before) return std::nullopt;
  return condition;
}

}  // namespace headrace::scenarios
