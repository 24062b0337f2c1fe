// Imports of what a cluster does: jobs, their reads, their steps, and what else loads the store.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "scenarios/document/scenario_file.hpp"
#include "scenarios/document/site_file.hpp"
#include "scenarios/importers/workload_figures.hpp"
#include "scenarios/measured_runs/measurements.hpp"
#include "tests/scenarios/importers/import_sample.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {

TEST_CASE("darshan: requests, files and load of a job") {
  const Imported imported = import_sample("darshan", "darshan.txt");
  // 20 files of 64 + 8 i reads of 1 MiB in 100 s.
  const double reads = 20 * 64 + 8 * 190;
  CHECK(figure(imported, "darshan.bandwidth").value == Approx(reads * 1048576.0 / 100.0));
  CHECK(figure(imported, "darshan.request").value == 1048576.0);
  CHECK(figure(imported, "darshan.clients").value == 8.0);
  CHECK(figure(imported, "darshan.opens_per_request").value == Approx(28.0 / reads));
  CHECK(figure(imported, "darshan-writes.bandwidth").value == Approx(4e7));
  CHECK(figure(imported, "dataset.files").value == 20.0);
  CHECK(figure(imported, "dataset.file_bytes").value == Approx(reads * 1048576.0 / 20.0));
  CHECK(figure(imported, "dataset.request_bytes").value == 1048576.0);
  CHECK(figure(imported, "dataset.request_bytes").target == "/datasets/images/request_bytes");
  CHECK(imported.record.date == "2026-11-17");
  CHECK(imported.layer["background"][1]["direction"] == "write");
  const std::string text = sample_text("darshan.txt");
  CHECK(complaint_of("darshan", with(text, "POSIX_SIZE_READ_100K_1M\t64", "POSIX_SIZE_READ_100K_1M\t964")) == "E0140");
  CHECK(complaint_of("darshan", with(text, "POSIX_BYTES_READ\t67108864", "POSIX_BYTES_READ\t-7")) == "E0207");
  CHECK(complaint_of("darshan", with(text, "# nprocs: 8", "# nprocs: many")) == "E0206");
}

TEST_CASE("darshan: a record that was cut, or has bytes that its requests cannot have, is refused") {
  const std::string text = sample_text("darshan.txt");
  // One file with ten times its bytes is within the histogram of all files, not within its own.
  CHECK(complaint_of("darshan", with(text, "POSIX_BYTES_READ\t67108864", "POSIX_BYTES_READ\t671088640")) == "E0140");
  CHECK(complaint_of("darshan", with(text, "POSIX_BYTES_WRITTEN\t4000000000", "POSIX_BYTES_WRITTEN\t40000000000")) ==
        "E0140");
  const std::size_t first = text.find("POSIX\t");
  const std::size_t second = text.find("POSIX\t1\t9001");
  for (const std::size_t length : {first + 1200, second - 80, second + 100, second + 2500}) {
    INFO(length);
    CHECK(complaint_of("darshan", text.substr(0, length)) == "E0141");
  }
  // Lines that somebody took out.
  CHECK(complaint_of("darshan",
                     with(text, "POSIX\t1\t9001\tPOSIX_SIZE_READ_1M_4M\t0\t/lustre/data/shard9001\t/lustre\tlustre\n",
                          "")) == "E0141");
  const auto between = import_text("darshan", text.substr(0, second - 1));
  REQUIRE(between);
  CHECK(noted(*between, "last line has no line end"));
}

TEST_CASE("a byte-order mark before a text is no part of it") {
  const std::pair<const char*, const char*> files[] = {
      {"elbencho", "elbencho.csv"},   {"elbencho", "elbencho.json"},        {"darshan", "darshan.txt"},
      {"sacct", "sacct.txt"},         {"fio", "fio_depth1.json"},           {"nccl-tests", "nccl_tests.json"},
      {"mdtest", "mdtest.txt"},       {"nccl-tests", "nccl_tests.txt"},     {"kvikio", "kvikio.txt"},
      {"gdsio", "gdsio_wrapped.txt"}, {"dlio-summary", "dlio_summary.json"}};
  for (const auto& [format, file] : files) {
    INFO(file);
    const auto marked = import_text(format, "\xEF\xBB\xBF" + sample_text(file));
    const Imported plain = import_sample(format, file);
    if (!marked) FAIL(print_text(marked.error()));
    CHECK(marked->table == plain.table);
    REQUIRE(marked->record.parameters.size() == plain.record.parameters.size());
    for (std::size_t i = 0; i < plain.record.parameters.size(); ++i)
      CHECK(marked->record.parameters[i].value == plain.record.parameters[i].value);
  }
  CHECK(complaint_of("sacct", "\xEF\xBB\xBF") == "E0103");
}

