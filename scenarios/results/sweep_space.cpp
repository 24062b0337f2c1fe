#include "scenarios/results/sweep_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "scenarios/document/canonical_text.hpp"
#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/file_kind.hpp"
#include "scenarios/document/sha256.hpp"
#include "scenarios/document/shipped_names.hpp"
#include "scenarios/results/point_shortcut.hpp"
#include "sim/feistel_permutation.hpp"
#include "sim/random_stream.hpp"

namespace headrace::scenarios {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> kSpaceKeys = {"$schema", "title", "scenario", "axes", "conditions"};
constexpr sim::Purpose kDrawPlaceInPart{1};  ///< of a Latin hypercube; no simulation shares its streams
constexpr sim::Purpose kDrawPartOrder{2};

Json as_json(const Node& node) { return Json::parse(print_json(node)); }

/// The text of a space and the name that complaints give it.
struct SpaceText {
  std::string path;
  std::string text;
};

std::optional<SpaceText> find_space(const std::string& path, Diagnostics& diagnostics) {
  std::error_code error;
  for (const char* ending : {"", ".json"})
    if (path == "-" || fs::is_regular_file(path + ending, error)) {
      std::optional<std::string> text = read_text(path + ending, diagnostics);
      if (!text) return std::nullopt;
      return SpaceText{path + ending, std::move(*text)};
    }
  for (const EmbeddedText& space : embedded_spaces())
    if (space.name == path) return SpaceText{path + ".json", std::string(space.text)};
  std::optional<std::string> text = read_text_or_propose(path, embedded_spaces(), "space", diagnostics);
  if (!text) return std::nullopt;
  return SpaceText{path, std::move(*text)};
}

/// The text with everything outside [begin, end) made blank, lines kept: what stands inside keeps its place.
std::string only(std::string text, std::size_t begin, std::size_t end) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((i < begin || i >= end) && text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  return text;
}

/// The scenario of a space as a file of its own, at the place where it stands in the text of the space.
std::string scenario_text(const std::string& text, const Member& scenario) {
  const Place& value = scenario.value.place;
  std::string alone = only(text, value.begin, value.end);
  if (scenario.value.is(Node::Type::object)) return alone;
  // {"extends": NAME} fits where "scenario": NAME stands.
  const std::string_view before = "{\"extends\":";
  alone.replace(scenario.key_place.begin, before.size(), before);
  alone[value.end] = '}';
  return alone;
}

}  // namespace

class SpaceReader {
 public:
  explicit SpaceReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::optional<SweepSpace> read(const std::string& path, std::span<const std::string> overrides,
                                 const LoadOptions& options) {
    const std::optional<SpaceText> text = find_space(path, diagnostics_);
    if (!text) return std::nullopt;
    space_.name = fs::path(text->path == "-" ? "standard-input" : text->path).stem().string();
    space_.catalogue_ = options.catalogue != nullptr ? *options.catalogue : Catalogue::shipped();
    if (!read_base(*text, overrides, options)) return std::nullopt;
    sources_ = space_.base.composition.sources.get();
    const std::uint32_t source = sources_->add({SourceKind::file, text->path, text->text, 0});
    const std::optional<Node> root = parse_document(*sources_, source, diagnostics_);
    if (!root || !diagnostics_.empty()) return std::nullopt;
    check_keys(*root, "", kSpaceKeys);
    read_title(*root);
    read_axes(*root);
    if (!diagnostics_.empty()) return std::nullopt;
    read_conditions(*root);
    if (!diagnostics_.empty()) return std::nullopt;
    check_count(*root);
    check_values();
    if (!diagnostics_.empty()) return std::nullopt;
    define();
    return std::move(space_);
  }

 private:
  void complain(std::string_view code, std::string pointer, const Place& place, std::string message, std::string help) {
    Diagnostic d;
    d.code = std::string(code);
    d.message = std::move(message);
    d.pointer = std::move(pointer);
    d.where = excerpt_at(*sources_, place);
    d.help = std::move(help);
    diagnostics_.add(std::move(d));
  }

  template <class Keys>
  void check_keys(const Node& node, const std::string& pointer, const Keys& known) {
    for (const Member& member : node.members)
      if (!is_remark(member.key) && std::find(std::begin(known), std::end(known), member.key) == std::end(known))
        complain("E0203", join_pointer(pointer, member.key), member.key_place,
                 fmt::format("unknown key '{}'", member.key), suggest(member.key, known));
  }

