#include "reports/html/outcome_page.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "reports/html/outcome_sections.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"
#include "tests/reports/html/well_formed.hpp"
#include "tests/reports/sample_outcome.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;

Json sample_document() {
  const std::vector<std::string> names = {"image-node"};
  const auto loaded = scenarios::load_scenario(names);
  REQUIRE(loaded);
  return outcome_json(testing::sample_outcome(), {loaded->resolved, loaded->composition.catalogue_version});
}

void collect_number_texts(const Json& value, std::set<std::string>& numbers) {
  if (value.is_number()) numbers.insert(value.dump());
  if (value.is_structured())
    for (const Json& member : value) collect_number_texts(member, numbers);
}

TEST_CASE("every number of the page is a number of the document") {
  const Json document = sample_document();
  const std::string page = outcome_page(document, {});
  std::set<std::string> numbers;
  collect_number_texts(document, numbers);
  const std::vector<std::string> shown = testing::all_matches(page, "<data value=\"([^\"]*)\">");
  CHECK(shown.size() > 80);
  for (const std::string& value : shown) {
    INFO(value);
    CHECK(numbers.count(value) == 1);
  }
}

TEST_CASE("the page shows every metric, stage, station, ledger line and input") {
  const Json document = sample_document();
  const std::string page = outcome_page(document, {});
  for (const auto& [name, metric] : document["metrics"].items()) {
    INFO(name);
    CHECK(page.find("<data value=\"" + metric["mean"].dump() + "\">") != std::string::npos);
    CHECK(page.find("<code>" + name + "</code>") != std::string::npos);
  }
  for (const auto& [name, blame] : document["blame"].items())
    CHECK(page.find("<data value=\"" + blame["queueing"].dump() + "\">") != std::string::npos);
  for (const Json& station : document["stations"])
    CHECK(page.find(station["name"].get<std::string>()) != std::string::npos);
  for (const Json& line : document["ledger"])
    CHECK(page.find("<data value=\"" + line["usd"].dump() + "\">") != std::string::npos);
  CHECK(page.find("<code>/jobs/0/loader/workers</code>") != std::string::npos);
  CHECK(page.find("ingest-bound by transfer") != std::string::npos);
  CHECK(page.find("The verdict may be wrong.") < page.find("<nav"));
  CHECK(page.find("bottleneck") != std::string::npos);
}

TEST_CASE("stations stand where they are: store, network, nodes, and the nodes of several jobs apart") {
  Json document = sample_document();
  document["stations"] = Json::array();
  const auto add = [&](const char* resource, const char* name, const char* owner) {
    Json station = {{"name", name}, {"resource", resource}, {"utilization", 0.5}, {"capacity", 1.0}, {"unit", "B/s"}};
    if (*owner != 0) station["owner"] = owner;
    document["stations"].push_back(station);
  };
  add("store_bandwidth", "store bandwidth (files)", "files");
  add("spine", "spine (train)", "train");
  add("nic", "nic (job vision)", "vision");
  add("nic", "nic (job video)", "video");
  const std::string page = outcome_page(document, {});
  const auto place = [&](const std::string& words) {
    INFO(words);
    REQUIRE(page.find(words) != std::string::npos);
    return page.find(words);
  };
  CHECK(place("<h3>Store</h3>") < place("<b>store bandwidth (files)</b>"));
  CHECK(place("<b>store bandwidth (files)</b>") < place("<h3>Network</h3>"));
  CHECK(place("<h3>Network</h3>") < place("<b>spine (train)</b>"));
  CHECK(place("<b>spine (train)</b>") < place("<h3>Nodes</h3>"));
  CHECK(place("<h3>Nodes</h3>") < place("<small>job vision</small>"));
  CHECK(place("<small>job vision</small>") < place("<small>job video</small>"));
  CHECK(page.find("<b>nic</b>", place("<small>job video</small>")) != std::string::npos);
  document["stations"][3].erase("resource");  // an earlier version does not say it
  CHECK(outcome_page(document, {}).find("<b>nic (job video)</b>") != std::string::npos);
}

TEST_CASE("the page draws a tornado whose ends are those of the document") {
  const Json document = sample_document();
  const std::string page = outcome_page(document, {});
  const std::size_t tornado = page.find("Tornado: each input");
  REQUIRE(tornado != std::string::npos);
  for (const auto& [metric, bars] : document["inputs"]["tornado"].items())
    for (const Json& bar : bars["bars"])
      for (const char* end : {"at_low", "at_high"})
        CHECK(page.find("<data value=\"" + bar[end].dump() + "\">", tornado) != std::string::npos);
  CHECK(page.find("simulated for <data value=\"1024\">") != std::string::npos);
}

TEST_CASE("the page is well-formed and asks for nothing outside itself") {
  const std::string page = outcome_page(sample_document(), {"", "headrace simulate x --set '/a=<b>'", {}});
  CHECK(testing::ill_formed(page).empty());
  for (const std::string& target : testing::all_matches(page, "(?:href|src)=\"([^\"]*)\"")) {
    INFO(target);
    CHECK((target.starts_with("#") || target == "data:,"));
  }
  CHECK(page.find("url(") == std::string::npos);
  CHECK(page.find("@import") == std::string::npos);
  for (const std::string& anchor : testing::all_matches(page, "href=\"#([^\"]*)\""))
    CHECK(page.find("id=\"" + anchor + "\"") != std::string::npos);
  CHECK(page.size() < 3'000'000);
}

