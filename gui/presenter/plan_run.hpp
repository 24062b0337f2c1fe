// A plan from the window: asked for beside it, and what is drawn of the answer.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "models/spec/plan_request.hpp"

namespace headrace::gui {

struct PlanWish {
  models::PlanGoal goal = models::PlanGoal::cost_per_epoch;
  models::SecondGoal against = models::SecondGoal::none;
  std::size_t most_points = 400;
  double max_wall_s = 120.0;
  bool ranges = true;  ///< over the ranges of the inputs, as the program plans; false: the inputs as stated
  std::vector<std::string> decisions;  ///< as --decide takes them, or by name: "loader workers=2:16"
};

/// A configuration that can be taken.
struct PlanChoice {
  enum class What { recommended, today, front, alternative } what = What::alternative;
  std::string values;  ///< "workers 6, nic 100 Gb/s"
  double across = 0.0;
  double up = 0.0;
  std::vector<std::string> cells;  ///< of the table: what, values, epoch time, cost, GPUs wait, fed in so many ranges
  std::vector<Edit> edits;         ///< that make the scenario so
};

struct PlanAnswer {
  std::string headline;  ///< "Least expected cost per epoch: workers 6"
  std::string reasons;   ///< how sure that is, and why today's values are left
  std::string text;      ///< the whole answer, as `headrace plan` prints it
  std::string x_title;   ///< "epoch time, h"
  std::string y_title;
  std::vector<PlanChoice> choices;  ///< recommended first
  std::optional<std::string> memo;  ///< the page of `headrace report --memo`; nothing recommended, no memo
  bool without_prices = false;      ///< cost was asked for, and nothing has a price
  bool in_ranges = false;           ///< choices tell in how many ranges they are fed
  std::string error;                ///< instead of everything else: complaints in the words of the command line
};

/// A decision as --decide takes it: "loader workers=2:16" by its pointer, anything else as it is.
std::string decision_of(const ScenarioDocument& document, const std::string& text);

using TellPlan = std::function<void(double fraction, const std::string& what)>;
PlanAnswer run_plan(const ScenarioDocument& document, const PlanWish& wish, const std::stop_token& stop,
                    const TellPlan& tell);

/// The command line that asks the same.
std::string plan_command(const ScenarioDocument& document, const PlanWish& wish);

}  // namespace headrace::gui
