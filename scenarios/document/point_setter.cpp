#include "scenarios/document/point_setter.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "scenarios/document/scenario_file.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {

using models::ChoiceAccess;
using models::ConstraintFacts;
using models::Facts;
using models::Kind;
using models::ListAccess;
using models::OptionalAccess;
using models::Unit;
using models::VariantAccess;
using models::Visitor;

namespace {

/// One parameter to set; values are numbers, flags 0 or 1, choices the index of their word.
struct Leaf {
  std::size_t axis = 0;
  std::vector<double> values;
};

struct Branch {
  std::vector<std::pair<std::string, std::unique_ptr<Branch>>> below;
  std::optional<Leaf> leaf;

  Branch* find(std::string_view key) const {
    for (const auto& [name, branch] : below)
      if (name == key) return branch.get();
    return nullptr;
  }
  Branch& make(const std::string& key) {
    if (Branch* known = find(key)) return *known;
    below.emplace_back(key, std::make_unique<Branch>());
    return *below.back().second;
  }
};

/// Walks along the branches of a tree.
class BranchVisitor : public Visitor {
 public:
  explicit BranchVisitor(const Branch& root) : at_(&root) {}

 private:
  void within(const Branch& branch, const std::function<void(Visitor&)>& visit) {
    const Branch* outer = at_;
    at_ = &branch;
    visit(*this);
    at_ = outer;
  }

  void on_record(std::string_view key, const Facts&, const std::function<void(Visitor&)>& visit) override {
    if (const Branch* branch = below(key)) within(*branch, visit);
  }
  void on_optional_record(std::string_view key, OptionalAccess& record, const Facts&) override {
    if (!record.present()) return;
    if (const Branch* branch = below(key)) within(*branch, [&record](Visitor& v) { record.visit(v); });
  }
  void on_list(std::string_view key, ListAccess& list, const Facts&) override {
    const Branch* branch = below(key);
    if (branch == nullptr) return;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (const Branch* element = branch->find(std::to_string(i)))
        within(*element, [&list, i](Visitor& v) { list.visit(i, v); });
  }
  void on_variant(std::string_view key, VariantAccess& variant, const Facts&) override {
    const Branch* branch = below(key);
    if (branch == nullptr) return;
    if (const Branch* chosen = branch->find(variant.names()[variant.index()]))
      within(*chosen, [&variant](Visitor& v) { variant.visit(v); });
  }
  void on_quantities(std::string_view, std::vector<double>&, Unit, const Facts&) override {}
  void on_text(std::string_view, std::string&, const Facts&) override {}
  void on_name(std::string_view, std::string&, Kind, const Facts&) override {}
  void on_reference(std::string_view, std::string&, Kind, const Facts&) override {}
  void on_references(std::string_view, std::vector<std::string>&, Kind, const Facts&) override {}
  void on_not_modelled(std::string_view, std::string_view) override {}

 protected:
  const Branch* below(std::string_view key) const { return at_->find(key); }

 private:
  const Branch* at_;
};

/// Reads the values of one pointer as what stands there.
class PositionReader final : public BranchVisitor {
 public:
  PositionReader(const Branch& root, const std::vector<Node>& nodes) : BranchVisitor(root), nodes_(nodes) {}
  std::optional<std::vector<double>> values;

 private:
  static bool allowed(double value, const Facts& facts) {  // untold limits compare false
    return !(value < facts.min || value <= facts.above || value > facts.max || value >= facts.below);
  }
  template <class Read>
  void read(std::string_view key, const Read& read_one) {
    if (below(key) == nullptr) return;
    std::vector<double> all;
    for (const Node& node : nodes_) {
      const std::optional<double> value = read_one(node);
      if (!value) return;
      all.push_back(*value);
    }
    values = std::move(all);
  }
  void read_quantities(std::string_view key, Unit unit, const Facts& facts) {
    read(key, [&](const Node& node) -> std::optional<double> {
      std::optional<double> value;
      if (node.is(Node::Type::number) && (!needs_unit(unit) || node.number == 0.0)) value = node.number;
      if (node.is(Node::Type::string) && (facts.copies.empty() || split_multiple(node.text).count < 2))
        if (const auto parsed = parse_quantity(node.text, unit, rate_of(facts))) value = *parsed;
      return value && allowed(*value, facts) ? value : std::nullopt;
    });
  }
  void read_counts(std::string_view key, const Facts& facts) {
    read(key, [&](const Node& node) -> std::optional<double> {
      const bool whole = node.is(Node::Type::number) && std::floor(node.number) == node.number;
      return whole && allowed(node.number, facts) ? std::optional(node.number) : std::nullopt;
    });
  }

