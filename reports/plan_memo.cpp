// The decision on one page that a document of `plan` holds.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/outcome/outcome_assembly.hpp"
#include "reports/confidence_text.hpp"
#include "reports/document.hpp"
#include "reports/humane.hpp"
#include "reports/input_text.hpp"
#include "reports/known_parameters.hpp"
#include "reports/memo.hpp"
#include "reports/plan_report.hpp"
#include "reports/plan_words.hpp"
#include "reports/room_text.hpp"
#include "reports/total_cost_text.hpp"
#include "scenarios/planner/advice.hpp"
#include "scenarios/planner/free_decisions.hpp"

namespace headrace::reports {
namespace {

constexpr std::size_t kMostInputs = 6;
constexpr double kWorseWait = 0.005;  // of GPU time: what an error of an input must add to change the decision

class PlanMemo {
 public:
  explicit PlanMemo(const Document& plan)
      : plan_(plan), best_(at(plan, "recommended")), today_(at(plan, "today")), ranges_(at(plan, "ranges")) {}

  Memo made() const {
    Memo memo;
    const std::string title = text_at(at(plan_, "scenario"), "title");
    memo.title = title.empty() ? "Configuration of the cluster" : title;
    memo.question = fmt::format("Which {} keep the GPUs fed, at the least {}?", decision_names(), goal());
    memo.settled = feeds();
    memo.answer = answer();
    memo.unit_cost_head = !is_priced(plan_)                  ? "epoch (no prices stated)"
                          : at(plan_, "horizon").is_object() ? "per epoch, total"
                                                             : "per epoch";
    memo.total_cost_head = total_head();
    memo.yield_head = "goodput";
    memo.options = options();
    memo.flips = flips();
    memo.assumptions = assumptions();
    std::string proof = text_at(at(plan_, "search"), "explanation");
    if (!proof.empty()) proof[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(proof[0])));
    if (const Document& confidence = at(plan_, "confidence"); confidence.is_object())
      memo.facts.push_back(confidence_line(confidence, "the recommended configuration"));
    if (const std::string holds = room_sentence(room_in(best_)); !holds.empty())
      memo.facts.push_back("Recommended: " + holds);
    if (const std::string drivers = fed_drivers_sentence(); !drivers.empty()) memo.facts.push_back(drivers);
    memo.facts.push_back(proof + ".");
    memo.facts.push_back(fmt::format("Seed {}, models {}, scenario {}.", at(plan_, "seed").dump(),
                                     text_at(plan_, "model_version"), text_at(plan_, "scenario_sha256").substr(0, 12)));
    return memo;
  }

 private:
  static double mean(const Document& point, const char* metric) {
    return number_at(at(at(point, "metrics"), metric), "mean");
  }

  std::string goal() const {
    const std::string stated = text_at(plan_, "objective");
    return stated.empty() ? "cost per epoch" : stated;
  }

  std::string decision_names() const {
    std::string names;
    const Document& decisions = at(plan_, "decisions");
    for (std::size_t i = 0; i < decisions.size(); ++i)
      names += (i == 0 ? "" : i + 1 == decisions.size() ? " and " : ", ") + words(text_at(decisions[i], "name"));
    return names.empty() ? "settings" : names;
  }

  std::string configuration(const Document& point) const { return configuration_text(plan_, point); }

  /// What is known over the ranges of the inputs of how often a configuration is fed: null where only a step tells it.
  const Document& fed_record(const Document& point) const {
    static const Document kNone;
    const Document& asked = at(point, "configuration");
    for (const char* key : {"recommended", "nominal", "today"})
      if (at(at(ranges_, key), "configuration") == asked) return at(at(ranges_, key), "fed_share");
    return kNone;
  }

  /// How sure a configuration is fed over the ranges of the inputs; NaN where the plan did not ask that.
  double fed_share(const Document& point) const {
    const Document& asked = at(point, "configuration");
    if (const Document& known = fed_record(point); known.is_object()) return number_at(known, "mean");
    for (const Document& step : at(plan_, "steps")) {
      Document moved = at(best_, "configuration");
      for (const Document& decision : at(plan_, "decisions"))
        if (text_at(decision, "name") == text_at(step, "name")) moved[text_at(decision, "parameter")] = at(step, "to");
      if (moved == asked) return number_at(at(step, "fed_share"), "mean");
    }
    return std::nan("");
  }

  std::string fed_text(const Document& point) const {
    const double share = fed_share(point);
    return std::isnan(share) ? "not simulated over the input ranges"
                             : fmt::format("fed in {} of the input ranges{}", percent(share, 0), level_open(point));
  }

