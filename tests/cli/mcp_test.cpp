#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::matches_golden;
using headrace::testing::Run;
using headrace::testing::run;

namespace {

using McpJson = nlohmann::json;

const std::string kHello =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
    R"("clientInfo":{"name":"test","version":"1"}}})"
    "\n"
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
    "\n";

std::string call_of(int id, const std::string& tool, const McpJson& arguments) {
  return McpJson{{"jsonrpc", "2.0"},
                 {"id", id},
                 {"method", "tools/call"},
                 {"params", {{"name", tool}, {"arguments", arguments}}}}
             .dump() +
         "\n";
}

/// The server with a file as its standard input.
Run serve_assistant(const std::string& lines, const std::string& flags = "") {
  const Folder folder;
  const std::string command = "'" HEADRACE_PROGRAM "' mcp " + flags + " <'" + lines + "' >'" + folder.path("out") +
                              "' 2>'" + folder.path("err") + "'";
  const int raw = std::system(command.c_str());
  return {WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw), file_text(folder.path("out")),
          file_text(folder.path("err"))};
}

/// What the server says to some lines, by line.
std::vector<McpJson> assistant_session(const std::string& lines, const std::string& flags = "") {
  const Folder folder;
  const Run said = serve_assistant(folder.write("lines", lines), flags);
  INFO(said.err);
  CHECK(said.status == 0);
  std::vector<McpJson> answers;
  for (std::size_t begin = 0; begin < said.out.size();) {
    const std::size_t end = said.out.find('\n', begin);
    answers.push_back(McpJson::parse(said.out.substr(begin, end - begin)));
    begin = end + 1;
  }
  return answers;
}

/// The answer to one call after the greeting.
McpJson tool_call(const std::string& tool, const McpJson& arguments, const std::string& flags = "") {
  const std::vector<McpJson> answers = assistant_session(kHello + call_of(1, tool, arguments), flags);
  REQUIRE(answers.size() == 2);
  REQUIRE(answers[1]["id"] == 1);
  return answers[1];
}

std::string first_text(const McpJson& answer) { return answer["result"]["content"][0]["text"].get<std::string>(); }

}  // namespace

TEST_CASE("a recorded session of an assistant is answered as recorded", "[golden]") {
  const Run said = serve_assistant(std::string(HEADRACE_SOURCE_DIR) + "/tests/cli/mcp_session.jsonl");
  CHECK(said.status == 0);
  CHECK(said.err.empty());
  CHECK(matches_golden(said.out, "tests/cli/mcp_session.golden.jsonl"));
}

TEST_CASE("tools answer with the bytes of the verbs", "[cli]") {
  const McpJson sets{{"/cluster/pools/0/nodes", 1}, {"/jobs/0/loader/workers", 6}};
  const std::string flags = " --set /cluster/pools/0/nodes=1 --set /jobs/0/loader/workers=6 ";
  CHECK(
      first_text(tool_call("simulate", {{"scenario", "image-node"}, {"set", sets}, {"steps", 300}, {"json", true}})) ==
      run("simulate image-node --steps 300 --max-wall 60 --json" + flags).out);
  CHECK(first_text(tool_call("bound", {{"scenario", "image-node"}, {"set", sets}, {"level", "estimate"}})) ==
        run("bound image-node --level estimate" + flags).out);
  CHECK(first_text(tool_call("plan", {{"scenario", "image-node"},
                                      {"set", sets},
                                      {"inputs", "nominal"},
                                      {"decide", {{"/jobs/0/loader/workers", "4:8"}}},
                                      {"json", true}})) ==
        run("plan image-node --inputs nominal --decide /jobs/0/loader/workers=4:8 --json" + flags).out);
  CHECK(first_text(tool_call("compare", {{"a", "image-node"},
                                         {"b", "image-node"},
                                         {"set", {{"/cluster/pools/0/nodes", 1}}},
                                         {"set_b", {{"/jobs/0/loader/workers", 3}}},
                                         {"steps", 200}})) ==
        run("compare image-node image-node --set /cluster/pools/0/nodes=1 --set-b /jobs/0/loader/workers=3 "
            "--steps 200 --max-wall 60")
            .out);
}

TEST_CASE("a mistake in the arguments of a tool says what to write instead", "[cli]") {
  const McpJson unknown = tool_call("bound", {{"scenario", "image-node"}, {"seeds", 3}});
  CHECK(unknown["result"]["isError"] == true);
  CHECK(first_text(unknown) == "error: bound has no argument 'seeds'\n  = help: did you mean 'seed'?\n");
  CHECK(first_text(tool_call("bound", McpJson::object())).starts_with("error: bound needs 'scenario'\n"));
  CHECK(first_text(tool_call("bound", {{"scenario", 3}}))
            .starts_with("error: scenario: expected {\"type\":\"string\"}\n"));
  CHECK(first_text(tool_call("bound", {{"scenario", "image-nod"}})).find("did you mean") != std::string::npos);
  const McpJson value = tool_call("validate", {{"scenario", "image-node"}, {"set", {{"/jobs/0/loader/wokers", 3}}}});
  CHECK(value["result"]["isError"] == true);
  CHECK(first_text(value) == run("validate image-node --set /jobs/0/loader/wokers=3").err);
  const McpJson range = tool_call("simulate", {{"scenario", "image-node"}, {"replications", 0}});
  CHECK(range["result"]["isError"] == true);
  CHECK(first_text(range).find("--replications") != std::string::npos);
}

