#include "scenarios/document/answer_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace headrace::scenarios {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of(kDigits) == std::string_view::npos;
}

/// Where a number ends that a name with a number follows, "512H100"; 0: the word is no such two.
std::size_t end_of_count(std::string_view word) {
  const std::size_t end = word.find_first_not_of(kDigits);
  if (end == 0 || end == std::string_view::npos || !std::isalpha(static_cast<unsigned char>(word[end]))) return 0;
  return word.find_first_of(kDigits, end) == std::string_view::npos ? 0 : end;
}

/// Words of an answer about machines: "64x8" is three of them, "1,024" is one.
std::vector<std::string> machine_words(std::string_view answer) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    const bool memory = (word == "GB" || word == "gb") && !words.empty() && is_number(words.back());
    if (memory)
      words.back() += "GB";                                          // "A100 80 GB"
    else if (const std::size_t end = end_of_count(word); end > 0) {  // "512H100"
      words.push_back(word.substr(0, end));
      words.push_back(word.substr(end));
    } else if (!word.empty())
      words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const char c = answer[i];
    const bool times = (c == 'x' || c == 'X' || c == '*') && (word.empty() || is_number(word));
    if (c == ',' && (is_number(word) || i + 1 == answer.size() || answer[i + 1] == ' ')) continue;
    if (c == ' ' || c == '\t' || times)
      finish();
    else
      word += c;
  }
  finish();
  return words;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool means_nodes(std::string_view word) {
  return is_one_of(word, {"nodes", "node", "servers", "server", "machines", "machine", "hosts", "host"});
}
bool is_filler(std::string_view word) { return is_one_of(word, {"of", "with", "each", "by", "gpus", "gpu", "per"}); }
/// "64 H100 on 8 nodes" counts all GPUs.
bool means_spread(std::string_view word) { return is_one_of(word, {"on", "in", "over", "across"}); }

/// "2,000,000": a digit before it, and exactly three behind it.
bool is_thousands_comma(std::string_view text, std::size_t comma) {
  const auto digit = [&](std::size_t i) { return i < text.size() && kDigits.find(text[i]) != std::string_view::npos; };
  return comma > 0 && digit(comma - 1) && digit(comma + 1) && digit(comma + 2) && digit(comma + 3) && !digit(comma + 4);
}

struct Scale {
  std::string_view word;
  double factor;
};
constexpr std::array kScales = {Scale{"k", 1e3},       Scale{"K", 1e3},  Scale{"thousand", 1e3},
                                Scale{"M", 1e6},       Scale{"mn", 1e6}, Scale{"million", 1e6},
                                Scale{"B", 1e9},       Scale{"bn", 1e9}, Scale{"b", 1e9},
                                Scale{"billion", 1e9}, Scale{"T", 1e12}, Scale{"trillion", 1e12}};

/// The beginnings of a part that end at a word, longest first.
template <class Visit>
void for_each_head(const std::string& part, const Visit& visit) {
  for (std::size_t end = part.size(); end != std::string::npos && end > 0; end = part.rfind(' ', end - 1))
    if (const std::string head = trimmed_answer(std::string_view(part).substr(0, end)); !head.empty())
      if (visit(head, end)) return;
}

}  // namespace

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string without_hedges(std::string_view answer) {
  constexpr std::string_view hedges[] = {"approximately", "approx.", "approx", "about", "around",
                                         "roughly",       "circa",   "ca.",    "~",     "\u2248"};
  std::string text(answer);
  for (std::size_t at = text.size(); at-- > 0;) {  // from the end, so that "about ~60 TB" loses both
    if (at > 0 && std::string_view(" ,(").find(text[at - 1]) == std::string_view::npos) continue;
    for (const std::string_view hedge : hedges) {
      if (in_lower_case(text.substr(at, hedge.size())) != hedge) continue;
      const std::size_t behind = at + hedge.size();
      const std::size_t next = text.find_first_not_of(' ', behind);
      const bool quantity = next != std::string::npos && (kDigits.find(text[next]) != std::string_view::npos ||
                                                          text[next] == '$' || text[next] == '.');
      if (!quantity || (next == behind && std::isalpha(static_cast<unsigned char>(hedge.back())))) continue;
      text.erase(at, next - at);
      break;
    }
  }
  return text;
}

