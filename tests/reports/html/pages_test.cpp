#include <algorithm>
#include <cmath>
#include <set>

#include "models/outcome/outcome.hpp"
#include "reports/backtest_json.hpp"
#include "reports/export/document_page.hpp"
#include "reports/html/backtest_page.hpp"
#include "reports/html/calibration_page.hpp"
#include "reports/html/decision_pages.hpp"
#include "reports/html/gate_page.hpp"
#include "reports/html/measured_section.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/html/plan_page.hpp"
#include "reports/plan_text.hpp"
#include "reports/tender/tender.hpp"
#include "scenarios/document/site_file.hpp"
#include "tests/catch.hpp"
#include "tests/reports/html/well_formed.hpp"
#include "tests/reports/sample_documents.hpp"

namespace headrace::reports {
namespace {

using testing::Json;

struct Sample {
  std::string name;
  Json document;
  std::string page;
};

std::vector<Sample> samples() {
  std::vector<Sample> all;
  const PageFacts facts{"A title", "headrace x --set '/a=<b>'"};
  for (const auto& [name, document] :
       {std::pair("outcome", testing::sample_outcome_document()), std::pair("plan", testing::sample_plan_document()),
        std::pair("check", testing::sample_check_document()), std::pair("compare", testing::sample_compare_document()),
        std::pair("backtest", testing::sample_backtest_document()),
        std::pair("verify", testing::sample_verification_document())}) {
    const auto page = document_page(document, facts);
    REQUIRE(page);
    all.push_back({name, document, *page});
  }
  const auto calibration = testing::sample_calibration();
  all.push_back({"calibration", scenarios::site_file(calibration), calibration_page(calibration, facts)});
  return all;
}

void collect_numbers(const Json& value, std::set<double>& numbers) {
  if (value.is_number()) numbers.insert(value.get<double>());
  if (value.is_structured())
    for (const Json& member : value) collect_numbers(member, numbers);
}

TEST_CASE("every number of every page is a number of its document") {
  for (const Sample& sample : samples()) {
    std::set<double> numbers;
    collect_numbers(sample.document, numbers);
    const auto shown = testing::all_matches(sample.page, "<data value=\"([^\"]*)\">");
    INFO(sample.name);
    CHECK(shown.size() > 8);
    for (const std::string& value : shown) {
      INFO(value);
      CHECK(numbers.count(std::stod(value)) == 1);
    }
  }
}

TEST_CASE("every page is well-formed, has headings and asks for nothing outside itself") {
  for (const Sample& sample : samples()) {
    INFO(sample.name);
    CHECK(testing::ill_formed(sample.page).empty());
    for (const std::string& target : testing::all_matches(sample.page, "(?:href|src)=\"([^\"]*)\""))
      CHECK((target.starts_with("#") || target == "data:,"));
    for (const std::string& anchor : testing::all_matches(sample.page, "href=\"#([^\"]*)\"")) {
      INFO(anchor);
      CHECK(sample.page.find("id=\"" + anchor + "\"") != std::string::npos);
    }
    CHECK(sample.page.find("url(") == std::string::npos);
    CHECK(sample.page.find("content=\"default-src 'none'; style-src 'unsafe-inline';") < sample.page.find("<style>"));
    CHECK(testing::all_matches(sample.page, "<(h1)>").size() == 1);
    CHECK(sample.page.find("headrace x <span class=\"option\">--set</span> &#39;/a=&lt;b&gt;&#39;") !=
          std::string::npos);
    CHECK(sample.page.find("<verdict") == std::string::npos);
    CHECK(sample.page.find("class=\"verdict ") < sample.page.find("<nav"));
  }
}

TEST_CASE("every chart has a name and a table on its page") {
  for (const Sample& sample : samples()) {
    INFO(sample.name);
    CHECK(testing::all_matches(sample.page, "(<svg class=\"bar\"(?![^>]*aria-hidden))").empty());
    CHECK(testing::all_matches(sample.page, "(<svg viewBox(?![^>]*aria-label))").empty());
    CHECK(sample.page.find("<table") != std::string::npos);
  }
}

void poison(Json& value, const std::string& evil) {
  if (value.is_string()) value = value.get<std::string>() + evil;
  if (value.is_structured())
    for (Json& member : value) poison(member, evil);
}

TEST_CASE("words of a document stay words on every page") {
  const std::string evil = "</title><script>alert(\"&'\")</script>";
  for (Sample& sample : samples()) {
    if (sample.name == "calibration") continue;
    Json document = sample.document;
    for (const auto& [key, value] : sample.document.items()) {
      Json one = sample.document;
      if (key == "scenario" || key == "outcome") continue;  // values of scenarios: outcome_page_test
      poison(one[key], evil);
      const auto page = document_page(one, {});
      INFO(sample.name << " " << key);
      if (!page) continue;
      CHECK(page->find("<script>alert") == std::string::npos);
      CHECK(testing::ill_formed(*page).empty());
    }
  }
  auto calibration = testing::sample_calibration();
  calibration.path = calibration.host[0].value = calibration.parameters[0].name = calibration.fits[0].decision = evil;
  CHECK(calibration_page(calibration, {}).find("<script>alert") == std::string::npos);
}

TEST_CASE("a document that misses parts gives a page all the same") {
  for (const Sample& sample : samples()) {
    if (sample.name == "calibration") continue;
    for (const auto& [key, value] : sample.document.items()) {
      Json without = sample.document;
      without.erase(key);
      INFO(sample.name << " without " << key);
      if (kind_of(without) == kind_of(sample.document)) CHECK(testing::ill_formed(*document_page(without, {})).empty());
      without[key] = nullptr;
      if (kind_of(without) == kind_of(sample.document)) CHECK(testing::ill_formed(*document_page(without, {})).empty());
    }
  }
}

TEST_CASE("the page of a plan names decisions, events, what is forbidden, and today's inputs") {
  const auto origin_of = [](const std::string&) { return std::string("cluster.json:4:5"); };
  const std::string page = plan_page(testing::sample_plan_document(), {}, origin_of);
  for (const char* words :
       {"loaders&#39; workers", "On bad days", "storage node down", "Better by its bound, but forbidden",
        "cluster.json:4:5", "Assumptions of the models", "a thing seen"}) {
    INFO(words);
    CHECK(page.find(words) != std::string::npos);
  }
}

TEST_CASE("the first screen of a plan says that its verdict may be wrong, on the page and in the text") {
  const std::string page = plan_page(testing::sample_plan_document(), {});
  CHECK(page.find("<b>The verdict may be wrong.</b> Outside the range of the references: nodes") < page.find("<nav"));
  CHECK(page.find("id=\"evidence\"") != std::string::npos);
  const std::string text = plan_text(testing::sample_plan(), "A plan", PlanDetail::all, {});
  CHECK(text.find("Confidence in the recommended configuration: extrapolated; the verdict") < text.find("Cost"));
  Json inside = testing::sample_plan_document();
  inside["confidence"]["may_change_verdict"] = false;
  CHECK(plan_page(inside, {}).find("The verdict may be wrong") == std::string::npos);
  CHECK(page.find("verdict unsure") != std::string::npos);  // not in the colour of what is sure
  CHECK(plan_page(inside, {}).find("verdict good") != std::string::npos);
}

TEST_CASE("where nothing has a price the page of a plan tells what changes save in time") {
  Json document = testing::sample_plan_document();
  const std::string dollars = "by dollars gained per dollar spent";
  CHECK(plan_page(document, {}).find(dollars) != std::string::npos);
  for (const char* point : {"recommended", "today"}) document[point]["metrics"]["cost_per_epoch_usd"]["mean"] = 0.0;
  const std::string page = plan_page(document, {});
  CHECK(page.find(dollars) == std::string::npos);
  CHECK(page.find("Changes from today, by gain in time") != std::string::npos);
}

TEST_CASE("a gain that noise hides is drawn as none, without an interval") {
  const Json document = testing::sample_plan_document();
  REQUIRE(document["changes"][0]["gained_usd"].is_null());
  const std::string page = plan_page(document, {});
  CHECK(page.find("\"nan\"") == std::string::npos);
  const std::size_t row = page.find("workers 7 to 6");
  REQUIRE(row != std::string::npos);
  CHECK(page.substr(row, page.find("</svg>", row) - row).find("class=\"noise\"") == std::string::npos);
}

TEST_CASE("the page of a plan that was stopped is not a good one") {
  Json document = testing::sample_plan_document();
  document["confidence"]["may_change_verdict"] = false;
  document["stopped_by"] = "max_wall";
  document["stopped"] = "--max-wall ended the plan before trimming.";
  const std::string page = plan_page(document, {});
  CHECK(page.find("before trimming") != std::string::npos);
  CHECK(page.find("verdict unsure") != std::string::npos);
}

TEST_CASE("configurations that hardly differ are not drawn over one value again and again") {
  Json document = testing::sample_plan_document();
  const auto move = [](Json& point, double by) {
    point["metrics"]["epoch_time_s"]["mean"] = 498.0 * (1.0 + by);
    point["metrics"]["cost_per_epoch_usd"] = {{"mean", 33.2031 * (1.0 + by)}, {"ci95", nullptr}, {"unit", "USD"}};
  };
  double by = 0.0;
  for (const char* one : {"recommended", "today"}) move(document[one], by += 1e-7);
  for (Json& point : document["pareto_front"]) move(point, by += 1e-7);
  const std::string page = plan_page(document, {});
  const std::size_t begin = page.find("<svg viewBox");
  REQUIRE(begin != std::string::npos);
  const auto ticks =
      testing::all_matches(page.substr(begin, page.find("</svg>", begin) - begin), "<text[^>]*>([0-9.,]+)</text>");
  CHECK(ticks.size() > 4);
  for (const std::string& tick : ticks) {
    INFO(tick);
    CHECK(std::count(ticks.begin(), ticks.end(), tick) < 3);
  }
}

TEST_CASE("shares that are all but equal have an axis of a point") {
  Json document = testing::sample_plan_document();
  document["objective"] = "idle GPUs";
  document["recommended"]["metrics"]["gpu_idle_fraction"]["mean"] = 2e-16;
  double by = 0.0;
  document["search"]["trace"] = Json::array();
  for (const char* fate : {"recommended", "slower"})
    document["search"]["trace"].push_back({{"configuration", "workers 6"},
                                           {"level", "simulation"},
                                           {"bound", 0.0},
                                           {"mean", by += 1e-16},
                                           {"fate", fate},
                                           {"best_so_far", true}});
  const std::string page = plan_page(document, {});
  const std::size_t begin = page.find("The search, run by run");
  REQUIRE(begin != std::string::npos);
  const std::string drawing = page.substr(begin, page.find("</svg>", begin) - begin);
  CHECK(drawing.find("e-1") == std::string::npos);
  CHECK(drawing.find(">0.5</text>") != std::string::npos);
}

TEST_CASE("a chart says its finding to those who do not see it") {
  const std::string page = outcome_page(testing::sample_outcome_document(), {});
  const auto labels = testing::all_matches(page, "<svg class=\"stack\"[^>]*aria-label=\"([^\"]*)\"");
  REQUIRE(!labels.empty());
  CHECK(labels.front().find("compute ") != std::string::npos);
  CHECK(labels.front().find(" %") != std::string::npos);
  for (const Sample& sample : samples())
    for (const std::string& label :
         testing::all_matches(sample.page, "role=\"img\" aria-label=\"([^\"]* over [^\"]*)\"")) {
      INFO(sample.name << ": " << label);
      CHECK(label.find_first_of("0123456789") != std::string::npos);
    }
}

TEST_CASE("no two states of GPU time share a colour") {
  Json document = testing::sample_outcome_document();
  document["gpu_states"] = Json::object();
  for (const std::string_view state : models::kGpuStateNames) document["gpu_states"][std::string(state)] = 1.0 / 9.0;
  const std::string page = outcome_page(document, {});
  const std::size_t begin = page.find("<svg class=\"stack\"");
  const auto colours =
      testing::all_matches(page.substr(begin, page.find("</svg>", begin) - begin), "<rect class=\"([a-z]+)\"");
  CHECK(std::set<std::string>(colours.begin(), colours.end()).size() == models::kGpuStateNames.size());
}

TEST_CASE("what scrolls can be reached by keyboard") {
  for (const Sample& sample : samples()) {
    INFO(sample.name);
    CHECK(testing::all_matches(sample.page, "(<pre(?! tabindex))").empty());
    CHECK(testing::all_matches(sample.page,
                               "(<div class=\"scroll\"(?! tabindex=\"0\" role=\"region\" aria-label=\"[^\"]))")
              .empty());
  }
}

TEST_CASE("documents are told apart") {
  CHECK(kind_of(testing::sample_outcome_document()) == DocumentKind::outcome);
  CHECK(kind_of(testing::sample_plan_document()) == DocumentKind::plan);
  CHECK(kind_of(testing::sample_check_document()) == DocumentKind::check);
  CHECK(kind_of(testing::sample_compare_document()) == DocumentKind::compare);
  CHECK(kind_of(testing::sample_backtest_document()) == DocumentKind::backtest);
  CHECK(kind_of(scenarios::site_file(testing::sample_calibration())) == DocumentKind::calibration);
  CHECK(kind_of(testing::sample_verification_document()) == DocumentKind::verification);
  CHECK(kind_of(Json::object()) == DocumentKind::unknown);
  CHECK(kind_of(Json("text")) == DocumentKind::unknown);
  CHECK_FALSE(document_page(Json::object(), {}));
}

TEST_CASE("a plan's page says what to take, what it beat and what to change first") {
  const std::string page = plan_page(testing::sample_plan_document(), {});
  CHECK(page.find("Take loaders&#39; workers 6") != std::string::npos);
  CHECK(page.find("Runner-up") != std::string::npos);
  CHECK(page.find("25 Gb/s to 50 Gb/s") != std::string::npos);
  CHECK(page.find("id=\"tradeoff\"") != std::string::npos);
  CHECK(page.find("best so far") != std::string::npos);
  CHECK(page.find("epoch_time_s &lt; 600 s") != std::string::npos);
}

TEST_CASE("a change is told as better or worse by the metric's direction") {
  const std::string page = compare_page(read_comparison(testing::sample_compare_document()), {});
  const auto said = [&](const char* figure) {
    const std::size_t row =
        page.find(std::string("<summary>") + figure + "</summary>", page.find("id=\"differences\""));
    const std::string cells = page.substr(row, page.find("</tr>", row) - row);
    return cells.substr(cells.rfind("<span"));
  };
  CHECK(said("step time").find("worse") != std::string::npos);
  CHECK(said("samples per second").find("better") != std::string::npos);
  CHECK(said("GPU idle time").find("no change seen") != std::string::npos);
  CHECK(page.find("Unchanged") != std::string::npos);
  CHECK(page.find("-1.25 points") != std::string::npos);
}

TEST_CASE("the first screen of a comparison says which verdict may be wrong, the page what binds") {
  Json document = testing::sample_compare_document();
  document["a"]["confidence"]["may_change_verdict"] = false;
  document["b"]["binding"] = "transfer";
  const std::string page = compare_page(read_comparison(document), {});
  CHECK(page.find("<b>The verdict of A may be wrong.</b>") == std::string::npos);
  CHECK(page.find("<b>The verdict of B may be wrong.</b> Outside the range of the references: nodes is 40; the "
                  "references reach 16.") < page.find("<nav"));
  CHECK(page.find("<td>decode</td><td>transfer</td>") != std::string::npos);
}

TEST_CASE("a verification shows no interval that cannot be") {
  Json document = testing::sample_verification_document();
  Json& point = document["points"][0];
  point["measured"]["step_time_s"]["ci95"] = {-0.000981, 0.012};
  point["measured"]["gpu_idle_fraction"]["ci95"] = {-0.58, 1.23};
  const std::string cut = document_page(document, {}).value();
  CHECK(cut.find(">0 s to 12.0 ms<") != std::string::npos);
  CHECK(cut.find(">0 % to 100 %<") != std::string::npos);
  point["rounds"] = 2;
  const std::string few = document_page(document, {}).value();
  CHECK(few.find("interval not known") != std::string::npos);
  for (const std::string& page : {cut, few}) {
    CHECK(page.find("-981") == std::string::npos);
    CHECK(page.find("123 %") == std::string::npos);
  }
}

TEST_CASE("lists of a backtest agree with its counts, and its tables are folded") {
  auto sample = testing::sample_backtest();
  for (std::size_t row : {1U, 2U}) {
    sample.backtest.rows[row].prediction.no_max_reason = "no limit is seen";
    if (row == 1) sample.backtest.rows[row].measured.max_accelerators = 8.0;
  }
  const std::string page = backtest_page(sample, {});
  CHECK(page.find("1 cannot be predicted") != std::string::npos);
  const auto rows_behind = [&](const std::string& head) {
    INFO(head);
    const std::size_t begin = page.find("<summary>" + head + "</summary><div class=\"scroll\"");
    REQUIRE(begin != std::string::npos);
    const std::string fold = page.substr(begin, page.find("</details>", begin) - begin);
    return testing::all_matches(fold, "(<th scope=\"row\">)").size();
  };
  CHECK(rows_behind("1 row not predicted") == 1);
  CHECK(rows_behind("1 predicted row without a largest count") == 1);  // the other one has none to hold it against
  CHECK(rows_behind("1 row") == 1);
}

TEST_CASE("changes of a comparison are readable: shares in points alone, many times as times, no prices as such") {
  Json document = testing::sample_compare_document();
  Json many = document["differences"][0];
  for (Json& difference : document["differences"])
    if (difference["metric"] == "step_time_s") many = difference;
  many["metric"] = "batch_load_time_s";
  many["relative"] = {{"mean", 19822.5419}, {"ci", {19822.5, 19822.6}}};
  document["differences"].push_back(many);
  Json cost = many;
  cost["metric"] = "cost_per_epoch_usd";
  cost["unit"] = "USD";
  cost["a"] = 0.0;
  cost["b"] = 2.93e-6;
  cost["difference"] = {{"mean", 2.93e-6}, {"ci", nullptr}};
  cost["relative"] = {{"mean", nullptr}, {"ci", nullptr}};
  document["differences"].push_back(cost);
  const std::string page = compare_page(read_comparison(document), {});
  const auto cells = [&](const char* figure) {
    const std::size_t row =
        page.find(std::string("<summary>") + figure + "</summary>", page.find("id=\"differences\""));
    REQUIRE(row != std::string::npos);
    return page.substr(row, page.find("</tr>", row) - row);
  };
  CHECK(cells("GPU idle time").find("points") != std::string::npos);
  CHECK(testing::all_matches(cells("GPU idle time"), "(class=\"number\">&ndash;<)").size() == 1);
  CHECK(cells("batch load time").find(">19,824 times<") != std::string::npos);
  CHECK(page.find("19822") == page.find("19822.5"));  // in values, never as a percentage
  CHECK(page.find("Longer bars are cut at its end.") != std::string::npos);
  CHECK(cells("cost per epoch").find(">no prices<") != std::string::npos);
  CHECK(cells("cost per epoch").find(">$0.00000293<") != std::string::npos);
  CHECK(cells("cost per epoch").find("+$") == std::string::npos);
}

TEST_CASE("long commands wrap, on the page of a tender too, so that nothing scrolls sideways") {
  const std::string page =
      tender_page({"T", "S", {{"a", "A", {{TenderBlock::Kind::code, std::string(400, 'x'), "sh", {}, {}}}}}});
  const std::size_t rule = page.find("\npre { ");
  REQUIRE(rule != std::string::npos);
  const std::string style = page.substr(rule, page.find('}', rule) - rule);
  CHECK(style.find("white-space: pre-wrap") != std::string::npos);
  CHECK(style.find("overflow-x") == std::string::npos);
}

TEST_CASE("the chart of offers names them") {
  scenarios::Bakeoff bakeoff;
  for (const char* name : {"A & B", "doing nothing at all"}) {
    scenarios::Contender one;
    one.name = name;
    one.rank = bakeoff.contenders.size() + 1;
    one.usd_expected = one.usd_low = one.usd_high = 4.0 + static_cast<double>(one.rank);
    bakeoff.contenders.push_back(one);
  }
  const std::string page = bakeoff_page(bakeoff, {});
  const std::string chart = page.substr(page.find("<figure class=\"plot\">"));
  CHECK(chart.find(">A &amp; B</text>") != std::string::npos);
  CHECK(chart.find(">doing nothing at all</text>") != std::string::npos);
  CHECK(chart.find("least 5.000 at A &amp; B") != std::string::npos);
  CHECK(chart.find(">1</text>") == std::string::npos);
}

TEST_CASE("errors are differences of points or relative") {
  MeasuredComparison comparison{"t", "%", true, false, "", {}};
  CHECK(error_of(comparison, 92.0, 90.0) == 2.0);
  comparison.unit = "1";
  CHECK(error_of(comparison, 0.5, 0.25) == 25.0);
  comparison.in_points = false;
  CHECK(error_of(comparison, 0.5, 0.25) == 100.0);
  CHECK(std::isnan(error_of(comparison, nullptr, 0.25)));
  CHECK(measured_section(comparison).empty());
  comparison.points.push_back({"a", 0.5, 0.25});
  CHECK(measured_section(comparison).find("+100.00 %") != std::string::npos);
}

}  // namespace
}  // namespace headrace::reports
