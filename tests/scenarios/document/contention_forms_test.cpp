// host/contention as files may state it: sigma and kappa, a preset, or the number of older files; and how layers and
// --set change one into another.
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

using Strings = std::vector<std::string>;
using models::WorkerContention;

constexpr const char* kContention = "/cluster/pools/0/host/contention";

tl::expected<LoadedScenario, Diagnostics> load_contention(const std::string& value, Strings more = {}) {
  more.insert(more.begin(), kContention + ("=" + value));
  return load_scenario(Strings{"image-node"}, more);
}

WorkerContention contention(const std::string& value, const Strings& more = {}) {
  const auto loaded = load_contention(value, more);
  if (!loaded) FAIL(print_text(loaded.error()));
  return loaded->value.cluster.pools[0].host.contention;
}

std::string contention_complaint(const std::string& value, const Strings& more = {}) {
  const auto loaded = load_contention(value, more);
  return loaded ? std::string() : print_text(loaded.error());
}

bool tells_of(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("contention is sigma and kappa, a preset, or a number that means the exponent") {
  const WorkerContention law = contention(R"({"sigma": 0.03, "kappa": 0.006, "kappa_per_byte": 1e-10})");
  CHECK(law.sigma == 0.03);
  CHECK(law.kappa_of(1e7) == Approx(0.007));
  CHECK(law.exponent == 0.0);
  CHECK(contention("0.35").exponent == 0.35);
  CHECK(contention("35 %").exponent == 0.35);
  CHECK(contention("0").exponent == 0.0);
  CHECK(contention(R"({"exponent": 0.35})").exponent == 0.35);
  CHECK(contention("gil_bound").sigma == 1.0);
  CHECK(contention("threads").kappa_per_byte == 0.0);
  CHECK(contention("torch_processes").kappa_per_byte > 0.0);
  const auto preset = load_contention("torch_processes");
  REQUIRE(preset.has_value());
  CHECK(tells_of(preset->origin_of(std::string(kContention) + "/sigma").print(), "spdl"));
  CHECK(contention(R"({"catalogue": "threads", "kappa": 0.01})").sigma == contention("threads").sigma);
}

TEST_CASE("a later statement replaces a number, and merges with sigma and kappa") {
  const std::string sigma = std::string(kContention) + "/sigma=0.1";
  const std::string kappa = std::string(kContention) + "/kappa=0.01";
  const WorkerContention set = contention("0.35", {sigma, kappa});
  CHECK(set.exponent == 0.0);
  CHECK(set.sigma == 0.1);
  CHECK(set.kappa == 0.01);
  const auto over_file = load_scenario(Strings{"imagenet-threads"}, Strings{sigma, kappa});
  REQUIRE(over_file.has_value());
  CHECK(over_file->value.cluster.pools[0].host.contention.exponent == 0.0);
  const TestFiles files;
  const auto layered = [&](const char* lower, const char* upper) {
    const auto host = [](const char* value) {
      return std::string(R"({"cluster": {"pools": [{"name": "gpus", "host": {"contention": )") + value + "}}]}}";
    };
    const std::string a = files.write("a.json", host(lower));
    const std::string b = files.write("b.json", host(upper));
    const auto loaded = load_scenario(Strings{"image-node", a, b}, {});
    if (!loaded) FAIL(print_text(loaded.error()));
    return loaded->value.cluster.pools[0].host.contention;
  };
  CHECK(layered("0.35", R"({"sigma": 0.1})").exponent == 0.0);
  CHECK(layered(R"({"sigma": 0.1})", "0.35").sigma == 0.0);
  CHECK(layered("0.35", "\"threads\"").kappa > 0.0);
  CHECK(layered("\"threads\"", R"({"kappa": 0.01})").sigma == contention("threads").sigma);
  CHECK(layered(R"({"sigma": 0.1, "kappa": 0.01})", R"({"kappa": 0.02})").sigma == 0.1);
}

TEST_CASE("wrong values of contention are refused with their place and a fix") {
  CHECK(tells_of(contention_complaint("-0.1"), "at least 0"));
  CHECK(tells_of(contention_complaint(R"({"sigma": 1.5, "kappa": 0})"), "contention/sigma"));
  CHECK(tells_of(contention_complaint(R"({"sigma": 1.5, "kappa": 0})"), "at most 1"));
  CHECK(tells_of(contention_complaint(R"({"sigma": 0.1, "kappa": -1})"), "contention/kappa"));
  CHECK(tells_of(contention_complaint(R"({"sigma": 0.1, "kapa": 0.01})"), "kappa"));
  CHECK(tells_of(contention_complaint("torch_proceses"), "torch_processes"));
  CHECK(tells_of(contention_complaint("[0.1]"), "an object, a catalogue name or a number"));
  const std::string both = contention_complaint(R"({"sigma": 0.1, "exponent": 0.35})");
  CHECK(tells_of(both, "two laws"));
  CHECK(tells_of(both, "set exponent to 0"));
}

TEST_CASE("an input range names the number by the record, as older files do, or by its key") {
  for (const char* key : {"", "/exponent"}) {
    const auto loaded = load_contention("0.35", {std::string(R"(/input_ranges=[{"parameter": ")") + kContention + key +
                                                 R"(", "low": "0.3", "high": "0.4"}])"});
    if (!loaded) FAIL(print_text(loaded.error()));
    const auto inputs = uncertain_inputs(loaded->value, loaded->composition);
    if (!inputs) FAIL(print_text(inputs.error()));
    bool found = false;
    for (const auto& input : *inputs) found = found || (input.pointer.ends_with("/exponent") && input.low == 0.3);
    CHECK(found);
  }
}

}  // namespace headrace::scenarios
