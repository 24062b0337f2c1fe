// headrace explain: parameters, metrics, stages, verdicts, states, error codes and the pages about models.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/catalogue_topics.hpp"
#include "cli/cli_page.hpp"
#include "cli/command_line.hpp"
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
#include "scenarios/document/parameter_sheet.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSizingSection = "section of the sizing sheet";

/// One thing that can be explained.
struct Topic {
  std::string kind;  ///< "metric", "stage", ...
  std::string name;
  std::string text;  ///< plain text, ending in a line break
  Json json;
  std::string used_in{};  ///< of a term: names joined by commas, which need not be explained
};

std::string before(const std::string& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == std::string::npos || at == 0 ? text : text.substr(0, at);
}

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
  std::set<std::string> known;
  for (const Topic& topic : topics) known.insert(reports::plain_word(topic.name));
  for (const reports::GlossaryTerm& term : reports::glossary()) {
    if (!known.insert(reports::plain_word(term.name)).second) continue;
    Topic topic = plain_topic("term", term.name, term.meaning);
    topic.used_in = term.used_in;
    topics.push_back(std::move(topic));
  }
}

void add_sizing_topics(std::vector<Topic>& topics) {
  for (const models::SizingRoom* room : models::sizing_rooms()) {
    Topic section = plain_topic(
        "section of the sizing sheet", before(std::string(room->title), ","),
        fmt::format("{}. headrace bound SCENARIO --sizing {} prints its figures by formula", room->title, room->key));
    section.json["room"] = room->key;
    for (const models::SizingDescription& figure : room->figures)
      section.used_in += fmt::format("{}{}", section.used_in.empty() ? "" : ", ", figure.name);
    topics.push_back(std::move(section));
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
}

/// Verbs; what one does in full is its help.
void add_verb_topics(const std::vector<VerbInfo>& verbs, std::vector<Topic>& topics) {
  for (const VerbInfo& verb : verbs)
    topics.push_back(plain_topic("verb", verb.name,
                                 fmt::format("{}. headrace {} --help shows its options", verb.summary, verb.name)));
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
  for (const scenarios::EmbeddedText& page : scenarios::embedded_evidence_pages())
    topics.push_back({"page", std::string(page.name), std::string(page.text),
                      Json{{"kind", "page"}, {"name", page.name}, {"markdown", page.text}}});
  return topics;
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
         (topic.kind == kSizingSection && topic.json["room"].get<std::string>() == word) ||
         (topic.kind == "metric" && reports::plain_word(reports::spoken_name(topic.name)) == word);
}

/// "ingest-bound by request": the verdict, and the stage that the GPUs wait in.
std::vector<Topic> bound_by(const std::string& query) {
  constexpr std::string_view kBoundBy = "ingest bound by ";
  const std::string word = reports::plain_word(query);
  if (!word.starts_with(kBoundBy)) return {};
  const std::string stage = word.substr(kBoundBy.size());
  for (std::size_t i = 0; i < models::kStageNames.size(); ++i) {
    if (reports::plain_word(models::kStageNames[i]) != stage) continue;
    const std::string meaning = fmt::format(
        "The GPUs wait for data 1 % of the time or more, and without the stage {0} they would wait least: {0} is the "
        "bottleneck.\n"
        "{0}: {1}\n"
        "How it is found: a simulation takes the time of each stage away in turn, under the same random draws (\"gain "
        "if "
        "removed\", in % of GPU time). Estimates and bounds name the stage of the fullest resource.\n"
        "What to do: try the first remedy of the answer with the --set options it prints; headrace plan SCENARIO "
        "compares several.",
        models::kStageNames[i], reports::stage_explanation(static_cast<models::Stage>(i)));
    Topic topic = plain_topic("verdict", query, meaning);
    topic.text = fmt::format("{} (verdict)\n", query);
    std::istringstream lines(meaning);
    for (std::string line; std::getline(lines, line);)
      topic.text += fmt::format("  {}\n", reports::wrapped(line, reports::kTerminalWidth, 4));
    topic.used_in = fmt::format("verdict, {}, gain if removed, first remedy", models::kStageNames[i]);
    return {topic};
  }
  return {};
}

/// "workers 8 to 4" is about workers, "job train" about a job.
std::string before_figures(const std::string& text) {
  const std::size_t at = text.find_first_of("0123456789");
  const std::size_t end =
      at == std::string::npos ? std::string::npos : text.find_last_not_of(' ', at == 0 ? 0 : at - 1);
  return end == std::string::npos || at == 0 ? text : text.substr(0, end + 1);
}

/// How else the thing of a query may be written, nearest to the query first: as in a call, in a table, in a document.
std::vector<std::string> forms_of(const std::string& query) {
  std::string plain = query.starts_with("headrace ") ? query.substr(9) : query;
  while (!plain.empty() && (plain.back() == ':' || plain.back() == '.' || plain.back() == ' ')) plain.pop_back();
  std::vector<std::string> forms{plain,
                                 before(plain, " ("),
                                 before(plain, ","),
                                 before(plain, "["),
                                 before(before(plain, "["), "."),
                                 before(plain, " / "),
                                 before(plain, ":"),
                                 before_figures(plain)};
  if (plain.ends_with(" then")) forms.push_back(before(plain, " then"));  // "epoch time then" of a table
  for (const std::string_view lead : {"the ", "job "})
    if (plain.starts_with(lead)) forms.push_back(lead == "job " ? "job" : plain.substr(lead.size()));
  if (plain.size() > 3 && plain.ends_with('s')) forms.push_back(plain.substr(0, plain.size() - 1));
  return forms;
}

/// Everything that can be explained.
class Library {
 public:
  explicit Library(const scenarios::Catalogue& catalogue)
      : catalogue_(catalogue),
        verbs_(command_tree()),
        fixed_(fixed_topics()),
        parameters_(scenarios::scenario_parameters()) {
    add_verb_topics(verbs_, fixed_);
  }

  const std::vector<Topic>& fixed() const { return fixed_; }

  /// The topics of a query as it is written, or in the first other form that has any.
  std::vector<Topic> find(const std::string& query) const {
    std::vector<Topic> found = find_exactly(query);
    for (const std::string& form : forms_of(query))
      if (found.empty()) found = find_exactly(form);
    if (found.empty()) found = flags_called(query);
    return found.empty() ? meant_topics(catalogue_, query) : found;
  }

  /// The text of a topic with the names where more is said; a name that is not explained is where the word is used.
  std::string text_of(const Topic& topic) const {
    std::string text = topic.text;
    const auto [see, used] = references(topic);
    for (const auto& [head, names] : {std::pair{"see", see}, {"used in", used}})
      if (!names.empty())
        text += fmt::format("  {}\n", reports::wrapped(fmt::format("{}: {}", head, names), reports::kTerminalWidth, 4));
    return text;
  }
  Json json_of(const Topic& topic) const {
    Json json = topic.json;
    const auto [see, used] = references(topic);
    if (!see.empty()) json["see"] = see;
    if (!used.empty()) json["used_in"] = used;
    return json;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const std::string_view section : catalogue_.section_names())
      for (const std::string_view name : catalogue_.names(section)) names.emplace_back(name);
    for (const ShippedFile& file : shipped_files()) names.emplace_back(file.name);
    for (const Topic& topic : fixed_) names.push_back(topic.name);
    for (const scenarios::Parameter& parameter : parameters_)
      names.push_back(parameter.pointer.substr(parameter.pointer.rfind('/') + 1));
    return names;
  }

 private:
  std::vector<Topic> find_exactly(const std::string& query) const {
    std::vector<Topic> found = bound_by(query);
    add_catalogue_topics(catalogue_, query, found);
    add_shipped_topics(query, found);
    for (const Topic& topic : fixed_)
      if (is_called(topic, query)) found.push_back(topic);
    for (const scenarios::Parameter* parameter : scenarios::find_parameters(parameters_, query)) {
      Json json{{"kind", "parameter"}};
      json.update(scenarios::parameter_json(*parameter));
      found.push_back(
          {"parameter", parameter->pointer, scenarios::print_parameter(*parameter, parameters_), std::move(json)});
    }
    return found;
  }

  /// "--seed", "seed", "sweep -o", "bound --level estimate": a flag of the verb in front of it, or of any.
  std::vector<Topic> flags_called(const std::string& query) const {
    std::istringstream words(query.starts_with("headrace ") ? query.substr(9) : query);
    std::string verb;
    std::string flag;
    words >> verb;
    if (verb.starts_with('-') || !(words >> flag)) std::swap(verb, flag);
    const bool alone = verb.empty();
    std::vector<Topic> found;
    for (const VerbInfo& info : verbs_)
      for (const FlagInfo& known : info.flags)
        if ((alone || info.name == verb) && is_flag(known, flag)) add_flag(info, known, found);
    return found;
  }
  static bool is_flag(const FlagInfo& known, const std::string& word) {
    return std::any_of(known.names.begin(), known.names.end(), [&](const std::string& name) {
      return name == word || (name.starts_with("--") && name.substr(2) == word);
    });
  }
  /// Flags of several verbs with the same meaning are one topic.
  static void add_flag(const VerbInfo& verb, const FlagInfo& flag, std::vector<Topic>& found) {
    const std::string name = fmt::format("{}", fmt::join(flag.names, ", "));
    for (Topic& topic : found)
      if (topic.name == name && topic.json["meaning"] == flag.help) {
        topic.used_in += ", " + verb.name;
        return;
      }
    found.push_back(plain_topic("flag", name, flag.help));
    found.back().used_in = verb.name;
  }

  std::pair<std::string, std::string> references(const Topic& topic) const {
    std::string see;
    std::string used;
    std::istringstream names(topic.used_in);
    for (std::string name; std::getline(names, name, ',');) {
      name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
      if (name.empty() || reports::plain_word(name) == reports::plain_word(topic.name)) continue;
      std::string& list = find(name).empty() ? used : see;
      list += (list.empty() ? "" : ", ") + name;
    }
    return {see, used};
  }

  const scenarios::Catalogue& catalogue_;
  std::vector<VerbInfo> verbs_;
  std::vector<Topic> fixed_;
  std::vector<scenarios::Parameter> parameters_;
};

