// The report of a sweep: what each axis does to one metric, a map over two axes, and every point in a table that sorts
// and filters.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "reports/results_export.hpp"
#include "scenarios/results/results_store.hpp"

namespace headrace::reports {

struct SweepPageOptions {
  std::string sweep;   ///< beginning of the id; empty: the only one, or the one with most points
  std::string metric;  ///< shown; empty: cost per epoch where there are prices, else step time
};

tl::expected<std::string, ExportError> sweep_page(const scenarios::ResultsStore& store,
                                                  const SweepPageOptions& options);

}  // namespace headrace::reports
