// What a store must deliver, for a terminal: the answer on a first screen of at most 20 lines, then the rest.
#pragma once

#include <string>

#include "reports/document.hpp"
#include "reports/style.hpp"
#include "scenarios/requirements/requirements.hpp"

namespace headrace::reports {

/// `confidence`: that of the document; null where there is none.
std::string requirements_text(const scenarios::Requirements& found, const std::string& title,
                              const Document& confidence, bool all, const Style& style);

/// "1.20 GB/s", "12,300/s", "3.1 ms": a figure of an axis.
std::string axis_figure(scenarios::StoreAxis axis, double figure);

/// "GPU idle 0.98 % (0.96 to 0.99), limit 1 %".
std::string limit_value_text(const scenarios::JobLimit& limit, const scenarios::LimitValue& value);

}  // namespace headrace::reports