/// "mlperf_au_percent, mlperf_utilization" for "mlperf", as far as they fit a line.
std::string names_with(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 160;
  const std::string plain = reports::plain_word(word);
  std::set<std::string> told;
  std::string text;
  std::size_t more = 0;
  for (const std::string& name : names) {
    if (plain.size() < 3 || reports::plain_word(name).find(plain) == std::string::npos || !told.insert(name).second)
      continue;
    if (text.size() + name.size() > kLongest)
      ++more;
    else
      text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
  }
  return more == 0 ? text : fmt::format("{}, and {} more of headrace explain --all", text, more);
}

/// A term of several words with a slip in one of them is near as a whole.
int unknown_topic(const Library& library, const std::vector<std::string>& words, std::size_t at, Console& console) {
  const std::vector<std::string> names = library.names();
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string whole = fmt::format("{}", fmt::join(words, " "));
  std::string_view near = scenarios::key_meant_by(words[at]);
  if (near.empty()) near = scenarios::nearest(whole, views);
  if (near.empty()) near = scenarios::nearest(words[at], views);
  if (const std::string with = names_with(whole, names); near.empty() && !with.empty())
    return refuse(fmt::format("unknown name '{}'", whole), "names with it: " + with, console);
  return refuse(fmt::format("unknown name '{}'", words[at]),
                near.empty() ? "headrace explain --all lists all names" : fmt::format("did you mean '{}'?", near),
                console);
}