  /// Where the interval of the share has the level that is asked for inside it.
  std::string level_open(const Document& point) const {
    const double level = number_at(ranges_, "confidence_fed");
    const Document& interval = at(fed_record(point), "ci95");
    if (!interval.is_array() || interval.size() != 2 || !(interval[0].get<double>() < level) ||
        !(interval[1].get<double>() > level))
      return {};
    return fmt::format(" (whether {} are reached is open)", percent(level, 0));
  }

  /// What an epoch costs, or takes where nothing has a price.
  const char* figure() const { return is_priced(plan_) ? cost_figure(plan_) : "epoch_time_s"; }
  std::string figure_text(double value) const { return humane(value, is_priced(plan_) ? "USD" : "s"); }

  /// Over the ranges: the goal where that is what it counts, as text and page have it.
  double expected_of(const Document& ranged) const {
    const Document& expected = at(ranged, "expected");
    const double goal = number_at(at(expected, "objective"), "mean");
    const bool counts = std::string_view(goal_metric(plan_)) == figure();
    return counts && !std::isnan(goal) ? goal : number_at(at(expected, figure()), "mean");
  }

  /// As stated, and over the ranges where the plan compared it there.
  std::string unit_cost(const Document& point) const {
    const std::string stated = figure_text(mean(point, figure()));
    for (const char* key : {"recommended", "nominal", "today"}) {
      const Document& ranged = at(ranges_, key);
      if (at(ranged, "configuration") != at(point, "configuration")) continue;
      const double expected = expected_of(ranged);
      if (!std::isnan(expected)) return fmt::format("{} as stated, {} expected", stated, figure_text(expected));
    }
    return stated;
  }

  /// Of the one job; NaN where there are several, or one epoch.
  double epochs() const {
    const Document& jobs = at(at(plan_, "scenario"), "jobs");
    const double epochs = jobs.is_array() && jobs.size() == 1 ? number_at(jobs.front(), "epochs") : std::nan("");
    return epochs > 1.0 ? epochs : std::nan("");
  }

  /// What a total cost is over: the horizon where dollars are total costs, else all epochs, else an hour.
  std::string total_head() const {
    const Document& horizon = at(at(plan_, "horizon"), "recommended");
    if (horizon.is_object())
      return fmt::format("total cost over {:.3g} years, present value", number_at(horizon, "horizon_years"));
    return std::isnan(epochs()) ? "machines, per hour" : fmt::format("all {:g} epochs", epochs());
  }

  std::string total_of(const Document& point) const {
    if (!is_priced(plan_)) return "";
    const Document& horizon = at(plan_, "horizon");
    if (horizon.is_object()) {
      const bool best = at(point, "configuration") == at(best_, "configuration");
      const bool now = at(point, "configuration") == at(today_, "configuration");
      const Document& cost = at(horizon, best ? "recommended" : now ? "today" : "");
      return cost.is_object() ? dollars(number_at(cost, "present_value_usd")) : std::string("not computed");
    }
    if (!std::isnan(epochs())) return dollars(mean(point, cost_figure(plan_)) * epochs());
    const double hourly = number_at(point, "cost_per_hour_usd");
    return std::isnan(hourly) ? "" : humane(hourly, "USD");
  }

  MemoOption option(const std::string& name, const Document& point, const std::string& when) const {
    const double goodput = mean(point, "goodput_fraction");
    const std::string wait = fmt::format("GPUs wait {}", percent(mean(point, "gpu_idle_fraction")));
    return {fmt::format("{}: {}", name, configuration(point)),
            unit_cost(point),
            total_of(point),
            std::isnan(goodput) ? wait : fmt::format("{}; {}", percent(goodput), wait),
            fmt::format("{}; an epoch takes {}", when, humane(mean(point, "epoch_time_s"), "s")),
            fed_text(point)};
  }

  /// The best for the inputs as stated where ranges chose another one, else the next best.
  const Document& alternative() const {
    const Document& nominal = at(at(ranges_, "nominal"), "configuration");
    if (nominal.is_object() && nominal != at(best_, "configuration"))
      for (const Document& point : at(plan_, "alternatives"))
        if (at(point, "configuration") == nominal) return point;
    return at(plan_, "runner_up");
  }

  std::vector<MemoOption> options() const {
    std::vector<MemoOption> all{keeps_today() ? option("recommended, doing nothing", best_, "today")
                                              : option("recommended", best_, "after the change")};
    const Document& other = alternative();
    if (other.is_object() && at(other, "configuration") != at(today_, "configuration"))
      all.push_back(option("alternative", other, "after the change"));
    if (today_.is_object() && !keeps_today()) all.push_back(option("doing nothing", today_, "today"));
    return all;
  }

  bool keeps_today() const { return today_.is_object() && at(today_, "configuration") == at(best_, "configuration"); }

