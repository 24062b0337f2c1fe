#include "cli/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string_view>

#include "scenarios/document/visible_text.hpp"

namespace headrace::cli {
namespace {

bool colour_for(When when, bool is_terminal) {
  if (when != When::automatic) return when == When::always;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return is_terminal && !dumb && (no_colour == nullptr || *no_colour == '\0');
}

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\033')
      plain += text[i];
    else
      i = std::min(text.find('m', i), text.size());
  }
  while (!plain.empty() && plain.back() == '\n') plain.pop_back();
  return plain;
}

}  // namespace

Console::Console(std::ostream& out, std::ostream& err, bool out_is_terminal, bool err_is_terminal)
    : out_(out), err_(err), out_is_terminal_(out_is_terminal), err_is_terminal_(err_is_terminal) {}

void Console::configure(const OutputOptions& output) {
  quiet_ = output.quiet;
  out_style_.colour = colour_for(output.colour, out_is_terminal_) && output.file.empty();
  out_style_.whole = !out_is_terminal_ || !output.file.empty();
  err_colour_ = colour_for(output.colour, err_is_terminal_);
  progress_ = output.progress == When::automatic ? err_is_terminal_ && !quiet_ : output.progress == When::always;
}

bool Console::deliver(const std::string& document, const std::string& output_path) {
  wipe_progress();
  if (!spares_inputs(output_path)) return false;
  delivered_ = true;
  // A scenario's title or a name in a table could clear the terminal.
  const std::string visible = scenarios::visible_lines(document, out_style_.colour);
  if (!output_path.empty()) return written(scenarios::write_atomically(output_path, visible));
  errno = 0;
  out_ << visible << std::flush;
  if (out_) return true;
  if (errno != EPIPE)  // a reader that has seen enough, such as head, is no fault
    error("cannot write to standard output", "is the disk full?");
  return false;
}

bool Console::can_deliver(const std::vector<std::string>& output_paths) {
  return std::all_of(output_paths.begin(), output_paths.end(), [this](const std::string& path) {
    return spares_inputs(path) && (path.empty() || written(scenarios::check_writable(path)));
  });
}

bool Console::spares_inputs(const std::string& output_path) {
  if (!is_input(output_path)) return true;
  error(fmt::format("this call also reads '{}': writing it would destroy it", output_path),
        "give the output another name");
  return false;
}

bool Console::is_input(const std::string& output_path) const {
  std::error_code error;
  if (output_path.empty() || !std::filesystem::is_regular_file(output_path, error)) return false;
  const auto value_of = [](const std::string& word) {
    if (word.starts_with("--")) return word.substr(word.find('=') + 1);
    return word.starts_with("-o") ? word.substr(2) : word;
  };
  const auto is_output = [&](const std::string& file) {
    return std::filesystem::equivalent(value_of(file), output_path, error);
  };
  return std::any_of(read_.begin(), read_.end(), is_output) ||
         std::count_if(words_.begin(), words_.end(), is_output) > 1;
}

bool Console::written(const tl::expected<void, scenarios::Diagnostic>& result) {
  if (!result) error(result.error().message, result.error().help);
  return result.has_value();
}

void Console::note(const std::string& text) {
  if (quiet_) return;
  wipe_progress();
  err_ << scenarios::visible_lines(text, err_colour_) << "\n" << std::flush;
}

void Console::warn(const std::string& text) { note((err_colour_ ? "\033[1;33mwarning:\033[0m " : "warning: ") + text); }

void Console::error(const std::string& text, const std::string& help) {
  wipe_progress();
  last_error_ = help.empty() ? text : text + "; " + help;
  err_ << (err_colour_ ? "\033[1;31merror:\033[0m " : "error: ") << scenarios::visible_lines(text) << "\n";
  if (!help.empty()) err_ << "  = help: " << scenarios::visible_lines(help) << "\n";
  err_ << std::flush;
}

void Console::raw_error(const std::string& text) {
  wipe_progress();
  last_error_ = without_colours(text);
  err_ << text << std::flush;
}

void Console::progress(const std::string& line) {
  if (!progress_) return;
  if (!err_is_terminal_) {
    if (!line.empty()) err_ << line << "\n" << std::flush;
    return;
  }
  wipe_progress();
  constexpr std::size_t kWidest = 79;  // a line that is folded is not wiped
  err_ << (line.size() > kWidest ? line.substr(0, kWidest - 2) + ".." : line) << std::flush;
  progress_shown_ = !line.empty();
}

void Console::wipe_progress() {
  if (!progress_shown_) return;
  err_ << "\r\033[K" << std::flush;
  progress_shown_ = false;
}

}  // namespace headrace::cli
