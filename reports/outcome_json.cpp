#include "reports/outcome_json.hpp"

#include "models/base/model_version.hpp"
#include "reports/document_writer.hpp"
#include "reports/outcome_document.hpp"

namespace headrace::reports {

namespace {
using Json = nlohmann::ordered_json;
}  // namespace

Json evidence_json(const models::EvidenceReport& evidence) { return described_json(evidence); }

Json inputs_json(const models::InputReport& inputs) { return described_json(inputs); }

Json confidence_json(const models::Confidence& confidence) { return described_json(confidence); }

Json outcome_json(const models::Outcome& outcome, const Provenance& provenance) {
  Json json;
  DocumentWriter writer(json);
  std::string model_version(models::kModelVersion);
  describe_document(described(outcome), model_version, described(provenance.catalogue_version),
                    described(provenance.scenario), writer);
  if (provenance.confidence) json["confidence"] = confidence_json(*provenance.confidence);
  return json;
}

std::string json_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headrace::reports
