#include "reports/html/sweep_page.hpp"

#include <fmt/format.h>

#include "reports/html/markup.hpp"
#include "tests/catch.hpp"
#include "tests/reports/html/well_formed.hpp"

namespace headrace::reports {
namespace {

using scenarios::ResultsStore;

/// A store in memory with `workers` x two stores; more workers are faster, and one point failed.
void fill(ResultsStore& store, std::uint64_t workers, std::string_view unit = "GB/s") {
  scenarios::SweepRecord sweep;
  sweep.id = "abc";
  sweep.name = "grid";
  sweep.title = "A <grid>";
  sweep.level = "simulate";
  sweep.model_version = "1";
  sweep.options = "{}";
  sweep.definition = "{}";
  sweep.scenario = "{}";
  sweep.points = 2 * workers + 1;
  store.put_sweep(sweep);
  std::uint64_t point = 0;
  for (std::uint64_t n = 1; n <= workers; ++n)
    for (const int bandwidth : {10, 20}) {
      const double step_s = 1.0 / static_cast<double>(n) + (bandwidth == 10 ? 0.5 : 0.25);
      scenarios::ResultRecord result;
      result.key = fmt::format("k{}", point);
      result.level = "simulate";
      result.model_version = "1";
      result.options = "{}";
      result.outcome = fmt::format(
          R"({{"verdict": "fed", "metrics": {{"step_time_s": {{"mean": {}, "ci95": [{}, {}], "unit": "s"}}}}}})",
          step_s, step_s * 0.99, step_s * 1.01);
      store.put("abc", point, fmt::format(R"({{"workers": {}, "store": "{} {}"}})", n, bandwidth, unit), result);
      ++point;
    }
  scenarios::ResultRecord failed;
  failed.key = "bad";
  failed.level = "simulate";
  failed.model_version = "1";
  failed.options = "{}";
  failed.failed = true;
  failed.error = "more workers than cores & so on";
  store.put("abc", point, fmt::format(R"({{"workers": 999, "store": "10 {}"}})", unit), failed);
}

TEST_CASE("the page of a sweep names the best point and shows every other one") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  fill(store, 12);
  const auto page = sweep_page(store, {});
  REQUIRE(page);
  CHECK(testing::ill_formed(*page).empty());
  CHECK(page->find("at workers 12, store 20 GB/s") != std::string::npos);
  CHECK(page->find("A &lt;grid&gt;") != std::string::npos);
  CHECK(page->find("more workers than cores &amp; so on") != std::string::npos);
  std::size_t rows = 0;
  const std::size_t table = page->find("id=\"table\"");
  REQUIRE(table != std::string::npos);
  for (std::size_t at = page->find("<tr>", page->find("<tbody>", table));
       at != std::string::npos && at < page->find("</tbody>", table); at = page->find("<tr>", at + 1))
    ++rows;
  CHECK(rows == 24);
}

TEST_CASE("an axis has the unit that its values are written in") {
  for (const std::string_view unit : {"GB/s", "Gb/s"}) {
    ResultsStore store(":memory:", ResultsStore::Access::write);
    fill(store, 3, unit);
    const auto page = sweep_page(store, {});
    REQUIRE(page);
    CHECK(page->find(fmt::format("store, {}<", unit)) != std::string::npos);
  }
}

TEST_CASE("a map has a cell for every pair of values, and marks the best") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  fill(store, 3);
  const std::string page = sweep_page(store, {}).value();
  const std::size_t map = page.find("class=\"heat\"");
  REQUIRE(map != std::string::npos);
  std::size_t cells = 0;
  for (std::size_t at = page.find("<span class=\"heat", map); at != std::string::npos;
       at = page.find("<span class=\"heat", at + 1))
    ++cells;
  CHECK(cells == 6);
  CHECK(page.find("heat0 best") != std::string::npos);
}

TEST_CASE("points that are as good as the best are framed, and the scenario's own values marked") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  scenarios::SweepRecord sweep;
  sweep.id = "abc";
  sweep.name = "grid";
  sweep.level = "simulate";
  sweep.options = "{}";
  sweep.definition = R"({"axes": [{"name": "workers", "parameters": ["/jobs/0/loader/workers"], "values": [2, 4]},
    {"name": "store", "parameters": ["/stores/0/bandwidth"], "values": ["4 GB/s", "8 GB/s"]}]})";
  sweep.scenario = R"({"jobs": [{"loader": {"workers": 4}}], "stores": [{"bandwidth": "8000 MB/s"}]})";
  sweep.points = 4;
  sweep.model_version = "1";
  store.put_sweep(sweep);
  std::uint64_t point = 0;
  for (const int workers : {2, 4})
    for (const char* bandwidth : {"4 GB/s", "8 GB/s"}) {
      scenarios::ResultRecord result;
      result.key = fmt::format("k{}", point);
      result.level = "simulate";
      result.model_version = "1";
      result.options = "{}";
      result.outcome = fmt::format(
          R"({{"verdict": "fed", "metrics": {{"step_time_s": {{"mean": {}, "ci95": null, "unit": "s"}}}}}})",
          workers == 2 ? 0.2 : 0.1);
      store.put("abc", point++, fmt::format(R"({{"workers": {}, "store": "{}"}})", workers, bandwidth), result);
    }
  const std::string page = sweep_page(store, {}).value();
  CHECK(page.find("as good at 1 more of the points, as far as the runs can tell") != std::string::npos);
  CHECK(testing::all_matches(page, "(heat0 best)").size() == 2);
  CHECK(page.find("<span class=\"heat0 best\">\u25c6 100.0 ms</span>") != std::string::npos);
  CHECK(testing::all_matches(page, "(<span class=\"heat\\d[^>]*>\u25c6)").size() == 1);
  CHECK(page.find("no 95 % interval (simulation noise) is wide enough to be seen") != std::string::npos);
}

