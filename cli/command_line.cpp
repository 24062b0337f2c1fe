#include "cli/command_line.hpp"
#include "cli/help_layout.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "cli/option_words.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/shell_quoted.hpp"

namespace headrace::cli {
namespace {

constexpr std::string_view kNoVerb = "-";  // where no verb's options are asked for

/// The parser with every verb, and the work of those that are defined.
struct Parser {
  /// Defining the options of a verb takes time: only those of the verb `defined` are, or of all verbs where it is
  /// empty.
  explicit Parser(const std::string& defined = {}) {
    app.set_version_flag("--version", version_text());
    app.set_help_flag("-h,--help", "show this help");
    app.formatter(std::make_shared<HelpLayout>());
    app.get_formatter()->column_width(30);
    app.get_formatter()->label("Positionals", "Arguments");
    app.require_subcommand(0, 1);
    app.footer(
        "Exit status: 0 ok, 1 a threshold failed or infeasible, 2 bad input,\n3 inconclusive, 4 internal error, 130 "
        "interrupted.\n"
        "A scenario is a file or the name of a shipped one (headrace explain scenarios);\n"
        "later files override earlier ones.\n"
        "First steps: headrace simulate unet3d-h100    headrace init --ask");
    for (const Verb& verb : verbs()) {
      CLI::App* parser = app.add_subcommand(verb.name, verb.summary)->group("Verbs");
      parser->set_help_flag("-h,--help", "show this help");
      parser->get_formatter()->column_width(30);
      if (!defined.empty() && verb.name != defined) continue;
      OptionTable table(*parser, choices);
      work[verb.name] = verb.define(table);
    }
  }

  CLI::App app{"Headrace simulates how training data reaches GPUs: where they wait, and why.", "headrace"};
  std::map<std::string, Work> work;
  Choices choices;
};

bool is_flag(const std::string& argument) { return argument.size() > 1 && argument[0] == '-'; }

/// "-5", which the parser takes for a flag.
bool is_negative_number(const std::string& argument) {
  const std::size_t digit = argument.size() > 2 && argument[1] == '.' ? 2 : 1;
  return is_flag(argument) && argument[digit] >= '0' && argument[digit] <= '9';
}

/// A value that begins with a minus sign, and how to write it behind `flag`.
UsageError negative_value(const std::string& value, const std::string& flag) {
  if (!flag.starts_with("--"))
    return {fmt::format("'{}' begins with a minus sign, and no flag stands before it", value),
            "write a value behind its flag, as in --flag=-1"};
  return {fmt::format("'{}' begins with a minus sign and is taken for a flag", value),
          fmt::format("write {}={}: an equals sign between a flag and a value below 0", flag, value)};
}

/// "--set /KEY VALUE", where an equals sign stands between key and value.
std::optional<UsageError> split_assignment(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i + 2 < arguments.size(); ++i) {
    const std::string& key = arguments[i + 1];
    const std::string& value = arguments[i + 2];
    if (!arguments[i].starts_with("--set") || !key.starts_with('/') || key.find('=') != std::string::npos) continue;
    const bool number = is_negative_number(value) || (!value.empty() && value[0] >= '0' && value[0] <= '9');
    if (!number || value.find_first_of("/=") != std::string::npos) continue;
    return UsageError{fmt::format("'{} {}' has no value: '{}' stands apart from it", arguments[i], key, value),
                      fmt::format("write {} {}={}", arguments[i], key, value)};
  }
  return std::nullopt;
}

std::string flag_name(const std::string& argument) { return argument.substr(0, argument.find('=')); }

std::vector<std::string> split_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back(fmt::format("-{}", name));
  for (const std::string& name : option.get_lnames()) names.push_back(fmt::format("--{}", name));
  return names;
}

UsageError no_verb() {
  return {
      "the verb is missing",
      "headrace init --ask describes your cluster, headrace simulate image-node answers for a shipped one, headrace "
      "--help lists the verbs"};
}

