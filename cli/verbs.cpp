#include "cli/verbs.hpp"

namespace headrace::cli {

// Each is the last function of cli/verb_<name>.cpp.
using MakeVerb = Verb();
MakeVerb simulate, bound, evidence, plan, campaign, growth, tco, bakeoff, check, compare, validate, explain, schema,
    sweep, merge, report, backtest, calibrate, verify, import, init, mcp, completion;

std::span<const Verb> verbs() {
  static const Verb kVerbs[] = {
      simulate(), bound(),     evidence(), plan(),    campaign(), growth(), tco(),        bakeoff(),
      check(),    compare(),   validate(), explain(), schema(),   sweep(),  merge(),      report(),
      backtest(), calibrate(), verify(),   import(),  init(),     mcp(),    completion(),
  };
  return kVerbs;
}

std::string_view left_out() { return {}; }

}  // namespace headrace::cli