  /// "$327.03 per epoch with the inputs as stated, $572.03 expected over their ranges; all 90 epochs $29,433 as stated,
  /// $51,483 expected".
  std::string costs() const {
    const double stated = mean(best_, figure());
    const double expected = expected_of(at(ranges_, "recommended"));
    std::string text = figure_text(stated) + " per epoch";
    if (!std::isnan(expected))
      text += fmt::format(" with the inputs as stated, {} expected over their ranges", figure_text(expected));
    if (!is_priced(plan_) || std::isnan(epochs())) return text;
    text += fmt::format("; all {:g} epochs {}", epochs(), dollars(stated * epochs()));
    if (!std::isnan(expected)) text += fmt::format(" as stated, {} expected", dollars(expected * epochs()));
    return text;
  }

  /// In the share of the ranges that was asked for, or at the inputs as stated where none were drawn.
  bool feeds() const {
    if (at(ranges_, "reached").is_boolean()) return at(ranges_, "reached") == true;
    return mean(best_, "gpu_idle_fraction") <= models::kFedIdleFraction;
  }

  std::string answer() const {
    if (feeds()) return chosen();
    const double level = number_at(ranges_, "confidence_fed");
    return fmt::format("No configuration keeps the GPUs fed{}; the best of them is this. ",
                       std::isnan(level) ? "" : fmt::format(" in {} of the input ranges", percent(level, 0))) +
           chosen();
  }

  std::string chosen() const {
    if (keeps_today()) return fmt::format("Keep today's {}: {}; {}.", configuration(best_), costs(), fed_text(best_));
    std::string text = fmt::format("Take {}: {}; {}.", configuration(best_), costs(), fed_text(best_));
    if (!today_.is_object()) return text;
    const double more = mean(today_, figure()) - mean(best_, figure());
    if (std::isnan(more)) return text;
    const std::string does = is_priced(plan_) ? "cost" : "take";
    text += fmt::format(" Doing nothing {}s {} per epoch with the inputs as stated, and is {}", does, difference(more),
                        fed_text(today_));
    const double expected_more = expected_of(at(ranges_, "today")) - expected_of(at(ranges_, "recommended"));
    if (std::isnan(expected_more)) return text + ".";
    return text + fmt::format("; over their ranges it is expected to {} {}.", does, difference(expected_more));
  }

  /// "$3.20 more", of an epoch.
  std::string difference(double more) const {
    constexpr double kNothing = 0.005;
    if (std::abs(more) < kNothing) return "as much";
    return fmt::format("{} {}", figure_text(std::abs(more)), more > 0.0 ? "more" : "less");
  }

  std::vector<std::string> flips() const {
    std::vector<std::string> all;
    if (const Document& nominal = at(ranges_, "nominal");
        nominal.is_object() && at(ranges_, "nominal_is_recommended") == false) {
      all.push_back(
          fmt::format("If all inputs are as stated, {} is best: {} per epoch; over their ranges it is fed in {}.",
                      configuration(nominal), figure_text(number_at(at(at(nominal, "as_stated"), figure()), "mean")),
                      percent(number_at(at(nominal, "fed_share"), "mean"), 0)));
    }
    if (const Document& next = at(plan_, "next_cheaper"); next.is_object()) {
      const std::string rival = configuration(at(next, "rival"));
      if (const double usd = number_at(next, "needed_gpu_hour_usd"); !std::isnan(usd))
        all.push_back(fmt::format("Below {} a GPU hour, {} is cheaper.", humane(usd, "USD"), rival));
      const double needed_s = number_at(next, "needed_step_time_s");
      if (needed_s < mean(at(next, "rival"), "step_time_s"))
        all.push_back(fmt::format("With steps of {} instead of {}, {} is cheaper.", humane(needed_s, "s"),
                                  humane(mean(at(next, "rival"), "step_time_s"), "s"), rival));
    }
    const double wait = mean(best_, "gpu_idle_fraction");
    if (at(ranges_, "reached") == false && number_at(ranges_, "inputs") > 0.0 && wait <= models::kFedIdleFraction)
      all.push_back(
          fmt::format("Inputs that are known better{}: over their ranges it is fed in {} of the draws, and no "
                      "configuration in more than {}.",
                      fed_drivers(), percent(fed_share(best_), 0),
                      percent(std::max(fed_share(best_), number_at(ranges_, "highest_fed_share")), 0)));
    for (const Document& error : at(plan_, "input_errors"))
      if (number_at(error, "gpu_idle_fraction") > wait + kWorseWait)
        all.push_back(fmt::format("If {} is {} {} than stated, GPUs wait {}.", input_name(error),
                                  percent(std::abs(number_at(error, "error")), 0),
                                  number_at(error, "error") < 0.0 ? "less" : "more",
                                  percent(number_at(error, "gpu_idle_fraction"))));
    for (const Document& warning : at(plan_, "warnings"))
      if (const std::string seen = text_at(warning, "seen"); seen.starts_with(scenarios::kOutsideDecisions))
        all.push_back(fmt::format("Outside these decisions{}.", seen.substr(scenarios::kOutsideDecisions.size())));
      else if (text_at(warning, "seen") == scenarios::kFreeDecision)
        all.push_back(fmt::format("Without a price: {}.", text_at(warning, "cause")));
    if (all.empty()) all.emplace_back("No single input within 10 % of what is stated, and no price.");
    return all;
  }

