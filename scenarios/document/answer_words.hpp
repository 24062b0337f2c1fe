// How people write the parts of an answer: counts, machines, and a quantity with words ("100 TB JPEG").
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/describe/unit.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {

std::string trimmed_answer(std::string_view text);
std::string in_lower_case(std::string_view text);

/// "60 TB" of "about 60 TB", "~60 TB" and "approx. 60 TB", also inside an answer.
std::string without_hedges(std::string_view answer);

/// "40GB/s" as "40 GB/s".
std::string spaced(std::string_view quantity);

/// What stands between commas; a comma inside a number ("1,024") does not separate.
std::vector<std::string> parts_of(std::string_view answer);

/// "4.5M objects" or "4.5 million objects" with words {"objects"}: 4.5e6.
std::optional<double> counted(const std::string& part, std::initializer_list<std::string_view> words);

struct Machines {
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> gpus;  ///< all of them
  std::string gpu;                    ///< as written; empty: not named
};

/// "64 nodes x 8 H100", "512 H100 on 64 nodes", "H100 x 64"; nodes alone have 8 each. nullopt where a count is none.
std::optional<Machines> read_machines(std::string_view answer);

struct WordedQuantity {
  std::string quantity;  ///< "100 TB"
  std::string words;     ///< "jpeg", in lower case
};

/// The beginning or end of a part that is a quantity of one of the units, and its words.
WordedQuantity split_words(const std::string& part, std::initializer_list<models::Unit> units);

/// What is wrong with a part whose unit has two readings, with words around it or not.
std::optional<UnitError> two_readings_of(const std::string& part, std::initializer_list<models::Unit> units);

}  // namespace headrace::scenarios
