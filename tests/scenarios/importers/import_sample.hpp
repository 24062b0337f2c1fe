// What the tests of imports share: the samples of tests/data/imports, and looking at what came out.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "scenarios/importers/import_file.hpp"
#include "tests/catch.hpp"

namespace headrace::scenarios {

inline const std::string kImportSamples = HEADRACE_SOURCE_DIR "/tests/data/imports/";

inline std::string sample_text(const std::string& name) {
  std::ifstream file(kImportSamples + name, std::ios::binary);
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline const ImportFormat& format_named(std::string_view name) {
  for (const ImportFormat& format : import_formats())
    if (format.name == name) return format;
  throw std::runtime_error("no such format");
}

inline ImportOptions sample_options() {
  ImportOptions options;
  options.job = "train";
  options.dataset = "images";
  options.workload = "unet3d";
  options.accelerator = "h100";
  options.today = "2026-11-21";
  options.program_version = "headrace 0";
  return options;
}

inline tl::expected<Imported, Diagnostics> import_text(std::string_view format, const std::string& text,
                                                       const ImportOptions& options = sample_options()) {
  return import_file(format_named(format), "folder/sample.txt", text, options);
}

inline Imported import_sample(std::string_view format, const std::string& name,
                              const ImportOptions& options = sample_options()) {
  auto result = import_text(format, sample_text(name), options);
  if (!result) FAIL(print_text(result.error()));
  return *result;
}

/// Code of the first complaint; empty: it was read.
inline std::string complaint_of(std::string_view format, const std::string& text) {
  const auto result = import_text(format, text);
  return result ? std::string() : result.error().sorted().front().code;
}

inline const models::calibration::Parameter& figure(const Imported& imported, std::string_view name) {
  const auto* found = models::calibration::find_parameter(imported.record, name);
  if (found == nullptr) FAIL("no figure " << name);
  return *found;
}

inline bool has_figure(const Imported& imported, std::string_view name) {
  return models::calibration::find_parameter(imported.record, name) != nullptr;
}

inline bool flagged(const models::calibration::Parameter& p, std::string_view flag) {
  return std::find(p.flags.begin(), p.flags.end(), flag) != p.flags.end();
}

inline bool noted(const Imported& imported, std::string_view text) {
  return std::any_of(imported.notes.begin(), imported.notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

/// The text with the first `what` replaced.
inline std::string with(std::string text, const std::string& what, const std::string& other) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), other);
}

}  // namespace headrace::scenarios
