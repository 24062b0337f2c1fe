// Everything that a question to Headrace consists of. The shape grows, it is not reshaped: what has no model yet is
// named here and refused, never ignored.
#pragma once

#include <string>
#include <vector>

#include "models/dataset.hpp"
#include "models/describe/describe.hpp"
#include "models/fabric.hpp"
#include "models/job.hpp"
#include "models/pool.hpp"
#include "models/price.hpp"
#include "models/store.hpp"

namespace headrace::models {

struct Cluster {
  std::vector<Pool> pools;
};

struct Scenario {
  std::string title;
  Cluster cluster;
  Fabric fabric;
  std::vector<Store> stores;
  std::vector<Dataset> datasets;
  std::vector<Job> jobs;
  Prices prices;
};

template <class V>
void describe(Cluster& c, V& v) {
  v.list("pools", c.pools, {.meaning = "Pools of like nodes", .required = true, .singular = "pool"});
}

template <class V>
void describe(Scenario& s, V& v) {
  v.text("title", s.title, {.meaning = "What this scenario is, in a line"});
  v.record("cluster", s.cluster, {.meaning = "The machines", .required = true});
  v.record("fabric", s.fabric, {.meaning = "The network between stores and nodes"});
  v.list("stores", s.stores, {.meaning = "Storage tiers and services", .required = true, .singular = "store"});
  v.list("datasets", s.datasets, {.meaning = "What can be read", .required = true, .singular = "dataset"});
  v.list("jobs", s.jobs, {.meaning = "What runs", .required = true, .singular = "job"});
  v.record("prices", s.prices, {.meaning = "Prices of compute"});
  v.not_modelled("background", "other load on a store or link");
  v.not_modelled("faults", "failures");
  v.not_modelled("slo", "thresholds");
  v.not_modelled("decide", "decision variables of a plan");
  v.not_modelled("objective", "objectives of a plan");
  v.not_modelled("subject_to", "constraints of a plan");
  v.not_modelled("growth", "growth over years");
}

}  // namespace headrace::models