/// A file, or the name of a shipped scenario.
bool is_scenario(const std::string& word) {
  std::error_code error;
  const std::vector<scenarios::EmbeddedText>& shipped = scenarios::embedded_scenarios();
  return (word.ends_with(".json") && std::filesystem::is_regular_file(word, error)) ||
         std::any_of(shipped.begin(), shipped.end(), [&](const auto& scenario) { return scenario.name == word; });
}

UsageError unknown_verb(const std::string& word, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = scenarios::nearest(word, views);
  if (is_scenario(word))
    return {fmt::format("there is no verb '{}'", word),
            fmt::format("that is a scenario: headrace simulate {}", scenarios::shell_quoted(word))};
  if (!near.empty()) return {fmt::format("there is no verb '{}'", word), fmt::format("did you mean '{}'?", near)};
  return {fmt::format("there is no verb '{}'", word),
          left_out().empty() ? "headrace --help lists the verbs" : std::string(left_out())};
}

/// Where a flag that `verb` does not have is known.
std::string elsewhere(const std::string& flag, const CLI::App& verb) {
  std::string owners;
  const CLI::App* app = verb.get_parent() == nullptr ? &verb : verb.get_parent();  // flags may come before a verb
  for (const CLI::App* other : app->get_subcommands([](const CLI::App*) { return true; })) {
    if (other->get_option_no_throw(flag) == nullptr) continue;
    owners += fmt::format("{}headrace {}", owners.empty() ? "" : ", ", other->get_name());
  }
  const std::string help = fmt::format("headrace {} --help lists its flags", verb.get_name());
  return owners.empty() ? help : fmt::format("it is a flag of {}; {}", owners, help);
}

/// The first flag among the arguments that the verb does not know, with the nearest that it knows.
std::optional<UsageError> unknown_flag(const std::vector<std::string>& arguments, const CLI::App& verb) {
  std::vector<std::string> known;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : split_names(*option)) known.push_back(name);
  const std::vector<std::string_view> views(known.begin(), known.end());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") break;
    if (!is_flag(argument)) continue;
    if (is_negative_number(argument)) return negative_value(argument, i > 0 ? arguments[i - 1] : std::string());
    const std::string name = flag_name(argument);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const bool bundled =
        name.size() > 2 && name[1] != '-' && std::find(known.begin(), known.end(), name.substr(0, 2)) != known.end();
    if (bundled) continue;
    const std::string_view near = scenarios::nearest(name, views);
    return UsageError{fmt::format("'headrace {}' has no flag '{}'", verb.get_name(), name),
                      near.empty() ? elsewhere(name, verb) : fmt::format("did you mean '{}'?", near)};
  }
  return {};
}

std::string sentence(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

CLI::App* chosen_verb(const std::vector<std::string>& arguments, CLI::App& app) {
  if (arguments.empty()) return nullptr;
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; }))
    if (verb->get_name() == arguments.front()) return verb;
  return nullptr;
}

/// The first call that the help of the verb shows; empty without one.
std::string first_example(const CLI::App& verb) {
  const std::string footer = verb.get_footer();
  const std::string call = "headrace " + verb.get_name() + " ";
  const std::size_t at = footer.find(call);
  return at == std::string::npos ? "" : footer.substr(at, footer.find('\n', at) - at);
}

UsageError usage_error(const CLI::ParseError& error, const std::vector<std::string>& arguments, CLI::App& app) {
  const CLI::App* verb = chosen_verb(arguments, app);
  if (verb != nullptr) {
    if (const auto complaint = unknown_flag(arguments, *verb)) return *complaint;
  }
  const std::string place = verb == nullptr ? "headrace --help" : fmt::format("headrace {} --help", verb->get_name());
  const std::string message = sentence(error.what());
  if (const std::size_t near = message.find(kDidYouMean); near != std::string::npos)
    return UsageError{message.substr(0, near), message.substr(near + 2)};
  if (const std::size_t write = message.find(kWriteInstead); write != std::string::npos)
    return UsageError{message.substr(0, write), fmt::format("{} ({})", message.substr(write + 2), place)};
  const bool lacks = error.get_name() == "RequiredError" || error.get_name() == "ArgumentMismatch";
  const std::string example = lacks && verb != nullptr ? first_example(*verb) : "";
  return UsageError{message, example.empty() ? place : fmt::format("such as: {} ({})", example, place)};
}