TEST_CASE("Prometheus: a real series of reads has bursts, as a rate and as a counter") {
  const Imported rate = import_sample("prometheus", "prometheus_read_rate.json");
  const Imported counter = import_sample("prometheus", "prometheus_read_counter.json");
  for (const Imported* imported : {&rate, &counter}) {
    const double active = figure(*imported, "prometheus.bandwidth").value;
    CHECK(active > 3e8);
    CHECK(active < 8e8);
    CHECK(figure(*imported, "prometheus.bursts.on").value > 20.0);
    CHECK(figure(*imported, "prometheus.bursts.off").value > figure(*imported, "prometheus.bursts.on").value);
    CHECK(imported->layer["background"].is_array());
  }
  CHECK(flagged(figure(rate, "prometheus.bandwidth"), "direction_assumed"));  // rate() drops the name
  CHECK(!flagged(figure(counter, "prometheus.bandwidth"), "direction_assumed"));
  // The two differ by the window of rate(), not by their bytes.
  CHECK(figure(rate, "prometheus.bandwidth").value ==
        Approx(figure(counter, "prometheus.bandwidth").value).epsilon(0.15));
}

namespace {

std::string series(const std::string& name, const std::vector<double>& values) {
  std::string text = R"({"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {"__name__": ")" +
                     name + R"("}, "values": [)";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}[{}, \"{}\"]", i > 0 ? ", " : "", 1794909600 + 60 * static_cast<int>(i), values[i]);
  return text + "]}]}}";
}

}  // namespace

TEST_CASE("Prometheus: known bursts are recovered, and steady load stays one figure") {
  std::vector<double> values;
  for (int cycle = 0; cycle < 10; ++cycle)
    for (int minute = 0; minute < 12; ++minute) values.push_back(minute < 3 ? 5e9 : 1e9);
  const auto bursts = import_text("prometheus", series("node_nfs_read_bytes", values));
  REQUIRE(bursts);
  CHECK(figure(*bursts, "prometheus.bandwidth").value == Approx(4e9));
  CHECK(figure(*bursts, "prometheus-steady.bandwidth").value == Approx(1e9));
  CHECK(figure(*bursts, "prometheus.bursts.on").value == Approx(180.0));
  CHECK(figure(*bursts, "prometheus.bursts.off").value == Approx(540.0));
  const auto steady = import_text("prometheus", series("node_nfs_write_bytes", std::vector<double>(20, 3e8)));
  REQUIRE(steady);
  CHECK(figure(*steady, "prometheus.bandwidth").value == Approx(3e8));
  CHECK(steady->layer["background"][0]["direction"] == "write");
  CHECK(!has_figure(*steady, "prometheus.bursts.on"));
  std::vector<double> counter;
  for (int i = 0; i < 20; ++i) counter.push_back(6e9 * (i < 10 ? i + 3 : i - 9));  // 1e8 a second; one restart
  const auto restarted = import_text("prometheus", series("read_bytes_total", counter));
  REQUIRE(restarted);
  CHECK(figure(*restarted, "prometheus.bandwidth").value == Approx(1e8));
  CHECK(noted(*restarted, "was restarted"));
  ImportOptions options = sample_options();
  options.meaning = "step-time";
  const auto steps = import_text("prometheus", series("step_seconds", {0.3, 0.32, 0.31, 0.33}), options);
  REQUIRE(steps);
  CHECK(figure(*steps, "job.step_time").target == "/jobs/train/step/step_time");
  CHECK(figure(*steps, "job.step_time").value == Approx(0.315));
  CHECK(complaint_of("prometheus", series("x", {1, -2, 3, 4})) == "E0207");
  CHECK(complaint_of("prometheus", R"({"status":"error","errorType":"bad_data","error":"parse error"})") == "E0141");
  CHECK(complaint_of("prometheus", with(series("x", {1, 2, 3, 4}), "\"2\"", "\"+Inf\"")) == "E0206");
  CHECK(noted(*import_text("prometheus", with(series("x", {1, 2, 3, 4}), "\"2\"", "\"NaN\"")), "NaN"));
}

