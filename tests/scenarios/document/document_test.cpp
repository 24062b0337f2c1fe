#include "scenarios/document/document.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/error_codes.hpp"
#include "tests/catch.hpp"

namespace headrace::scenarios {
namespace {

struct Parsed {
  Sources sources;
  Diagnostics diagnostics;
  std::optional<Node> root;
};

std::unique_ptr<Parsed> parse(std::string text) {
  auto parsed = std::make_unique<Parsed>();
  const std::uint32_t id = parsed->sources.add({SourceKind::file, "a.json", std::move(text), 0});
  parsed->root = parse_document(parsed->sources, id, parsed->diagnostics);
  return parsed;
}

std::string only_error(const std::string& text) {
  const auto parsed = parse(text);
  INFO(text);
  CHECK(!parsed->root);
  REQUIRE(parsed->diagnostics.size() == 1);
  const Diagnostic d = parsed->diagnostics.sorted()[0];
  CHECK(find_error_code(d.code) != nullptr);
  return d.code + " " + std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + " " + d.message;
}

std::string token(const Parsed& parsed, const Place& place) {
  return parsed.sources[place.source].text.substr(place.begin, place.end - place.begin);
}

/// Every scalar's place must hold exactly the text that it was read from.
void check_places(const Parsed& parsed, const Node& node) {
  const std::string text = token(parsed, node.place);
  switch (node.type) {
    case Node::Type::number:
      CHECK(text == node.text);
      break;
    case Node::Type::boolean:
      CHECK(text == (node.boolean ? "true" : "false"));
      break;
    case Node::Type::null:
      CHECK(text == "null");
      break;
    case Node::Type::string:
      CHECK(text.front() == '"');
      CHECK(text.back() == '"');
      break;
    case Node::Type::array:
      CHECK(text.front() == '[');
      CHECK(text.back() == ']');
      break;
    case Node::Type::object:
      CHECK(text.front() == '{');
      CHECK(text.back() == '}');
      break;
  }
  for (const Node& item : node.items) check_places(parsed, item);
  for (const Member& member : node.members) {
    CHECK(token(parsed, member.key_place).front() == '"');
    check_places(parsed, member.value);
  }
}

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("headrace_" + std::to_string(::getpid()) + "_" + name)).string();
}

}  // namespace

TEST_CASE("places of numbers, escapes, UTF-8 and CRLF") {
  const auto parsed = parse(
      "{\r\n  \"a\\\"\\\\\": -1.5e3,\"\xC3\xA4\":[1,2 ,\"x\\\\\"],\r\n\"b\": true, \"c\":{\"d\":null}\r\n, \"e\":7}");
  REQUIRE(parsed->root);
  check_places(*parsed, *parsed->root);
  const std::string& text = parsed->sources[0].text;
  const Node* e = parsed->root->find("e");
  REQUIRE(e != nullptr);
  CHECK(position_at(text, e->place.begin).line == 4);
  CHECK(position_at(text, e->place.begin).column == 7);
  const Node* list = parsed->root->find("\xC3\xA4");
  REQUIRE(list != nullptr);
  CHECK(token(*parsed, list->items[2].place) == "\"x\\\\\"");
  CHECK(position_at(text, list->place.begin).line == 2);
  CHECK(position_at(text, list->place.begin).column == 23);  // the umlaut counts once
  const auto lone = parse("12");
  REQUIRE(lone->root);
  CHECK(token(*lone, lone->root->place) == "12");
  const auto marked = parse("\xEF\xBB\xBF{\"a\": 1}");
  REQUIRE(marked->root);
  CHECK(position_at(marked->sources[0].text, marked->root->find_member("a")->key_place.begin).column == 2);
}

