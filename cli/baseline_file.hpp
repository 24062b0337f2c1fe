// The outcomes that were accepted last, by name: one JSON file, or the SQLite store of sweeps.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "reports/outcome_reader.hpp"

namespace headrace::cli {

/// Why a baseline could not be read or written, and what to do about it.
struct BaselineError {
  std::string message;
  std::string fix;
};

/// The outcome accepted under `key`; nothing if there is no such file or name yet.
tl::expected<std::optional<reports::RecordedOutcome>, BaselineError> read_baseline(const std::string& path,
                                                                                   const std::string& key);

/// Accepts an outcome document under `key`, in place of the one before. The file appears as a whole or not at all, and
/// what it holds under other names stays.
tl::expected<void, BaselineError> write_baseline(const std::string& path, const std::string& key,
                                                 const nlohmann::ordered_json& outcome);

}  // namespace headrace::cli
