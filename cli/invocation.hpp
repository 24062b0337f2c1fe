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
  std::vector<std::string> words;   ///< the same, word by word
  std::string verb;                 ///< empty: help or version was asked for
  std::vector<std::string> inputs;  ///< scenarios, or what the verb takes instead
  std::vector<std::string> sets;    ///< "/pointer=value"
  bool json = false;
  bool quiet = false;
  std::string output;                ///< -o; empty: standard output
  std::string report;                ///< --report: HTML beside the document; empty: none
  std::string timeline;              ///< --timeline: trace of the first steps; empty: none
  std::uint32_t timeline_nodes = 2;  ///< in it
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

  std::string sweep_level = "simulate";  ///< sweep: "bound", "estimate" or "simulate"
  std::string results = "results.db";    ///< sweep, merge: the store
  std::string shard;                     ///< sweep: "2/8", "auto", "auto/8"; empty: all points
  std::uint64_t limit = 0;               ///< sweep: points to compute at most; 0: all
  std::string rank;                      ///< sweep: metric by which the points are ranked; empty: not at all
  double within = 0.02;                  ///< sweep --rank: relative size to which differences are known
  bool with_relief = false;              ///< sweep: relief at each point
  bool fresh = false;                    ///< sweep: compute again what the store holds
  std::string where = "local";           ///< sweep: "local" or "slurm"
  std::uint32_t shards = 0;              ///< sweep on Slurm: tasks of the job array
  std::vector<std::string> sbatch;       ///< sweep on Slurm: options for both jobs
  std::string format;                    ///< report: "html", "csv", "ndjson", "json", "openmetrics"; empty: as fits
  std::string metrics;                   ///< report: names joined by commas; empty: the usual ones
  std::string best;                      ///< report: metric whose best point alone is wanted
  std::string sweep_id;                  ///< report: beginning of the id of a sweep; empty: all

  std::string level = "flow";          ///< bound
  bool sizing = false;                 ///< bound: the whole sizing sheet instead of the outcome's text
  std::string sizing_room;             ///< bound: one room of it; empty: all
  std::vector<std::string> decisions;  ///< plan: "/pointer=values"
  bool explain_search = false;         ///< plan
  std::uint64_t most_points = 0;       ///< plan; 0: the default
  std::string from;                    ///< backtest: which rows calibrate
  std::string workloads;               ///< backtest: file of workload figures; empty: the shipped ones
  std::string import_format;           ///< import: "dlio", "fio", ...
  std::string import_job;              ///< import: job of the scenario that the figures are for
  std::string import_dataset;          ///< import darshan
  std::string import_name;             ///< import darshan, prometheus, dlio-summary
  std::string import_as;               ///< import prometheus: "background" or "step-time"
  std::string import_workload;         ///< import dlio-summary
  std::string import_accelerator;      ///< import dlio-summary
  std::string import_date;             ///< import: "YYYY-MM-DD"
  std::uint64_t accelerators = 0;      ///< import dlio
  std::uint64_t hosts = 0;             ///< import dlio
  std::uint64_t files = 0;             ///< import dlio
  std::string store = "storage";       ///< import, calibrate
  std::string pool = "gpus";           ///< import, calibrate
  std::string extends;                 ///< import
  bool ask = false;                    ///< init
  std::string path;                    ///< calibrate: the folder that is measured
  std::string budget = "quick";        ///< calibrate
  std::vector<std::string> only;       ///< calibrate: groups of probes; empty: all of the budget
  double file_bytes = 0.0;             ///< calibrate: 0: by budget
  double window_s = 0.0;               ///< calibrate: 0: 0.5 s
  bool accept_noisy = false;           ///< calibrate
  std::string engine = "auto";         ///< calibrate: "auto", "threads" or "libaio"
  int gpu = -1;                        ///< calibrate, verify; -1: none
  std::string cgroup;                  ///< calibrate: folder of the control group; empty: the usual one
  std::string s3;                      ///< calibrate: URL/BUCKET/PREFIX of an object store; empty: none
  unsigned s3_connections = 0;         ///< calibrate --s3: 0: by budget
  double s3_get_usd = -1.0;            ///< calibrate --s3: of one request; below 0: from the catalogue
  double s3_put_usd = -1.0;            ///< the same
  double s3_list_usd = -1.0;           ///< the same
  double s3_egress_usd = -1.0;         ///< of one byte
  std::string show;                    ///< calibrate: a file to tell about
  std::vector<std::string> compared;   ///< calibrate: two files
  std::string site;                    ///< verify: a file of calibrate whose figures are used
  std::string grid = "small";          ///< verify: "small" or "full"
  std::uint32_t rounds = 3;            ///< verify
  std::string measured;                ///< verify: step times of a real job, a CSV file
  bool update = false;                 ///< verify: write the result into the file of --site
  std::map<std::string, std::string, std::less<>> answers;  ///< init: by key of the question
  std::vector<std::string> slos;                            ///< check: "METRIC < LIMIT"
  bool quick = false;                                       ///< check: flow bounds only
  bool nightly = false;                                     ///< check: longer and more precise
  double required_share = 0.0;                              ///< check: of the inputs; 0: not asked for
  std::string baseline;                                     ///< check: file with the last accepted outcomes
  std::string baseline_key;           ///< check: under which name; empty: title or file of the scenario
  bool promote = false;               ///< check: accept this outcome if it passes
  bool force = false;                 ///< check: accept it even if it does not
  double allow = 0.03;                ///< check: change against the baseline that is no regression
  std::vector<std::string> sets_b;    ///< compare: overrides of the second side
  std::vector<std::string> fail_ifs;  ///< compare: "METRIC > +3 %"
  std::string junit;                  ///< check, compare: file for JUnit XML
  std::string markdown;               ///< check, compare: file for Markdown
  bool github = false;                ///< check, compare: annotations on standard output
  std::string reference;              ///< explain: "parameters", "metrics" or "cli" as a whole Markdown page
  std::string gpu_model;              ///< calibrate: whose catalogue figures stand in for a GPU
};

}  // namespace headrace::cli
