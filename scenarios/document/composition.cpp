#include "scenarios/document/composition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/file_kind.hpp"
#include "scenarios/document/measured_names.hpp"
#include "scenarios/document/one_client.hpp"
#include "scenarios/document/replaced_lists.hpp"
#include "scenarios/document/set_value.hpp"
#include "scenarios/document/site_file.hpp"
#include "scenarios/document/thresholds.hpp"
#include "scenarios/document/unfinished_elements.hpp"

namespace headrace::scenarios {
namespace {

namespace fs = std::filesystem;

/// Marks the name of a scenario that the program carries, where a path is expected.
constexpr std::string_view kShipped = "shipped:";

/// Brings short forms into the full shape; its complaints come again, with better places, when all is resolved.
void normalise(Node& node, Sources& sources, const Catalogue& catalogue, const DescribeFunction& describe_fresh) {
  Diagnostics unused;
  parse_record(node, sources, catalogue, Names::keep, describe_fresh, unused);
}

/// A complaint about the document as a whole, shown at one of its own keys.
Diagnostic about_document(const Node& document, std::string_view key, const Sources& sources) {
  Diagnostic d;
  d.pointer = join_pointer("", key);
  const Place& place = document.find_member(key)->key_place;
  if (place.known()) d.where = excerpt_at(sources, place);
  return d;
}

/// A layer of jobs alone, as `headrace import dlio` writes it.
bool lacks_a_system(const Node& document, const Diagnostics& diagnostics) {
  const std::vector<Diagnostic> all = diagnostics.sorted();
  const auto misses = [&all](std::string_view pointer) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Diagnostic& d) { return d.code == "E0202" && d.pointer == pointer; });
  };
  return document.find_member("jobs") != nullptr && misses("/cluster") && misses("/stores");
}

/// One complaint in place of one for every reference into the system that is missing.
Diagnostics of_lone_layer(const Node& document, const Sources& sources, const Diagnostics& diagnostics) {
  Diagnostic d = about_document(document, "jobs", sources);
  d.code = "E0202";
  d.message = "there are jobs, but neither 'cluster' nor 'stores': this is a layer for a system, not a scenario";
  d.help = "name the system in front of it, a file or a shipped scenario: headrace simulate storage-nvme-host FILE";
  std::vector<Diagnostic> rest = diagnostics.sorted();
  std::erase_if(rest, [](const Diagnostic& other) {
    return other.code == "E0211" || other.pointer == "/cluster" || other.pointer == "/stores";
  });
  if (std::any_of(rest.begin(), rest.end(), [](const Diagnostic& other) { return other.code == "E0202"; })) {
    d.help = "name the scenario that it changes in front of it: headrace simulate SCENARIO FILE";
    std::erase_if(rest, [](const Diagnostic& other) { return other.code == "E0202" || other.code == "E0210"; });
  }
  rest.insert(rest.begin(), std::move(d));
  return diagnostics.with(std::move(rest));
}

/// Machines without anything that runs on them.
bool lacks_work(const Node& document, const Diagnostics& diagnostics) {
  const std::vector<Diagnostic> all = diagnostics.sorted();
  return document.find_member("cluster") != nullptr && document.find_member("jobs") == nullptr &&
         std::any_of(all.begin(), all.end(),
                     [](const Diagnostic& d) { return d.code == "E0202" && d.pointer == "/jobs"; });
}

Diagnostics of_lone_system(const Node& document, const Sources& sources, const Diagnostics& diagnostics) {
  Diagnostic d = about_document(document, "cluster", sources);
  d.code = "E0202";
  d.message = "there are machines, but no jobs that run on them: this is a system, not a scenario";
  d.help =
      "name a workload after it, such as what headrace import dlio writes: headrace simulate SYSTEM WORKLOAD.json; "
      "headrace init writes a whole scenario";
  std::vector<Diagnostic> rest = diagnostics.sorted();
  std::erase_if(rest, [](const Diagnostic& other) { return other.pointer == "/jobs" || other.pointer == "/datasets"; });
  rest.insert(rest.begin(), std::move(d));
  return diagnostics.with(std::move(rest));
}

