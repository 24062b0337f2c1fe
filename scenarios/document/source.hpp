// Texts that values come from, and places in them. Every value of a document remembers its place, so that errors show
// the line and each resolved value knows its origin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::scenarios {

enum class SourceKind : std::uint8_t { file, override_argument, catalogue, none };

/// One text: a file, a --set argument or an embedded catalogue section.
struct Source {
  SourceKind kind = SourceKind::none;
  std::string name;  ///< as the user wrote it: path, "--set /a=1", "catalogue gpu"
  std::string text;
  int layer = 0;  ///< position among the layered files, 0 first
};

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
inline constexpr std::uint32_t kNoSource = UINT32_MAX;

/// Bytes [begin, end) of a source.
struct Place {
  std::uint32_t source = kNoSource;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool known() const { return source != kNoSource; }
};

/// Line and column count from 1; columns count code points, a byte order mark is not counted.
struct Position {
  int line = 1;
  int column = 1;
};

/// Owns the texts of one load; ids stay valid while it lives.
class Sources {
 public:
  std::uint32_t add(Source source);
  const Source& operator[](std::uint32_t id) const { return sources_[id]; }
  std::size_t size() const { return sources_.size(); }

  struct Line {
    int number = 1;  ///< from 1
    std::size_t begin = 0;
    std::size_t end = 0;  ///< of its text, before what ends it
  };
  /// The line that holds a byte offset. Lines are found once for each source.
  Line line_of(std::uint32_t id, std::size_t offset) const;

 private:
  std::deque<Source> sources_;
  mutable std::deque<std::vector<std::size_t>> line_begins_;
};

/// Position of a byte offset; \n, \r\n and a lone \r end a line.
Position position_at(std::string_view text, std::size_t offset);

/// The line that holds a byte offset, without its end, and the offset of its first byte.
std::string_view line_at(std::string_view text, std::size_t offset, std::size_t& line_begin);

/// The text without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// Number of code points in UTF-8 text.
std::size_t code_points(std::string_view text);

}  // namespace headrace::scenarios
