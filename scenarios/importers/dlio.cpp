#include "scenarios/importers/dlio.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/describe/unit.hpp"
#include "scenarios/document/units.hpp"
#include "scenarios/importers/dlio_keys.hpp"
#include "scenarios/importers/yaml_view.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using models::Unit;

constexpr double kLargestBytes = 1e15;
constexpr std::uint64_t kMostFiles = 1'000'000'000'000;

struct Import {
  YamlView& yaml;
  const DlioOptions& options;
  std::vector<std::string> notes;
};

/// A number, or {mean, stdev}, or {type: uniform, min, max}: DLIO's ways to state a time.
Json time_json(Import& import, const std::string& path, double most_s) {
  YamlView& yaml = import.yaml;
  if (!yaml.has_map(path)) return print_quantity(yaml.number(path, 0.0, most_s).value_or(0.0), Unit::seconds);
  const std::string type = yaml.word(path + ".type").value_or("normal");
  if (type == "uniform") {
    const double low = yaml.number(path + ".min", 0.0, most_s).value_or(0.0);
    const double high = yaml.number(path + ".max", low, most_s).value_or(low);
    return {{"uniform", {{"low", print_quantity(low, Unit::seconds)}, {"high", print_quantity(high, Unit::seconds)}}}};
  }
  const double mean = yaml.number(path + ".mean", 0.0, most_s).value_or(0.0);
  if (type == "exponential") return {{"exponential", {{"mean", print_quantity(mean, Unit::seconds)}}}};
  if (type != "normal") {
    yaml.complain("E0208", fmt::format("unsupported distribution '{}'", type),
                  "write normal, uniform, exponential or one number", path + ".type");
    return nullptr;
  }
  const double deviation = yaml.number(path + ".stdev", 0.0, most_s).value_or(0.0);
  if (deviation == 0.0 || mean == 0.0) return print_quantity(mean, Unit::seconds);
  import.notes.push_back(
      fmt::format("{}: normal becomes gamma with the same mean and deviation, which has no negative "
                  "values",
                  path));
  return {{"gamma", {{"mean", print_quantity(mean, Unit::seconds)}, {"cv", deviation / mean}}}};
}

Json sample_bytes_json(Import& import) {
  YamlView& yaml = import.yaml;
  const std::string key =
      yaml.has("dataset.record_length_bytes") ? "dataset.record_length_bytes" : "dataset.record_length";
  const std::optional<double> mean = yaml.number(key, 1.0, kLargestBytes);
  if (!mean) {
    if (!yaml.has(key))
      yaml.complain("E0202", "dataset.record_length_bytes is missing", "give the size of one sample in bytes",
                    "dataset");
    return nullptr;
  }
  const double deviation = yaml.number(key + "_stdev", 0.0, kLargestBytes).value_or(0.0);
  if (deviation == 0.0) return print_quantity(*mean, Unit::bytes);
  import.notes.push_back(
      "dataset.record_length_bytes_stdev: DLIO draws sizes from a normal distribution; here a gamma "
      "distribution has the same mean and deviation and no negative sizes");
  return {{"gamma", {{"mean", print_quantity(*mean, Unit::bytes)}, {"cv", deviation / *mean}}}};
}

/// TensorFlow record files are read front to back; so is any file when samples are not shuffled.
bool reads_sequentially(YamlView& yaml, const std::string& format) {
  const std::string shuffle = yaml.word("reader.sample_shuffle").value_or("off");
  if (format == "tfrecord") return true;
  return shuffle == "off" || shuffle == "False" || shuffle == "false";
}

Json dataset_json(Import& import, const std::string& name) {
  YamlView& yaml = import.yaml;
  const std::string format = yaml.word("dataset.format").value_or("tfrecord");
  const std::uint64_t stated = yaml.count("dataset.num_files_train", 1, kMostFiles).value_or(8);
  const std::uint64_t files = import.options.files > 0 ? import.options.files : stated;
  const std::uint64_t per_file = yaml.count("dataset.num_samples_per_file", 1, kMostFiles).value_or(1);
  Json json{{"name", name}, {"store", import.options.store}, {"files", files}};
  if (import.options.files > 0 && files != stated)
    json["// files"] = fmt::format("num_files_train of the file is {}", stated);
  json["samples_per_file"] = per_file;
  json["sample_bytes"] = sample_bytes_json(import);
  json["order"] = per_file > 1 && reads_sequentially(yaml, format) ? "shard_sequential" : "random";
  yaml.use("reader.sample_shuffle");
  yaml.use("reader.file_shuffle");
  json["// order"] = fmt::format("format {}", format);
  if (const auto bytes = yaml.number("reader.transfer_size", 1.0, kLargestBytes))
    json["request_bytes"] = print_quantity(*bytes, Unit::bytes);
  const std::string resize = yaml.has("dataset.record_length_bytes_resize") ? "dataset.record_length_bytes_resize"
                                                                            : "dataset.record_length_resize";
  if (const auto bytes = yaml.number(resize, 0.0, kLargestBytes))
    if (*bytes > 0.0) json["decoded_bytes_per_sample"] = print_quantity(*bytes, Unit::bytes);
  return json;
}

