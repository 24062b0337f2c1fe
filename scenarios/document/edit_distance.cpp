#include "scenarios/document/edit_distance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace headrace::scenarios {

namespace {

/// Candidates that begin with the word before the first '_' of `word`, and with '_': sample_bytes for sample_size.
std::vector<std::string> of_same_kind(std::string_view word, std::span<const std::string_view> candidates) {
  std::vector<std::string> same;
  const std::size_t end = word.find('_');
  if (end == std::string_view::npos || end < 3) return same;
  for (const std::string_view candidate : candidates)
    if (candidate.starts_with(word.substr(0, end + 1))) same.push_back(fmt::format("'{}'", candidate));
  return same;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string_view key_meant_by(std::string_view word) {
  using Pair = std::pair<std::string_view, std::string_view>;
  constexpr Pair kOtherNames[] = {{"read_throughput", "bandwidth"},
                                  {"throughput", "bandwidth"},
                                  {"read_bandwidth", "bandwidth"},
                                  {"bw", "bandwidth"},
                                  {"write_throughput", "write_bandwidth"},
                                  {"iops", "requests"},
                                  {"num_workers", "workers"},
                                  {"read_threads", "workers"},
                                  {"batch_size", "batch"},
                                  {"prefetch_factor", "prefetch"},
                                  {"computation_time", "step_time"},
                                  {"compute_time", "step_time"},
                                  {"num_files", "files"},
                                  {"record_length", "sample_bytes"},
                                  {"sample_size", "sample_bytes"},
                                  {"mtbf", "node_mtbf"}};
  const auto found = std::find_if(std::begin(kOtherNames), std::end(kOtherNames),
                                  [word](const Pair& pair) { return pair.first == word; });
  return found == std::end(kOtherNames) ? std::string_view() : found->second;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  const auto meant = std::find(candidates.begin(), candidates.end(), key_meant_by(word));
  if (meant != candidates.end() && !meant->empty()) return *meant;
  const auto lowered = [](std::string_view text) {
    std::string out(text.substr(0, 80));
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
  };
  const std::string target = lowered(word);
  std::size_t best = std::max<std::size_t>(1, target.size() / 3) + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(target, lowered(candidate));
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string list_words(std::span<const std::string_view> words) {
  std::string out;
  for (const std::string_view word : words) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

std::string suggest(std::string_view word, std::span<const std::string_view> candidates) {
  if (const std::string_view near = nearest(word, candidates); !near.empty())
    return fmt::format("did you mean '{}'?", near);
  constexpr std::size_t kFew = 3;
  if (const auto same = of_same_kind(word, candidates); !same.empty() && same.size() <= kFew)
    return fmt::format("did you mean {}?", fmt::join(same, " or "));
  constexpr std::size_t most = 12;
  std::string list = list_words(candidates.first(std::min(most, candidates.size())));
  if (list.empty()) return list;
  if (candidates.size() > most) list += fmt::format(" and {} more", candidates.size() - most);
  return fmt::format("known here: {}", list);
}

}  // namespace headrace::scenarios
