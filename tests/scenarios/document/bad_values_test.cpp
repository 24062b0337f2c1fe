// Every parameter of a scenario, as its description lists it, refuses what cannot be a value of it: with the code for
// that mistake, at its own place. Nothing is listed here, so that a new parameter is held to it from its first day.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/document/explain_visitor.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> all =
      list_parameters([scenario = models::Scenario{}](models::Visitor& v) mutable { describe_scenario(scenario, v); });
  return all;
}

Strings words_of(const std::string& pointer) {
  Strings words;
  for (std::size_t at = 1; at <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at), pointer.size());
    words.push_back(pointer.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// Name of the first element that `image-node` has in a list; others of the layer stand for themselves.
const char* name_in(const std::string& list) {
  if (list == "pools") return "gpus";
  if (list == "stores") return "storage";
  if (list == "datasets") return "images";
  return list == "jobs" ? "train" : nullptr;
}

/// A layer that holds the value and nothing else.
Json layer_of(const Strings& words, std::size_t at, const Json& value) {
  if (at == words.size()) return value;
  if (words[at] != "*") return Json{{words[at], layer_of(words, at + 1, value)}};
  Json element = layer_of(words, at + 1, value);
  const char* name = name_in(words[at - 1]);
  const bool of_cluster = at == 1 || words[0] == "cluster";
  if (of_cluster && name != nullptr && element.is_object() && !element.contains("name")) element["name"] = name;
  return Json::array({element});
}

std::string place_of(std::string pointer) {
  std::replace(pointer.begin(), pointer.end(), '*', '0');
  return pointer;
}

struct BadValue {
  Json value;
  const char* code;
};

/// What no parameter of the type may be.
std::vector<BadValue> bad_values(const Parameter& parameter) {
  const std::string& type = parameter.type;
  std::vector<BadValue> bad;
  const bool one_of_list = parameter.pointer.back() == '*';
  if (one_of_list) return bad;
  const bool has_unit = !parameter.unit.empty() && parameter.unit != "1";
  if (type == "quantity" || type == "distribution") {
    bad.push_back({true, "E0201"});
    if (has_unit) {
      bad.push_back({3, "E0204"});
      bad.push_back({"3 parsecs", "E0205"});
      bad.push_back({"NaN " + parameter.unit, "E0206"});
    }
  }
  if (type == "number" || type == "fraction") bad.push_back({true, "E0201"});
  if (type == "count") {
    bad.push_back({1.5, "E0201"});
    bad.push_back({-1, "E0207"});
    bad.push_back({1e300, "E0207"});
  }
  if (type == "flag") bad.push_back({"perhaps", "E0201"});
  if (type == "choice") bad.push_back({"no such word", "E0208"});
  if (type == "text" || type == "name") bad.push_back({3, "E0201"});
  if (type == "reference") bad.push_back({"nobody", "E0211"});
  const bool number = parameter.choices.find("or a number") != std::string::npos;  // that stands for the record
  const bool rate = parameter.pointer.ends_with("/nic");
  if (type == "list" || type == "record" || type == "optional record")
    bad.push_back({7.5, rate ? "E0204" : number ? "E0207" : "E0201"});
  return bad;
}

}  // namespace

TEST_CASE("every parameter of a scenario refuses bad values with their code, at its own place") {
  const TestFiles files;
  std::size_t asked = 0;
  CHECK(parameters().size() > 350);
  for (const Parameter& parameter : parameters()) {
    for (const BadValue& bad : bad_values(parameter)) {
      const std::string layer = layer_of(words_of(parameter.pointer), 0, bad.value).dump();
      INFO(layer);
      const auto loaded = load_scenario(Strings{"image-node", files.write("bad.json", layer)});
      REQUIRE(!loaded);
      const std::string place = place_of(parameter.pointer);
      bool found = false;
      std::string complaints;
      for (const Diagnostic& complaint : loaded.error().sorted()) {
        complaints += complaint.code + " " + complaint.pointer + "\n";
        found = found || (complaint.code == bad.code && complaint.pointer == place);
      }
      INFO(complaints);
      CHECK(found);
      ++asked;
    }
  }
  CHECK(asked > 700);
}

TEST_CASE("no physical quantity of a scenario may be negative, and every share lies between 0 and 1") {
  const TestFiles files;
  for (const Parameter& parameter : parameters()) {
    if (parameter.pointer.back() == '*') continue;
    std::vector<Json> beyond;
    if (parameter.type == "quantity") beyond.push_back("-1 " + parameter.unit);
    if (parameter.type == "fraction") beyond = {-0.5, 1.5};
    for (const Json& value : beyond) {
      const std::string layer = layer_of(words_of(parameter.pointer), 0, value).dump();
      INFO(layer);
      const auto loaded = load_scenario(Strings{"image-node", files.write("bad.json", layer)});
      REQUIRE(!loaded);
      bool found = false;
      std::string complaints;
      for (const Diagnostic& complaint : loaded.error().sorted()) {
        complaints += complaint.code + " " + complaint.pointer + "\n";
        found = found || (complaint.code == "E0207" && complaint.pointer == place_of(parameter.pointer));
      }
      INFO(complaints);
      CHECK(found);
    }
  }
}

}  // namespace headrace::scenarios
