// A saved document held against the schema of its kind: what it lacks must not read as a zero.
#pragma once

#include <optional>
#include <string>

#include "reports/document.hpp"

namespace headrace::reports {

struct DocumentFault {
  std::string pointer;  ///< JSON pointer of the value at fault
  std::string what;     ///< after "here", without full stop: "\"metric\" is missing"
};

/// The first fault. Keys that the schema does not know are none.
std::optional<DocumentFault> document_fault(const Document& document, const Document& schema);

}  // namespace headrace::reports
