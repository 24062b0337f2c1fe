#include "cli/baseline_file.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/base/model_version.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/document/atomic_file.hpp"
#include "scenarios/document/file_kind.hpp"
#include "scenarios/document/read_json.hpp"
#include "scenarios/document/sha256.hpp"
#include "scenarios/results/results_store.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "headrace baseline";

BaselineError not_a_baseline(const std::string& path, const std::string& why) {
  return {fmt::format("'{}' is not a baseline: {} (E0306)", path, why),
          "name a file that check --baseline FILE --promote wrote, or a new one"};
}

/// The whole file; an empty baseline if there is none yet.
tl::expected<Json, BaselineError> read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return Json{{"format", kFormat}, {"format_version", "1.0"}, {"accepted", Json::object()}};
  auto read = scenarios::read_json(path);
  if (!read) {
    const scenarios::Diagnostic first = read.error().sorted().front();
    if (first.where.line == 0) return tl::unexpected(BaselineError{first.message, first.help});
    return tl::unexpected(not_a_baseline(
        path, fmt::format("line {}, column {}: {}", first.where.line, first.where.column, first.message)));
  }
  Json json = std::move(*read);
  if (reports::is_outcome(json)) return tl::unexpected(not_a_baseline(path, "it is a single result"));
  if (const auto other = scenarios::complaint_about_file(path, "a baseline"); other && !json.contains("accepted"))
    return tl::unexpected(
        BaselineError{fmt::format("'{}' is not a baseline: {} (E0306)", path, other->message), other->help});
  if (!json.is_object() || !json.contains("accepted") || !json["accepted"].is_object())
    return tl::unexpected(not_a_baseline(path, "it has no \"accepted\""));
  return json;
}

/// A file that begins as one, or a new one that is named like one.
bool is_store(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 16> head{};
  if (file.read(head.data(), head.size())) return std::string_view(head.data(), 15) == "SQLite format 3";
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".db" || ending == ".sqlite";
}

/// In a store the accepted outcome is the one point of a sweep of its own; what was accepted before stays as a result.
std::string sweep_id(const std::string& key) { return "baseline " + key; }

tl::expected<std::optional<reports::RecordedOutcome>, BaselineError> read_store(const std::string& path,
                                                                                const std::string& key) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::optional<reports::RecordedOutcome>();
  try {
    const scenarios::ResultsStore store(path, scenarios::ResultsStore::Access::read);
    store.require_intact();
    const auto answered = store.answered(sweep_id(key), 0);
    const auto record = answered ? store.find(answered->key) : std::nullopt;
    if (!record) return std::optional<reports::RecordedOutcome>();
    const auto json = scenarios::parse_json(path, record->outcome);
    if (!json) return tl::unexpected(not_a_baseline(path, json.error().sorted().front().message));
    auto recorded = reports::read_outcome(*json);
    if (!recorded) return tl::unexpected(not_a_baseline(path, recorded.error()));
    return std::optional<reports::RecordedOutcome>(std::move(*recorded));
  } catch (const scenarios::StoreError& failure) {
    return tl::unexpected(BaselineError{fmt::format("{} ({})", failure.what(), failure.code()), failure.fix()});
  }
}

tl::expected<void, BaselineError> write_store(const std::string& path, const std::string& key, const Json& outcome) {
  try {
    scenarios::ResultsStore store(path, scenarios::ResultsStore::Access::write);
    scenarios::SweepRecord sweep;
    sweep.id = sweep_id(key);
    sweep.name = sweep.title = key;
    sweep.level = "simulate";
    sweep.model_version = std::string(models::kModelVersion);
    sweep.options = sweep.definition = sweep.scenario = "{}";
    sweep.points = 1;
    store.put_sweep(sweep);
    scenarios::ResultRecord result;
    result.outcome = outcome.dump();
    result.key = scenarios::sha256(result.outcome);
    result.scenario_sha256 = outcome.value("scenario_sha256", std::string());
    result.level = sweep.level;
    result.model_version = sweep.model_version;
    result.options = "{}";
    store.put(sweep.id, 0, "{}", result);
  } catch (const scenarios::StoreError& failure) {
    return tl::unexpected(BaselineError{fmt::format("{} ({})", failure.what(), failure.code()), failure.fix()});
  }
  return {};
}

}  // namespace

tl::expected<std::optional<reports::RecordedOutcome>, BaselineError> read_baseline(const std::string& path,
                                                                                   const std::string& key) {
  if (is_store(path)) return read_store(path, key);
  const auto file = read_file(path);
  if (!file) return tl::unexpected(file.error());
  const Json& accepted = (*file)["accepted"];
  const auto found = accepted.find(key);
  if (found == accepted.end()) return std::optional<reports::RecordedOutcome>();
  auto recorded = reports::read_outcome(*found);
  if (!recorded) return tl::unexpected(not_a_baseline(path, recorded.error()));
  return std::optional<reports::RecordedOutcome>(std::move(*recorded));
}

tl::expected<void, BaselineError> write_baseline(const std::string& path, const std::string& key, const Json& outcome) {
  if (is_store(path)) return write_store(path, key, outcome);
  auto file = read_file(path);
  if (!file) return tl::unexpected(file.error());
  (*file)["accepted"][key] = outcome;
  const auto written = scenarios::write_atomically(path, reports::json_text(*file));
  if (!written) return tl::unexpected(BaselineError{written.error().message, written.error().help});
  return {};
}

}  // namespace headrace::cli
