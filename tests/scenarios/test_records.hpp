// Small records that use every word of the vocabulary.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/describe/describe.hpp"

namespace headrace::scenarios::testing {

using models::DistributionSpec;
using models::Evidence;
using models::Kind;
using models::Unit;

struct Card {
  double memory_bytes = 16e9;
  double peak_flop_per_s = 1e14;
};
template <class V>
void describe(Card& card, V& v) {
  v.quantity("memory", card.memory_bytes, Unit::bytes,
             {.low = 1e9, .high = 1e12, .above = 0, .meaning = "card memory"});
  v.quantity("peak", card.peak_flop_per_s, Unit::flop_per_second, {.above = 0, .meaning = "peak", .log_scale = true});
}

struct Storage {
  std::string name;
  double read_bandwidth_bytes_per_s = 1e9;
  std::optional<double> write_bandwidth_bytes_per_s;
  double capacity_bytes = 1e12;
  double cache_bytes = 0;
  DistributionSpec latency = DistributionSpec::constant(0.005);
};
template <class V>
void describe(Storage& s, V& v) {
  v.name("name", s.name, Kind::store, {.meaning = "name", .required = true});
  v.quantity("read_bandwidth", s.read_bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e8,
              .high = 1e12,
              .above = 0,
              .evidence = Evidence::datasheet,
              .meaning = "read rate",
              .source = "sheet"});
  v.quantity("write_bandwidth", s.write_bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.above = 0, .meaning = "write rate", .rule = "as for reads"});
  v.quantity("capacity", s.capacity_bytes, Unit::bytes, {.min = 0, .meaning = "capacity"});
  v.quantity("cache", s.cache_bytes, Unit::bytes, {.min = 0, .meaning = "cache"});
  v.distribution("latency", s.latency, Unit::seconds, {.min = 0, .meaning = "first byte"});
  v.constraint("cache <= capacity", s.cache_bytes <= s.capacity_bytes, "the cache is larger than the store",
               {"cache", "capacity"});
}

struct Fixed {
  double time_s = 0.2;
};
template <class V>
void describe(Fixed& f, V& v) {
  v.quantity("time", f.time_s, Unit::seconds, {.above = 0, .meaning = "time of a step"});
}
struct Roofline {
  double flop = 1e12;
  double efficiency = 0.4;
};
template <class V>
void describe(Roofline& r, V& v) {
  v.quantity("flop", r.flop, Unit::flop, {.above = 0, .meaning = "arithmetic"});
  v.fraction("efficiency", r.efficiency, {.above = 0, .meaning = "share of the peak"});
}

enum class Order { any, in_order };
struct Work {
  std::string name = "work";
  std::string store;
  int workers = 8;
  Order order = Order::in_order;
  bool pinned = true;
  double share = 0.5;
  std::vector<double> marks;
  std::vector<std::string> also;
  std::variant<Fixed, Roofline> step;
};
template <class V>
void describe(Work& w, V& v) {
  v.name("name", w.name, Kind::job, {.meaning = "name"});
  v.reference("store", w.store, Kind::store, {.meaning = "where it reads"});
  v.count("workers", w.workers, {.low = 1, .high = 64, .min = 1, .max = 1024, .meaning = "workers"});
  v.choice("order", w.order, {{Order::any, "any"}, {Order::in_order, "in_order"}}, {.meaning = "delivery"});
  v.flag("pinned", w.pinned, {.meaning = "pinned memory"});
  v.fraction("share", w.share, {.meaning = "share"});
  v.quantities("marks", w.marks, Unit::seconds, {.min = 0, .meaning = "times"});
  v.references("also", w.also, Kind::store, {.meaning = "more stores"});
  v.variant("step", w.step, {"fixed", "roofline"}, {.meaning = "time of a step"});
  v.not_modelled("checkpoint", "checkpoints of the job");
}

struct World {
  std::string title;
  int nodes = 4;
  Card card;
  std::optional<Card> spare;
  std::vector<Storage> stores;
  std::vector<Work> jobs = {Work{}};
};
template <class V>
void describe(World& world, V& v) {
  v.text("title", world.title, {.meaning = "title"});
  v.count("nodes", world.nodes, {.min = 1, .meaning = "nodes"});
  v.record("card", world.card, {.meaning = "the card", .catalogue = "card"});
  v.optional_record("spare", world.spare, {.meaning = "a spare card"});
  v.list("stores", world.stores, {.meaning = "stores", .catalogue = "storage", .singular = "storage"});
  v.list("jobs", world.jobs, {.min = 1, .meaning = "jobs", .singular = "job"});
}

}  // namespace headrace::scenarios::testing
