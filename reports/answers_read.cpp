#include "reports/answers_read.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>

#include "models/path/ingest_path.hpp"
#include "reports/campaign_cells.hpp"
#include "reports/humane.hpp"
#include "scenarios/document/answer_words.hpp"
#include "scenarios/document/stated_answers.hpp"

namespace headrace::reports {
namespace {

using scenarios::Answers;
using scenarios::Draft;

/// A rate in both units, because a slip between them is a factor of 8.
std::string in_bytes_and_bits(double bytes_per_s) {
  return fmt::format("{} ({})", humane(bytes_per_s, "B/s"), humane(8.0 * bytes_per_s, "b/s"));
}

bool is_answered(const Answers& answers, std::string_view key) {
  const auto found = answers.find(key);
  return found != answers.end() && !scenarios::is_open(found->second);
}

double network_bytes_per_s(const models::Pool& pool) {
  return static_cast<double>(pool.nic.rails) * pool.nic.bandwidth_bytes_per_s;
}

/// "store (40 GB/s)".
std::string key_with_rate(std::string_view key, double bytes_per_s) {
  return bytes_per_s > 0.0 ? fmt::format("{} ({})", key, humane(bytes_per_s, "B/s", 3)) : std::string(key);
}

/// "batch 8 per replica of 16 GPUs"
std::string batch_text(const models::Job& job) {
  const std::uint64_t gpus = job.parallelism.ranks_per_replica();
  return gpus > 1 ? fmt::format("batch {} per replica of {} GPUs", job.step.batch, gpus)
                  : fmt::format("batch {} per GPU", job.step.batch);
}

std::string assumed_text(const models::Scenario& scenario, const Draft& draft, const Answers& answers) {
  constexpr std::string_view kShaping[] = {"workload", "model", "gpus",     "data",   "layout",
                                           "epochs",   "store", "location", "network"};
  std::vector<std::string> assumed;
  for (const std::string_view key : kShaping) {
    const bool only_named =
        key == "model" && is_answered(answers, key) && scenarios::only_names_model(answers.find(key)->second);
    if (is_answered(answers, key) && !only_named) continue;
    if (key == "workload" && is_answered(answers, "data")) continue;  // its words may say it, and the title does
    if (key == "layout" && !draft.layout_assumed) continue;
    const models::Job& job = scenario.jobs.front();
    const double step_s = models::mean_of(job.step.step_time_s);
    assumed.push_back(key == "epochs" ? counted(job.epochs, "epoch")
                      : key == "model" && step_s > 0.0
                          ? fmt::format("{} ({} of compute in a step)", only_named ? "the speed of the model" : "model",
                                        humane(step_s, "s"))
                      : key == "store"   ? key_with_rate(key, scenario.stores.front().bandwidth_bytes_per_s)
                      : key == "network" ? key_with_rate(key, network_bytes_per_s(models::pool_of(scenario, job)))
                                         : std::string(key));
  }
  if (draft.sample_size_assumed)
    assumed.push_back(humane(models::mean_of(scenario.datasets.front().sample_bytes), "B") + " per sample");
  if (const auto& checkpoint = scenario.jobs.front().checkpoint; checkpoint && !is_answered(answers, "checkpoint"))
    assumed.push_back(fmt::format("checkpoints every {} and a failure of each node every {}",
                                  humane(checkpoint->interval_s, "s", 3),
                                  hours_text((scenario.faults ? scenario.faults->node_mtbf_s : 0.0) / 3600.0)));
  const auto model = answers.find("model");
  if (model == answers.end() || scenarios::in_lower_case(model->second).find("batch") == std::string::npos)
    assumed.push_back(batch_text(scenario.jobs.front()));
  const models::Pool& pool = models::pool_of(scenario, scenario.jobs.front());
  if (!is_answered(answers, "node") && pool.host.cores)
    assumed.push_back(counted(*pool.host.cores, "core") + " per node");
  const models::Loader& loader = scenario.jobs.front().loader;
  assumed.push_back(fmt::format("{} of prefetch {} per GPU", counted(loader.workers, "worker"), loader.prefetch));
  return fmt::format("Assumed, because not stated: {}", fmt::join(assumed, ", "));
}

/// Questions that mean "none" where nobody answers.
std::string left_out_text(const models::Scenario& scenario, const Answers& answers) {
  std::vector<std::string_view> absent;
  for (const auto& [key, words] : {std::pair<std::string_view, std::string_view>{"nvme", "NVMe as a cache"},
                                   {"checkpoint", "checkpoints and failures"},
                                   {"tenants", "others who use the storage"}})
    if (!is_answered(answers, key) && !(key == "checkpoint" && scenario.jobs.front().checkpoint))
      absent.push_back(words);
  return absent.empty() ? std::string() : fmt::format("Left out, because not stated: {}", fmt::join(absent, ", "));
}

}  // namespace

std::string answers_left_open(const models::Scenario& scenario, const Draft& draft, const Answers& answers) {
  std::string text = assumed_text(scenario, draft, answers);
  if (const std::string absent = left_out_text(scenario, answers); !absent.empty()) text += ". " + absent;
  return text + ".";
}

std::string answers_read_as(const models::Scenario& scenario, const Draft& draft, const Answers& answers) {
  const models::Job& job = scenario.jobs.front();
  const models::Pool& pool = models::pool_of(scenario, job);
  const models::Store& store = scenario.stores.front();
  std::string text = fmt::format("Read as: {}; {} of {}", scenario.title, counted(pool.nodes, "node"),
                                 counted(pool.gpus_per_node, "GPU"));
  if (pool.nic.bandwidth_bytes_per_s > 0.0)
    text += fmt::format("; network of a node {}", in_bytes_and_bits(network_bytes_per_s(pool)));
  if (store.bandwidth_bytes_per_s > 0.0)
    text += fmt::format("; storage {}", in_bytes_and_bits(store.bandwidth_bytes_per_s));
  const models::Dataset& data = scenario.datasets.front();
  if (is_answered(answers, "epochs")) text += "; " + counted(job.epochs, "epoch");
  if (is_answered(answers, "checkpoint") && job.checkpoint)
    text += fmt::format("; a checkpoint every {}", humane(job.checkpoint->interval_s, "s", 3));
  text += fmt::format(". Data: {} of {}, {} each", counted(data.files, "file"),
                      counted(data.samples_per_file, "sample"), humane(models::mean_of(data.sample_bytes), "B"));
  for (const std::string& said : draft.read) text += ". " + said;
  return text + ". " + answers_left_open(scenario, draft, answers);
}

}  // namespace headrace::reports
