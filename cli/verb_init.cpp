// headrace init: a commented scenario to start from.
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/verbs.hpp"
#include "scenarios/embedded_texts.hpp"

namespace headrace::cli {

int init(const Invocation& call, Console& console) {
  const std::string text(scenarios::embedded_templates().front().text);
  if (!console.deliver(text, call.output)) return kBadInput;
  if (!call.output.empty()) console.note("next: headrace simulate " + call.output);
  return kOk;
}

}  // namespace headrace::cli
