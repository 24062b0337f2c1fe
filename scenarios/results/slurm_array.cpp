#include "scenarios/results/slurm_array.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "scenarios/document/shell_quoted.hpp"
#include "scenarios/results/shard.hpp"

namespace headrace::scenarios {

std::string shard_store(const SlurmSweep& sweep, unsigned shard) {
  return shard_path(sweep.folder + "/results.db", {shard, sweep.shards});
}

std::string shard_log(const SlurmSweep& sweep, unsigned shard) {
  return fmt::format("{}/shard-{}.log", sweep.folder, shard);
}

std::string array_script(const SlurmSweep& sweep) {
  return fmt::format(
      "#!/bin/sh\n"
      "# One shard of a sweep: the task's number says which.\n"
      "exec {} {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" -o {}\n",
      shell_quoted(sweep.program), sweep.call, sweep.shards, shell_quoted(sweep.folder + "/results.db"));
}

std::string merge_script(const SlurmSweep& sweep) {
  const std::string program = shell_quoted(sweep.program);
  const std::string results = shell_quoted(sweep.results);
  const std::string ranking = fmt::format(
      "# What the shards have not run for the places of all points is run here.\n"
      "exec {} {} --threads \"${{SLURM_CPUS_PER_TASK:-1}}\" -o {}\n",
      program, sweep.call, results);
  return fmt::format(
      "#!/bin/sh\n"
      "# Joins what the shards have computed, in the order of their numbers; shards without a store are left out.\n"
      "set --\n"
      "for shard in $(seq {}); do\n"
      "  store={}/results.$shard-of-{}.db\n"
      "  [ ! -f \"$store\" ] || set -- \"$@\" \"$store\"\n"
      "done\n"
      "{}{} merge \"$@\" -o {}{}\n{}",
      sweep.shards, shell_quoted(sweep.folder), sweep.shards, sweep.ranked ? "" : "exec ", program, results,
      sweep.ranked ? " || exit" : "", sweep.ranked ? ranking : "");
}

std::string task_list(const std::vector<unsigned>& shards) {
  std::string list;
  for (std::size_t i = 0; i < shards.size();) {
    std::size_t last = i;
    while (last + 1 < shards.size() && shards[last + 1] == shards[last] + 1) ++last;
    if (!list.empty()) list += ',';
    list += last == i ? fmt::format("{}", shards[i]) : fmt::format("{}-{}", shards[i], shards[last]);
    i = last + 1;
  }
  return list;
}

std::string print_jobs(const SlurmSweep& sweep, const SlurmJobs& jobs) {
  const nlohmann::ordered_json document = {{"sweep", sweep.id},
                                           {"call", sweep.call},
                                           {"shards", sweep.shards},
                                           {"array_job", jobs.array_id},
                                           {"merge_job", jobs.merge_id}};
  return document.dump(2) + "\n";
}

tl::expected<SlurmJobs, std::string> parse_jobs(const SlurmSweep& sweep, std::string_view text) {
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  const auto word = [&document](const char* key) {
    const auto found = document.find(key);
    return found != document.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (!document.is_object() || word("sweep").empty()) return tl::unexpected(std::string("its jobs.json is damaged"));
  if (word("sweep") != sweep.id || document.value("shards", 0U) != sweep.shards)
    return tl::unexpected(std::string("it belongs to a sweep of another space, with other flags or shards"));
  return SlurmJobs{word("array_job"), word("merge_job")};
}

}  // namespace headrace::scenarios