/// The longest run of words from `begin` that is a name, and how many words it has; 0: none.
std::pair<std::size_t, std::vector<Topic>> longest_name(const Library& library, const std::vector<std::string>& words,
                                                        std::size_t begin) {
  constexpr std::size_t kMostWords = 6;
  for (std::size_t count = std::min(kMostWords, words.size() - begin); count > 0; --count) {
    std::string name;
    for (std::size_t i = begin; i < begin + count; ++i) name += (name.empty() ? "" : " ") + words[i];
    if (std::vector<Topic> found = library.find(name); !found.empty()) return {count, std::move(found)};
  }
  return {0, {}};
}

/// Names by kind, each kind a paragraph.
std::string every_name(const Library& library) {
  std::string text;
  std::string kind;
  std::string names;
  const auto end_kind = [&] {
    if (!names.empty())
      text += fmt::format("{}\n", reports::wrapped(fmt::format("{}: {}", kind, names), reports::kTerminalWidth, 2));
    names.clear();
  };
  for (const Topic& topic : library.fixed()) {
    if (topic.kind != kind) end_kind();
    kind = topic.kind;
    names += (names.empty() ? "" : ", ") + topic.name;
  }
  end_kind();
  return text + "\nKeys of scenarios: headrace explain --reference parameters\n";
}

