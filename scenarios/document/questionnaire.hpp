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
  std::string_view key;      ///< also the flag: --gpus
  std::string_view text;     ///< as asked
  std::string_view example;  ///< an answer
};

inline constexpr std::array kQuestions = {
    Question{"workload", "What is trained? (images, text, multimodal, video, audio, recommendation, science, finetune)",
             "images"},
    Question{"model", "How large is the model and how is it split, or how many samples/s does a GPU process?",
             "70B, tp=8, pp=2 or 3000 samples/s or batch 256, 85 ms per step"},
    Question{"gpus", "How many GPUs, of which type?", "64 nodes x 8 H100"},
    Question{"node", "Which servers or instances? (headrace explain catalogue)", "DGX-H100"},
    Question{"data", "How much data, of which kind, in how many objects?", "500 TB JPEG, 4.5M objects or 15T tokens"},
    Question{"layout", "Single files, or many samples in one? (files, shards, tokens, parquet, hdf5, tfrecord)",
             "shards"},
    Question{"epochs", "How many epochs?", "90"},
    Question{"location", "Where is the data? (local, site, region, remote)", "region"},
    Question{"store", "Which storage, or how many GB/s, at what price?",
             "s3-standard or 100 GB/s object store, $0.02/GB-month"},
    Question{"prefixes", "Over how many prefixes of the object store, of how many requests/s each? (none: no limit)",
             "16, 5500 /s"},
    Question{"network", "Network of a node for storage, and oversubscription?", "4x200G, 2:1"},
    Question{"nvme", "Local NVMe of a node that may cache data? (none)", "15 TB, 20 GB/s"},
    Question{"checkpoint", "How often are checkpoints written, and how often does a node fail? (none)",
             "30 min, 50000 h"},
    Question{"tenants", "What share of the storage do others use? (none)", "30 %"},
    Question{"objective", "What matters, within which budget? (cheapest, fastest, fed)",
             "cheapest, $2M/month or fastest, $500/epoch"},
};

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