/// The composition with a document that is complete.
tl::expected<Composition, Diagnostics> resolved(Composition composition, const Catalogue& catalogue,
                                                const DescribeFunction& describe_fresh, Diagnostics diagnostics,
                                                const PlaceOfKey& elsewhere = {}) {
  normalise(composition.document, *composition.sources, catalogue, describe_fresh);
  composition.inlined = composition.document;
  parse_record(composition.inlined, *composition.sources, catalogue, Names::look_up, describe_fresh, diagnostics,
               elsewhere);
  doubt_shares_of_stores(composition.inlined);
  if (diagnostics.empty()) return composition;
  if (lacks_a_system(composition.document, diagnostics))
    diagnostics = of_lone_layer(composition.document, *composition.sources, diagnostics);
  else if (lacks_work(composition.document, diagnostics))
    diagnostics = of_lone_system(composition.document, *composition.sources, diagnostics);
  else
    diagnostics = of_unfinished_elements(composition.document, *composition.sources, diagnostics);
  return tl::unexpected(std::move(diagnostics));
}

class Loader {
 public:
  Loader(Sources& sources, const LoadOptions& options, const Catalogue& catalogue,
         const DescribeFunction& describe_fresh, Diagnostics& diagnostics)
      : sources_(sources),
        options_(options),
        catalogue_(catalogue),
        describe_fresh_(describe_fresh),
        diagnostics_(diagnostics) {}

  /// One file with everything that it extends under it.
  std::optional<Node> load(const std::string& path, int layer);

  /// What the files say about having been held against a machine.
  std::vector<VerifiedLayer>& verified() { return verified_; }
  const MeasuredNames& names() const { return names_; }
  /// Says which measured figures the files after them have replaced.
  void note_replaced_figures(const Node& document);
  std::vector<std::string>& notes() { return notes_; }
  /// The paths of the files that were given.
  std::vector<std::string>& inputs() { return inputs_; }

  /// Lays a layer of `path` over what lies below it. False after a complaint.
  bool lay(Node& base, Node layer, const std::string& path);

 private:
  std::optional<Node> read(const std::string& path, int layer);
  std::optional<std::string> text_of(const std::string& path);
  const std::vector<EmbeddedText>& shipped() const {
    return options_.shipped != nullptr ? *options_.shipped : embedded_scenarios();
  }
  std::string help_for_missing(const std::string& name, const std::string& otherwise) const;
  bool extend(Node& node, const std::string& path, int layer);
  void note_undone(const std::string& path, const std::string& base, const std::string& called, int layer);
  std::string find(const std::string& name, const fs::path& folder) const;
  bool is_text(const std::string& path) const { return options_.texts != nullptr && options_.texts->contains(path); }
  void complain(const char* code, std::string message, const Place& place, std::string help) {
    Diagnostic d;
    d.code = code;
    d.message = std::move(message);
    d.where = excerpt_at(sources_, place);
    d.help = std::move(help);
    diagnostics_.add(std::move(d));
  }

  std::map<std::string, int> bases_;  ///< the first layer that may change what a file says, by its path
  Sources& sources_;
  const LoadOptions& options_;
  const Catalogue& catalogue_;
  const DescribeFunction& describe_fresh_;
  Diagnostics& diagnostics_;
  std::vector<VerifiedLayer> verified_;
  std::vector<std::pair<std::string, Node>> records_;  ///< of measurements, with their files
  MeasuredNames names_;
  std::vector<std::string> notes_;
  std::vector<std::string> inputs_;
  std::vector<std::string> open_;  ///< canonical paths of the files being read, outermost first
};

/// The file that a name means: as written, relative to `folder`, then on the search path, each also with ".json".
std::string Loader::find(const std::string& name, const fs::path& folder) const {
  if (name == "-" || is_text(name)) return name;
  std::vector<fs::path> folders = {folder};
  folders.insert(folders.end(), options_.search_path.begin(), options_.search_path.end());
  for (const fs::path& place : folders) {
    for (const std::string_view ending : {"", ".json"}) {
      const fs::path candidate = place / (name + std::string(ending));
      std::error_code error;
      if (fs::exists(candidate, error) && !(ending.empty() && fs::is_directory(candidate, error) && place != folder)) {
        return candidate.string();
      }
    }
  }
  for (const EmbeddedText& scenario : shipped())
    if (scenario.name == name) return std::string(kShipped) + name;
  return (folder / name).string();
}

