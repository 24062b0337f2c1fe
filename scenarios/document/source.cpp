#include "scenarios/document/source.hpp"

#include <algorithm>
#include <utility>

namespace headrace::scenarios {

std::uint32_t Sources::add(Source source) {
  sources_.push_back(std::move(source));
  return static_cast<std::uint32_t>(sources_.size() - 1);
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
