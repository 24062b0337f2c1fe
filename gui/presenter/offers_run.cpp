#include "gui/presenter/offers_run.hpp"

#include <fmt/format.h>

#include <iterator>

#include "gui/presenter/command_text.hpp"
#include "models/path/ingest_path.hpp"
#include "reports/bakeoff_text.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::gui {
namespace {

using scenarios::Bakeoff;
using scenarios::Contender;

OffersAnswer refused(std::string why) {
  OffersAnswer answer;
  answer.error = std::move(why);
  return answer;
}

FloatingBar cost_bar(const Contender& contender) {
  FloatingBar bar;
  bar.kind = FloatingBar::Kind::range;
  bar.name = contender.name;
  bar.text = reports::humane(contender.usd_expected, "USD");
  bar.from = contender.usd_low;
  bar.to = contender.usd_high;
  bar.middle = contender.usd_expected;
  return bar;
}

}  // namespace

OffersAnswer shown(const Bakeoff& bakeoff) {
  OffersAnswer answer;
  answer.bakeoff = std::make_shared<const Bakeoff>(bakeoff);
  answer.json = reports::json_text(scenarios::bakeoff_json(bakeoff));
  answer.headline = reports::ranking_sentence(bakeoff, "choose {} draws");
  answer.basis = fmt::format(
      "Counted are all payments {}, as means over the input ranges, with degraded operation. The table of figures "
      "prices "
      "one steady epoch of the scenario as it stands, without space, staff and migration.",
      reports::basis_text(bakeoff));
  std::vector<std::vector<std::string>> rows = reports::contender_rows(bakeoff);
  answer.header = std::move(rows.front());
  answer.rows.assign(std::make_move_iterator(rows.begin() + 1), std::make_move_iterator(rows.end()));
  for (const Contender& contender : bakeoff.contenders) {
    if (const std::string why = reports::why_not_first(contender, bakeoff); !why.empty())
      answer.beside.push_back(contender.name + ": " + why);
    if (!contender.infeasible.empty()) continue;
    answer.costs.push_back(cost_bar(contender));
    answer.best.push_back(
        {contender.name, contender.best_probability, reports::probability_text(contender.best_probability)});
  }
  answer.warnings = reports::bakeoff_warnings(bakeoff);
  for (std::string& sentence : reports::means_outside_ranges(bakeoff)) answer.beside.push_back(std::move(sentence));
  for (const scenarios::ClaimEffect& claim : bakeoff.claims)
    if (reports::matters(claim)) answer.decides.push_back(reports::claim_sentence(claim));
  return answer;
}

OffersAnswer run_offers(const ScenarioDocument& document, const OffersWish& wish, const std::stop_token& stop,
                        const TellOffers& tell) {
  const auto own = document.fresh();  // loading offers adds to the sources of a scenario
  if (!own) return refused(print_text(own.error()));
  std::vector<scenarios::LoadedOffer> offers;
  for (const std::string& name : wish.offers) {
    auto offer = scenarios::load_offer(name);
    if (!offer) return refused(print_text(offer.error()));
    offers.push_back(*std::move(offer));
  }
  if (offers.empty()) return refused("no offer to rank: choose shipped offers or files");
  scenarios::BakeoffOptions how;
  how.replaces = wish.replaces;
  how.draws = wish.draws;
  how.cancelled = [&stop] { return stop.stop_requested(); };
  how.progress = [&tell](double fraction) { tell(fraction, fmt::format("{:.0f} %", 100.0 * fraction)); };
  try {
    auto bakeoff = scenarios::run_bakeoff(own->loaded(), offers, scenarios::Catalogue::shipped(), how);
    if (!bakeoff) return refused(print_text(bakeoff.error()));
    if (bakeoff->title.empty()) bakeoff->title = document.title();
    return shown(*bakeoff);
  } catch (const models::UnusableRequest& problem) {
    return refused(std::string(problem.what()) + "; " + problem.fix());
  }
}

std::string offers_command(const ScenarioDocument& document, const OffersWish& wish) {
  std::string text = "headrace bakeoff";
  for (const std::string& argument : document.arguments()) text += " " + shell_word(argument);
  text += " --offers";
  for (const std::string& offer : wish.offers) text += " " + shell_word(offer);
  if (!wish.replaces.empty()) text += " --replaces " + shell_word(wish.replaces);
  return text + fmt::format(" --draws {}", wish.draws);
}

}  // namespace headrace::gui