TEST_CASE("values of a call are no flags of the program", "[cli]") {
  const Folder folder;
  const std::string file = folder.path("written");
  CHECK(tool_call("explain", {{"topics", {"--output=" + file, "E0203"}}})["result"]["isError"] == true);
  CHECK(tool_call("bound", {{"scenario", "--help"}})["result"]["isError"] == true);
  CHECK(tool_call("bound", {{"scenario", "image-node"}, {"level", "flow --output=" + file}})["result"]["isError"] ==
        true);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("files are read below the named folders only", "[cli]") {
  const Folder outer;
  const std::string secret = outer.write("secret.json", R"({"extends": "image-node", "title": "secret of somebody"})");
  std::filesystem::create_directory(outer.path("open"));
  const std::string flags = "--folder " + outer.path("open");
  outer.write("open/mine.json", R"({"extends": "image-node", "title": "mine"})");
  outer.write("open/sly.json", R"({"extends": "../secret.json"})");
  std::filesystem::create_symlink(secret, outer.path("open/link.json"));
  std::filesystem::create_directory_symlink(outer.path("."), outer.path("open/up"));

  const McpJson mine = tool_call("bound", {{"scenario", "mine"}}, flags);
  CHECK(mine["result"]["isError"] == false);
  CHECK(first_text(mine).starts_with("mine"));
  CHECK(tool_call("validate", {{"scenario", outer.path("open/mine.json")}}, flags)["result"]["isError"] == false);
  CHECK(tool_call("validate", {{"scenario", "image-node"}, {"layers", {"mine.json"}}}, flags)["result"]["isError"] ==
        false);

  for (const std::string& name :
       {std::string("../secret.json"), std::string("link.json"), std::string("up/secret.json"), secret,
        std::string("/etc/passwd"), std::string("../no-such-file.json")}) {
    INFO(name);
    const McpJson refused = tool_call("validate", {{"scenario", name}}, flags);
    CHECK(refused["result"]["isError"] == true);
    CHECK(first_text(refused).find("is outside of the folders that may be read") != std::string::npos);
    CHECK(refused.dump().find("somebody") == std::string::npos);
  }
  const McpJson sly = tool_call("validate", {{"scenario", "sly.json"}}, flags);
  CHECK(sly["result"]["isError"] == true);
  CHECK(first_text(sly).find("is outside of the folders that may be read") != std::string::npos);
  CHECK(sly.dump().find("somebody") == std::string::npos);
  CHECK(first_text(tool_call("validate", {{"scenario", secret}})).find("no folder may be read") != std::string::npos);
  CHECK(tool_call("validate", {{"scenario", "-"}}, flags)["result"]["isError"] == true);
  CHECK(run("mcp --folder " + outer.path("none")).status == 2);
}

TEST_CASE("a server of assistants takes every line", "[cli]") {
  const std::vector<McpJson> answers = assistant_session(
      "{\"jsonrpc\": \"2.0\", \"id\": 1,\n" + std::string(70, '[') + "\n\xff\xfe\n[]\n3\n" +
      R"({"id":2,"method":"ping"})" + "\n" + R"({"jsonrpc":"2.0","id":{},"method":"ping"})" + "\n" +
      R"({"jsonrpc":"2.0","id":3,"method":"no/such"})" + "\n" + R"({"jsonrpc":"2.0","id":4,"method":"tools/list"})" +
      "\n" + std::string(1'000'001, ' ') + "\n\n" + kHello + R"({"jsonrpc":"2.0","id":"5","method":"ping"})" + "\n" +
      R"({"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"simulat"}})" + "\n" +
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]})" + "\n" +
      R"({"jsonrpc":"2.0","id":8,"result":{}})" + "\n" + R"({"jsonrpc":"2.0","id":9,"method":"ping"})");
  std::vector<int> codes;
  for (const McpJson& answer : answers)
    codes.push_back(answer.contains("error") ? answer["error"]["code"].get<int>() : 0);
  CHECK(codes == std::vector<int>{-32700, -32700, -32700, -32600, -32600, -32600, -32600, -32601, -32600, -32600, 0, 0,
                                  -32602, -32602, 0});
  REQUIRE(answers.size() == 15);
  CHECK(answers[5]["id"] == 2);
  CHECK(answers[11]["id"] == "5");
  CHECK(answers[12]["error"]["message"] == "unknown tool 'simulat': did you mean 'simulate'?");
  CHECK(answers[14]["id"] == 9);
}

TEST_CASE("a call that takes too long ends, and pings are heard meanwhile", "[cli][long_2]") {
  const McpJson endless{{"scenario", "image-node"}, {"steps", 500'000'000}, {"json", true}};
  const std::string ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})"
                           "\n";
  const std::vector<McpJson> limited =
      assistant_session(kHello + call_of(1, "simulate", endless) + ping, "--max-wall 2");
  REQUIRE(limited.size() == 3);
  CHECK(limited[1]["id"] == 2);
  CHECK(limited[2]["id"] == 1);
  CHECK(McpJson::parse(first_text(limited[2]))["stopped_by"] == "max_wall");

  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
                             "\n";
  const std::vector<McpJson> cancelled = assistant_session(kHello + call_of(1, "simulate", endless) + cancel +
                                                           call_of(3, "bound", {{"scenario", "image-node"}}));
  REQUIRE(cancelled.size() == 2);
  CHECK(cancelled[1]["id"] == 3);
}
