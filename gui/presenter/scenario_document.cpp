#include "gui/presenter/scenario_document.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "gui/presenter/edit_in_file.hpp"
#include "scenarios/document/embedded_texts.hpp"

namespace headrace::gui {
namespace {

using scenarios::Diagnostics;

bool is_shipped_name(const std::string& name) {
  const auto& all = scenarios::embedded_scenarios();
  return !std::filesystem::exists(name) &&
         std::any_of(all.begin(), all.end(), [&](const scenarios::EmbeddedText& text) { return text.name == name; });
}

}  // namespace

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::load(ScenarioDocument unread) {
  scenarios::LoadOptions options;
  const std::map<std::string, std::string> texts{{unread.path_, unread.base_->text}};
  if (!unread.shipped_) options.texts = &texts;
  std::vector<std::string> sets;
  sets.reserve(unread.edits_.size());
  for (const Edit& edit : unread.edits_) sets.push_back(edit.assignment());
  std::vector<std::string> paths{unread.path_};
  paths.insert(paths.end(), unread.layers_.begin(), unread.layers_.end());
  auto loaded = scenarios::load_scenario(paths, sets, options);
  if (!loaded) return tl::unexpected(std::move(loaded.error()));
  unread.loaded_ = std::make_shared<const scenarios::LoadedScenario>(std::move(*loaded));
  return unread;
}

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::open(const std::string& path_or_name) {
  ScenarioDocument document;
  auto base = std::make_shared<Base>();
  document.path_ = path_or_name;
  document.shipped_ = is_shipped_name(path_or_name);
  document.stored_ = !document.shipped_;
  if (!document.shipped_) {
    Diagnostics diagnostics;
    auto text = scenarios::read_text(path_or_name, diagnostics);
    if (!text) return tl::unexpected(std::move(diagnostics));
    base->text = std::move(*text);
  }
  document.base_ = std::move(base);
  return load(std::move(document));
}

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::from_text(std::string text, const std::string& path) {
  ScenarioDocument document;
  auto base = std::make_shared<Base>();
  base->text = std::move(text);
  document.base_ = std::move(base);
  document.path_ = path;
  return load(std::move(document));
}

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::with(const std::string& pointer,
                                                                   const std::string& value) const {
  return with(std::vector<Edit>{{pointer, value}});
}

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::with(const std::vector<Edit>& edits) const {
  ScenarioDocument document = *this;
  for (const Edit& added : edits) {
    std::erase_if(document.edits_, [&](const Edit& edit) {
      return edit.pointer == added.pointer || edit.pointer.starts_with(added.pointer + "/");
    });
    document.edits_.push_back(added);
  }
  return load(std::move(document));
}

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::under(const std::string& layer) const {
  ScenarioDocument document = *this;
  std::erase(document.layers_, layer);
  document.layers_.push_back(layer);
  return load(std::move(document));
}

tl::expected<ScenarioDocument, Diagnostics> ScenarioDocument::fresh() const { return load(*this); }

std::string ScenarioDocument::title() const {
  return scenario().title.empty() ? std::filesystem::path(path_).stem().string() : scenario().title;
}

std::optional<std::string> ScenarioDocument::value_at(const std::string& pointer) const {
  const nlohmann::ordered_json::json_pointer place(pointer);
  if (!loaded_->resolved.contains(place)) return std::nullopt;
  const auto& value = loaded_->resolved.at(place);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string ScenarioDocument::fingerprint_without(const std::string& pointer) const {
  nlohmann::ordered_json rest = loaded_->resolved;
  const nlohmann::ordered_json::json_pointer place(pointer);
  if (rest.contains(place)) rest[place] = nullptr;
  return rest.dump();
}

std::string ScenarioDocument::text() const {
  const std::string whole = whole_text();
  if (shipped_) return text_over(path_, layers_, edits_, *loaded_).value_or(whole);
  if (edits_.empty()) return base_->text;
  const auto edited = edited_text(base_->text, path_, layers_, edits_, *loaded_);
  return edited.value_or(whole);
}

std::string ScenarioDocument::whole_text() const { return print_json(loaded_->composition.document) + "\n"; }

std::vector<std::string> ScenarioDocument::arguments() const {
  std::vector<std::string> all{path_};
  all.insert(all.end(), layers_.begin(), layers_.end());
  for (const Edit& edit : edits_) {
    all.emplace_back("--set");
    all.push_back(edit.assignment());
  }
  return all;
}

}  // namespace headrace::gui