TEST_CASE("random documents: each place holds its own text, and printing keeps the tree") {
  std::uint64_t state = 7;
  const auto next = [&state](std::uint64_t n) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33) % n;
  };
  const std::vector<std::string> atoms = {
      "0",    "-1.5E+7", "\"\"", "\"a b\"", "\"\\\"\"",    "\"\\\\\"", "\"\\u00e4\xE2\x82\xAC\"",
      "true", "false",   "null", "123",     "\"\\\\\\\"\""};
  const std::vector<std::string> blanks = {"", " ", "\n", "\r\n", "\t", "  "};
  for (int round = 0; round < 200; ++round) {
    std::string text;
    int keys = 0;
    const std::function<void(int)> value = [&](int depth) {
      text += blanks[next(6)];
      const std::uint64_t kind = depth > 4 ? 2 : next(3);
      if (kind == 2) {
        text += atoms[next(atoms.size())];
      } else {
        text += kind == 0 ? "[" : "{";
        const std::uint64_t n = next(4);
        for (std::uint64_t i = 0; i < n; ++i) {
          if (i > 0) text += ",";
          text += blanks[next(6)];
          if (kind == 1) text += "\"k\\\"" + std::to_string(keys++) + "\"" + blanks[next(6)] + ":";
          value(depth + 1);
        }
        text += blanks[next(6)] + (kind == 0 ? "]" : "}");
      }
      text += blanks[next(6)];
    };
    value(0);
    const auto parsed = parse(text);
    INFO(text);
    REQUIRE(parsed->root);
    check_places(*parsed, *parsed->root);
    const std::string printed = print_json(*parsed->root);
    const auto again = parse(printed);
    REQUIRE(again->root);
    CHECK(print_json(*again->root) == printed);
  }
}

TEST_CASE("one clear message for each syntax error") {
  CHECK(only_error("") == "E0103 0:0 the file is empty");
  CHECK(only_error(" \n\t") == "E0103 0:0 the file is empty");
  CHECK(only_error("{\"a\": {\"b\": 1,") == "E0105 1:7 the file ends inside the object that begins here");
  CHECK(only_error("{\"a\": [1, 2") == "E0105 1:7 the file ends inside the list that begins here");
  CHECK(only_error("{\"a\": \"x") == "E0105 1:1 the file ends inside the object that begins here");
  CHECK(only_error("{\"a\": tru") == "E0105 1:1 the file ends inside the object that begins here");
  CHECK(only_error("{\"a\": {\"b\": 1}\n], \"c\": 2}") == "E0105 2:1 ']' without a '[' before it");
  CHECK(only_error("{\"a\": 1,\n}") == "E0105 1:8 a comma before the closing bracket");
  CHECK(only_error("{\"a\": 1,, \"b\": 2}") == "E0105 1:9 one comma too many");
  CHECK(only_error("[1,, 2]") == "E0105 1:4 one comma too many");
  CHECK(only_error("[, 1]") == "E0105 1:2 a comma with nothing before it");
  CHECK(only_error("[1,\n 2,\n]") == "E0105 2:3 a comma before the closing bracket");
  CHECK(only_error("{\n  // remark\n}") == "E0105 2:3 JSON has no comments");
  CHECK(only_error("{'a': 1}") == "E0105 1:2 strings need double quotes");
  CHECK(only_error("{\"a\": 1 \"b\": 2}") == "E0105 1:9 expected ',' or '}'");
  CHECK(only_error("[1 2]") == "E0105 1:4 expected ',' or ']'");
  CHECK(only_error("{\"a\": NaN}") == "E0107 1:7 NaN and infinity are not numbers in JSON");
  CHECK(only_error("{\"a\": -Infinity}") == "E0107 1:7 NaN and infinity are not numbers in JSON");
  CHECK(only_error("{\"a\": 1e999}") == "E0107 1:7 1e999 is too large for a number");
  CHECK(only_error("{} {}") == "E0105 1:4 more text after the end of the value");
  CHECK(only_error("{\"a\": \"x\ny\"}").substr(0, 5) == "E0105");
  CHECK(only_error("{\"a\": \"\xFF\"}") == "E0109 1:8 the file is not UTF-8 here");
  CHECK(only_error("{\"a\" 1}").substr(0, 9) == "E0105 1:6");
  CHECK(only_error("{a: 1}").substr(0, 9) == "E0105 1:2");
  CHECK(only_error("bogus").substr(0, 9) == "E0105 1:1");
}