/// PyTorch: num_workers = read_threads and prefetch_factor = ceil(prefetch_size / read_threads), 2 where that is 0.
Json pytorch_loader_json(std::uint64_t threads, std::uint64_t prefetch_size) {
  const std::uint64_t factor = prefetch_size == 0 ? 2 : (prefetch_size + threads - 1) / threads;
  return {{"workers", threads},
          {"prefetch", factor},
          {"order", "in_order"},
          {"// prefetch", "prefetch_factor = ceil(prefetch_size / read_threads) of a PyTorch DataLoader"}};
}

/// tf.data: read_threads files are read at the same time, and prefetch_size finished batches wait beside them.
Json tensorflow_loader_json(std::uint64_t threads, std::uint64_t prefetch_size) {
  return {{"workers", threads},
          {"prefetch", 1},
          {"outstanding", threads + prefetch_size},
          {"order", "in_order"},
          {"// outstanding", "read_threads batches being read and prefetch_size finished ones of a tf.data pipeline"}};
}

Json loader_json(Import& import) {
  YamlView& yaml = import.yaml;
  const std::string framework = yaml.word("framework").value_or("tensorflow");
  const std::string loader = yaml.word("reader.data_loader").value_or(framework);
  const std::uint64_t threads = yaml.count("reader.read_threads", 0, 4096).value_or(1);
  const std::uint64_t prefetch_size = yaml.count("reader.prefetch_size", 0, 4096).value_or(2);
  if (threads == 0) {
    yaml.complain("E0209", "reader.read_threads is 0: loading inside the training process is not modelled yet",
                  "give at least 1", "reader.read_threads");
    return nullptr;
  }
  Json json;
  if (loader == "pytorch") {
    json = pytorch_loader_json(threads, prefetch_size);
  } else {
    json = tensorflow_loader_json(threads, prefetch_size);
    if (loader != "tensorflow")
      import.notes.push_back(fmt::format("reader.data_loader: '{}' is read as a tf.data pipeline", loader));
  }
  json["last_batch"] = "drop";
  json["// last_batch"] = "DLIO sets drop_last, and drop_remainder of tf.data";
  if (yaml.has("reader.preprocess_time")) json["cpu_per_sample"] = time_json(import, "reader.preprocess_time", 1e4);
  return json;
}

void place_on_hosts(Import& import, Json& job) {
  const DlioOptions& options = import.options;
  if (options.hosts > 0) job["nodes"] = options.hosts;
  if (options.accelerators == 0) {
    import.notes.push_back(
        options.hosts > 0
            ? fmt::format("the job takes all GPUs of {} nodes of the pool; --accelerators takes fewer", options.hosts)
            : std::string("the job takes all GPUs of the pool; --accelerators and --hosts take fewer"));
    return;
  }
  const std::uint64_t hosts = options.hosts > 0 ? options.hosts : 1;
  if (options.accelerators % hosts != 0) {
    import.yaml.complain("E0207",
                         fmt::format("{} accelerators do not spread evenly over {} hosts", options.accelerators, hosts),
                         "choose --accelerators as a multiple of --hosts");
    return;
  }
  job["nodes"] = hosts;
  job["gpus_per_node"] = options.accelerators / hosts;
}

