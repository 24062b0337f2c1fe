// A quote for a store, as a file: what it claims to deliver, how well each claim is known, what it costs, and what is
// left while a part of it has failed. Its claims are the keys of a store of a scenario, which it replaces.
//
// Derating. A vendor's claim is the best that can be expected: assumed claims (a sentence in a quote) are drawn between
// claim / 1.5 and the claim, data-sheet ones between claim / 1.1 and the claim (durations between the claim and the
// same factor above it), published and measured ones are taken as they are, and a claim with a range is drawn over its
// range.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/study/uncertain_input.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::scenarios {

/// How one figure of the store is known.
struct Claim {
  std::string parameter;  ///< key of the store: "bandwidth", "metadata/latency"
  models::Evidence evidence = models::Evidence::assumed;
  std::string conditions;
  std::string source;
  std::string low;  ///< as the parameter is spelled; empty: by evidence
  std::string high;
};

/// The least that can be added.
struct ExpansionStep {
  double capacity_bytes = 0.0;
  double bandwidth_bytes_per_s = 0.0;
  double capital_usd = 0.0;
  double rack_units = 0.0;
  double power_w = 0.0;
};

struct Offer {
  std::string kind = "offer";
  std::string format_version = "1.0";
  std::string name;
  std::string vendor;
  std::string as_of;        ///< day of its prices
  std::string valid_until;  ///< empty: not stated
  double lead_time_s = 0.0;
  std::uint64_t units = 1;                  ///< storage nodes or controllers that deliver the bandwidth
  double unit_bandwidth_bytes_per_s = 0.0;  ///< 0: not claimed
  std::string store_json;
  std::string degraded_json;
  double degraded_time = 0.01;  ///< share of the time
  std::vector<Claim> claims;
  std::optional<ExpansionStep> expansion;
};

void describe(Claim& c, models::Visitor& v);
void describe(ExpansionStep& e, models::Visitor& v);
void describe(Offer& o, models::Visitor& v);

nlohmann::ordered_json offer_schema();

/// An offer with the places of its text.
struct LoadedOffer {
  Offer offer;
  Sources sources;
  Node store;     ///< its claims, with what was measured in their place
  Node degraded;  ///< what differs while a part has failed
  Place place;
  Place claims;
};

/// A file, or a shipped offer by name. `measured`: a layer of `headrace import` or `headrace calibrate` whose store
/// figures replace the claims; empty: none.
tl::expected<LoadedOffer, Diagnostics> load_offer(const std::string& path, const std::string& measured = {});

/// The scenario with the offer in place of its store of that index: normal, or while a part of it has failed.
tl::expected<LoadedScenario, Diagnostics> with_offer(const LoadedScenario& base, std::size_t store,
                                                     const LoadedOffer& offer, bool degraded,
                                                     const Catalogue& catalogue);

/// Claims that are missing or exclude each other: E0550, E0551, E0216.
Diagnostics check_offer(const LoadedOffer& offer, const models::Store& normal, const models::Store& degraded);

/// What was measured of the whole store limits what is claimed of a part of it: of one connection, and while a part of
/// it has failed.
void hold_to_measured(const Offer& offer, models::Store& normal, models::Store& degraded);

/// What of the offer's store is drawn, and from what range; `scenario` has it at `store`.
std::vector<models::UncertainInput> derated_claims(const models::Scenario& scenario, std::size_t store,
                                                   const Offer& offer);

}  // namespace headrace::scenarios
