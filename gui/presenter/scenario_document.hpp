// The scenario that the window works on: a file or a shipped name as it was read, and the values that were set since,
// in order. A document never changes; each edit makes a new one, so that undo is a step back to an old one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "scenarios/document/scenario_file.hpp"

namespace headrace::gui {

/// One value that was set: JSON pointer into the full shape, and the value as --set takes it.
struct Edit {
  std::string pointer;
  std::string value;

  std::string assignment() const { return pointer + "=" + value; }
  friend bool operator==(const Edit&, const Edit&) = default;
};

class ScenarioDocument {
 public:
  /// Reads a file or a shipped scenario. Complaints are those of the command line, in the same words.
  static tl::expected<ScenarioDocument, scenarios::Diagnostics> open(const std::string& path_or_name);
  /// From text that was never saved, an autosaved document say; `path` is where "extends" looks from.
  static tl::expected<ScenarioDocument, scenarios::Diagnostics> from_text(std::string text, const std::string& path);

  /// The document with one value set; earlier edits of the same place, or below it, give way.
  tl::expected<ScenarioDocument, scenarios::Diagnostics> with(const std::string& pointer,
                                                              const std::string& value) const;
  /// The same for several values at once, which may hold only together.
  tl::expected<ScenarioDocument, scenarios::Diagnostics> with(const std::vector<Edit>& edits) const;
  /// The document with a file laid over it, what `headrace calibrate` wrote say, under the values that were set.
  tl::expected<ScenarioDocument, scenarios::Diagnostics> under(const std::string& layer) const;
  /// Read anew, sharing nothing that changes: for work on another thread.
  tl::expected<ScenarioDocument, scenarios::Diagnostics> fresh() const;

  const scenarios::LoadedScenario& loaded() const { return *loaded_; }
  const models::Scenario& scenario() const { return loaded_->value; }
  const std::string& path() const { return path_; }
  bool is_shipped() const { return shipped_; }  ///< read by name
  bool has_file() const { return stored_; }     ///< false: saving asks for a file
  const std::vector<std::string>& layers() const { return layers_; }
  const std::vector<Edit>& edits() const { return edits_; }
  std::string title() const;

  /// The value at a pointer as a file spells it ("25 GB/s", 16, "any"); nullopt where there is none.
  std::optional<std::string> value_at(const std::string& pointer) const;

  /// What tells the scenario from every other one but those that differ in the value at the pointer alone.
  std::string fingerprint_without(const std::string& pointer) const;

  /// The file's own JSON with the edits in it: unknown keys, remarks and order kept. Where an edit finds no place of
  /// its own in the file (a part of a short form that stands in another file), the whole composed document stands
  /// instead.
  std::string text() const;

  /// The whole composed document, layers and edits included: needs no other file.
  std::string whole_text() const;

  /// Arguments of the command line that load the same scenario: FILE --set /a=1 ...
  std::vector<std::string> arguments() const;

 private:
  struct Base {
    std::string text;  ///< of the file; empty for a shipped name
  };

  /// Everything but what loading gives.
  static tl::expected<ScenarioDocument, scenarios::Diagnostics> load(ScenarioDocument unread);

  std::string path_;
  bool shipped_ = false;
  bool stored_ = false;
  std::vector<std::string> layers_;
  std::shared_ptr<const Base> base_;
  std::vector<Edit> edits_;
  std::shared_ptr<const scenarios::LoadedScenario> loaded_;
};

}  // namespace headrace::gui
