#include "scenarios/parse_visitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/edit_distance.hpp"
#include "scenarios/units.hpp"

namespace headrace::scenarios {
namespace {

using models::ChoiceAccess;
using models::ConstraintFacts;
using models::Facts;
using models::Kind;
using models::ListAccess;
using models::OptionalAccess;
using models::Unit;
using models::VariantAccess;
using models::Visitor;

bool told(double limit) { return limit == limit; }

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix && (text.size() == prefix.size() || text[prefix.size()] == '/');
}

class ParseVisitor final : public Visitor {
 public:
  ParseVisitor(Sources& sources, const Catalogue& catalogue, Names names, Diagnostics& diagnostics)
      : sources_(sources), catalogue_(catalogue), mode_(names), diagnostics_(diagnostics) {}

  void run(Node& root, const DescribeFunction& describe_record) {
    within(&root, "", root.place, describe_record);
    check_references();
  }

 private:
  struct Frame {
    Node* object = nullptr;  ///< nullptr: nothing given, defaults hold
    Node* scalar = nullptr;  ///< stands for the first parameter
    std::string pointer;
    Place place;  ///< of the object, or of the nearest one around it
    std::vector<std::string> known;
  };
  struct Name {
    Kind kind;
    std::string name;
    std::string pointer;
    Place place;
  };

  Frame& top() { return frames_.back(); }

  void complain(std::string_view code, const std::string& pointer, const Place& place, std::string message,
                std::string help) {
    Diagnostic d;
    d.code = std::string(code);
    d.message = std::move(message);
    d.pointer = pointer;
    d.where = excerpt_at(sources_, place);
    d.help = std::move(help);
    diagnostics_.add(std::move(d));
    wrong_.push_back(pointer);
  }

  /// The given value of a parameter; nullptr: its default holds. `pointer` receives where it stands or would stand.
  Node* take(std::string_view key, std::string& pointer) {
    Frame& frame = top();
    if (frame.scalar != nullptr) {
      pointer = frame.pointer;
      return std::exchange(frame.scalar, nullptr);
    }
    pointer = join_pointer(frame.pointer, key);
    frame.known.emplace_back(key);
    Node* node = frame.object == nullptr ? nullptr : frame.object->find(key);
    return node == nullptr || node->is(Node::Type::null) ? nullptr : node;
  }

  Node* take_or_complain(std::string_view key, std::string& pointer, const Facts& facts) {
    Node* node = take(key, pointer);
    if (node == nullptr && facts.required) {
      Place place = top().place;
      if (place.known()) place.end = place.begin + 1;
      complain("E0202", pointer, place, fmt::format("missing key '{}'", key),
               facts.meaning.empty() ? std::string("it has no default")
                                     : fmt::format("it has no default: {}", facts.meaning));
    }
    return node;
  }

  void wrong_type(const Node& node, const std::string& pointer, std::string_view expected) {
    complain("E0201", pointer, node.place, fmt::format("expected {}, found {}", expected, type_name(node.type)), "");
  }

  void within(Node* object, const std::string& pointer, const Place& place,
              const std::function<void(Visitor&)>& visit) {
    Frame frame;
    frame.object = object;
    frame.pointer = pointer;
    frame.place = place;
    frames_.push_back(std::move(frame));
    visit(*this);
    check_unknown_keys();
    frames_.pop_back();
  }

  /// The shipped catalogue may know more of an item than scenarios ask for.
  bool is_shipped_figure(const Member& member) const {
    if (!member.key_place.known()) return false;
    const Source& source = sources_[member.key_place.source];
    return source.kind == SourceKind::catalogue && source.name.starts_with("catalogue ");
  }

  void check_unknown_keys() {
    const Frame& frame = top();
    if (frame.object == nullptr) return;
    const std::vector<std::string_view> known(frame.known.begin(), frame.known.end());
    for (const Member& member : frame.object->members) {
      if (is_shipped_figure(member) || is_remark(member.key) ||
          std::find(known.begin(), known.end(), member.key) != known.end())
        continue;
      complain("E0203", join_pointer(frame.pointer, member.key), member.key_place,
               fmt::format("unknown key '{}'", member.key), suggest(member.key, known));
    }
  }

