#include "cli/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/units.hpp"
#include "scenarios/document/visible_text.hpp"

namespace headrace::cli {

namespace {

/// A count that is read without its sign would be a huge one.
std::string check_sign(const std::string& text) {
  return text.starts_with('-') ? fmt::format("'{}' is below 0", text) : std::string();
}

/// Values of options go into documents, which are UTF-8. The name of a file or folder may be anything.
bool names_a_file(std::string_view value) {
  constexpr std::array<std::string_view, 8> kFiles = {"DIR",      "PATH", "SCENARIO", "SPACE",
                                                      "DOCUMENT", "PAGE", "OFFER",    "A B"};
  return value.find("FILE") != std::string_view::npos || std::find(kFiles.begin(), kFiles.end(), value) != kFiles.end();
}

std::string check_encoding(const std::string& text) {
  if (scenarios::first_not_utf8(text) == std::string::npos) return {};
  return fmt::format("'{}' is not UTF-8{}it in a terminal whose encoding is UTF-8", text, kWriteInstead);
}

/// What is no number at all is complained about where it is read. Help tells the range as the parser describes it.
template <class Number>
CLI::Validator within(Number low, Number high) {
  const auto check = [low, high](std::string& text) {
    Number value{};
    if (!CLI::detail::lexical_cast(text, value) || (value >= low && value <= high)) return std::string();
    return fmt::format("'{}' is out of bounds{}a value from {} to {}", text, kWriteInstead, low, high);
  };
  return {check, CLI::Range(low, high).get_description()};
}

}  // namespace

Option& Option::required() { return option_->required(), *this; }
Option& Option::excludes(const Option& other) { return option_->excludes(other.option_), *this; }
Option& Option::needs(const Option& other) { return option_->needs(other.option_), *this; }
Option& Option::separated(char separator) { return option_->delimiter(separator), *this; }
Option& Option::count(int values) { return option_->expected(values), *this; }
Option& Option::count(int least, int most) { return option_->expected(least, most), *this; }
Option& Option::value_if_bare(const std::string& value) { return option_->expected(0, 1)->default_str(value), *this; }
Option& Option::range(int low, int high) { return option_->check(within(low, high)), *this; }
Option& Option::range(std::uint64_t low, std::uint64_t high) { return option_->check(within(low, high)), *this; }
Option& Option::range(double low, double high) { return option_->check(within(low, high)), *this; }
Option& Option::convert(const ValueCheck& check) { return option_->transform(CLI::Validator(check, "")), *this; }
Option& Option::check(const ValueCheck& check) { return option_->check(CLI::Validator(check, "")), *this; }

Option& Option::repeatable() {
  // What follows its value is no second value: simulate --set /x=1 SCENARIO --json.
  return option_->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false), *this;
}

Option& Option::one_of(std::vector<std::string> words) {
  const auto is_known = [words](const std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    const std::vector<std::string_view> known(words.begin(), words.end());
    const std::string_view near = scenarios::nearest(text, known);
    return fmt::format("'{}' is not one of {}{}", text, fmt::join(words, ", "),
                       near.empty() ? "" : fmt::format("{}'{}'?", kDidYouMean, near));
  };
  option_->check(CLI::Validator([is_known](std::string& text) { return is_known(text); },
                                fmt::format("{{{}}}", fmt::join(words, ","))));
  // A word of several values cannot be completed from a list of single ones.
  return option_->get_delimiter() == '\0' ? suggest(std::move(words)) : *this;
}

Option& Option::suggest(std::vector<std::string> words) { return (*choices_)[option_] = std::move(words), *this; }

Option& Option::unit(models::Unit unit) {
  return convert([unit](std::string& text) {
    const bool bare = !text.empty() && text.find_first_not_of("0123456789.+-eE") == std::string::npos;
    const std::string with_unit =
        bare && scenarios::needs_unit(unit) ? fmt::format("{} {}", text, scenarios::unit_symbol(unit)) : text;
    const auto value = scenarios::parse_quantity(with_unit, unit);
    if (!value) return fmt::format("{}: {}", value.error().message, value.error().help);
    text = scenarios::print_number(*value);
    return std::string();
  });
}

void OptionTable::footer(const std::string& text) {
  const std::string before = verb_.get_footer();
  verb_.footer(before.empty() ? text : text + "\n\n" + before);  // a verb has that of the program
}

void OptionTable::examples(const std::vector<std::string>& calls) {
  std::string text = "Examples:";
  for (const std::string& call : calls) text += "\n  " + call;
  footer(text);
}

Option OptionTable::placed(CLI::Option* option, const char* value) {
  Option placed{option->type_name(value)->group(section_), choices_};
  if (!names_a_file(value)) placed.check(check_encoding);
  return placed;
}

Option OptionTable::flag(const char* name, bool& target, const char* help, bool meaning) {
  CLI::Option* option = meaning ? verb_.add_flag(name, target, help)
                                : verb_.add_flag_callback(
                                      name, [&target] { target = false; }, help);
  return {option->group(section_), choices_};
}

Option OptionTable::add(const char* name, const char* value, std::string& target, const std::string& help) {
  return placed(verb_.add_option(name, target, help), value);
}
Option OptionTable::add(const char* name, const char* value, std::vector<std::string>& target,
                        const std::string& help) {
  return placed(verb_.add_option(name, target, help), value);
}
Option OptionTable::add(const char* name, const char* value, std::uint64_t& target, const std::string& help) {
  return placed(verb_.add_option(name, target, help), value).check(check_sign);
}
Option OptionTable::add(const char* name, const char* value, std::uint32_t& target, const std::string& help) {
  return placed(verb_.add_option(name, target, help), value);
}
Option OptionTable::add(const char* name, const char* value, double& target, const std::string& help) {
  return placed(verb_.add_option(name, target, help), value);
}
Option OptionTable::add(const char* name, const char* value, std::optional<double>& target, const std::string& help) {
  return placed(verb_.add_option_function<double>(
                    name, [&target](const double& given) { target = given; }, help),
                value);
}
Option OptionTable::add(const char* name, const char* value, std::optional<int>& target, const std::string& help) {
  return placed(verb_.add_option_function<int>(
                    name, [&target](const int& given) { target = given; }, help),
                value);
}
Option OptionTable::add(const char* name, const char* value, std::optional<std::string>& target,
                        const std::string& help) {
  return call(
      name, value, [&target](const std::string& given) { target = given; }, help);
}

Option OptionTable::argument(const char* name, const char* value, std::string& target, const std::string& help) {
  // It takes all that follows, so that the complaint about a second one names it.
  return placed(verb_.add_option(name, target, help)->required()->allow_extra_args(), value);
}

Option OptionTable::call(const std::string& name, const char* value,
                         const std::function<void(const std::string&)>& take, const std::string& help) {
  return placed(verb_.add_option_function<std::string>(name, take, help), value);
}

Option OptionTable::on_off(const char* name, bool& target, const char* help) {
  return call(
             name, "on|off", [&target](const std::string& word) { target = word == "on"; }, help)
      .one_of({"on", "off"});
}

}  // namespace headrace::cli
