// What the window shows while a slider moves: bounds and estimates, in the time of a frame.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/parameter_sheet.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

/// The flow bound of the document's scenario; with an error text instead where the scenario has none.
struct ClosedForm {
  std::optional<models::Outcome> outcome;
  std::string error;
};
ClosedForm closed_form(const ScenarioDocument& document);

/// A metric over the values of one parameter.
struct Curve {
  std::vector<double> x;  ///< in the parameter's base unit
  std::vector<double> y;
};

/// The flow bound of `metric` over the range of a parameter, `count` points at most; points without an answer are left
/// out. A stop request ends it early.
Curve bound_curve(const ScenarioDocument& document, const ParameterValue& parameter, const std::string& metric,
                  int count, const std::stop_token& stop = {});

/// What uncertain inputs leave open of a flow bound over a parameter: p10 and p90 at each value.
struct Band {
  std::vector<double> x;
  std::vector<double> low;
  std::vector<double> high;
};
Band input_band(const ScenarioDocument& document, const ParameterValue& parameter, const std::string& metric, int count,
                const std::stop_token& stop = {});

/// The flow bound with the input range of every metric; nothing where the scenario has no bound.
std::optional<models::Outcome> bound_with_ranges(const ScenarioDocument& document);

/// The queueing estimate with the input range of every metric; nothing where the scenario has none.
std::optional<models::Outcome> estimate_with_ranges(const ScenarioDocument& document);

/// What limits a scenario by its flow bound, for a card: "Closed form: ingest-bound. Too slow on average: nic, 100 %
/// busy (...)."
std::string limit_text(const ScenarioDocument& document, const models::Outcome& bound);

/// A metric over two parameters, by the queueing estimate: the flow bound knows no queue, and depth is for queues.
struct Surface {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<std::vector<double>> values;  ///< by y, then x; not-a-number where there is no answer
};
Surface estimate_surface(const ScenarioDocument& document, const ParameterValue& across, const ParameterValue& up,
                         const std::string& metric, int columns, int rows, const std::stop_token& stop = {});

/// Pointers of the parameters that stand as sliders when the document opens: see reports/sliders.hpp.
std::vector<std::string> pins_of(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet,
                                 const models::Outcome& bound);

/// The parameter that says how large the cache of the first job's nodes is; nullptr where they have none.
const ParameterValue* cache_size(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet);

/// Whether the nodes of the first job have a cache of some size that no policy uses.
bool is_cache_unused(const models::Scenario& scenario);

}  // namespace headrace::gui