std::optional<std::string> Loader::text_of(const std::string& path) {
  if (is_text(path)) return options_.texts->at(path);
  std::error_code error;
  if (!path.starts_with(kShipped) && path != "-" && !fs::exists(path, error)) {
    Diagnostic d;
    d.code = "E0101";
    d.message = fmt::format("cannot read '{}': no such file", path);
    d.where.file = path;
    d.help =
        help_for_missing(path, "check the path; headrace explain scenarios lists the names that the program knows");
    diagnostics_.add(std::move(d));
    return std::nullopt;
  }
  if (!path.starts_with(kShipped)) return read_text(path, diagnostics_);
  for (const EmbeddedText& scenario : shipped())
    if (scenario.name == path.substr(kShipped.size())) return std::string(scenario.text);
  return read_text(path, diagnostics_);
}

/// A path is checked by its owner; a name may be that of a shipped scenario.
std::string Loader::help_for_missing(const std::string& name, const std::string& otherwise) const {
  std::vector<std::string_view> known;
  for (const EmbeddedText& scenario : shipped()) known.push_back(scenario.name);
  const fs::path path(name);
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(path.has_parent_path() ? path.parent_path() : fs::path("."), error))
    if (file.path().extension() == ".json") files.push_back(file.path().filename().string());
  std::sort(files.begin(), files.end());
  const std::vector<std::string_view> views(files.begin(), files.end());
  const std::string wanted =
      path.extension() == ".json" ? path.filename().string() : path.filename().string() + ".json";
  if (const std::string_view file = nearest(wanted, views); !file.empty())
    return fmt::format("did you mean '{}'?", (path.parent_path() / file).string());
  const std::string_view near = nearest(path.stem().string(), known);
  return near.empty() ? otherwise : fmt::format("did you mean the shipped scenario '{}'?", near);
}

std::optional<Node> Loader::read(const std::string& path, int layer) {
  std::optional<std::string> text = text_of(path);
  if (!text) return std::nullopt;
  const std::string name = path == "-" ? std::string("<standard input>") : path;
  const std::uint32_t source = sources_.add({SourceKind::file, name, std::move(*text), layer});
  std::optional<Node> root = parse_document(sources_, source, diagnostics_);
  if (root && !root->is(Node::Type::object)) {
    complain("E0303", fmt::format("a scenario is an object, found {}", type_name(root->type)), root->place,
             "write {\"cluster\": ...}");
    return std::nullopt;
  }
  const auto accepted = {FileType::scenario, FileType::calibration};
  if (auto other = root ? complaint_about_kind(*root, sources_, "a scenario", accepted) : std::nullopt) {
    diagnostics_.add(std::move(*other));
    return std::nullopt;
  }
  return root;
}

/// Lays `node` over the files that it extends.
bool Loader::extend(Node& node, const std::string& path, int layer) {
  const Node* extends = node.find("extends");
  if (extends == nullptr) return true;
  std::vector<Node> wanted = extends->is(Node::Type::array) ? extends->items : std::vector<Node>{*extends};
  std::erase_if(node.members, [](const Member& m) { return m.key == "extends"; });
  std::optional<Node> base;
  for (const Node& item : wanted) {
    if (!item.is(Node::Type::string)) {
      complain("E0201", fmt::format("expected the name of a file, found {}", type_name(item.type)), item.place, "");
      return false;
    }
    const std::string found = find(item.text, fs::path(path).parent_path());
    std::error_code error;
    if (!found.starts_with(kShipped) && !fs::exists(found, error)) {
      complain("E0101", fmt::format("cannot read '{}': no such file", item.text), item.place,
               help_for_missing(item.text, "paths in \"extends\" are relative to the file that contains them"));
      return false;
    }
    const std::string canonical = fs::weakly_canonical(found, error).string();
    if (std::find(open_.begin(), open_.end(), canonical) != open_.end()) {
      complain("E0301", fmt::format("'{}' extends itself, directly or through other files", item.text), item.place,
               "remove one \"extends\"");
      return false;
    }
    note_undone(path, canonical, item.text, layer);
    std::optional<Node> next = load(found, layer);
    if (!next) return false;
    if (!base) base = make_object();
    if (!lay(*base, std::move(*next), found)) return false;
  }
  if (base) {
    // What the file replaces it also replaces in the layers that the user lays it over: they may be the same file.
    const Member* replaces = node.find_member(kReplacesKey);
    const Member kept = replaces == nullptr ? Member{} : *replaces;
    if (!lay(*base, std::move(node), path)) return false;
    node = std::move(*base);
    if (!kept.key.empty()) node.members.push_back(kept);
  }
  return true;
}

