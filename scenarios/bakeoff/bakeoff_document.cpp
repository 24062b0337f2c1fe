#include "scenarios/bakeoff/bakeoff.hpp"
#include "scenarios/document/described_document.hpp"

namespace headrace::scenarios {

using models::Unit;
using models::Visitor;

void describe(ClaimEffect& c, Visitor& v) {
  v.text("offer", c.offer, {.meaning = "Offer that claims it"});
  v.text("parameter", c.parameter, {.meaning = "Key of its store"});
  v.text("evidence", c.evidence, {.meaning = "How it is known: assumed, datasheet, published, measured"});
  v.text("conditions", c.conditions, {.meaning = "Under which it is claimed"});
  v.text("source", c.source, {.meaning = "Where it is claimed"});
  v.text("worst", c.worst, {.meaning = "Worse end of its range"});
  v.text("best", c.best, {.meaning = "Better end of its range"});
  v.number("usd_at_worst", c.usd_at_worst, {.meaning = "Cost of a useful GPU hour of the offer there"});
  v.number("usd_at_best", c.usd_at_best, {.meaning = "Cost of a useful GPU hour of the offer there"});
  v.text("winner_at_worst", c.winner_at_worst, {.meaning = "Who ranks first then"});
  v.text("winner_at_best", c.winner_at_best, {.meaning = "Who ranks first then"});
  v.flag("decides", c.decides, {.meaning = "The first rank changes within the range"});
}

namespace {

/// Dollars that a contender has only where it can run.
void describe_usd(std::string_view key, double& usd, std::string_view meaning, const Contender& c, Visitor& v) {
  std::optional<double> known;
  if (c.infeasible.empty()) known = usd;
  v.quantity(key, known, Unit::one, {.meaning = meaning, .rule = "it cannot run"});
  usd = known.value_or(0.0);
}

void describe_costs(Contender& c, Visitor& v) {
  v.number("goodput_normal", c.goodput_normal, {.meaning = "Share of the time that is training progress"});
  v.number("goodput_degraded", c.goodput_degraded, {.meaning = "The same while a part has failed"});
  describe_usd("usd_as_claimed", c.usd_as_claimed, "Cost of a useful GPU hour if all claims hold", c, v);
  describe_usd("usd_expected", c.usd_expected, "Mean over the ranges of claims and inputs in which it can run", c, v);
  describe_usd("usd_low", c.usd_low, "p10 over these ranges", c, v);
  describe_usd("usd_high", c.usd_high, "p90 over these ranges", c, v);
  v.number("best_probability", c.best_probability, {.meaning = "Share of the ranges in which it costs least"});
  v.quantity("more_than_first_low_usd", c.more_than_first_low_usd, Unit::one,
             {.meaning = "What a useful GPU hour costs more than that of the first at the same draws, lower end of the "
                         "95 % interval; where 0 lies within it, the draws do not tell the two apart",
              .rule = "the first, or too few draws"});
  v.quantity("more_than_first_high_usd", c.more_than_first_high_usd, Unit::one,
             {.meaning = "Its upper end", .rule = "the first, or too few draws"});
  v.number("capital_usd", c.capital_usd, {.meaning = "Purchase price of its store"});
  v.quantity("break_even_capital_usd", c.break_even_capital_usd, Unit::one,
             {.meaning = "Purchase price at which it costs what the first does", .rule = "the first, or no price"});
  v.quantity(
      "break_even_price_fraction", c.break_even_price_fraction, Unit::one,
      {.meaning = "Part of its prices by use at which it costs what the first does", .rule = "the first, or bought"});
}

}  // namespace

void describe(Contender& c, Visitor& v) {
  v.count("rank", c.rank, {.meaning = "By the expected cost of a useful GPU hour"});
  v.text("name", c.name, {.meaning = "Name of the offer"});
  v.text("vendor", c.vendor, {.meaning = "Who offers it"});
  v.text("as_of", c.as_of, {.meaning = "Day of its prices"});
  v.text("valid_until", c.valid_until, {.meaning = "Day until which they hold"});
  v.number("lead_time_days", c.lead_time_days, {.meaning = "From order to operation"});
  v.flag("nothing", c.nothing, {.meaning = "The scenario as it is: doing nothing"});
  v.text("infeasible", c.infeasible, {.meaning = "Why it cannot run"});
  v.number("feasible_share", c.feasible_share,
           {.meaning = "Share of the ranges in which it can run; below 1 it ranks after all that always can"});
  describe_costs(c, v);
  v.record("answer", c.answer, {.meaning = "Total cost in the middle of the ranges"});
  v.optional_record("expansion", c.expansion, {.meaning = "The least that can be added to it"});
  v.optional_record("gain", c.gain, {.meaning = "Gain over doing nothing"});
}

void describe(BakeoffWarning& w, Visitor& v) {
  v.text("seen", w.seen, {.meaning = "What was found"});
  v.text("fix", w.fix, {.meaning = "What to do about it"});
}

void describe(Bakeoff& b, Visitor& v) {
  v.text("kind", b.kind, {.meaning = "bakeoff"});
  v.text("format_version", b.format_version, {.meaning = "Version of this format"});
  v.text("model_version", b.model_version, {.meaning = "Version of the models"});
  v.text("title", b.title, {.meaning = "Title of the scenario"});
  v.text("scenario_sha256", b.scenario_sha256, {.meaning = "Fingerprint of the scenario as it is"});
  v.text("replaces", b.replaces, {.meaning = "Store of the scenario that the offers replace"});
  v.count("draws", b.draws, {.meaning = "Points of the ranges"});
  v.count("steps", b.steps, {.meaning = "Steps simulated per window at each of them"});
  v.count("seed", b.seed, {.meaning = "Seed of all random draws"});
  v.count("inputs", b.inputs, {.meaning = "Figures that are drawn"});
  v.flag("complete", b.complete, {.meaning = "All points were simulated"});
  v.list("contenders", b.contenders, {.meaning = "Offers and doing nothing, by rank"});
  v.list("claims", b.claims, {.meaning = "Claims that decide first, then by their effect"});
  v.flag("settled", b.settled, {.meaning = "False: the runs are too short, and longer ones give other costs"});
  v.list("warnings", b.warnings, {.meaning = "What the reader should know before buying"});
}

nlohmann::ordered_json bakeoff_json(const Bakeoff& bakeoff) { return print_document(bakeoff); }

tl::expected<Bakeoff, Diagnostics> read_bakeoff(const std::string& name, const std::string& text) {
  constexpr DocumentFacts kFacts{"bakeoff", "headrace bakeoff --json"};
  auto bakeoff = read_document<Bakeoff>(name, text, kFacts);
  if (bakeoff && bakeoff->contenders.empty()) return tl::unexpected(incomplete_document(name, "contenders", kFacts));
  return bakeoff;
}

nlohmann::ordered_json bakeoff_schema() {
  return document_schema<Bakeoff>("https://headrace.dev/bakeoff.schema.json", "Ranking of headrace bakeoff");
}

}  // namespace headrace::scenarios