TEST_CASE("sacct: failures over node-hours, sizes of jobs, and no step counted twice") {
  const Imported imported = import_sample("sacct", "sacct.txt");
  // 4 x 20 h + 10 h + 14 h on 32 nodes, 30 x 3 h + 1 h + 0.5 h + 6 h on 2.
  const double node_hours = 32 * 104.0 + 2 * 97.5;
  const auto& mtbf = figure(imported, "faults.node_mtbf");
  CHECK(mtbf.value == Approx(3600.0 * node_hours / 2.0));
  // Poisson, 2 events: 0.242 to 7.22 (Garwood, Biometrika 28, 1936).
  CHECK(mtbf.low == Approx(3600.0 * node_hours / 7.22).epsilon(0.02));
  CHECK(mtbf.high == Approx(3600.0 * node_hours / 0.242).epsilon(0.10));
  CHECK(figure(imported, "faults.node_mtbp").value == Approx(3600.0 * node_hours));
  CHECK(figure(imported, "jobs.failed_share").value == Approx(1.0 / 39.0));
  CHECK(figure(imported, "jobs.32_nodes.nodes").target == "/jobs/train/nodes");
  CHECK(figure(imported, "jobs.2_nodes.time").value == Approx(3600.0 * 97.5 / 33.0));
  const double window_h = 23.3;  // the last job of 2 nodes ends 20.3 + 3 h after the first began
  CHECK(figure(imported, "jobs.2_nodes.running").value == Approx(97.5 / window_h).epsilon(0.02));
  CHECK(figure(imported, "jobs.2_nodes.arrivals").value == Approx(33.0 / window_h / 3600.0).epsilon(0.02));
  const std::string text = sample_text("sacct.txt");
  CHECK(complaint_of("sacct", with(text, "72000|2026-11-17T00:00:00|2026-11-17T20:00:00",
                                   "92000|2026-11-17T00:00:00|2026-11-17T20:00:00")) == "E0140");
  CHECK(complaint_of("sacct", with(text, "JobID|", "Job|")) == "E0141");
  CHECK(complaint_of("sacct", "JobID|State|NNodes|Elapsed\n1|COMPLETED|2|forever\n") == "E0206");
  CHECK(figure(*import_text("sacct", "JobID|State|NNodes|Elapsed\n1|NODE_FAIL|2|1-01:00:00\n"), "faults.node_mtbf")
            .value == Approx(50.0 * 3600.0));
}

namespace {

/// Waits of ranks that are late by these seconds, the same in every step but for the order of the ranks.
std::string rank_waits(const std::vector<double>& delays, std::size_t steps, std::size_t turn) {
  std::string text = "step,rank,wait_s\n";
  const double latest = *std::max_element(delays.begin(), delays.end());
  for (std::size_t step = 0; step < steps; ++step)
    for (std::size_t rank = 0; rank < delays.size(); ++rank)
      text += fmt::format("{},{},{}\n", step, rank, latest - delays[(rank + turn * step) % delays.size()]);
  return text;
}

}  // namespace

TEST_CASE("rank waits: what a wait lacks to the longest one is the delay") {
  const auto imported = import_text("rank-waits", rank_waits({0.0, 0.001, 0.003, 0.012}, 50, 1));
  if (!imported) FAIL(print_text(imported.error()));
  const auto& delay = figure(*imported, "job.rank_delay");
  CHECK(delay.value == Approx(0.004));
  CHECK(delay.target == "/jobs/train/step/barrier/rank_delay");
  CHECK(delay.quantiles.back().value == Approx(0.012));
  CHECK(figure(*imported, "job.slowest_rank_wait").value == Approx(0.012));
  // Each step has one rank that is 12 ms late; drawn independently the latest of four is 9.0 ms late on average.
  CHECK(noted(*imported, "would make it 9"));
  CHECK(noted(*imported, "with 4 ranks"));
}

