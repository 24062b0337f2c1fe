// `headrace report --rfp`: the tender pack of saved requirements, or of those that follow from a saved plan.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/option_table.hpp"
#include "reports/tender/tender.hpp"

namespace headrace::cli {

struct TenderOptions {
  bool asked = false;
  std::vector<std::string> redacted;  ///< "prices", "names"
};

void add_tender(OptionTable& table, TenderOptions& options);

/// Returns the exit status. A plan is simulated for its requirements; `source` is the name of the document's file.
int report_tender(const nlohmann::ordered_json& document, const std::string& source, const TenderOptions& options,
                  const OutputOptions& output, Console& console);

}  // namespace headrace::cli
