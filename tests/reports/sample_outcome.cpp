#include "tests/reports/sample_outcome.hpp"

namespace headrace::reports::testing {

models::Outcome sample_outcome() {
  using namespace models;
  Outcome outcome;
  outcome.scenario_sha256 = "00ff";
  outcome.seed = 7;
  outcome.verdict = Verdict::ingest_bound;
  outcome.binding = Stage::transfer;
  outcome.stopped_by = "precision";
  outcome.steps = 4096;
  outcome.precision = PrecisionReport{0.01, 0.00293, 0.002, 0.0025, false};
  outcome.metrics = {
      {"step_time_s", 0.3415, Interval{0.3405, 0.3425}, std::nullopt, AnswerKind::simulated},
      {"gpu_utilization", 0.9458, Interval{0.943, 0.9486}, Interval{0.9, 0.97}, AnswerKind::simulated},
      {"gpu_idle_fraction", 0.02, Interval{0.0175, 0.0225}, std::nullopt, AnswerKind::simulated},
      {"ingest_bytes_per_s", 2.5e10, std::nullopt, std::nullopt, AnswerKind::bound},
      {"epoch_time_s", 5400.0, std::nullopt, std::nullopt, AnswerKind::estimate},
      {"cost_per_epoch_usd", 1234.5, Interval{1230, 1239}, std::nullopt, AnswerKind::simulated},
      {"batch_load_time_s", 0.75, Interval{0.74, 0.76}, std::nullopt, AnswerKind::simulated},
  };
  outcome.batch_load_time = LoadTimeQuantiles{0.7, 0.9, 1.2, 2.0};
  outcome.gpu_states = {{GpuState::compute, 0.9458},
                        {GpuState::ingest_wait_own, 0.015},
                        {GpuState::ingest_wait_peer, 0.005},
                        {GpuState::overhead, 0.0342},
                        {GpuState::checkpoint, 0.0}};
  outcome.blame = {{Stage::request, 0.004, Interval{0.003, 0.005}, 0.001},
                   {Stage::transfer, 0.016, Interval{0.014, 0.018}, 0.012}};
  outcome.relief = {{Stage::request, 0.0005, Interval{0.0, 0.001}, 0.0},
                    {Stage::transfer, 0.0185, Interval{0.018, 0.019}, 0.0}};
  outcome.stations = {
      {Resource::store_requests, "", "store requests", 0.31, 1e5, 3.1e4, "requests/s", 0.0002, 0.1},
      {Resource::store_bandwidth, "", "store bandwidth", 0.978, 2.6e10, 2.5428e10, "B/s", 0.045, 0.334}};
  outcome.windows = {{0.25, 0.5, 0.0, 0.35, 40, 2048, "applied", 3.24}, {0.75, 0.5, 0.8, 0.333, 40, 2048}};
  outcome.rare_stalls = {{Stage::metadata, 1e-5, 30.0, 5.6e-4, 29.3, Interval{28.0, 30.6}, 0.0464}};
  outcome.replications = {{0, 0, 2088, 40, 730.0, 0.35, 0.92, 0.04},
                          {std::nullopt, 0, 2088, 40, 740.0, 0.36, 0.9, 0.05}};
  outcome.ledger = {{"gpu hours", 12.0, "h", 48.0, true}, {"egress", 1e12, "B", 50.0}};
  outcome.jobs = {{"train", {{"step_time_s", 0.3415, std::nullopt, std::nullopt, AnswerKind::simulated}}}};
  outcome.evidence = {"unet3d on one host with 4 H100",
                      ErrorBand{"gpu_idle_fraction", "percentage points", 0.4, 1.2, 12},
                      {{"nodes", 8.0, 1.0, 4.0, 2.0}},
                      {{"cores that slow each other",
                        {"samples_per_s", "%", 6.2, 18.4, 15},
                        {{"workers of a node", 32.0, 2.0, 8.0, 4.0}}}},
                      {"node cache"},
                      {},
                      {}};
  InputReport inputs;
  inputs.points = 64;
  inputs.bound_points = 512;
  inputs.steps = 1024;
  inputs.inputs = {
      {"/stores/0/bandwidth", Unit::bytes_per_second, 2.6e10, 2.0e10, 3.0e10, Evidence::assumed, true},
      {"/stores/0/latency", Unit::seconds, 2e-3, 2e-3 / 1.5, 3e-3, Evidence::assumed, false},
      {"/cluster/pools/0/nic/bandwidth", Unit::bytes_per_second, 5e10, 5e10 / 1.1, 5.5e10, Evidence::datasheet, false}};
  inputs.drivers = {{"step_time_s", {{"/stores/0/bandwidth", 0.83}, {"/stores/0/latency", 0.11}}},
                    {"cost_per_epoch_usd", {{"/stores/0/bandwidth", 0.8}}}};
  inputs.tornado = {
      {"step_time_s", 0.3415, {{"/stores/0/bandwidth", 0.4415, 0.3345}, {"/stores/0/latency", 0.3395, 0.3475}}},
      {"cost_per_epoch_usd", 1234.5, {{"/stores/0/bandwidth", 1596.0, 1209.25}}}};
  inputs.measure_next = {"/stores/0/bandwidth", "/stores/0/latency"};
  inputs.verdicts[static_cast<std::size_t>(Verdict::fed)] = 0.25;
  inputs.verdicts[static_cast<std::size_t>(Verdict::ingest_bound)] = 0.75;
  outcome.inputs = inputs;
  outcome.remedy = RemedyReport{.change = "double the workers of each loader",
                                .parameter = "loader/workers",
                                .options = "--set /jobs/0/loader/workers=16",
                                .gain = 0.0155,
                                .kind = models::AnswerKind::estimate,
                                .cost_usd = std::nullopt};
  outcome.warnings = {Warning("the store works at 97.8 % of its bandwidth",
                              "its stated bandwidth is only just above what the GPUs ask for",
                              "measure the store: a few percent less bandwidth would show at once")};
  return outcome;
}

}  // namespace headrace::reports::testing