std::string joined(const std::vector<std::string>& arguments) {
  std::string line = "headrace";
  for (const std::string& argument : arguments) line += " " + scenarios::shell_quoted(argument);
  return line;
}

/// Help of one verb as `headrace VERB --help` prints it, or of the program for "".
std::string help_text(const std::string& verb) {
  Parser parser(verb.empty() ? std::string(kNoVerb) : verb);
  const CLI::App* app = verb.empty() ? &parser.app : parser.app.get_subcommand(verb);
  return app->help(verb.empty() ? "" : "headrace");
}

/// Completion takes `choices` where an option allows few words.
VerbInfo verb_info(const CLI::App& verb, const Choices& choices) {
  VerbInfo info;
  info.name = verb.get_name();
  info.summary = verb.get_description();
  for (const CLI::Option* option : verb.get_options()) {
    const std::vector<std::string> names = split_names(*option);
    const auto found = choices.find(option);
    const std::vector<std::string> words = found == choices.end() ? std::vector<std::string>() : found->second;
    const std::string type = one_value(*option);
    if (!names.empty()) {
      const bool takes_value = option->get_items_expected_max() > 0;
      info.flags.push_back({names, takes_value ? type : "", words, option_meaning(*option)});
      continue;
    }
    const std::string word = type + (option->get_items_expected_max() > 1 ? "..." : "");
    info.positional.append(info.positional.empty() ? "" : " ")
        .append(option->get_required() ? word : fmt::format("[{}]", word));
    info.positional_help.append(info.positional_help.empty() ? "" : "; ").append(option_meaning(*option));
    info.positional_choices.insert(info.positional_choices.end(), words.begin(), words.end());
    info.takes_files = info.takes_files || type == "SCENARIO" || type == "FILE" || type == "SPACE" || type == "A B";
  }
  return info;
}

}  // namespace

std::variant<ParsedCall, HelpText, UsageError> parse_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return no_verb();
  Parser parser(is_flag(arguments.front()) ? std::string(kNoVerb) : arguments.front());
  CLI::App& app = parser.app;
  if (arguments.front() == "help")
    return HelpText{help_text(arguments.size() > 1 && chosen_verb({arguments[1]}, app) != nullptr ? arguments[1] : "")};
  if (!is_flag(arguments.front()) && chosen_verb(arguments, app) == nullptr)
    return unknown_verb(arguments.front(), app);
  if (is_flag(arguments.front()) && unknown_flag({arguments.front()}, app))
    return UsageError{fmt::format("there is no flag '{}' before a verb", arguments.front()),
                      "write options after the verb: headrace simulate SCENARIO --seed 7"};
  if (const auto split = split_assignment(arguments)) return *split;
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return HelpText{help_text(arguments.front() == "-h" || arguments.front() == "--help" ? "" : arguments.front())};
  } catch (const CLI::CallForVersion&) {
    return HelpText{version_text() + "\n"};
  } catch (const CLI::ParseError& error) {
    Parser all;  // the flag may be another verb's
    return usage_error(error, arguments, all.app);
  }
  const auto work = parser.work.find(arguments.front());
  if (work == parser.work.end()) return no_verb();
  return ParsedCall{work->second, arguments, joined(arguments)};
}

std::vector<VerbInfo> command_tree() {
  Parser parser;
  std::vector<VerbInfo> tree;
  for (const CLI::App* verb : parser.app.get_subcommands([](CLI::App*) { return true; }))
    tree.push_back(verb_info(*verb, parser.choices));
  return tree;
}

}  // namespace headrace::cli
