// One call of the program, parsed: what the verbs work from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headrace::cli {

enum class When { automatic, always, never };

struct Invocation {
  std::string program;              ///< the command line as typed, for messages that repeat it
  std::string verb;                 ///< empty: help or version was asked for
  std::vector<std::string> inputs;  ///< scenarios, or what the verb takes instead
  std::vector<std::string> sets;    ///< "/pointer=value"
  bool json = false;
  bool quiet = false;
  std::string output;  ///< -o; empty: standard output
  When colour = When::automatic;
  When progress = When::automatic;
  std::vector<std::string> catalogues;  ///< files laid over the shipped catalogue
  std::string as_of;                    ///< "YYYY-MM-DD", empty: not given
  bool dry_run = false;

  std::uint64_t seed = 1;
  std::uint32_t replications = 1;
  std::uint32_t first_replication = 0;
  bool replay = false;
  double precision = 0.01;
  bool precision_given = false;  ///< then missing it is a failure of its own
  std::uint64_t steps = 0;
  double max_wall_s = 0.0;
  unsigned threads = 0;
  std::string granularity = "batch";
  bool contention = true;
  bool relief = true;
  bool control = true;
  std::string input_mode = "fixed";  ///< simulate, bound: "fixed" or "ranges"

  std::string level = "flow";      ///< bound
  std::string from;                ///< backtest: which rows calibrate
  std::string workloads;           ///< backtest: file of workload figures; empty: the shipped ones
  std::string import_format;       ///< import: "dlio"
  std::uint64_t accelerators = 0;  ///< import dlio
  std::uint64_t hosts = 0;         ///< import dlio
  std::uint64_t files = 0;         ///< import dlio
  std::string store = "storage";   ///< import dlio
  std::string pool = "gpus";       ///< import dlio
  std::string extends;             ///< import dlio
  bool ask = false;                ///< init
  std::map<std::string, std::string, std::less<>> answers;  ///< init: by key of the question
  std::string reference;  ///< explain: "parameters", "metrics" or "cli" as a whole Markdown page
};

}  // namespace headrace::cli
