// Explain and schema: both walk the same description as the reader.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "scenarios/document/error_codes.hpp"
#include "scenarios/document/explain_visitor.hpp"
#include "scenarios/document/schema_visitor.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/test_records.hpp"

namespace headrace::scenarios {
namespace {

const std::vector<Parameter>& world_parameters() {
  static const std::vector<Parameter> all = [] {
    testing::World world;
    return list_parameters([&world](models::Visitor& v) { describe(world, v); });
  }();
  return all;
}

}  // namespace

TEST_CASE("explain lists every parameter with its facts") {
  const auto found = find_parameters(world_parameters(), "/stores/0/read_bandwidth");
  REQUIRE(found.size() == 1);
  CHECK(print_parameter(*found[0], world_parameters()) ==
        "/stores/*/read_bandwidth\n"
        "  read rate\n"
        "  type       quantity\n"
        "  unit       B/s\n"
        "  default    1 GB/s\n"
        "  plausible  100 MB/s to 1 TB/s\n"
        "  limits     more than 0 B/s\n"
        "  evidence   datasheet\n"
        "  source     sheet\n");
  CHECK(find_parameters(world_parameters(), "jobs.step.roofline.efficiency").size() == 1);
  CHECK(find_parameters(world_parameters(), "memory").size() == 2);  // of the card and of the spare one
  CHECK(find_parameters(world_parameters(), "card.memory").size() == 1);
  CHECK(find_parameters(world_parameters(), "nothing").empty());
  CHECK(find_parameters(world_parameters(), "").empty());
  const auto latency = find_parameters(world_parameters(), "stores.latency");
  REQUIRE(latency.size() == 1);
  CHECK(latency[0]->type == "distribution");
  CHECK(latency[0]->default_text == "5 ms");
  const auto workers = find_parameters(world_parameters(), "workers");
  REQUIRE(workers.size() == 1);
  CHECK(workers[0]->limits == "at least 1, at most 1024");
  CHECK(find_parameters(world_parameters(), "checkpoint")[0]->type == "not modelled yet");
  CHECK(find_parameters(world_parameters(), "write_bandwidth")[0]->rule == "as for reads");
  CHECK(parameter_json(*workers[0])["default"] == "8");
}

TEST_CASE("the schema has types, unit patterns, limits and defaults") {
  testing::World world;
  Catalogue catalogue;
  const auto schema = record_schema([&world](models::Visitor& v) { describe(world, v); }, "x", "World", catalogue);
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["properties"]["nodes"]["minimum"] == 1);
  CHECK(schema["properties"]["nodes"]["default"] == 4);
  const auto whole = [&schema](const nlohmann::ordered_json& part) -> const nlohmann::ordered_json& {
    if (!part.contains("$ref")) return part;
    return schema["$defs"].at(part["$ref"].get<std::string>().substr(std::string("#/$defs/").size()));
  };
  const auto& store = whole(whole(schema["properties"]["storage"])["anyOf"][0])["properties"];
  CHECK(store["read_bandwidth"]["default"] == "1 GB/s");
  const std::regex pattern(whole(store["read_bandwidth"])["anyOf"][0]["pattern"].get<std::string>(),
                           std::regex::ECMAScript);
  CHECK(std::regex_match("400 Gb/s", pattern));
  CHECK(!std::regex_match("400 GB", pattern));
  CHECK(!std::regex_match("400", pattern));
  const auto& job = whole(schema["properties"]["job"])["properties"];
  CHECK(job["order"]["enum"] == nlohmann::ordered_json({"any", "in_order"}));
  CHECK(whole(job["step"])["anyOf"].size() == 3);
  CHECK(whole(schema["properties"]["jobs"])["anyOf"][0]["minItems"] == 1);
  CHECK(&whole(whole(schema["properties"]["jobs"])["anyOf"][1]) == &whole(schema["properties"]["job"]));
}

TEST_CASE("the schema says nothing twice and every reference has its part") {
  testing::World world;
  Catalogue catalogue;
  const auto schema = record_schema([&world](models::Visitor& v) { describe(world, v); }, "x", "World", catalogue);
  const std::string text = schema.dump();
  std::size_t references = 0;
  for (std::size_t at = text.find("#/$defs/"); at != std::string::npos;
       at = text.find("#/$defs/", at + 1), ++references) {
    const std::size_t begin = at + std::string("#/$defs/").size();
    CHECK(schema["$defs"].contains(text.substr(begin, text.find('"', begin) - begin)));
  }
  CHECK(references >= 2 * schema["$defs"].size());
}

TEST_CASE("error codes are sorted, unique and explained") {
  const auto codes = error_codes();
  CHECK(std::is_sorted(codes.begin(), codes.end(),
                       [](const ErrorCode& a, const ErrorCode& b) { return a.code < b.code; }));
  for (const ErrorCode& code : codes) {
    CHECK(!code.title.empty());
    CHECK(code.explanation.size() > 20);
    CHECK(find_error_code(code.code) == &code);
  }
  CHECK(find_error_code("E9999") == nullptr);
}

}  // namespace headrace::scenarios
