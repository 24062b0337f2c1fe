#include "reports/requirements_json.hpp"

#include <fmt/format.h>

#include "models/base/model_version.hpp"
#include "models/study/metric_value.hpp"
#include "scenarios/planner/events.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::JobLimit;
using scenarios::LimitValue;
using scenarios::Requirements;
using scenarios::Settled;
using scenarios::Standing;
using scenarios::StoreRequirement;

Json value_json(const LimitValue& one) {
  Json json = {{"value", one.value}, {"limit", one.limit}, {"ci95", nullptr}};
  if (one.ci95) json["ci95"] = {one.ci95->low, one.ci95->high};
  json["decision"] = models::kRulingNames[static_cast<std::size_t>(one.decision)];
  return json;
}

Json settled_json(const Settled& settled) {
  return {{"sure", settled.sure()},
          {"at", standing_json(settled.at)},
          {"below", standing_json(settled.below)},
          {"below_by", scenarios::kStepBelow}};
}

Json figure_json(const StoreRequirement& one, const Requirements& found) {
  const scenarios::AxisTraits& traits = scenarios::traits_of(one.axis);
  Json json = {{"figure", traits.key},
               {"name", traits.name},
               {"unit", traits.unit},
               {"better", traits.less_is_better ? "less" : "more"},
               {"required", one.required}};
  if (!one.required) {
    json["why_not"] = one.why_not;
    return json;
  }
  json["alone"] = one.alone;
  json["least"] = one.least;
  json["asked"] = one.asked;
  json["limit"] = found.limit_texts[one.limit];
  json["verified"] = settled_json(one.settled);
  if (one.below_together)
    json["less_of_it_together"] = models::kRulingNames[static_cast<std::size_t>(one.below_together->decision)];
  return json;
}

Json size_json(const scenarios::SizeLaw& law) {
  return {{"mean", law.mean}, {"p10", law.p10}, {"p50", law.p50}, {"p90", law.p90}, {"p99", law.p99}};
}

Json job_json(const scenarios::JobProfile& one) {
  Json json = {{"job", one.job},
               {"copies", one.copies},
               {"gpus", one.gpus},
               {"clients", one.clients},
               {"connections", one.connections},
               {"samples_per_s", one.samples_per_s},
               {"read_bytes_per_s", one.read_bytes_per_s},
               {"read_requests_per_s", one.requests_per_s},
               {"metadata_operations_per_s", one.opens_per_s},
               {"request_bytes", size_json(one.request_bytes)},
               {"order", one.random ? "random" : "sequential"},
               {"dataset", one.dataset},
               {"files", one.files},
               {"file_bytes", one.file_bytes},
               {"dataset_bytes", one.dataset_bytes},
               {"checkpoint", nullptr}};
  if (one.checkpoint_bytes > 0.0)
    json["checkpoint"] = {{"bytes", one.checkpoint_bytes},
                          {"interval_s", one.checkpoint_interval_s},
                          {"writers", one.checkpoint_writers},
                          {"files", one.checkpoint_files},
                          {"kept", one.checkpoints_kept}};
  return json;
}

Json curve_json(const scenarios::TradeCurve& curve) {
  Json points = Json::array();
  for (const auto& point : curve.points) points.push_back({point.across, point.up});
  return {{"across", scenarios::traits_of(curve.across).key},
          {"up", scenarios::traits_of(curve.up).key},
          {"points", std::move(points)}};
}

}  // namespace

Json standing_json(const Standing& standing) {
  Json list = Json::array();
  for (const LimitValue& one : standing.limits) list.push_back(value_json(one));
  return list;
}

Json limits_json(const std::vector<JobLimit>& limits, const models::Scenario& scenario, const Standing& standing) {
  Json list = Json::array();
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const JobLimit& limit = limits[i];
    Json json = {{"text", limit.text(scenario)},
                 {"job", limit.job(scenario)},
                 {"metric", models::split_metric(limit.threshold.metric).metric},
                 {"condition", limit.threshold.condition},
                 {"event", limit.event ? Json(scenarios::event_name(limit.event->event)) : Json()},
                 {"source", limit.threshold.pointer.empty() ? "default" : limit.threshold.pointer}};
    if (i < standing.limits.size()) json["with_ample"] = value_json(standing.limits[i]);
    list.push_back(std::move(json));
  }
  return list;
}

Json profile_json(const scenarios::WorkloadProfile& profile) {
  Json jobs = Json::array();
  for (const scenarios::JobProfile& one : profile.jobs) jobs.push_back(job_json(one));
  return {{"clients", profile.clients},
          {"connections", profile.connections},
          {"read_bytes_per_s", profile.read_bytes_per_s},
          {"read_requests_per_s", profile.requests_per_s},
          {"request_bytes", profile.request_bytes()},
          {"metadata_operations_per_s", profile.opens_per_s},
          {"write_bytes_per_s", profile.write_bytes_per_s},
          {"dataset_bytes", profile.dataset_bytes},
          {"checkpoint_bytes", profile.checkpoint_bytes},
          {"jobs", std::move(jobs)}};
}

Json requirements_json(const Requirements& found, const scenarios::LoadedScenario& loaded) {
  Json figures = Json::array();
  for (const StoreRequirement& one : found.figures) figures.push_back(figure_json(one, found));
  Json curves = Json::array();
  for (const scenarios::TradeCurve& one : found.curves) curves.push_back(curve_json(one));
  Json json = {{"kind", kRequirementsKind},
               {"format_version", "1.0"},
               {"model_version", models::kModelVersion},
               {"scenario_sha256", loaded.sha256},
               {"seed", found.seed},
               {"title", loaded.value.title},
               {"store", found.store},
               {"possible", found.possible},
               {"sure", found.sure()},
               {"margin", found.margin},
               {"limits", limits_json(found.limits, loaded.value, found.at_ample)},
               {"figures", std::move(figures)},
               {"together", nullptr},
               {"capacity", {{"least", found.profile.capacity_bytes()}, {"asked", found.asked_capacity_bytes}}},
               {"latency_mean_over_p99", found.tail_mean},
               {"latency_law_assumed", found.tail_assumed},
               {"trade_curves", std::move(curves)},
               {"workload", profile_json(found.profile)},
               {"runs", {{"simulated", found.runs}, {"estimated", found.estimates}}},
               {"scenario", loaded.resolved}};
  if (found.joint)
    json["together"] = {{"factor", found.together},
                        {"limit", found.limit_texts[found.joint_limit]},
                        {"verified", settled_json(*found.joint)}};
  if (!found.possible && !found.ample_waits.empty()) json["ample_waits"] = found.ample_waits;
  return json;
}

}  // namespace headrace::reports
