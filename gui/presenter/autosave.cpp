#include "gui/presenter/autosave.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "scenarios/document/atomic_file.hpp"
#include "scenarios/document/read_json.hpp"

namespace headrace::gui {

void write_autosave(const std::string& file, const ScenarioDocument& document) {
  std::error_code unused;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), unused);
  const nlohmann::ordered_json saved{{"path", document.path()}, {"text", document.text()}};
  static_cast<void>(scenarios::write_atomically(file, saved.dump(2) + "\n"));
}

std::optional<Autosaved> read_autosave(const std::string& file) {
  std::error_code unused;
  if (!std::filesystem::is_regular_file(file, unused)) return std::nullopt;
  const auto read = scenarios::read_json(file);
  if (!read) return std::nullopt;
  const auto& saved = *read;
  if (!saved.is_object() || !saved.contains("path") || !saved["path"].is_string() || !saved.contains("text") ||
      !saved["text"].is_string())
    return std::nullopt;
  return Autosaved{saved["path"].get<std::string>(), saved["text"].get<std::string>()};
}

}  // namespace headrace::gui
