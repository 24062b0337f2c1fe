#include "scenarios/document/parse_visitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/name_table.hpp"
#include "scenarios/document/units.hpp"
#include "scenarios/document/value_reader.hpp"

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

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix && (text.size() == prefix.size() || text[prefix.size()] == '/');
}

class ParseVisitor final : public Visitor, private ValueReader {
 public:
  ParseVisitor(Sources& sources, const Catalogue& catalogue, Names names, const PlaceOfKey& elsewhere,
               Diagnostics& diagnostics)
      : ValueReader(sources, diagnostics),
        sources_(sources),
        catalogue_(catalogue),
        mode_(names),
        elsewhere_(elsewhere) {}

  void run(Node& root, const DescribeFunction& describe_record) {
    within(&root, "", root.place, describe_record);
    names_.check(*this);
  }

 private:
  struct MissingKey {
    std::string key;
    std::string help;
  };
  struct Frame {
    Node* object = nullptr;  ///< nullptr: nothing given, defaults hold
    Node* scalar = nullptr;  ///< stands for the first parameter
    std::string pointer;
    Place place;  ///< of the object, or of the nearest one around it
    std::vector<std::string> known;
    std::vector<MissingKey> missing;
  };

  Frame& top() { return frames_.back(); }

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
    if (node != nullptr && frame.object->bare) pointer = frame.pointer;  // where the bare number stands
    return node == nullptr || node->is(Node::Type::null) ? nullptr : node;
  }

  static std::string help_for_missing(std::string_view key, const Facts& facts) {
    std::string help = "it has no default";
    if (!facts.meaning.empty()) help += fmt::format(": {}", facts.meaning);
    if (key == "name") help += "; a layer changes the element of a list that has the same name, so give that name here";
    return help;
  }

  Node* take_or_complain(std::string_view key, std::string& pointer, const Facts& facts) {
    Node* node = take(key, pointer);
    if (node == nullptr && facts.required) {
      count_as_wrong(pointer);
      top().missing.push_back({std::string(key), help_for_missing(key, facts)});
    }
    return node;
  }

  /// A key that is there under a misspelt name is one slip, and the complaint about that name proposes it.
  void complain_about_missing(const std::vector<std::string_view>& misspelt) {
    const Frame& frame = top();
    Place place = frame.place;
    if (place.known()) place.end = place.begin + 1;
    for (const MissingKey& missing : frame.missing)
      if (std::find(misspelt.begin(), misspelt.end(), missing.key) == misspelt.end())
        complain("E0202", join_pointer(frame.pointer, missing.key), place, fmt::format("missing key '{}'", missing.key),
                 missing.help);
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

  /// The key that was meant, or else where the document has one of this name.
  std::string fix_of(std::string_view key, std::span<const std::string_view> known) const {
    if (elsewhere_ && nearest(key, known).empty())
      if (const std::string place = elsewhere_(key); !place.empty())
        return fmt::format("it belongs to another place: {}", place);
    const auto knows = [known](std::string_view name) {
      return std::find(known.begin(), known.end(), name) != known.end();
    };
    if (key == "samples" && knows("files") && knows("samples_per_file"))
      return "a dataset has as many samples as files times samples_per_file: write these two";
    return suggest(key, known);
  }

  void check_unknown_keys() {
    const Frame& frame = top();
    std::vector<std::string_view> misspelt;
    if (frame.object == nullptr) return complain_about_missing(misspelt);
    const std::vector<std::string_view> known(frame.known.begin(), frame.known.end());
    for (const Member& member : frame.object->members) {
      if (is_shipped_figure(member) || is_remark(member.key) ||
          std::find(known.begin(), known.end(), member.key) != known.end())
        continue;
      complain("E0203", join_pointer(frame.pointer, member.key), member.key_place,
               fmt::format("unknown key '{}'", member.key), is_full() ? std::string() : fix_of(member.key, known));
      if (!frame.missing.empty()) misspelt.push_back(nearest(member.key, known));
    }
    complain_about_missing(misspelt);
  }

  /// "4 x 200 Gb/s" beside "rails": 4 would count the same links twice.
  bool counts_twice(const Node& node, const std::string& pointer, const Facts& facts) {
    const Node* copies = facts.copies.empty() || top().object == nullptr ? nullptr : top().object->find(facts.copies);
    if (copies == nullptr || copies->text == "1" || !node.is(Node::Type::string)) return false;
    const Multiple links = split_multiple(node.text);
    if (links.count < 2) return false;
    complain("E0210", pointer, node.place,
             fmt::format("'{}' and \"{}\": {} both say how many there are", node.text, facts.copies, copies->text),
             fmt::format("write \"{}\" here and their number under \"{}\"", links.each, facts.copies));
    return true;
  }

  void on_quantity(std::string_view key, double& value, Unit unit, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node != nullptr && !counts_twice(*node, pointer, facts))
      value = read_quantity(*node, pointer, unit, facts).value_or(value);
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
    if (!node->is(Node::Type::boolean)) return not_plain(*node, pointer, "true or false");
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
    names_.add(*this, {kind, value, pointer, node != nullptr ? node->place : top().place});
  }

  void on_reference(std::string_view key, std::string& value, Kind kind, const Facts& facts) override {
    std::string pointer;
    const Node* node = take_or_complain(key, pointer, facts);
    if (node != nullptr)
      value = read_string(*node, pointer, fmt::format("the name of a {}", kind_name(kind))).value_or("");
    if (!value.empty()) names_.refer({kind, value, pointer, node != nullptr ? node->place : top().place});
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
        names_.refer({kind, *name, at, node->items[i].place});
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

  /// The entry of that name, or the only one that people mean by it ("b200" is B200-HGX).
  std::optional<Node> catalogue_entry(std::string_view section, const std::string& name) {
    if (std::optional<Node> entry = catalogue_.entry(section, name, sources_)) return entry;
    const std::vector<std::string_view> meant = catalogue_.meant(section, name);
    return meant.size() == 1 ? catalogue_.entry(section, meant.front(), sources_) : std::nullopt;
  }

  std::string catalogue_help(std::string_view section, const std::string& name) const {
    const std::vector<std::string_view> meant = catalogue_.meant(section, name);
    if (!meant.empty()) return fmt::format("several begin so, write one of {}", list_words(meant));
    return suggest(name, catalogue_.names(section));
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
    if (wanted == nullptr || (!unresolved_.empty() && unresolved_.back() == pointer)) return;
    std::optional<Node> entry = catalogue_entry(section, wanted->text);
    if (!entry) {
      complain("E0213", pointer, wanted->place, fmt::format("the catalogue has no {} '{}'", section, wanted->text),
               catalogue_help(section, wanted->text));
      unresolved_.push_back(pointer);
      // References to it dangle only because it cannot be read.
      if (const Node* own = node.find("name"); own != nullptr) names_.excuse(own->text);
      return;
    }
    entry->place = node.place;
    std::erase_if(node.members, [](const Member& m) { return m.key == "catalogue"; });
    keep_assumptions(*entry, node);
    lay_over(*entry, node);
    node = std::move(*entry);
  }

  /// A text that begins like a number is one ("35 %", "4x200G"), unless the catalogue has a name like it ("25GbE").
  bool is_bare_number(const Node& node, const Facts& facts) const {
    if (!node.is(Node::Type::string)) return node.is(Node::Type::number);
    const bool number = std::string_view("+-.0123456789").find((node.text + " ").front()) != std::string_view::npos;
    return number && (facts.catalogue.empty() || nearest(node.text, catalogue_.names(facts.catalogue)).empty());
  }

  /// Rewrites a bare number into the record for which it stands.
  void rewrite_bare(Node& node, const Facts& facts) const {
    if (facts.bare.empty() || !is_bare_number(node, facts)) return;
    Node object = make_object(node.place);
    object.as_of = node.as_of;
    object.knowledge = node.knowledge;
    object.members.push_back({std::string(facts.bare), node.place, std::move(node)});
    object.bare = true;
    node = std::move(object);
  }

  static std::string_view expected_record(const Facts& facts) {
    if (!facts.bare.empty())
      return facts.catalogue.empty() ? "an object or a number" : "an object, a catalogue name or a number";
    return facts.catalogue.empty() ? "an object" : "an object or a catalogue name";
  }

  /// What to write where a job names its dataset as everything else is named: by a text.
  static std::string record_instead_of(const Node& node, const std::string& pointer) {
    const bool reads = pointer.starts_with("/jobs/") && pointer.find("/datasets/") != std::string::npos;
    return reads && node.is(Node::Type::string) ? fmt::format("write {{\"dataset\": \"{}\"}}", node.text)
                                                : std::string();
  }

  void visit_record(Node* node, const std::string& pointer, const Facts& facts,
                    const std::function<void(Visitor&)>& visit) {
    Place place = top().place;
    if (node != nullptr) {
      rewrite_bare(*node, facts);
      rewrite_catalogue(*node, pointer, facts.catalogue, false);
      if (!node->is(Node::Type::object)) {
        return wrong_type(*node, pointer, expected_record(facts), record_instead_of(*node, pointer));
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
                 fmt::format("'{}' and '{}' are both given", facts.singular, key), "move the element into the list");
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
      const double fewest = models::is_stated(facts.min) ? facts.min : (facts.required ? 1.0 : 0.0);
      if (size < fewest || (models::is_stated(facts.max) && size > facts.max)) {
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
      complain("E0215", pointer, node->place, fmt::format("{} keys, but exactly one must name the alternative", given),
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
      for (const std::string& wrong : wrong()) {
        if (starts_with(wrong, at) || starts_with(at, wrong)) return;  // a consequence of an error told before
      }
      keys += keys.empty() ? at : ", " + at;
      const Node* node = frame.object == nullptr ? nullptr : find_at(*frame.object, "/" + std::string(key));
      if (node != nullptr && !place.known()) {
        place = node->place;
        pointer = at;
      }
    }
    if (!place.known()) std::tie(pointer, place) = nearest_around(frame, constraint.keys);
    complain("E0210", pointer, place, std::string(constraint.message),
             fmt::format("the rule is: {}; it is about {}", constraint.relation, keys), constraint.relation);
  }

  /// The object that would hold the first of the absent keys, or the nearest one around it that the file has.
  static std::pair<std::string, Place> nearest_around(const Frame& frame, std::span<const std::string_view> keys) {
    Place place = frame.place;
    std::string pointer = frame.pointer;
    std::string key = frame.object == nullptr || keys.empty() ? std::string() : "/" + std::string(keys.front());
    for (key.erase(std::min(key.size(), key.rfind('/'))); !key.empty(); key.erase(key.rfind('/')))
      if (const Node* node = find_at(*frame.object, key)) {
        place = node->place;
        pointer += key;
        break;
      }
    if (place.known()) place.end = place.begin + 1;
    return {pointer, place};
  }

  void on_not_modelled(std::string_view key, std::string_view meaning) override {
    Frame& frame = top();
    frame.known.emplace_back(key);
    const Member* member = frame.object == nullptr ? nullptr : frame.object->find_member(key);
    if (member == nullptr) return;
    complain("E0209", join_pointer(frame.pointer, key), member->key_place,
             fmt::format("'{}' is not modelled yet ({})", key, meaning),
             "remove it; an ignored key would give the answer to another question");
  }

  Sources& sources_;
  const Catalogue& catalogue_;
  Names mode_;
  const PlaceOfKey& elsewhere_;
  std::vector<Frame> frames_;
  std::vector<std::string> unresolved_;
  NameTable names_;
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
  if (!base.is(Node::Type::object) || !over.is(Node::Type::object) || other_alternative || base.bare != over.bare ||
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
                  const DescribeFunction& describe_record, Diagnostics& diagnostics, const PlaceOfKey& elsewhere) {
  ParseVisitor visitor(sources, catalogue, names, elsewhere, diagnostics);
  visitor.run(root, describe_record);
}

}  // namespace headrace::scenarios