TEST_CASE("rank waits: a wait for data is a part of the delay, and independent ranks are no news") {
  std::mt19937_64 engine(7);
  std::exponential_distribution<double> delay(1.0 / 0.002);
  std::string text = "rank,step,load_wait_s,wait_s\n";
  for (int step = 0; step < 400; ++step) {
    std::vector<double> late_s(32);
    for (double& s : late_s) s = delay(engine);
    const double latest_s = *std::max_element(late_s.begin(), late_s.end());
    for (std::size_t rank = 0; rank < late_s.size(); ++rank) {
      const double data_s = rank % 2 == 0 ? 0.0 : 0.4 * (latest_s - late_s[rank]);
      text += fmt::format("{},{},{:.9f},{:.9f}\n", rank, step, data_s, latest_s - late_s[rank] - data_s);
    }
  }
  const auto imported = import_text("rank-waits", text);
  if (!imported) FAIL(print_text(imported.error()));
  // Less the least of 32, 62.5 us. 12,800 delays: five standard errors are 4.4 %, a false failure in 1.7 million.
  CHECK(figure(*imported, "job.rank_delay").value == Approx(0.002 - 0.002 / 32.0).epsilon(0.044));
  CHECK(!noted(*imported, "independently"));
  CHECK(!noted(*imported, "too small"));
}

TEST_CASE("rank waits: tables that cannot be are refused") {
  const std::string text = rank_waits({0.0, 0.001, 0.003}, 40, 1);
  CHECK(complaint_of("rank-waits", text).empty());
  CHECK(complaint_of("rank-waits", with(text, "wait_s", "waits")) == "E0141");
  CHECK(complaint_of("rank-waits", text + "7,1,0\n") == "E0140");
  CHECK(complaint_of("rank-waits", text + "40,1,0\n") == "E0140");
  CHECK(complaint_of("rank-waits", with(text, "\n3,0,", "\n3,0,-1")) == "E0207");
  CHECK(complaint_of("rank-waits", rank_waits({0.0, 0.001}, 39, 1)) == "E0141");
  CHECK(complaint_of("rank-waits", "step,rank,wait_s\n") == "E0141");
}

TEST_CASE("PyTorch profiler: a step is what is left without the waits for data") {
  const Imported imported = import_sample("kineto", "kineto_gpu.json");
  const auto& step = figure(imported, "job.step_time");
  // The first of 12 steps is left out: compute of 300, 303, 306 ms in turn, waits of 8, 8.5, 9, 9.5 ms.
  CHECK(step.value == Approx((4 * 0.303 + 4 * 0.306 + 3 * 0.300) / 11.0));
  CHECK(step.quantiles.front().value == Approx(0.300));
  CHECK(figure(imported, "job.data_wait").value == Approx((2 * 8.0 + 3 * (8.5 + 9.0 + 9.5)) / 11.0 * 1e-3));
  CHECK(figure(imported, "job.copied_per_step").value == 5e7);
  CHECK(figure(imported, "h2d.in_training").value == Approx(5e10));
  CHECK(figure(imported, "job.collective_time").value == Approx(0.02));
  CHECK(imported.record.date == "2026-11-17");
  const std::string text = sample_text("kineto_gpu.json");
  CHECK(complaint_of("kineto", with(text, "\"memory bandwidth (GB/s)\": 50.0", "\"memory bandwidth (GB/s)\": 500.0")) ==
        "E0140");
  CHECK(complaint_of("kineto", with(text, "\"dur\": 8500", "\"dur\": 850000")) == "E0140");
  CHECK(complaint_of("kineto", text.substr(0, text.size() / 2)) == "E0105");
  CHECK(complaint_of("kineto", "{\"traceEvents\": []}") == "E0141");
  const Imported old = import_sample("kineto", "torch_1_13_cpu.json");  // a list without the object around it
  CHECK(figure(old, "job.step_time").value > 0.0);
  CHECK(figure(old, "job.data_wait_share").value > 0.0);
  CHECK(old.record.date == "2026-11-21");  // its times begin at 0
}