  bool within_limits(double value, const Node& node, const std::string& pointer, Unit unit, const Facts& facts) {
    std::string relation;
    if (told(facts.min) && value < facts.min) relation = "at least " + print_quantity(facts.min, unit);
    if (told(facts.above) && value <= facts.above) relation = "more than " + print_quantity(facts.above, unit);
    if (told(facts.max) && value > facts.max) relation = "at most " + print_quantity(facts.max, unit);
    if (told(facts.below) && value >= facts.below) relation = "less than " + print_quantity(facts.below, unit);
    if (relation.empty()) return true;
    std::string help;
    if (told(facts.low) && told(facts.high)) {
      help = fmt::format("plausible values lie between {} and {}", print_quantity(facts.low, unit),
                         print_quantity(facts.high, unit));
    }
    complain("E0207", pointer, node.place, fmt::format("{} is out of bounds: it must be {}", node.text, relation),
             help);
    return false;
  }

  std::optional<double> read_quantity(const Node& node, const std::string& pointer, Unit unit, const Facts& facts) {
    double value = 0.0;
    if (node.is(Node::Type::string)) {
      const auto parsed = parse_quantity(node.text, unit);
      if (!parsed) {
        complain(parsed.error().code, pointer, node.place, parsed.error().message, parsed.error().help);
        return std::nullopt;
      }
      value = *parsed;
    } else if (node.is(Node::Type::number)) {
      if (needs_unit(unit) && node.number != 0.0) {
        const UnitError error = missing_unit(node.text, unit);
        complain(error.code, pointer, node.place, error.message, error.help);
        return std::nullopt;
      }
      value = node.number;
    } else {
      wrong_type(
          node, pointer,
          unit == Unit::one ? "a number" : fmt::format("{} like \"{}\"", unit_dimension(unit), unit_example(unit)));
      return std::nullopt;
    }
    if (!within_limits(value, node, pointer, unit, facts)) return std::nullopt;
    return value;
  }

  std::optional<std::int64_t> read_count(const Node& node, const std::string& pointer, const Facts& facts) {
    if (!node.is(Node::Type::number) || std::floor(node.number) != node.number) {
      const bool text = node.is(Node::Type::string) || node.is(Node::Type::number);
      complain("E0201", pointer, node.place,
               fmt::format("expected a whole number, found {}",
                           text ? "'" + node.text + "'" : std::string(type_name(node.type))),
               "");
      return std::nullopt;
    }
    if (!within_limits(node.number, node, pointer, Unit::one, facts)) return std::nullopt;
    return static_cast<std::int64_t>(node.number);
  }

  std::optional<std::string> read_string(const Node& node, const std::string& pointer, std::string_view expected) {
    if (!node.is(Node::Type::string)) {
      wrong_type(node, pointer, expected);
      return std::nullopt;
    }
    return node.text;
  }