TEST_CASE("what is not closed is named with the line where it begins, and the bracket to write") {
  const auto told = [](const std::string& text) {
    const auto parsed = parse(text);
    REQUIRE(parsed->diagnostics.size() == 1);
    return only_error(text) + ": " + parsed->diagnostics.sorted()[0].help;
  };
  CHECK(told("{\"s\": [\n {\"a\": 1\n]}") ==
        "E0105 3:1 the object that begins at line 2 is not closed: write '}' before this");
  CHECK(told("{\"a\":\n [1, 2\n}") == "E0105 3:1 the list that begins at line 2 is not closed: write ']' before this");
  CHECK(told("{\"a\": {\"b\": [\n}}") ==
        "E0105 2:1 the list that begins at line 1 is not closed: write ']' before this");
  CHECK(told("{\"s\": [{\"a\": 1},\n}") ==
        "E0105 2:1 the list that begins at line 1 is not closed: write ']' in place of the comma before this");
  // No bracket that is open could end so.
  CHECK(told("{\"a\": 1]") == "E0105 1:8 the object that begins at line 1 is not closed: write '}' in place of this");
  CHECK(told("{\"a\": 1,]") ==
        "E0105 1:9 the object that begins at line 1 is not closed: write '}' in place of the comma and this");
  CHECK(told("[1}") == "E0105 1:3 the list that begins at line 1 is not closed: write ']' in place of this");
  // A key of the object around a list.
  CHECK(told("{\"s\": [\n {\"a\": 1},\n \"b\": [2]}") ==
        "E0105 3:2 the list that begins at line 1 is not closed: write ']' before the comma in front of this key");
  CHECK(told("{\"s\": [\n {\"a\": 1}\n \"b\" : [2]}") ==
        "E0105 3:2 the list that begins at line 1 is not closed: write '],' before this");
  // The next object of the list around an object.
  CHECK(told("[\n {\"a\": 1,\n {\"a\": 2}\n]") ==
        "E0105 3:2 the object that begins at line 2 is not closed: write '}' before the comma in front of this");
  CHECK(told("[\n {\"a\": 1\n {\"a\": 2}\n]") ==
        "E0105 3:2 the object that begins at line 2 is not closed: write '},' before this");
  // A bracket of the right kind, a missing comma and a missing value have messages of their own.
  CHECK(told("{\"a\": 1\n \"b\": 2}") == "E0105 2:2 expected ',' or '}': is a comma missing before this?");
  CHECK(told("[\"a\" \"b\"]") == "E0105 1:6 expected ',' or ']': is a comma missing before this?");
  CHECK(told("[\"a\": 1]") == "E0105 1:2 a list has no keys: write keys and their values between '{' and '}'");
  for (const char* text : {"[{\"a\": ]", "[{\"a\"  ]", "[{\"a\": }]", "[{\"a\"  }]"})
    CHECK(only_error(text) == "E0105 1:8 a value is missing before this");
}

TEST_CASE("the place where an unclosed object begins is shown") {
  CHECK(print_text(parse("[\n {\"a\": 1\n]")->diagnostics) ==
        "error[E0105]: the object that begins at line 2 is not closed\n"
        "  --> a.json:3:1\n"
        "   |\n"
        " 3 | ]\n"
        "   | ^\n"
        "  --> a.json:2:2\n"
        "   |\n"
        " 2 |  {\"a\": 1\n"
        "   |  ^ the object begins here\n"
        "  = help: write '}' before this\n");
}

TEST_CASE("nesting is limited at 64 levels") {
  CHECK(parse(std::string(64, '[') + std::string(64, ']'))->root);
  CHECK(only_error(std::string(65, '[') + std::string(65, ']')) == "E0106 1:65 nested more than 64 levels deep");
  CHECK(only_error(std::string(1000000, '[')) == "E0106 1:65 nested more than 64 levels deep");
}