  /// ", first of all the step time and the sample bytes": what decides most of whether it is fed.
  std::string fed_drivers() const {
    std::string named;
    const Document& drivers = at(ranges_, "fed_drivers");
    for (const Document& driver : drivers)
      named += (named.empty() ? ", first of all " : &driver == &drivers.back() ? " and " : ", ") + input_name(driver);
    return named;
  }

  /// "Whether GPUs are fed hangs most on step time of job train (23 % of the variance): measure it first."
  std::string fed_drivers_sentence() const {
    std::vector<models::InputEffect> drivers;
    for (const Document& driver : at(ranges_, "fed_drivers")) {
      models::InputEffect& effect = drivers.emplace_back();
      effect.parameter = input_name(driver);
      effect.share = number_at(driver, "share");
    }
    return drivers.empty() ? std::string() : hangs_most_on("Whether GPUs are fed", drivers);
  }

  std::string input_name(const Document& error) const {
    return spoken_parameter(at(plan_, "scenario"), text_at(error, "parameter"));
  }

  /// The inputs that move the answer most, then others whose range the scenario states.
  std::vector<MemoAssumption> assumptions() const {
    std::vector<MemoAssumption> rows;
    std::vector<std::string> told;
    const auto add = [&](const std::string& pointer, const std::string& value, std::string evidence) {
      if (rows.size() == kMostInputs || std::find(told.begin(), told.end(), pointer) != told.end()) return;
      told.push_back(pointer);
      rows.push_back({spoken_parameter(at(plan_, "scenario"), pointer), value, std::move(evidence)});
    };
    for (const Document& driver : at(ranges_, "fed_drivers"))
      if (const std::string pointer = text_at(driver, "parameter"); !pointer.empty())
        add(pointer, value_at(pointer), evidence_of(pointer));
    for (const Document& error : at(plan_, "input_errors"))
      add(text_at(error, "parameter"), text_at(error, "value"), evidence_words(text_at(error, "evidence")));
    for (const Document& range : at(at(plan_, "scenario"), "input_ranges"))
      if (const std::string pointer = text_at(range, "parameter"); !pointer.empty())
        add(pointer, range_words(pointer, range), evidence_words(text_at(range, "evidence")));
    return rows;
  }

  /// Of an uncertain input.
  std::string evidence_of(const std::string& pointer) const {
    for (const Document* known : {&at(plan_, "input_errors"), &at(at(plan_, "scenario"), "input_ranges")})
      for (const Document& one : *known)
        if (text_at(one, "parameter") == pointer) return evidence_words(text_at(one, "evidence"));
    return "assumed or from a data sheet";  // as is every input that is drawn and has no range of its own
  }

  static std::string evidence_words(const std::string& evidence) {
    if (evidence.empty()) return "stated, measured or published";
    if (evidence == "datasheet") return "from a data sheet or price list";
    return evidence;
  }

  std::string value_at(const std::string& pointer) const {
    const nlohmann::ordered_json::json_pointer place(pointer);
    const Document& scenario = at(plan_, "scenario");
    if (!scenario.contains(place)) return {};
    const Document& stated = scenario[place];
    if (stated.is_object()) {
      const std::string mean = stated.empty() ? std::string() : text_at(*stated.begin(), "mean");
      return mean.empty() ? "a distribution" : mean + " on average";
    }
    return stated.is_string() ? stated.get<std::string>() : stated.dump();
  }

  /// "83 ms, from 79 ms to 87 ms"
  std::string range_words(const std::string& pointer, const Document& range) const {
    const std::string value = value_at(pointer);
    const auto end = [&](const char* key) {
      const Document& one = at(range, key);
      return one.is_string() ? one.get<std::string>() : one.is_number() ? one.dump() : std::string();
    };
    const std::string low = end("low");
    const std::string high = end("high");
    return low.empty() || high.empty() ? value : fmt::format("{}, from {} to {}", value, low, high);
  }

  const Document& plan_;
  const Document& best_;
  const Document& today_;
  const Document& ranges_;
};

}  // namespace

std::optional<Memo> memo_of_plan(const Document& plan) {
  if (!at(plan, "recommended").is_object()) return std::nullopt;
  return PlanMemo(plan).made();
}

}  // namespace headrace::reports
