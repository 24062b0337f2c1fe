// The document of a plan: every key with its meaning, described once for what writes it and for its schema. Visitors as
// in models/outcome/outcome_description.hpp. What is not known is null.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "models/outcome/outcome_description.hpp"
#include "models/outcome/room_description.hpp"
#include "reports/plan_words.hpp"
#include "scenarios/planner/plan.hpp"

namespace headrace::scenarios {

template <class V>
void describe(PlanFigure& figure, V& v) {
  v.number("mean", figure.mean, "mean of the runs, or a bound");
  v.interval("ci95", figure.ci95);
}

template <class V>
void describe(PlannedJob& job, V& v) {
  v.text("name", job.name, "of the job in the scenario");
  v.number("step_time_s", job.step_time_s, "mean of its copies");
  v.number("epoch_time_s", job.epoch_time_s, "mean of its copies");
  v.number("gpu_idle_fraction", job.idle_fraction, "share of the time that its GPUs wait");
  v.number("goodput_fraction", job.goodput_fraction, "share of the time that is training progress");
}

}  // namespace headrace::scenarios

namespace headrace::reports {

/// A plan, which is written and not copied, with what its document says beside it.
struct RecordedPlan {
  scenarios::Plan& plan;
  std::string model_version;
  std::string scenario_sha256;
  nlohmann::ordered_json scenario;  ///< today's, resolved
};

/// Dollars of an epoch stand under one of two names: total costs over a horizon, or those of hourly prices.
template <class V, class F>
void describe_cost(const scenarios::Plan& plan, V& v, const F& visit) {
  v.when(!plan.total_cost, [&] { visit(kCostFigure); });
  v.when(plan.total_cost, [&] { visit(kTotalCostFigure); });
}

template <class V>
void describe_metric(const char* key, const scenarios::PlanFigure& figure, const char* unit, std::string_view kind,
                     V& v) {
  v.group(key, [&](auto& entry) {
    entry.number("mean", figure.mean, "mean of the runs, or a bound");
    entry.interval("ci95", figure.ci95);
    entry.derived("unit", "1 is a share of the whole", [&] { return std::string(unit); });
    entry.derived("kind", "which level of answer gave the number", [&] { return std::string(kind); });
  });
}

template <class V>
void describe_configuration(const scenarios::PlannedPoint& planned, V& v) {
  nlohmann::ordered_json configuration = nlohmann::ordered_json::object();
  for (const scenarios::ChosenValue& value : planned.values) configuration[value.parameter] = value.value;
  v.json("configuration", configuration, "values by JSON pointer of the parameter");
}

template <class V>
void describe_point(const scenarios::Plan& plan, scenarios::PlannedPoint& planned, V& v) {
  const auto kind = [](const scenarios::PlanFigure& figure) { return figure.ci95 ? "simulated" : "bound"; };
  describe_configuration(planned, v);
  v.group("metrics", [&](auto& metrics) {
    describe_cost(plan, metrics, [&](const char* key) {
      describe_metric(key, planned.cost_usd, "USD", kind(planned.cost_usd), metrics);
    });
    describe_metric("epoch_time_s", planned.epoch_time_s, "s", kind(planned.epoch_time_s), metrics);
    describe_metric("step_time_s", planned.step_time_s, "s", kind(planned.step_time_s), metrics);
    describe_metric("gpu_idle_fraction", planned.idle_fraction, "1", kind(planned.idle_fraction), metrics);
    describe_metric("goodput_fraction", {planned.goodput_fraction, {}}, "1", planned.simulated ? "simulated" : "bound",
                    metrics);
    describe_metric("time_to_first_step_s", {planned.first_step_s, {}}, "s", "closed_form", metrics);
  });
  v.number("step_time_bound_s", planned.bound_step_s, "flow bound of the step time");
  v.number("cost_per_hour_usd", planned.hourly_usd, "of the machines while they train");
  v.when(!planned.room.empty(), [&] { v.record("room", planned.room, "what the machine room must hold"); });
  v.when(!planned.jobs.empty(), [&] { v.list("jobs", planned.jobs, "each job, where there are several"); });
}

/// Why the configuration is not the recommended one, where something is known.
template <class V>
void describe_reason(const scenarios::Plan& plan, const scenarios::PlannedPoint& point, V& v) {
  v.text("not_recommended_because", why_not(plan, point), "why it is not the recommended one",
         models::Missing::left_out);
}

/// Nothing where a figure is not told from noise, or is not known.
inline std::optional<double> where(bool is_told, double value) { return is_told ? std::optional(value) : std::nullopt; }

/// A change is null where it cannot be told from noise.
template <class V>
void describe_change(const char* key, const std::optional<scenarios::PlanFigure>& change, bool is_told,
                     std::string_view meaning, V& v) {
  std::optional<scenarios::PlanFigure> told;
  if (is_told) told = change;
  v.optional(key, told, meaning);
}

inline bool is_told(const std::optional<scenarios::PlanFigure>& change) {
  return change && scenarios::DecisionStep::is_effect(*change);
}

template <class V>
void describe_ranged_point(const scenarios::Plan& plan, scenarios::RangedPoint& point, V& v) {
  describe_configuration(point.planned, v);
  v.group("as_stated", [&](auto& stated) {
    describe_cost(plan, stated, [&](const char* key) { stated.record(key, point.planned.cost_usd, "of an epoch"); });
    stated.record("epoch_time_s", point.planned.epoch_time_s, "of the longest job");
    stated.record("gpu_idle_fraction", point.planned.idle_fraction, "share of the time that GPUs wait");
  });
  v.group("expected", [&](auto& expected) {
    expected.record("objective", point.goal, "what the plan makes least");
    describe_cost(plan, expected, [&](const char* key) { expected.record(key, point.cost_usd, "of an epoch"); });
    expected.record("gpu_idle_fraction", point.idle_fraction, "share of the time that GPUs wait");
  });
  v.record("fed_share", point.fed, "share of the ranges in which the GPUs do not wait");
}

template <class V>
void describe_ranges(scenarios::Plan& plan, V& v) {
  v.optional_of(
      "ranges", plan.ranges, "the choice over the ranges of the inputs; null: --inputs nominal",
      [&](scenarios::RangeChoice& choice, auto& entry) {
        const auto point = [&](scenarios::RangedPoint& one, auto& inner) { describe_ranged_point(plan, one, inner); };
        const bool some = !choice.most_fed.empty();
        std::optional<bool> reached;
        if (choice.complete) reached = choice.reached;
        std::optional<double> share;
        if (some) share = choice.highest_share;
        std::optional<std::string> most;
        if (some) most = choice.most_fed;
        entry.count("inputs", choice.inputs, "figures that are drawn");
        entry.count("draws", choice.draws, "that every configuration was bounded at");
        entry.count("simulated_draws", choice.simulated, "of all configurations");
        entry.count("configurations_compared", choice.compared, "whose expected values were compared to the end");
        entry.number("confidence_fed", choice.asked.level, "share of the ranges in which the GPUs must be fed");
        entry.flag("complete", choice.complete, "false: the plan ended before");
        entry.flag("reached", reached, "some configuration is fed in that share; null: not known");
        entry.flag("nominal_is_recommended", choice.same, "the best for the inputs as stated is the recommended one");
        entry.optional_of("nominal", choice.nominal, "the best for the inputs as stated", point);
        entry.optional_of("recommended", choice.recommended, "the best over their ranges", point);
        entry.optional_of("today", choice.today,
                          "today's configuration, where it is among those compared and neither of these", point);
        describe_change(
            "robustness_adds", choice.adds, choice.recommended && is_told(choice.adds),
            "expected objective of the recommended less that of the nominal one; null: none that can be told", entry);
        entry.list("fed_drivers", choice.fed_drivers,
                   "inputs that decide most of whether the recommended one is fed, the largest share first");
        entry.number("highest_fed_share", where(some, choice.highest_share),
                     "where none reaches the share that is asked for");
        entry.text("most_fed", most, "the configuration with the highest share");
        entry.derived("explanation", "the choice in sentences", [&] { return ranges_line(plan); });
        entry.derived(
            "why_not_today",
            "why today's values are not recommended, which are as good with the inputs as stated; empty where "
            "that is not so",
            [&] { return why_not_today(plan); });
      });
}

template <class V>
void describe_step(scenarios::DecisionStep& step, V& v) {
  std::optional<std::string> infeasible;
  if (!step.infeasible.empty()) infeasible = step.infeasible;
  v.text("name", step.name, "of the decision");
  v.text("from", step.from, "its recommended value");
  v.text("to", step.to, "the next one");
  v.flag("more", step.more, "upwards");
  v.text("infeasible", infeasible, "why it cannot be; then there is nothing else");
  v.when(!infeasible, [&] {
    describe_change("change", step.goal_change, step.measurable, "of the objective, for the inputs as stated", v);
    v.number("gpu_idle_fraction", step.idle_fraction, "with it");
    describe_change("expected_change", step.expected_change, is_told(step.expected_change),
                    "of the objective over the ranges of the inputs", v);
    describe_change("fed_share_change", step.fed_change, step.changes_fed(), "of the share that is fed", v);
    v.optional("fed_share", step.fed, "share of the ranges in which the GPUs are fed with it");
  });
}

template <class V>
void describe_error(scenarios::InputError& error, V& v) {
  std::optional<std::string> evidence;
  if (error.evidence) evidence = models::evidence_name(*error.evidence);
  v.text("parameter", error.pointer, "JSON pointer");
  v.text("evidence", evidence, "class of its evidence; null: measured, published or stated");
  v.text("value", error.value, "as stated");
  v.number("error", error.error, "relative, in the direction that hurts more");
  describe_change("change", error.goal_change, error.measurable, "of the objective", v);
  v.number("gpu_idle_fraction", error.idle_fraction, "with the error");
}

template <class V>
void describe_option(scenarios::OptionCompared& option, V& v) {
  v.text("decision", option.decision, "its name");
  v.text("value", option.value, "the option");
  v.flag("recommended", option.recommended, "it is part of the recommended configuration");
  v.text("configuration", option.configuration, "the best with this option");
  v.number("mean", option.mean, "of the objective; null: not simulated");
  v.number("bound", option.bound, "least of the objective by bounds; null: no configuration is feasible");
  v.text("result", option.fate, "what excluded it");
}

template <class V>
void describe_change_from_today(const scenarios::Plan& plan, scenarios::PlanChange& change, V& v) {
  v.text("name", change.name, "of the decision, the last of several that change together");
  v.text("from", change.from, "value before");
  v.text("to", change.to, "value after");
  v.count("decisions", change.decisions, "that change together");
  v.flag("decided", change.decided, "what it gains has a sign that the runs tell");
  v.number("gained_usd", where(change.decided, change.gained_usd),
           "per epoch, by shorter epochs; null: not told from noise");
  v.number("gained_time_s", where(change.decided, change.gained_s), "of an epoch");
  v.number("gained_error_usd", change.gained_error_usd, "half-width of the 95 % interval of what it gains");
  v.number("spent_usd", change.spent_usd, "per epoch, on what the change adds; negative: it takes away");
  v.number("gained_per_dollar", where(change.decided && change.spent_usd > 0.0, change.gained_usd / change.spent_usd),
           "what a dollar spent gains");
  v.when(plan.total_cost, [&] {
    v.number("total_cost_per_epoch_after_usd", change.cost_after_usd, "with this change and those before it");
  });
  v.when(!plan.total_cost,
         [&] { v.number("cost_per_epoch_after_usd", change.cost_after_usd, "with this change and those before it"); });
  v.number("epoch_time_after_s", change.epoch_after_s, "with this change and those before it");
}

template <class V>
void describe_elasticity(scenarios::Elasticity& one, V& v) {
  v.text("resource", one.resource, "of which there is 10 % more");
  v.flag("decided", one.decided, "the sign of its effect is told, or the effect is within 1 %");
  v.number("epoch_time_change", where(one.decided, one.epoch_time), "relative");
  v.number("cost_change", where(one.decided, one.cost), "relative");
  v.number("error", one.error, "half-width of the 99.5 % interval of the change of the epoch time");
  v.number("cost_error", one.cost_error, "the same of the cost");
}

template <class V>
void describe_closed_forms(scenarios::ClosedForms& forms, V& v) {
  std::optional<std::string> job;
  if (!forms.of_job.empty()) job = forms.of_job;
  v.text("job", job, "that they are of; null where there is no other");
  v.number("least_hit_ratio", forms.least_hit_ratio, "at which the store stops being the limit");
  v.number("least_cache_bytes", forms.least_cache_bytes, "per node, for that hit ratio");
  v.number("recommended_cache_bytes", forms.present_cache_bytes, "per node, of the recommended configuration");
  v.number("least_workers", forms.least_workers, "per loader");
  v.number("batch_time_s", forms.batch_time_s, "of a worker for a batch");
  v.number("batch_time_p999_s", forms.batch_p999_s, "its 99.9th percentile");
  v.number("least_outstanding_batches", forms.depth_rule, "that cover that percentile");
}

/// Nothing where the number of a step is what stands for infinity.
inline std::optional<double> finite(double value) { return where(value < 1e300, value); }

template <class V>
void describe_trace_step(scenarios::SearchStep& step, V& v) {
  v.text("configuration", step.values, "what was run");
  v.text("level", step.level, "how far it was run");
  v.number("bound", finite(step.bound), "of the objective");
  v.number("mean", step.mean, "of the objective; null: bounded only, or infeasible");
  v.flag("best_so_far", step.best_so_far, "it was the best when it was visited");
  v.text("fate", step.fate, "what became of it");
}

template <class V>
void describe_search(scenarios::Plan& plan, V& v) {
  [[maybe_unused]] static constexpr std::array<std::string_view, 4> kProofs = {
      "none", "flow_bounds", "flow_bounds_within_indifference", "surrogate"};
  v.group("search", [&](auto& entry) {
    scenarios::SearchResult& found = plan.search;
    std::optional<std::string> surrogate;
    if (!found.surrogate.empty()) surrogate = found.surrogate;
    entry.count("points", found.bounded, "configurations that were bounded");
    entry.count("infeasible", found.infeasible, "of these, by their bounds");
    entry.count("uncontended_runs", found.uncontended_runs, "configurations run without contention");
    entry.count("simulated_points", found.contended_runs, "configurations simulated");
    entry.count("simulated_steps", found.contended_steps, "steps of these");
    entry.count("excluded_by_siblings", found.by_family, "configurations that a larger one excluded");
    entry.count("event_runs", plan.event_runs, "simulations of events");
    entry.count("advice_runs", plan.advice_runs, "simulations for the advice");
    entry.choice("proof", found.proof, kProofs, "what shows that no other is better");
    entry.number("confidence", found.confidence, "that no other is better by more than the indifference");
    entry.number("indifference", plan.indifference, "relative difference of the objective that does not matter");
    entry.text("surrogate", surrogate, "what a surrogate was used for; null: not needed");
    entry.derived("explanation", "the proof in a sentence", [&] { return proof_text(plan); });
    entry.list_of("trace", plan.trace, "what was run, in the order of first visit",
                  [](scenarios::SearchStep& step, auto& one) { describe_trace_step(step, one); });
    entry.when(plan.sampled.has_value(), [&] {
      entry.optional_of(
          "sampled", plan.sampled, "nodes that stood for all", [](scenarios::SampledRuns& runs, auto& one) {
            one.count("nodes", runs.nodes, "that were simulated");
            one.count("of_nodes", runs.of_nodes, "of so many");
            one.count("steps", runs.steps, "of all nodes, that the sample was held against");
            one.optional("difference", runs.difference, "of the step time of all nodes, as a share of the sample's",
                         models::Missing::left_out);
          });
    });
  });
}

template <class V>
void describe_limit_figure(scenarios::EventFigure& one, V& v) {
  v.text("figure", one.figure, "which figure");
  v.text("unit", one.unit, "of value and limit");
  v.number("value", one.value, "of the recommended configuration");
  v.number("limit", one.limit, "the most that is allowed");
  v.derived("pass", "the value is within the limit", [&] { return one.pass(); });
}

/// What limits of the space forbid, and what the recommended configuration makes of them.
template <class V>
void describe_limits(scenarios::Plan& plan, V& v) {
  v.list_of(
      "obstacles", plan.obstacles, "what makes configurations infeasible", [](scenarios::Obstacle& one, auto& entry) {
        std::optional<std::string> over;
        if (!one.over.empty()) over = one.over;
        entry.text("name", one.name, "of the limit");
        entry.count("points", one.points, "configurations that it excludes");
        entry.number("least_excess", finite(one.excess), "what is needed over what is there, less 1; null: no amount");
        entry.text("least_excess_text", over, "the same in words");
        entry.text("nearest", one.text, "the configuration with the least excess");
      });
  v.list_of("limits", plan.limits, "limits on normal days",
            [](scenarios::EventFigure& one, auto& entry) { describe_limit_figure(one, entry); });
  v.list_of("events", plan.events, "limits under events", [](scenarios::EventFigure& one, auto& entry) {
    entry.text("event", one.event, "what happens");
    describe_limit_figure(one, entry);
  });
  v.list_of("forbidden", plan.forbidden, "configurations that would be better by their bound",
            [](scenarios::ForbiddenPoint& one, auto& entry) {
              entry.text("configuration", one.values, "its values");
              entry.number("bound", one.bound, "of the objective");
              entry.text("reason", one.reason, "the limit that forbids it");
            });
}

template <class V>
void describe_advice(scenarios::Plan& plan, V& v) {
  const auto point = [&](scenarios::PlannedPoint& planned, auto& entry) { describe_point(plan, planned, entry); };
  v.optional_of("today", plan.today, "the scenario as it is", point);
  v.list_of("changes", plan.changes, "from today's configuration to the recommended one",
            [&](scenarios::PlanChange& one, auto& entry) { describe_change_from_today(plan, one, entry); });
  v.number("changes_unit_usd", plan.changes_unit_usd, "that dollars of changes are rounded to");
  v.number("changes_rest_usd", plan.changes_rest_usd, "difference of the totals less all changes: noise of the runs");
  v.texts("changes_without_effect", plan.no_effect, "that cost nothing and that the runs show no effect of");
  v.list_of("elasticities", plan.elasticities, "what a tenth more of each resource does",
            [](scenarios::Elasticity& one, auto& entry) { describe_elasticity(one, entry); });
  describe_ranges(plan, v);
  v.list_of("steps", plan.steps, "one step of each decision from the recommended configuration",
            [](scenarios::DecisionStep& one, auto& entry) { describe_step(one, entry); });
  v.list_of("input_errors", plan.input_errors, "what an error of the inputs with most influence costs",
            [](scenarios::InputError& one, auto& entry) { describe_error(one, entry); });
  v.texts("indifferent", plan.indifferent, "decisions of which a step changes nothing");
  v.texts("as_good_with_less", plan.as_good_with_less, "smaller values that change nothing");
  v.texts("least_fed", plan.least_fed, "least values that keep the GPUs fed");
  v.list_of("options", plan.options, "every named option, also those that were excluded",
            [](scenarios::OptionCompared& one, auto& entry) { describe_option(one, entry); });
  v.optional_of("next_cheaper", plan.next_cheaper, "what would have to be true for the next cheaper one to win",
                [&](scenarios::SwitchCondition& one, auto& entry) {
                  entry.group("rival", [&](auto& rival) { describe_point(plan, one.rival, rival); });
                  entry.number("needed_step_time_s", one.needed_step_s, "at which it would cost the same");
                  entry.number("needed_gpu_hour_usd", one.gpu_hour_usd, "price of a GPU hour below which it wins");
                  describe_reason(plan, one.rival, entry);
                });
  v.optional_of("closed_forms", plan.closed_forms, "closed forms beside the simulated answer",
                [](scenarios::ClosedForms& forms, auto& entry) { describe_closed_forms(forms, entry); });
  v.list_of("rooms", plan.rooms, "what the recommendation leaves of each room",
            [](scenarios::RoomLeft& room, auto& entry) {
              entry.text("name", room.name, "of the room");
              entry.number("needed", room.needed, "by the recommendation");
              entry.number("available", room.available, "of it");
              entry.text("unit", room.unit, "of both");
            });
}

template <class V>
void describe_horizon(scenarios::Plan& plan, V& v) {
  const auto cost = [](models::HorizonCost& horizon, auto& entry) {
    entry.number("horizon_years", horizon.horizon_years, "that are paid for");
    entry.number("discount_rate", horizon.discount_rate, "of a year");
    entry.number("present_value_usd", horizon.present_value_usd, "of all payments");
    entry.number("usd_per_useful_gpu_hour", horizon.usd_per_useful_gpu_hour, "of an hour that trains");
    entry.derived("explanation", "the same in words", [&] { return horizon_text(horizon); });
  };
  v.when(plan.total_cost, [&] {
    v.group("horizon", [&](auto& entry) {
      entry.optional_of("recommended", plan.horizon, "total cost of the recommended configuration", cost);
      entry.optional_of("today", plan.horizon_today, "total cost of the scenario as it is", cost);
    });
  });
}

/// What was asked, and whether it ended early.
template <class V>
void describe_question(scenarios::Plan& plan, V& v) {
  static constexpr std::array<std::string_view, 4> kReasons = {"none", "max_wall", "interrupted", "max_points"};
  std::optional<scenarios::StoppedBy> stopped_by;
  std::optional<std::string> stopped;
  if (plan.stopped_by != scenarios::StoppedBy::none) {
    stopped_by = plan.stopped_by;
    stopped = stopped_text(plan);
  }
  v.count("seed", plan.seed, "of all random draws");
  v.derived("objective", "what is made least", [&] { return std::string(goal_text(plan.goal)); });
  v.derived("feasible", "some configuration keeps all limits", [&] { return plan.recommended.has_value(); });
  v.choice("stopped_by", stopped_by, kReasons, "what ended it early; null: nothing");
  v.text("stopped", stopped, "what it leaves out, in a sentence");
  v.list_of("decisions", plan.axes, "what was decided", [](scenarios::PlanDecision& one, auto& entry) {
    entry.text("name", one.name, "in reports");
    entry.text("parameter", one.parameter, "JSON pointer");
    entry.texts("values", one.values, "in the order of the space");
  });
  v.flag("default_decisions", plan.default_decisions, "the planner chose what to decide");
  v.list("warnings", plan.warnings, "what was done with the decisions, or should be known of them");
}

template <class V>
void describe_plan(RecordedPlan& recorded, V& v) {
  scenarios::Plan& plan = recorded.plan;
  const auto point = [&](scenarios::PlannedPoint& planned, auto& entry) { describe_point(plan, planned, entry); };
  v.constant("format_version", 1);
  v.text("model_version", recorded.model_version, "changes whenever predicted numbers change");
  v.text("scenario_sha256", recorded.scenario_sha256, "of the resolved scenario");
  describe_question(plan, v);
  v.optional_of(
      "recommended", plan.recommended, "the configuration that answers; null: none is feasible",
      [&](scenarios::PlannedPoint& planned, auto& entry) {
        describe_point(plan, planned, entry);
        std::optional<std::string> binding;
        if (!plan.binding.empty()) binding = plan.binding;
        entry.text("binding", binding, "stage that binds it; null: the GPUs never wait");
        entry.number("binding_gain", plan.binding_gain, "share of GPU time that its removal gains; null: not measured");
        entry.derived("sets", "options of the command line that make it of today's", [&] { return sets_text(plan); });
        entry.texts("set_values", plan.set_values, "the same as assignments");
      });
  std::optional<models::Confidence> confidence;
  std::optional<models::EvidenceReport> evidence;
  if (plan.recommended) {
    confidence = plan.confidence;
    evidence = plan.evidence;
  }
  v.optional("confidence", confidence, "how far the recommended figures can be trusted");
  v.optional("evidence", evidence, "what the models of the recommended configuration were held against");
  describe_horizon(plan, v);
  v.list_of("alternatives", plan.alternatives, "simulated ones, the best first", point);
  v.list_or_null("pareto_front", plan.against.has_value(), plan.front, "with a second objective only", point);
  v.when(plan.against.has_value(),
         [&] { v.flag("pareto_front_complete", plan.front_complete, "nothing was left out"); });
  std::optional<std::string> against;
  if (plan.against) against = goal_text(*plan.against);
  v.text("against", against, "the second objective");
  v.optional_of("runner_up", plan.runner_up, "the next best", [&](scenarios::PlannedPoint& planned, auto& entry) {
    describe_point(plan, planned, entry);
    describe_reason(plan, planned, entry);
  });
  describe_search(plan, v);
  describe_limits(plan, v);
  describe_advice(plan, v);
  v.json("scenario", recorded.scenario, "today's scenario, resolved, so that the plan can be computed again");
}

}  // namespace headrace::reports
