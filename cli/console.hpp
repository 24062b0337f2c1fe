// The streams of one call. Standard output carries the document that was asked for and nothing else; messages, warnings
// and progress go to standard error.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/output_options.hpp"
#include "reports/style.hpp"
#include "scenarios/document/atomic_file.hpp"

namespace headrace::cli {

class Console {
 public:
  Console(std::ostream& out, std::ostream& err, bool out_is_terminal, bool err_is_terminal);

  /// Applies --quiet, --color, --progress and the NO_COLOR convention (no-color.org).
  void configure(const OutputOptions& output);

  /// Writes the document to standard output, or to the file of -o, which then appears whole or not at all. Returns
  /// false after a message when it cannot be written.
  bool deliver(const std::string& document, const std::string& output_path);

  /// The words of the call: a file that stands there twice is read and written, which destroys it.
  void called_with(std::vector<std::string> words) { words_ = std::move(words); }
  /// A file that the call reads without naming it, such as one that a scenario extends: no output replaces it.
  void reads(std::string file) { read_.push_back(std::move(file)); }

  /// Whether deliver could write to all of them, asked before a long run; a message says why not.
  bool can_deliver(const std::vector<std::string>& output_paths);

  /// False, after a message, where an output would replace a file that the call reads.
  bool spares_inputs(const std::string& output_path);
  bool is_input(const std::string& output_path) const;

  /// Lines on standard error; notes are silenced by --quiet, errors never.
  void note(const std::string& text);
  void warn(const std::string& text);
  void error(const std::string& text, const std::string& help = {});
  void raw_error(const std::string& text);

  /// The last complaint without colours: message and help; empty: none yet.
  const std::string& last_error() const { return last_error_; }
  /// Whether a document went out.
  bool has_delivered() const { return delivered_; }

  /// Shows a transient line on the terminal, or wipes it when empty. Nothing happens where progress is off.
  void progress(const std::string& line);
  bool shows_progress() const { return progress_; }

  /// Whether output goes to a person and not to a file or another program.
  bool is_terminal() const { return out_is_terminal_; }

  /// Since the program began its work.
  double elapsed_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }
  const reports::Style& out_style() const { return out_style_; }
  bool err_colour() const { return err_colour_; }

 private:
  void wipe_progress();
  bool written(const tl::expected<void, scenarios::Diagnostic>& result);

  std::ostream& out_;
  std::ostream& err_;
  bool out_is_terminal_;
  bool err_is_terminal_;
  bool quiet_ = false;
  bool progress_ = false;
  bool progress_shown_ = false;
  bool delivered_ = false;
  std::string last_error_;
  std::vector<std::string> words_;
  std::vector<std::string> read_;
  bool err_colour_ = false;
  reports::Style out_style_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace headrace::cli
