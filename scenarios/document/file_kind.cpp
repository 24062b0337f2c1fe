#include "scenarios/document/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenarios/document/complaint.hpp"

namespace headrace::scenarios {
namespace {

constexpr std::string_view kReport = "headrace report FILE shows it";

/// A document has the kind whose keys it has, all of them; the first that fits.
struct KeyedKind {
  FileKind kind;
  std::array<std::string_view, 3> keys;
};
constexpr KeyedKind kByKeys[] = {
    {{FileType::check, "a result of headrace check", kReport, "thresholds"}, {"thresholds", "outcome", "decision"}},
    {{FileType::comparison, "a comparison of headrace compare", kReport, "differences"}, {"differences", "a", "b"}},
    {{FileType::plan, "a plan", "headrace report FILE shows it; headrace plan SCENARIO makes another", "recommended"},
     {"recommended", "search", ""}},
    {{FileType::backtest, "a result of headrace backtest", kReport, "rows"}, {"rows", "summary", "bars"}},
    {{FileType::verification, "a result of headrace verify", kReport, "points"}, {"points", "bar", ""}},
    {{FileType::verification, "a result of headrace verify", kReport, "points"}, {"points", "groups", "loader"}},
    {{FileType::campaign, "a result of headrace campaign", kReport, "goodput"}, {"goodput", "losses", ""}},
    {{FileType::outcome, "a result", "headrace report FILE shows it, and headrace compare takes results as they are",
      "verdict"},
     {"verdict", "metrics", ""}},
    {{FileType::baseline, "a baseline", "headrace check SCENARIO --baseline FILE compares with it", "accepted"},
     {"accepted", "format", ""}},
    {{FileType::catalogue, "a file of catalogue figures",
      "give it with --catalogue FILE to a verb that reads a scenario", "entries"},
     {"section", "entries", ""}},
    {{FileType::space, "a space of scenarios", "headrace sweep FILE computes its points", "axes"},
     {"axes", "scenario", ""}},
    {{FileType::calibration, "a file of headrace calibrate",
      "headrace calibrate --show FILE shows it; as a layer it follows a scenario: headrace simulate SCENARIO FILE",
      "calibration"},
     {"calibration", "", ""}}};

/// Others say their kind.
struct NamedKind {
  std::string_view name;
  FileKind kind;
};
constexpr NamedKind kByName[] = {
    {"offer", {FileType::offer, "an offer", "headrace bakeoff SCENARIO --offers FILE ranks it", "kind"}},
    {"bakeoff", {FileType::bakeoff, "a result of headrace bakeoff", "headrace report FILE --memo shows it", "kind"}},
    {"total_cost",
     {FileType::total_cost, "a total cost of headrace tco --json", "headrace tco SCENARIO prints it as text", "kind"}},
    {"growth", {FileType::growth, "a result of headrace growth", kReport, "kind"}},
    {"requirements", {FileType::requirements, "a list of requirements of headrace plan --require", kReport, "kind"}},
    {"most_fed", {FileType::most_fed, "a result of headrace plan --max", "headrace plan makes it", "kind"}}};

constexpr std::string_view kScenarioKeys[] = {"cluster", "stores", "datasets", "jobs", "fabric", "extends"};
constexpr FileKind kScenario = {FileType::scenario, "a scenario",
                                "headrace simulate FILE answers it, headrace explain scenarios lists shipped ones", ""};

constexpr FileKind kStore = {FileType::results_store, "a results store of headrace sweep",
                             "headrace report FILE shows it, and headrace merge joins several", ""};
constexpr FileKind kWorkload = {FileType::yaml, "a DLIO workload in YAML",
                                "headrace import dlio FILE -o workload.json makes a layer of it", ""};
constexpr FileKind kYaml = {FileType::yaml, "YAML",
                            "Headrace reads JSON: convert it, for example with yq -o json FILE > FILE.json; a DLIO "
                            "workload goes through headrace import dlio FILE",
                            ""};
constexpr FileKind kPage = {FileType::page, "a page for a browser", "the JSON is what the same verb prints with --json",
                            ""};

/// The first line with something on it, without remarks.
std::string_view first_line(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos && line[begin] != '#') return line.substr(begin);
    at = end + 1;
  }
  return {};
}

