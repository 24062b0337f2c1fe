// headrace mcp: answers an assistant on standard input and output.
#include <fmt/format.h>

#include <filesystem>

#include "cli/assistant/server.hpp"
#include "cli/exit_code.hpp"
#include "cli/refusal.hpp"
#include "cli/study_options.hpp"
#include "cli/verb.hpp"

namespace headrace::cli {
namespace {

struct McpOptions {
  OutputOptions output;
  std::vector<std::string> folders;
  double max_wall_s = 60.0;
};

void add_options(OptionTable& table, McpOptions& options) {
  table
      .add("--folder", "DIR", options.folders,
           "scenarios below this folder may be read, links followed (repeatable; default: only shipped scenarios)")
      .repeatable();
  add_max_wall(table, options.max_wall_s,
               "a call may take so much real time: 30s, 2 min (default 60s); it is ended 10 s later at the latest");
  table.examples({"headrace mcp --folder . </dev/null"});
  table.footer(
      "Serves the Model Context Protocol, one JSON-RPC message a line, until standard\n"
      "input ends. Tools: validate, explain, bound, simulate, plan, compare. No file is\n"
      "written and no port is opened.");
}

int run(const McpOptions& options, Console& console) {
  assistant::ServerOptions server;
  server.max_wall_s = options.max_wall_s;
  for (const std::string& folder : options.folders) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(folder, error);
    if (error || !std::filesystem::is_directory(real, error))
      return refuse(fmt::format("--folder: '{}' is not a folder", folder), "name a folder that exists", console);
    server.folders.push_back(real.string());
  }
  return assistant::Server(std::move(server), console).serve();
}

}  // namespace

Verb mcp() {
  return make_verb<McpOptions>("mcp", "answer an assistant by the Model Context Protocol on standard input and output",
                               add_options, run);
}

}  // namespace headrace::cli
