// headrace explain: parameters, metrics, stages, verdicts, states, error codes and the pages about models.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/catalogue_topics.hpp"
#include "cli/cli_page.hpp"
#include "cli/exit_code.hpp"
#include "cli/load.hpp"
#include "cli/man_page.hpp"
#include "cli/refusal.hpp"
#include "cli/shipped_topics.hpp"
#include "cli/verb.hpp"
#include "models/outcome/outcome.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/sizing/sizing.hpp"
#include "reports/confidence_text.hpp"
#include "reports/glossary.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/reference_pages.hpp"
#include "reports/sizing_text.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/error_codes.hpp"
#include "scenarios/document/explain_visitor.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

/// One thing that can be explained.
struct Topic {
  std::string kind;  ///< "metric", "stage", ...
  std::string name;
  std::string text;  ///< plain text, ending in a line break
  Json json;
};

/// `meaning` may have lines of its own.
Topic plain_topic(std::string kind, std::string_view name, const std::string& meaning) {
  const bool lines = meaning.find('\n') != std::string::npos;
  return {kind, std::string(name),
          fmt::format("{} ({})\n  {}\n", name, kind,
                      lines ? meaning : reports::wrapped(meaning, reports::kTerminalWidth, 2)),
          Json{{"kind", kind}, {"name", name}, {"meaning", meaning}}};
}

void add_formula(Topic& topic) {
  const models::FigureFormula* formula = models::find_formula(topic.name);
  if (formula == nullptr) return;
  for (const auto& [head, text] : {std::pair<std::string_view, std::string_view>{"formula", formula->formula},
                                   {"from", formula->inputs},
                                   {"source", formula->source}})
    topic.text +=
        fmt::format("  {}\n", reports::wrapped(fmt::format("{}: {}", head, text), reports::kTerminalWidth, 4));
  topic.json.update({{"formula", formula->formula}, {"inputs", formula->inputs}, {"source", formula->source}});
}

Topic part_topic(std::string_view name, const std::string& meaning) {
  Topic topic = plain_topic("outcome", name, meaning);
  add_formula(topic);
  return topic;
}

Topic metric_topic(const models::MetricDescription& metric) {
  constexpr std::string_view kBetter[] = {"higher is better", "lower is better", "neither is better"};
  const std::string_view better = metric.better == models::Better::higher  ? kBetter[0]
                                  : metric.better == models::Better::lower ? kBetter[1]
                                                                           : kBetter[2];
  Topic topic = plain_topic("metric", metric.name, std::string(metric.meaning));
  topic.text += fmt::format("  unit {}, {}\n", metric.unit == "1" ? "1 (a share)" : metric.unit, better);
  topic.json["unit"] = metric.unit;
  topic.json["better"] = better;
  add_formula(topic);
  return topic;
}

void add_outcome_topics(std::vector<Topic>& topics) {
  for (const auto& metric : models::kMetricDescriptions) topics.push_back(metric_topic(metric));
  for (std::size_t i = 0; i < models::kStageNames.size(); ++i)
    topics.push_back(
        plain_topic("stage", models::kStageNames[i], reports::stage_explanation(static_cast<models::Stage>(i))));
  for (std::size_t i = 0; i < models::kGpuStateCount; ++i)
    topics.push_back(plain_topic("state of GPU time", models::kGpuStateNames[i],
                                 reports::gpu_state_explanation(static_cast<models::GpuState>(i))));
  std::string verdicts;
  for (std::size_t i = 0; i < models::kVerdictNames.size(); ++i) {
    const std::string text = reports::verdict_explanation(static_cast<models::Verdict>(i));
    topics.push_back(plain_topic("verdict", models::kVerdictNames[i], text));
    verdicts += fmt::format(
        "{}{}", i == 0 ? "" : "\n  ",
        reports::wrapped(fmt::format("{}: {}", models::kVerdictNames[i], text), reports::kTerminalWidth, 4));
  }
  topics.push_back(plain_topic("outcome", "verdict", verdicts));
  for (const std::string_view grade : models::kConfidenceGradeNames)
    topics.push_back(plain_topic("confidence grade", grade, reports::grade_explanation(grade)));
  topics.push_back(
      part_topic("blame",
                 "The share of GPU time that waits because of a stage: each wait is cut along the timeline "
                 "of the batch that ended it. Blame sums to gpu_idle_fraction."));
  topics.push_back(
      part_topic("relief",
                 "Gain if removed: the share of GPU time gained if a stage takes no time, with the same random draws. "
                 "Relief shows the benefit of a change; blame shows where the waits arise."));
  topics.push_back(part_topic("gpu_states", "GPU time by state: shares of elapsed time, which sum to 1."));
  topics.push_back(part_topic("stations", "Every resource on the data path: utilization, throughput and capacity."));
  topics.push_back(part_topic("ledger", "Cost of an epoch, item by item."));
  topics.push_back(part_topic("drivers", "Which inputs cause the spread of a figure over the input ranges."));
  topics.push_back(part_topic("tornado",
                              "Step time, waits, epoch and cost with one input at an end of its range (--inputs "
                              "ranges): direction and size of its effect."));
  topics.push_back(part_topic("ci95", "95 % confidence interval of simulation noise; null unless simulated."));
  topics.push_back(part_topic("input_range", "p10 to p90 over uncertain inputs (--inputs ranges)."));
  topics.push_back(part_topic("windows", "Parts of the epoch that were simulated, each with its caches."));
}

