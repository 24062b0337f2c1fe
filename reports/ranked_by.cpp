#include "reports/ranked_by.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/humane.hpp"

namespace headrace::reports {

void RankedBy::add(const nlohmann::ordered_json& ranking) {
  if (!ranking.is_object()) return;
  if (ranking.value("steps", std::uint64_t{1}) == 0) ++estimates;
  const auto some = ranking.value("sampled_nodes", std::uint64_t{0});
  if (some == 0) return;
  nodes = sampled == 0 ? some : std::min(nodes, some);
  ++sampled;
}

std::string RankedBy::text() const {
  std::string text;
  if (estimates > 0)
    text = estimates == 1
               ? "Flow bounds say that 1 point is worse: its value is an estimate."
               : fmt::format("Flow bounds say that {} points are worse: their values are estimates.", estimates);
  if (sampled > 0)
    text += fmt::format("{}In brief runs of {}, {} nodes stand for all, which are like them.", text.empty() ? "" : " ",
                        counted(sampled, "point"), nodes);
  return text;
}

}  // namespace headrace::reports
