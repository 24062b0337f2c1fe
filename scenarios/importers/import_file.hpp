// Files of other programs that become figures of a scenario: one importer for each format.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "scenarios/document/diagnostic.hpp"
#include "scenarios/importers/import_options.hpp"

namespace headrace::scenarios {

class Reading;

/// A format, under its name on the command line.
struct ImportFormat {
  std::string_view name;
  std::string_view what;     ///< one line: what the file is, and how to have it written
  void (*import)(Reading&);  ///< fills the reading's record, layer or table, or complains
};

/// All but dlio, which reads workload files (scenarios/importers/dlio.hpp).
std::span<const ImportFormat> import_formats();

/// Largest file that an import reads, bytes: traces and series are larger than scenarios.
inline constexpr std::uint64_t kLargestImportBytes = 256'000'000;

/// Reads `text`, the content of `file`. Errors: those of JSON and tables, E0140 figures that contradict each other,
/// E0141 not a file of this program, E0201, E0202, E0206, E0207 a wrong, missing, unreadable or impossible figure.
tl::expected<Imported, Diagnostics> import_file(const ImportFormat& format, const std::string& file,
                                                const std::string& text, const ImportOptions& options);

}  // namespace headrace::scenarios
