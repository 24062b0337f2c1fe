#include "reports/bakeoff_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/humane.hpp"
#include "reports/room_text.hpp"
#include "reports/text_layout.hpp"
#include "reports/total_cost_text.hpp"

namespace headrace::reports {
namespace {

using scenarios::Bakeoff;
using scenarios::ClaimEffect;
using scenarios::Contender;

constexpr std::size_t kClaimsOnScreen = 3;
constexpr double kLeastEffect = 0.005;  ///< of the cost

std::string break_even_text(const Contender& contender) {
  if (contender.rank == 1) return "first";
  if (contender.is_tied()) return "a tie";
  if (contender.break_even_price_fraction)
    return *contender.break_even_price_fraction > 0.0
               ? percent(*contender.break_even_price_fraction, 0) + " of its prices"
               : "no price";
  if (!contender.break_even_capital_usd) return "-";
  if (*contender.break_even_capital_usd <= 0.0) return "no price";
  return dollars(*contender.break_even_capital_usd);
}

std::string contenders_text(const Bakeoff& bakeoff, const Style& style) {
  const std::vector<std::vector<std::string>> rows = contender_rows(bakeoff);
  std::vector<Column> columns(rows.front().size(), kRight);
  columns[1] = kLeft;
  return folded_table(columns, rows, style.width, 2) + "goodput: without degraded times, in the middle of all ranges\n";
}

std::string claims_text(const Bakeoff& bakeoff, std::size_t most, const Style& style) {
  std::vector<const ClaimEffect*> shown;
  for (const ClaimEffect& claim : bakeoff.claims)
    if (matters(claim) && shown.size() < most) shown.push_back(&claim);
  if (shown.empty()) return "No claim changes the cost of its offer within its range.\n";
  std::string text;
  const auto deciding = static_cast<std::size_t>(std::count_if(bakeoff.claims.begin(), bakeoff.claims.end(),
                                                               [](const ClaimEffect& claim) { return claim.decides; }));
  text +=
      style.bold(deciding > 0 ? "Measure in the proof of concept" : "No single claim decides; the largest effects") +
      "\n";
  for (const ClaimEffect* claim : shown) text += "  " + wrapped(claim_sentence(*claim), style.width, 4) + "\n";
  return text;
}

/// What can be added to each offer, and for how much.
std::string expansion_text(const Bakeoff& bakeoff, const Style& style) {
  std::string text;
  for (const std::string& line : expansion_lines(bakeoff)) text += "  " + wrapped(line, style.width, 4) + "\n";
  return text.empty() ? text : "\n" + style.bold("The least that can be added to an offer") + "\n" + text;
}

std::string infeasible_text(const Bakeoff& bakeoff, const Style& style) {
  std::string text;
  for (const Contender& contender : bakeoff.contenders)
    if (!contender.infeasible.empty() || contender.feasible_share < 1.0)
      text += wrapped(fmt::format("{} {}.", contender.name, why_not_first(contender, bakeoff)), style.width, 2) + "\n";
  for (const std::string& sentence : means_outside_ranges(bakeoff)) text += wrapped(sentence, style.width, 2) + "\n";
  return text;
}

}  // namespace

std::vector<std::vector<std::string>> contender_rows(const Bakeoff& bakeoff) {
  std::vector<std::vector<std::string>> rows{{"", "offer", "$ per useful GPU h", "p10 to p90", "as claimed", "best in",
                                              "goodput", "price", "wins below", "power", "rack units"}};
  const bool writes = std::any_of(bakeoff.contenders.begin(), bakeoff.contenders.end(),
                                  [](const Contender& one) { return !drive_writes_text(one.answer.room).empty(); });
  if (writes) rows.front().emplace_back("drive writes a day");
  for (const Contender& contender : bakeoff.contenders) {
    const std::string rank = std::to_string(contender.rank);
    rows.push_back({rank, contender.name, "cannot run"});
    if (contender.infeasible.empty())
      rows.back() = {rank,
                     contender.name,
                     humane(contender.usd_expected, "USD"),
                     fmt::format("{} to {}", humane(contender.usd_low, "USD"), humane(contender.usd_high, "USD")),
                     humane(contender.usd_as_claimed, "USD"),
                     probability_text(contender.best_probability),
                     percent(contender.answer.goodput_fraction),
                     store_price_text(contender),
                     break_even_text(contender),
                     power_or_why(contender),
                     rack_units_or_why(contender),
                     drive_writes_text(contender.answer.room)};
    rows.back().resize(rows.front().size());
  }
  return rows;
}

std::vector<std::string> means_outside_ranges(const Bakeoff& bakeoff) {
  std::vector<std::string> sentences;
  for (const Contender& one : bakeoff.contenders)
    if (one.infeasible.empty() && (one.usd_expected > (1.0 + kLeastEffect) * one.usd_high ||
                                   one.usd_expected < (1.0 - kLeastEffect) * one.usd_low))
      sentences.push_back(fmt::format(
          "The mean of {} lies {} its p10 to p90: it costs far {} in less than a tenth of the draws.", one.name,
          one.usd_expected > one.usd_high ? "above" : "below", one.usd_expected > one.usd_high ? "more" : "less"));
  return sentences;
}

std::string store_price_text(const Contender& contender) {
  if (contender.nothing) return "none";
  if (contender.capital_usd > 0.0) return dollars(contender.capital_usd);
  double by_use_usd = 0.0;
  for (const models::CashFlow& row : contender.answer.cash_flow)
    by_use_usd += models::present_usd(row.storage, contender.answer.discount_rate, row.end_years);
  return by_use_usd > 0.0 ? dollars(by_use_usd) + " by use" : "by use";
}

namespace {

/// A store that is paid by use stands at its provider.
std::string or_why(std::string text, const Contender& contender) {
  if (!text.empty()) return text;
  return contender.nothing || contender.capital_usd > 0.0 ? "not stated" : "provider's";
}

}  // namespace

std::string power_or_why(const Contender& contender) { return or_why(power_text(contender.answer.room), contender); }

std::string rack_units_or_why(const Contender& contender) {
  return or_why(rack_units_text(contender.answer.room), contender);
}

std::vector<std::string> bakeoff_warnings(const Bakeoff& bakeoff) {
  std::vector<std::string> sentences;
  for (const scenarios::BakeoffWarning& warning : bakeoff.warnings)
    sentences.push_back(fmt::format("Warning: {}; {}", warning.seen, warning.fix));
  return sentences;
}

std::vector<std::string> expansion_lines(const Bakeoff& bakeoff) {
  std::vector<std::string> lines;
  for (const Contender& contender : bakeoff.contenders) {
    if (!contender.expansion) continue;
    const scenarios::ExpansionStep& step = *contender.expansion;
    lines.push_back(fmt::format("{}: {} and {} for {}, {} rack units, {}", contender.name,
                                humane(step.capacity_bytes, "B"), humane(step.bandwidth_bytes_per_s, "B/s"),
                                dollars(step.capital_usd), humane_number(step.rack_units, 3),
                                humane(step.power_w, "W")));
  }
  return lines;
}

std::string probability_text(double p) {
  if (p == 1.0) return "all draws";
  if (p == 0.0) return "no draw";
  if (p > 0.995) return ">99 %";
  if (p < 0.005) return "<1 %";
  return percent(p, 0);
}

bool matters(const ClaimEffect& claim) {
  return claim.decides || std::abs(claim.usd_at_worst - claim.usd_at_best) > kLeastEffect * claim.usd_at_best;
}

std::string payback_cell(const std::optional<double>& years) {
  if (!years) return "never";
  constexpr double kDays = 365.25;
  constexpr double kMonths = 12.0;
  constexpr double kFewYears = 2.0;
  if (*years * kDays < 1.0) return "at once";
  if (*years < 0.2) return counted(static_cast<std::uint64_t>(std::llround(*years * kDays)), "day");
  return *years < kFewYears ? fmt::format("{:.0f} months", *years * kMonths) : fmt::format("{:.2g} years", *years);
}

std::string paid_back_text(const std::optional<double>& years) {
  if (!years) return "not paid back";
  const std::string after = payback_cell(years);
  return "paid back " + (after == "at once" ? after : "after " + after);
}

std::string claim_sentence(const ClaimEffect& claim) {
  std::string text = fmt::format("{} of {} ({}): from {} to {} a useful GPU hour costs {} to {}", claim.parameter,
                                 claim.offer, claim.evidence, claim.worst, claim.best,
                                 humane(claim.usd_at_worst, "USD"), humane(claim.usd_at_best, "USD"));
  if (claim.decides)
    text +=
        fmt::format("; {} ranks first at the worse end, {} at the better", claim.winner_at_worst, claim.winner_at_best);
  return text;
}

std::string basis_text(const Bakeoff& bakeoff) {
  if (bakeoff.contenders.empty()) return "present value";
  const double years = bakeoff.contenders.front().answer.horizon_years;
  return fmt::format("over {:.3g} {}, present value", years, years == 1.0 ? "year" : "years");
}

/// "62 % of 8 draws": how often, and out of how few.
std::string share_of_draws(double share, const Bakeoff& bakeoff) {
  return fmt::format("{} of {}", percent(share, 0), counted(bakeoff.draws, "draw"));
}

namespace {

/// In which share an offer costs least.
std::string often_best(const Contender& contender, const Bakeoff& bakeoff) {
  const double p = contender.best_probability;
  return p == 0.0 || p == 1.0 ? probability_text(p) : share_of_draws(p, bakeoff);
}

}  // namespace

std::string while_degraded(const Contender& contender) {
  constexpr double kNotable = 0.005;  // of the time
  if (contender.nothing || !(contender.goodput_degraded < contender.goodput_normal - kNotable)) return {};
  return fmt::format("; goodput {} while degraded", percent(contender.goodput_degraded));
}

bool serves_later(const Contender& contender, const Bakeoff& bakeoff) {
  constexpr double kLater = 30.0;  // days that matter among years
  return contender.lead_time_days > bakeoff.contenders.front().lead_time_days + kLater;
}

std::string why_not_first(const Contender& contender, const Bakeoff& bakeoff) {
  if (!contender.infeasible.empty()) return "cannot run: " + contender.infeasible;
  if (contender.rank == 1) return "";
  const Contender& first = bakeoff.contenders.front();
  std::string text;
  if (contender.feasible_share < 1.0)
    text = fmt::format("cannot run in {}; ", share_of_draws(1.0 - contender.feasible_share, bakeoff));
  const double more = contender.usd_expected - first.usd_expected;
  text += fmt::format("{} {} per useful GPU hour than {}, best in {}", humane(std::abs(more), "USD"),
                      more >= 0.0 ? "more" : "less", first.name, often_best(contender, bakeoff));
  if (contender.lead_time_days > 365.0 * contender.answer.horizon_years)
    return text + "; serves after the horizon only";
  constexpr double kNotable = 0.005;  // of the time
  if (serves_later(contender, bakeoff))
    text += fmt::format("; serves {:.0f} days after the order ({}: {:.0f})", contender.lead_time_days, first.name,
                        first.lead_time_days);
  if (contender.answer.goodput_fraction < first.answer.goodput_fraction - kNotable)
    text += fmt::format("; goodput {}, {} {}", percent(contender.answer.goodput_fraction), first.name,
                        percent(first.answer.goodput_fraction));
  return text + while_degraded(contender);
}

/// Who cannot be told from the first.
std::string tie_sentence(const Bakeoff& bakeoff, std::string_view more_draws) {
  std::vector<std::string> tied;
  for (const Contender& contender : bakeoff.contenders)
    if (contender.is_tied()) tied.push_back(contender.name);
  if (tied.empty()) return "";
  return fmt::format(" {} may cost as little: {} do not tell them apart ({}).", fmt::join(tied, " and "),
                     counted(bakeoff.draws, "draw"),
                     fmt::format(fmt::runtime(more_draws), std::min<std::uint64_t>(512, 4 * bakeoff.draws)));
}

/// Who costs least in many of the ranges beside the first, and what to find out.
std::string close_second(const Bakeoff& bakeoff) {
  constexpr double kMany = 0.25;
  const std::string& first = bakeoff.contenders.front().name;
  for (const Contender& contender : bakeoff.contenders) {
    if (contender.rank == 1 || contender.is_tied() || contender.best_probability < kMany) continue;
    std::string text =
        contender.more_than_first_low_usd
            ? fmt::format(" {} costs {} to {} more on average (95 % interval), and less than {} in {}", contender.name,
                          humane(*contender.more_than_first_low_usd, "USD"),
                          humane(*contender.more_than_first_high_usd, "USD"), first, often_best(contender, bakeoff))
            : fmt::format(" {} costs less than {} in {}", contender.name, first, often_best(contender, bakeoff));
    const auto claim = std::find_if(bakeoff.claims.begin(), bakeoff.claims.end(), [&](const ClaimEffect& one) {
      return one.decides && (one.offer == contender.name || one.offer == first);
    });
    if (claim != bakeoff.claims.end())
      text += fmt::format(": measure the {} of {} before you sign", claim->parameter, claim->offer);
    return text + ".";
  }
  return {};
}

namespace {

/// What is left of the worth of the hours after the payments that the purchase adds.
std::string net_value_text(const models::GainOverNothing& gain) {
  const double added_usd = gain.gained_usd - gain.net_present_value_usd;
  return fmt::format("less the {} by which payments {}, its net present value is {}", dollars(std::abs(added_usd)),
                     added_usd < 0.0 ? "fall" : "grow", dollars(gain.net_present_value_usd));
}

}  // namespace

/// What lies between the goodput of an offer and the hours that it gains.
std::string gained_from(const Contender& offer) {
  std::string text = fmt::format(" (discounted at {} a year", percent(offer.answer.discount_rate, 0));
  if (offer.answer.used_fraction < 1.0)
    text += fmt::format(", jobs run {} of the time", percent(offer.answer.used_fraction, 0));
  if (offer.lead_time_days > 0.0) text += fmt::format(", from day {:.0f} on, when it serves", offer.lead_time_days);
  if (offer.goodput_degraded < offer.goodput_normal) text += ", less in degraded times";
  return text + ")";
}

std::string ranking_sentence(const Bakeoff& bakeoff, std::string_view more_draws) {
  if (bakeoff.contenders.empty() || !bakeoff.contenders.front().infeasible.empty()) return "No offer can run the jobs.";
  const Contender& first = bakeoff.contenders.front();
  std::string text = fmt::format("{} costs least on average: {} per useful GPU hour ({}), best in {}.",
                                 first.nothing ? "Doing nothing" : first.name, humane(first.usd_expected, "USD"),
                                 basis_text(bakeoff), often_best(first, bakeoff));
  text += tie_sentence(bakeoff, more_draws);
  const auto often =
      std::max_element(bakeoff.contenders.begin(), bakeoff.contenders.end(),
                       [](const Contender& a, const Contender& b) { return a.best_probability < b.best_probability; });
  if (often->best_probability > first.best_probability && !often->is_tied())
    text += fmt::format(" {} costs least in {}, but {} more on average: it is far behind in the rest.", often->name,
                        often_best(*often, bakeoff), humane(often->usd_expected - first.usd_expected, "USD"));
  if (often->best_probability <= first.best_probability) text += close_second(bakeoff);
  if (!first.gain) return text;
  text += fmt::format(
      " In the middle of all ranges, where a useful GPU hour costs {} if nothing is bought, {} gains hours worth {} at "
      "that rate{}; {}, {}.",
      humane(first.gain->usd_per_hour, "USD"), first.name, dollars(first.gain->gained_usd), gained_from(first),
      net_value_text(*first.gain), paid_back_text(first.gain->payback_years));
  for (const Contender& tied : bakeoff.contenders)
    if (tied.is_tied() && tied.gain)
      text += fmt::format(" {}, which may cost as little, gains {}; {}, {}.", tied.name, dollars(tied.gain->gained_usd),
                          net_value_text(*tied.gain), paid_back_text(tied.gain->payback_years));
  return text;
}

std::string bakeoff_text(const Bakeoff& bakeoff, bool all, const Style& style) {
  std::string text = wrapped(bakeoff.title, style.width, 0) + "\n";
  text += wrapped(fmt::format("Offers for the store '{}': {} of {} ranges, normal and degraded, the same draws for "
                              "all{}",
                              bakeoff.replaces, counted(bakeoff.draws, "point"), bakeoff.inputs,
                              bakeoff.complete ? "" : "; ended early"),
                  style.width, 0) +
          "\n\n";
  text += contenders_text(bakeoff, style) + infeasible_text(bakeoff, style) + "\n";
  text += wrapped(ranking_sentence(bakeoff), style.width, 0) + "\n\n";
  text += claims_text(bakeoff, all ? bakeoff.claims.size() : kClaimsOnScreen, style);
  if (all) text += expansion_text(bakeoff, style);
  for (const std::string& warning : bakeoff_warnings(bakeoff)) text += wrapped(warning, style.width, 2) + "\n";
  return text;
}

}  // namespace headrace::reports