/// Terms of the glossary; what explains itself elsewhere is not said twice.
void add_glossary_topics(std::vector<Topic>& topics) {
  for (const reports::GlossaryTerm& term : reports::glossary()) {
    const bool known = std::any_of(topics.begin(), topics.end(), [&](const Topic& topic) {
      return reports::plain_word(topic.name) == reports::plain_word(term.name);
    });
    if (known) continue;
    Topic topic = plain_topic("term", term.name, term.meaning);
    topic.text += fmt::format("  {}\n", reports::wrapped("see: " + term.used_in, reports::kTerminalWidth, 4));
    topic.json["see"] = term.used_in;
    topics.push_back(std::move(topic));
  }
}

void add_sizing_topics(std::vector<Topic>& topics) {
  for (const models::SizingRoom* room : models::sizing_rooms())
    for (const models::SizingDescription& figure : room->figures) {
      Topic topic = plain_topic("figure", figure.name, std::string(figure.meaning));
      topic.text = reports::sizing_explanation(figure, room->title);
      topic.json.update({{"room", room->key},
                         {"unit", figure.unit},
                         {"formula", figure.formula},
                         {"source", figure.source},
                         {"needs", figure.needs}});
      topics.push_back(std::move(topic));
    }
}

std::vector<Topic> fixed_topics() {
  std::vector<Topic> topics;
  add_outcome_topics(topics);
  add_sizing_topics(topics);
  add_glossary_topics(topics);
  for (const scenarios::ErrorCode& code : scenarios::error_codes()) {
    Topic topic = plain_topic("error code", code.code, fmt::format("{}. {}", code.title, code.explanation));
    topics.push_back(std::move(topic));
  }
  for (const scenarios::EmbeddedText& page : scenarios::embedded_model_pages())
    topics.push_back({"model page", fmt::format("models/{}", page.name), std::string(page.text),
                      Json{{"kind", "model page"}, {"name", page.name}, {"markdown", page.text}}});
  return topics;
}

std::vector<scenarios::Parameter> parameters() {
  models::Scenario scenario;
  return scenarios::list_parameters(
      [&scenario](models::Visitor& visitor) { scenarios::describe_scenario(scenario, visitor); });
}

void add_catalogue_topics(const scenarios::Catalogue& catalogue, const std::string& query, std::vector<Topic>& found) {
  if (query == "catalogue")
    found.push_back({"catalogue", query, catalogue_listing(catalogue), catalogue_listing_json(catalogue)});
  for (const std::string_view section : catalogue.section_names())
    if (const std::string text = catalogue_item(catalogue, section, query); !text.empty())
      found.push_back({"catalogue item", query, text, catalogue_item_json(catalogue, section, query)});
}

void add_shipped_topics(const std::string& query, std::vector<Topic>& found) {
  if (query == "scenarios" || query == "spaces")
    found.push_back({"scenarios", query, shipped_listing(), shipped_listing_json()});
  for (const ShippedFile& file : shipped_files())
    if (file.name == query)
      found.push_back({std::string(file.kind), query,
                       fmt::format("{} ({})\n{}", file.name, file.kind, shipped_text(file)),
                       Json{{"kind", file.kind}, {"name", file.name}, {"title", file.title}, {"remark", file.remark}}});
}

/// Items that people mean by a word which is no name: "h100".
std::vector<Topic> meant_topics(const scenarios::Catalogue& catalogue, const std::string& query) {
  std::vector<Topic> found;
  for (const std::string_view section : catalogue.section_names())
    for (const std::string_view name : catalogue.meant(section, query))
      add_catalogue_topics(catalogue, std::string(name), found);
  return found;
}

/// By its name in documents, or by the words that an answer prints for it.
bool is_called(const Topic& topic, const std::string& query) {
  if (topic.name == "models/" + query) return true;
  const std::string word = reports::plain_word(query);
  return reports::plain_word(topic.name) == word ||
         (topic.kind == "metric" && reports::plain_word(reports::spoken_name(topic.name)) == word);
}

