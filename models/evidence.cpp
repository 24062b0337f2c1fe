#include "models/evidence.hpp"

#include <array>
#include <cstdio>

#include "models/flow_bound.hpp"

namespace headrace::models {

namespace {

/// Ranges that a group of reference cases covers (tests/validation/closed_form_cases.json).
struct ValidatedGroup {
  const char* name;
  double loaders_low, loaders_high;
  double workers_low, workers_high;
  double load_low, load_high;  ///< mean batch time over workers times step time
  bool shares_network;
};

constexpr std::array kGroups = {
    ValidatedGroup{"prefetch queue: one loader, exact and simulated", 1, 1, 1, 16, 0.7, 1.18, false},
    ValidatedGroup{"barrier: loaders in step, simulated", 2, 10000, 1, 8, 0.8, 0.9, false},
    ValidatedGroup{"contention: 1,000 loaders on leaves and a pool, simulated", 2, 1000, 4, 4, 0.5, 0.9, true},
};

int outside(double value, double low, double high) { return value < low || value > high ? 1 : 0; }

}  // namespace

EvidenceReport evidence_for(const IngestPath& path) {
  const double load = mean_batch_time_s(path) / (path.workers * path.mean_step_floor_s());
  const double loaders = path.loaders;
  const double workers = path.workers;
  const ValidatedGroup* nearest = nullptr;
  int fewest = 100;
  for (const ValidatedGroup& group : kGroups) {
    const bool alone = group.loaders_high == 1;
    const int away = outside(loaders, group.loaders_low, group.loaders_high) * 2 +
                     outside(workers, group.workers_low, group.workers_high) +
                     outside(load, group.load_low, group.load_high) + (alone != (path.loaders == 1) ? 2 : 0);
    if (away >= fewest) continue;
    fewest = away;
    nearest = &group;
  }
  EvidenceReport report;
  report.nearest_case = nearest->name;
  char text[160];
  if (outside(loaders, nearest->loaders_low, nearest->loaders_high) != 0) {
    std::snprintf(text, sizeof text, "loaders: %.0f, validated %.0f to %.0f", loaders, nearest->loaders_low,
                  nearest->loaders_high);
    report.extrapolates.emplace_back(text);
  }
  if (outside(workers, nearest->workers_low, nearest->workers_high) != 0) {
    std::snprintf(text, sizeof text, "workers: %.0f, validated %.0f to %.0f", workers, nearest->workers_low,
                  nearest->workers_high);
    report.extrapolates.emplace_back(text);
  }
  if (outside(load, nearest->load_low, nearest->load_high) != 0) {
    std::snprintf(text, sizeof text, "load of the workers: %.2f, validated %.2f to %.2f", load, nearest->load_low,
                  nearest->load_high);
    report.extrapolates.emplace_back(text);
  }
  if (path.hit_ratio > 0.0 || path.cache.capacity_per_s > 0.0)
    report.extrapolates.emplace_back("node cache: hit ratios are validated, their effect on step time is not yet");
  if (path.limit_requests_per_s > 0.0)
    report.extrapolates.emplace_back("request limit per prefix: checked against its token bucket only");
  return report;
}

}  // namespace headrace::models
