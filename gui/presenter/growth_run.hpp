// Growth from the window: the forecast of `headrace growth`, and how things stand at one of its quarters.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/dashboard.hpp"
#include "gui/presenter/scenario_document.hpp"
#include "reports/growth_json.hpp"
#include "scenarios/growth/growth.hpp"

namespace headrace::gui {

struct GrowthForecast {
  scenarios::GrowthAnswer answer;
  std::string json;  ///< the document of `headrace growth --json`
  std::string headline;
  std::string costs;  ///< what buying nothing and buying as listed cost, in lines
  std::string error;  ///< instead of everything else
};

using TellGrowth = std::function<void(double fraction, const std::string& what)>;
/// `simulate`: the quarters in which a layer becomes full, as the program does.
GrowthForecast run_growth(const ScenarioDocument& document, bool simulate, const std::stop_token& stop,
                          const TellGrowth& tell);

/// A quarter of a forecast in words.
struct GrowthQuarter {
  std::string date;                              ///< first day
  std::vector<std::vector<std::string>> layers;  ///< layer, utilization, its range, full on, its range, resource
  std::vector<std::vector<std::string>> orders;  ///< state, what, order, serves from, needed, price
  std::string summary;                           ///< GPUs that wait, and what is ordered by then
};
inline const std::vector<std::string> kLayerHeads = {"layer",   "utilization",   "80 % of draws",
                                                     "full on", "80 % of draws", reports::kFullestLaterHeading};
inline const std::vector<std::string> kOrderHeads = {"then", "what", "order", "serves from", "needed", "price"};
GrowthQuarter growth_at(const scenarios::GrowthAnswer& answer, std::size_t quarter);

/// Quarters of a forecast that can be looked at.
std::size_t quarters_of(const scenarios::GrowthAnswer& answer);

}  // namespace headrace::gui
