#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "scenarios/document/document.hpp"
#include "scenarios/document/readable_files.hpp"

namespace headrace::scenarios {
namespace {

void complain(Diagnostics& diagnostics, const char* code, std::string message, const std::string& path,
              std::string help) {
  Diagnostic d;
  d.code = code;
  d.message = std::move(message);
  d.where.file = path;
  d.help = std::move(help);
  diagnostics.add(std::move(d));
}

std::string too_large(std::uint64_t most) { return fmt::format("the file is larger than {} MB", most / 1'000'000); }

/// Reads at most one byte more than allowed; nullopt with errno set on a read error.
std::optional<std::string> read_stream(std::FILE* file, std::uint64_t most) {
  std::string text;
  char buffer[65536];
  while (text.size() <= most) {
    const std::size_t got = std::fread(buffer, 1, sizeof buffer, file);
    text.append(buffer, got);
    if (got < sizeof buffer) break;
  }
  if (std::ferror(file) != 0) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::string> read_text(const std::string& path, Diagnostics& diagnostics, std::uint64_t most) {
  namespace fs = std::filesystem;
  std::error_code error;
  const bool standard_input = path == "-";
  if (!may_be_read(path)) {
    complain(diagnostics, "E0101", fmt::format("cannot read '{}': it is outside of the folders that may be read", path),
             path, "name a file below them, or a shipped scenario");
    return std::nullopt;
  }
  if (!standard_input) {
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) {
      complain(diagnostics, "E0101", fmt::format("cannot read '{}': no such file", path), path, "check the path");
      return std::nullopt;
    }
    if (fs::is_directory(status)) {
      complain(diagnostics, "E0102", fmt::format("'{}' is a folder, not a file", path), path,
               "name a .json file inside it");
      return std::nullopt;
    }
    const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(path, error) : 0;
    if (!error && size > most) {
      complain(diagnostics, "E0104", too_large(most), path, "is this a scenario file?");
      return std::nullopt;
    }
  }
  errno = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      standard_input ? stdin : std::fopen(path.c_str(), "rb"),
      standard_input ? [](std::FILE*) { return 0; } : [](std::FILE* f) { return std::fclose(f); });
  std::optional<std::string> text;
  if (file != nullptr) text = read_stream(file.get(), most);
  if (!text) {
    complain(diagnostics, "E0101", fmt::format("cannot read '{}': {}", path, std::strerror(errno)), path,
             "check its permissions");
  } else if (text->size() > most) {
    complain(diagnostics, "E0104", too_large(most), path, "is this a scenario file?");
    text.reset();
  }
  return text;
}

}  // namespace headrace::scenarios
