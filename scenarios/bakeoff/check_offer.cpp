// What an offer must claim, and what its claims must not say together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "scenarios/bakeoff/offer.hpp"
#include "scenarios/document/calendar.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using models::Evidence;

/// Keys without which offers cannot be compared.
constexpr std::array<std::string_view, 4> kNeededClaims = {"bandwidth", "write_bandwidth", "latency", "capacity"};
/// Keys whose figures are no claims: choices, contractual prices, facts of the machine room.
constexpr std::array<std::string_view, 4> kNoClaims = {"name", "kind", "price", "purchase"};

bool is_claimed(const Offer& offer, std::string_view key) {
  return std::any_of(offer.claims.begin(), offer.claims.end(), [&](const Claim& claim) {
    return claim.parameter == key || claim.parameter.starts_with(std::string(key) + "/");
  });
}

bool is_measured(const Offer& offer, std::string_view parameter) {
  return std::any_of(offer.claims.begin(), offer.claims.end(), [&](const Claim& claim) {
    return claim.parameter == parameter && claim.evidence == Evidence::measured;
  });
}

class OfferCheck {
 public:
  explicit OfferCheck(const LoadedOffer& offer) : offer_(offer) {}

  void complain(const char* code, std::string message, const Place& place, std::string help) {
    Diagnostic d;
    d.code = code;
    d.message = fmt::format("offer '{}': {}", offer_.offer.name, message);
    d.where = excerpt_at(offer_.sources, place.known() ? place : offer_.place);
    d.help = std::move(help);
    diagnostics.add(std::move(d));
  }

  Place place_of(const Node& node, std::string_view key) const {
    const Node* value = node.find(key);
    return value != nullptr ? value->place : node.place;
  }

  void check_missing() {
    for (const std::string_view key : kNeededClaims)
      if (offer_.store.find(key) == nullptr)
        complain("E0550", fmt::format("its store claims no {}", key), offer_.store.place,
                 fmt::format("ask the vendor, and write \"{}\" into store", key));
    for (const Member& member : offer_.store.members) {
      const bool other = std::find(kNoClaims.begin(), kNoClaims.end(), member.key) != kNoClaims.end();
      if (other || is_remark(member.key) || is_claimed(offer_.offer, member.key)) continue;
      complain("E0550", fmt::format("nothing says how well '{}' is known", member.key), member.key_place,
               fmt::format("add {{\"parameter\": \"{}\", \"evidence\": \"assumed\"}} to claims", member.key));
    }
    for (const Claim& claim : offer_.offer.claims)
      if (find_at(offer_.store, "/" + claim.parameter) == nullptr)
        complain("E0216", fmt::format("claims name '{}', which its store does not state", claim.parameter),
                 offer_.claims, "write the key as in store: bandwidth, metadata/latency");
    check_repeated();
    if (offer_.store.find("purchase") == nullptr && offer_.store.find("price") == nullptr)
      complain("E0550", "it has no price", offer_.store.place,
               R"(write "purchase": {"capital": "$1000000"} or "price": {"capacity": "$20/TB-month"} into store)");
    if (offer_.degraded.members.empty())
      complain("E0550", "it claims nothing for the time in which a part of it has failed", offer_.degraded.place,
               R"(write "degraded": {"bandwidth": "30 GB/s"})");
  }

  void check_repeated() {
    std::set<std::string> known;
    for (const Claim& claim : offer_.offer.claims)
      if (!known.insert(claim.parameter).second)
        complain("E0551", fmt::format("its claims say twice how well '{}' is known", claim.parameter), offer_.claims,
                 "keep the one that holds");
  }

  void check_dates() {
    const Offer& offer = offer_.offer;
    for (const auto& [key, day] : {std::pair("as_of", &offer.as_of), std::pair("valid_until", &offer.valid_until)})
      if (const std::string reason = day->empty() ? std::string() : reason_against_date(*day); !reason.empty())
        complain("E0551", fmt::format("{} '{}' is no date: {}", key, *day, reason), offer_.place,
                 fmt::format("write \"{}\": \"2026-11-30\"", key));
      else if (key == std::string_view("valid_until") && !day->empty() && *day < offer.as_of)
        complain("E0551", fmt::format("it is valid until {}, before its prices of {}", *day, offer.as_of), offer_.place,
                 "ask which of the two holds");
  }

  /// The range of a claim: two quantities of the claim's kind, in order, around the figure that is claimed.
  void check_range(const Claim& claim) {
    if (claim.low.empty()) return;  // then the other end is missing, too
    const Node* figure = find_at(offer_.store, "/" + claim.parameter);
    const auto say = [&](const std::string& what, const char* help) {
      complain("E0551", fmt::format("the range of '{}' {}", claim.parameter, what), offer_.claims, help);
    };
    const std::string claim_text = figure == nullptr ? std::string() : figure->text;  // empty: a distribution
    for (auto unit = models::Unit::one; unit <= models::Unit::usd_per_kwh;
         unit = static_cast<models::Unit>(static_cast<int>(unit) + 1)) {
      const auto claimed = parse_quantity(claim_text, unit);
      const auto low = parse_quantity(claim.low, unit);
      const auto high = parse_quantity(claim.high, unit);
      if (!low || !high || (!claim_text.empty() && !claimed)) continue;
      if (!(*low < *high)) return say(fmt::format("ends at {}, below {}", claim.high, claim.low), "swap low and high");
      if (claimed && (*claimed < *low || *claimed > *high))
        say(fmt::format("is {} to {}, but {} is claimed", claim.low, claim.high, claim_text),
            "ask which of them holds");
      return;
    }
    say(fmt::format("has no two quantities of the claim's kind: '{}' and '{}'", claim.low, claim.high),
        R"(write them as the figure: "low": "40 GB/s", "high": "48 GB/s")");
  }

