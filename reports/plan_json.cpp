#include "reports/plan_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/base/model_version.hpp"
#include "models/outcome/room_description.hpp"
#include "reports/document.hpp"
#include "reports/document_writer.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/plan_ranges_json.hpp"
#include "reports/total_cost_text.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Plan;
using scenarios::PlanFigure;
using scenarios::PlannedPoint;
using scenarios::Proof;
using scenarios::StoppedBy;

constexpr const char* kCost = "cost_per_epoch_usd";
constexpr const char* kTotalCost = "total_cost_per_epoch_usd";

Json metric(const PlanFigure& figure, const char* unit) {
  Json json = {{"mean", figure.mean}, {"ci95", nullptr}, {"unit", unit}};
  if (figure.ci95) json["ci95"] = {figure.ci95->low, figure.ci95->high};
  json["kind"] = figure.ci95 ? "simulated" : "bound";
  return json;
}

Json point(const Plan& plan, const PlannedPoint& planned) {
  Json configuration = Json::object();
  for (const scenarios::ChosenValue& value : planned.values) configuration[value.parameter] = value.value;
  Json json{{"configuration", std::move(configuration)},
            {"metrics",
             {{cost_figure(plan), metric(planned.cost_usd, "USD")},
              {"epoch_time_s", metric(planned.epoch_time_s, "s")},
              {"step_time_s", metric(planned.step_time_s, "s")},
              {"gpu_idle_fraction", metric(planned.idle_fraction, "1")},
              {"goodput_fraction",
               {{"mean", planned.goodput_fraction},
                {"ci95", nullptr},
                {"unit", "1"},
                {"kind", planned.simulated ? "simulated" : "bound"}}},
              {"time_to_first_step_s",
               {{"mean", planned.first_step_s}, {"ci95", nullptr}, {"unit", "s"}, {"kind", "closed_form"}}}}},
            {"step_time_bound_s", planned.bound_step_s},
            {"cost_per_hour_usd", planned.hourly_usd}};
  if (!planned.room.empty()) {
    DocumentWriter writer(json);
    models::RoomFacts room = planned.room;
    writer.record("room", room, {});
  }
  for (const scenarios::PlannedJob& job : planned.jobs)
    json["jobs"].push_back({{"name", job.name},
                            {"step_time_s", job.step_time_s},
                            {"epoch_time_s", job.epoch_time_s},
                            {"gpu_idle_fraction", job.idle_fraction},
                            {"goodput_fraction", job.goodput_fraction}});
  return json;
}

Json list(const Plan& plan, const std::vector<PlannedPoint>& points) {
  Json json = Json::array();
  for (const PlannedPoint& one : points) json.push_back(point(plan, one));
  return json;
}

