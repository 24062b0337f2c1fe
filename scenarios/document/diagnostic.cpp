#include "scenarios/document/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "scenarios/document/visible_text.hpp"

namespace headrace::scenarios {
namespace {

constexpr std::size_t kWidest = 120;

/// Byte offset of the code point `index` in `text`.
std::size_t byte_of(std::string_view text, std::size_t index) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
    if (seen++ == index) return i;
  }
  return text.size();
}

std::string printable(std::string_view part) {
  std::string text(part);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return visible_text(text);
}

/// As near to `at` as `bytes` before it, but not inside a character.
std::size_t bytes_before(std::string_view text, std::size_t begin, std::size_t at, std::size_t bytes) {
  std::size_t from = at - begin > bytes ? at - bytes : begin;
  while (from < at && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) ++from;
  return from;
}

/// Cuts a long line to a window around the carets.
void shorten(Excerpt& excerpt) {
  const std::size_t length = code_points(excerpt.text);
  const auto caret = static_cast<std::size_t>(excerpt.caret_begin);
  if (length <= kWidest) return;
  const std::size_t first = caret > kWidest / 2 ? caret - kWidest / 2 : 0;
  const std::size_t last = std::min(length, first + kWidest);
  const std::size_t from = byte_of(excerpt.text, first);
  const std::size_t to = byte_of(excerpt.text, last);
  const std::string lead = first > 0 ? "..." : "";
  excerpt.text = lead + excerpt.text.substr(from, to - from) + (last < length ? "..." : "");
  excerpt.caret_begin = static_cast<int>(caret - first + lead.size());
  excerpt.caret_count = std::max(1, std::min(excerpt.caret_count, static_cast<int>(last - caret)));
}

struct Paint {
  bool on;
  std::string red(std::string_view s) const { return on ? fmt::format("\x1b[1;31m{}\x1b[0m", s) : std::string(s); }
  std::string bold(std::string_view s) const { return on ? fmt::format("\x1b[1m{}\x1b[0m", s) : std::string(s); }
  std::string blue(std::string_view s) const { return on ? fmt::format("\x1b[1;34m{}\x1b[0m", s) : std::string(s); }
};

std::string print_excerpt(const Excerpt& where, std::string_view pointer, const Paint& paint, std::string_view note) {
  std::string out;
  const std::string at = pointer.empty() ? std::string() : fmt::format(" ({})", visible_text(pointer));
  if (where.file.empty()) return pointer.empty() ? out : fmt::format("  {}{}\n", paint.blue("-->"), at);
  out += fmt::format("  {} {}", paint.blue("-->"), visible_text(where.file));
  if (where.line > 0) out += fmt::format(":{}:{}", where.line, where.column);
  out += at + "\n";
  if (where.line == 0) return out;
  const std::string number = std::to_string(where.line);
  const std::string gutter(number.size(), ' ');
  out += fmt::format(" {} {}\n", gutter, paint.blue("|"));
  out += fmt::format(" {} {} {}\n", paint.blue(number), paint.blue("|"), where.text);
  const std::string carets(static_cast<std::size_t>(std::max(1, where.caret_count)), '^');
  out += fmt::format(" {} {} {}{}{}{}\n", gutter, paint.blue("|"),
                     std::string(static_cast<std::size_t>(where.caret_begin), ' '), paint.red(carets),
                     note.empty() ? "" : " ", note);
  return out;
}

}  // namespace

Excerpt excerpt_at(const Sources& sources, const Place& place) {
  Excerpt excerpt;
  if (!place.known()) return excerpt;
  const Source& source = sources[place.source];
  const std::string_view text = source.text;
  excerpt.file = source.name;
  const Sources::Line line = sources.line_of(place.source, place.begin);
  const std::size_t begin = std::clamp(place.begin, line.begin, std::max(line.begin, line.end));
  // Far more than is shown of a line: one may be as long as the file.
  constexpr std::size_t kAround = 6 * kWidest;
  const std::size_t from = bytes_before(text, line.begin, begin, kAround);
  const std::size_t to = bytes_before(text, begin, std::min(line.end, begin + kAround), 0);
  const std::size_t end = std::min(std::max(place.end, begin + 1), to);
  excerpt.line = line.number;
  excerpt.column = 1 + static_cast<int>(code_points(text.substr(line.begin, begin - line.begin)));
  const std::string before = printable(text.substr(from, begin - from));
  const std::string marked = end > begin ? printable(text.substr(begin, end - begin)) : std::string();
  excerpt.text = before + marked + printable(text.substr(std::max(begin, end), to - std::max(begin, end)));
  excerpt.caret_begin = static_cast<int>(code_points(before));
  excerpt.caret_count = std::max(1, static_cast<int>(code_points(marked)));
  shorten(excerpt);
  return excerpt;
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::map<std::string, std::size_t> order;
  for (const Diagnostic& d : list_) order.emplace(d.where.file, order.size());
  std::vector<Diagnostic> out = list_;
  const auto key = [&order](const Diagnostic& d) {
    return std::tuple(order.at(d.where.file), d.where.line, d.where.column, std::string_view(d.code),
                      std::string_view(d.pointer), std::string_view(d.message));
  };
  std::stable_sort(out.begin(), out.end(),
                   [&key](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  return out;
}

std::string print_text(const Diagnostic& d, bool colour) {
  const Paint paint{colour};
  std::string out =
      fmt::format("{}{}\n", paint.red(fmt::format("error[{}]", d.code)), paint.bold(": " + visible_text(d.message)));
  out += print_excerpt(d.where, d.pointer, paint, "");
  if (!d.related.empty()) out += print_excerpt(d.related_where, "", paint, d.related);
  if (!d.help.empty()) out += fmt::format("  {} {}\n", paint.blue("= help:"), visible_text(d.help));
  return out;
}

std::string print_text(const Diagnostics& diagnostics, bool colour) {
  std::string out;
  const std::vector<Diagnostic> all = diagnostics.sorted();
  for (std::size_t i = 0; i < all.size() && i < kMostShown; ++i) {
    if (i > 0) out += "\n";
    out += print_text(all[i], colour);
  }
  if (diagnostics.size() > kMostShown)
    out += fmt::format("\n... and {} more; headrace validate FILE --json lists all\n", diagnostics.size() - kMostShown);
  return out;
}

}  // namespace headrace::scenarios