  bool read_base(const SpaceText& text, std::span<const std::string> overrides, const LoadOptions& options) {
    Sources scratch;
    sources_ = &scratch;
    const std::uint32_t source = scratch.add({SourceKind::file, text.path, text.text, 0});
    const std::optional<Node> root = parse_document(scratch, source, diagnostics_);
    if (!root) return false;
    if (!root->is(Node::Type::object)) {
      complain("E0303", "", root->place, fmt::format("a space is an object, found {}", type_name(root->type)),
               R"(write {"scenario": NAME, "axes": [...]})");
      return false;
    }
    if (auto other = complaint_about_kind(*root, scratch, "a space of scenarios", {FileType::space})) {
      if (other->message.starts_with("this is a scenario"))
        other->help =
            "write a space that names it: {\"scenario\": \"FILE\", \"axes\": [...]}; headrace explain "
            "scenarios lists shipped spaces";
      diagnostics_.add(std::move(*other));
      return false;
    }
    const Member* scenario = root->find_member("scenario");
    if (scenario == nullptr) {
      complain("E0202", "/scenario", {source, root->place.begin, root->place.begin + 1},
               "the space has no 'scenario' to vary", "give the name of one, a path, or the scenario itself");
      return false;
    }
    if (!scenario->value.is(Node::Type::object) && !scenario->value.is(Node::Type::string) &&
        !scenario->value.is(Node::Type::array)) {
      complain("E0201", "/scenario", scenario->value.place,
               fmt::format("expected a scenario or the name of one, found {}", type_name(scenario->value.type)), "");
      return false;
    }
    const std::map<std::string, std::string> texts = {{text.path, scenario_text(text.text, *scenario)}};
    LoadOptions with_text = options;
    with_text.texts = &texts;
    auto loaded = load_scenario(std::vector<std::string>{text.path}, overrides, with_text);
    if (!loaded) {
      for (Diagnostic& d : loaded.error().sorted()) diagnostics_.add(std::move(d));
      return false;
    }
    space_.base = std::move(*loaded);
    return true;
  }

  void read_title(const Node& root) {
    const Node* title = root.find("title");
    if (title == nullptr) return;
    if (!title->is(Node::Type::string)) return complain("E0201", "/title", title->place, "a title must be a text", "");
    space_.title = title->text;
  }

  void read_axes(const Node& root) {
    const Node* axes = root.find("axes");
    if (axes == nullptr || !axes->is(Node::Type::array) || axes->items.empty())
      return complain("E0504", "/axes",
                      axes == nullptr ? Place{root.place.source, root.place.begin, root.place.begin + 1} : axes->place,
                      "the space has no axis", R"(write "axes": [{"parameter": POINTER, "values": [...]}])");
    for (std::size_t i = 0; i < axes->items.size(); ++i)
      read_group(axes->items[i], join_pointer("/axes", std::to_string(i)));
    check_names();
    check_parameters();
  }

  void read_group(const Node& node, const std::string& pointer) {
    AxisGroup group;
    group.first_axis = space_.axes.size();
    if (const Node* zip = node.find("zip")) {
      check_keys(node, pointer, std::array<std::string_view, 1>{"zip"});
      group.kind = AxisGroup::Kind::zipped;
      read_members(*zip, join_pointer(pointer, "zip"), AxisForm::listed, group);
      check_lengths(*zip, join_pointer(pointer, "zip"), group);
    } else if (const Node* cube = node.find("latin_hypercube")) {
      check_keys(node, pointer, std::array<std::string_view, 1>{"latin_hypercube"});
      read_cube(*cube, join_pointer(pointer, "latin_hypercube"), group);
    } else if (auto axis = read_axis(node, pointer, *sources_, diagnostics_)) {
      group.size = axis->size();
      space_.axes.push_back(std::move(*axis));
    }
    group.axis_count = space_.axes.size() - group.first_axis;
    space_.groups.push_back(group);
  }

  void read_members(const Node& list, const std::string& pointer, AxisForm form, AxisGroup& group) {
    if (!list.is(Node::Type::array) || list.items.empty())
      return complain("E0201", pointer, list.place, "expected a list of axes with at least one", "");
    for (std::size_t i = 0; i < list.items.size(); ++i)
      if (auto axis = read_axis(list.items[i], join_pointer(pointer, std::to_string(i)), *sources_, diagnostics_, form))
        space_.axes.push_back(std::move(*axis));
    if (space_.axes.size() > group.first_axis) group.size = space_.axes[group.first_axis].size();
  }