/// What can be asked for, and how.
std::string overview(const Library& library) {
  constexpr std::pair<std::string_view, std::string_view> kAsk[] = {
      {"the verdict", "headrace explain ingest-bound by request"},
      {"a word or heading of an answer", "headrace explain waits caused"},
      {"how far to trust an answer", "headrace explain near measurements"},
      {"a figure: formula, unit", "headrace explain GPU idle time"},
      {"a key of a scenario: unit, range", "headrace explain jobs/loader/workers"},
      {"an error", "headrace explain E0219"},
      {"a verb, or a flag of it", "headrace explain compare"},
      {"scenarios that the program carries", "headrace explain scenarios"},
      {"hardware, stores and prices", "headrace explain catalogue"},
      {"how a part is modelled", "headrace explain models/loader"},
      {"what it was compared with", "headrace explain accuracy"}};
  std::string text = "headrace explain WORD explains a word that the program prints or reads.\n\n";
  for (const auto& [what, call] : kAsk) text += fmt::format("  {:<36}{}\n", what, call);
  return text + fmt::format(
                    "\nWords of several parts need no quotes, upper and lower case are the same, and a\n"
                    "slip finds the nearest name.\n  headrace explain --all lists all {} names\n",
                    library.fixed().size());
}

struct ExplainOptions {
  OutputOptions output;
  std::vector<std::string> topics;
  bool all = false;
  std::string reference;  ///< "parameters", "metrics", "cli" or "man", the whole page
  std::vector<std::string> catalogues;
};

void add_options(OptionTable& table, ExplainOptions& options) {
  table.examples({"headrace explain peer wait", "headrace explain /jobs/0/loader/workers E0203 DGX-H100"});
  table.add("topic", "TOPIC", options.topics,
            "such as peer wait, jobs/loader/workers, step_time_s, transfer, fed, E0203, models/loader, scenarios, "
            "catalogue, DGX-H100");
  table.flag("--all", options.all, "every name that is explained, by kind");
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
  if (name == "parameters") page = reports::parameters_page(scenarios::scenario_parameters());
  return console.deliver(output.json ? reports::json_text({{name == "man" ? "man" : "markdown", page}}) : page,
                         output.file)
             ? kOk
             : kBadInput;
}

int run(const ExplainOptions& options, Console& console) {
  if (!options.reference.empty()) return reference_page(options.reference, options.output, console);
  const auto catalogue = catalogue_of(options.catalogues);
  if (!catalogue) return refuse(catalogue.error(), console);
  const Library library(*catalogue);
  std::string text;
  Json json = Json::array();
  if (options.topics.empty()) {
    text = options.all ? every_name(library) : overview(library);
    for (const Topic& topic : library.fixed()) json.push_back(library.json_of(topic));
  }
  for (std::size_t at = 0; at < options.topics.size();) {
    const auto [words, topics] = longest_name(library, options.topics, at);
    if (words == 0) return unknown_topic(library, options.topics, at, console);
    for (const Topic& topic : topics) {
      text.append(text.empty() ? "" : "\n").append(library.text_of(topic));
      json.push_back(library.json_of(topic));
    }
    at += words;
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
