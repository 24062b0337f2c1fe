#include "gui/presenter/scenario_document.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "gui/presenter/edit_in_file.hpp"
#include "scenarios/embedded_texts.hpp"

namespace headrace::gui {
namespace {

using scenarios::Diagnostics;

bool is_shipped_name(const std::string& name) {
  const auto& all = scenarios::embedded_scenarios();
  return !std::filesystem::exists(name) &&
         std::any_of(all.begin(), all.end(), [&](const scenarios::EmbeddedText& text) { return text.name == name; });
}

}  // namespace

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::load(std::string path, bool shipped,
                                                                   std::shared_ptr<const Base> base,
                                                                   std::vector<Edit> edits) {
  scenarios::LoadOptions options;
  const std::map<std::string, std::string> texts{{path, base->text}};
  if (!shipped) options.texts = &texts;
  std::vector<std::string> sets;
  sets.reserve(edits.size());
  for (const Edit& edit : edits) sets.push_back(edit.assignment());
  const std::string paths[] = {path};
  auto loaded = scenarios::load_scenario(paths, sets, options);
  if (!loaded) return tl::unexpected(std::move(loaded.error()));
  ScenarioDocument document;
  document.path_ = std::move(path);
  document.shipped_ = shipped;
  document.base_ = std::move(base);
  document.edits_ = std::move(edits);
  document.loaded_ = std::make_shared<const scenarios::LoadedScenario>(std::move(*loaded));
  return document;
}

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::open(const std::string& path_or_name) {
  auto base = std::make_shared<Base>();
  const bool shipped = is_shipped_name(path_or_name);
  if (!shipped) {
    Diagnostics diagnostics;
    auto text = scenarios::read_text(path_or_name, diagnostics);
    if (!text) return tl::unexpected(std::move(diagnostics));
    base->text = std::move(*text);
  }
  return load(path_or_name, shipped, std::move(base), {});
}

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::from_text(std::string text, const std::string& path) {
  auto base = std::make_shared<Base>();
  base->text = std::move(text);
  return load(path, false, std::move(base), {});
}

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::with(const std::string& pointer,
                                                                   const std::string& value) const {
  std::vector<Edit> edits = edits_;
  std::erase_if(edits, [&](const Edit& edit) { return edit.pointer == pointer; });
  edits.push_back({pointer, value});
  return load(path_, shipped_, base_, std::move(edits));
}

std::string ScenarioDocument::title() const {
  return scenario().title.empty() ? std::filesystem::path(path_).stem().string() : scenario().title;
}

std::optional<std::string> ScenarioDocument::value_at(const std::string& pointer) const {
  const nlohmann::ordered_json::json_pointer place(pointer);
  if (!loaded_->resolved.contains(place)) return std::nullopt;
  const auto& value = loaded_->resolved.at(place);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string ScenarioDocument::text() const {
  const std::string whole = print_json(loaded_->composition.document) + "\n";
  if (shipped_) return text_over(path_, edits_, *loaded_).value_or(whole);
  if (edits_.empty()) return base_->text;
  const auto edited = edited_text(base_->text, path_, edits_, *loaded_);
  return edited.value_or(whole);
}

std::vector<std::string> ScenarioDocument::arguments() const {
  std::vector<std::string> all{path_};
  for (const Edit& edit : edits_) {
    all.emplace_back("--set");
    all.push_back(edit.assignment());
  }
  return all;
}

}  // namespace headrace::gui
