#include "scenarios/importers/yaml_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/visible_text.hpp"

namespace headrace::scenarios {
namespace {

/// Whole text as a finite number in the C locale; YAML writes 1e3, 0.5, 7 alike.
std::optional<double> number_from(const std::string& text) {
  double value = 0.0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

YamlView::YamlView(std::string file_name, std::string text) {
  source_ = sources_.add({SourceKind::file, std::move(file_name), std::move(text), 0});
}

bool YamlView::parse() {
  const std::string& text = sources_[source_].text;
  if (const std::size_t at = first_not_utf8(text); at != std::string_view::npos) {
    const Place place{source_, at, at + 1};
    diagnostics_.add(
        {"E0109", "the file is not UTF-8 here", "", excerpt_at(sources_, place), "save it as UTF-8", "", {}});
    return false;
  }
  try {
    root_ = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    const Place place = place_of(error.mark);
    diagnostics_.add({"E0105",
                      "not valid YAML: " + error.msg,
                      "",
                      excerpt_at(sources_, place),
                      "correct the file where the marks point; indentation counts and tabs are not allowed",
                      "",
                      {}});
    return false;
  }
  if (root_.IsMap()) return true;
  const Place place{source_, 0, 0};
  diagnostics_.add({root_.IsNull() ? "E0103" : "E0303",
                    root_.IsNull() ? "the file has no YAML" : "a DLIO workload is a YAML mapping",
                    "",
                    excerpt_at(sources_, place),
                    "start from a workload file of the DLIO benchmark",
                    "",
                    {}});
  return false;
}

Place YamlView::place_of(const YAML::Mark& mark) const {
  if (mark.is_null()) return {};
  const std::string& text = sources_[source_].text;
  const auto begin = std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text.size());
  auto end = begin;
  while (end < text.size() && text[end] != '\n' && text[end] != '\r' && text[end] != '#') ++end;
  while (end > begin && text[end - 1] == ' ') --end;
  return {source_, begin, std::max(end, std::min(begin + 1, text.size()))};
}

YAML::Node YamlView::at(const std::string& path) const {
  YAML::Node node = YAML::Node(YAML::NodeType::Undefined);
  node.reset(root_);
  std::size_t begin = 0;
  while (begin <= path.size()) {
    if (!node.IsMap()) return YAML::Node(YAML::NodeType::Undefined);
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const YAML::Node& constant = node;
    const YAML::Node next = constant[path.substr(begin, end - begin)];
    if (!next.IsDefined()) return YAML::Node(YAML::NodeType::Undefined);
    node.reset(next);
    begin = end + 1;
  }
  return node;
}

bool YamlView::has(const std::string& path) const {
  const YAML::Node node = at(path);
  return node.IsDefined() && !node.IsNull();
}

bool YamlView::has_map(const std::string& path) const { return has(path) && at(path).IsMap(); }

void YamlView::complain(std::string code, std::string message, std::string help, const std::string& path) {
  const YAML::Node node = path.empty() ? YAML::Node(YAML::NodeType::Undefined) : at(path);
  const Place place = node.IsDefined() ? place_of(node.Mark()) : Place{source_, 0, 0};
  diagnostics_.add({std::move(code), std::move(message), "", excerpt_at(sources_, place), std::move(help), "", {}});
}

std::optional<double> YamlView::number(const std::string& path, double min, double max) {
  use(path);
  if (!has(path)) return std::nullopt;
  const YAML::Node node = at(path);
  const std::optional<double> value = node.IsScalar() ? number_from(node.Scalar()) : std::nullopt;
  if (!value) {
    complain("E0201", fmt::format("{} is not a number", path), "write a plain number, without a unit", path);
    return std::nullopt;
  }
  if (*value >= min && *value <= max) return value;
  complain("E0207", fmt::format("{} is {}, which is outside {:g} to {:g}", path, node.Scalar(), min, max), "", path);
  return std::nullopt;
}

std::optional<std::uint64_t> YamlView::count(const std::string& path, std::uint64_t min, std::uint64_t max) {
  const std::optional<double> value = number(path, static_cast<double>(min), static_cast<double>(max));
  if (!value) return std::nullopt;
  if (*value == std::floor(*value)) return static_cast<std::uint64_t>(*value);
  complain("E0201", fmt::format("{} is not a whole number", path), "", path);
  return std::nullopt;
}

std::optional<std::string> YamlView::word(const std::string& path) {
  use(path);
  if (!has(path)) return std::nullopt;
  const YAML::Node node = at(path);
  if (node.IsScalar()) return node.Scalar();
  complain("E0201", fmt::format("{} is not a word", path), "", path);
  return std::nullopt;
}

std::optional<bool> YamlView::flag(const std::string& path) {
  use(path);
  if (!has(path)) return std::nullopt;
  bool value = false;
  const YAML::Node node = at(path);
  if (node.IsScalar() && YAML::convert<bool>::decode(node, value)) return value;
  complain("E0201", fmt::format("{} is neither true nor false", path), "", path);
  return std::nullopt;
}

void YamlView::refuse_unknown(std::span<const std::string_view> known) { refuse_unknown_in(root_, "", known); }

void YamlView::refuse_unknown_in(const YAML::Node& node, const std::string& prefix,
                                 std::span<const std::string_view> known) {
  std::vector<std::string_view> siblings;
  for (const std::string_view key : known)
    if (key.starts_with(prefix))
      siblings.push_back(key.substr(prefix.size(), key.find('.', prefix.size()) - prefix.size()));
  siblings.erase(std::unique(siblings.begin(), siblings.end()), siblings.end());
  for (const auto& entry : node) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "?";
    if (key == "<<") continue;  // merges another mapping
    if (std::find(siblings.begin(), siblings.end(), key) == siblings.end()) {
      diagnostics_.add({"E0203",
                        fmt::format("unknown key '{}{}'", prefix, key),
                        "",
                        excerpt_at(sources_, place_of(entry.first.Mark())),
                        suggest(key, siblings),
                        "",
                        {}});
    } else if (entry.second.IsMap() && std::find(known.begin(), known.end(), prefix + key + ".*") == known.end()) {
      refuse_unknown_in(entry.second, prefix + key + ".", known);
    }
  }
}

void YamlView::collect_unused(const YAML::Node& node, const std::string& prefix,
                              std::vector<std::pair<std::string, int>>& list) const {
  for (const auto& entry : node) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "?";
    const std::string path = prefix.empty() ? key : prefix + "." + key;
    if (used_.count(path) > 0) continue;
    if (entry.second.IsMap())
      collect_unused(entry.second, path, list);
    else
      list.emplace_back(path, entry.first.Mark().line + 1);
  }
}

std::vector<std::pair<std::string, int>> YamlView::unused() const {
  std::vector<std::pair<std::string, int>> list;
  collect_unused(root_, "", list);
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return list;
}

}  // namespace headrace::scenarios
