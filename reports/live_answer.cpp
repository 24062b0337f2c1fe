#include "reports/live_answer.hpp"

#include <exception>
#include <map>
#include <nlohmann/json.hpp>

#include "models/answer/flow_bound.hpp"
#include "models/outcome/bottleneck.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "reports/humane.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;

Json live_refusal(const std::string& message, const std::string& help) { return {{"error", message}, {"help", help}}; }

Json live_outcome(const models::Outcome& outcome, const std::string& sha256) {
  Json json{{"scenario_sha256", sha256},
            {"verdict", models::kVerdictNames[static_cast<std::size_t>(outcome.verdict)]},
            {"line", verdict_line(outcome)},
            {"metrics", Json::object()},
            {"stations", Json::array()}};
  for (const models::Metric& metric : outcome.metrics) {
    const models::MetricDescription& traits = models::traits_of(metric.name);
    json["metrics"][metric.name] = {{"mean", metric.mean}, {"text", humane(metric.mean, traits.unit)}};
  }
  const models::StationReport* tightest = models::binding_station(outcome);
  for (const models::StationReport& station : outcome.stations)
    json["stations"].push_back({{"name", station.name},
                                {"utilization", station.utilization},
                                {"text", percent(station.utilization)},
                                {"tightest", &station == tightest}});
  return json;
}

}  // namespace

tl::expected<scenarios::LoadedScenario, scenarios::Diagnostics> load_resolved(const std::string& document,
                                                                              const std::vector<std::string>& changes) {
  const std::string name = "scenario.json";
  const std::map<std::string, std::string> texts{{name, document}};
  scenarios::LoadOptions options;
  options.texts = &texts;
  const std::vector<std::string> inputs{name};
  return scenarios::load_scenario(inputs, changes, options);
}

std::optional<models::Outcome> bound_of_resolved(const std::string& document, const std::vector<std::string>& changes) {
  const auto loaded = load_resolved(document, changes);
  if (!loaded) return std::nullopt;
  try {
    return models::flow_bound(loaded->value);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string live_answer(const std::string& document, const std::vector<std::string>& changes) {
  Json json;
  try {
    if (const auto loaded = load_resolved(document, changes)) {
      json = live_outcome(models::flow_bound(loaded->value), loaded->sha256);
    } else {
      const scenarios::Diagnostic first = loaded.error().sorted().front();
      json = live_refusal(first.message, first.help);
    }
  } catch (const std::exception& error) {  // scenarios without a bound
    json = live_refusal(error.what(), "");
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace headrace::reports
