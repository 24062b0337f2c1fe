// What a gate leaves behind: its document, JUnit XML, Markdown and annotations.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/console.hpp"
#include "cli/output_options.hpp"
#include "models/study/threshold.hpp"
#include "reports/gate_report.hpp"

namespace headrace::cli {

struct GateOutput {
  std::string junit;     ///< file; empty: none
  std::string markdown;  ///< file; empty: none
  bool github = false;   ///< annotations on standard output
};

/// The options of every document, and --junit, --markdown and --github.
void add_gate_output(OptionTable& table, OutputOptions& output, GateOutput& gate);

/// Whether everything that is asked for can be written, asked before a long run.
bool can_deliver_gate(const OutputOptions& output, const GateOutput& gate, Console& console);

using GatePage = std::function<std::string()>;

/// Writes all of it, each file whole or not at all, whatever the gate found. Returns the exit status: 0 pass, 1 fail,
/// 3 undecided, 2 if something could not be written.
int deliver_gate(const reports::GateReport& report, const nlohmann::ordered_json& document, const OutputOptions& output,
                 const GateOutput& gate, Console& console, const GatePage& page);

/// Runs `work`. Where it refuses its input, with exit status 2 and nothing delivered, the files of the gate say why: a
/// pipeline that collects JUnit shows an error, and never the file of an earlier run.
int with_refusals(const std::string& verb, const GateOutput& gate, Console& console, const std::function<int()>& work);

}  // namespace headrace::cli