Json job_json(Import& import, const std::string& name) {
  YamlView& yaml = import.yaml;
  Json job{{"name", name}, {"pool", import.options.pool}};
  place_on_hosts(import, job);
  job["datasets"] = Json::array({Json{{"dataset", name}}});
  job["loader"] = loader_json(import);
  const std::uint64_t batch = yaml.count("reader.batch_size", 1, 1'000'000'000).value_or(1);
  if (!yaml.has("train.computation_time"))
    yaml.complain("E0202", "train.computation_time is missing", "give the compute time of one step in seconds",
                  "train");
  job["step"] = {{"batch", batch}, {"step_time", time_json(import, "train.computation_time", 1e5)}};
  job["// step"] = "reader.batch_size and train.computation_time; DLIO sleeps instead of computing";
  job["epochs"] = yaml.count("train.epochs", 1, 1'000'000).value_or(1);
  return job;
}

/// Complains and returns false when the file trains nothing.
bool is_training(YamlView& yaml) {
  const bool train = yaml.flag("workflow.train").value_or(true);
  const bool checkpoint = yaml.flag("workflow.checkpoint").value_or(false);
  const bool generate = yaml.flag("workflow.generate_data").value_or(false);
  if (!yaml.diagnostics().empty()) return false;
  const bool has_dataset = yaml.has_map("dataset");
  if (train && has_dataset) return true;
  if (checkpoint)
    yaml.complain(
        "E0209",
        train ? "this workload only writes and reads checkpoints: it has no dataset"
              : "this workload only writes and reads checkpoints: workflow.train is false",
        "checkpoints are not imported; import a workload that trains on a dataset, and add jobs/checkpoint to it",
        "workflow");
  else if (generate || !train)
    yaml.complain("E0209", "this workload has no training: workflow.train is false",
                  generate ? "it only generates data; import the file that trains on them" : "", "workflow");
  else
    yaml.complain("E0202", "the section 'dataset' is missing", "add the section: a training workload needs a dataset");
  return false;
}

void add_epoch_note(Import& import, const Json& dataset, const Json& job) {
  const std::uint64_t accelerators = import.options.accelerators;
  if (accelerators == 0) return;
  const double samples = dataset["files"].get<double>() * dataset["samples_per_file"].get<double>();
  const double per_step = job["step"]["batch"].get<double>() * static_cast<double>(accelerators);
  const double steps = samples / per_step;
  if (steps >= 500.0) return;
  import.notes.push_back(fmt::format(
      "an epoch has only {:.3g} {}; MLPerf Storage asks for at least 500: --files {:.0f}", steps < 1.0 ? 1.0 : std::floor(steps),
      steps < 2.0 ? "step" : "steps", std::ceil(500.0 * per_step / dataset["samples_per_file"].get<double>())));
}

std::string model_name(YamlView& yaml) {
  const std::string key = yaml.has_map("model") ? "model.name" : "model";
  return yaml.word(key).value_or("workload");
}

/// Keys that only say how DLIO runs, not what is measured.
void use_keys_without_meaning(YamlView& yaml) {
  for (const char* key : {"model.type", "dataset.data_folder", "dataset.file_prefix", "workflow.debug"}) yaml.use(key);
}

}  // namespace

tl::expected<DlioImport, Diagnostics> import_dlio(const std::string& file_name, const std::string& text,
                                                  const DlioOptions& options) {
  YamlView yaml(file_name, text);
  if (!yaml.parse()) return tl::unexpected(yaml.diagnostics());
  yaml.refuse_unknown(dlio_keys());
  if (!is_training(yaml)) return tl::unexpected(yaml.diagnostics());
  Import import{yaml, options, {}};
  const std::string name = model_name(yaml);
  Json layer{{"//", "Workload of " + file_name.substr(file_name.rfind('/') + 1) +
                        ", a file of the DLIO benchmark, by headrace import dlio."}};
  if (!options.extends.empty()) layer["extends"] = options.extends;
  if (!options.beside) layer["replaces"] = {"datasets", "jobs"};
  layer["title"] = options.accelerators > 0 ? fmt::format("{} on {} accelerators", name, options.accelerators) : name;
  layer["datasets"] = Json::array({dataset_json(import, name)});
  layer["jobs"] = Json::array({job_json(import, name)});
  if (yaml.flag("workflow.evaluation").value_or(false))
    import.notes.emplace_back("workflow.evaluation: evaluation between epochs is not modelled");
  if (yaml.flag("workflow.checkpoint").value_or(false))
    import.notes.emplace_back(
        "workflow.checkpoint: checkpoints are not imported; add jobs/checkpoint to the layer (headrace explain "
        "checkpoint)");
  if (yaml.diagnostics().empty()) add_epoch_note(import, layer["datasets"][0], layer["jobs"][0]);
  if (!yaml.diagnostics().empty()) return tl::unexpected(yaml.diagnostics());
  use_keys_without_meaning(yaml);
  DlioImport result{name, layer.dump(2) + "\n", {}, std::move(import.notes)};
  for (const auto& [key, line] : yaml.unused()) result.unused.push_back({key, line});
  return result;
}

}  // namespace headrace::scenarios