std::string spaced(std::string_view quantity) {
  const std::size_t end = quantity.find_first_not_of("0123456789.,");
  if (end == 0 || end == std::string_view::npos || !std::isalpha(static_cast<unsigned char>(quantity[end])))
    return std::string(quantity);
  const bool exponent = (quantity[end] == 'e' || quantity[end] == 'E') && end + 1 < quantity.size() &&
                        std::string_view("+-0123456789").find(quantity[end + 1]) != std::string_view::npos;
  return exponent ? std::string(quantity) : fmt::format("{} {}", quantity.substr(0, end), quantity.substr(end));
}

std::string trimmed_answer(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::vector<std::string> parts_of(std::string_view answer) {
  std::vector<std::string> parts;
  std::string part;
  const auto finish = [&] {
    if (std::string whole = trimmed_answer(part); !whole.empty()) parts.push_back(std::move(whole));
    part.clear();
  };
  for (std::size_t i = 0; i < answer.size(); ++i) {
    if (answer[i] != ',')
      part += answer[i];
    else if (!is_thousands_comma(answer, i))
      finish();
  }
  finish();
  return parts;
}

std::optional<double> counted(const std::string& part, std::initializer_list<std::string_view> words) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error != std::errc() || !(number > 0.0)) return std::nullopt;
  std::string rest = trimmed_answer(std::string_view(end, static_cast<std::size_t>(part.data() + part.size() - end)));
  const std::string word = rest.substr(0, rest.find(' '));
  const auto scale = std::find_if(kScales.begin(), kScales.end(), [&](const Scale& s) { return s.word == word; });
  if (scale != kScales.end()) {
    number *= scale->factor;
    rest = trimmed_answer(std::string_view(rest).substr(word.size()));
  }
  return std::find(words.begin(), words.end(), rest) == words.end() ? std::nullopt : std::optional<double>(number);
}

std::optional<Machines> read_machines(std::string_view answer) {
  constexpr std::uint64_t usual_gpus_of_a_node = 8;
  Machines machines;
  std::vector<std::uint64_t> counts;
  std::optional<std::size_t> of_nodes;
  bool spread = false;
  bool each = false;  // the last word was "per"
  for (const std::string& word : machine_words(answer)) {
    const std::string lowered = in_lower_case(word);
    const bool per_node = std::exchange(each, lowered == "per") && means_nodes(lowered);
    if (per_node) continue;
    std::uint64_t count = 0;
    if (is_number(word)) {
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
      if (error != std::errc() || end == word.data() || count == 0 || count >= 10'000'000) return std::nullopt;
      counts.push_back(count);
    } else if (means_nodes(lowered)) {
      if (!counts.empty()) of_nodes = counts.size() - 1;
    } else if (means_spread(lowered)) {
      spread = true;
    } else if (!is_filler(lowered)) {
      machines.gpu += (machines.gpu.empty() ? "" : " ") + word;
    }
  }
  if (counts.size() > 2) return std::nullopt;
  if (counts.size() == 2) {
    const std::uint64_t nodes = counts[of_nodes.value_or(0)];
    const std::uint64_t others = counts[1 - of_nodes.value_or(0)];
    if (spread && others % nodes != 0) return std::nullopt;
    machines.nodes = nodes;
    machines.gpus = spread ? others : others * nodes;
  } else if (counts.size() == 1) {
    if (of_nodes) machines.nodes = counts[0];
    machines.gpus = of_nodes ? counts[0] * usual_gpus_of_a_node : counts[0];
  }
  return machines;
}

WordedQuantity split_words(const std::string& part, std::initializer_list<models::Unit> units) {
  const auto is_quantity = [&units](const std::string& text) {
    return std::any_of(units.begin(), units.end(),
                       [&text](models::Unit unit) { return parse_quantity(text, unit).has_value(); });
  };
  WordedQuantity found{"", in_lower_case(part)};
  for_each_head(part, [&](const std::string& head, std::size_t end) {
    const std::string tail = trimmed_answer(std::string_view(part).substr(end));
    if (is_quantity(head)) found = {head, in_lower_case(tail)};
    if (is_quantity(tail)) found = {tail, in_lower_case(head)};
    return !found.quantity.empty();
  });
  return found;
}

std::optional<UnitError> two_readings_of(const std::string& part, std::initializer_list<models::Unit> units) {
  std::optional<UnitError> found;
  const auto look_at = [&](const std::string& head, std::size_t) {
    for (const models::Unit unit : units)
      if (const auto read = parse_quantity(head, unit); !read && read.error().code == "E0219") found = read.error();
    return found.has_value();
  };
  for (std::size_t begin = 0; begin < part.size() && !found;) {
    for_each_head(part.substr(begin), look_at);
    begin = std::min(part.find(' ', begin), part.size() - 1) + 1;
  }
  return found;
}

}  // namespace headrace::scenarios
