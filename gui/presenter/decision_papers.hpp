// The papers that a decision ends in, as `headrace report --memo` and `--rfp` write them.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stop_token>
#include <string>

#include "gui/presenter/scenario_document.hpp"
#include "scenarios/bakeoff/bakeoff.hpp"

namespace headrace::gui {

/// One page for those who pay.
std::string memo_html(const scenarios::Bakeoff& bakeoff);
/// Of a document of `plan --json`; nothing where it recommends nothing.
std::optional<std::string> memo_html(const nlohmann::ordered_json& plan);

/// A page, or why there is none.
struct Paper {
  std::string html;
  std::string error;
};

/// What the store of the first job must deliver, as a tender. Simulates.
Paper tender_paper(const ScenarioDocument& document, const std::stop_token& stop,
                   const std::function<void(double fraction, const std::string& what)>& tell);

}  // namespace headrace::gui
