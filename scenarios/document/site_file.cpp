#include "scenarios/document/site_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "scenarios/document/file_kind.hpp"
#include "scenarios/document/one_client.hpp"
#include "scenarios/document/parse_visitor.hpp"
#include "scenarios/document/print_visitor.hpp"
#include "scenarios/document/read_json.hpp"
#include "scenarios/document/schema_visitor.hpp"
#include "scenarios/document/sha256.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Calibration;
using MeasuredParameter = models::calibration::Parameter;
using models::calibration::Verdict;
using Json = nlohmann::ordered_json;

constexpr std::pair<const char*, models::Unit> kSiteUnits[] = {{"s", models::Unit::seconds},
                                                               {"B", models::Unit::bytes},
                                                               {"B/s", models::Unit::bytes_per_second},
                                                               {"1/s", models::Unit::per_second},
                                                               {"FLOP/s", models::Unit::flop_per_second}};

models::Unit unit_of(const std::string& name) {
  for (const auto& [known, unit] : kSiteUnits)
    if (name == known) return unit;
  return models::Unit::one;
}

/// Four digits are more than a measurement is worth.
double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

Json printed(double value, const std::string& unit) {
  if (unit_of(unit) == models::Unit::one) {
    if (value == std::floor(value) && value < 1e15) return static_cast<std::uint64_t>(value);  // a count
    return rounded(value);
  }
  return print_quantity(rounded(value), unit_of(unit));
}

Json value_of(const MeasuredParameter& parameter) {
  if (parameter.quantiles.empty()) return printed(parameter.value, parameter.unit);
  Json table = Json::array();
  double last = 0.0;
  for (const auto& point : parameter.quantiles) {
    last = std::max(last, rounded(point.value));  // rounding must not make a table fall
    table.push_back({{"p", point.p}, {"value", printed(last, parameter.unit)}});
  }
  return {{"empirical", {{"quantiles", std::move(table)}}}};
}

/// The element of that name in a list, added where it is not there.
Json& named(Json& list, const std::string& name) {
  if (!list.is_array()) list = Json::array();
  for (Json& element : list)
    if (element.value("name", "") == name) return element;
  list.push_back({{"name", name}});
  return list.back();
}

bool is_list(const std::string& key) {
  return key == "stores" || key == "pools" || key == "datasets" || key == "jobs" || key == "background";
}

/// A rate of 0 was not measured; sigma and kappa of 0 were.
bool is_figure(const MeasuredParameter& parameter) {
  return parameter.value > 0.0 || (parameter.unit == "count" && parameter.value == 0.0);
}

void place(Json& layer, const MeasuredParameter& parameter) {
  const auto tokens = pointer_tokens(parameter.target);
  if (!tokens || tokens->empty()) return;
  Json* at = &layer;
  for (std::size_t i = 0; i + 1 < tokens->size(); ++i) {
    const std::string& token = (*tokens)[i];
    at = &(*at)[token];
    if (is_list(token) && i + 1 < tokens->size()) at = &named(*at, (*tokens)[++i]);
  }
  (*at)[tokens->back()] = value_of(parameter);
}

Json print_calibration(const Calibration& calibration) {
  Calibration copy = calibration;
  return print_record([&copy](models::Visitor& visitor) { describe(copy, visitor); });
}

template <class AnyNode>
AnyNode* member_named(AnyNode& list, const std::string& name) {
  for (AnyNode& item : list.items)
    if (const Node* own = item.find("name"); own != nullptr && own->text == name) return &item;
  return nullptr;
}

