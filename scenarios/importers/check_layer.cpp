#include "scenarios/importers/check_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "models/spec/constraint_names.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kBaseName = "<a shipped scenario>";

void rename(Json& value, const std::map<std::string, std::string>& names) {
  if (value.is_string()) {
    if (const auto found = names.find(value.get<std::string>()); found != names.end()) value = found->second;
  } else if (value.is_structured()) {
    for (Json& member : value) rename(member, names);
  }
}

/// A scenario that has all that a layer may refer to, under the names of the options.
std::string base_for(const ImportOptions& options) {
  const std::vector<std::string> paths{"ddp-1b-64-a100"};
  const std::vector<std::string> sets{
      R"(/jobs/0/checkpoint={"parameters": 1e9, "interval": "5 min", "store": "storage"})"};
  const auto loaded = load_scenario(paths, sets);
  if (!loaded) throw std::logic_error(print_text(loaded.error()));
  Json base = loaded->resolved;
  rename(base, {{"storage", options.store},
                {"gpus", options.pool},
                {"pretrain", options.job.empty() ? "train" : options.job},
                {"tokens", options.dataset.empty() ? "data" : options.dataset}});
  return base.dump(2);
}

bool is_size_of_machines(const Diagnostic& complaint) {
  return complaint.constraint == models::kJobNodesFit || complaint.constraint == models::kJobGpusFit;
}

/// What another scenario may have: names, keys of elements that it names, nodes for the job and for one more.
bool depends_on_scenario(const Diagnostic& complaint) {
  return complaint.code == "E0211" || complaint.code == "E0202" || complaint.constraint == models::kJobsFitTheirPool ||
         is_size_of_machines(complaint);
}

/// The layer stands nowhere yet, and what it asks of the machines came from options.
Diagnostics explained(const Diagnostics& complaints, const std::string& name, const ImportOptions& options) {
  Diagnostics better;
  for (Diagnostic complaint : complaints.sorted()) {
    if (complaint.where.file == name) complaint.where.file = name + " (not written)";
    if (is_size_of_machines(complaint))
      complaint.help = fmt::format(
          "'{}' has fewer: write a smaller --hosts or --accelerators, name a larger scenario in --extends, or leave "
          "--extends away: import then prints the command that makes the pool larger",
          options.extends);
    better.add(std::move(complaint));
  }
  return better;
}

bool erase_part(Json& layer, const char* part) {
  if (layer.erase(part) > 0) return true;
  if (!layer.contains("jobs") || !layer["jobs"].is_array()) return false;
  bool erased = false;
  Json& jobs = layer["jobs"];
  for (Json& job : jobs) erased = (job.is_object() && job.erase(part) > 0) || erased;
  jobs.erase(std::remove_if(jobs.begin(), jobs.end(), [](const Json& job) { return job.size() == 1; }), jobs.end());
  if (jobs.empty()) layer.erase("jobs");
  return erased;
}

}  // namespace

Diagnostics check_layer(const std::string& name, const std::string& text, const ImportOptions& options) {
  std::map<std::string, std::string> texts{{name, text}};
  std::vector<std::string> paths{name};
  if (options.extends.empty()) {
    texts[kBaseName] = base_for(options);
    paths.insert(paths.begin(), kBaseName);
  }
  LoadOptions load;
  load.texts = &texts;
  const auto loaded = load_scenario(paths, {}, load);
  if (loaded) return {};
  if (!options.extends.empty()) return explained(loaded.error(), name, options);
  Diagnostics serious;
  for (const Diagnostic& complaint : loaded.error().sorted())
    if (!depends_on_scenario(complaint)) serious.add(complaint);
  return serious;
}

Diagnostics fit_layer(const std::string& name, Imported& imported, const ImportOptions& options) {
  Diagnostics complaints = check_layer(name, imported.layer.dump(2), options);
  for (const auto& [part, needed] : {std::pair("faults", "a job with a \"checkpoint\""),
                                     std::pair("collective",
                                               "the size of its gradients: \"collective\" with \"bytes\", "
                                               "or \"model\" with \"parameters\", in that job")}) {
    if (complaints.empty()) break;
    Json without = imported.layer;
    if (!erase_part(without, part)) continue;
    Diagnostics fewer = check_layer(name, without.dump(2), options);
    if (fewer.size() >= complaints.size()) continue;
    imported.notes.push_back(fmt::format("\"{}\" is not in the layer: the scenario must have {}", part, needed));
    imported.layer = std::move(without);
    complaints = std::move(fewer);
  }
  return complaints;
}

}  // namespace headrace::scenarios