// The intervals of the three overlap; by their pairs the runs tell the second from the best, but not the third.
TEST_CASE("which points of a ranking tie with the best is told by their pairs") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  scenarios::SweepRecord sweep;
  sweep.id = "abc";
  sweep.name = "ranked";
  sweep.level = "simulate";
  sweep.options = "{}";
  sweep.definition =
      R"({"axes": [{"name": "workers", "parameters": ["/jobs/0/loader/workers"], "values": [2, 4, 8]}]})";
  sweep.scenario = R"({"jobs": [{"loader": {"workers": 4}}]})";
  sweep.points = 3;
  sweep.model_version = "1";
  store.put_sweep(sweep);
  const char* standings[] = {R"("state": "best", "difference": 0.0, "ci95": null)",
                             R"("state": "known", "difference": 0.001, "ci95": [0.0005, 0.0015])",
                             R"("state": "known", "difference": 0.002, "ci95": [-0.001, 0.005])"};
  for (std::uint64_t point = 0; point < 3; ++point) {
    const double mean = 0.1 + 0.001 * static_cast<double>(point);
    scenarios::ResultRecord result;
    result.key = fmt::format("k{}", point);
    result.level = "simulate";
    result.model_version = "1";
    result.options = "{}";
    result.outcome = fmt::format(
        R"({{"verdict": "fed", "metrics": {{"step_time_s": {{"mean": {}, "ci95": [{}, {}], "unit": "s"}}}}}})", mean,
        mean - 0.01, mean + 0.01);
    store.put("abc", point, fmt::format(R"({{"workers": {}}})", 2U << point), result);
    store.put_ranking(
        "abc", point,
        fmt::format(R"({{"metric": "step_time_s", "place": {}, "value": {}, {}}})", point + 1, mean, standings[point]));
  }
  const std::string by_pairs = sweep_page(store, {"", "step_time_s"}).value();
  CHECK(by_pairs.find("as good at 1 more of the points, as far as the runs can tell") != std::string::npos);
}

TEST_CASE("a metric that no point has, or that does not exist, is told") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  fill(store, 2);
  CHECK(sweep_page(store, {"", "cost_per_epoch_usd"}).error().message.find("no point") != std::string::npos);
  CHECK(sweep_page(store, {"", "step_tme_s"}).error().help.find("step_time_s") != std::string::npos);
  CHECK(sweep_page(store, {"zz", ""}).error().message.find("zz") != std::string::npos);
}

TEST_CASE("a sweep of which every point failed gives a page of reasons") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  fill(store, 0);
  for (const char* metric : {"", "step_time_s", "cost_per_epoch_usd"}) {
    const auto page = sweep_page(store, {"", metric});
    REQUIRE(page);
    CHECK(testing::ill_formed(*page).empty());
    CHECK(page->find("no point has an answer") < page->find("<nav"));
    CHECK(page->find("more workers than cores &amp; so on") != std::string::npos);
    CHECK(page->find("getElementById('table')") == std::string::npos);
  }
  CHECK_FALSE(sweep_page(store, {"", "step_tme_s"}));
}

/// One point with all that a simulation says of the figures of the page.
scenarios::ResultRecord answer(std::uint64_t point, double step_s) {
  scenarios::ResultRecord result;
  result.key = fmt::format("k{}", point);
  result.level = "simulate";
  result.model_version = "1";
  result.options = "{}";
  std::string metrics;
  for (const char* name : {"step_time_s", "gpu_idle_fraction", "epoch_time_s", "cost_per_epoch_usd"})
    metrics += fmt::format(R"({}"{}": {{"mean": {}, "ci95": [{}, {}]}})", metrics.empty() ? "" : ", ", name, step_s,
                           step_s * 0.99, step_s * 1.01);
  result.outcome = fmt::format(
      R"({{"verdict": "ingest_bound", "metrics": {{{}}}, "confidence": {{"grade": "extrapolated", "reason": "nodes is 64.", "may_change_verdict": {}}}}})",
      metrics, point % 2 == 0);
  return result;
}

