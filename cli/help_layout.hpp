// The help of verbs, set for a terminal: what an option does is broken into lines beside the option's name.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace headrace::cli {

class HelpLayout : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* verb) const override;
  std::string make_description(const CLI::App* verb) const override;
  std::string make_help(const CLI::App* verb, std::string name, CLI::AppFormatMode mode) const override;

 private:
  std::string beside(std::string name, const std::string& meaning) const;
};

}  // namespace headrace::cli
