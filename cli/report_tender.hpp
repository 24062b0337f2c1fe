// `headrace report --rfp`: the tender pack of saved requirements, or of those that follow from a saved plan.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/option_table.hpp"
#include "reports/tender/tender.hpp"

namespace headrace::cli {

/// A plan of 10,000 GPUs is simulated for minutes.
inline constexpr double kMostTenderS = 600.0;

struct TenderOptions {
  bool asked = false;
  std::vector<std::string> redacted;    ///< "prices", "names"
  std::vector<std::string> catalogues;  ///< of the plan
  double max_wall_s = kMostTenderS;
};

void add_tender(OptionTable& table, TenderOptions& options);

/// Returns the exit status. A plan is simulated for its requirements; `source` is the name of the document's file.
int report_tender(const nlohmann::ordered_json& document, const std::string& source, const TenderOptions& options,
                  const OutputOptions& output, Console& console);

}  // namespace headrace::cli
