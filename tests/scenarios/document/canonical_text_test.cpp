// The text under a fingerprint.
#include "scenarios/document/canonical_text.hpp"

#include <nlohmann/json.hpp>

#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/sha256.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {

TEST_CASE("the canonical text of a record is that of its JSON, in every shipped scenario") {
  for (const EmbeddedText& shipped : embedded_scenarios()) {
    INFO(shipped.name);
    auto read = load_scenario(Strings{std::string(shipped.name)});
    if (!read) continue;  // a system without work
    LoadedScenario& loaded = *read;
    const std::string text =
        canonical_text([&loaded](models::Visitor& visitor) { describe_scenario(loaded.value, visitor); });
    const auto json = nlohmann::ordered_json::parse(text);
    CHECK(canonical_text(json) == text);
    CHECK(json.size() == loaded.resolved.size());
    CHECK(sha256(text) == loaded.sha256);
  }
}

TEST_CASE("the canonical text has sorted keys, shortest numbers and no blanks") {
  const auto json =
      nlohmann::ordered_json::parse(R"({"b": [1, 2.50, 1e300], "a": {"d": null, "c": "ä\"x"}, "e": 3.0})");
  CHECK(canonical_text(json) == R"({"a":{"c":"ä\"x","d":null},"b":[1,2.5,1e+300],"e":3})");
}

}  // namespace headrace::scenarios
