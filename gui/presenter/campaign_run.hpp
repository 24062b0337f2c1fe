// A campaign from the window: the answer of `headrace campaign`, and where its GPU hours go.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/dashboard.hpp"
#include "gui/presenter/scenario_document.hpp"

namespace headrace::gui {

struct CampaignWish {
  std::uint32_t replications = 200;
  std::uint64_t seed = 1;
  bool until_trained = false;
};

struct CampaignAnswer {
  std::string json;  ///< the document of `headrace campaign --json`
  std::string headline;
  std::string basis;                              ///< how it differs from the answer beside it, and warnings
  std::vector<Share> losses;                      ///< GPU hours by cause, largest first
  std::vector<std::vector<std::string>> causes;   ///< cause, share, GPU hours, interval
  std::vector<std::vector<std::string>> figures;  ///< figure, value, interval
  std::string error;                              ///< instead of everything else
};
inline const std::vector<std::string> kCauseHeads = {"cause", "share", "GPU hours", "95 % interval, h"};

using TellCampaign = std::function<void(double fraction, const std::string& what)>;
/// One job by simulation, many by the estimate, as the program does. Throws Abandoned where it is told to stop.
CampaignAnswer run_campaign_of(const ScenarioDocument& document, const CampaignWish& wish, const std::stop_token& stop,
                               const TellCampaign& tell);

/// The command line that asks the same.
std::string campaign_command(const ScenarioDocument& document, const CampaignWish& wish);

}  // namespace headrace::gui
