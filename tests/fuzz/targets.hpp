// What reads bytes of others, one entry each: for fuzzing and for the replay of its corpus.
#pragma once

#include <span>
#include <string>

namespace headrace::testing {

struct FuzzTarget {
  std::string name;
  /// Reads the bytes as the program does: whether they are taken. Throws only where something is wrong with the program.
  bool (*read)(const std::string& bytes);
};

std::span<const FuzzTarget> fuzz_targets();

}  // namespace headrace::testing