/// A base that an earlier layer was laid over already comes over that layer again.
void Loader::note_undone(const std::string& path, const std::string& base, const std::string& called, int layer) {
  const auto [first, fresh] = bases_.emplace(base, layer);
  if (fresh || first->second >= layer) return;
  notes_.push_back(
      fmt::format("{0} extends {1} again, which undoes what the files before it changed in {1}: to keep that, remove "
                  "\"extends\" from {0}",
                  path, called));
}

bool Loader::lay(Node& base, Node layer, const std::string& path) {
  const auto dropped = drop_replaced(base, layer);
  if (!dropped) {
    complain("E0208", dropped.error().message, dropped.error().place, dropped.error().help);
    return false;
  }
  if (!dropped->empty()) notes_.push_back(fmt::format("{} replaces {}", path, fmt::join(*dropped, ", ")));
  if (base.members.empty())
    base = std::move(layer);
  else
    lay_over(base, layer);
  return true;
}

void Loader::note_replaced_figures(const Node& document) {
  constexpr std::size_t kShown = 3;
  for (const auto& [file, record] : records_) {
    std::map<std::uint32_t, std::vector<std::string>> targets;  // by the file that replaces them
    for (ReplacedFigure& figure : replaced_figures(document, record))
      targets[figure.place.source].push_back(std::move(figure.target));
    for (auto& [over, names] : targets) {
      const std::size_t more = names.size() - std::min(kShown, names.size());
      names.resize(names.size() - more);
      if (more > 0) names.push_back(fmt::format("{} more", more));
      notes_.push_back(
          fmt::format("{} replaces what {} measured ({}): of two files the later one wins; name {} last to use its "
                      "figures",
                      sources_[over].name, file, fmt::join(names, ", "), file));
    }
  }
}

std::optional<Node> Loader::load(const std::string& given, int layer) {
  const std::string path = open_.empty() ? find(given, fs::path()) : given;
  if (open_.empty()) inputs_.push_back(path);
  std::optional<Node> node = read(path, layer);
  if (!node) return std::nullopt;
  std::error_code error;
  open_.push_back(fs::weakly_canonical(path, error).string());
  if (open_.size() == 1) bases_.emplace(open_.back(), layer + 1);  // what is given as it is changes nothing in it
  const Node* extends = node->find("extends");
  const Member extends_member = extends == nullptr ? Member{} : *node->find_member("extends");
  std::erase_if(node->members, [](const Member& m) { return m.key == "extends"; });
  const Member* calibration = node->find_member(kCalibrationKey);
  const Node record = calibration == nullptr ? Node{} : calibration->value;
  std::erase_if(node->members, [](const Member& m) { return m.key == kCalibrationKey; });
  const Member* replaces = node->find_member(kReplacesKey);
  const Member replaces_member = replaces == nullptr ? Member{} : *replaces;
  std::erase_if(node->members, [](const Member& m) { return m.key == kReplacesKey; });
  normalise(*node, sources_, catalogue_, describe_fresh_);
  mark_measured(*node, record);
  if (!record.is(Node::Type::null)) records_.emplace_back(path, record);
  names_.add(*node, !record.is(Node::Type::null));
  if (const auto verified = verified_layer(path, record)) verified_.push_back(*verified);
  for (const Member& kept : {extends_member, replaces_member})
    if (!kept.key.empty()) node->members.push_back(kept);
  const bool good = extend(*node, path, layer);
  open_.pop_back();
  if (!good) return std::nullopt;
  return node;
}

}  // namespace