TEST_CASE("PyTorch profiler: where neither the GPU works nor the process waits, the GPU waits for the process") {
  for (const auto& known : import_sample("kineto", "kineto_gpu.json").record.parameters)
    CHECK(known.name != "job.host_part");  // no kernel but those of NCCL
  // Steps of 100 ms: 10 ms of waiting, kernels on two streams from 20 to 70 ms and from 60 to 85 ms, a last one from 95
  // ms on that ends while the next step waits.
  std::string events;
  const auto event = [&](const char* name, const char* category, int thread, double begin_ms, double length_ms) {
    events += fmt::format(R"({}{{"ph": "X", "name": "{}", "cat": "{}", "pid": 1, "tid": {}, "ts": {}, "dur": {}}})",
                          events.empty() ? "" : ",", name, category, thread, 1e3 * begin_ms, 1e3 * length_ms);
  };
  for (int i = 0; i < 6; ++i) {
    const double at_ms = 1000.0 + 100.0 * i;
    event(fmt::format("ProfilerStep#{}", i).c_str(), "user_annotation", 1, at_ms, 100.0);
    event("enumerate(DataLoader)#_Iter.__next__", "user_annotation", 1, at_ms, 10.0);
    event("gemm", "kernel", 7, at_ms + 20.0, 50.0);
    event("relu", "kernel", 8, at_ms + 60.0, 25.0);
    event("Memset", "gpu_memset", 8, at_ms + 95.0, 10.0);
  }
  const auto imported = import_text("kineto", "{\"traceEvents\": [" + events + "]}");
  REQUIRE(imported.has_value());
  const auto& host = figure(*imported, "job.host_part");
  CHECK(host.value == Approx(0.020));  // 10 to 20 ms and 85 to 95 ms
  CHECK(host.target.ends_with("/step/host_part/time"));
}

TEST_CASE("a DLIO summary becomes a row that a backtest predicts") {
  const Imported imported = import_sample("dlio-summary", "dlio_summary.json");
  CHECK(imported.layer.is_null());
  const auto rows = read_measurements("row.csv", imported.table, "", shipped_workload_figures());
  REQUIRE(rows);
  REQUIRE(rows->runs.size() == 1);
  CHECK(rows->unused_columns.empty());
  CHECK(rows->runs[0].accelerators == 1);
  CHECK(rows->runs[0].au_percent.value() == Approx(91.0));
  CHECK(rows->runs[0].samples_per_s.value() == Approx(19.73));
  CHECK(!rows->runs[0].calibrates);
  const std::string text = sample_text("dlio_summary.json");
  ImportOptions options = sample_options();
  options.workload.clear();
  CHECK(import_text("dlio-summary", text, options).error().sorted().front().code == "E0202");
  options.workload = "resnet50";  // samples of another size
  CHECK(import_text("dlio-summary", text, options).error().sorted().front().code == "E0140");
  CHECK(complaint_of("dlio-summary", with(text, "\"train_au_mean_percentage\": 91.0",
                                          "\"train_au_mean_percentage\": 71.0")) == "E0140");
  CHECK(
      noted(*import_text("dlio-summary", with(text, "\"potential_caching\": [\n  0\n ]", "\"potential_caching\": [1]")),
            "potential_caching"));
}

namespace {

struct Sample {
  const char* format;
  const char* file;
};

constexpr Sample kSamples[] = {{"fio", "fio_depth1.json"},
                               {"fio", "fio_mixed.json"},
                               {"elbencho", "elbencho.csv"},
                               {"elbencho", "elbencho.json"},
                               {"nvbandwidth", "nvbandwidth.json"},
                               {"gdsio", "gdsio_wrapped.txt"},
                               {"kvikio", "kvikio.txt"},
                               {"ior", "ior.json"},
                               {"mdtest", "mdtest.txt"},
                               {"nccl-tests", "nccl_tests.json"},
                               {"nccl-tests", "nccl_tests.txt"},
                               {"warp", "warp_v0.json"},
                               {"warp", "warp_v1.json"},
                               {"dlio-summary", "dlio_summary.json"},
                               {"darshan", "darshan.txt"},
                               {"prometheus", "prometheus_read_rate.json"},
                               {"sacct", "sacct.txt"},
                               {"kineto", "kineto_gpu.json"},
                               {"kineto", "torch_1_13_cpu.json"}};

/// Where numbers begin, up to `most` of them, spread over the text.
std::vector<std::size_t> numbers_in(const std::string& text, std::size_t most) {
  std::vector<std::size_t> all;
  for (std::size_t i = 1; i < text.size(); ++i)
    if (text[i] >= '0' && text[i] <= '9' && (text[i - 1] < '0' || text[i - 1] > '9')) all.push_back(i);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(1, all.size() / most)) out.push_back(all[i]);
  return out;
}

