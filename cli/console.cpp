#include "cli/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <string_view>

namespace headrace::cli {
namespace {

bool colour_for(When when, bool is_terminal) {
  if (when != When::automatic) return when == When::always;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return is_terminal && !dumb && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace

Console::Console(std::ostream& out, std::ostream& err, bool out_is_terminal, bool err_is_terminal)
    : out_(out), err_(err), out_is_terminal_(out_is_terminal), err_is_terminal_(err_is_terminal) {}

void Console::configure(const OutputOptions& output) {
  quiet_ = output.quiet;
  out_style_.colour = colour_for(output.colour, out_is_terminal_) && output.file.empty();
  err_colour_ = colour_for(output.colour, err_is_terminal_);
  progress_ = output.progress == When::automatic ? err_is_terminal_ && !quiet_ : output.progress == When::always;
}

bool Console::deliver(const std::string& document, const std::string& output_path) {
  wipe_progress();
  if (!output_path.empty()) return written(scenarios::write_atomically(output_path, document));
  out_ << document << std::flush;
  if (out_) return true;
  error("cannot write to standard output", "is the disk full, or did the reader of the pipe stop?");
  return false;
}

bool Console::can_deliver(const std::vector<std::string>& output_paths) {
  return std::all_of(output_paths.begin(), output_paths.end(), [this](const std::string& path) {
    return path.empty() || written(scenarios::check_writable(path));
  });
}

bool Console::written(const tl::expected<void, scenarios::Diagnostic>& result) {
  if (!result) error(result.error().message, result.error().help);
  return result.has_value();
}

void Console::note(const std::string& text) {
  if (quiet_) return;
  wipe_progress();
  err_ << text << "\n" << std::flush;
}

void Console::warn(const std::string& text) { note((err_colour_ ? "\033[1;33mwarning:\033[0m " : "warning: ") + text); }

void Console::error(const std::string& text, const std::string& help) {
  wipe_progress();
  err_ << (err_colour_ ? "\033[1;31merror:\033[0m " : "error: ") << text << "\n";
  if (!help.empty()) err_ << "  = help: " << help << "\n";
  err_ << std::flush;
}

void Console::raw_error(const std::string& text) {
  wipe_progress();
  err_ << text << std::flush;
}

void Console::progress(const std::string& line) {
  if (!progress_) return;
  if (!err_is_terminal_) {
    if (!line.empty()) err_ << line << "\n" << std::flush;
    return;
  }
  wipe_progress();
  err_ << line << std::flush;
  progress_shown_ = !line.empty();
}

void Console::wipe_progress() {
  if (!progress_shown_) return;
  err_ << "\r\033[K" << std::flush;
  progress_shown_ = false;
}

}  // namespace headrace::cli
