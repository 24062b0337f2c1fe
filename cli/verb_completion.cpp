// headrace completion: scripts for bash, zsh and fish, made from the flags that the program really has.
#include <fmt/format.h>

#include "cli/command_line.hpp"
#include "cli/exit_code.hpp"
#include "cli/verb.hpp"

namespace headrace::cli {
namespace {

std::string words(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, " ")); }

std::string single_quoted(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  return result;
}

std::vector<std::string> flag_names(const VerbInfo& verb) {
  std::vector<std::string> names;
  for (const FlagInfo& flag : verb.flags) names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

std::string bash_verb(const VerbInfo& verb) {
  std::string text = fmt::format("    {})\n      case $previous in\n", verb.name);
  for (const FlagInfo& flag : verb.flags) {
    if (flag.value.empty()) continue;
    const std::string reply =
        flag.choices.empty() ? (flag.value == "FILE" ? "$(compgen -f -- \"$current\")" : "")
                             : fmt::format("$(compgen -W '{}' -- \"$current\")", single_quoted(words(flag.choices)));
    text += fmt::format("        {}) COMPREPLY=({}); return ;;\n", fmt::join(flag.names, "|"), reply);
  }
  const std::string files = verb.takes_files ? "; COMPREPLY+=($(compgen -f -- \"$current\"))" : "";
  const std::vector<std::string> names = flag_names(verb);
  text += "      esac\n";
  text += fmt::format("      if [[ $current == -* ]]; then COMPREPLY=($(compgen -W '{}' -- \"$current\"))\n",
                      single_quoted(words(names)));
  text += fmt::format("      else COMPREPLY=($(compgen -W '{}' -- \"$current\")){}; fi ;;\n",
                      single_quoted(words(verb.positional_choices)), files);
  return text;
}

std::string bash_script(const std::vector<VerbInfo>& verbs) {
  std::vector<std::string> names;
  for (const VerbInfo& verb : verbs) names.push_back(verb.name);
  std::string text =
      "# bash completion for headrace: source this file, or put it into "
      "~/.local/share/bash-completion/completions/headrace\n"
      "_headrace() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  COMPREPLY=()\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n";
  text +=
      fmt::format("    COMPREPLY=($(compgen -W '{} --help --version' -- \"$current\")); return\n  fi\n", words(names));
  text += "  case ${COMP_WORDS[1]} in\n";
  for (const VerbInfo& verb : verbs) text += bash_verb(verb);
  return text + "  esac\n}\ncomplete -o filenames -F _headrace headrace\n";
}

/// Text inside a zsh argument specification: brackets and colons have a meaning there.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return single_quoted(result);
}

std::string zsh_verb(const VerbInfo& verb) {
  std::string text = fmt::format("    {})\n      _arguments", verb.name);
  for (const FlagInfo& flag : verb.flags) {
    std::string action;
    if (!flag.value.empty()) {
      action = fmt::format(":{}:", zsh_text(flag.value));
      if (!flag.choices.empty()) action += fmt::format("({})", words(flag.choices));
      if (flag.choices.empty() && flag.value == "FILE") action += "_files";
    }
    for (const std::string& name : flag.names)
      text += fmt::format(" \\\n        '{}{}[{}]{}'", name == "--set" ? "*" : "", name, zsh_text(flag.help), action);
  }
  const std::string choices = words(verb.positional_choices);
  if (!choices.empty()) text += fmt::format(" \\\n        '1:word:({})'", choices);
  if (verb.takes_files) text += " \\\n        '*:file:_files'";
  return text + " ;;\n";
}

std::string zsh_script(const std::vector<VerbInfo>& verbs) {
  std::string text =
      "#compdef headrace\n# zsh completion for headrace: put it into a folder of $fpath under the name _headrace\n"
      "_headrace() {\n  local -a verbs\n  verbs=(\n";
  for (const VerbInfo& verb : verbs) text += fmt::format("    '{}:{}'\n", verb.name, zsh_text(verb.summary));
  text +=
      "  )\n  if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n  local verb=$words[2]\n  shift words\n"
      "  (( CURRENT-- ))\n  case $verb in\n";
  for (const VerbInfo& verb : verbs) text += zsh_verb(verb);
  return text + "  esac\n}\ncompdef _headrace headrace\n";
}

std::string fish_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string fish_flag(const VerbInfo& verb, const FlagInfo& flag) {
  std::string text = fmt::format("complete -c headrace -n '__fish_seen_subcommand_from {}'", verb.name);
  for (const std::string& name : flag.names)
    text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2)) : fmt::format(" -s {}", name.substr(1));
  if (!flag.choices.empty()) text += fmt::format(" -xa '{}'", words(flag.choices));
  if (flag.choices.empty() && !flag.value.empty()) text += flag.value == "FILE" ? " -rF" : " -x";
  return text + fmt::format(" -d '{}'\n", fish_text(flag.help));
}

std::string fish_script(const std::vector<VerbInfo>& verbs) {
  std::string text =
      "# fish completion for headrace: put it into ~/.config/fish/completions/headrace.fish\ncomplete -c headrace -f\n";
  for (const VerbInfo& verb : verbs) {
    text += fmt::format("complete -c headrace -n __fish_use_subcommand -a {} -d '{}'\n", verb.name,
                        fish_text(verb.summary));
    for (const FlagInfo& flag : verb.flags) text += fish_flag(verb, flag);
    const std::string seen = fmt::format("complete -c headrace -n '__fish_seen_subcommand_from {}'", verb.name);
    if (!verb.positional_choices.empty()) text += fmt::format("{} -a '{}'\n", seen, words(verb.positional_choices));
    if (verb.takes_files) text += seen + " -F\n";
  }
  return text;
}

struct CompletionOptions {
  OutputOptions output;
  std::string shell;
};

void add_options(OptionTable& table, CompletionOptions& options) {
  table.examples({"headrace completion bash > headrace.bash"});
  table.argument("shell", "SHELL", options.shell, "bash, zsh or fish").one_of({"bash", "zsh", "fish"});
  add_output(table, options.output);
}

int run(const CompletionOptions& options, Console& console) {
  const std::vector<VerbInfo> verbs = command_tree();
  const std::string script = options.shell == "bash"  ? bash_script(verbs)
                             : options.shell == "zsh" ? zsh_script(verbs)
                                                      : fish_script(verbs);
  return console.deliver(script, options.output.file) ? kOk : kBadInput;
}

}  // namespace

Verb completion() {
  return make_verb<CompletionOptions>("completion", "print a completion script for a shell", add_options, run);
}

}  // namespace headrace::cli
