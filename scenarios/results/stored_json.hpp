// JSON that a store of results holds: it comes from a file, so that it may be anything.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "scenarios/results/results_store.hpp"

namespace headrace::scenarios {

/// Whether the text is JSON that is nested no deeper than a scenario may be.
bool is_stored_json(std::string_view text);

/// Throws StoreError E0606 for anything else.
nlohmann::ordered_json stored_json(const std::string& text);

/// Rows whose sums are right, but which hold no result: somebody made them.
StoreError changed_store(const std::string& path, const std::string& why);

}  // namespace headrace::scenarios
