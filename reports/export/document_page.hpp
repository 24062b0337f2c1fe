// The page that fits a document of the program, by what the document holds.
#pragma once

#include <optional>
#include <string>

#include "reports/document.hpp"
#include "reports/document_fault.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

enum class DocumentKind {
  outcome,
  check,
  compare,
  plan,
  backtest,
  calibration,
  verification,
  requirements,
  most_fed,
  campaign,
  fleet,
  growth,
  bakeoff,
  total_cost,
  unknown
};

DocumentKind kind_of(const Document& document);

/// Where a check, a comparison, a backtest or a verification is not as its schema says; other kinds are not held
/// against theirs.
std::optional<DocumentFault> fault_of(const Document& document);

/// Nothing for a calibration, which is read by its own reader, for an unknown document, and for a bakeoff or a total
/// cost that is not whole.
std::optional<std::string> document_page(const Document& document, const PageFacts& facts);

}  // namespace headrace::reports
