#include "gui/presenter/decision_papers.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/path/ingest_path.hpp"
#include "reports/memo.hpp"
#include "reports/requirements_json.hpp"
#include "reports/tender/tender.hpp"
#include "scenarios/requirements/requirements.hpp"

namespace headrace::gui {

std::string memo_html(const scenarios::Bakeoff& bakeoff) { return reports::memo_page(reports::memo_of(bakeoff)); }

std::optional<std::string> memo_html(const nlohmann::ordered_json& plan) {
  const auto memo = reports::memo_of_plan(plan);
  return memo ? std::optional(reports::memo_page(*memo)) : std::nullopt;
}

Paper tender_paper(const ScenarioDocument& document, const std::stop_token& stop,
                   const std::function<void(double fraction, const std::string& what)>& tell) {
  const auto own = document.fresh();
  if (!own) return {{}, print_text(own.error())};
  scenarios::RequirementOptions how;
  how.probe.stop = stop;
  how.probe.progress = [&tell](const std::string& phase, std::size_t runs) {
    tell(-1.0, fmt::format("{}, {} runs", phase, runs));
  };
  try {
    const auto found = scenarios::require_of_store(own->loaded(), how);
    if (!found) return {{}, print_text(found.error())};
    if (found->figures.empty())
      return {{}, "no store is enough for these limits: there is nothing to tender. Change the limits of the plan"};
    return {reports::tender_page(reports::tender_of(reports::requirements_json(*found, own->loaded()), {})), {}};
  } catch (const models::UnusableRequest& problem) {
    return {{}, std::string(problem.what()) + "; " + problem.fix()};
  }
}

}  // namespace headrace::gui
