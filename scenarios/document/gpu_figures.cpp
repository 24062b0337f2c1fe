#include "scenarios/document/gpu_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

models::calibration::CatalogueGpu::Figure figure_of(const Node& entry, const char* key, models::Unit unit) {
  const Node* node = entry.find(key);
  if (node == nullptr || !node->is(Node::Type::string)) return {};
  const auto value = parse_quantity(node->text, unit);
  if (!value) return {};
  return {*value, node->as_of};
}

}  // namespace

GpuNamed gpu_named(const Catalogue& catalogue, const std::string& name) {
  GpuNamed found;
  const std::vector<std::string_view> known = catalogue.names("gpu");
  for (const std::string_view entry : known) {
    if (lower(entry) == lower(name)) {
      found.names = {std::string(entry)};
      break;
    }
    if (!name.empty() && lower(entry).find(lower(name)) != std::string::npos) found.names.emplace_back(entry);
  }
  if (found.names.size() > 1) found.help = fmt::format("it may be {}", fmt::join(found.names, " or "));
  if (found.names.empty()) found.help = suggest(name, known);
  if (found.names.size() != 1) return found;
  Sources sources;
  const std::optional<Node> entry = catalogue.entry("gpu", found.names[0], sources);
  if (!entry) return found;
  found.gpu.model = found.names[0];
  found.gpu.pcie = figure_of(*entry, "pcie", models::Unit::bytes_per_second);
  found.gpu.peak = figure_of(*entry, "peak", models::Unit::flop_per_second);
  return found;
}

}  // namespace headrace::scenarios