Json horizon(const std::optional<models::HorizonCost>& cost) {
  if (!cost) return {};
  return {{"horizon_years", cost->horizon_years},
          {"discount_rate", cost->discount_rate},
          {"present_value_usd", cost->present_value_usd},
          {"usd_per_useful_gpu_hour", cost->usd_per_useful_gpu_hour},
          {"explanation", horizon_text(*cost)}};
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

std::string_view proof_name(Proof proof) {
  switch (proof) {
    case Proof::flow:
      return "flow_bounds";
    case Proof::flow_zone:
      return "flow_bounds_within_indifference";
    case Proof::surrogate:
      return "surrogate";
    default:
      return "none";
  }
}

std::string_view stopped_name(StoppedBy reason) {
  switch (reason) {
    case StoppedBy::max_wall:
      return "max_wall";
    case StoppedBy::interrupted:
      return "interrupted";
    case StoppedBy::max_points:
      return "max_points";
    default:
      return "none";
  }
}

/// What was run, in the order of first visit, in the unit of the objective.
Json trace(const Plan& plan) {
  Json json = Json::array();
  for (const scenarios::SearchStep& step : plan.trace)
    json.push_back({{"configuration", step.values},
                    {"level", step.level},
                    {"bound", step.bound < 1e300 ? Json(step.bound) : Json()},
                    {"mean", or_null(step.mean)},
                    {"best_so_far", step.best_so_far},
                    {"fate", step.fate}});
  return json;
}

Json sampled(const scenarios::SampledRuns& runs) {
  Json json{{"nodes", runs.nodes}, {"of_nodes", runs.of_nodes}, {"steps", runs.steps}};
  if (runs.difference)
    json["difference"] = {{"mean", runs.difference->mean},
                          {"ci95", {runs.difference->ci95->low, runs.difference->ci95->high}}};
  return json;
}

Json search(const Plan& plan) {
  const scenarios::SearchResult& found = plan.search;
  Json json{{"points", found.bounded},
            {"infeasible", found.infeasible},
            {"uncontended_runs", found.uncontended_runs},
            {"simulated_points", found.contended_runs},
            {"simulated_steps", found.contended_steps},
            {"excluded_by_siblings", found.by_family},
            {"event_runs", plan.event_runs},
            {"advice_runs", plan.advice_runs},
            {"proof", proof_name(found.proof)},
            {"confidence", found.confidence},
            {"indifference", plan.indifference},
            {"surrogate", found.surrogate.empty() ? Json() : Json(found.surrogate)},
            {"explanation", proof_text(plan)},
            {"trace", trace(plan)}};
  if (plan.sampled) json["sampled"] = sampled(*plan.sampled);
  return json;
}

Json changes(const Plan& plan) {
  Json json = Json::array();
  for (const scenarios::PlanChange& change : plan.changes)
    json.push_back(
        {{"name", change.name},
         {"from", change.from},
         {"to", change.to},
         {"decisions", change.decisions},
         {"decided", change.decided},
         {"gained_usd", change.decided ? Json(change.gained_usd) : Json()},
         {"gained_time_s", change.decided ? Json(change.gained_s) : Json()},
         {"gained_error_usd", change.gained_error_usd},
         {"spent_usd", change.spent_usd},
         {"gained_per_dollar",
          change.decided && change.spent_usd > 0.0 ? Json(change.gained_usd / change.spent_usd) : Json()},
         {plan.total_cost ? "total_cost_per_epoch_after_usd" : "cost_per_epoch_after_usd", change.cost_after_usd},
         {"epoch_time_after_s", change.epoch_after_s}});
  return json;
}

Json elasticities(const Plan& plan) {
  Json json = Json::array();
  for (const scenarios::Elasticity& one : plan.elasticities)
    json.push_back({{"resource", one.resource},
                    {"decided", one.decided},
                    {"epoch_time_change", one.decided ? Json(one.epoch_time) : Json()},
                    {"cost_change", one.decided ? Json(one.cost) : Json()},
                    {"error", one.error},
                    {"cost_error", one.cost_error}});
  return json;
}

Json obstacles(const Plan& plan) {
  Json json = Json::array();
  for (const scenarios::Obstacle& one : plan.obstacles)
    json.push_back({{"name", one.name},
                    {"points", one.points},
                    {"least_excess", one.excess < 1e300 ? Json(one.excess) : Json()},
                    {"least_excess_text", one.over.empty() ? Json() : Json(one.over)},
                    {"nearest", one.text}});
  return json;
}

Json events(const Plan& plan) {
  Json json = Json::array();
  for (const scenarios::EventFigure& one : plan.events)
    json.push_back({{"event", one.event},
                    {"figure", one.figure},
                    {"unit", one.unit},
                    {"value", one.value},
                    {"limit", one.limit},
                    {"pass", one.pass()}});
  return json;
}

Json limits(const Plan& plan) {
  Json json = Json::array();
  for (const scenarios::EventFigure& one : plan.limits)
    json.push_back(
        {{"figure", one.figure}, {"unit", one.unit}, {"value", one.value}, {"limit", one.limit}, {"pass", one.pass()}});
  return json;
}

Json forbidden(const Plan& plan) {
  Json json = Json::array();
  for (const scenarios::ForbiddenPoint& one : plan.forbidden)
    json.push_back({{"configuration", one.values}, {"bound", one.bound}, {"reason", one.reason}});
  return json;
}

Json closed_forms(const scenarios::ClosedForms& forms) {
  return {{"job", forms.of_job.empty() ? Json() : Json(forms.of_job)},
          {"least_hit_ratio", or_null(forms.least_hit_ratio)},
          {"least_cache_bytes", or_null(forms.least_cache_bytes)},
          {"recommended_cache_bytes", forms.present_cache_bytes},
          {"least_workers", forms.least_workers},
          {"batch_time_s", forms.batch_time_s},
          {"batch_time_p999_s", or_null(forms.batch_p999_s)},
          {"least_outstanding_batches", or_null(forms.depth_rule)}};
}

void add_reason(const Plan& plan, const PlannedPoint& planned, Json& json) {
  if (std::string reason = why_not(plan, planned); !reason.empty()) json["not_recommended_because"] = std::move(reason);
}

void add_advice(const Plan& plan, Json& json) {
  json["today"] = plan.today ? point(plan, *plan.today) : Json();
  json["changes"] = changes(plan);
  json["changes_unit_usd"] = plan.changes_unit_usd;
  json["changes_rest_usd"] = plan.changes_rest_usd;
  json["changes_without_effect"] = plan.no_effect;
  json["elasticities"] = elasticities(plan);
  add_plan_ranges(plan, json);
  json["next_cheaper"] = Json();
  if (plan.next_cheaper)
    json["next_cheaper"] = {{"rival", point(plan, plan.next_cheaper->rival)},
                            {"needed_step_time_s", plan.next_cheaper->needed_step_s},
                            {"needed_gpu_hour_usd", or_null(plan.next_cheaper->gpu_hour_usd)}};
  if (plan.next_cheaper) add_reason(plan, plan.next_cheaper->rival, json["next_cheaper"]);
  json["closed_forms"] = plan.closed_forms ? closed_forms(*plan.closed_forms) : Json();
  json["rooms"] = Json::array();
  for (const scenarios::RoomLeft& room : plan.rooms)
    json["rooms"].push_back(
        {{"name", room.name}, {"needed", room.needed}, {"available", room.available}, {"unit", room.unit}});
}

}  // namespace