  void on_quantity(std::string_view key, double& value, Unit unit, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node != nullptr) value = read_quantity(*node, pointer, unit, facts).value_or(value);
  }
  void on_optional_quantity(std::string_view key, std::optional<double>& value, Unit unit,
                            const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node == nullptr) return;
    if (const auto read = read_quantity(*node, pointer, unit, facts)) value = read;
  }
  void on_quantities(std::string_view key, std::vector<double>& values, Unit unit, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node == nullptr) return;
    if (!node->is(Node::Type::array)) return wrong_type(*node, pointer, "a list");
    values.clear();
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      values.push_back(
          read_quantity(node->items[i], join_pointer(pointer, std::to_string(i)), unit, facts).value_or(0.0));
    }
  }
  void on_count(std::string_view key, std::int64_t& value, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node != nullptr) value = read_count(*node, pointer, facts).value_or(value);
  }
  void on_optional_count(std::string_view key, std::optional<std::int64_t>& value, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node == nullptr) return;
    if (const auto read = read_count(*node, pointer, facts)) value = read;
  }
  void on_flag(std::string_view key, bool& value, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node == nullptr) return;
    if (!node->is(Node::Type::boolean)) return wrong_type(*node, pointer, "true or false");
    value = node->boolean;
  }
  void on_text(std::string_view key, std::string& value, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node != nullptr) value = read_string(*node, pointer, "a string").value_or(value);
  }
  void on_json(std::string_view key, std::string& text, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node != nullptr) text = print_json(*node);
  }
  void on_texts(std::string_view key, std::vector<models::NamedText>& values, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node == nullptr) return;
    if (!node->is(Node::Type::object)) return wrong_type(*node, pointer, "an object");
    values.clear();
    for (const Member& member : node->members) {
      if (is_remark(member.key) || member.value.is(Node::Type::null)) continue;
      const auto text = read_string(member.value, join_pointer(pointer, member.key), "a text like \"< 5 %\"");
      if (text) values.push_back({member.key, *text});
    }
  }
  void on_name(std::string_view key, std::string& value, Kind kind, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node != nullptr) value = read_string(*node, pointer, "a name").value_or(value);
    if (value.empty()) {
      if (node != nullptr) complain("E0207", pointer, node->place, "a name cannot be empty", "");
      return;
    }
    const Place place = node != nullptr ? node->place : top().place;
    for (const Name& other : names_) {
      if (other.kind == kind && other.name == value) {
        Diagnostic d;
        d.code = "E0212";
        d.message = fmt::format("two elements of kind {} have the name '{}'", kind_name(kind), value);
        d.pointer = pointer;
        d.where = excerpt_at(sources_, place);
        d.help = "give each its own name";
        d.related = "the other one";
        d.related_where = excerpt_at(sources_, other.place);
        diagnostics_.add(std::move(d));
        return;
      }
    }
    names_.push_back({kind, value, pointer, place});
  }
  void on_reference(std::string_view key, std::string& value, Kind kind, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node != nullptr)
      value = read_string(*node, pointer, fmt::format("the name of a {}", kind_name(kind))).value_or("");
    if (!value.empty()) references_.push_back({kind, value, pointer, node != nullptr ? node->place : top().place});
  }
  void on_references(std::string_view key, std::vector<std::string>& values, Kind kind, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node == nullptr) return;
    if (!node->is(Node::Type::array))
      return wrong_type(*node, pointer, fmt::format("a list of {} names", kind_name(kind)));
    values.clear();
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      const std::string at = join_pointer(pointer, std::to_string(i));
      if (const auto name = read_string(node->items[i], at, "a name")) {
        values.push_back(*name);
        references_.push_back({kind, *name, at, node->items[i].place});
      }
    }
  }
  void on_choice(std::string_view key, ChoiceAccess& choice, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node == nullptr) return;
    const auto word = read_string(*node, pointer, "a word");
    if (!word) return;
    const auto found = std::find(choice.names.begin(), choice.names.end(), *word);
    if (found != choice.names.end()) {
      choice.index = static_cast<std::size_t>(found - choice.names.begin());
      return;
    }
    const std::string allowed = list_words(choice.names);
    const std::string_view near = nearest(*word, choice.names);
    complain("E0208", pointer, node->place, fmt::format("'{}' is not one of {}", *word, allowed),
             near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }

  /// Rewrites a catalogue name, or an object with a "catalogue" key, into an object; `name` adds the key "name".
  void rewrite_catalogue(Node& node, const std::string& pointer, std::string_view section, bool name) {
    if (section.empty()) return;
    if (node.is(Node::Type::string)) {
      Node object = make_object(node.place);
      if (name) object.members.push_back({"name", node.place, node});
      object.members.push_back({"catalogue", node.place, node});
      node = std::move(object);
    }
    if (mode_ == Names::keep || !node.is(Node::Type::object)) return;
    const Node* wanted = node.find("catalogue");
    if (wanted == nullptr) return;
    std::optional<Node> entry = catalogue_.entry(section, wanted->text, sources_);
    if (!entry) {
      const std::vector<std::string_view> all = catalogue_.names(section);
      complain("E0213", pointer, wanted->place, fmt::format("the catalogue has no {} '{}'", section, wanted->text),
               suggest(wanted->text, all));
      unresolved_.push_back(pointer);
      return;
    }
    entry->place = node.place;
    std::erase_if(node.members, [](const Member& m) { return m.key == "catalogue"; });
    lay_over(*entry, node);
    node = std::move(*entry);
  }

  void visit_record(Node* node, const std::string& pointer, const Facts& facts,
                    const std::function<void(Visitor&)>& visit) {
    Place place = top().place;
    if (node != nullptr) {
      rewrite_catalogue(*node, pointer, facts.catalogue, false);
      if (!node->is(Node::Type::object)) {
        return wrong_type(*node, pointer, facts.catalogue.empty() ? "an object" : "an object or a catalogue name");
      }
      if (!unresolved_.empty() && unresolved_.back() == pointer) return;
      place = node->place;
    }
    within(node, pointer, place, [&](Visitor& visitor) {
      if (!facts.catalogue.empty()) top().known.emplace_back("catalogue");
      visit(visitor);
    });
  }

  void on_record(std::string_view key, const Facts& facts, const std::function<void(Visitor&)>& visit) override {
    std::string pointer;
    Node* node = take_or_complain(key, pointer, facts);
    if (node == nullptr && facts.required) return;
    visit_record(node, pointer, facts, visit);
  }
  void on_optional_record(std::string_view key, OptionalAccess& record, const Facts& facts) override {
    std::string pointer;
    Node* node = take_or_complain(key, pointer, facts);
    if (node != nullptr) record.set_present(true);
    if (record.present()) visit_record(node, pointer, facts, [&](Visitor& visitor) { record.visit(visitor); });
  }

  /// The list, with a single object standing for a list of one and the singular key renamed.
  Node* take_list(std::string_view key, std::string& pointer, const Facts& facts) {
    Node* object = top().object;
    if (!facts.singular.empty() && object != nullptr) {
      top().known.emplace_back(facts.singular);
      const Member* single = object->find_member(facts.singular);
      if (single != nullptr && object->find(key) != nullptr) {
        complain("E0203", join_pointer(top().pointer, facts.singular), single->key_place,
                 fmt::format("'{}' and '{}' stand side by side", facts.singular, key), "put the element into the list");
      } else if (single != nullptr) {
        const_cast<Member*>(single)->key = std::string(key);
      }
    }
    Node* node = take_or_complain(key, pointer, facts);
    const bool element =
        node != nullptr && (node->is(Node::Type::object) || (node->is(Node::Type::string) && !facts.catalogue.empty()));
    if (element) {
      Node list;
      list.type = Node::Type::array;
      list.place = node->place;
      list.items.push_back(std::move(*node));
      *node = std::move(list);
    }
    return node;
  }

  void on_list(std::string_view key, ListAccess& list, const Facts& facts) override {
    std::string pointer;
    Node* node = take_list(key, pointer, facts);
    if (node == nullptr) {
      if (facts.required) return;
    } else if (!node->is(Node::Type::array)) {
      return wrong_type(*node, pointer, "a list");
    } else {
      list.resize(0);
      list.resize(node->items.size());
      const auto size = static_cast<double>(list.size());
      const double fewest = told(facts.min) ? facts.min : (facts.required ? 1.0 : 0.0);
      if (size < fewest || (told(facts.max) && size > facts.max)) {
        complain("E0214", pointer, node->place, fmt::format("the list has {} elements", list.size()),
                 size < fewest ? fmt::format("it needs at least {}", fewest)
                               : fmt::format("it may have at most {}", facts.max));
      }
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string at = join_pointer(pointer, std::to_string(i));
      Node* item = node == nullptr ? nullptr : &node->items[i];
      if (item != nullptr) rewrite_catalogue(*item, at, facts.catalogue, true);
      visit_record(item, at, facts, [&](Visitor& visitor) { list.visit(i, visitor); });
    }
  }

  void on_variant(std::string_view key, VariantAccess& variant, const Facts& facts) override {
    std::string pointer;
    Node* node = take_or_complain(key, pointer, facts);
    if (node == nullptr) return;
    node->variant = true;
    if (!node->is(Node::Type::object)) {
      variant.select(0);
      return visit_scalar(*node, pointer, variant);
    }
    Member* chosen = nullptr;
    std::size_t given = 0;
    for (Member& member : node->members) {
      if (is_remark(member.key)) continue;
      ++given;
      if (chosen == nullptr) chosen = &member;
    }
    const std::string allowed = list_words(variant.names());
    if (given != 1) {
      complain("E0215", pointer, node->place, fmt::format("{} keys where exactly one names the alternative", given),
               "one of " + allowed);
      return;
    }
    const auto names = variant.names();
    const auto found = std::find(names.begin(), names.end(), chosen->key);
    if (found == names.end()) {
      const std::string_view near = nearest(chosen->key, names);
      complain("E0215", join_pointer(pointer, chosen->key), chosen->key_place,
               fmt::format("'{}' is not one of {}", chosen->key, allowed),
               near.empty() ? "" : fmt::format("did you mean '{}'?", near));
      return;
    }
    variant.select(static_cast<std::size_t>(found - names.begin()));
    const std::string at = join_pointer(pointer, chosen->key);
    if (!chosen->value.is(Node::Type::object)) return visit_scalar(chosen->value, at, variant);
    within(&chosen->value, at, chosen->value.place, [&](Visitor& visitor) { variant.visit(visitor); });
  }

  /// A scalar stands for the first parameter of the selected alternative.
  void visit_scalar(Node& node, const std::string& pointer, VariantAccess& variant) {
    within(nullptr, pointer, node.place, [&](Visitor& visitor) {
      top().scalar = &node;
      variant.visit(visitor);
    });
  }

  void on_constraint(const ConstraintFacts& constraint, bool holds) override {
    if (holds) return;
    const Frame& frame = top();
    Place place;
    std::string pointer;
    std::string keys;
    for (const std::string_view key : constraint.keys) {
      const std::string at = fmt::format("{}/{}", frame.pointer, key);
      for (const std::string& wrong : wrong_) {
        if (starts_with(wrong, at) || starts_with(at, wrong)) return;  // a consequence of an error told before
      }
      keys += keys.empty() ? at : ", " + at;
      const Node* node = frame.object == nullptr ? nullptr : find_at(*frame.object, "/" + std::string(key));
      if (node != nullptr && !place.known()) {
        place = node->place;
        pointer = at;
      }
    }
    if (!place.known()) {
      place = frame.place;
      if (place.known()) place.end = place.begin + 1;
      pointer = frame.pointer;
    }
    complain("E0210", pointer, place, std::string(constraint.message),
             fmt::format("{} must hold; it joins {}", constraint.relation, keys));
  }

  void on_not_modelled(std::string_view key, std::string_view meaning) override {
    Frame& frame = top();
    frame.known.emplace_back(key);
    const Member* member = frame.object == nullptr ? nullptr : frame.object->find_member(key);
    if (member == nullptr) return;
    complain("E0209", join_pointer(frame.pointer, key), member->key_place,
             fmt::format("'{}' is not modelled yet ({})", key, meaning),
             "remove it: ignoring it would answer another question");
  }

  void check_references() {
    for (const Name& reference : references_) {
      std::vector<std::string_view> known;
      for (const Name& name : names_) {
        if (name.kind == reference.kind) known.push_back(name.name);
      }
      if (std::find(known.begin(), known.end(), reference.name) != known.end()) continue;
      complain("E0211", reference.pointer, reference.place,
               fmt::format("there is no {} named '{}'", kind_name(reference.kind), reference.name),
               suggest(reference.name, known));
    }
  }

  Sources& sources_;
  const Catalogue& catalogue_;
  Names mode_;
  Diagnostics& diagnostics_;
  std::vector<Frame> frames_;
  std::vector<std::string> wrong_;
  std::vector<std::string> unresolved_;
  std::vector<Name> names_;
  std::vector<Name> references_;
};

