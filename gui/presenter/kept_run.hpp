// A run that was kept: what was asked, what was answered, and what a card says of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

struct KeptRun {
  ScenarioDocument document;
  models::Outcome outcome;
  int number = 0;  ///< counted from 1, and never given to another run

  std::string name() const;  ///< "run 1"
};

struct RunCardText {
  std::string name;                                          ///< "run 1, baseline"
  std::string verdict;                                       ///< as in the banner, without what ranges may contradict
  std::vector<std::pair<std::string, std::string>> figures;  ///< name and value
  std::vector<std::string> differences;                      ///< of its inputs from those of now; empty: none
};

/// `now`: the present document.
RunCardText run_card(const KeptRun& run, bool is_baseline, const ScenarioDocument& now);

/// The runs that charts show beside the answer, as places in the list: the baseline, then the newest ones.
inline constexpr std::size_t kMostGhosts = 4;
std::vector<std::size_t> ghost_runs(std::size_t runs, const std::size_t* baseline);

}  // namespace headrace::gui