TEST_CASE("words of a scenario stay words") {
  Json document = sample_document();
  const std::string evil = "</title><script>alert(\"&'\")</script>";
  document["scenario"]["title"] = evil;
  document["stations"][0]["name"] = evil;
  document["warnings"].push_back({{"seen", evil}, {"cause", evil}, {"fix", evil}});
  document["jobs"][0]["name"] = evil;
  document["ledger"][0]["item"] = evil;
  const std::string page = outcome_page(document, {"", evil, [&](const std::string&) { return evil; }});
  CHECK(page.find("<script>alert") == std::string::npos);
  CHECK(testing::ill_formed(page).empty());
}

TEST_CASE("origins stand beside the inputs") {
  const std::string page =
      outcome_page(sample_document(), {"", "", [](const std::string& pointer) {
                                         return pointer == "/jobs/0/loader/workers" ? "cluster.json:4:5" : "default";
                                       }});
  const std::size_t row = page.find("<code>/jobs/0/loader/workers</code>");
  REQUIRE(row != std::string::npos);
  const std::string cells = page.substr(row, page.find("</tr>", row) - row);
  CHECK(cells.find("cluster.json:4:5") != std::string::npos);
}

TEST_CASE("an outcome that says little gives a page without empty sections") {
  models::Outcome outcome;
  outcome.verdict = models::Verdict::infeasible;
  outcome.stopped_by = "closed_form";
  outcome.warnings.push_back({"no memory", "too many workers", "take fewer"});
  const Json scenario = Json::object();
  const std::string page = outcome_page(outcome_json(outcome, {scenario, "2026-01-01"}), {});
  CHECK(testing::ill_formed(page).empty());
  CHECK(page.find("infeasible") != std::string::npos);
  CHECK(page.find("too many workers") != std::string::npos);
  CHECK(page.find("id=\"stations\"") == std::string::npos);
  CHECK(page.find("id=\"money\"") == std::string::npos);
}

/// One loader that always has four batches ahead: batch n is ready when step n - 4 starts.
models::Timeline four_ahead(double window_share) {
  models::JobTimeline job;
  job.name = "train";
  job.loaders = job.watched = 1;
  job.batch_samples = 8;
  job.window_share = window_share;
  constexpr std::uint64_t kSteps = 50;
  for (std::uint64_t step = 0; step <= kSteps + 4; ++step) {
    models::TimelineBatch batch;
    batch.batch = batch.step = step;
    batch.taken_ns = static_cast<sim::TimeNs>(step) * 1'000'000'000;
    batch.ready_ns = std::max<sim::TimeNs>(0, batch.taken_ns - 4'000'000'000);
    (step <= kSteps ? job.batches : job.waiting).push_back(batch);
    if (step > kSteps) continue;
    job.steps.records.emplace_back();
    job.steps.records.back().start_ns = batch.taken_ns;
  }
  return {{job}};
}

TEST_CASE("batches lie ready until the end of what is drawn") {
  const models::Timeline timeline = four_ahead(1.0);
  const std::string html = series_section(Json::object(), {"", "", {}, &timeline});
  CHECK(html.find("step 10, 10.00 s: 5.000") != std::string::npos);
  CHECK(html.find("step 49, 49.00 s: 5.000") != std::string::npos);
  CHECK(html.find("first window") == std::string::npos);
}

TEST_CASE("a series of one window of the epoch says so") {
  const models::Timeline timeline = four_ahead(0.125);
  const std::string html = series_section(Json::object(), {"", "", {}, &timeline});
  CHECK(html.find("The first window of the epoch only") < html.find("<svg"));
  CHECK(html.find("12.5 %") != std::string::npos);
}

TEST_CASE("a sizing sheet stands on the page with formulas, sources and what is missing") {
  Json document = sample_document();
  CHECK(sizing_section(document).empty());
  document["sizing"] =
      Json::array({{{"name", "misses_step_s"},
                    {"room", "cache"},
                    {"job", "train"},
                    {"value", 0.064},
                    {"unit", "s"},
                    {"formula", "max over <links>"},
                    {"inputs", {{{"symbol", "p"}, {"from", "/prices"}, {"value", 2e-11}, {"unit", "USD/B"}}}},
                    {"source", "conservation of flow"}}});
  document["sizing_missing"] = Json::array({{{"name", "egress"}, {"room", "money"}, {"job", ""}, {"needs", "prices"}}});
  const std::string page = outcome_page(document, {});
  CHECK(testing::ill_formed(page).empty());
  CHECK(page.find("<data value=\"0.064\">64.00 ms</data>") != std::string::npos);
  CHECK(page.find("max over &lt;links&gt;") != std::string::npos);
  CHECK(page.find("$0.02/GB") != std::string::npos);
  CHECK(page.find("conservation of flow") != std::string::npos);
  CHECK(page.find("Figures with missing inputs") != std::string::npos);
}

}  // namespace
}  // namespace headrace::reports
