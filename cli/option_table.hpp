// The options of one verb, as the verb registers them. The parser behind them stays in option_table.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/describe/unit.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace headrace::cli {

/// What is wrong with a value; empty: nothing. The check may put another text in its place.
using ValueCheck = std::function<std::string(std::string& value)>;

/// Before the near word, or the values that are taken, in the complaint of a check: what follows is the way out.
inline constexpr std::string_view kDidYouMean = "; did you mean ";
inline constexpr std::string_view kWriteInstead = "; write ";

/// Words that options allow, for completion.
using Choices = std::map<const CLI::Option*, std::vector<std::string>>;

/// A registered option or argument; each call says more about the values that it takes. Checks run in the order of the
/// calls, conversions (unit, convert) before all of them.
class Option {
 public:
  Option(CLI::Option* option, Choices& choices) : option_(option), choices_(&choices) {}

  Option& required();
  Option& excludes(const Option& other);
  Option& needs(const Option& other);
  Option& repeatable();               ///< given several times, each time with one value
  Option& separated(char separator);  ///< several values in one word
  Option& count(int values);
  Option& count(int least, int most);               ///< of values; -1: any number
  Option& value_if_bare(const std::string& value);  ///< where the option stands without a value
  Option& range(int low, int high);
  Option& range(std::uint64_t low, std::uint64_t high);
  Option& range(double low, double high);
  Option& one_of(std::vector<std::string> words);
  Option& suggest(std::vector<std::string> words);  ///< for completion alone
  Option& unit(models::Unit unit);  ///< "1%", "2 min" become the number in the base unit, which needs no unit itself
  Option& convert(const ValueCheck& check);
  Option& check(const ValueCheck& check);

 private:
  CLI::Option* option_;
  Choices* choices_;
};

/// Where a verb registers options: the name of each, the name of its value, where the value goes, the help text. What
/// is registered must outlive the parse.
class OptionTable {
 public:
  OptionTable(CLI::App& verb, Choices& choices) : verb_(verb), choices_(choices) {}

  /// Heading in the help for the options that follow.
  void section(const char* heading) { section_ = heading; }
  /// What the help of the verb ends with, before what was added already.
  void footer(const std::string& text);
  /// Calls to try, in their order; a test runs them.
  void examples(const std::vector<std::string>& calls);

  Option flag(const char* name, bool& target, const char* help, bool meaning = true);
  Option add(const char* name, const char* value, std::string& target, const std::string& help);
  Option add(const char* name, const char* value, std::vector<std::string>& target, const std::string& help);
  Option add(const char* name, const char* value, std::uint64_t& target, const std::string& help);
  Option add(const char* name, const char* value, std::uint32_t& target, const std::string& help);
  Option add(const char* name, const char* value, double& target, const std::string& help);
  Option add(const char* name, const char* value, std::optional<double>& target, const std::string& help);
  Option add(const char* name, const char* value, std::optional<int>& target, const std::string& help);
  Option add(const char* name, const char* value, std::optional<std::string>& target, const std::string& help);
  /// An argument that must be there, once.
  Option argument(const char* name, const char* value, std::string& target, const std::string& help);
  /// Calls `take` with the checked text.
  Option call(const std::string& name, const char* value, const std::function<void(const std::string&)>& take,
              const std::string& help);
  /// "on" or "off".
  Option on_off(const char* name, bool& target, const char* help);

 private:
  Option placed(CLI::Option* option, const char* value);

  CLI::App& verb_;
  Choices& choices_;
  const char* section_ = "Options";
};

}  // namespace headrace::cli
