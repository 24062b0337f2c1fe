#include "cli/study_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "models/study/study.hpp"
#include "scenarios/document/edit_distance.hpp"

namespace headrace::cli {
namespace {

std::string check_granularity(const std::string& text) {
  if (text == "auto" || text == "batch" || text == "sample") return {};
  const bool chunk = text.size() > 7 && text.size() < 15 && text.starts_with("chunk(") && text.back() == ')' &&
                     std::all_of(text.begin() + 6, text.end() - 1, [](char c) { return c >= '0' && c <= '9'; }) &&
                     text[6] != '0';
  if (chunk) return {};
  constexpr std::string_view known[] = {"auto", "batch", "sample"};
  const std::string_view near = scenarios::nearest(text, known);
  return fmt::format("'{}' is none of auto, batch, chunk(M), sample{}", text,
                     near.empty() ? "" : fmt::format("{}'{}'?", kDidYouMean, near));
}

/// From text that has been checked.
std::optional<models::Granularity> granularity_from(const std::string& text) {
  using Kind = models::Granularity::Kind;
  if (text == "auto") return std::nullopt;
  if (!text.starts_with("chunk(")) return models::Granularity{text == "sample" ? Kind::sample : Kind::batch};
  return models::Granularity{Kind::chunk, static_cast<std::uint32_t>(std::stoul(text.substr(6)))};
}

}  // namespace

DrawOptions add_length(OptionTable& table, models::StudyOptions& study, std::optional<double>& precision) {
  table.section("Simulation");
  const Option seed = table.add("--seed", "N", study.seed, "seed of all random draws (default 1)");
  const Option replications =
      table.add("--replications", "N", study.replications, "independent repetitions (default 1)")
          .range(1, static_cast<int>(models::kMostReplications));
  table
      .add("--precision", "P", precision,
           "half-width of the step time's interval: 1%, 0.01 (default); if given and missed, exit status 3")
      .unit(models::Unit::fraction)
      .range(models::kLeastPrecision, models::kMostPrecision);
  table.add("--steps", "N", study.steps, "simulate exactly so many steps (default: until precise)")
      .range(std::uint64_t{1}, kMostSteps);
  return {seed, replications};
}

void add_fidelity(OptionTable& table, models::StudyOptions& study) {
  table.section("Simulation");
  table
      .call(
          "--granularity", "G", [&study](const std::string& text) { study.granularity = granularity_from(text); },
          std::string("batch, chunk(M) for M pieces of a batch, sample, or auto: the coarsest within 1 % of sample") +
              (study.granularity ? " (default batch)" : " (default auto)"))
      .check(check_granularity)
      .suggest({"auto", "batch", "sample"});
  table.on_off("--contention", study.contention, "off: every request has the system for itself");
  table.flag("--no-control-variate", study.control, "never narrow an interval by means of the uncontended twin", false);
}

void add_scale(OptionTable& table, models::StudyOptions& study) {
  constexpr std::array<std::string_view, 3> kNames = {"full", "sampled", "auto"};  // in the order of models::Scale
  table.section("Simulation");
  table
      .call(
          "--scale", "S",
          [&study, kNames](const std::string& text) {
            study.scale = static_cast<models::Scale>(std::find(kNames.begin(), kNames.end(), text) - kNames.begin());
          },
          "full: simulate every node; sampled: some of many like nodes, held against a short full run; auto (default): "
          "sampled from 4,096 loaders on, unless --steps says how long")
      .check([kNames](const std::string& text) {
        return std::find(kNames.begin(), kNames.end(), text) != kNames.end()
                   ? std::string()
                   : fmt::format("'{}' is none of full, sampled, auto", text);
      })
      .suggest({"full", "sampled", "auto"});
}

void add_budget(OptionTable& table, models::StudyOptions& study) {
  table.section("Simulation");
  table.add("--seed", "N", study.seed, "seed of all random draws (default 1)");
  table.add("--steps", "N", study.steps, "simulate exactly so many steps, once (default: until decided)")
      .range(std::uint64_t{1}, kMostSteps);
  add_max_wall(table, study.max_wall_s,
               "give up undecided after so much real time: 10s, 2 min (default 1 min, check --nightly 1 h)");
  add_threads(table, study.threads, "threads (default: all cores); never changes a result");
}

void add_max_wall(OptionTable& table, double& max_wall_s, const char* help) {
  table.add("--max-wall", "TIME", max_wall_s, help).unit(models::Unit::seconds).range(0.001, 1e9);
}

void add_threads(OptionTable& table, unsigned& threads, const char* help) {
  table.add("--threads", "N", threads, help).range(1, static_cast<int>(models::kMostThreads));
}

}  // namespace headrace::cli
