// What scripts add to the page of a sweep: sorting, filtering, and a map over two axes of the reader's choice.
#pragma once

#include <string>

namespace headrace::reports {

/// Reads the table with the id "table": first the points, then `data-axes` columns of axes, then the metric, whose
/// better values are `data-better` ("lower" or "higher"). Cells may carry what they sort by in `data-v`.
std::string sweep_script();

}  // namespace headrace::reports