/// "model:" or "name: value"; "---" and "%YAML" begin a document.
bool begins_yaml(std::string_view line) {
  if (line.starts_with("---") || line.starts_with("%YAML")) return true;
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  const auto of_a_key = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == ' ';
  };
  const std::string_view key = line.substr(0, colon);
  const bool ends = colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '\r';
  return ends && std::all_of(key.begin(), key.end(), of_a_key) && !(key.front() >= '0' && key.front() <= '9');
}

Diagnostic other_kind(const FileKind& kind, std::string_view wanted, const Sources& sources, const Place& place) {
  return complaint_at(sources, place, "E0131", kind.key.empty() ? "" : join_pointer("", kind.key),
                      fmt::format("this is {}, not {}", kind.what, wanted), std::string(kind.use));
}

}  // namespace

const FileKind* kind_of_document(const Node& root) {
  if (!root.is(Node::Type::object)) return nullptr;
  const Node* said = root.find("kind");
  for (const NamedKind& known : kByName)
    if (said != nullptr && said->text == known.name) return &known.kind;
  const auto has = [&root](std::string_view key) { return key.empty() || root.find(key) != nullptr; };
  const bool scenario = std::any_of(std::begin(kScenarioKeys), std::end(kScenarioKeys), has);
  for (const KeyedKind& known : kByKeys)
    if (!(root.find("cluster") != nullptr && known.kind.type == FileType::outcome) &&
        std::all_of(known.keys.begin(), known.keys.end(), has))
      return &known.kind;
  return scenario ? &kScenario : nullptr;
}

const FileKind* kind_of_text(std::string_view text) {
  if (text.starts_with("SQLite format 3")) return &kStore;
  const std::string_view line = first_line(text);
  if (line.starts_with("<!") || line.starts_with("<html")) return &kPage;
  if (!begins_yaml(line)) return nullptr;
  const auto has = [&text](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return has("num_files_train") || has("record_length") || (has("reader:") && has("dataset:")) ? &kWorkload : &kYaml;
}

std::optional<Diagnostic> complaint_about_kind(const Node& root, const Sources& sources, std::string_view wanted,
                                               std::initializer_list<FileType> accepted) {
  const FileKind* kind = kind_of_document(root);
  if (kind == nullptr || std::find(accepted.begin(), accepted.end(), kind->type) != accepted.end()) return std::nullopt;
  const Member* member = kind->key.empty() ? nullptr : root.find_member(kind->key);
  Place place = member == nullptr ? root.place : member->key_place;
  if (member == nullptr && place.known()) place.end = place.begin + 1;
  return other_kind(*kind, wanted, sources, place);
}

std::optional<Diagnostic> complaint_about_text(const std::string& name, const std::string& text,
                                               std::string_view wanted, std::initializer_list<FileType> accepted) {
  Sources sources;
  const std::uint32_t source = sources.add({SourceKind::file, name, text, 0});
  if (const FileKind* kind = kind_of_text(text)) return other_kind(*kind, wanted, sources, {source, 0, 1});
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text[begin] != '{' || text.size() > kLargestFileBytes) return std::nullopt;
  Diagnostics unused;
  const std::optional<Node> root = parse_document(sources, source, unused);
  return root ? complaint_about_kind(*root, sources, wanted, accepted) : std::nullopt;
}

std::optional<Diagnostic> complaint_about_file(const std::string& path, std::string_view wanted) {
  Diagnostics unused;
  const std::optional<std::string> text = path == "-" ? std::nullopt : read_text(path, unused);
  return text ? complaint_about_text(path, *text, wanted) : std::nullopt;
}

}  // namespace headrace::scenarios
