// What a gate leaves behind: its document, JUnit XML, Markdown and annotations.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/console.hpp"
#include "cli/invocation.hpp"
#include "models/threshold.hpp"
#include "reports/gate_report.hpp"

namespace headrace::cli {

/// Whether everything that the call names can be written, asked before a long run.
bool can_deliver_gate(const Invocation& call, Console& console);

/// The page of the gate's document, completed by its headline and notes.
using GatePage = std::function<std::string(const nlohmann::ordered_json& document)>;

/// Writes all of it, each file whole or not at all, whatever the gate found. Returns the exit status: 0 pass, 1 fail,
/// 3 undecided, 2 if something could not be written.
int deliver_gate(const reports::GateReport& report, nlohmann::ordered_json document, const Invocation& call,
                 Console& console, const GatePage& page);

}  // namespace headrace::cli
