// What the header of a record needs to declare its description and the names of its choices. The vocabulary itself is
// in models/describe/describe.hpp, which only sources that describe or visit a record include.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace headrace::models {

class Visitor;

/// How well the default of a parameter is known.
enum class Evidence : std::uint8_t { assumed, datasheet, published, measured };
constexpr std::string_view evidence_name(Evidence e) {
  constexpr std::string_view names[] = {"assumed", "datasheet", "published", "measured"};
  return names[static_cast<std::size_t>(e)];
}

/// One spelling of an enumerator in files.
template <class E>
struct ChoiceName {
  E value;
  std::string_view name;
  std::string_view meaning = {};
};

enum class Better : std::uint8_t { lower, higher, neither };

/// One entry of a map whose keys the file chooses.
struct NamedText {
  std::string name;
  std::string text;
};

}  // namespace headrace::models