/// It is read, or there is a complaint with a code and a message; and what is read are finite, positive-or-zero
/// figures.
void check_survives(const Sample& sample, const std::string& text) {
  const auto result = import_text(sample.format, text);
  if (!result) {
    const auto complaints = result.error().sorted();
    REQUIRE(!complaints.empty());
    CHECK(complaints.front().code.size() == 5);
    CHECK(!complaints.front().message.empty());
    CHECK(!print_text(result.error()).empty());
    return;
  }
  for (const auto& p : result->record.parameters)
    if (!(std::isfinite(p.value) && p.value >= 0.0 && p.low <= p.high)) FAIL(sample.file << ": " << p.name);
  if (!result->layer.is_null()) CHECK(!result->layer.dump().empty());
}

}  // namespace

TEST_CASE("no import is broken by a file that is: cut, empty, of another kind, hostile", "[long_3]") {
  for (const Sample& sample : kSamples) {
    INFO(sample.file);
    const std::string text = sample_text(sample.file);
    for (const char* other :
         {"", " \n", "{", "[]", "{}", "null", "\x1F\x8B\x08", "\xFF\xFE\x00", "text", "{\"a\":[1,2", "[[[[[[[[[["}) {
      const auto result = import_text(sample.format, other);
      CHECK(!result);
      if (!result) CHECK(result.error().sorted().front().code.size() == 5);
    }
    for (std::size_t part = 1; part < 8; ++part) check_survives(sample, text.substr(0, text.size() * part / 8));
    for (const std::size_t at : numbers_in(text, 14))
      for (const char* other :
           {"-1", "1e300", "1e999", "nan", "99999999999999999999", "[]", "\"x\"", "null", "{}", "\x01\xC3", "0"}) {
        const std::size_t end = text.find_first_not_of("0123456789.", at);
        check_survives(sample, text.substr(0, at) + other + text.substr(std::min(end, text.size())));
      }
  }
  CHECK(!import_text("kineto", std::string(200'000, '[')));
  CHECK(!import_text("fio", std::string(200'000, '{')));
}

TEST_CASE("what was imported reads back to the same, and lies over a scenario that knows it as measured") {
  const TestFiles files;
  for (const Sample& sample : kSamples) {
    INFO(sample.file);
    ImportOptions options = sample_options();
    // 32 nodes of a cluster with 4; collectives of a job that tells no gradients.
    if (std::string(sample.format) == "sacct" || std::string(sample.format) == "nccl-tests") options.job.clear();
    const Imported imported = import_sample(sample.format, sample.file, options);
    if (imported.layer.is_null()) continue;
    const std::string text = imported.layer.dump(2);
    const auto back = read_site_file("layer.json", text);
    if (!back) FAIL(print_text(back.error()));
    CHECK(site_file(*back).at("calibration") == imported.layer.at("calibration"));
    CHECK(back->imported->format == sample.format);
    const std::string file = files.write("layer.json", text);
    // Failures need checkpoints.
    const std::string saves = files.write(
        "saves.json",
        R"({"jobs": [{"name": "train", "checkpoint": {"store": "storage", "bytes": "10 GB", "interval": "30 min"}}]})");
    const auto loaded = load_scenario(std::vector<std::string>{"image-node", saves, file});
    if (!loaded) FAIL(print_text(loaded.error()));
    for (const auto& p : imported.record.parameters)
      if (p.target == "/stores/storage/bandwidth") {
        CHECK(loaded->value.stores[0].bandwidth_bytes_per_s == Approx(p.value).epsilon(1e-3));
        CHECK(loaded->origin_of("/stores/0/bandwidth").print().find("measured") != std::string::npos);
      }
  }
}

}  // namespace headrace::scenarios