std::string_view goal_text(models::PlanGoal goal) {
  switch (goal) {
    case models::PlanGoal::epoch_time:
      return "epoch time";
    case models::PlanGoal::idle:
      return "idle GPUs";
    case models::PlanGoal::tco:
      return "total cost per epoch";
    default:
      return "cost per epoch";
  }
}

std::string_view cost_text(const Plan& plan) {
  return goal_text(plan.total_cost ? models::PlanGoal::tco : models::PlanGoal::cost_per_epoch);
}

const char* cost_figure(const Plan& plan) { return plan.total_cost ? kTotalCost : kCost; }

const char* cost_figure(const Json& plan) { return at(plan, "horizon").is_object() ? kTotalCost : kCost; }

std::string horizon_text(const models::HorizonCost& cost) {
  std::string text = dollars(cost.present_value_usd) + " in present value";
  if (cost.usd_per_useful_gpu_hour > 0.0)
    text += fmt::format(", {} per useful GPU hour", humane(cost.usd_per_useful_gpu_hour, "USD"));
  return text;
}

namespace {

std::string proof_as_stated(const Plan& plan) {
  const scenarios::SearchResult& found = plan.search;
  const std::string wrong =
      fmt::format("with a probability of at most {} a comparison of runs is wrong", percent(1.0 - found.confidence, 1));
  const std::string zone = percent(plan.indifference, plan.indifference < 0.01 ? 2 : 0);
  const std::string others = fmt::format("no other of the {}", counted(found.bounded, "configuration"));
  switch (found.proof) {
    case Proof::flow:
      return fmt::format(
          "proved by flow bounds: {} can be better, because the bound of every configuration that was not run is above "
          "the recommended one; {}",
          others, wrong);
    case Proof::flow_zone:
      return fmt::format("proved by flow bounds: {} can be better by more than {} (indifference); {}", others, zone,
                         wrong);
    case Proof::surrogate:
      return fmt::format(
          "found by bounds, races and a surrogate of the gap between them ({}): {} is better by more than {}; with a "
          "probability of at most {} that is wrong",
          found.surrogate, others, zone, percent(1.0 - found.confidence, 1));
    default:
      if (!found.found()) return "no configuration was found";
      if (!found.confirmed)
        return "not proved: the search ended before a run four times as long had confirmed the configuration";
      if (!(found.next_bound < 1e300)) return "not proved: the search ended early";
      return fmt::format("not proved: the search ended {}; the best open flow bound is {} below",
                         found.cancelled ? "early" : "at its budget",
                         found.next_bound > 0.0 && found.visits[found.best].mean > 0.0
                             ? percent(1.0 - found.next_bound / found.visits[found.best].mean)
                             : std::string("somewhere"));
  }
}

std::string sample_text(const Plan& plan) {
  if (!plan.sampled) return {};
  const scenarios::SampledRuns& runs = *plan.sampled;
  std::string text = fmt::format("; runs simulate {} of {} nodes, which stand for all", runs.nodes, runs.of_nodes);
  if (!runs.difference) return text;
  const auto signed_share = [](double share) { return fmt::format("{:+.2f} %", 100.0 * share); };
  return text + fmt::format(": steps of all nodes differ by {} ({} to {})", signed_share(runs.difference->mean),
                            signed_share(runs.difference->ci95->low), signed_share(runs.difference->ci95->high));
}

}  // namespace

