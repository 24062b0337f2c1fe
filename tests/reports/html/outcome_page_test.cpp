#include "reports/html/outcome_page.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

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
  CHECK(page.find(">bottleneck: transfer<") != std::string::npos);
}

/// Where words stand on a page, from a place on.
std::size_t place_of(const std::string& page, const std::string& words, std::size_t from = 0) {
  INFO(words);
  REQUIRE(page.find(words, from) != std::string::npos);
  return page.find(words, from);
}

/// The box of a station with its mark and figures.
std::string station_box(const std::string& page, const std::string& name, std::size_t from = 0) {
  const std::size_t name_at = place_of(page, "<b>" + name + "</b>", from);
  const std::size_t begin = page.rfind("<div class=\"station", name_at);
  return page.substr(begin, page.find("</div>", begin) - begin);
}

TEST_CASE("the only job has one lane from the store over the workers to the GPUs, with the bytes between them") {
  const std::string path = path_section(sample_document());
  CHECK(testing::ill_formed(path).empty());
  CHECK(testing::all_matches(path, "(<ol>)").size() == 1);
  CHECK(path.find("<h3>") == std::string::npos);
  CHECK(place_of(path, "<b>store requests</b>") < place_of(path, "<b>store bandwidth</b>"));
  CHECK(place_of(path, "<b>store bandwidth</b>") < place_of(path, "<b>workers</b>"));
  CHECK(place_of(path, "<b>workers</b>") < place_of(path, "<b>GPUs</b>"));
  CHECK(station_box(path, "workers").find("busy ") != std::string::npos);
  CHECK(station_box(path, "GPUs").find("compute <data value=\"0.9458\">94.58 %") != std::string::npos);
  // Into the workers and into the GPUs; the sample does not know what the store sends.
  CHECK(testing::all_matches(path, "class=\"edge\"><data value=\"(25000000000.0)\">25.0 GB/s").size() == 2);
  CHECK(testing::all_matches(path, "(class=\"edge\")").size() == 3);
}

Json document_of_two_jobs() {
  Json document = sample_document();
  document["stations"] = Json::array();
  const auto add = [&](const char* resource, const char* name, const char* owner, double carries) {
    document["stations"].push_back({{"name", name},
                                    {"resource", resource},
                                    {"owner", owner},
                                    {"utilization", 0.5},
                                    {"capacity", 2.0 * carries},
                                    {"throughput", carries},
                                    {"unit", "B/s"}});
  };
  add("store_bandwidth", "store bandwidth (files)", "files", 5e9);
  add("spine", "spine (train)", "train", 4e9);
  add("nic", "nic (job vision)", "vision", 1e9);
  add("nic", "nic (job video)", "video", 1e9);
  add("spine", "spine (small)", "small", 1e9);
  document["metrics"]["store_bytes_per_s"] = {{"mean", 5e9}, {"unit", "B/s"}};
  document["jobs"] = Json::array();
  for (const auto& [name, copies, rate] : {std::tuple("vision", 1U, 4e9), std::tuple("video", 2U, 5e8)})
    document["jobs"].push_back({{"name", name},
                                {"copies", copies},
                                {"nodes", 4U},
                                {"gpus", 32U},
                                {"verdict", "fed"},
                                {"metrics",
                                 {{"gpu_utilization", {{"mean", 0.75}, {"unit", "1"}}},
                                  {"store_bytes_per_s", {{"mean", rate}, {"unit", "B/s"}}},
                                  {"ingest_bytes_per_s", {{"mean", rate}, {"unit", "B/s"}}}}}});
  return document;
}

TEST_CASE("a capacity says what it is of, and arrows what their numbers are where caches carry more") {
  Json document = document_of_two_jobs();
  std::string path = path_section(document);
  CHECK(station_box(path, "nic").find(" a node</small>") != std::string::npos);
  CHECK(station_box(path, "spine (train)").find(" a node") == std::string::npos);
  CHECK(path.find("The number on an arrow") == std::string::npos);
  CHECK(stations_section(document).find("told of one of them") != std::string::npos);
  document["stations"][0]["resource"] = "shared_cache";
  path = path_section(document);
  CHECK(path.find("The number on an arrow is what all stores send") != std::string::npos);
  CHECK(path.find("Background load") == std::string::npos);
  document["background"] = Json::array({{{"name", "backup"}, {"asked_bytes_per_s", 1e9}, {"served_bytes_per_s", 1e9}}});
  path = path_section(document);
  CHECK(path.find("Background load is on no arrow, only in the stations that serve it.") != std::string::npos);
}

TEST_CASE("what binds is marked by the rule of the window: a full resource, else the workers of a job that waits") {
  Json document = sample_document();
  std::string path = path_section(document);
  CHECK(station_box(path, "store bandwidth").find("bottleneck: transfer") != std::string::npos);
  CHECK(path.find("The bottleneck is the stage transfer; the frame is around the resource that serves it.") !=
        std::string::npos);
  CHECK(testing::all_matches(path, "(>bottleneck: transfer<)").size() == 1);
  document["stations"][1]["utilization"] = 0.85;  // not full, but busier than the workers
  CHECK(station_box(path_section(document), "store bandwidth").find("bottleneck: transfer") != std::string::npos);
  document["stations"][1]["utilization"] = 0.5;
  path = path_section(document);
  CHECK(station_box(path, "workers").find("bottleneck: transfer") != std::string::npos);
  CHECK(testing::all_matches(path, "(>bottleneck: transfer<)").size() == 1);
  CHECK(path.find("The bottleneck is the stage transfer. No resource that serves it is full: the frame is around the "
                  "workers, which spend their time in it.") != std::string::npos);
  document["verdict"] = "fed";
  CHECK(path_section(document).find(">bottleneck") == std::string::npos);
  document["verdict"] = "ingest_bound";
  document.erase("scenario");  // how busy the workers are is not known
  path = path_section(document);
  CHECK(path.find("<b>workers</b>") == std::string::npos);
  CHECK(path.find("No station is full, so none is framed; the bottleneck is the stage transfer.") != std::string::npos);
}

