// What help and reference say of an option: the name of its value, and what it does with its limits in words.
#pragma once

#include <string>

namespace CLI {
class Option;
}

namespace headrace::cli {

/// The name of one value: "N", "FILE".
std::string one_value(const CLI::Option& option);

/// "N" or "FILE ..."; empty for a flag.
std::string value_name(const CLI::Option& option);

/// The description, then the words or numbers that are allowed and which options go together, where it does not say so.
std::string option_meaning(const CLI::Option& option);

}  // namespace headrace::cli
