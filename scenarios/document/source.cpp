#include "scenarios/document/source.hpp"

#include <algorithm>
#include <utility>

namespace headrace::scenarios {

std::uint32_t Sources::add(Source source) {
  sources_.push_back(std::move(source));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

namespace {

std::vector<std::size_t> begins_of_lines(std::string_view text) {
  std::vector<std::size_t> begins{text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0};
  for (std::size_t i = begins.front(); i < text.size(); ++i)
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n'))) begins.push_back(i + 1);
  return begins;
}

}  // namespace

Sources::Line Sources::line_of(std::uint32_t id, std::size_t offset) const {
  const std::string_view text = sources_[id].text;
  if (line_begins_.size() <= id) line_begins_.resize(sources_.size());
  std::vector<std::size_t>& begins = line_begins_[id];
  if (begins.empty()) begins = begins_of_lines(text);
  const auto after = std::upper_bound(begins.begin() + 1, begins.end(), std::min(offset, text.size()));
  Line line;
  line.number = static_cast<int>(after - begins.begin());
  line.begin = *(after - 1);
  line.end = after == begins.end() ? text.size() : *after;
  while (line.end > line.begin && (text[line.end - 1] == '\n' || text[line.end - 1] == '\r')) --line.end;
  return line;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string_view line_at(std::string_view text, std::size_t offset, std::size_t& line_begin) {
  offset = std::min(offset, text.size());
  // An offset on the \n of \r\n belongs to the line that it ends.
  std::size_t scan = offset;
  if (scan > 0 && scan < text.size() && text[scan] == '\n' && text[scan - 1] == '\r') --scan;
  const std::size_t before = scan == 0 ? std::string_view::npos : text.find_last_of("\r\n", scan - 1);
  line_begin = before == std::string_view::npos ? 0 : before + 1;
  if (line_begin == 0 && text.substr(0, 3) == kByteOrderMark) line_begin = std::min<std::size_t>(3, text.size());
  const std::size_t end = text.find_first_of("\r\n", line_begin);
  return text.substr(line_begin, end == std::string_view::npos ? end : end - line_begin);
}

Position position_at(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  std::size_t begin = 0;
  line_at(text, offset, begin);
  Position position;
  for (std::size_t i = 0; i < begin && i < text.size(); ++i) {
    const bool lone_return = text[i] == '\r' && (i + 1 >= text.size() || text[i + 1] != '\n');
    if (text[i] == '\n' || lone_return) ++position.line;
  }
  if (offset > begin) position.column += static_cast<int>(code_points(text.substr(begin, offset - begin)));
  return position;
}

}  // namespace headrace::scenarios
