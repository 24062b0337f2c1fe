// The JSON Schema (draft 2020-12) of outcome documents, generated from the same tables that the documents are printed
// from.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace headrace::reports {

nlohmann::ordered_json outcome_schema();

}  // namespace headrace::reports