/// In a Node or a const Node.
template <class AnyNode>
AnyNode* find_target(AnyNode& layer, const std::string& target) {
  const auto tokens = pointer_tokens(target);
  if (!tokens || tokens->empty()) return nullptr;
  AnyNode* at = &layer;
  for (const std::string& token : *tokens) {
    at = at->is(Node::Type::array) ? member_named(*at, token) : at->find(token);
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::string string_at(const Node& node, std::string_view key) {
  const Node* member = node.find(key);
  return member != nullptr && member->is(Node::Type::string) ? member->text : "";
}

std::optional<double> number_at(const Node& node, std::string_view key) {
  const Node* member = node.find(key);
  return member != nullptr && member->is(Node::Type::number) ? std::optional(member->number) : std::nullopt;
}

void mark(Node& value, const Node& parameter, const std::string& date) {
  auto knowledge = std::make_shared<FigureKnowledge>();
  const std::string known = string_at(parameter, "evidence");
  knowledge->evidence = known.empty() ? "measured" : known;
  const std::string flags = " " + string_at(parameter, "flags") + " ";
  knowledge->one_client = flags.find(fmt::format(" {} ", kOneClientFlag)) != std::string::npos;
  const std::string unit = string_at(parameter, "unit");
  const auto low = number_at(parameter, "low");
  const auto high = number_at(parameter, "high");
  if (low && high && *low < *high && (unit_of(unit) != models::Unit::one || unit == "count")) {
    knowledge->low = print_quantity(*low, unit_of(unit));
    knowledge->high = print_quantity(*high, unit_of(unit));
  }
  value.as_of = knowledge->evidence == "catalogue"
                    ? string_at(parameter, "provenance")
                    : fmt::format("measured {}, {}", date, string_at(parameter, "verdict"));
  value.knowledge = std::move(knowledge);
}

std::string first_remark(const Calibration& calibration) {
  if (!calibration.imported)
    return fmt::format("Measured by headrace calibrate on {} in {}.", calibration.date, calibration.path);
  return fmt::format("Read by headrace import {} from {} ({}), measured {}.", calibration.imported->format,
                     calibration.imported->file, calibration.imported->tool, calibration.date);
}

}  // namespace

Json site_file(const Calibration& calibration, const Json& layer) {
  Json file = Json::object();
  file["//"] = {first_remark(calibration),
                calibration.imported
                    ? "A layer: headrace simulate SCENARIO THIS-FILE. Names in it must be those of the scenario."
                    : "A layer: headrace simulate SCENARIO THIS-FILE. Names of store and pool must be those of the "
                      "scenario.",
                "Undetermined figures are not in the layer. headrace calibrate --show THIS-FILE shows all of them."};
  file.update(layer);
  for (const MeasuredParameter& parameter : calibration.parameters)
    if (!parameter.target.empty() && parameter.verdict != Verdict::undetermined && is_figure(parameter))
      place(file, parameter);
  Json record = print_calibration(calibration);
  file[std::string(kCalibrationKey)] = record;
  file[std::string(kCalibrationKey)]["sha256"] = sha256(record.dump());
  return file;
}

Json with_record(const std::string& text, const Calibration& calibration) {
  auto read = parse_json("", text);
  if (!read || !read->is_object()) return site_file(calibration);
  Json file = std::move(*read);
  file[std::string(kCalibrationKey)] = site_file(calibration)[std::string(kCalibrationKey)];
  return file;
}

tl::expected<Calibration, Diagnostics> read_site_file(const std::string& name, const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  const std::uint32_t source = sources.add({SourceKind::file, name, text, 0});
  std::optional<Node> root = parse_document(sources, source, diagnostics);
  if (!root || !diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  Node* record = root->find(kCalibrationKey);
  if (record == nullptr)
    if (auto other = complaint_about_kind(*root, sources, "a file of headrace calibrate", {})) {
      diagnostics.add(std::move(*other));
      return tl::unexpected(std::move(diagnostics));
    }
  if (record == nullptr || !record->is(Node::Type::object)) {
    Diagnostic d;
    d.code = "E0130";
    d.message = "the file has no calibration";
    d.where = excerpt_at(sources, root->place);
    d.help = "give a file of headrace calibrate -o";
    diagnostics.add(std::move(d));
    return tl::unexpected(std::move(diagnostics));
  }
  std::erase_if(record->members, [](const Member& m) { return m.key == "sha256"; });
  Calibration calibration;
  const auto describe_fresh = [&calibration](models::Visitor& visitor) {
    calibration = Calibration{};
    describe(calibration, visitor);
  };
  parse_record(*record, sources, Catalogue::shipped(), Names::look_up, describe_fresh, diagnostics);
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return calibration;
}

Json site_schema() {
  Calibration fresh;
  Json schema = record_schema([&fresh](models::Visitor& visitor) { describe(fresh, visitor); },
                              "https://headrace.dev/site.schema.json", "Measurements of headrace calibrate");
  schema["properties"].erase("extends");
  schema["properties"].erase("replaces");
  schema["properties"]["sha256"] = {{"description", "Fingerprint of the record without it"}, {"type", "string"}};
  return schema;
}

void mark_measured(Node& layer, const Node& record) {
  const Node* parameters = record.find("parameters");
  if (parameters == nullptr) return;
  for (const Node& parameter : parameters->items) {
    Node* value = find_target(layer, string_at(parameter, "target"));
    if (value != nullptr) mark(*value, parameter, string_at(record, "date"));
  }
}

std::vector<ReplacedFigure> replaced_figures(const Node& document, const Node& record) {
  std::vector<ReplacedFigure> replaced;
  const Node* parameters = record.find("parameters");
  if (parameters == nullptr) return replaced;
  for (const Node& parameter : parameters->items) {
    const std::string target = string_at(parameter, "target");
    const Node* value = find_target(document, target);
    if (value != nullptr && !value->knowledge && value->place.known()) replaced.push_back({target, value->place});
  }
  return replaced;
}

std::optional<VerifiedLayer> verified_layer(const std::string& file, const Node& record) {
  const Node* verified = record.find("verified");
  if (verified == nullptr || !verified->is(Node::Type::object)) return std::nullopt;
  VerifiedLayer layer;
  layer.file = file;
  layer.date = string_at(*verified, "date");
  layer.points = static_cast<std::uint64_t>(number_at(*verified, "points").value_or(0.0));
  layer.idle_error_points = number_at(*verified, "idle_error_points").value_or(0.0);
  layer.idle_error_largest = number_at(*verified, "idle_error_largest").value_or(0.0);
  return layer.points > 0 ? std::optional(layer) : std::nullopt;
}

}  // namespace headrace::scenarios