TEST_CASE("several jobs share the first stations and have a lane each, edges with their own bytes") {
  Json document = document_of_two_jobs();
  const std::string path = path_section(document);
  CHECK(testing::ill_formed(path).empty());
  const std::size_t vision = place_of(path, "<h3>Job vision <small>4 nodes, 32 GPUs</small></h3>");
  const std::size_t video = place_of(path, "<h3>Job video <small>one of 2 copies: 2 nodes, 16 GPUs</small></h3>");
  CHECK(place_of(path, "<h3>Shared by jobs</h3>") < place_of(path, "<b>store bandwidth (files)</b>"));
  CHECK(place_of(path, "<b>spine (small)</b>") < vision);
  CHECK(vision < video);
  CHECK(path.substr(vision, video - vision).find("<b>nic</b>") != std::string::npos);
  CHECK(path.substr(vision, video - vision).find("<b>GPUs</b>") != std::string::npos);
  CHECK(path.find("<b>nic</b>", video) != std::string::npos);
  // Two pools stand beside each other in one step, each under what it carries.
  CHECK(testing::all_matches(path.substr(0, vision), "(<li>)").size() == 2);
  CHECK(place_of(path, "4.00 GB/s") < place_of(path, "<b>spine (train)</b>"));
  CHECK(place_of(path, "1.00 GB/s") > place_of(path, "<b>spine (train)</b>"));
  CHECK(path.substr(vision, video - vision).find("4.00 GB/s") != std::string::npos);
  CHECK(path.find("500 MB/s", video) != std::string::npos);
}

TEST_CASE("an edge is as wide as its bytes per second, and filled by the station before it") {
  const std::string path = path_section(document_of_two_jobs());
  const std::vector<std::string> wide = testing::all_matches(path, "class=\"rail\"[^>]* height=\"([^\"]*)\"");
  const std::vector<std::string> full =
      testing::all_matches(path, "rect class=\"one\" x=\"0\" y=[^>]* width=\"41\" height=\"([^\"]*)\"");
  REQUIRE(wide.size() == full.size());
  REQUIRE(wide.size() == 6);  // two pools, and of each job its network card and its GPUs
  CHECK(std::stod(wide[0]) == 8.0);
  CHECK(std::stod(wide[1]) < 0.5 * std::stod(wide[0]));
  CHECK(std::stod(full[0]) == 4.0);
}

TEST_CASE("a document of an earlier version, which names no resources, has its stations all the same") {
  Json document = document_of_two_jobs();
  document["stations"][3].erase("resource");
  const std::string path = path_section(document);
  CHECK(path.find("<b>nic</b>", place_of(path, "<h3>Job video")) != std::string::npos);
}

TEST_CASE("money of a tile is short, as its interval is, and no tile is narrower than its number") {
  Json document = sample_document();
  document["metrics"]["cost_per_epoch_usd"] = {
      {"mean", 111830579.66}, {"ci95", {111830500.25, 111831000.5}}, {"unit", "USD"}, {"kind", "simulated"}};
  const std::string tiles = outcome_tiles(document);
  CHECK(tiles.find("<b><data value=\"111830579.66\">$111.8 M</data></b>") != std::string::npos);
  CHECK(tiles.find("noise, 95 %: <data value=\"111830500.25\">$111.8 M</data></span>") != std::string::npos);
  document["metrics"]["cost_per_epoch_usd"]["mean"] = 0.00000293;
  CHECK(outcome_tiles(document).find(">$0.00000293<") != std::string::npos);
  const std::string page = outcome_page(document, {});
  CHECK(page.find(".tiles { display: flex; flex-wrap: wrap;") != std::string::npos);  // a grid cuts or overflows
  CHECK(page.find(".tiles data { white-space: nowrap; }") != std::string::npos);
}

TEST_CASE("figures of several jobs that are not alike have no tile") {
  Json document = sample_document();
  CHECK(outcome_tiles(document).find(">step<") != std::string::npos);
  document["jobs"] = Json::array({Json::object(), Json::object()});
  const std::string tiles = outcome_tiles(document);
  CHECK(tiles.find(">step<") == std::string::npos);
  CHECK(tiles.find(">epoch<") == std::string::npos);
  CHECK(tiles.find(">GPUs wait for data<") != std::string::npos);
}

TEST_CASE("figures of a scenario without prices say so instead of $0.00") {
  Json document = sample_document();
  const auto row_of = [&](const char* name) {
    const std::string html = metrics_section(document);
    const std::size_t row = html.rfind("<tr>", place_of(html, name));
    return html.substr(row, html.find("</tr>", row) - row);
  };
  document["metrics"]["idle_cost_per_epoch_usd"] = {{"mean", 0.0}, {"ci95", {0.0, 0.0}}, {"unit", "USD"}};
  CHECK(row_of("idle_cost_per_epoch_usd").find(">$0.00<") != std::string::npos);  // of priced GPUs that do not wait
  document["metrics"]["cost_per_epoch_usd"] = {{"mean", 0.0}, {"ci95", {0.0, 0.0}}, {"unit", "USD"}};
  for (const char* name : {"cost_per_epoch_usd", "idle_cost_per_epoch_usd"}) {
    CHECK(row_of(name).find(">no prices<") != std::string::npos);
    CHECK(row_of(name).find("$0") == std::string::npos);
  }
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
