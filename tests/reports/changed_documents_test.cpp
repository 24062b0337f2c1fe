// Saved documents that were changed at random: every form is written, or the document is refused.
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "reports/export/document_export.hpp"
#include "reports/export/document_page.hpp"
#include "reports/growth_json.hpp"
#include "reports/html/calibration_page.hpp"
#include "reports/memo.hpp"
#include "reports/open_metrics.hpp"
#include "reports/tender/tender.hpp"
#include "scenarios/document/read_json.hpp"
#include "scenarios/document/site_file.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/reports/sample_documents.hpp"

namespace headrace::reports {
namespace {

using testing::Json;

constexpr unsigned kMutants = 350;  ///< of each document
constexpr std::size_t kLargestForm = 20'000'000;

struct Original {
  std::string name;
  Json document;
};

std::vector<Original> originals() {
  std::vector<Original> all{{"outcome", testing::sample_outcome_document()},
                            {"plan", testing::sample_plan_document()},
                            {"check", testing::sample_check_document()},
                            {"compare", testing::sample_compare_document()},
                            {"backtest", testing::sample_backtest_document()},
                            {"verify", testing::sample_verification_document()},
                            {"calibration", scenarios::site_file(testing::sample_calibration())}};
  for (const char* name : {"growth", "campaign", "requirements"})
    all.push_back({name, Json::parse(headrace::testing::file_text(HEADRACE_SOURCE_DIR "/tests/data/documents/" +
                                                                  std::string(name) + ".json"))});
  return all;
}

class Mutations {
 public:
  explicit Mutations(std::uint32_t seed) : random_(seed) {}

