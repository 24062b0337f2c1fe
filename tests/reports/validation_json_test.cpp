#include "reports/validation_json.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/document_fault.hpp"
#include "tests/catch.hpp"

namespace headrace::reports {
namespace {

nlohmann::ordered_json validated(const std::vector<std::string>& sets) {
  const std::vector<std::string> names = {"image-node"};
  const nlohmann::ordered_json document = validation_json(scenarios::load_scenario(names, sets));
  CHECK_FALSE(document_fault(document, validation_schema()));
  for (const auto& [key, value] : document.items()) CHECK(validation_schema()["properties"].contains(key));
  return document;
}

std::string fault(const nlohmann::ordered_json& document) {
  const auto found = document_fault(document, validation_schema());
  return found ? found->pointer + ": " + found->what : std::string("nothing");
}

}  // namespace

TEST_CASE("a valid scenario has its fingerprint, and warnings where there are any") {
  nlohmann::ordered_json document = validated({});
  CHECK(document["valid"] == true);
  CHECK(document["diagnostics"].empty());
  CHECK(document["scenario_sha256"].get<std::string>().size() == 64);
  CHECK_FALSE(document.contains("warnings"));
  CHECK(validated({"/stores/0/latency=500 s"})["warnings"][0].size() == 3);
  document["valid"] = "yes";
  CHECK(fault(document) == "/valid: this is not a boolean");
  document.erase("valid");
  CHECK(fault(document) == ": \"valid\" is missing");
}

TEST_CASE("complaints have code, place and help") {
  nlohmann::ordered_json document = validated({"/jobs/0/loader/worker=2"});
  CHECK(document["valid"] == false);
  CHECK_FALSE(document.contains("scenario_sha256"));
  REQUIRE(document["diagnostics"].size() == 1);
  nlohmann::ordered_json& complaint = document["diagnostics"][0];
  CHECK(complaint["code"] == "E0203");
  CHECK(complaint["severity"] == "error");
  CHECK(complaint["line"] == 1);
  CHECK(complaint["pointer"] == "/jobs/0/loader/worker");
  CHECK(complaint["help"] == "did you mean 'workers'?");
  complaint["line"] = "first";
  CHECK(fault(document) == "/diagnostics/0/line: this is not an integer");
  complaint.erase("line");
  CHECK(fault(document) == "/diagnostics/0: \"line\" is missing");
}

TEST_CASE("a complaint shows the other place that it speaks of, and further ones are counted") {
  scenarios::Diagnostics diagnostics;
  for (int line = 1; line <= 1002; ++line) {
    scenarios::Diagnostic complaint;
    complaint.code = "E0203";
    complaint.message = "unknown key 'nods'";
    complaint.where = {"a.json", line, 2, "\"nods\": 1", 0, 6};
    if (line == 1) {
      complaint.related = "first here";
      complaint.related_where = {"b.json", 7, 1, "{", 0, 1};
    }
    diagnostics.add(complaint);
  }
  const nlohmann::ordered_json document =
      validation_json(tl::expected<scenarios::LoadedScenario, scenarios::Diagnostics>(tl::unexpect, diagnostics));
  CHECK(fault(document) == "nothing");
  CHECK(document["more"] == 2);
  CHECK(document["diagnostics"].size() == 1000);
  CHECK(
      document["diagnostics"][0]["related"].dump() ==
      R"({"file":"b.json","line":7,"column":1,"snippet":"{","caret_begin":0,"caret_count":1,"message":"first here"})");
  CHECK_FALSE(document["diagnostics"][1].contains("related"));
  CHECK(diagnostics_json(diagnostics)["diagnostics"] == document["diagnostics"]);
  nlohmann::ordered_json lacking = document;
  lacking["diagnostics"][0]["related"].erase("message");
  CHECK(fault(lacking) == "/diagnostics/0/related: \"message\" is missing");
}

}  // namespace headrace::reports
