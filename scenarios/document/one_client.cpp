#include "scenarios/document/one_client.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include "models/spec/store.hpp"

namespace headrace::scenarios {
namespace {

bool is_shared_store(const Node& store) {
  const Node* kind = store.find("kind");
  if (kind == nullptr) return false;
  return std::any_of(std::begin(models::kStoreKindNames), std::end(models::kStoreKindNames),
                     [kind](const auto& known) { return known.name == kind->text && !models::is_local(known.value); });
}

}  // namespace

void doubt_shares_of_stores(Node& inlined) {
  constexpr std::array kRates = {"bandwidth", "requests", "write_bandwidth"};
  Node* stores = inlined.find("stores");
  if (stores == nullptr) return;
  for (Node& store : stores->items) {
    if (!is_shared_store(store)) continue;
    for (const char* rate : kRates) {
      Node* figure = store.find(rate);
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