  void check_lengths(const Node& list, const std::string& pointer, const AxisGroup& group) {
    for (std::size_t a = group.first_axis; a < space_.axes.size(); ++a)
      if (space_.axes[a].size() != group.size)
        return complain(
            "E0501", pointer, list.place,
            fmt::format("zipped axes are equally long, but '{}' has {} values and '{}' {}",
                        space_.axes[group.first_axis].name, group.size, space_.axes[a].name, space_.axes[a].size()),
            "");
  }

  void read_cube(const Node& cube, const std::string& pointer, AxisGroup& group) {
    group.kind = AxisGroup::Kind::latin_hypercube;
    if (!cube.is(Node::Type::object))
      return complain("E0201", pointer, cube.place, "a Latin hypercube is an object with points, seed and axes", "");
    check_keys(cube, pointer, std::array<std::string_view, 3>{"points", "seed", "axes"});
    const auto whole = [&](const char* key, double least, double most, std::uint64_t& value) {
      const Node* node = cube.find(key);
      if (node == nullptr) return;
      if (!node->is(Node::Type::number) || node->number < least || node->number > most ||
          static_cast<double>(static_cast<std::uint64_t>(node->number)) != node->number)
        return complain("E0207", join_pointer(pointer, key), node->place,
                        fmt::format("'{}' is a whole number from {:.0f} to {:.0f}", key, least, most), "");
      value = static_cast<std::uint64_t>(node->number);
    };
    const Node* axes = cube.find("axes");
    if (axes == nullptr || cube.find("points") == nullptr)
      return complain("E0202", pointer, cube.place, "a Latin hypercube needs 'points' and 'axes'", "");
    read_members(*axes, join_pointer(pointer, "axes"), AxisForm::drawn, group);
    whole("points", 1.0, static_cast<double>(kMostPoints), group.size = 0);
    if (group.size == 0) group.size = 1;
    whole("seed", 0.0, 9007199254740992.0, group.seed);
  }

