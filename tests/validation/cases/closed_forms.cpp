// Which closed form answers which reference case.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "models/twins/cache_hit_ratio.hpp"
#include "models/twins/checkpoint_interval.hpp"
#include "models/twins/closed_networks.hpp"
#include "models/twins/cost.hpp"
#include "models/twins/host_path.hpp"
#include "models/twins/order_statistics.hpp"
#include "models/twins/request_limits.hpp"
#include "tests/stations/progressive_filling.hpp"
#include "tests/twins/cache_streams.hpp"
#include "tests/twins/closed_loops.hpp"
#include "tests/twins/egress.hpp"
#include "tests/twins/finite_queues.hpp"
#include "tests/twins/host_rates.hpp"
#include "tests/twins/open_queues.hpp"
#include "tests/twins/prefetch_queue.hpp"
#include "tests/twins/retries.hpp"
#include "tests/twins/scaling.hpp"
#include "tests/twins/shards_and_targets.hpp"
#include "tests/twins/shared_link.hpp"
#include "tests/validation/cases/reference_case.hpp"

namespace headrace::cases {
namespace {

namespace twins = models::twins;
using Values = std::optional<Json>;

/// The number that a key spells ("0.05", "1024"), if it is one.
std::optional<double> number_of(const std::string& key) {
  char* end = nullptr;
  const double value = std::strtod(key.c_str(), &end);
  if (key.empty() || *end != '\0') return std::nullopt;
  return value;
}

/// The number behind `prefix` in a key such as "P_n_eq_3".
std::optional<double> number_after(const std::string& key, const std::string& prefix) {
  if (key.rfind(prefix, 0) != 0) return std::nullopt;
  return number_of(key.substr(prefix.size()));
}

/// {key: f(number that the key spells)} for the expected keys that spell one.
template <class F>
Json by_number(const ReferenceCase& c, const F& f) {
  Json values = Json::object();
  for (const auto& [key, unused] : c.expected.items()) {
    if (const auto x = number_of(key)) values[key] = f(*x);
  }
  return values;
}

/// "99" is the quantile .99, "999" is .999.
double quantile_of_digits(const std::string& digits) { return std::stod("0." + digits); }

Json means_json(const twins::QueueMeans& q) {
  return {
      {"rho", q.utilization},   {"util", q.utilization},  {"L", q.number_in_system},         {"Lq", q.number_in_queue},
      {"W", q.response_time_s}, {"Wq", q.waiting_time_s}, {"ErlangC", q.probability_of_wait}};
}

Json mm1_json(const ReferenceCase& c) {
  const double lam = c.number("lam");
  const double mu = c.number("mu");
  Json values = means_json(twins::mm1(lam, mu));
  values["P0"] = twins::mm1_probability(lam, mu, 0);
  for (const auto& [key, unused] : c.expected.items()) {
    if (const auto n = number_after(key, "P_n_eq_"))
      values[key] = twins::mm1_probability(lam, mu, static_cast<int>(*n));
    if (number_after(key, "W_p"))
      values[key] = twins::mm1_response_quantile_s(lam, mu, quantile_of_digits(key.substr(3)));
  }
  return values;
}

Json sharing_json(const ReferenceCase& c) {
  const double lam = c.number("lam");
  const double service = c.number("ES");
  const auto q = twins::mg1_processor_sharing(lam, service);
  Json values = means_json(q);
  values["ET"] = q.response_time_s;
  values["slowdown"] = q.response_time_s / service;
  for (const auto& [key, unused] : c.expected.items()) {
    if (const auto x = number_after(key, "ET_size")) {
      values[key] = twins::processor_sharing_response_s(lam, service, *x * service);
    }
  }
  return values;
}

Values open(const ReferenceCase& c) {
  if (c.has("a") && c.has("c")) return Json{{"B", twins::erlang_b(c.number("a"), c.integer("c"))}};
  if (c.has("ca2")) {
    return Json{{"Wq_upper_heavytraffic",
                 twins::kingman_waiting_time_s(c.number("rho"), c.number("ca2"), c.number("cs2"), c.number("ES"))}};
  }
  if (!c.has("lam")) return std::nullopt;
  const double lam = c.number("lam");
  if (c.has("ES")) {
    if (c.id_starts_with("mg1ps") || c.model.find("PS") != std::string::npos) return sharing_json(c);
    return means_json(twins::mg1(lam, c.number("ES"), c.number("cv")));
  }
  if (c.has("D")) return means_json(twins::md1(lam, c.number("D")));
  if (!c.has("mu")) return std::nullopt;
  if (c.inputs.at("mu").is_array()) {
    const auto tandem = twins::jackson_tandem(lam, c.numbers("mu"));
    return Json{{"W", tandem.response_time_s}, {"L", tandem.number_in_system}};
  }
  if (c.has("c")) return means_json(twins::mmc(lam, c.number("mu"), c.integer("c")));
  return mm1_json(c);
}

Values finite(const ReferenceCase& c) {
  if (!c.has("lam") || !c.has("K")) return std::nullopt;
  twins::FiniteQueueMeans q;
  if (c.has("D")) {
    q = twins::md1k(c.number("lam"), c.number("D"), c.integer("K"));
  } else if (c.has("c")) {
    q = twins::mmck(c.number("lam"), c.number("mu"), c.integer("c"), c.integer("K"));
  } else {
    q = twins::mm1k(c.number("lam"), c.number("mu"), c.integer("K"));
  }
  return Json{{"P0", q.empty_probability}, {"PK_block", q.blocking_probability}, {"P_block", q.blocking_probability},
              {"L", q.number_in_system},   {"thr", q.throughput_per_s},          {"W", q.response_time_s}};
}

/// Keys: a target below 1 asks for workers, a count for the utilization, "N_for_95pct" for workers.
Json link_workers(const ReferenceCase& c) {
  const double service = c.number("S_bytes") / (c.number("link_bps") / 8.0);
  const double think = c.number("L_meta");
  Json values = by_number(c, [&](double x) {
    if (x < 1.0) return static_cast<double>(twins::workers_for_utilization(service, think, x));
    const std::array demand{service};
    return twins::mean_value_analysis(demand, think, static_cast<int>(x)).utilization[0];
  });
  for (const auto& [key, unused] : c.expected.items()) {
    if (key.rfind("N_for_", 0) == 0) {
      values[key] = twins::workers_for_utilization(service, think, std::strtod(key.c_str() + 6, nullptr) / 100.0);
    }
  }
  return values;
}

Values closed(const ReferenceCase& c) {
  if (c.has("demands")) {
    const auto demands = c.numbers("demands");
    return by_number(c, [&](double n) {
      const auto q = twins::mean_value_analysis(demands, c.number("Z", 0.0), static_cast<int>(n));
      return Json{{"X", q.throughput_per_s}, {"R", q.response_time_s}, {"util", q.utilization}, {"Q", q.queue_length}};
    });
  }
  if (c.has("link_bps")) return link_workers(c);
  if (c.has("B") && c.has("s")) {
    const auto q = twins::aggregated_batch_loop(c.integer("N"), c.integer("B"), c.number("L"), c.number("s"));
    return Json{{"util", q.utilization[0]}, {"batches_per_s", q.throughput_per_s}};
  }
  if (c.has("S") && c.has("Z")) {
    return by_number(c,
                     [&](double n) { return twins::closed_throughput_bound_per_s(c.number("S"), c.number("Z"), n); });
  }
  return std::nullopt;
}

Values prefetch(const ReferenceCase& c) {
  if (c.has("rho_io")) {
    return by_number(
        c, [&](double d) { return twins::prefetch_exponential_idle(c.number("rho_io"), static_cast<int>(d)); });
  }
  if (!c.has("EX")) return std::nullopt;
  const double compute = c.number("Tc", 1.0);
  Json values = Json::object();
  for (const auto& [key, expected] : c.expected.items()) {
    const auto slots = number_of(key);
    if (!slots) continue;
    const int d = static_cast<int>(*slots);
    const auto q = c.has("N") ? twins::prefetch_phase_type(c.integer("N"), c.number("EX"), c.number("cv"), compute, d)
                              : twins::prefetch_one_producer(c.number("EX"), c.number("cv"), compute, d);
    values[key] = expected.is_object() ? Json{{"idle", q.idle_fraction}, {"p_empty", q.empty_probability}}
                                       : Json(q.idle_fraction);
  }
  return values;
}

Values straggler(const ReferenceCase& c) {
  if (c.id_starts_with("forkjoin") || (c.has("lam") && c.has("mu"))) {
    if (c.number("n", 2.0) != 2.0) return std::nullopt;
    return Json{{"T", twins::fork_join_two_response_s(c.number("lam"), c.number("mu"))}};
  }
  const auto count = [](double n) { return static_cast<std::int64_t>(n); };
  if (c.has("sigma")) {
    const double sigma = c.number("sigma");
    if (c.id_starts_with("hedge")) {
      return by_number(c, [&](double n) { return twins::lognormal_order_statistic(1, count(n), sigma); });
    }
    return by_number(c, [&](double n) { return twins::lognormal_max_ratio(count(n), sigma); });
  }
  if (c.has("k")) {
    Json values = Json::object();
    for (const auto& [key, unused] : c.expected.items()) {
      const auto of = key.find("of");
      if (of == std::string::npos) continue;
      values[key] = twins::exponential_order_statistic(std::stoll(key), std::stoll(key.substr(of + 2)));
    }
    return values;
  }
  if (c.has("p")) return by_number(c, [&](double n) { return twins::any_of_n_probability(c.number("p"), n); });
  if (c.has("B") && c.has("cv")) {
    const auto sum = twins::sum_of_samples(c.integer("B"), c.number("mean"), c.number("cv"));
    return Json{{"mean", sum.mean}, {"cv", sum.cv}, {"fw_sigma", sum.lognormal_sigma}};
  }
  if (c.id_starts_with("maxof_exp")) {
    return by_number(c, [&](double n) { return twins::exponential_order_statistic(count(n), count(n)); });
  }
  return std::nullopt;
}

Json che_json(const twins::CheEstimate& estimate) {
  return {{"hit_che", estimate.hit_ratio},
          {"hit_approx", estimate.hit_ratio},
          {"sim", estimate.hit_ratio},
          {"T_C", estimate.characteristic_time}};
}

Values reference_stream_cache(const ReferenceCase& c) {
  const auto popularities = twins::zipf_popularities(c.integer("N"), c.number("alpha"));
  const bool lru = c.id.find("lru") != std::string::npos;
  if (c.id.find("exact") != std::string::npos) {
    return Json{{"hit", lru ? twins::exact_lru_hit_ratio(popularities, c.integer("C"))
                            : twins::exact_fifo_hit_ratio(popularities, c.integer("C"))}};
  }
  if (!c.id_starts_with("che")) return std::nullopt;
  return che_json(lru ? twins::che_lru(popularities, c.number("C")) : twins::che_fifo(popularities, c.number("C")));
}

Values epoch_cache(const ReferenceCase& c) {
  const double share = c.number("c");
  const auto is = [&](const char* word) { return c.id.find(word) != std::string::npos; };
  if (c.has("y")) {
    return by_number(c, [&](double y) {
      return is("random") ? twins::random_reshuffle_profile(share, y) : twins::lru_reshuffle_profile(share, y);
    });
  }
  if (is("cyclic")) return Json{{"hit", share < 1.0 ? 0.0 : 1.0}};  // every item leaves just before its turn
  if (is("minio") || is("pinned") || is("belady")) {
    return Json{{"hit", twins::pinned_hit_ratio(share)}, {"first_epoch", 0.0}};
  }
  double hit = 0.0;
  if (is("lru") || is("clock")) {
    hit = twins::lru_reshuffle_hit_ratio(share, c.has("n") ? c.integer("n") : 1);
  } else if (is("random")) {
    hit = twins::random_reshuffle_hit_ratio(share);
  } else {
    return std::nullopt;  // FIFO has no closed form: simulated
  }
  return Json{{"hit", hit}, {"sim", hit}};
}

Values cache(const ReferenceCase& c) {
  if (c.has("alpha")) return reference_stream_cache(c);
  if (c.has("hit") && c.has("lat")) {
    return Json{{"mean", twins::mean_access_time_s(c.numbers("hit"), c.numbers("lat"))}};
  }
  if (c.has("f_star_MBps"))
    return Json{{"MBps", c.number("f_star_MBps") * (1.0 - twins::pinned_hit_ratio(c.number("c")))}};
  if (c.id_starts_with("coop")) {
    const auto hits = twins::partitioned_hit_ratio(c.number("c"), c.integer("n"));
    return Json{{"hit_any", hits.any}, {"local", hits.local}, {"remote", hits.remote}};
  }
  return c.has("c") ? epoch_cache(c) : std::nullopt;
}

Values failure(const ReferenceCase& c) {
  if (c.has("events")) {
    const double hours = c.number("days") * 24.0 / c.number("events");
    const double unit = hours * c.number("gpus");
    Json values{{"mtbf_h", hours}, {"gpu_mtbf_h", unit}};
    for (const auto& [key, unused] : c.expected.items()) {
      if (key.rfind("mtbf_", 0) != 0 || key == "mtbf_h") continue;
      char* end = nullptr;
      const double units = std::strtod(key.c_str() + 5, &end) * (*end == 'k' ? 1000.0 : 1.0);
      if (units > 0.0) values[key] = twins::fleet_mtbf(unit, units);
    }
    return values;
  }
  if (c.has("discount")) {
    const twins::CheckpointCosts costs{c.number("C_s"), c.number("mtbp_h") * 3600.0, c.number("R_s")};
    const double efficiency = twins::checkpoint_efficiency(costs, twins::optimal_interval_s(costs));
    const double ratio = twins::spot_cost_ratio(c.number("discount"), efficiency);
    return Json{{"eff", efficiency}, {"cost_ratio", ratio}, {"cost", c.number("price", 1.0) * ratio}};
  }
  if (!c.has("C") || !c.has("M") || c.has("work")) return std::nullopt;
  const twins::CheckpointCosts costs{c.number("C"), c.number("M"), c.number("R", 0.0)};
  const double young = twins::young_interval_s(costs);
  const double daly = twins::daly_interval_s(costs);
  const double exact = twins::optimal_interval_s(costs);
  return Json{{"young", young},
              {"daly", daly},
              {"exact", exact},
              {"eff_young", twins::checkpoint_efficiency(costs, young)},
              {"eff_daly", twins::checkpoint_efficiency(costs, daly)},
              {"eff_exact", twins::checkpoint_efficiency(costs, exact)}};
}

Values scaling(const ReferenceCase& c) {
  if (c.id_starts_with("amdahl"))
    return by_number(c, [&](double n) { return twins::amdahl_speedup(c.number("f"), n); });
  if (c.has("eff")) {
    return by_number(c, [&](double e) { return twins::usl_contention_from_efficiency(e, c.number("N")); });
  }
  if (c.has("kappa")) {
    Json values = by_number(c, [&](double n) { return twins::usl_capacity(c.number("sigma"), c.number("kappa"), n); });
    values["Nstar"] = twins::usl_peak_workers(c.number("sigma"), c.number("kappa"));
    return values;
  }
  if (c.has("Bnv")) {
    return Json{{"t", twins::hierarchical_all_reduce_s(
                          {c.number("M"), c.number("g"), c.number("nodes"), c.number("Bnv"), c.number("Bnic")})}};
  }
  if (!c.has("M") || !c.has("B")) return std::nullopt;
  const bool tree = c.id_starts_with("tree");
  return by_number(c, [&](double n) {
    const auto time = tree ? twins::tree_all_reduce_s : twins::ring_all_reduce_s;
    return time(c.number("M"), c.number("B"), c.number("alpha", 0.0), n);
  });
}

Values metadata(const ReferenceCase& c) {
  if (c.has("keys")) {
    return by_number(c, [&](double rtt) { return twins::list_time_s(c.number("keys"), c.number("page"), rtt); });
  }
  if (c.has("r") && c.has("n")) {
    const double seconds = twins::token_bucket_drain_s(c.number("n"), c.number("b", 0.0), c.number("r"));
    return Json{{"seconds", seconds}, {"hours", seconds / 3600.0}};
  }
  if (c.has("p") && c.has("base")) {
    const auto retry = twins::exponential_backoff(c.number("p"), c.number("base"));
    return Json{{"attempts", retry.attempts}, {"backoff", retry.backoff_s}};
  }
  if (!c.has("S") || !c.has("L") || !c.has("B")) return std::nullopt;
  const double size = c.number("S");
  const double latency = c.number("L");
  const double link = c.number("B");
  if (c.has("k")) return by_number(c, [&](double k) { return twins::sharded_sample_time_s(k, size, latency, link); });
  return by_number(c, [&](double n) {
    return Json{{"seed", twins::folklore_throughput_bytes_per_s(n, size, latency)},
                {"corrected", twins::latency_bound_throughput_bytes_per_s(n, size, latency, link)}};
  });
}

Json page_fault_json(const ReferenceCase& c) {
  const double threads = c.number("threads", 1.0);
  const auto faults = twins::page_fault_time(c.number("D"), c.number("page"), c.number("t_alloc"), c.number("t_io"),
                                             c.number("ra"), threads);
  Json values{{"faults", faults.faults}, {"minor_h", faults.minor_s / 3600.0}, {"major_h", faults.major_s / 3600.0}};
  values[fmt::format("both_h_{:.0f}thr", threads)] = faults.both_s / 3600.0;
  return values;
}

Values operating_system(const ReferenceCase& c) {
  if (c.has("t_alloc")) return page_fault_json(c);
  if (c.has("w")) {
    return by_number(c,
                     [&](double w) { return twins::window_throughput_bytes_per_s(w, c.number("L"), c.number("B")); });
  }
  if (c.has("B_pcie")) {
    const auto paths = twins::bounce_against_direct(c.number("S"), c.number("B_pcie"), c.number("B_mem"));
    return Json{{"host_serial", paths.host_s}, {"gds", paths.direct_s}};
  }
  if (c.has("HWC")) {
    double sample = c.number("bytes_per_el");
    for (double extent : c.numbers("HWC")) sample *= extent;
    const double batch = sample * c.number("B");
    return Json{{"S", sample}, {"batch", batch}, {"total", batch * c.number("D")}};
  }
  if (c.has("r") && c.has("V")) {
    const auto times =
        twins::fetch_and_decompress(c.number("S"), c.number("r"), c.number("B"), c.number("V"), c.number("m", 1.0));
    return Json{{"serial", times.serial_s}, {"pipelined", times.pipelined_s}, {"plain", times.plain_s}};
  }
  return std::nullopt;
}

/// The public list price that the tiered case names: steps of 10, 40 and 100 TiB.
constexpr std::array kListPrice{twins::PriceTier{10.0 * 1024.0, 0.09}, twins::PriceTier{50.0 * 1024.0, 0.085},
                                twins::PriceTier{150.0 * 1024.0, 0.07},
                                twins::PriceTier{std::numeric_limits<double>::infinity(), 0.05}};

Values cost(const ReferenceCase& c) {
  if (c.has("gpus")) {
    return by_number(
        c, [&](double idle) { return twins::idle_cost_usd_per_h(c.number("gpus"), c.number("price"), idle); });
  }
  if (c.has("idle")) return Json{{"x", twins::cost_per_useful_hour(c.number("idle"))}};
  if (c.has("TB")) {
    return by_number(c,
                     [&](double p) { return twins::egress_cost_usd(c.number("TB") * 1000.0, p, c.number("F", 1.0)); });
  }
  if (!c.has("GB")) return std::nullopt;
  if (c.has("E")) {
    return Json{{"usd", twins::cached_egress_cost_usd(c.number("GB"), c.number("p"), c.number("E"), c.number("c"))}};
  }
  return Json{{"usd", twins::tiered_cost_usd(c.number("GB"), kListPrice)}};
}

Values shuffle(const ReferenceCase& c) {
  if (c.id_starts_with("coupon")) {
    return by_number(c, [](double n) { return twins::coupon_draws(static_cast<std::int64_t>(n)); });
  }
  if (c.has("S") && c.has("B")) return by_number(c, [&](double b) { return twins::distinct_shards(c.number("S"), b); });
  if (!c.has("b")) return std::nullopt;
  return by_number(c, [](double b) {
    const auto stay = twins::shuffle_residence(b);
    return Json{
        {"mean", stay.mean}, {"sd", stay.standard_deviation}, {"P_gt_3b", twins::shuffle_residence_tail(b, 3.0 * b)}};
  });
}

Json max_min(const ReferenceCase& c) {
  std::vector<sim::RoutedFlow> flows;
  for (const Json& route : c.inputs.at("routes")) flows.push_back({.route = route.get<std::vector<std::uint32_t>>()});
  if (c.has("demand")) {
    const std::vector<double> demand = c.numbers("demand");
    for (std::size_t i = 0; i < flows.size() && i < demand.size(); ++i) flows[i].cap_bytes_per_s = demand[i];
  }
  return {{"rates", sim::progressive_filling(c.numbers("capacity"), flows)}};
}

Values fluid(const ReferenceCase& c) {
  if (c.has("omega")) {
    const double nodes = c.number("nodes");
    return by_number(c, [&](double omega) {
      const double share = twins::oversubscribed_share(c.number("nic_gbps"), omega);
      return Json{{"per_node_gbps", share}, {"total_tbps", share * nodes / 1000.0}};
    });
  }
  if (c.has("capacity") && c.has("routes")) return max_min(c);
  if (!c.has("C")) return std::nullopt;
  std::vector<twins::LinkFlow> flows;
  if (c.has("sizes")) {
    for (double bytes : c.numbers("sizes")) flows.push_back({0.0, bytes});
  } else if (c.has("flows")) {
    for (const Json& flow : c.inputs.at("flows")) flows.push_back({flow.at(0).get<double>(), flow.at(1).get<double>()});
  } else {
    return std::nullopt;
  }
  return Json{{"finish", twins::equal_split_finish_s(c.number("C"), flows)}};
}

}  // namespace

std::optional<Prediction> predict_by_closed_form(const ReferenceCase& c) {
  static const std::map<std::string, Values (*)(const ReferenceCase&)> kGroups{
      {"open", open},          {"finite", finite},   {"closed", closed},   {"prefetch", prefetch},
      {"cache", cache},        {"failure", failure}, {"scaling", scaling}, {"metadata", metadata},
      {"cost", cost},          {"shuffle", shuffle}, {"fluid", fluid},     {"straggler", straggler},
      {"os", operating_system}};
  const auto group = kGroups.find(c.group);
  if (group == kGroups.end()) return std::nullopt;
  const Values values = group->second(c);
  if (!values) return std::nullopt;
  Prediction prediction{*values, {}};
  if (c.kind == "simulation") {  // a formula against a simulated reference: without an error of its own
    for (const auto& [key, unused] : values->items()) prediction.half_width[key] = 0.0;
  }
  return prediction;
}

}  // namespace headrace::cases
