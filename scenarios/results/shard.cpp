#include "scenarios/results/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace headrace::scenarios {
namespace {

constexpr std::uint64_t kMostShards = 1'000'000;

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > kMostShards * 1000) return std::nullopt;
  return value;
}

tl::expected<Shard, ShardError> checked(std::uint64_t number, std::uint64_t count, const std::string& from) {
  if (count < 1 || count > kMostShards || number < 1 || number > count)
    return tl::unexpected(ShardError{fmt::format("{} names shard {} of {}", from, number, count),
                                     "shards count from 1 to the number of shards"});
  return Shard{number, count};
}

tl::expected<Shard, ShardError> from_slurm(const Environment& environment) {
  const auto read = [&](const char* name, std::uint64_t otherwise) {
    return whole_number(environment(name)).value_or(otherwise);
  };
  const auto id = whole_number(environment("SLURM_ARRAY_TASK_ID"));
  const auto count = whole_number(environment("SLURM_ARRAY_TASK_COUNT"));
  if (!id || !count)
    return tl::unexpected(
        ShardError{"SLURM_ARRAY_TASK_ID is set, but SLURM_ARRAY_TASK_COUNT is not", "give --shard I/N"});
  const std::uint64_t first = read("SLURM_ARRAY_TASK_MIN", 0);
  const std::uint64_t step = std::max<std::uint64_t>(1, read("SLURM_ARRAY_TASK_STEP", 1));
  if (*id < first || (*id - first) % step != 0 || (*id - first) / step >= *count)
    return tl::unexpected(ShardError{
        fmt::format("task {} of the job array is not one of {} evenly spaced ones from {}", *id, *count, first),
        "submit an array such as --array=1-8, or give --shard I/N"});
  return checked((*id - first) / step + 1, *count, "the job array");
}

tl::expected<Shard, ShardError> from_environment(std::optional<std::uint64_t> count, const Environment& environment) {
  const std::string index = environment("JOB_COMPLETION_INDEX");
  if (index.empty() && !environment("SLURM_ARRAY_TASK_ID").empty()) return from_slurm(environment);
  if (index.empty())
    return tl::unexpected(ShardError{"--shard auto finds neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX",
                                     "give --shard I/N outside of a job array"});
  if (!count) count = whole_number(environment("JOB_COMPLETIONS"));
  if (!count)
    return tl::unexpected(ShardError{"JOB_COMPLETION_INDEX is set, but JOB_COMPLETIONS is not",
                                     "give --shard auto/N, or set JOB_COMPLETIONS"});
  const auto number = whole_number(index);
  if (!number)
    return tl::unexpected(ShardError{fmt::format("JOB_COMPLETION_INDEX is '{}'", index), "it counts from 0"});
  return checked(*number + 1, *count, "JOB_COMPLETION_INDEX");
}

}  // namespace

tl::expected<Shard, ShardError> parse_shard(std::string_view text, const Environment& environment) {
  if (text == "auto") return from_environment(std::nullopt, environment);
  const std::size_t slash = text.find('/');
  const std::string_view before = text.substr(0, slash);
  const auto count = slash == std::string_view::npos ? std::nullopt : whole_number(text.substr(slash + 1));
  if (count && before == "auto") return from_environment(count, environment);
  const auto number = whole_number(before);
  if (!count || !number)
    return tl::unexpected(
        ShardError{fmt::format("'{}' is not a shard", text), "write I/N such as 2/8, auto, or auto/N"});
  return checked(*number, *count, fmt::format("'{}'", text));
}

std::string shard_path(const std::string& path, const Shard& shard) {
  if (shard.is_whole()) return path;
  const std::filesystem::path whole(path);
  const std::string name =
      fmt::format("{}.{}-of-{}{}", whole.stem().string(), shard.number, shard.count, whole.extension().string());
  return (whole.parent_path() / name).string();
}

}  // namespace headrace::scenarios
