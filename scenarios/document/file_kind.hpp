// What a file is that somebody gave where another was expected: one complaint that names both, and the verb that takes
// it, in place of one for every key that the other kind has.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "scenarios/document/diagnostic.hpp"
#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

enum class FileType : std::uint8_t {
  outcome,
  plan,
  check,
  comparison,
  backtest,
  verification,
  campaign,
  growth,
  requirements,
  most_fed,
  bakeoff,
  total_cost,
  offer,
  baseline,
  space,
  catalogue,
  calibration,
  scenario,
  results_store,
  yaml,
  page
};

struct FileKind {
  FileType type;
  std::string_view what;  ///< "a plan"
  std::string_view use;   ///< which verb takes it
  std::string_view key;   ///< of a document: one that shows what it is
};

/// Of a document by its keys; nullptr: it may be anything.
const FileKind* kind_of_document(const Node& root);

/// Of a text that is no JSON by its beginning; nullptr: it may be anything.
const FileKind* kind_of_text(std::string_view text);

/// E0131 for a document of a kind that is known and none of `accepted`; `wanted` is "a scenario".
std::optional<Diagnostic> complaint_about_kind(const Node& root, const Sources& sources, std::string_view wanted,
                                               std::initializer_list<FileType> accepted);

/// The same for a whole text, which may also be JSON, and for a file that can be read.
std::optional<Diagnostic> complaint_about_text(const std::string& name, const std::string& text,
                                               std::string_view wanted, std::initializer_list<FileType> accepted = {});
std::optional<Diagnostic> complaint_about_file(const std::string& path, std::string_view wanted);

}  // namespace headrace::scenarios