  void check_names() {
    for (std::size_t a = 0; a < space_.axes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (space_.axes[a].name == space_.axes[b].name)
          complain("E0212", "", space_.axes[a].place, fmt::format("two axes have the name '{}'", space_.axes[a].name),
                   "give one of them a \"name\"");
  }

  /// Of two axes that set the same value the later would silently win.
  void check_parameters() {
    for (std::size_t a = 0; a < space_.axes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        for (const AxisParameter& mine : space_.axes[a].parameters)
          for (const AxisParameter& other : space_.axes[b].parameters)
            if (mine.pointer == other.pointer)
              complain("E0501", "", mine.place, fmt::format("two axes set '{}'", mine.pointer), "");
  }

  void read_conditions(const Node& root) {
    const Node* list = root.find("conditions");
    if (list == nullptr) return;
    if (!list->is(Node::Type::array))
      return complain("E0201", "/conditions", list->place, "'conditions' is a list", "");
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      auto condition = read_condition(list->items[i], join_pointer("/conditions", std::to_string(i)), space_.axes,
                                      *sources_, diagnostics_);
      if (condition) space_.conditions.push_back(std::move(*condition));
      conditions_.push_back(as_json(list->items[i]));
    }
    for (const Axis& axis : space_.axes) {
      space_.comparables_.emplace_back();
      for (const Node& value : axis.values) space_.comparables_.back().push_back(comparable(value));
    }
  }

  void check_count(const Node& root) {
    const Node& axes = *root.find("axes");
    double combinations = 1.0;
    for (const AxisGroup& group : space_.groups) combinations *= static_cast<double>(group.size);
    if (combinations > static_cast<double>(kMostPoints))
      return complain("E0504", "/axes", axes.place,
                      fmt::format("the axes have {:.0f} combinations, more than {}", combinations, kMostPoints),
                      "remove values, or draw points with latin_hypercube");
    for (std::uint64_t point = 0; point < space_.combinations(); ++point)
      if (space_.keeps(point)) return;
    complain("E0504", "/conditions", root.find("conditions")->place, "the conditions leave no point", "");
  }

  /// Every value must be one that its parameter takes at some point: a wrong name, unit or type is told before anything
  /// runs. What parameters demand of each other (E0210) is left to the points. The other axes stand at several of
  /// their values, since one may exist only with some value of another.
  void check_values() {
    if (!diagnostics_.empty()) return;
    for (std::size_t a = 0; a < space_.axes.size(); ++a) {
      const Axis& axis = space_.axes[a];
      if (axis.values.empty()) {
        for (const double share : {0.0, 1.0}) check_value(a, axis.range->at(share));
        continue;
      }
      for (const Node& value : axis.values) {
        const std::size_t before = diagnostics_.size();
        check_value(a, value);
        if (diagnostics_.size() > before + 3) return;  // the first few tell enough
      }
    }
  }

  void check_value(std::size_t axis, const Node& value) {
    constexpr std::size_t kTries = 16;
    std::vector<Diagnostic> first;
    for (std::size_t i = 0; i < kTries; ++i) {
      std::vector<Setting> settings;
      for (std::size_t a = 0; a < space_.axes.size(); ++a) {
        const Axis& other = space_.axes[a];
        const Node& chosen = other.values.empty() ? other.range->at(static_cast<double>(i) / kTries)
                                                  : other.values[i % other.values.size()];
        apply_value(other, a == axis ? value : chosen, settings);
      }
      models::Scenario fresh;
      auto varied = vary(space_.base.composition, settings, space_.catalogue_, [&fresh](models::Visitor& visitor) {
        fresh = models::Scenario{};
        describe_scenario(fresh, visitor);
      });
      if (varied) return;
      std::vector<Diagnostic> complaints = varied.error().sorted();
      std::erase_if(complaints, [](const Diagnostic& d) { return d.code == "E0210"; });
      if (complaints.empty()) return;
      if (first.empty()) first = std::move(complaints);
    }
    for (Diagnostic& d : first)
      if (is_new(d)) diagnostics_.add(std::move(d));
  }

  bool is_new(const Diagnostic& complaint) const {
    for (const Diagnostic& d : diagnostics_.sorted())
      if (d.message == complaint.message && d.where.line == complaint.where.line &&
          d.where.column == complaint.where.column)
        return false;
    return true;
  }

  Json axis_json(const Axis& axis) const {
    Json json = {{"name", axis.name}, {"parameters", Json::array()}};
    for (const AxisParameter& parameter : axis.parameters) json["parameters"].push_back(parameter.pointer);
    for (const Node& value : axis.values) json["values"].push_back(as_json(value));
    if (!axis.values.empty()) return json;
    json["from"] = as_json(axis.range->at(0.0));
    json["to"] = as_json(axis.range->at(1.0));
    json["scale"] = axis.range->log_scale ? "log" : "linear";
    return json;
  }

  void define() {
    Json groups = Json::array();
    for (const AxisGroup& group : space_.groups) {
      Json axes = Json::array();
      for (std::size_t a = group.first_axis; a < group.first_axis + group.axis_count; ++a)
        axes.push_back(axis_json(space_.axes[a]));
      if (group.kind == AxisGroup::Kind::crossed)
        groups.push_back(std::move(axes[0]));
      else if (group.kind == AxisGroup::Kind::zipped)
        groups.push_back({{"zip", std::move(axes)}});
      else
        groups.push_back(
            {{"latin_hypercube", {{"points", group.size}, {"seed", group.seed}, {"axes", std::move(axes)}}}});
    }
    space_.definition = {{"scenario_sha256", space_.base.sha256}, {"axes", std::move(groups)}};
    space_.definition["conditions"] = conditions_;
    space_.sha256 = sha256(canonical_text(space_.definition));
    space_.make_shortcut();
  }

  Diagnostics& diagnostics_;
  Sources* sources_ = nullptr;
  SweepSpace space_;
  Json conditions_ = Json::array();
};

std::uint64_t SweepSpace::combinations() const {
  std::uint64_t product = 1;
  for (const AxisGroup& group : groups) product *= group.size;
  return product;
}

std::uint64_t SweepSpace::position_in(const AxisGroup& group, std::uint64_t point) const {
  for (std::size_t g = groups.size(); g-- > 0;) {
    if (&groups[g] == &group) return point % groups[g].size;
    point /= groups[g].size;
  }
  return 0;
}

Node SweepSpace::value(std::size_t axis, const AxisGroup& group, std::uint64_t position) const {
  const Axis& from = axes[axis];
  if (group.kind != AxisGroup::Kind::latin_hypercube) return from.values[position];
  const auto entity = static_cast<std::uint32_t>(axis - group.first_axis);
  const sim::FeistelPermutation order(sim::uniform_bits({group.seed, 0, kDrawPartOrder, entity}, 0), group.size);
  const double within = sim::uniform({group.seed, 0, kDrawPlaceInPart, entity}, position);
  const double share = (static_cast<double>(order(position)) + within) / static_cast<double>(group.size);
  if (from.values.empty()) return from.range->at(share);
  const auto index = static_cast<std::size_t>(share * static_cast<double>(from.values.size()));
  return from.values[std::min(index, from.values.size() - 1)];
}

std::vector<Node> SweepSpace::values(std::uint64_t point) const {
  std::vector<Node> all;
  for (const AxisGroup& group : groups) {
    const std::uint64_t position = position_in(group, point);
    for (std::size_t a = group.first_axis; a < group.first_axis + group.axis_count; ++a)
      all.push_back(value(a, group, position));
  }
  return all;
}

bool SweepSpace::keeps(std::uint64_t point) const {
  if (conditions.empty()) return true;
  std::vector<Comparable> at_point;
  for (const AxisGroup& group : groups) {
    const std::uint64_t position = position_in(group, point);
    for (std::size_t a = group.first_axis; a < group.first_axis + group.axis_count; ++a)
      at_point.push_back(group.kind == AxisGroup::Kind::latin_hypercube ? comparable(value(a, group, position))
                                                                        : comparables_[a][position]);
  }
  return std::all_of(conditions.begin(), conditions.end(),
                     [&at_point](const Condition& condition) { return condition.holds(at_point); });
}

std::uint64_t SweepSpace::count() const {
  std::uint64_t kept = 0;
  for (std::uint64_t point = 0; point < combinations(); ++point) kept += keeps(point) ? 1 : 0;
  return kept;
}

Json SweepSpace::coordinates(std::uint64_t point) const {
  const std::vector<Node> at_point = values(point);
  Json json = Json::object();
  for (std::size_t a = 0; a < axes.size(); ++a) json[axes[a].name] = as_json(at_point[a]);
  return json;
}

void SweepSpace::make_shortcut() {
  std::vector<std::vector<Node>> by_position(axes.size());
  for (const AxisGroup& group : groups)
    for (std::size_t a = group.first_axis; a < group.first_axis + group.axis_count; ++a)
      for (std::uint64_t position = 0; position < group.size; ++position)
        by_position[a].push_back(value(a, group, position));
  shortcut_ = std::make_shared<const PointShortcut>(axes, by_position, base.value);
}

tl::expected<models::Scenario, Diagnostics> SweepSpace::read(const std::vector<std::size_t>& some,
                                                             std::uint64_t point) const {
  const std::vector<Node> at_point = values(point);
  std::vector<Setting> settings;
  for (const std::size_t a : some) apply_value(axes[a], at_point[a], settings);
  models::Scenario scenario;
  const auto varied = vary(base.composition, settings, catalogue_, [&scenario](models::Visitor& visitor) {
    scenario = models::Scenario{};
    describe_scenario(scenario, visitor);
  });
  if (!varied) return tl::unexpected(varied.error());
  return scenario;
}

tl::expected<ResolvedPoint, Diagnostics> SweepSpace::resolve(std::uint64_t point) const {
  std::vector<std::size_t> positions;
  std::vector<std::size_t> all;
  for (const AxisGroup& group : groups)
    for (std::size_t a = 0; a < group.axis_count; ++a) {
      positions.push_back(position_in(group, point));
      all.push_back(all.size());
    }
  auto quick = shortcut_->at(positions, [&](const std::vector<std::size_t>& some) {
    auto varied = read(some, point);
    return varied ? std::optional(std::move(*varied)) : std::nullopt;
  });
  ResolvedPoint resolved;
  if (quick) {
    resolved.scenario = std::move(*quick);
  } else {
    auto varied = read(all, point);
    if (!varied) return tl::unexpected(std::move(varied.error()));
    resolved.scenario = std::move(*varied);
  }
  resolved.sha256 = fingerprint([&resolved](models::Visitor& v) { describe_scenario(resolved.scenario, v); });
  return resolved;
}

tl::expected<SweepSpace, Diagnostics> load_space(const std::string& path, std::span<const std::string> overrides,
                                                 const LoadOptions& options) {
  Diagnostics diagnostics;
  std::optional<SweepSpace> space = SpaceReader(diagnostics).read(path, overrides, options);
  if (!space) return tl::unexpected(std::move(diagnostics));
  return std::move(*space);
}

}  // namespace headrace::scenarios
