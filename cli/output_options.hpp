// Options that say where a document goes and what the streams show.
#pragma once

#include <string>
#include <vector>

#include "cli/option_table.hpp"

namespace headrace::cli {

enum class When { automatic, always, never };

struct OutputOptions {
  std::string program;             ///< the command line as typed, which pages and messages repeat
  std::vector<std::string> words;  ///< the same, word by word
  bool json = false;
  bool quiet = false;
  bool verbose = false;  ///< --verbose: all of a text, not only the first screen
  std::string file;      ///< -o; empty: standard output
  std::string report;    ///< --report: HTML beside the document; empty: none
  bool live = false;     ///< --live: the report answers sliders itself
  When colour = When::automatic;
  When progress = When::automatic;

  /// As asked, or as the name of the file says.
  bool wants_json() const { return json || file.ends_with(".json"); }
  bool wants_page() const { return !json && file.ends_with(".html"); }
  bool wants_markdown() const { return !json && file.ends_with(".md"); }
};

/// --json, -o, -q and --color.
void add_output(OptionTable& table, OutputOptions& output);

/// --verbose, for texts that have a first screen.
void add_verbose(OptionTable& table, OutputOptions& output);
void add_json(OptionTable& table, OutputOptions& output);
void add_quiet_and_colour(OptionTable& table, OutputOptions& output);
void add_report(OptionTable& table, OutputOptions& output);
/// The same with --live, for reports of one outcome.
void add_live_report(OptionTable& table, OutputOptions& output);
void add_progress(OptionTable& table, OutputOptions& output);

}  // namespace headrace::cli
