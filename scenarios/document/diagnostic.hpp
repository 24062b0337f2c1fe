// One complaint about a file: code, message, place, source line with carets, help. It holds all its text, so it
// outlives the document.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/document/source.hpp"

namespace headrace::scenarios {

/// A place in a file, made readable.
struct Excerpt {
  std::string file;     ///< empty when no file is to blame
  int line = 0;         ///< 0: the whole file
  int column = 0;       ///< code points from 1
  std::string text;     ///< source line, tabs replaced, control characters escaped, shortened around the carets
  int caret_begin = 0;  ///< code points of `text` before the first caret
  int caret_count = 0;
};

Excerpt excerpt_at(const Sources& sources, const Place& place);

struct Diagnostic {
  std::string code;     ///< "E0203"
  std::string message;  ///< no full stop
  std::string pointer;  ///< JSON pointer, may be empty
  Excerpt where;
  std::string help;     ///< how to fix it, may be empty
  std::string related;  ///< what `related_where` shows, may be empty
  Excerpt related_where;
  std::string constraint = {};  ///< name of the one that is broken; empty: another complaint
};

inline constexpr std::size_t kMostShown = 20;
inline constexpr std::size_t kMostKept = 1000;

/// All complaints of one pass; after the first thousand they are only counted.
class Diagnostics {
 public:
  void add(Diagnostic diagnostic) {
    if (is_full())
      count_one();
    else
      list_.push_back(std::move(diagnostic));
  }
  /// Whether another complaint is only counted, so that there is no need to write it.
  bool is_full() const { return list_.size() >= kMostKept; }
  void count_one() { ++counted_; }
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size() + counted_; }
  /// `kept` in place of those that are kept here; those that are only counted stay so.
  Diagnostics with(std::vector<Diagnostic> kept) const {
    Diagnostics out;
    out.list_ = std::move(kept);
    out.counted_ = counted_;
    return out;
  }
  /// Those that are kept, sorted by file (order of first complaint), line, column, code.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> list_;
  std::size_t counted_ = 0;
};

/// One diagnostic as text, ending in a line break:
///   error[E0203]: unknown key 'read_bandwith'
///     --> file.json:4:5 (/storage/read_bandwith)
///      |
///    4 |     "read_bandwith": "1 GB/s",
///      |     ^^^^^^^^^^^^^^^
///      = help: did you mean 'read_bandwidth'?
std::string print_text(const Diagnostic& diagnostic, bool colour = false);

/// The first 20, sorted, then "... and N more".
std::string print_text(const Diagnostics& diagnostics, bool colour = false);

}  // namespace headrace::scenarios
