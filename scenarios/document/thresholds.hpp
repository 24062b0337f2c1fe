// Thresholds as files and flags spell them: a metric, a relation and a limit with its unit.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/spec/scenario.hpp"
#include "models/study/threshold.hpp"
#include "scenarios/document/composition.hpp"
#include "scenarios/document/diagnostic.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {

/// "< 5 %" for a metric. Errors: E0217 not a condition, E0218 no such metric, E0204 to E0206 about the limit.
tl::expected<models::Threshold, UnitError> parse_threshold(std::string_view metric, std::string_view condition,
                                                           const std::vector<std::string>& jobs);

/// The `slo` of a scenario, each with its JSON pointer; all complaints at once, with their places.
tl::expected<std::vector<models::Threshold>, Diagnostics> thresholds_of(const models::Scenario& scenario,
                                                                        const Composition& composition);

/// Sets a threshold in a document as --slo writes it: "gpu_idle_fraction < 5 %". Adds E0217 for what has no metric or
/// no relation; the rest is checked by thresholds_of.
void set_threshold(Node& root, std::string_view text, Sources& sources, Diagnostics& diagnostics);

/// A change that fails a comparison.
struct FailIf {
  std::string metric;
  models::Relation relation = models::Relation::more;
  double limit = 0.0;    ///< of the change, relative or in the unit of the metric
  bool relative = true;  ///< "%": relative to the first; "points": of a share, absolute
  std::string text;      ///< as written

  bool holds(double change) const;
};

/// "step_time_s > +3 %", "gpu_idle_fraction > +1 points", "cost_per_epoch_usd >= +$10".
tl::expected<FailIf, UnitError> parse_fail_if(std::string_view text);

/// E0218 with the metric that is nearest, by its letters or by the words of its label.
UnitError no_such_metric(std::string_view name);

/// Every name that a threshold can have without a job: metrics, quantiles, blame of a stage.
std::vector<std::string> threshold_metrics();

}  // namespace headrace::scenarios
