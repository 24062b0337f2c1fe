// The lists of a scenario whose elements have names, by which layers change them.
#pragma once

#include <string_view>

namespace headrace::scenarios {

struct NamedList {
  std::string_view pointer;
  std::string_view kind;  ///< of an element; also the word of the flag that names one
};
inline constexpr NamedList kNamedLists[] = {
    {"/stores", "store"}, {"/cluster/pools", "pool"}, {"/jobs", "job"}, {"/datasets", "dataset"}};

}  // namespace headrace::scenarios
