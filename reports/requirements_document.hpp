// The document of what a store must deliver: every key with its meaning, described once. Visitors as in
// models/outcome/outcome_description.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/outcome/outcome_description.hpp"
#include "scenarios/requirements/requirements.hpp"

namespace headrace::reports {

inline constexpr std::string_view kRequirementsKind = "requirements";

/// A limit in words, since what is saved has no scenario records.
struct RecordedLimit {
  std::string text;
  std::string job;
  std::string metric;
  std::string condition;
  std::optional<std::string> event;
  std::string source;
  std::optional<scenarios::LimitValue> with_ample;
};

/// Requirements as their document holds them.
struct RecordedRequirements {
  scenarios::Requirements found;  ///< without limits and what is not in the document
  std::vector<RecordedLimit> limits;
  std::string model_version;
  std::string scenario_sha256;
  std::string title;
  nlohmann::ordered_json scenario;  ///< resolved, as embedded
  std::optional<models::Confidence> confidence = std::nullopt;
};

/// A pool of the words that indices stand for: read ones are added.
template <class V>
void describe_limit(std::vector<std::string>& texts, std::size_t& limit, V& v) {
  std::string text = limit < texts.size() ? texts[limit] : std::string();
  v.text("limit", text, "that breaks first");
  if constexpr (!V::kReads) return;
  limit = static_cast<std::size_t>(std::find(texts.begin(), texts.end(), text) - texts.begin());
  if (limit == texts.size()) texts.push_back(std::move(text));
}

inline const std::array<std::string_view, scenarios::kStoreAxes>& axis_keys() {
  static const std::array<std::string_view, scenarios::kStoreAxes> keys = [] {
    std::array<std::string_view, scenarios::kStoreAxes> all{};
    for (const scenarios::AxisTraits& traits : scenarios::kAxisTraits)
      all[static_cast<std::size_t>(traits.axis)] = traits.key;
    return all;
  }();
  return keys;
}

template <class V>
void describe(RecordedLimit& limit, V& v) {
  v.text("text", limit.text, "job, metric and condition, with the event and where it is from");
  v.text("job", limit.job, "its name, or all jobs");
  v.text("metric", limit.metric, "that is limited");
  v.text("condition", limit.condition, "such as <= 1 %");
  v.text("event", limit.event, "under which it must hold; null: on normal days");
  v.text("source", limit.source, "JSON pointer of the scenario, or default");
  v.optional("with_ample", limit.with_ample, "what holds with an ample store", models::Missing::left_out);
}

/// All together, better than each alone by one factor.
struct RecordedTogether {
  double factor = 1.0;
  std::size_t limit = 0;
  scenarios::Settled verified;
};

template <class V>
void describe_settled(scenarios::Settled& settled, V& v) {
  const bool sure = settled.sure();
  v.derived("sure", "intervals decide both sides", [&] { return sure; });
  v.list("at", settled.at.limits, "the limits with these figures");
  v.list("below", settled.below.limits, "the limits with figures that are worse by below_by");
  double below_by = scenarios::kStepBelow;
  v.number("below_by", below_by, "share by which the figures below are worse");
  if constexpr (!V::kReads) return;
  const auto decide = [](scenarios::Standing& standing) {
    standing.decision = models::Ruling::pass;
    for (const scenarios::LimitValue& one : standing.limits)
      standing.decision = models::worse(standing.decision, one.decision);
  };
  decide(settled.at);
  decide(settled.below);
}

template <class V>
void describe_figure(scenarios::Requirements& found, scenarios::StoreRequirement& one, V& v) {
  v.choice("figure", one.axis, axis_keys(), "which figure");
  const scenarios::AxisTraits& traits = scenarios::traits_of(one.axis);
  v.derived("name", "the same in words", [&] { return traits.name; });
  v.derived("unit", "of the figure", [&] { return traits.unit; });
  v.derived("better", "less or more", [&] { return std::string_view(traits.less_is_better ? "less" : "more"); });
  v.flag("required", one.required, "the limits do not hold whatever it is");
  v.when(!one.required, [&] { v.text("why_not", one.why_not, "why it is not required"); });
  v.when(one.required, [&] {
    v.number("alone", one.alone, "least with all others ample");
    v.number("least", one.least, "least of all together");
    v.number("asked", one.asked, "the same with the margin");
    describe_limit(found.limit_texts, one.limit, v);
    v.group("verified", [&](auto& verified) { describe_settled(one.settled, verified); });
    std::optional<models::Ruling> less;
    if (one.below_together) less = one.below_together->decision;
    v.when(less.has_value(), [&] {
      v.choice("less_of_it_together", less, std::to_array(models::kRulingNames),
               "whether the limits hold with less of it and all others as asked; only if it does not hold, it binds");
    });
    if constexpr (V::kReads)
      if (less) one.below_together.emplace().decision = *less;
  });
}

struct RecordedCheckpoint {
  double bytes = 0.0;
  double interval_s = 0.0;
  double writers = 0.0;
  double files = 0.0;
  double kept = 0.0;
};

template <class V>
void describe(RecordedCheckpoint& checkpoint, V& v) {
  v.number("bytes", checkpoint.bytes, "of one copy");
  v.number("interval_s", checkpoint.interval_s, "between two");
  v.number("writers", checkpoint.writers, "of one copy");
  v.number("files", checkpoint.files, "of one checkpoint");
  v.number("kept", checkpoint.kept, "checkpoints");
}

template <class V>
void describe_job(scenarios::JobProfile& one, V& v) {
  static constexpr std::array<std::string_view, 2> kOrders = {"sequential", "random"};
  v.text("job", one.job, "its name");
  v.number("copies", one.copies, "like jobs");
  v.number("gpus", one.gpus, "of all copies");
  v.number("clients", one.clients, "nodes that read");
  v.number("connections", one.connections, "requests outstanding at most");
  v.number("samples_per_s", one.samples_per_s, "where it never waits");
  v.number("read_bytes_per_s", one.read_bytes_per_s, "from the store");
  v.number("read_requests_per_s", one.requests_per_s, "to the store");
  v.number("metadata_operations_per_s", one.opens_per_s, "of the store");
  v.record("request_bytes", one.request_bytes, "sizes of requests");
  v.choice("order", one.random, kOrders, "of the reads");
  v.text("dataset", one.dataset, "its name");
  v.number("files", one.files, "of the dataset");
  v.number("file_bytes", one.file_bytes, "mean size of a file");
  v.number("dataset_bytes", one.dataset_bytes, "of the dataset");
  std::optional<RecordedCheckpoint> checkpoint;
  if (one.checkpoint_bytes > 0.0)
    checkpoint = RecordedCheckpoint{one.checkpoint_bytes, one.checkpoint_interval_s, one.checkpoint_writers,
                                    one.checkpoint_files, one.checkpoints_kept};
  v.optional("checkpoint", checkpoint, "null: it writes none to this store");
  if constexpr (!V::kReads) return;
  if (!checkpoint) return;
  one.checkpoint_bytes = checkpoint->bytes;
  one.checkpoint_interval_s = checkpoint->interval_s;
  one.checkpoint_writers = checkpoint->writers;
  one.checkpoint_files = checkpoint->files;
  one.checkpoints_kept = checkpoint->kept;
}

template <class V>
void describe_workload(scenarios::WorkloadProfile& profile, V& v) {
  v.number("clients", profile.clients, "nodes that read");
  v.number("connections", profile.connections, "requests outstanding at most");
  v.number("read_bytes_per_s", profile.read_bytes_per_s, "from the store");
  v.number("read_requests_per_s", profile.requests_per_s, "to the store");
  v.derived("request_bytes", "mean size of a request", [&] { return profile.request_bytes(); });
  v.number("metadata_operations_per_s", profile.opens_per_s, "of the store");
  v.number("write_bytes_per_s", profile.write_bytes_per_s, "of checkpoints, over time");
  v.number("dataset_bytes", profile.dataset_bytes, "each dataset once");
  v.number("checkpoint_bytes", profile.checkpoint_bytes, "kept, of all jobs");
  v.list_of("jobs", profile.jobs, "those that use the store",
            [](scenarios::JobProfile& one, auto& entry) { describe_job(one, entry); });
}

template <class V>
void describe_curve(scenarios::TradeCurve& curve, V& v) {
  v.choice("across", curve.across, axis_keys(), "first figure of a pair");
  v.choice("up", curve.up, axis_keys(), "second figure of a pair");
  std::vector<std::pair<double, double>> points;
  for (const auto& point : curve.points) points.emplace_back(point.across, point.up);
  v.pairs("points", points, "pairs that are as good as each other, all other figures ample");
  if constexpr (!V::kReads) return;
  curve.points.clear();
  for (const auto& [across, up] : points) curve.points.push_back({across, up});
}

template <class V>
void describe_together(scenarios::Requirements& found, V& v) {
  std::optional<RecordedTogether> together;
  if (found.joint) together = RecordedTogether{found.together, found.joint_limit, *found.joint};
  v.optional_of("together", together, "all figures at once; null where at most one is required",
                [&](RecordedTogether& one, auto& entry) {
                  entry.number("factor", one.factor, "by which figures are better than each alone");
                  describe_limit(found.limit_texts, one.limit, entry);
                  entry.group("verified", [&](auto& verified) { describe_settled(one.verified, verified); });
                });
  if constexpr (!V::kReads) return;
  if (!together) return;
  found.together = together->factor;
  found.joint_limit = together->limit;
  found.joint = std::move(together->verified);
}

template <class V>
void describe_requirements(RecordedRequirements& recorded, V& v) {
  scenarios::Requirements& found = recorded.found;
  v.constant("kind", kRequirementsKind);
  v.constant("format_version", "1.0");
  v.text("model_version", recorded.model_version, "changes whenever predicted numbers change");
  v.text("scenario_sha256", recorded.scenario_sha256, "of the resolved scenario");
  v.count("seed", found.seed, "of all random draws");
  v.text("title", recorded.title, "of the scenario");
  v.text("store", found.store, "its name");
  v.flag("possible", found.possible, "some store holds the limits");
  v.derived("sure", "every answer is decided by intervals", [&] { return found.sure(); });
  v.optional("confidence", recorded.confidence, "how far the figures can be trusted", models::Missing::left_out);
  v.number("margin", found.margin, "by which what is asked exceeds the least");
  v.list("limits", recorded.limits, "what the jobs must reach");
  v.list_of("figures", found.figures, "what the store must deliver",
            [&](scenarios::StoreRequirement& one, auto& entry) { describe_figure(found, one, entry); });
  describe_together(found, v);
  v.group("capacity", [&](auto& capacity) {
    capacity.derived("least", "bytes of datasets and kept checkpoints", [&] { return found.profile.capacity_bytes(); });
    capacity.number("asked", found.asked_capacity_bytes, "the same with the margin");
  });
  v.number("latency_mean_over_p99", found.tail_mean, "mean of the latency over its 99th percentile");
  v.flag("latency_law_assumed", found.tail_assumed, "the scenario's store has no law of its latency");
  v.list_of("trade_curves", found.curves, "what one figure must be for a value of another",
            [](scenarios::TradeCurve& curve, auto& entry) { describe_curve(curve, entry); });
  v.group("workload", [&](auto& workload) { describe_workload(found.profile, workload); });
  v.group("runs", [&](auto& runs) {
    runs.count("simulated", found.runs, "simulations");
    runs.count("estimated", found.estimates, "queueing estimates");
  });
  v.json("scenario", recorded.scenario, "the resolved scenario, so that the result can be recomputed");
  std::string waits = found.possible ? std::string() : found.ample_waits;
  v.text("ample_waits", waits, "what the GPUs wait for with an ample store", models::Missing::left_out);
  if constexpr (V::kReads) found.ample_waits = std::move(waits);
}

}  // namespace headrace::reports

namespace headrace::scenarios {

template <class V>
void describe(LimitValue& one, V& v) {
  static constexpr auto kDecisions = std::to_array(models::kRulingNames);
  v.number("value", one.value, "of the metric");
  v.number("limit", one.limit, "in the same unit");
  v.interval("ci95", one.ci95);
  v.choice("decision", one.decision, kDecisions, "whether it holds");
}

template <class V>
void describe(SizeLaw& law, V& v) {
  v.number("mean", law.mean, "bytes");
  v.number("p10", law.p10, "10th percentile");
  v.number("p50", law.p50, "median");
  v.number("p90", law.p90, "90th percentile");
  v.number("p99", law.p99, "99th percentile");
}

}  // namespace headrace::scenarios
