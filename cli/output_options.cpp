#include "cli/output_options.hpp"

namespace headrace::cli {
namespace {

void add_when(OptionTable& table, const char* name, When& when, const char* help) {
  table.section("Output");
  const auto take = [&when](const std::string& word) {
    when = word == "always" ? When::always : word == "never" ? When::never : When::automatic;
  };
  table.call(name, "WHEN", take, help).one_of({"auto", "always", "never"});
}

}  // namespace

void add_json(OptionTable& table, OutputOptions& output) {
  table.section("Output");
  table.flag("--json", output.json, "print JSON instead of text");
}

void add_verbose(OptionTable& table, OutputOptions& output) {
  table.section("Output");
  table.flag("-v,--verbose", output.verbose, "the whole text: GPU states, waits, resources, costs, evidence");
}

void add_quiet_and_colour(OptionTable& table, OutputOptions& output) {
  table.section("Output");
  table.flag("-q,--quiet", output.quiet, "only errors on standard error");
  add_when(table, "--color", output.colour, "colour: auto (terminal without NO_COLOR), always, never");
}

void add_output(OptionTable& table, OutputOptions& output) {
  add_json(table, output);
  table.call(
      "-o,--output", "FILE", [&output](const std::string& file) { output.file = file == "-" ? "" : file; },
      "write the document here, whole or not at all; -: to standard output");
  add_quiet_and_colour(table, output);
}

namespace {

Option add_page(OptionTable& table, OutputOptions& output) {
  table.section("Output");
  return table.add("--report", "FILE.html", output.report, "also write a report to look at, one HTML file");
}

}  // namespace

void add_report(OptionTable& table, OutputOptions& output) { add_page(table, output); }

void add_live_report(OptionTable& table, OutputOptions& output) {
  const Option page = add_page(table, output);
  table.flag("--live", output.live, "let the report answer sliders itself, by the bound, without network").needs(page);
}

void add_progress(OptionTable& table, OutputOptions& output) {
  add_when(table, "--progress", output.progress, "progress on standard error: auto (terminal), always, never");
}

}  // namespace headrace::cli