void put_grid(ResultsStore& store, std::uint64_t side) {
  scenarios::SweepRecord sweep;
  sweep.id = "grid";
  sweep.name = "grid";
  sweep.level = "simulate";
  sweep.model_version = "1";
  sweep.options = R"({"steps": 64, "seed": 7, "contention": false})";
  sweep.definition = "{}";
  sweep.scenario = R"({"stores": [{"bandwidth": "10 GB/s"}], "jobs": [{"loader": {"workers": 7}}]})";
  store.put_sweep(sweep);
  for (std::uint64_t point = 0; point < side * side; ++point) {
    const std::uint64_t line = point / side;
    const auto x = static_cast<double>(line);
    const double y = static_cast<double>(point % side);
    store.put("grid", point,
              fmt::format(R"({{"bandwidth": "{:.4g} GB/s", "latency": "{:.4g} ms"}})", 1.0 + 9.73 * x, 0.5 + 0.317 * y),
              answer(point, (0.3 + 0.01 / (1.0 + x) + 0.00123 * y) / 3.0));
  }
}

TEST_CASE("a cell of a map is darker the worse it is, in both themes") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  fill(store, 3);
  const std::string page = sweep_page(store, {}).value();
  CHECK(page.find(".heat7 { background: color-mix(in srgb, var(--one) var(--heat7), transparent); }") !=
        std::string::npos);
  const std::vector<std::string> best = testing::all_matches(page, "--heat0: (\\d+)%");
  const std::vector<std::string> worst = testing::all_matches(page, "--heat7: (\\d+)%");
  REQUIRE(best.size() == 2);
  REQUIRE(worst.size() == 2);
  CHECK(std::stoi(worst[0]) > std::stoi(best[0]));  // more colour on white is darker,
  CHECK(std::stoi(worst[1]) < std::stoi(best[1]));  // on black it is lighter
}

TEST_CASE("a page of ten thousand points with two axes of quantities stays below three megabytes", "[long_1]") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  put_grid(store, 100);
  const auto page = sweep_page(store, {});
  REQUIRE(page);
  CHECK(page->size() < 3'000'000);
  CHECK(testing::ill_formed(*page).empty());
  CHECK(page->find("Shown are 40 of 100 values of bandwidth and 40 of 100 values of latency") != std::string::npos);
  CHECK(page->find("heat0 best") != std::string::npos);
  CHECK(page->find("darker a cell, the worse") != std::string::npos);
  CHECK(page->find("Darker") == std::string::npos);
}

TEST_CASE("quantities carry the number by which they sort") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  fill(store, 3);
  const std::string page = sweep_page(store, {}).value();
  CHECK(page.find("<td data-v=\"1e+10\">10 GB/s</td>") != std::string::npos);
  CHECK(page.find("<td data-v=\"2e+10\">20 GB/s</td>") != std::string::npos);
  CHECK(page.find("<td>3</td>") != std::string::npos);
}

TEST_CASE("the page of a sweep shows intervals, reasons, the call and what was validated") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  put_grid(store, 3);
  const std::string page = sweep_page(store, {}).value();
  CHECK(page.find("\u00b1 ") != std::string::npos);
  CHECK(page.find("Why these figures?") != std::string::npos);
  CHECK(page.find("<b>Source:</b>") != std::string::npos);
  CHECK(page.find(
            command_html("headrace sweep grid --level simulate --steps 64 --seed 7 --contention off -o results.db")) !=
        std::string::npos);
  CHECK(page.find("<b>The verdict of the best point may be wrong.</b> nodes is 64.") < page.find("<nav"));
  CHECK(page.find("The verdict of 5 of 9 points may be wrong.") != std::string::npos);
  CHECK(page.find("<code>/jobs/0/loader/workers</code>") != std::string::npos);
  CHECK(page.find("Assumptions of the models") != std::string::npos);
  CHECK(testing::ill_formed(page).empty());
}

TEST_CASE("a ranking shows places and differences beside the points") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  put_grid(store, 2);
  store.put_ranking("grid", 2,
                    R"({"metric": "step_time_s", "place": 1, "difference": 0.0, "ci95": null, "state": "best"})");
  store.put_ranking("grid", 3,
                    R"({"metric": "step_time_s", "place": 2, "difference": 0.002, "ci95": [0.001, 0.003],
                        "state": "worse"})");
  const std::string page = sweep_page(store, {"", "step_time_s"}).value();
  CHECK(page.find("<td data-v=\"0.002\">2.00 ms \u00b1 1.0 ms</td>") != std::string::npos);
  CHECK(page.find(">more than the best</th>") != std::string::npos);
  CHECK(page.find("1 points are known to be worse") != std::string::npos);
}

TEST_CASE("ten thousand points stay below three megabytes") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  fill(store, 5000);
  const auto page = sweep_page(store, {});
  REQUIRE(page);
  CHECK(page->size() < 3'000'000);
}

}  // namespace
}  // namespace headrace::reports
