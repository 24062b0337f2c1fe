#include "scenarios/document/visible_text.hpp"

#include <fmt/format.h>

namespace headrace::scenarios {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

unsigned code_point(std::string_view sequence) {
  const unsigned first = byte_at(sequence, 0);
  if (sequence.size() == 1) return first;
  unsigned code = first & (0x7FU >> sequence.size());
  for (std::size_t i = 1; i < sequence.size(); ++i) code = (code << 6U) | (byte_at(sequence, i) & 0x3FU);
  return code;
}

bool is_control(unsigned code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

/// Marks that change the direction of what follows, break lines, or show nothing.
bool is_invisible(unsigned code) {
  return code == 0x061C || code == 0x200B || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

/// Length of "ESC [ digits and semicolons m" at the front, 0 where there is none.
std::size_t style_sequence(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// `kept` are controls that stay.
std::string visible(std::string_view text, std::string_view kept, bool styled) {
  std::string out;
  out.reserve(text.size());
  const auto stays = [&kept](char c) { return (c >= ' ' && c <= '~') || kept.find(c) != std::string_view::npos; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t plain = i;
    while (plain < text.size() && stays(text[plain])) ++plain;
    out += text.substr(i, plain - i);
    i = plain;
    if (i == text.size()) break;
    if (const std::size_t style = styled ? style_sequence(text.substr(i)) : 0; style > 0) {
      out += text.substr(i, style);
      i += style;
      continue;
    }
    const std::size_t length = utf8_sequence(text.substr(i));
    const unsigned code = length == 0 ? byte_at(text, i) : code_point(text.substr(i, length));
    if (length == 0 || code < 0x20)
      out += fmt::format("\\x{:02x}", code);
    else if (is_control(code) || is_invisible(code))
      out += fmt::format("\\u{:04x}", code);
    else
      out += text.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace

std::size_t utf8_sequence(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xC0U) != 0x80U) return 0;
  if (first == 0xE0 && byte_at(text, 1) < 0xA0) return 0;
  if (first == 0xED && byte_at(text, 1) > 0x9F) return 0;
  if (first == 0xF0 && byte_at(text, 1) < 0x90) return 0;
  if (first == 0xF4 && byte_at(text, 1) > 0x8F) return 0;
  return length;
}

std::size_t first_not_utf8(std::string_view text) {
  for (std::size_t i = 0, length = 0; i < text.size(); i += length) {
    length = utf8_sequence(text.substr(i));
    if (length == 0) return i;
  }
  return std::string_view::npos;
}

std::string visible_text(std::string_view text) { return visible(text, {}, false); }

std::string visible_lines(std::string_view text, bool styled) { return visible(text, "\n\r\t", styled); }

}  // namespace headrace::scenarios
