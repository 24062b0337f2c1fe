#include "reports/export/document_page.hpp"

#include <initializer_list>
#include <nlohmann/json.hpp>

#include "reports/html/backtest_page.hpp"
#include "reports/html/campaign_page.hpp"
#include "reports/html/decision_pages.hpp"
#include "reports/html/fleet_page.hpp"
#include "reports/html/gate_page.hpp"
#include "reports/html/growth_page.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/html/plan_page.hpp"
#include "reports/html/verification_page.hpp"
#include "reports/tender/tender.hpp"

namespace headrace::reports {
namespace {

bool has(const Document& document, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (!document.contains(key)) return false;
  return true;
}

}  // namespace

std::optional<DocumentFault> fault_of(const Document& document) {
  switch (kind_of(document)) {
    case DocumentKind::check:
      return document_fault(document, check_schema());
    case DocumentKind::compare:
      return document_fault(document, comparison_schema());
    case DocumentKind::backtest:
      return document_fault(document, backtest_schema());
    case DocumentKind::verification:
      return document_fault(document, verification_schema());
    default:
      return std::nullopt;
  }
}

DocumentKind kind_of(const Document& document) {
  if (!document.is_object()) return DocumentKind::unknown;
  if (text_at(document, "kind") == "requirements") return DocumentKind::requirements;
  if (text_at(document, "kind") == "most_fed") return DocumentKind::most_fed;
  if (text_at(document, "kind") == "growth") return DocumentKind::growth;
  if (text_at(document, "kind") == "bakeoff") return DocumentKind::bakeoff;
  if (text_at(document, "kind") == "total_cost") return DocumentKind::total_cost;
  if (has(document, {"thresholds", "outcome", "decision"})) return DocumentKind::check;
  if (has(document, {"differences", "a", "b"})) return DocumentKind::compare;
  if (has(document, {"recommended", "search"})) return DocumentKind::plan;
  if (has(document, {"rows", "summary", "bars"})) return DocumentKind::backtest;
  if (has(document, {"points", "bar"}) || has(document, {"points", "groups", "loader"}))
    return DocumentKind::verification;
  if (has(document, {"goodput", "losses", "restarts"})) return DocumentKind::campaign;
  if (has(document, {"goodput", "losses", "classes"})) return DocumentKind::fleet;
  if (has(document, {"calibration"})) return DocumentKind::calibration;
  if (has(document, {"format_version", "verdict", "metrics", "evidence"})) return DocumentKind::outcome;
  return DocumentKind::unknown;
}

std::optional<std::string> document_page(const Document& document, const PageFacts& facts) {
  switch (kind_of(document)) {
    case DocumentKind::outcome:
      return outcome_page(document, {facts.title, facts.command});
    case DocumentKind::check:
      return check_page(read_check(document), {facts.title, facts.command});
    case DocumentKind::compare:
      return compare_page(read_comparison(document), facts);
    case DocumentKind::plan:
      return plan_page(document, facts);
    case DocumentKind::growth:
      return growth_page(document, facts);
    case DocumentKind::bakeoff: {
      const auto bakeoff = scenarios::read_bakeoff("document", document.dump());
      return bakeoff ? std::optional(bakeoff_page(*bakeoff, facts)) : std::nullopt;
    }
    case DocumentKind::total_cost: {
      const auto cost = scenarios::read_total_cost("document", document.dump());
      return cost ? std::optional(total_cost_page(*cost, facts)) : std::nullopt;
    }
    case DocumentKind::backtest:
      return backtest_page(read_backtest(document), facts);
    case DocumentKind::verification:
      return verification_page(read_verification(document), facts);
    case DocumentKind::requirements:
      return at(document, "figures").empty() ? std::nullopt : std::optional(tender_page(tender_of(document, {})));
    case DocumentKind::campaign:
      return campaign_page(document, facts);
    case DocumentKind::fleet:
      return fleet_page(document, facts);
    case DocumentKind::calibration:
    case DocumentKind::most_fed:
    case DocumentKind::unknown:
      break;
  }
  return std::nullopt;
}

}  // namespace headrace::reports
