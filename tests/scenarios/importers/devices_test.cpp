// Imports of what devices can do: real files of fio, and samples of the other tools in their form, against the numbers
// that they hold.
#include <fmt/format.h>

#include "models/calibration/latency_histogram.hpp"
#include "tests/scenarios/importers/import_sample.hpp"

namespace headrace::scenarios {

using models::calibration::LatencyHistogram;
using models::calibration::Verdict;

TEST_CASE("fio: one read at a time gives the law of latency, bin by bin") {
  const Imported imported = import_sample("fio", "fio_depth1.json");
  const auto& latency = figure(imported, "storage.latency");
  CHECK(latency.value == Approx(125.538e-6).epsilon(1e-4));
  CHECK(latency.target == "/stores/storage/latency");
  CHECK(latency.quantiles.size() > 15);
  CHECK(!flagged(latency, "clat_only"));
  CHECK(flagged(latency, "short_run"));
  CHECK(imported.record.parameters.size() == 1);  // its inverse is no limit of the store
  CHECK(noted(imported, "how many requests a second the store answers is unknown"));
  REQUIRE(imported.record.cells.size() == 1);
  REQUIRE(imported.record.cells[0].latency);
  const LatencyHistogram histogram = LatencyHistogram::from(*imported.record.cells[0].latency);
  CHECK(histogram.count() == 23712);
  CHECK(histogram.mean_s() == Approx(latency.value).epsilon(0.01));
  CHECK(imported.record.imported->tool == "fio-3.33");
  CHECK(imported.record.date.substr(0, 8) == "2026-11-");
  CHECK(imported.record.imported->file == "sample.txt");
}

TEST_CASE("fio: five samples of the rate make an interval, and a rate far off its own mean makes none") {
  const auto peak = import_sample("fio", "fio_depth32.json");
  const auto& requests = figure(peak, "storage.requests");
  CHECK(requests.value == Approx(26005.905512));
  CHECK(requests.low < requests.value);
  CHECK(requests.high > requests.value);
  CHECK(noted(peak, "one at a time"));
  const auto sequential = import_sample("fio", "fio_sequential_default.json");
  const auto& stream = figure(sequential, "storage.stream");
  CHECK(stream.value == Approx(670884269.0).epsilon(0.001));
  CHECK(stream.low == stream.high);  // fio's mean of 3 samples is half of the rate
  CHECK(flagged(stream, "cache_suspect"));
  CHECK(stream.verdict == Verdict::noisy);
}

TEST_CASE("fio: a synchronous engine ignores the depth, and mixed directions are told apart by nobody") {
  const auto psync = import_sample("fio", "fio_psync_iodepth16.json");
  CHECK(noted(psync, "ignores iodepth=16"));
  CHECK(flagged(figure(psync, "storage.latency"), "depth_ignored"));  // so it is one at a time
  CHECK(!flagged(figure(psync, "storage.latency"), "depth_not_kept"));
  const auto mixed = import_sample("fio", "fio_mixed.json");
  CHECK(mixed.record.parameters.empty());
  REQUIRE(mixed.record.cells.size() == 2);
  CHECK(mixed.record.cells[0].depth == 8);  // 4 for each of 2 processes
  for (const auto& cell : mixed.record.cells)
    CHECK(std::find(cell.flags.begin(), cell.flags.end(), "depth_not_kept") == cell.flags.end());
  const auto large = import_sample("fio", "fio_1m.json");
  CHECK(figure(large, "storage.bandwidth").value == Approx(1163340306.0).epsilon(0.001));
}

TEST_CASE("fio: a steady run at depth 4 keeps Little's law and tells no latency of an idle device") {
  const auto imported = import_sample("fio", "fio_depth4_steady.json");
  CHECK(figure(imported, "storage.requests").value == Approx(28618.793735));
  CHECK(!flagged(figure(imported, "storage.requests"), "depth_not_kept"));
  CHECK(!flagged(figure(imported, "storage.requests"), "not_steady"));
  CHECK(!has_figure(imported, "storage.latency"));
}

TEST_CASE("fio: traps") {
  const std::string text = sample_text("fio_depth1.json");
  CHECK(complaint_of("fio", "fio: {not json\n}\n" + text) == "E0105");
  CHECK(import_text("fio", "fio: cache invalidation failed\n" + text).has_value());
  // Without percentiles of the total, those of completion stand in, and say so.
  const auto completion = import_text("fio", with(text, "\"lat_ns\"", "\"other\""));
  REQUIRE(completion);
  CHECK(flagged(figure(*completion, "storage.latency"), "excludes_submission"));
  CHECK(complaint_of("fio", with(text, "\"bw\": 31573", "\"bw\": 41573")) == "E0140");
  CHECK(complaint_of("fio", with(text, "\"bs\": \"4k\"", "\"bs\": \"8k\"")) == "E0140");
  CHECK(complaint_of("fio", with(text, "\"iops\": 7893.475366", "\"iops\": 9893.475366")) == "E0140");
  CHECK(complaint_of("fio", with(text, "\"mean\": 125538.449814", "\"mean\": 225538.449814")) == "E0140");
  const auto idle = import_text("fio", with(text, "\"iodepth\": \"1\"", "\"iodepth\": \"2\""));
  REQUIRE(idle);
  CHECK(flagged(figure(*idle, "storage.requests"), "depth_not_kept"));
  CHECK(complaint_of("fio", with(text, "\"error\": 0", "\"error\": 5")) == "E0141");
  CHECK(complaint_of("fio", "{\"a\": 1}") == "E0141");
}

TEST_CASE("elbencho: last done is the capacity, and Little's law may hold between first and last") {
  for (const char* name : {"elbencho.csv", "elbencho.json"}) {
    INFO(name);
    const auto imported = import_sample("elbencho", name);
    CHECK(figure(imported, "storage.bandwidth").value == 5154.0 * 1048576.0);
    CHECK(figure(imported, "storage.write_bandwidth").value == 5000.0 * 1048576.0);
    CHECK(!flagged(figure(imported, "storage.write_bandwidth"), "depth_not_kept"));
    CHECK(imported.record.imported->tool == "elbencho 3.0-5");
    CHECK(imported.record.date == "2026-11-18");
    CHECK(flagged(figure(imported, "storage.bandwidth"), "one_client"));
  }
  const auto csv = import_sample("elbencho", "elbencho.csv");
  for (const auto& parameter : csv.record.parameters)  // 9,000 a second one at a time are the latency again
    CHECK(parameter.name != "storage.requests");
  CHECK(figure(csv, "storage.latency").value == Approx(110e-6));
  CHECK(!flagged(figure(csv, "storage.latency"), "one_client"));
  // 16 threads of 195 us each give 82,000 a second.
  CHECK(figure(csv, "metadata.servers").value == 16.0);
  CHECK(figure(csv, "metadata.latency").value == Approx(195e-6));
  const std::string text = sample_text("elbencho.csv");
  CHECK(complaint_of("elbencho", with(text, ",41234,5212,5154", ",41234,5212,6154")) == "E0140");
  CHECK(complaint_of("elbencho", with(text, ",3069,", ",13069,")) == "E0140");
  CHECK(complaint_of("elbencho", text.substr(0, text.size() - 90)) == "E0141");
}

TEST_CASE("nvbandwidth: cells are texts, N/A is none, and the interval is that over the GPUs") {
  const auto imported = import_sample("nvbandwidth", "nvbandwidth.json");
  const auto& up = figure(imported, "h2d.pinned");
  CHECK(up.value == Approx(54.7e9));
  CHECK(up.low == Approx(54.1e9));
  CHECK(up.high == Approx(55.3e9));
  CHECK(up.target == "/cluster/pools/gpus/gpu/pcie");
  CHECK(figure(imported, "d2h.pinned").value == Approx(52e9));
  CHECK(figure(imported, "nvbandwidth.host_device_latency_sm").value == Approx(772.24e-9));
  CHECK(noted(imported, "Waived"));
  CHECK(complaint_of("nvbandwidth", with(sample_text("nvbandwidth.json"), "109.4", "119.4")) == "E0140");
  CHECK(complaint_of("nvbandwidth", with(sample_text("nvbandwidth.json"), "\"55.3\"", "\"inf\"")) == "E0206");
}

TEST_CASE("gdsio and KvikIO: binary units, wrapped lines, and a path that is not proved") {
  const auto imported = import_sample("gdsio", "gdsio_wrapped.txt");
  const auto& bandwidth = figure(imported, "gds.GPUD.bandwidth");
  CHECK(bandwidth.value == Approx(6.524658 * 1073741824.0));
  CHECK(bandwidth.target == "/stores/storage/bandwidth");
  CHECK(flagged(bandwidth, "path_unproven"));
  CHECK(flagged(bandwidth, "average_only"));
  CHECK(imported.record.cells[0].estimate.value == Approx(799606 / 119.679102));
  const std::string text = sample_text("gdsio_wrapped.txt");
  CHECK(complaint_of("gdsio", with(text, "6.524658", "7.524658")) == "E0140");
  CHECK(complaint_of("gdsio", with(text, "1197.370995", "1397.370995")) == "E0140");
  CHECK(import_text("gdsio", with(text, "IOSize:\n1024(KiB)", "IOSize: 512-1536-512(KiB)")).has_value());
  const auto kvikio = import_sample("kvikio", "kvikio.txt");
  CHECK(figure(kvikio, "gds.cufile.bandwidth").value == Approx(3.05 * 1073741824.0));
  CHECK(figure(kvikio, "gds.posix.bandwidth").value == Approx(900.0 * 1048576.0));
  CHECK(figure(kvikio, "gds.cufile.write_bandwidth").target == "/stores/storage/write_bandwidth");
}

TEST_CASE("IOR: repetitions give the interval") {
  const auto imported = import_sample("ior", "ior.json");
  const auto& read = figure(imported, "storage.bandwidth");
  CHECK(read.value == Approx(40500.0 * 1048576.0));
  // sd 500 of 3: t(2) 4.303 / sqrt 3
  CHECK(read.high - read.value == Approx(4.3027 * 500.0 / std::sqrt(3.0) * 1048576.0).epsilon(1e-3));
  CHECK(read.verdict == Verdict::clean);
  CHECK(flagged(read, "buffered"));
  const std::string text = sample_text("ior.json");
  CHECK(flagged(
      figure(*import_text("ior", with(text, "\"reorderTasks\": 1", "\"reorderTasks\": 0")), "storage.bandwidth"),
      "cache_suspect"));
  CHECK(complaint_of("ior", with(text, "\"bwMiB\": 40000.0", "\"bwMiB\": 60000.0")) == "E0140");
}

TEST_CASE("mdtest: rates become servers of so many operations at a time") {
  const auto imported = import_sample("mdtest", "mdtest.txt");
  CHECK(figure(imported, "metadata.file_stat").value == 80000.0);
  CHECK(!has_figure(imported, "metadata.file_removal"));  // 0 is not run
  CHECK(figure(imported, "metadata.latency").value == Approx(64.0 / 40000.0));
  CHECK(figure(imported, "metadata.servers").value == 64.0);
  CHECK(figure(imported, "metadata.servers").target == "/stores/storage/metadata/servers");
  CHECK(imported.record.imported->tool == "mdtest-4.0.0");
  CHECK(complaint_of("mdtest", with(sample_text("mdtest.txt"), "  80000.000 ", "  90000.000 ")) == "E0140");
}

TEST_CASE("nccl-tests: text and JSON tell the same") {
  const auto json = import_sample("nccl-tests", "nccl_tests.json");
  const auto text = import_sample("nccl-tests", "nccl_tests.txt");
  const auto& peak = figure(json, "collective.bus_bandwidth");
  CHECK(peak.value == Approx(figure(text, "collective.bus_bandwidth").value).epsilon(0.001));
  CHECK(peak.target == "/jobs/train/collective/inside_bandwidth");
  CHECK(figure(json, "collective.smallest_time").value == Approx(30e-6).epsilon(0.01));
  CHECK(complaint_of("nccl-tests",
                     with(sample_text("nccl_tests.json"), "\"size\": 268435456", "\"size\": 368435456")) == "E0140");
}

TEST_CASE("nccl-tests: a text that was cut, or a bus bandwidth that no operation has, is refused") {
  const std::string text = sample_text("nccl_tests.txt");
  const std::size_t last_row = text.rfind("   268435456");
  const std::size_t rate = text.find("425.61", last_row);
  CHECK(complaint_of("nccl-tests", text.substr(0, rate + 1)) == "E0141");  // 4 of 425.61 GB/s
  CHECK(complaint_of("nccl-tests", text.substr(0, last_row)) == "E0141");  // without its largest size
  CHECK(complaint_of("nccl-tests", text.substr(0, text.find("# Avg"))) == "E0141");
  CHECK(complaint_of("nccl-tests", with(text, "425.61", "  3.00")) == "E0140");
  CHECK(complaint_of("nccl-tests", with(text, "425.61", "     0")) == "E0140");
  const std::string json = sample_text("nccl_tests.json");
  const std::size_t at = json.rfind("\"out_of_place\"");
  const std::size_t bus = json.find("\"bus_bw\": ", at) + 10;
  CHECK(complaint_of("nccl-tests", json.substr(0, bus) + "3.0" + json.substr(json.find(',', bus))) == "E0140");
  CHECK(complaint_of("nccl-tests", json.substr(0, bus)) == "E0105");
}

TEST_CASE("kvikio, mdtest and elbencho: an end that is missing is told") {
  const std::string kvikio = sample_text("kvikio.txt");
  CHECK(import_sample("kvikio", "kvikio.txt").notes.size() <= 1);
  CHECK(noted(*import_text("kvikio", kvikio.substr(0, kvikio.find("posix write"))), "no line 'posix write'"));
  CHECK(noted(*import_text("kvikio", kvikio.substr(0, kvikio.size() - 9)), "open bracket"));
  const std::string mdtest = sample_text("mdtest.txt");
  CHECK(!noted(import_sample("mdtest", "mdtest.txt"), "truncated"));
  CHECK(noted(*import_text("mdtest", mdtest.substr(0, mdtest.find("-- finished"))), "finished at"));
  const std::string elbencho = sample_text("elbencho.json");
  CHECK(!noted(import_sample("elbencho", "elbencho.json"), "truncated"));
  CHECK(noted(*import_text("elbencho", elbencho.substr(0, elbencho.size() / 2)), "truncated"));  // between two objects
  CHECK(complaint_of("elbencho", elbencho.substr(0, elbencho.size() / 2 + 100)) == "E0105");
}

TEST_CASE("warp: medians of segments, first bytes, and both versions of the file") {
  const auto old = import_sample("warp", "warp_v0.json");
  CHECK(figure(old, "object_store.bandwidth").value == 1.04e9);
  CHECK(figure(old, "object_store.requests").value == Approx(99.2));
  CHECK(figure(old, "object_store.first_byte").value == Approx(0.025));
  CHECK(figure(old, "object_store.stream").value == Approx(10485760.0 / 0.175));
  const auto fresh = import_sample("warp", "warp_v1.json");
  CHECK(figure(fresh, "object_store.bandwidth").value == 1.04e9);
  CHECK(figure(fresh, "object_store.first_byte").quantiles.size() == 7);
  CHECK(complaint_of("warp", with(sample_text("warp_v0.json"), "\"dur_avg_millis\": 200", "\"dur_avg_millis\": 260")) ==
        "E0140");
  CHECK(complaint_of("warp", with(sample_text("warp_v0.json"), "\"average_bps\": 1048576000.0",
                                  "\"average_bps\": 2048576000.0")) == "E0140");
}

TEST_CASE("a file made from known numbers is read back to them") {
  for (int seed = 1; seed <= 40; ++seed) {
    INFO(seed);
    const double bytes = 4096.0 * (1 << (seed % 9));
    const double depth = 1 + seed % 7;
    const double latency_ns = 20000.0 * seed;
    const double rate = depth / (1e-9 * latency_ns);
    const double seconds = 6 + seed % 3;
    const std::string text = fmt::format(
        R"({{"fio version": "fio-3.36", "timestamp": 1795205678, "global options": {{"ioengine": "libaio", "direct": "1"}},
"jobs": [{{"jobname": "j", "error": 0, "job options": {{"rw": "randread", "bs": "{}", "iodepth": "{}"}},
"read": {{"io_bytes": {:.0f}, "bw": {:.0f}, "bw_bytes": {:.0f}, "iops": {}, "runtime": {}, "total_ios": {:.0f},
"lat_ns": {{"min": {}, "max": {}, "mean": {}, "percentile": {{"50.000000": {}, "99.000000": {}}}}}}}}}]}})",
        bytes < 1048576.0 ? fmt::format("{:g}k", bytes / 1024.0) : fmt::format("{:g}M", bytes / 1048576.0), depth,
        rate * seconds * bytes, rate * bytes / 1024.0, rate * bytes, rate, 1000.0 * seconds, rate * seconds,
        0.5 * latency_ns, 3.0 * latency_ns, latency_ns, 0.9 * latency_ns, 2.0 * latency_ns);
    const auto imported = import_text("fio", text);
    if (!imported) FAIL(print_text(imported.error()));
    REQUIRE(imported->record.cells.size() == 1);
    CHECK(imported->record.cells[0].block_bytes == bytes);
    CHECK(imported->record.cells[0].depth == static_cast<std::uint64_t>(depth));
    CHECK(imported->record.cells[0].estimate.value == Approx(rate));
    if (bytes <= 16384.0 && depth > 1.0) CHECK(figure(*imported, "storage.requests").value == Approx(rate));
    if (bytes >= 131072.0) CHECK(figure(*imported, "storage.bandwidth").value == Approx(rate * bytes));
    if (bytes <= 16384.0 && depth == 1.0) {
      const auto& law = figure(*imported, "storage.latency");
      REQUIRE(law.quantiles.size() == 4);
      CHECK(law.quantiles[2].value == Approx(2e-9 * latency_ns));
    }
  }
}

}  // namespace headrace::scenarios
