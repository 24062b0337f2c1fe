#include "cli/verbs.hpp"

namespace headrace::cli {

// Each is the last function of cli/verb_<name>.cpp.
Verb simulate(), import();

std::span<const Verb> verbs() {
  static const Verb kVerbs[] = {simulate(), import()};
  return kVerbs;
}

std::string_view left_out() {
  return "this is the program that is built first: ./dev build release makes the one with all verbs and forms";
}

}  // namespace headrace::cli
