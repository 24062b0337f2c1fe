// The ranking of offers as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/style.hpp"
#include "scenarios/bakeoff/bakeoff.hpp"

namespace headrace::reports {

/// "bandwidth of A: between 53.3 GB/s and 80 GB/s; at the worse end B ranks first".
std::string claim_sentence(const scenarios::ClaimEffect& claim);

/// Whether a claim's range matters: it decides, or moves the cost of its offer by more than simulation noise does.
bool matters(const scenarios::ClaimEffect& claim);

/// A share of the ranges: "53 %", "<1 %", "all draws".
std::string probability_text(double p);

/// "; goodput 56.4 % while degraded"; empty where a failed part costs next to nothing.
std::string while_degraded(const scenarios::Contender& contender);

/// How often, and out of how many draws: "62 % of 8 draws".
std::string share_of_draws(double share, const scenarios::Bakeoff& bakeoff);

/// The ranking: the heads of its columns, then a row for each contender, without figures where it cannot run.
std::vector<std::vector<std::string>> contender_rows(const scenarios::Bakeoff& bakeoff);

/// Offers that cost, on average, more or less than p10 to p90 of their draws, a sentence each.
std::vector<std::string> means_outside_ranges(const scenarios::Bakeoff& bakeoff);

/// What the reader should know before buying, and what to do about it: "Warning: ...; ...".
std::vector<std::string> bakeoff_warnings(const scenarios::Bakeoff& bakeoff);

/// The least that can be added to each offer that says so, and for how much.
std::vector<std::string> expansion_lines(const scenarios::Bakeoff& bakeoff);

/// "17 days", "8 months", "never": when a purchase has paid for itself.
std::string payback_cell(const std::optional<double>& years);

/// "paid back after 1.3 years", "paid back at once", "not paid back".
std::string paid_back_text(const std::optional<double>& years);

/// "over 3 years, present value": what all dollars of a ranking are.
std::string basis_text(const scenarios::Bakeoff& bakeoff);

/// Where single runs of an offer are: its goodput, hours and payments.
inline constexpr std::string_view kMiddleOfRanges = "in the middle of all ranges";

/// What the store costs: its price, else what storage by use comes to over the horizon, present value: "$5.21 M by
/// use".
std::string store_price_text(const scenarios::Contender& contender);

/// Power, or rack units: what is known of them, else why nothing is.
std::string power_or_why(const scenarios::Contender& contender);
std::string rack_units_or_why(const scenarios::Contender& contender);

/// Whether a contender serves so much later than the first that why_not_first() says when.
bool serves_later(const scenarios::Contender& contender, const scenarios::Bakeoff& bakeoff);

/// Why a contender is not the first: "cannot run: ...", "$0.12 more per useful GPU hour than B, ...". Empty for the
/// first.
std::string why_not_first(const scenarios::Contender& contender, const scenarios::Bakeoff& bakeoff);

/// What the first costs, gains and risks, in a sentence or two. `more_draws`: how the reader asks for {} draws.
std::string ranking_sentence(const scenarios::Bakeoff& bakeoff, std::string_view more_draws = "try --draws {}");

/// The first screen; with `all` every claim behind it.
std::string bakeoff_text(const scenarios::Bakeoff& bakeoff, bool all, const Style& style);

}  // namespace headrace::reports