std::string proof_text(const Plan& plan) {
  const bool other = plan.ranges && plan.ranges->complete && !plan.ranges->same;
  return (other ? "the best for the inputs as stated is " : "") + proof_as_stated(plan) + sample_text(plan);
}

std::string stopped_text(const Plan& plan) {
  if (plan.stopped_by == StoppedBy::none) return {};
  const std::string by = plan.stopped_by == StoppedBy::max_wall     ? "--max-wall ended the plan"
                         : plan.stopped_by == StoppedBy::max_points ? "--max-points ended the search"
                                                                    : "The plan was interrupted";
  if (!plan.search.found()) return by + " before any configuration was found.";
  std::string left_out;
  const auto add = [&](bool complete, const char* part) {
    if (!complete) left_out += (left_out.empty() ? "" : ", ") + std::string(part);
  };
  add(plan.search.proof != Proof::none, "a proof");
  add(!plan.ranges || plan.ranges->complete,
      "the comparison over the input ranges (it is best for the inputs as stated)");
  add(plan.search.trimmed, "trimming (it may use more than it needs)");
  add(!plan.against || plan.front_complete, "the whole Pareto front");
  add(plan.advice_complete, "all of the advice");
  return by + (left_out.empty() ? " early." : " before " + left_out + ".");
}

std::string change_usd_text(double usd, double unit_usd) {
  const auto decimals = static_cast<int>(std::llround(-std::log10(unit_usd)));
  return decimals <= 2 ? exact_money(usd) : fmt::format("{}${:.{}f}", usd < 0.0 ? "-" : "", std::abs(usd), decimals);
}

Json plan_json(const Plan& plan, const std::string& scenario_sha256, const Json& scenario) {
  Json json = {
      {"format_version", 1}, {"model_version", models::kModelVersion}, {"scenario_sha256", scenario_sha256},
      {"seed", plan.seed},   {"objective", goal_text(plan.goal)},      {"feasible", plan.recommended.has_value()}};
  json["stopped_by"] = plan.stopped_by == StoppedBy::none ? Json() : Json(stopped_name(plan.stopped_by));
  json["stopped"] = plan.stopped_by == StoppedBy::none ? Json() : Json(stopped_text(plan));
  Json decisions = Json::array();
  for (const auto& [name, values, parameter] : plan.axes)
    decisions.push_back({{"name", name}, {"parameter", parameter}, {"values", values}});
  json["decisions"] = std::move(decisions);
  json["default_decisions"] = plan.default_decisions;
  json["warnings"] = Json::array();
  for (const models::Warning& warning : plan.warnings)
    json["warnings"].push_back({{"seen", warning.seen}, {"cause", warning.cause}, {"fix", warning.fix}});
  json["recommended"] = plan.recommended ? point(plan, *plan.recommended) : Json();
  if (plan.recommended) json["recommended"]["binding"] = plan.binding.empty() ? Json() : Json(plan.binding);
  if (plan.recommended) json["recommended"]["sets"] = fmt::format("{}", fmt::join(plan.sets, " "));
  if (plan.recommended) json["recommended"]["set_values"] = plan.set_values;
  json["confidence"] = plan.recommended ? confidence_json(plan.confidence) : Json();
  json["evidence"] = plan.recommended ? evidence_json(plan.evidence) : Json();
  if (plan.total_cost)
    json["horizon"] = {{"recommended", horizon(plan.horizon)}, {"today", horizon(plan.horizon_today)}};
  json["alternatives"] = list(plan, plan.alternatives);
  json["pareto_front"] = plan.against ? list(plan, plan.front) : Json();
  if (plan.against) json["pareto_front_complete"] = plan.front_complete;
  json["against"] = plan.against ? Json(goal_text(*plan.against)) : Json();
  json["runner_up"] = plan.runner_up ? point(plan, *plan.runner_up) : Json();
  if (plan.runner_up) add_reason(plan, *plan.runner_up, json["runner_up"]);
  json["search"] = search(plan);
  json["obstacles"] = obstacles(plan);
  json["limits"] = limits(plan);
  json["events"] = events(plan);
  json["forbidden"] = forbidden(plan);
  add_advice(plan, json);
  json["scenario"] = scenario;
  return json;
}

}  // namespace headrace::reports
