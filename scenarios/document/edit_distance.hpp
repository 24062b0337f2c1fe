// "Did you mean": the nearest of a list of words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::scenarios {

/// Least number of insertions, deletions, replacements and swaps of neighbours (Damerau 1964, optimal string
/// alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The key of a scenario that other programs call by this name ("bandwidth" of "read_throughput"); empty if none does.
std::string_view key_meant_by(std::string_view word);

/// The candidate that is meant by another program's name; else the nearest one, ignoring case, within a third of the
/// word's length (at least 1 edit); empty when none is near. Ties go to the first.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// "a, b, c".
std::string list_words(std::span<const std::string_view> words);

/// Help for a wrong word: "did you mean 'x'?" or "one of a, b, c"; empty without candidates.
std::string suggest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace headrace::scenarios
