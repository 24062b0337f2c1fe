// Whether the tags of an HTML page nest, and what it holds.
#pragma once

#include <cctype>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace headrace::reports::testing {

/// What is wrong, or nothing. Elements that HTML closes by itself are known; every other one must be closed.
inline std::string ill_formed(const std::string& page) {
  const std::set<std::string> alone = {"!doctype", "meta", "link", "br", "input", "hr"};
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const bool closing = page[at + 1] == '/';
    std::size_t end = at + (closing ? 2 : 1);
    std::string name;
    for (; end < page.size() && (std::isalnum(static_cast<unsigned char>(page[end])) != 0 || page[end] == '!'); ++end)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(page[end])));
    if (name.empty()) return "a bare '<' at " + page.substr(at, 40);
    bool quoted = false;
    for (; end < page.size() && (quoted || page[end] != '>'); ++end) quoted = quoted != (page[end] == '"');
    if (end >= page.size()) return "no end of the tag at " + page.substr(at, 40);
    if (closing) {
      if (open.empty() || open.back() != name)
        return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back()) + " at " + page.substr(at, 60);
      open.pop_back();
    } else if (alone.count(name) == 0 && page[end - 1] != '/') {
      open.push_back(name);
      if (name == "style" || name == "script") {
        at = page.find("</" + name, end);
        if (at == std::string::npos) return "no end of " + name;
        --at;
        continue;
      }
    }
    at = end;
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

/// The first group of every match.
inline std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

}  // namespace headrace::reports::testing
