// What a gate found, as every writer shows it: text, JSON, JUnit XML, GitHub annotations and Markdown.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/study/threshold.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// One thing that was held against a limit.
struct GateCase {
  std::string group;  ///< "slo", "baseline", "inputs", "fail-if"
  std::string name;   ///< "gpu_idle_fraction < 5 %"
  models::Ruling decision = models::Ruling::undecided;
  std::string value;      ///< "3.2 %"
  std::string interval;   ///< "3.1 % to 3.3 %"; may be empty
  std::string reason;     ///< a sentence without full stop; may be empty
  std::string file = {};  ///< where the limit stands; empty: on the command line
  int line = 0;
  int column = 0;
};

struct GateTable {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

struct GateReport {
  std::string verb;      ///< "check", "compare"
  std::string title;     ///< of the scenario
  std::string headline;  ///< one sentence: what was found
  models::Ruling decision = models::Ruling::undecided;
  std::vector<GateCase> cases;
  std::vector<GateTable> tables;
  std::vector<std::string> notes;
  std::vector<std::pair<std::string, std::string>> properties;  ///< model version, seed, fingerprints
  std::string caution = {};                                     ///< why a pass may be wrong; empty: nothing is known

  /// Nothing was held against a limit, so nothing can pass.
  bool asked_nothing() const { return cases.empty() && decision == models::Ruling::pass; }
};

/// For a terminal.
std::string gate_text(const GateReport& report, const Style& style);

/// JUnit XML as CI systems read it: one test case per limit; a failed one is a failure, an undecided one an error, so
/// that no system takes it for success. Valid XML 1.0 whatever the names hold.
/// `elapsed_s` is the time that the verb took; its cases have equal parts of it, because one run decides all.
std::string junit_xml(const GateReport& report, double elapsed_s = 0.0);

/// Workflow commands of GitHub Actions, one line each: ::error for what failed, ::warning for what is undecided or
/// passes and may be wrong, and ::notice with the headline.
std::string github_annotations(const GateReport& report);

/// For job summaries and comments.
std::string gate_markdown(const GateReport& report);

}  // namespace headrace::reports