tl::expected<Composition, Diagnostics> compose(std::span<const std::string> paths,
                                               std::span<const std::string> overrides, const LoadOptions& options,
                                               const DescribeFunction& describe_fresh) {
  Composition out;
  Diagnostics diagnostics;
  const Catalogue& catalogue = options.catalogue != nullptr ? *options.catalogue : Catalogue::shipped();
  Loader loader(*out.sources, options, catalogue, describe_fresh, diagnostics);
  out.document = make_object();
  out.catalogue_version = catalogue.version();
  bool complete = true;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::optional<Node> layer = loader.load(paths[i], static_cast<int>(i));
    complete = layer && loader.lay(out.document, std::move(*layer), paths[i]) && complete;
  }
  if (!complete) return tl::unexpected(std::move(diagnostics));
  loader.note_replaced_figures(out.document);
  out.verified = std::move(loader.verified());
  out.notes = std::move(loader.notes());
  out.inputs = std::move(loader.inputs());
  for (const std::string& assignment : overrides) set_value(out.document, assignment, *out.sources, diagnostics);
  for (const std::string& threshold : options.slos) set_threshold(out.document, threshold, *out.sources, diagnostics);
  const std::size_t before = diagnostics.size();
  loader.names().check(out.document, *out.sources, diagnostics);
  if (diagnostics.size() > before) return tl::unexpected(std::move(diagnostics));
  return resolved(std::move(out), catalogue, describe_fresh, std::move(diagnostics), options.elsewhere);
}

tl::expected<Composition, Diagnostics> vary(const Composition& base, std::span<const Setting> settings,
                                            const Catalogue& catalogue, const DescribeFunction& describe_fresh) {
  Composition out;
  // Catalogue texts are added while names are looked up, and other variants may be made at the same time.
  out.sources = std::make_shared<Sources>(*base.sources);
  out.document = base.document;
  out.catalogue_version = base.catalogue_version;
  Diagnostics diagnostics;
  for (const Setting& setting : settings) {
    const auto set = set_node(out.document, setting.pointer, setting.pointer_place, setting.value);
    if (set) continue;
    Diagnostic d;
    d.code = "E0302";
    d.message = fmt::format("cannot set '{}'", setting.pointer);
    d.where = excerpt_at(*out.sources, setting.pointer_place);
    d.help = set.error();
    diagnostics.add(std::move(d));
  }
  return resolved(std::move(out), catalogue, describe_fresh, std::move(diagnostics));
}

Origin Composition::origin_of(std::string_view pointer) const {
  Origin origin;
  const Node* node = find_at(inlined, pointer);
  for (std::string_view around = pointer; node == nullptr && !around.empty();) {
    around = around.substr(0, around.rfind('/'));
    const Node* outer = find_at(inlined, around);
    if (outer == nullptr) continue;
    if (outer->is(Node::Type::object) || outer->is(Node::Type::array)) return origin;
    node = outer;  // a short form
  }
  if (node == nullptr || !node->place.known() || node->is(Node::Type::null)) return origin;
  const Source& source = (*sources)[node->place.source];
  const Position position = position_at(source.text, node->place.begin);
  origin.kind = source.kind == SourceKind::catalogue           ? Origin::Kind::catalogue
                : source.kind == SourceKind::override_argument ? Origin::Kind::override_argument
                                                               : Origin::Kind::file;
  origin.name = source.name;
  origin.line = position.line;
  origin.column = position.column;
  origin.layer = source.layer;
  origin.as_of = node->as_of;
  origin.knowledge = node->knowledge;
  origin.text = source.text.substr(node->place.begin, node->place.end - node->place.begin);
  if (origin.kind == Origin::Kind::override_argument)
    origin.name = (source.name == "--slo" ? "--slo " : "--set ") + source.text;
  return origin;
}

std::string Origin::print() const {
  switch (kind) {
    case Kind::default_value:
      return "default";
    case Kind::file:
      return fmt::format("{}:{}:{}{}", name, line, column, as_of.empty() ? "" : ", " + as_of);
    case Kind::override_argument:
      return name;
    case Kind::catalogue:
      return as_of.empty() ? name
                           : fmt::format("{}, {}{}", name, as_of,
                                         knowledge && knowledge->evidence == "assumed" ? " (assumed)" : "");
  }
  return {};
}

}  // namespace headrace::scenarios