bool is_named_list(const Node& node) {
  if (!node.is(Node::Type::array) || node.items.empty()) return false;
  return std::all_of(node.items.begin(), node.items.end(), [](const Node& item) {
    const Node* name = item.is(Node::Type::object) ? item.find("name") : nullptr;
    return name != nullptr && name->is(Node::Type::string);
  });
}

void merge_named(Node& base, const Node& over) {
  for (const Node& item : over.items) {
    const std::string& name = item.find("name")->text;
    const auto found = std::find_if(base.items.begin(), base.items.end(),
                                    [&name](const Node& other) { return other.find("name")->text == name; });
    if (found == base.items.end())
      base.items.push_back(item);
    else
      lay_over(*found, item);
  }
}

std::string_view alternative(const Node& node) {
  for (const Member& member : node.members) {
    if (!is_remark(member.key)) return member.key;
  }
  return {};
}

}  // namespace

void lay_over(Node& base, const Node& over) {
  if (base.is(Node::Type::array) && is_named_list(base) && is_named_list(over)) {
    base.place = over.place;
    return merge_named(base, over);
  }
  const bool other_alternative = (base.variant || over.variant) && alternative(base) != alternative(over);
  if (!base.is(Node::Type::object) || !over.is(Node::Type::object) || other_alternative ||
      over.find("catalogue") != nullptr) {
    base = over;
    return;
  }
  base.place = over.place;
  base.as_of = over.as_of;  // a law that is changed in part is nobody's measurement any more
  base.knowledge = over.knowledge;
  for (const Member& member : over.members) {
    Node* value = base.find(member.key);
    if (value == nullptr) {
      base.members.push_back(member);
    } else {
      const_cast<Member*>(base.find_member(member.key))->key_place = member.key_place;
      lay_over(*value, member.value);
    }
  }
}

void parse_record(Node& root, Sources& sources, const Catalogue& catalogue, Names names,
                  const DescribeFunction& describe_record, Diagnostics& diagnostics) {
  ParseVisitor visitor(sources, catalogue, names, diagnostics);
  visitor.run(root, describe_record);
}

}  // namespace headrace::scenarios
