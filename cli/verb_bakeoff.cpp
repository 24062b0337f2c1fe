// headrace bakeoff: offers of stores against each other, ranked by what a useful GPU hour costs.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/draw_count.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/study_options.hpp"
#include "cli/verb.hpp"
#include "models/study/study.hpp"
#include "reports/bakeoff_text.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/bakeoff/bakeoff.hpp"
#include "scenarios/document/calendar.hpp"

namespace headrace::cli {
namespace {

struct BakeoffVerbOptions {
  ScenarioOptions scenario;
  OutputOptions output;
  std::vector<std::string> offers;
  std::vector<std::string> measured;  ///< "OFFER=FILE"
  scenarios::BakeoffOptions bakeoff;
  std::uint64_t draws = 32;
};

void add_options(OptionTable& table, BakeoffVerbOptions& options) {
  table.examples({"headrace bakeoff vision-cluster-offers --offers offer-a offer-b --draws 8"});
  add_scenarios(table, options.scenario);
  add_output(table, options.output);
  add_verbose(table, options.output);
  add_progress(table, options.output);
  table.section("Offers");
  table.add("--offers", "OFFER", options.offers, "files of offers, or shipped ones: offer-a offer-b offer-c")
      .count(1, -1)
      .required();
  table
      .add("--measured", "OFFER=FILE", options.measured,
           "figures of a layer of import or calibrate in place of what the offer of that name claims; repeatable")
      .repeatable();
  table.add("--replaces", "STORE", options.bakeoff.replaces,
            "store of the scenario that the offers replace (default: that of the first job)");
  add_draws(table, options.draws, 8, 512);
  table
      .add("--steps", "N", options.bakeoff.steps,
           "steps simulated per window at each point (default: 256 to 4,096, as many as twice and four times as many "
           "do not change)")
      .range(std::uint64_t{64}, std::uint64_t{1'000'000});
  table.add("--seed", "N", options.bakeoff.seed, "seed of all random draws (default 1)");
  add_threads(table, options.bakeoff.threads, "threads (default: all cores); never changes a result");
}

/// By the name of the offer; nullopt after a complaint.
std::optional<std::map<std::string, std::string>> measured_files(const BakeoffVerbOptions& options, Console& console) {
  std::map<std::string, std::string> files;
  for (const std::string& text : options.measured) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      refuse(fmt::format("--measured '{}' names no offer and file", text), "--measured OFFER=FILE", console);
      return std::nullopt;
    }
    files[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return files;
}

std::optional<std::vector<scenarios::LoadedOffer>> load_offers(const BakeoffVerbOptions& options, Console& console) {
  auto files = measured_files(options, console);
  if (!files) return std::nullopt;
  std::vector<scenarios::LoadedOffer> offers;
  for (const std::string& path : options.offers) {
    auto offer = scenarios::load_offer(path);
    if (const auto measured = offer ? files->find(offer->offer.name) : files->end(); measured != files->end()) {
      offer = scenarios::load_offer(path, measured->second);
      files->erase(measured);
    }
    if (!offer) {
      refuse(offer.error(), console, options.output.json);
      return std::nullopt;
    }
    offers.push_back(std::move(*offer));
  }
  if (files->empty()) return offers;
  refuse(fmt::format("--measured names '{}', which is no offer of this call", files->begin()->first),
         "write the offer's name as in its file", console);
  return std::nullopt;
}

/// Old prices of the scenario and quotes that have run out. With --as-of that is part of the document; without, it
/// depends on the day and is said on standard error alone.
void warn_of_age(const BakeoffVerbOptions& options, const LoadedScenario& loaded, scenarios::Bakeoff& bakeoff,
                 Console& console) {
  const bool asked = !options.scenario.as_of.empty();
  const std::string day = asked ? options.scenario.as_of : scenarios::today();
  std::vector<scenarios::BakeoffWarning> found;
  for (const models::Warning& warning : old_price_warnings(loaded, day)) found.push_back({warning.seen, warning.fix});
  for (const scenarios::Contender& contender : bakeoff.contenders)
    if (!contender.valid_until.empty() && contender.valid_until < day)
      found.push_back({fmt::format("the quote of {} was valid until {}", contender.name, contender.valid_until),
                       "ask for a new one"});
  for (scenarios::BakeoffWarning& warning : found) {
    console.warn(warning.seen + "; " + warning.fix);
    if (asked) bakeoff.warnings.push_back(std::move(warning));
  }
}

int run(const BakeoffVerbOptions& options, Console& console) {
  const std::optional<LoadedScenario> loaded = load(options.scenario, console);
  if (!loaded) return kBadInput;
  warn_unused_stores(*loaded, console);
  if (options.scenario.dry_run) return show_resolved(*loaded, options.output, console);
  const auto offers = load_offers(options, console);
  if (!offers || !console.can_deliver({options.output.file})) return kBadInput;
  const auto catalogue = catalogue_of(options.scenario.catalogues);
  if (!catalogue) return refuse(catalogue.error(), console);
  scenarios::BakeoffOptions how = options.bakeoff;
  how.draws = options.draws;
  const InterruptWatch watch;
  how.cancelled = [&watch] { return watch.interrupted(); };
  tl::expected<scenarios::Bakeoff, scenarios::Diagnostics> bakeoff;
  {
    ProgressLine line(console);
    if (console.shows_progress()) how.progress = [&line](double fraction) { line.show({fraction, 0.0, "offers", 0}); };
    bakeoff = scenarios::run_bakeoff(*loaded, *offers, *catalogue, how);
  }
  if (!bakeoff) return refuse(bakeoff.error(), console, options.output.json);
  bakeoff->title = title_of(*loaded, options.scenario);
  warn_of_age(options, *loaded, *bakeoff, console);
  const std::string text = options.output.wants_json()
                               ? reports::json_text(scenarios::bakeoff_json(*bakeoff))
                               : reports::bakeoff_text(*bakeoff, options.output.verbose, console.out_style());
  if (!console.deliver(text, options.output.file)) return kBadInput;
  if (!bakeoff->complete) return kInterrupted;
  return bakeoff->contenders.front().infeasible.empty() ? kOk : kFailed;
}

}  // namespace

Verb bakeoff() {
  return make_verb<BakeoffVerbOptions>("bakeoff", "offers ranked by what a useful GPU hour costs, and what to measure",
                                       add_options, run);
}

}  // namespace headrace::cli