  void check_contradictions(const models::Store& normal, const models::Store& degraded) {
    check_dates();
    for (const Claim& claim : offer_.offer.claims) check_range(claim);
    const auto rate = [](double value) { return print_quantity(value, models::Unit::bytes_per_second); };
    const double unit = offer_.offer.unit_bandwidth_bytes_per_s;
    const auto units = static_cast<double>(offer_.offer.units);
    const double total = normal.bandwidth_bytes_per_s;
    const Place at = place_of(offer_.store, "bandwidth");
    const bool measured = is_measured(offer_.offer, "bandwidth");
    if (!measured && unit > total)
      complain("E0551", fmt::format("one unit is claimed to deliver {}, the whole store {}", rate(unit), rate(total)),
               at, "ask which of the two holds");
    else if (!measured && unit > 0.0 && units * unit < 0.99 * total)
      complain("E0551",
               fmt::format("{} units of {} deliver {}, less than the {} that the store is claimed to deliver",
                           offer_.offer.units, rate(unit), rate(units * unit), rate(total)),
               at, "ask which of them holds");
    if (!measured && normal.stream_bytes_per_s && *normal.stream_bytes_per_s > total)
      complain("E0551",
               fmt::format("one connection is claimed to get {}, the whole store delivers {}",
                           rate(*normal.stream_bytes_per_s), rate(total)),
               place_of(offer_.store, "stream"), "ask which of the two holds");
    if (!measured && degraded.bandwidth_bytes_per_s > total)
      complain("E0551",
               fmt::format("{} are claimed while a part has failed, {} while none has",
                           rate(degraded.bandwidth_bytes_per_s), rate(total)),
               place_of(offer_.degraded, "bandwidth"), "ask which of the two holds");
    const bool writes_measured = is_measured(offer_.offer, "write_bandwidth");
    if (!writes_measured && degraded.write_bandwidth_bytes_per_s > normal.write_bandwidth_bytes_per_s)
      complain("E0551",
               fmt::format("writes at {} are claimed while a part has failed, at {} while none has",
                           rate(degraded.write_bandwidth_bytes_per_s), rate(normal.write_bandwidth_bytes_per_s)),
               place_of(offer_.degraded, "write_bandwidth"), "ask which of the two holds");
  }

  Diagnostics diagnostics;

 private:
  const LoadedOffer& offer_;
};

/// The claim behind a figure of the store: that of its own pointer, or of what holds it.
const Claim* claim_of(const Offer& offer, std::string_view pointer) {
  const Claim* found = nullptr;
  for (const Claim& claim : offer.claims) {
    const bool holds = pointer == claim.parameter || pointer.starts_with(claim.parameter + "/");
    if (holds && (found == nullptr || claim.parameter.size() > found->parameter.size())) found = &claim;
  }
  return found;
}

double derating(Evidence evidence) {
  if (evidence == Evidence::assumed) return models::kAssumedFactor;
  return evidence == Evidence::datasheet ? models::kDatasheetFactor : 1.0;
}

/// False where nothing is drawn.
bool derate(const Claim& claim, models::UncertainInput& input) {
  input.evidence = claim.evidence;
  const auto low = parse_quantity(claim.low, input.unit);
  const auto high = parse_quantity(claim.high, input.unit);
  input.stated = low && high && *low < *high;
  if (input.stated) {
    input.low = *low;
    input.high = *high;
    return true;
  }
  const double factor = derating(claim.evidence);
  const bool less_is_better = input.unit == models::Unit::seconds;
  input.low = less_is_better ? input.value : input.value / factor;
  input.high = less_is_better ? input.value * factor : input.value;
  return factor > 1.0;
}

}  // namespace

Diagnostics check_offer(const LoadedOffer& offer, const models::Store& normal, const models::Store& degraded) {
  OfferCheck check(offer);
  check.check_missing();
  if (check.diagnostics.empty()) check.check_contradictions(normal, degraded);
  return std::move(check.diagnostics);
}

void hold_to_measured(const Offer& offer, models::Store& normal, models::Store& degraded) {
  const auto hold = [](double most, double& claimed) { claimed = std::min(claimed, most); };
  if (is_measured(offer, "bandwidth")) {
    for (models::Store* store : {&normal, &degraded})
      if (store->stream_bytes_per_s) hold(normal.bandwidth_bytes_per_s, *store->stream_bytes_per_s);
    hold(normal.bandwidth_bytes_per_s, degraded.bandwidth_bytes_per_s);
  }
  if (is_measured(offer, "write_bandwidth"))
    hold(normal.write_bandwidth_bytes_per_s, degraded.write_bandwidth_bytes_per_s);
}

std::vector<models::UncertainInput> derated_claims(const models::Scenario& scenario, std::size_t store,
                                                   const Offer& offer) {
  const std::string prefix = fmt::format("/stores/{}/", store);
  auto inputs = models::uncertain_inputs(scenario, [&](const models::NumberSite& site) {
    models::Knowledge knowledge;
    knowledge.evidence = site.pointer.starts_with(prefix) ? Evidence::assumed : Evidence::published;
    return knowledge;
  });
  std::vector<models::UncertainInput> drawn;
  for (models::UncertainInput& input : inputs) {
    if (input.spread_only || !input.pointer.starts_with(prefix)) continue;
    const Claim* claim = claim_of(offer, std::string_view(input.pointer).substr(prefix.size()));
    if (claim != nullptr && derate(*claim, input)) drawn.push_back(input);
  }
  return drawn;
}

}  // namespace headrace::scenarios
