#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace headrace::testing {
namespace {

TEST_CASE("a report stands beside the document", "[cli]") {
  const Folder folder;
  const std::string page = folder.path("out.html");
  const Run simulated = run("simulate prefetch-queue --steps 3000 --json --report '" + page + "'");
  CHECK((simulated.status == 0 || simulated.status == 3));
  CHECK(simulated.out.starts_with("{"));
  const std::string html = file_text(page);
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(html.find("headrace simulate prefetch-queue --steps 3000") != std::string::npos);
  CHECK(html.find("shipped:prefetch-queue") != std::string::npos);
  CHECK(folder.file_count() == 1);
}

TEST_CASE("a report is written also when the verdict is open", "[cli]") {
  const Folder folder;
  const Run simulated = run("simulate prefetch-queue --steps 20 --report '" + folder.path("short.html") + "'");
  CHECK(simulated.status == 3);
  CHECK(file_text(folder.path("short.html")).find("inconclusive") != std::string::npos);
}

TEST_CASE("a report that cannot be written is told before the run", "[cli]") {
  const Folder folder;
  const Run simulated = run("simulate prefetch-queue --report '" + folder.path("none/out.html") + "'");
  CHECK(simulated.status == 2);
  CHECK(simulated.err.find("none/out.html") != std::string::npos);
  CHECK(simulated.out.empty());
  const Run bound = run("bound prefetch-queue --report '" + folder.path("none/out.html") + "'");
  CHECK(bound.status == 2);
}

TEST_CASE("a timeline is a trace of the first steps", "[cli]") {
  const Folder folder;
  const Run simulated = run("simulate prefetch-queue --steps 3000 --timeline '" + folder.path("t.json") + "'");
  CHECK((simulated.status == 0 || simulated.status == 3));
  const nlohmann::json trace = nlohmann::json::parse(file_text(folder.path("t.json")));
  CHECK(trace["traceEvents"].size() > 1000);
  CHECK(run("simulate prefetch-queue --timeline '" + folder.path("none/t.json") + "'").status == 2);
}

TEST_CASE("a bound has a report too", "[cli]") {
  const Folder folder;
  CHECK(run("bound prefetch-queue --inputs ranges --report '" + folder.path("b.html") + "'").status == 0);
  CHECK(file_text(folder.path("b.html")).find("Measure these next") != std::string::npos);
}

}  // namespace
}  // namespace headrace::testing
