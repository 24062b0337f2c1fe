#include "scenarios/document/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <mutex>

#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

void set_source(Node& node, std::uint32_t source) {
  node.place.source = source;
  for (Node& item : node.items) set_source(item, source);
  for (Member& member : node.members) {
    member.key_place.source = source;
    set_source(member.value, source);
  }
}

void set_origin(Node& node, const std::string& as_of, const std::shared_ptr<const FigureKnowledge>& knowledge) {
  node.as_of = as_of;
  node.knowledge = knowledge;
  for (Node& item : node.items) set_origin(item, as_of, knowledge);
  for (Member& member : node.members) set_origin(member.value, as_of, knowledge);
}

std::string member_text(const Node& root, std::string_view key) {
  const Node* node = root.find(key);
  return node == nullptr ? std::string() : node->text;
}

bool is_figure(const Node& node) {
  return node.find("value") != nullptr && node.find("source") != nullptr && node.find("as_of") != nullptr;
}

/// Replaces {"value": v, "source": s, "as_of": d} by v, wherever it stands.
void unwrap_figures(Node& node) {
  for (Member& member : node.members) unwrap_figures(member.value);
  if (!is_figure(node)) return;
  const Node* source = node.find("source");
  const Node* as_of = node.find("as_of");
  Node figure = *node.find("value");
  const FigureKnowledge knowledge{member_text(node, "evidence"), member_text(node, "low"), member_text(node, "high")};
  set_origin(figure, fmt::format("{}; {}", as_of->text, source->text),
             std::make_shared<const FigureKnowledge>(knowledge));
  node = std::move(figure);
}

/// The named rule that fills what an entry does not say: the name of a generic class.
std::string take_rule(Node& entry) {
  std::string rule = member_text(entry, "missing_figures_of");
  std::erase_if(entry.members, [](const Member& m) { return m.key == "missing_figures_of"; });
  return rule;
}

bool is_separator(char c) { return c == '-' || c == '/' || c == '_'; }

/// But for case, and a space for any separator.
bool is_same_letter(char a, char b) {
  const auto plain = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return plain(a) == plain(b) || (a == ' ' && is_separator(b));
}

bool is_same_word(std::string_view word, std::string_view name) {
  return word.size() == name.size() && std::equal(word.begin(), word.end(), name.begin(), is_same_letter);
}

/// The words of a name between its separators: "A100", "SXM4", "80GB".
std::vector<std::string_view> words_of_name(std::string_view name) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at <= name.size();) {
    std::size_t end = at;
    while (end < name.size() && name[end] != ' ' && !is_separator(name[end])) ++end;
    words.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// "A100-80GB" leaves a word of A100-SXM4-80GB out.
bool leaves_words_out(std::string_view word, std::string_view name) {
  const std::vector<std::string_view> given = words_of_name(word);
  std::size_t found = 0;
  for (const std::string_view part : words_of_name(name))
    if (found < given.size() && is_same_word(given[found], part)) ++found;
  return given.size() > 1 && found == given.size();
}

constexpr std::string_view kSections[] = {"gpu",        "nic",    "node",      "drives", "cache",  "store",     "price",
                                          "background", "loader", "transport", "codec",  "format", "contention"};

std::uint32_t catalogue_source(Sources& sources, const std::string& name, const std::string& text) {
  return sources.add({SourceKind::catalogue, "catalogue " + name, text, 0});
}

/// Figures that `node` lacks come from `base`; a figure is taken whole.
void fill_from(Node& node, const Node& base) {
  if (!node.is(Node::Type::object) || !base.is(Node::Type::object) || is_figure(node) || is_figure(base)) return;
  for (const Member& member : base.members) {
    Node* own = node.find(member.key);
    if (own == nullptr)
      node.members.push_back(member);
    else
      fill_from(*own, member.value);
  }
}

/// Of quantities as files write them; two spellings of one value are the same figure.
bool is_same_figure(const Node& a, const Node& b) {
  if (a.type != b.type) return false;
  if (a.is(Node::Type::number)) return a.number == b.number;
  if (!a.is(Node::Type::string)) return false;
  for (int unit = 0; unit <= static_cast<int>(models::kLastUnit); ++unit) {
    const auto one = parse_quantity(a.text, static_cast<models::Unit>(unit));
    const auto other = parse_quantity(b.text, static_cast<models::Unit>(unit));
    if (one && other) return *one == *other;
  }
  return false;
}

}  // namespace

void keep_assumptions(const Node& entry, Node& over) {
  for (Member& member : over.members) {
    const Node* figure = entry.find(member.key);
    if (figure == nullptr) continue;
    Node& value = member.value;
    if (figure->is(Node::Type::object)) {
      keep_assumptions(*figure, value);
    } else if (figure->knowledge && figure->knowledge->evidence == "assumed" && !value.knowledge &&
               is_same_figure(*figure, value)) {
      value.as_of = figure->as_of;
      value.knowledge = figure->knowledge;
    }
  }
}

/// Read once, by whoever asks first.
struct Catalogue::Entries {
  std::once_flag once;
  Node node;
};

const Node& Catalogue::Section::entries() const {
  std::call_once(read->once, [this] {
    Sources sources;
    Diagnostics diagnostics;
    const std::optional<Node> root = parse_document(sources, catalogue_source(sources, name, text), diagnostics);
    if (root)
      if (const Node* found = root->find("entries")) read->node = *found;
  });
  return read->node;
}

