// headrace merge: the stores of several machines in one.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/store_error.hpp"
#include "cli/verbs.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/results_store.hpp"

namespace headrace::cli {
namespace {

using scenarios::ResultsStore;

int merge_into(const Invocation& call, Console& console) {
  // All of them are looked at before the first is taken in.
  for (const std::string& input : call.inputs) const ResultsStore check(input, ResultsStore::Access::read);
  ResultsStore store(call.results, ResultsStore::Access::write);
  const std::uint64_t before = store.results();
  for (const std::string& input : call.inputs) {
    std::error_code error;
    if (!std::filesystem::equivalent(input, call.results, error)) store.merge(input);
  }
  const std::uint64_t after = store.results();
  const std::string document =
      call.json ? reports::json_text(
                      {{"store", call.results}, {"merged", call.inputs}, {"results", after}, {"added", after - before}})
                : fmt::format("{} results in {}, {} of them new\n", after, call.results, after - before);
  return console.deliver(document, "") ? kOk : kBadInput;
}

}  // namespace

int merge(const Invocation& call, Console& console) {
  try {
    return merge_into(call, console);
  } catch (const scenarios::StoreError& error) {
    return fail(error, console);
  }
}

}  // namespace headrace::cli
