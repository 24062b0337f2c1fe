// What the answers to the questions of `headrace init --ask` say, with the defaults of what they leave open.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "scenarios/document/questionnaire.hpp"

namespace headrace::scenarios {

/// What stands for a class of workload until it is measured. All figures are assumptions, with MLPerf Storage v1.0's
/// resnet50 and unet3d on H100 behind `images` and `science`.
struct WorkloadClass {
  std::string_view name;
  double sample_bytes;
  double sample_cv;      ///< of the sizes, log-normal; 0: all equal
  double samples_per_s;  ///< of one GPU; 0: from the size of the model
  int batch;
  double cpu_ms;
  double decoded_bytes;
  int samples_per_file;
  double tokens;  ///< of a sample, where the model's size gives its cost
  double default_bytes;
};

struct StatedAnswers {
  const WorkloadClass* workload = nullptr;
  double parameters = 0.0;     ///< of the model; 0: not known
  double samples_per_s = 0.0;  ///< of one GPU; 0: from the size of the model
  double tokens = 0.0;         ///< of a sample; 0: the rate is given
  std::uint64_t batch = 0;     ///< samples of one GPU in a step
  bool rate_given = false;
  bool size_given = false;
  std::map<std::string, std::uint64_t> split;  ///< tp, pp, cp, dp
  std::uint64_t gpus = 64;
  std::optional<std::uint64_t> nodes;   ///< open: 8 GPUs each
  std::string gpu;                      ///< entry of the catalogue; empty: that of the node
  std::vector<std::string> other_gpus;  ///< entries that the same word means
  std::string node = "generic-8-gpu";
  bool node_given = false;
  double bytes = 0.0;  ///< of the dataset
  bool volume_given = false;
  bool sample_size_given = false;  ///< "120 kB each"
  bool volume_of_count = false;    ///< the volume is the count of samples times their stated size
  double objects = 0.0;            ///< 0: from the format
  double samples = 0.0;            ///< 0: from the volume
  double tokens_of_data = 0.0;     ///< 0: not counted
  double bytes_per_token = 0.0;    ///< 0: no tokens were counted
  std::string format;
  std::optional<std::uint64_t> epochs;
  std::string location = "site";
  nlohmann::ordered_json store;  ///< as in a scenario
  bool object_store = false;
  bool egress_assumed = false;  ///< that it is free, because nobody said where the GPUs are
  bool idle_prefixes = false;   ///< prefixes were answered, but nothing limits their requests
  bool network_given = false;
  nlohmann::ordered_json nic;  ///< as in a scenario; null: that of the node
  std::optional<double> oversubscription;
  double nvme_bytes = 0.0;  ///< of a node; 0: no cache
  std::string nvme_rate;
  bool checkpoint = false;
  std::string interval;
  std::string mtbf;
  double tenants = 0.0;   ///< share of the store that others use
  std::string objective;  ///< as answered
  Budget budget;
};

/// Whether an answer of "model" says neither its size nor its speed: "ResNet-50".
bool only_names_model(const std::string& answer);

/// What the answers say, or what is wrong with the first that cannot be read.
tl::expected<StatedAnswers, AnswerError> read_answers(const Answers& answers, const Catalogue& catalogue);

}  // namespace headrace::scenarios
