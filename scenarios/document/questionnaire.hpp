// The questions of `headrace init --ask`, and the scenario that their answers describe. Every question may be
// left open: then a default with a plausible range stands in the scenario, under input_ranges or from a generic class
// of the catalogue.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "scenarios/document/catalogue.hpp"

namespace headrace::scenarios {

struct Question {
  std::string_view key;           ///< also the flag: --gpus
  std::string_view text;          ///< as asked, without what may stand behind it in parentheses
  std::string_view example;       ///< an answer
  std::string_view choices;       ///< answers to pick from, between bars
  std::string_view note = {};     ///< in parentheses behind the text
  bool is_list = false;           ///< the choices are all that there are, and stand in the parentheses
  std::string_view section = {};  ///< of the catalogue, whose names are answers, too
};

inline constexpr std::array kQuestions = {
    Question{.key = "workload",
             .text = "What is trained?",
             .example = "images",
             .choices = "images|text|multimodal|video|audio|recommendation|science|finetune",
             .is_list = true},
    Question{.key = "model",
             .text = "How large is the model and how is it split, or how many samples/s does a GPU process?",
             .example = "70B, tp=8, pp=2 or 3000 samples/s or batch 256, 85 ms per step",
             .choices = "7B|70B, tp=8, pp=2|3000 samples/s|batch 256, 85 ms per step"},
    Question{.key = "gpus",
             .text = "How many GPUs, of which type?",
             .example = "64 nodes x 8 H100",
             .choices = "1 node x 8 H100|4 nodes x 8 H100|16 nodes x 8 H100|64 nodes x 8 H100|64 nodes x 8 H200|"
                        "256 nodes x 8 B200|1250 nodes x 8 H100"},
    Question{.key = "node",
             .text = "Which servers or instances?",
             .example = "DGX-H100",
             .choices = {},
             .note = "headrace explain catalogue",
             .section = "node"},
    Question{.key = "data",
             .text = "How much data, of which kind, in how many objects?",
             .example = "500 TB JPEG, 4.5M objects or 15T tokens",
             .choices = "150 GB JPEG|20 TB JPEG|500 TB JPEG, 4.5M objects|15T tokens"},
    Question{.key = "layout",
             .text = "Single files, or many samples in one?",
             .example = "shards",
             .choices = "files|shards|tokens|parquet|hdf5|tfrecord",
             .is_list = true},
    Question{.key = "epochs", .text = "How many epochs?", .example = "90", .choices = "1|3|10|90"},
    Question{.key = "location",
             .text = "Where is the data?",
             .example = "region",
             .choices = "local|site|region|remote",
             .is_list = true},
    Question{.key = "store",
             .text = "Which storage, or how many GB/s, at what price?",
             .example = "s3-standard or 100 GB/s object store, $0.02/GB-month",
             .choices = "20 GB/s file system|100 GB/s file system|100 GB/s object store, $0.02/GB-month",
             .section = "store"},
    Question{.key = "prefixes",
             .text = "Over how many prefixes of the object store, of how many requests/s each?",
             .example = "16, 5500 /s",
             .choices = "none|1, 5500 /s|16, 5500 /s|128, 5500 /s",
             .note = "none: no limit"},
    Question{.key = "network",
             .text = "Network of a node for storage, and oversubscription?",
             .example = "4x200G, 2:1",
             .choices = "100G, 1:1|200G, 2:1|2x200G, 1:1|4x200G, 2:1|8x400G, 1:1"},
    Question{.key = "nvme",
             .text = "Local NVMe of a node that may cache data?",
             .example = "15 TB, 20 GB/s",
             .choices = "none|4 TB, 6 GB/s|15 TB, 20 GB/s|30 TB, 40 GB/s",
             .note = "none"},
    Question{.key = "checkpoint",
             .text = "How often are checkpoints written, and how often does a node fail?",
             .example = "30 min, 50000 h",
             .choices = "none|30 min, 50000 h|1 h, 50000 h|3 h, 20000 h",
             .note = "none"},
    Question{.key = "tenants",
             .text = "What share of the storage do others use?",
             .example = "30 %",
             .choices = "none|10 %|30 %|50 %",
             .note = "none"},
    Question{.key = "objective",
             .text = "What matters, within which budget?",
             .example = "cheapest, $2M/month or fastest, $500/epoch",
             .choices = "cheapest|fastest|fed",
             .is_list = true},
};

/// The question as it is asked in a text: with its note, or its choices where these are all.
std::string question_text(const Question& question);
/// Answers to pick from.
std::vector<std::string> choices_of(const Question& question, const Catalogue& catalogue);

/// By key of the question; missing, empty, "?" and "don't know" leave it open.
using Answers = std::map<std::string, std::string, std::less<>>;

struct AnswerError {
  std::string key;
  std::string message;
  std::string help;
};

struct Budget {
  std::string objective;
  std::optional<double> usd_per_hour;
  std::optional<double> usd_per_epoch;
};

struct Draft {
  std::string text;  ///< a scenario file
  Budget budget;
  std::vector<std::string> warnings;  ///< answers that do not fit together
  std::vector<std::string> read;      ///< what was taken for an answer that can mean several things, or says too little
  bool layout_assumed = false;        ///< no answer says what a file holds, not even that about the data
  bool sample_size_assumed = false;
};

bool is_open(std::string_view answer);

/// The scenario, or what is wrong with the first answer that is.
tl::expected<Draft, AnswerError> draft_scenario(const Answers& answers, const Catalogue& catalogue);

/// Whether a question has a meaning beside the answers so far: only object stores have prefixes.
bool is_asked(const Question& question, const Answers& answers, const Catalogue& catalogue);

/// nullopt when the answer can be read, and does not contradict the `others` given before it.
std::optional<AnswerError> check_answer(const std::string& key, const std::string& answer, const Catalogue& catalogue,
                                        const Answers& others = {});

}  // namespace headrace::scenarios
