// headrace schema: the JSON Schema of scenario, space, outcome or site documents.
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/verb.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_schema.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/document/site_file.hpp"
#include "scenarios/results/sweep_space.hpp"

namespace headrace::cli {
namespace {

struct SchemaOptions {
  OutputOptions output;
  std::string document;
};

void add_options(OptionTable& table, SchemaOptions& options) {
  table.argument("document", "DOCUMENT", options.document, "scenario, space, outcome or site (file of calibrate)")
      .one_of({"scenario", "space", "outcome", "site"});
  add_output(table, options.output);
}

int run(const SchemaOptions& options, Console& console) {
  const std::string& kind = options.document;
  const nlohmann::ordered_json document = kind == "scenario" ? scenarios::scenario_schema()
                                          : kind == "space"  ? scenarios::space_schema()
                                          : kind == "site"   ? scenarios::site_schema()
                                                             : reports::outcome_schema();
  return console.deliver(reports::json_text(document), options.output.file) ? kOk : kBadInput;
}

}  // namespace

Verb schema() {
  return make_verb<SchemaOptions>("schema", "print the JSON Schema of scenario, space, outcome or site documents",
                                  add_options, run);
}

}  // namespace headrace::cli
