#include "reports/html/outcome_page.hpp"

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "reports/outcome_json.hpp"
#include "scenarios/embedded_texts.hpp"
#include "scenarios/scenario_file.hpp"
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

void collect_numbers(const Json& value, std::set<std::string>& numbers) {
  if (value.is_number()) numbers.insert(value.dump());
  if (value.is_structured())
    for (const Json& member : value) collect_numbers(member, numbers);
}

std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

TEST_CASE("every number of the page is a number of the document") {
  const Json document = sample_document();
  const std::string page = outcome_page(document, {});
  std::set<std::string> numbers;
  collect_numbers(document, numbers);
  const std::vector<std::string> shown = all_matches(page, "<data value=\"([^\"]*)\">");
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
  CHECK(page.find("Beyond the validated range") < page.find("<nav"));
  CHECK(page.find("bottleneck") != std::string::npos);
}

TEST_CASE("the page is well-formed and asks for nothing outside itself") {
  const std::string page = outcome_page(sample_document(), {"", "headrace simulate x --set '/a=<b>'", {}});
  CHECK(testing::ill_formed(page).empty());
  for (const std::string& target : all_matches(page, "(?:href|src)=\"([^\"]*)\"")) {
    INFO(target);
    CHECK((target.starts_with("#") || target == "data:,"));
  }
  CHECK(page.find("url(") == std::string::npos);
  CHECK(page.find("@import") == std::string::npos);
  for (const std::string& anchor : all_matches(page, "href=\"#([^\"]*)\""))
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

}  // namespace
}  // namespace headrace::reports