  Json of(const Json& original) {
    Json changed = original;
    for (std::size_t times = 1 + below(3); times > 0; --times) change(changed);
    return changed;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  static void collect(Json& around, std::vector<std::pair<Json*, std::string>>& places) {
    for (const auto& [key, value] : around.items()) {
      places.emplace_back(&around, key);
      if (value.is_structured()) collect(value, places);
    }
  }

  void change(Json& document) {
    std::vector<std::pair<Json*, std::string>> places;
    collect(document, places);
    if (places.empty()) return;
    const auto& [around, key] = places[below(places.size())];
    Json& value = around->is_object() ? (*around)[key] : (*around)[std::stoul(key)];
    switch (below(5)) {
      case 0:
        if (around->is_object())
          around->erase(key);
        else
          around->erase(std::stoul(key));
        return;
      case 1:
        if (value.is_number()) value = value.get<double>() * std::array{-1.0, 1e12, 1e200, 1e17}[below(4)];
        return;
      case 2:
        if (value.is_array()) {
          const Json once = value;
          for (std::size_t n = below(20); n > 0; --n) value.insert(value.end(), once.begin(), once.end());
        }
        return;
      default:
        value = strange();
    }
  }

  Json strange() {
    static const std::vector<Json> kStrange{nullptr,
                                            Json::object(),
                                            Json::array(),
                                            "x",
                                            -1,
                                            0,
                                            1e308,
                                            -1e308,
                                            1e-320,
                                            1'000'000'000'000'000'000,
                                            UINT64_MAX,
                                            true,
                                            Json::array({Json::array()}),
                                            Json{{"a", 1}},
                                            "",
                                            Json::array({1, 2}),
                                            Json::array({1e17, 1e17 + 64}),
                                            "\x1b[2J",
                                            1e16};
    return kStrange[below(kStrange.size())];
  }

  std::mt19937 random_;
};

/// What `headrace report` does in that form: text, or nothing where it refuses the document.
std::size_t written(const std::function<std::string()>& form) {
  try {
    return form().size();
  } catch (const Json::exception&) {
    return 0;
  } catch (const std::out_of_range&) {  // JSON_ASSERT
    return 0;
  }
}

std::size_t in_every_form(const Json& document) {
  std::size_t most = 0;
  const auto form = [&most](const std::function<std::string()>& work) { most = std::max(most, written(work)); };
  form([&] { return document_page(document, {}).value_or(""); });
  for (const char* format : {"markdown", "csv", "junit"})
    form([&] { return document_export(document, format).value_or(""); });
  const DocumentKind kind = kind_of(document);
  if (kind == DocumentKind::outcome) form([&] { return open_metrics(document); });
  if (kind == DocumentKind::plan)
    form([&] {
      const auto memo = memo_of_plan(document);
      return memo ? memo_page(*memo) + memo_markdown(*memo) : "";
    });
  if (kind == DocumentKind::calibration)
    form([&] {
      const auto calibration = scenarios::read_site_file("site.json", document.dump());
      return calibration ? calibration_page(*calibration, {}) : "";
    });
  return most;
}

}  // namespace

TEST_CASE("documents changed at random are shown or refused", "[long_1]") {
  for (const Original& original : originals()) {
    Mutations mutations(22);
    CHECK(in_every_form(original.document) > 100);
    for (unsigned i = 0; i < kMutants; ++i) {
      const Json document = mutations.of(original.document);
      INFO(original.name << " " << i);
      CHECK(in_every_form(document) < kLargestForm);
    }
  }
}

TEST_CASE("the place of what is missing is the last value that was read") {
  Json document = testing::sample_compare_document();
  document["differences"][0]["unit"] = 7;
  CHECK(last_read(document).empty());
  at(at(document, "differences")[0], "unit");
  CHECK(last_read(document) == "/differences/0/unit");
  at(at(document, "differences")[0], "none");
  CHECK(last_read(document) == "/differences/0");
  CHECK(element_at(at(document, "differences"), 9999).is_null());
  CHECK(last_read(document) == "/differences");
}

TEST_CASE("what serves after the horizon is told from the orders that are counted") {
  Json document = {{"regret", {{{"name", "drives"}, {"shift_quarters", -4}, {"cheapest", true}}}},
                   {"buy_list",
                    {{{"name", "drives"}, {"arrives", "2027-12-28"}, {"price_usd", 2000.0}},
                     {{"name", "drives"}, {"arrives", nullptr}, {"price_usd", 500.0}}}},
                   {"buying_expected_usd", 3000.0},
                   {"on_time_expected_usd", 4000.0}};
  CHECK(buying_sentence(document).find("orders of $2.00 k, and $500 for what serves after the horizon") !=
        std::string::npos);
  CHECK(moments_sentence(document) ==
        "Cheapest on average: drives 4 quarters before the stated need (no more was tried); at need $4.00 k.");
  document.erase("buying_expected_usd");  // a document from before there was one
  document.erase("on_time_expected_usd");
  CHECK(buying_sentence(document).empty());
  CHECK(moments_sentence(document).empty());
}

TEST_CASE("JSON from outside is read with the limits of scenarios") {
  const auto code = [](const std::string& text) {
    const auto read = scenarios::parse_json("file.json", text);
    return read ? std::string() : read.error().sorted().front().code;
  };
  CHECK(code(std::string(100'000, '[') + std::string(100'000, ']')) == "E0106");
  CHECK(code(R"({"a": 1, "a": 2})") == "E0108");
  CHECK(code("{\"a\": \"\xff\"}") == "E0109");
  CHECK(code("{\"a\": 1e400}") == "E0107");
  CHECK(code("{\"a\": ") == "E0105");
  CHECK(code(" ") == "E0103");
  const std::string text = R"({"a":[1,-2,18446744073709551615,1.5,"x\n"],"b":{"c":null,"d":true}})";
  const auto read = scenarios::parse_json("file.json", text);
  REQUIRE(read);
  CHECK(read->dump() == text);
  const auto complaint = scenarios::complaint_in("file.json", "{\n  \"a\": {\"b\": 1}\n}", "/a/c/d", "E0132", "no", "");
  CHECK(complaint.where.line == 2);
  CHECK(complaint.pointer == "/a");
}

}  // namespace headrace::reports
