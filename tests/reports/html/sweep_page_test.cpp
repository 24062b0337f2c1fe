#include "reports/html/sweep_page.hpp"

#include <fmt/format.h>

#include "tests/catch.hpp"
#include "tests/reports/html/well_formed.hpp"

namespace headrace::reports {
namespace {

using scenarios::ResultsStore;

/// A store in memory with `workers` x two stores; more workers are faster, and one point failed.
void fill(ResultsStore& store, std::uint64_t workers) {
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
    for (const char* bandwidth : {"10 GB/s", "20 GB/s"}) {
      const double step_s = 1.0 / static_cast<double>(n) + (std::string(bandwidth) == "10 GB/s" ? 0.5 : 0.25);
      scenarios::ResultRecord result;
      result.key = fmt::format("k{}", point);
      result.level = "simulate";
      result.model_version = "1";
      result.options = "{}";
      result.outcome = fmt::format(
          R"({{"verdict": "fed", "metrics": {{"step_time_s": {{"mean": {}, "ci95": [{}, {}], "unit": "s"}}}}}})",
          step_s, step_s * 0.99, step_s * 1.01);
      store.put("abc", point, fmt::format(R"({{"workers": {}, "store": "{}"}})", n, bandwidth), result);
      ++point;
    }
  scenarios::ResultRecord failed;
  failed.key = "bad";
  failed.level = "simulate";
  failed.model_version = "1";
  failed.options = "{}";
  failed.failed = true;
  failed.error = "more workers than cores & so on";
  store.put("abc", point, R"({"workers": 999, "store": "10 GB/s"})", failed);
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
  CHECK(page.find("heat7 best") != std::string::npos);
}

TEST_CASE("a metric that no point has, or that does not exist, is told") {
  ResultsStore store(":memory:", ResultsStore::Access::write);
  fill(store, 2);
  CHECK(sweep_page(store, {"", "cost_per_epoch_usd"}).error().message.find("no point") != std::string::npos);
  CHECK(sweep_page(store, {"", "step_tme_s"}).error().help.find("step_time_s") != std::string::npos);
  CHECK(sweep_page(store, {"zz", ""}).error().message.find("zz") != std::string::npos);
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
