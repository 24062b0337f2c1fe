// headrace schema: the JSON Schema of the documents that the program reads and writes.
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"
#include "reports/backtest_json.hpp"
#include "reports/campaign_json.hpp"
#include "reports/gate_json.hpp"
#include "reports/growth_json.hpp"
#include "reports/most_fed_json.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_schema.hpp"
#include "reports/plan_json.hpp"
#include "reports/requirements_json.hpp"
#include "reports/sweep_json.hpp"
#include "reports/timeline_json.hpp"
#include "reports/validation_json.hpp"
#include "reports/verification_json.hpp"
#include "scenarios/bakeoff/bakeoff.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/document/site_file.hpp"
#include "scenarios/results/sweep_space.hpp"
#include "scenarios/total_cost/total_cost_document.hpp"

namespace headrace::cli {
namespace {

struct SchemaOptions {
  OutputOptions output;
  std::string document;
};

struct DocumentSchema {
  const char* name;
  nlohmann::ordered_json (*schema)();
};

constexpr DocumentSchema kSchemas[] = {{"scenario", scenarios::scenario_schema},
                                       {"space", scenarios::space_schema},
                                       {"outcome", reports::outcome_schema},
                                       {"site", scenarios::site_schema},
                                       {"campaign", reports::campaign_schema},
                                       {"tco", scenarios::total_cost_schema},
                                       {"fleet", reports::fleet_schema},
                                       {"offer", scenarios::offer_schema},
                                       {"bakeoff", scenarios::bakeoff_schema},
                                       {"growth", reports::growth_schema},
                                       {"requirements", reports::requirements_schema},
                                       {"plan", reports::plan_schema},
                                       {"most_fed", reports::most_fed_schema},
                                       {"backtest", reports::backtest_schema},
                                       {"compare", reports::comparison_schema},
                                       {"check", reports::check_schema},
                                       {"sweep", reports::sweep_schema},
                                       {"verify", reports::verification_schema},
                                       {"validate", reports::validation_schema},
                                       {"timeline", reports::timeline_schema}};

void add_options(OptionTable& table, SchemaOptions& options) {
  table.examples({"headrace schema scenario -o scenario.schema.json"});
  std::vector<std::string> names;
  for (const DocumentSchema& one : kSchemas) names.emplace_back(one.name);
  table
      .argument("document", "DOCUMENT", options.document,
                "scenario, space, outcome, site (file of calibrate), campaign, fleet (campaign of many jobs), tco, "
                "offer, bakeoff, growth, requirements, plan, most_fed (plan --max), backtest, compare, check, sweep, "
                "verify, validate or timeline (of simulate)")
      .one_of(names);
  add_output(table, options.output);
}

int run(const SchemaOptions& options, Console& console) {
  const auto found = std::find_if(std::begin(kSchemas), std::end(kSchemas),
                                  [&](const DocumentSchema& one) { return one.name == options.document; });
  return console.deliver(reports::json_text(found->schema()), options.output.file) ? kOk : kBadInput;
}

}  // namespace

Verb schema() {
  return make_verb<SchemaOptions>("schema", "print the JSON Schema of a kind of documents", add_options, run);
}

}  // namespace headrace::cli