/// The file is called as its section, and its version stands once, before the entries.
void Catalogue::add_shipped(const EmbeddedText& file) {
  constexpr std::string_view kKey = "\"version\": \"";
  const std::size_t at = file.text.find(kKey);
  const std::string_view rest = at == std::string_view::npos ? std::string_view{} : file.text.substr(at + kKey.size());
  sections_.push_back({std::string(file.name), std::string(rest.substr(0, rest.find('"'))), std::string(file.text),
                       false, std::make_shared<Entries>()});
}

const Catalogue& Catalogue::shipped() {
  static const Catalogue catalogue = [] {
    Catalogue made;
    for (const EmbeddedText& file : embedded_catalogue()) made.add_shipped(file);
    return made;
  }();
  return catalogue;
}

void Catalogue::add(const std::string& name, std::string text, Diagnostics& diagnostics, bool own) {
  Sources sources;
  const std::optional<Node> root = parse_document(sources, catalogue_source(sources, name, text), diagnostics);
  if (!root) return;
  const auto complain = [&](const Node& node, std::string message, std::string help) {
    Diagnostic d;
    d.code = "E0305";
    d.message = std::move(message);
    d.where = excerpt_at(sources, node.place);
    d.help = std::move(help);
    diagnostics.add(std::move(d));
  };
  const Node* entries = root->find("entries");
  if (entries == nullptr || !entries->is(Node::Type::object))
    return complain(*root, "a catalogue file has \"section\", \"version\" and \"entries\"",
                    R"(write {"section": "gpu", "version": "2026-11-20", "entries": {"NAME": {...}}})");
  const std::string section = member_text(*root, "section");
  if (own && std::find(std::begin(kSections), std::end(kSections), section) == std::end(kSections))
    return complain(*root, fmt::format("the catalogue has no section '{}'", section),
                    fmt::format("one of {}", fmt::join(kSections, ", ")));
  for (const Member& entry : entries->members)
    if (!is_remark(entry.key) && !entry.value.is(Node::Type::object))
      complain(entry.value, fmt::format("the entry '{}' is not an object", entry.key), "give its figures as keys");
  const auto read = std::make_shared<Entries>();
  std::call_once(read->once, [&] { read->node = *entries; });
  sections_.push_back({section, member_text(*root, "version"), std::move(text), own, read});
}

const Catalogue::Section* Catalogue::find(std::string_view section, std::string_view entry) const {
  for (auto it = sections_.rbegin(); it != sections_.rend(); ++it)
    if (it->name == section && it->entries().find(entry) != nullptr) return &*it;
  return nullptr;
}

std::vector<std::string_view> Catalogue::section_names() const { return {std::begin(kSections), std::end(kSections)}; }

std::vector<std::string_view> Catalogue::names(std::string_view section) const {
  std::vector<std::string_view> out;
  for (const Section& found : sections_) {
    if (found.name != section) continue;
    for (const Member& member : found.entries().members)
      if (!is_remark(member.key) && std::find(out.begin(), out.end(), member.key) == out.end())
        out.push_back(member.key);
  }
  return out;
}

std::vector<std::string_view> Catalogue::meant(std::string_view section, std::string_view word) const {
  std::vector<std::string_view> begin_so;
  std::vector<std::string_view> end_so;
  std::vector<std::string_view> with_more_words;
  for (const std::string_view name : names(section)) {
    if (is_same_word(word, name)) return {name};
    if (word.empty() || name.size() <= word.size()) continue;
    const std::size_t rest = name.size() - word.size();
    if (is_separator(name[word.size()]) && is_same_word(word, name.substr(0, word.size()))) begin_so.push_back(name);
    if (is_separator(name[rest - 1]) && is_same_word(word, name.substr(rest))) end_so.push_back(name);
    if (leaves_words_out(word, name)) with_more_words.push_back(name);
  }
  if (begin_so.empty() && end_so.empty()) return with_more_words;
  return begin_so.empty() ? end_so : begin_so;
}

std::optional<Node> Catalogue::raw_entry(std::string_view section, std::string_view name) const {
  const Section* found = find(section, name);
  if (found == nullptr) return std::nullopt;
  Node out = *found->entries().find(name);
  const std::string rule = take_rule(out);
  if (rule.empty() || rule == name) return out;
  if (std::optional<Node> base = raw_entry(section, rule)) fill_from(out, *base);
  return out;
}

std::optional<Node> Catalogue::entry(std::string_view section, std::string_view name, Sources& sources) const {
  const Section* found = find(section, name);
  if (found == nullptr) return std::nullopt;
  Node out = *found->entries().find(name);
  const std::string rule = take_rule(out);
  const std::string source_name = fmt::format("{}catalogue {} ({})", found->own ? "own " : "", section, found->version);
  std::uint32_t id = kNoSource;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    const bool same = sources[i].kind == SourceKind::catalogue && sources[i].name == source_name;
    if (same && sources[i].text == found->text) id = i;
  }
  if (id == kNoSource) id = sources.add({SourceKind::catalogue, source_name, found->text, 0});
  set_source(out, id);
  unwrap_figures(out);
  if (!rule.empty() && rule != name)
    if (const std::optional<Node> base = entry(section, rule, sources)) fill_from(out, *base);
  return out;
}

std::string Catalogue::version() const {
  std::string shipped_version;
  std::string own;
  for (const Section& section : sections_) {
    if (!section.own)
      shipped_version = std::max(shipped_version, section.version);
    else
      own += fmt::format(" + own {} ({})", section.name, section.version);
  }
  return shipped_version + own;
}

}  // namespace headrace::scenarios
