// Offers ranked from the window: the bake-off of `headrace bakeoff`, and what a pane shows of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/floating_bar.hpp"
#include "gui/presenter/scenario_document.hpp"
#include "scenarios/bakeoff/bakeoff.hpp"

namespace headrace::gui {

struct OffersWish {
  std::vector<std::string> offers;  ///< files, or shipped ones by name
  std::string replaces;             ///< store of the scenario; empty: that of the first job
  std::size_t draws = 32;
};

struct OffersAnswer {
  std::shared_ptr<const scenarios::Bakeoff> bakeoff;
  std::string json;  ///< the document of `headrace bakeoff --json`
  std::string headline;
  std::string basis;  ///< what the costs count
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< by rank
  std::vector<FloatingBar> costs;              ///< of a useful GPU hour, p10 to p90
  std::vector<Share> best;                     ///< share of the ranges in which each is best
  std::vector<std::string> decides;            ///< claims to measure, the deciding ones first
  std::vector<std::string> beside;             ///< why each other one is not the first
  std::vector<std::string> warnings;           ///< what to know before buying
  std::string error;                           ///< instead of everything else
};

using TellOffers = std::function<void(double fraction, const std::string& what)>;
OffersAnswer run_offers(const ScenarioDocument& document, const OffersWish& wish, const std::stop_token& stop,
                        const TellOffers& tell);
OffersAnswer shown(const scenarios::Bakeoff& bakeoff);

/// The command line that asks the same.
std::string offers_command(const ScenarioDocument& document, const OffersWish& wish);

}  // namespace headrace::gui
