#include "scenarios/results/sweep.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "library/errors.hpp"
#include "library/state.hpp"
#include "library/study.hpp"
#include "reports/outcome_json.hpp"
#include "reports/results_export.hpp"
#include "reports/sweep_json.hpp"

namespace headrace {
namespace {

Result<scenarios::AnswerLevel> level_of(const std::string& name) {
  const auto* const found =
      std::find(std::begin(scenarios::kAnswerLevelNames), std::end(scenarios::kAnswerLevelNames), name);
  if (found == std::end(scenarios::kAnswerLevelNames))
    return error_of(fmt::format("unknown level '{}'", name), "write bound, estimate or simulate");
  return static_cast<scenarios::AnswerLevel>(found - std::begin(scenarios::kAnswerLevelNames));
}

scenarios::SweepOptions sweep_options(const SweepOptions& asked, scenarios::AnswerLevel level,
                                      const std::string& catalogue_version, Teller& teller) {
  scenarios::SweepOptions options;
  options.answer.level = level;
  put_draws(asked.simulate, options.answer.study);
  options.answer.study.relief = false;
  options.threads = asked.simulate.work.threads;
  options.limit = asked.limit;
  options.stop = asked.simulate.work.stop;
  options.outcome_text = [catalogue_version](const models::Outcome& outcome) {
    return reports::stored_outcome(outcome, catalogue_version);
  };
  if (teller.is_wanted())
    options.progress = [&teller](const scenarios::SweepProgress& progress) {
      const double total = static_cast<double>(std::max<std::uint64_t>(progress.total, 1));
      teller.tell(
          {static_cast<double>(progress.done) / total, progress.eta_s, std::string(progress.phase), progress.done});
    };
  return options;
}

Result<std::string> exported(const scenarios::ResultsStore& store, const std::string& sweep,
                             reports::ResultsFormat format, const std::vector<std::string>& metrics) {
  return guarded([&]() -> Result<std::string> {
    reports::ExportOptions options;
    options.format = format;
    options.metrics = metrics;
    options.sweep = sweep;
    std::string text;
    const auto done = reports::export_results(store, options, [&text](std::string_view part) { text += part; });
    if (!done) return error_of(done.error().message, done.error().help);
    return text;
  });
}

}  // namespace

Result<Sweep> sweep(const std::string& space, const SweepOptions& asked) {
  if (auto mistake = mistake_in(asked.simulate)) return *mistake;
  const Result<scenarios::AnswerLevel> level = level_of(asked.level);
  if (!level) return level.error();
  return guarded([&]() -> Result<Sweep> {
    const auto loaded = scenarios::load_space(space, asked.sets);
    if (!loaded) return error_of(loaded.error());
    Teller teller(asked.simulate.work);
    const scenarios::SweepOptions options =
        sweep_options(asked, *level, loaded->base.composition.catalogue_version, teller);
    auto store = std::make_unique<scenarios::ResultsStore>(asked.store, scenarios::ResultsStore::Access::write);
    store->remove_damage();
    const scenarios::SweepTally tally = scenarios::run_sweep(*loaded, *store, options);
    const std::string id = scenarios::sweep_record(*loaded, options).id;
    std::string json = reports::json_text(reports::sweep_json({loaded->name, store->path(), id, tally}));
    return Access::make<Sweep>(tally, std::move(json), id, std::move(store));
  });
}

const std::string& Sweep::json() const { return state_->json; }
std::uint64_t Sweep::points() const { return state_->tally.points; }
std::uint64_t Sweep::failed() const { return state_->tally.failed; }
std::uint64_t Sweep::left() const { return state_->tally.left(); }
bool Sweep::is_interrupted() const { return state_->tally.interrupted; }

Result<std::string> Sweep::csv(const std::vector<std::string>& metrics) const {
  return exported(*state_->store, state_->id, reports::ResultsFormat::csv, metrics);
}

Result<std::string> Sweep::ndjson(const std::vector<std::string>& metrics) const {
  return exported(*state_->store, state_->id, reports::ResultsFormat::ndjson, metrics);
}

}  // namespace headrace