  void on_quantity(std::string_view key, double&, Unit unit, const Facts& facts) override {
    read_quantities(key, unit, facts);
  }
  void on_optional_quantity(std::string_view key, std::optional<double>&, Unit unit, const Facts& facts) override {
    read_quantities(key, unit, facts);
  }
  void on_count(std::string_view key, std::int64_t&, const Facts& facts) override { read_counts(key, facts); }
  void on_optional_count(std::string_view key, std::optional<std::int64_t>&, const Facts& facts) override {
    read_counts(key, facts);
  }
  void on_flag(std::string_view key, bool&, const Facts&) override {
    read(key, [](const Node& node) -> std::optional<double> {
      if (!node.is(Node::Type::boolean)) return std::nullopt;
      return node.boolean ? 1.0 : 0.0;
    });
  }
  void on_choice(std::string_view key, ChoiceAccess& choice, const Facts&) override {
    read(key, [&](const Node& node) -> std::optional<double> {
      const auto found = std::find(choice.names.begin(), choice.names.end(), node.text);
      if (!node.is(Node::Type::string) || found == choice.names.end()) return std::nullopt;
      return static_cast<double>(found - choice.names.begin());
    });
  }
  void on_constraint(const ConstraintFacts&, bool) override {}

  const std::vector<Node>& nodes_;
};

class PositionSetter final : public BranchVisitor {
 public:
  PositionSetter(const Branch& root, const std::vector<std::size_t>& positions)
      : BranchVisitor(root), positions_(positions) {}
  std::string violated;

 private:
  const double* value_of(std::string_view key) const {
    const Branch* branch = below(key);
    if (branch == nullptr || !branch->leaf) return nullptr;
    return &branch->leaf->values[positions_[branch->leaf->axis]];
  }
  void on_quantity(std::string_view key, double& value, Unit, const Facts&) override {
    if (const double* wanted = value_of(key)) value = *wanted;
  }
  void on_count(std::string_view key, std::int64_t& value, const Facts&) override {
    if (const double* wanted = value_of(key)) value = static_cast<std::int64_t>(*wanted);
  }
  void on_optional_quantity(std::string_view key, std::optional<double>& value, Unit, const Facts&) override {
    if (const double* wanted = value_of(key)) value = *wanted;
  }
  void on_optional_count(std::string_view key, std::optional<std::int64_t>& value, const Facts&) override {
    if (const double* wanted = value_of(key)) value = static_cast<std::int64_t>(*wanted);
  }
  void on_flag(std::string_view key, bool& value, const Facts&) override {
    if (const double* wanted = value_of(key)) value = *wanted != 0.0;
  }
  void on_choice(std::string_view key, ChoiceAccess& choice, const Facts&) override {
    if (const double* wanted = value_of(key)) choice.index = static_cast<std::size_t>(*wanted);
  }
  void on_constraint(const ConstraintFacts& constraint, bool holds) override {
    if (!holds && violated.empty()) violated = std::string(constraint.message);
  }

  const std::vector<std::size_t>& positions_;
};

}  // namespace

struct PointSetter::Tree {
  Branch root;
};

PointSetter::PointSetter() : tree_(std::make_unique<Tree>()) {}
PointSetter::~PointSetter() = default;
PointSetter::PointSetter(PointSetter&&) noexcept = default;
PointSetter& PointSetter::operator=(PointSetter&&) noexcept = default;

bool PointSetter::add(std::size_t axis, std::string_view pointer, const std::vector<Node>& values,
                      models::Scenario scenario) {
  const auto tokens = pointer_tokens(pointer);
  if (!tokens || tokens->empty()) return false;
  Branch path;
  Branch* at = &path;
  for (const std::string& token : *tokens) at = &at->make(token);
  PositionReader reader(path, values);
  describe_scenario(scenario, reader);
  if (!reader.values) return false;
  at = &tree_->root;
  for (const std::string& token : *tokens) at = &at->make(token);
  at->leaf = Leaf{axis, std::move(*reader.values)};
  return true;
}

std::string PointSetter::set(const std::vector<std::size_t>& positions, models::Scenario& scenario) const {
  PositionSetter setter(tree_->root, positions);
  describe_scenario(scenario, setter);
  return std::move(setter.violated);
}

}  // namespace headrace::scenarios
