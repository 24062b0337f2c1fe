#include "reports/outcome_reader.hpp"

#include "reports/document_reader.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;

RecordedOutcome recorded_in(const Json& document) {
  RecordedOutcome recorded;
  DocumentReader reader(document);
  describe_document(recorded.outcome, recorded.model_version, recorded.catalogue_version, recorded.scenario, reader);
  // Too little data makes a simulated outcome inconclusive, and nothing else does.
  if (std::optional<models::PrecisionReport>& precision = recorded.outcome.precision)
    precision->enough_data = recorded.outcome.verdict != models::Verdict::inconclusive;
  return recorded;
}

}  // namespace

bool is_outcome(const Json& document) {
  return document.is_object() && document.contains("metrics") && document.contains("model_version");
}

models::Outcome outcome_of(const Json& document) { return recorded_in(document).outcome; }

tl::expected<RecordedOutcome, std::string> read_outcome(const Json& document) {
  if (!document.is_object()) return tl::unexpected(std::string("it is not a JSON object"));
  for (const char* key : {"metrics", "model_version", "verdict", "scenario"})
    if (!document.contains(key)) return tl::unexpected(std::string("it has no \"") + key + "\"");
  RecordedOutcome recorded = recorded_in(document);
  if (recorded.outcome.metrics.empty()) return tl::unexpected(std::string("it has no metrics"));
  return recorded;
}

}  // namespace headrace::reports
