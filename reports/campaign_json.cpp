#include "reports/campaign_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "models/base/model_version.hpp"
#include "reports/campaign_document.hpp"
#include "reports/fleet_document.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using models::CampaignFigure;

/// Writes the values of a description.
class CampaignWriter {
 public:
  void number(const char* key, double value, const char*) {
    json[key] = std::isfinite(value) ? Json(value) : Json(nullptr);
  }
  template <class I>
  void count(const char* key, I value, const char*) {
    json[key] = value;
  }
  void text(const char* key, const std::string& value, const char*) { json[key] = value; }
  void numbers(const char* key, const std::vector<double>& values, const char*) { json[key] = values; }
  void figure(const char* key, const std::optional<CampaignFigure>& value, const char*) {
    json[key] = nullptr;
    if (!value) return;
    Json ends = nullptr;
    if (value->ci95) ends = {value->ci95->low, value->ci95->high};
    json[key] = {{"mean", value->mean}, {"ci95", std::move(ends)}};
  }
  template <class T, class Describe>
  void record(const char* key, const T& value, Describe describe_one, const char*) {
    CampaignWriter inner;
    describe_one(value, inner);
    json[key] = std::move(inner.json);
  }
  template <class T, class Describe>
  void list(const char* key, const std::vector<T>& values, Describe describe_one, const char*) {
    Json items = Json::array();
    for (const T& value : values) {
      CampaignWriter inner;
      describe_one(value, inner);
      items.push_back(std::move(inner.json));
    }
    json[key] = std::move(items);
  }

  Json json = Json::object();
};

/// Writes the schema of the same description, of which it visits a default.
class CampaignSchemaWriter {
 public:
  void number(const char* key, double, const char* meaning) {
    add(key, {{"type", Json::array({"number", "null"})}, {"description", meaning}});
  }
  template <class I>
  void count(const char* key, I, const char* meaning) {
    add(key, {{"type", "integer"}, {"minimum", 0}, {"description", meaning}});
  }
  void text(const char* key, const std::string&, const char* meaning) {
    add(key, {{"type", "string"}, {"description", meaning}});
  }
  void numbers(const char* key, const std::vector<double>&, const char* meaning) {
    add(key, {{"type", "array"}, {"items", {{"type", "number"}}}, {"description", meaning}});
  }
  void figure(const char* key, const CampaignFigure&, const char* meaning) {
    add(key, {{"$ref", "#/$defs/figure"}, {"description", meaning}});
  }
  void figure(const char* key, const std::optional<CampaignFigure>&, const char* meaning) {
    add(key,
        {{"anyOf", Json::array({Json{{"$ref", "#/$defs/figure"}}, Json{{"type", "null"}}})}, {"description", meaning}});
  }
  template <class T, class Describe>
  void record(const char* key, const T& value, Describe describe_one, const char* meaning) {
    CampaignSchemaWriter inner;
    describe_one(value, inner);
    Json schema = inner.schema();
    schema["description"] = meaning;
    add(key, std::move(schema));
  }
  template <class T, class Describe>
  void list(const char* key, const std::vector<T>&, Describe describe_one, const char* meaning) {
    CampaignSchemaWriter inner;
    describe_one(T{}, inner);
    add(key, {{"type", "array"}, {"items", inner.schema()}, {"description", meaning}});
  }
  void add(const char* key, Json schema) {
    properties_[key] = std::move(schema);
    required_.push_back(key);
  }
  Json schema() const {
    return {{"type", "object"}, {"properties", properties_}, {"required", required_}, {"additionalProperties", false}};
  }

 private:
  Json properties_ = Json::object();
  Json required_ = Json::array();
};

constexpr const char* kCampaignFormat = "campaign 1.0";
constexpr const char* kFleetFormat = "fleet 1.0";

template <class T, class Describe>
Json campaign_document(const char* format, const T& outcome, Describe describe_it, const std::string& scenario_sha256,
                       const Provenance& provenance) {
  CampaignWriter writer;
  writer.json = {{"format_version", format},
                 {"model_version", models::kModelVersion},
                 {"catalogue_version", provenance.catalogue_version},
                 {"scenario_sha256", scenario_sha256}};
  describe_it(outcome, writer);
  writer.json["scenario"] = provenance.scenario;
  return std::move(writer.json);
}

template <class T, class Describe>
Json campaign_document_schema(const char* format, Describe describe_it, const char* title, const char* meaning) {
  CampaignSchemaWriter writer;
  writer.add("format_version", {{"const", format}});
  writer.text("model_version", "", "changes whenever predicted numbers change");
  writer.text("catalogue_version", "", "date of the catalogue of hardware and prices");
  writer.text("scenario_sha256", "", "of the resolved scenario");
  describe_it(T{}, writer);
  writer.add("scenario",
             {{"type", "object"}, {"description", "the resolved scenario, so that the result can be recomputed"}});
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}, {"description", meaning}};
  schema.update(writer.schema());
  const Json ends = {{"type", Json::array({"array", "null"})},
                     {"items", {{"type", "number"}}},
                     {"minItems", 2},
                     {"maxItems", 2},
                     {"description", "95 % interval over replications; null with one replication"}};
  schema["$defs"]["figure"] = {{"type", "object"},
                               {"properties", {{"mean", {{"type", "number"}}}, {"ci95", ends}}},
                               {"required", {"mean", "ci95"}},
                               {"additionalProperties", false}};
  return schema;
}

}  // namespace

Json campaign_json(const models::CampaignOutcome& outcome, const std::string& scenario_sha256,
                   const Provenance& provenance) {
  return campaign_document(kCampaignFormat, outcome, describe_campaign<CampaignWriter>, scenario_sha256, provenance);
}

Json campaign_schema() {
  return campaign_document_schema<models::CampaignOutcome>(
      kCampaignFormat, describe_campaign<CampaignSchemaWriter>, "Headrace campaign",
      "What headrace campaign answers. Generated by: headrace schema campaign");
}

Json fleet_json(const models::FleetOutcome& outcome, const std::string& scenario_sha256, const Provenance& provenance) {
  return campaign_document(kFleetFormat, outcome, describe_fleet<CampaignWriter>, scenario_sha256, provenance);
}

Json fleet_schema() {
  return campaign_document_schema<models::FleetOutcome>(
      kFleetFormat, describe_fleet<CampaignSchemaWriter>, "Headrace campaign of many jobs",
      "What headrace campaign answers for many jobs that share pools. Generated by: headrace schema fleet");
}

}  // namespace headrace::reports
