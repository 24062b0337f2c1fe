// headrace merge: the stores of several machines in one.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/store_refusal.hpp"
#include "cli/verb.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/results/results_store.hpp"

namespace headrace::cli {
namespace {

using scenarios::ResultsStore;

struct MergeOptions {
  OutputOptions output;
  std::vector<std::string> stores;
  std::string joined;  ///< takes them in
};

void add_options(OptionTable& table, MergeOptions& options) {
  table.examples({"headrace sweep loader-workers --level bound --shard 1/2",
                  "headrace sweep loader-workers --level bound --shard 2/2",
                  "headrace merge results.1-of-2.db results.2-of-2.db -o all.db"});
  table.add("stores", "FILE", options.stores, "stores to merge").required().count(1, -1);
  table.section("Output");
  table.add("-o,--output", "FILE", options.joined, "target store, created if missing").required();
  add_json(table, options.output);
  add_quiet_and_colour(table, options.output);
}

int merge_into(const MergeOptions& options, Console& console) {
  // All of them are looked at before the first is taken in.
  for (const std::string& input : options.stores) ResultsStore(input, ResultsStore::Access::read).require_intact();
  ResultsStore store(options.joined, ResultsStore::Access::write);
  store.require_intact();
  const std::uint64_t before = store.results();
  for (const std::string& input : options.stores) {
    std::error_code error;
    if (!std::filesystem::equivalent(input, options.joined, error)) store.merge(input);
  }
  const std::uint64_t after = store.results();
  const std::string document =
      options.output.json
          ? reports::json_text(
                {{"store", options.joined}, {"merged", options.stores}, {"results", after}, {"added", after - before}})
          : fmt::format("{} results in {}, {} of them new\n", after, options.joined, after - before);
  return console.deliver(document, "") ? kOk : kBadInput;
}

int run(const MergeOptions& options, Console& console) {
  try {
    return merge_into(options, console);
  } catch (const scenarios::StoreError& error) {
    return refuse(error, console);
  }
}

}  // namespace

Verb merge() {
  return make_verb<MergeOptions>("merge", "join stores of results, such as those of the shards of a sweep", add_options,
                                 run);
}

}  // namespace headrace::cli
