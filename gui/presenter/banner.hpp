// What stands above everything else: the verdict of an answer, what it means and how far it can be trusted. What is not
// known yet is not said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/presenter/dashboard.hpp"
#include "models/outcome/confidence.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

/// How far the answer of the window is.
enum class Phase : std::uint8_t {
  bound,   ///< the closed form; the simulation is still to come
  so_far,  ///< what the simulation knows after a look
  answer   ///< that of `headrace simulate`
};

struct Banner {
  std::string verdict;
  std::string meaning;
  std::string confidence;         ///< "Confidence: extrapolated; simulated, 4096 steps, ..."
  std::string confidence_reason;  ///< empty before the answer
  std::vector<std::string> warnings;
  Dashboard::Mood mood = Dashboard::Mood::unsure;
};

/// `bound`: the closed form of the same scenario, to tell where the simulation is far from it; may be nullptr. `busy`:
/// a simulation waits or runs. `confidence`: what reports::add_known_evidence() says of an answer, as in texts;
/// nothing: what the outcome alone says. `ranges`: the bound with input ranges, for answers without; may be nullptr.
Banner banner_of(const models::Outcome& outcome, Phase phase, const models::Outcome* bound, bool busy,
                 const std::optional<models::Confidence>& confidence = std::nullopt,
                 const models::Outcome* ranges = nullptr);

/// Whether the outcome says which stages the GPUs wait for: bounds do not.
bool blame_known(const models::Outcome& outcome);

}  // namespace headrace::gui