std::vector<Topic> topics_for(const scenarios::Catalogue& catalogue, const std::string& query) {
  std::vector<Topic> found;
  add_catalogue_topics(catalogue, query, found);
  add_shipped_topics(query, found);
  for (Topic& topic : fixed_topics())
    if (is_called(topic, query)) found.push_back(std::move(topic));
  const std::vector<scenarios::Parameter> all = parameters();
  for (const scenarios::Parameter* parameter : scenarios::find_parameters(all, query)) {
    Json json{{"kind", "parameter"}};
    json.update(scenarios::parameter_json(*parameter));
    found.push_back({"parameter", parameter->pointer, scenarios::print_parameter(*parameter), std::move(json)});
  }
  return found.empty() ? meant_topics(catalogue, query) : found;
}

int unknown_topic(const scenarios::Catalogue& catalogue, const std::string& query, Console& console) {
  std::vector<std::string> names;
  for (const std::string_view section : catalogue.section_names())
    for (const std::string_view name : catalogue.names(section)) names.emplace_back(name);
  for (const ShippedFile& file : shipped_files()) names.emplace_back(file.name);
  for (const Topic& topic : fixed_topics()) names.push_back(topic.name);
  for (const scenarios::Parameter& parameter : parameters())
    names.push_back(parameter.pointer.substr(parameter.pointer.rfind('/') + 1));
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = scenarios::nearest(query, views);
  return refuse(fmt::format("unknown name '{}'", query),
                near.empty() ? "headrace explain lists all names" : fmt::format("did you mean '{}'?", near), console);
}

/// Names by kind, each kind a paragraph.
std::string overview() {
  std::string text =
      "headrace explain NAME explains a word of an answer, a key of a scenario, an\n"
      "error code, or an item of the lists that it prints:\n"
      "  headrace explain scenarios   scenarios and spaces that the program carries\n"
      "  headrace explain catalogue   hardware, stores and prices\n"
      "  headrace explain workers     keys of that name; or a path: jobs/loader/workers\n\n"
      "Names:\n";
  std::string kind;
  std::string names;
  const auto end_kind = [&] {
    if (!names.empty())
      text += fmt::format("  {}\n", reports::wrapped(fmt::format("{}: {}", kind, names), reports::kTerminalWidth, 4));
    names.clear();
  };
  for (const Topic& topic : fixed_topics()) {
    if (topic.kind != kind) end_kind();
    kind = topic.kind;
    names += (names.empty() ? "" : ", ") + topic.name;
  }
  end_kind();
  return text;
}

struct ExplainOptions {
  OutputOptions output;
  std::vector<std::string> topics;
  std::string reference;  ///< "parameters", "metrics", "cli" or "man", the whole page
  std::vector<std::string> catalogues;
};

void add_options(OptionTable& table, ExplainOptions& options) {
  table.add(
      "topic", "TOPIC", options.topics,
      "such as jobs/loader/workers, step_time_s, transfer, fed, E0203, models/loader, scenarios, catalogue, DGX-H100");
  table.add("--reference", "PAGE", options.reference, "print a whole reference page in Markdown, or the manual page")
      .one_of({"parameters", "metrics", "cli", "man"});
  add_catalogue(table, options.catalogues);
  add_output(table, options.output);
}

int reference_page(const std::string& name, const OutputOptions& output, Console& console) {
  std::string page;
  if (name == "cli") page = cli_page();
  if (name == "man") page = man_page();
  if (name == "metrics") page = reports::metrics_page();
  if (name == "parameters") page = reports::parameters_page(parameters());
  return console.deliver(output.json ? reports::json_text({{name == "man" ? "man" : "markdown", page}}) : page,
                         output.file)
             ? kOk
             : kBadInput;
}

int run(const ExplainOptions& options, Console& console) {
  if (!options.reference.empty()) return reference_page(options.reference, options.output, console);
  const auto catalogue = catalogue_of(options.catalogues);
  if (!catalogue) return refuse(catalogue.error(), console);
  std::string text;
  Json json = Json::array();
  if (options.topics.empty()) {
    text = overview();
    for (const Topic& topic : fixed_topics()) json.push_back(topic.json);
  }
  for (const std::string& query : options.topics) {
    const std::vector<Topic> topics = topics_for(*catalogue, query);
    if (topics.empty()) return unknown_topic(*catalogue, query, console);
    for (const Topic& topic : topics) {
      text.append(text.empty() ? "" : "\n").append(topic.text);
      json.push_back(topic.json);
    }
  }
  const std::string document = options.output.json ? reports::json_text({{"topics", std::move(json)}}) : text;
  return console.deliver(document, options.output.file) ? kOk : kBadInput;
}

}  // namespace

Verb explain() {
  return make_verb<ExplainOptions>(
      "explain", "explain a parameter, metric, stage, verdict, error code, catalogue item or model page", add_options,
      run);
}

}  // namespace headrace::cli
