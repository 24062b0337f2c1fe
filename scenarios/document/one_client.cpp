#include "scenarios/document/one_client.hpp"

#include <fmt/format.h>

namespace headrace::scenarios {

void doubt_shares_of_stores(const models::Scenario& scenario, Composition& composition) {
  for (std::size_t i = 0; i < scenario.stores.size(); ++i) {
    if (!scenario.stores[i].is_shared()) continue;
    for (const char* rate : {"bandwidth", "requests", "write_bandwidth"}) {
      Node* figure = find_at(composition.inlined, fmt::format("/stores/{}/{}", i, rate));
      if (figure == nullptr || !figure->knowledge || !figure->knowledge->one_client) continue;
      FigureKnowledge share;
      share.evidence = "assumed";
      share.one_client = true;
      figure->knowledge = std::make_shared<const FigureKnowledge>(share);
      figure->as_of += ", what one client got of a store that serves many";
    }
  }
}

}  // namespace headrace::scenarios