TEST_CASE("duplicate keys are refused with both places, remarks may repeat") {
  const auto parsed = parse("{\"a\": 1, \"//\": \"x\",\n \"a\": 2, \"//\": \"y\"}");
  REQUIRE(parsed->root);
  CHECK(parsed->root->find("a")->number == 1);
  CHECK(print_text(parsed->diagnostics) ==
        "error[E0108]: duplicate key 'a' in the same object\n"
        "  --> a.json:2:2 (/a)\n"
        "   |\n"
        " 2 |  \"a\": 2, \"//\": \"y\"}\n"
        "   |  ^^^\n"
        "  --> a.json:1:2\n"
        "   |\n"
        " 1 | {\"a\": 1, \"//\": \"x\",\n"
        "   |  ^^^ first here\n"
        "  = help: keep one of them\n");
}

TEST_CASE("printing keeps order, spelling of numbers and unknown keys") {
  const std::string text = "{\n  \"z\": {\"a\": [1.50, 2e0], \"//\": \"kept\"},\n  \"b\": \"\xC3\xA4\\n\"\n}\n";
  const auto parsed = parse(text);
  REQUIRE(parsed->root);
  CHECK(print_json(*parsed->root).find("1.50") != std::string::npos);
  CHECK(print_json(*parsed->root).find("\"z\"") < print_json(*parsed->root).find("\"b\""));
  CHECK(print_json(*parse(print_json(*parsed->root))->root) == print_json(*parsed->root));
}

TEST_CASE("JSON pointers") {
  const auto parsed = parse("{\"a/b\": {\"~\": [10, 20]}}");
  REQUIRE(parsed->root);
  REQUIRE(find_at(*parsed->root, "/a~1b/~0/1") != nullptr);
  CHECK(find_at(*parsed->root, "/a~1b/~0/1")->number == 20);
  CHECK(find_at(*parsed->root, "/a~1b/~0/2") == nullptr);
  CHECK(find_at(*parsed->root, "/a~1b/~0/x") == nullptr);
  CHECK(!pointer_tokens("a/b"));
  CHECK(!pointer_tokens("/a~2"));
  CHECK(join_pointer(join_pointer("", "a/b"), "~") == "/a~1b/~0");
}

TEST_CASE("files that cannot be read are refused with their own codes") {
  const auto code = [](const std::string& path) {
    Diagnostics diagnostics;
    CHECK(!read_text(path, diagnostics));
    REQUIRE(diagnostics.size() == 1);
    return diagnostics.sorted()[0].code;
  };
  CHECK(code("/nonexistent/a.json") == "E0101");
  CHECK(code(std::filesystem::temp_directory_path().string()) == "E0102");
  if (std::filesystem::exists("/proc/self/mem")) CHECK(code("/proc/self/mem") == "E0101");
  const std::string large = temporary("large.json");
  std::ofstream(large).put('{');
  std::filesystem::resize_file(large, 100'000'000);  // sparse
  CHECK(code(large) == "E0104");
  std::filesystem::resize_file(large, 3);
  Diagnostics diagnostics;
  CHECK(read_text(large, diagnostics).value_or("").size() == 3);
  std::filesystem::remove(large);
  if (std::filesystem::exists("/dev/zero")) CHECK(code("/dev/zero") == "E0104");
}

TEST_CASE("edit distance and suggestions") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ab", "ba") == 1);
  const std::vector<std::string_view> words = {"read_bandwidth", "write_bandwidth", "latency"};
  CHECK(nearest("read_bandwith", words) == "read_bandwidth");
  CHECK(nearest("Latency", words) == "latency");
  CHECK(nearest("colour", words).empty());
  CHECK(suggest("latncy", words) == "did you mean 'latency'?");
  CHECK(suggest("colour", words) == "known here: read_bandwidth, write_bandwidth, latency");
  CHECK(suggest("read_speed_mbs", words) == "did you mean 'read_bandwidth'?");
}

}  // namespace headrace::scenarios
