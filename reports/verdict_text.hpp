// The verdict in words: a line that can be read aloud in a meeting, and what it means.
#pragma once

#include <string>
#include <string_view>

#include "models/outcome/outcome.hpp"

namespace headrace::reports {

/// A verdict by its name in documents, as people say it: "ingest-bound".
std::string spoken_verdict(std::string_view name);
std::string spoken_verdict(models::Verdict verdict);

/// Figures are those of the flow bound: waits that they have are proven, and what is waited for is not known.
bool is_bound(const models::Outcome& outcome);

/// Whether GPUs wait in a tenth of the draws of the inputs (p90).
bool waits_over_inputs(const models::Outcome& outcome);

/// How a verdict is coloured.
enum class Mood { good, bad, unsure };

/// That a bound finds nothing too slow is no proof that nothing waits, and what holds for the scenario's values alone
/// (its evidence says so, or `open_wait`) is not known to hold.
Mood mood_of(const models::Outcome& outcome, std::string_view open_wait = {});

/// A closed form knows how long GPUs wait for data, not whether for their own or for that of a peer: it has one wait.
std::string state_words(models::GpuState state, std::string_view stopped_by);

/// "Compute-bound: faster storage will not help", "ingest-bound by transfer", "inconclusive: ...". Where the ranges of
/// the inputs leave it open, by themselves or by `open_wait` (open_wait()), it is said of the scenario's values alone.
std::string verdict_line(const models::Outcome& outcome, std::string_view open_wait = {});

/// The state, beside compute and waits for data, in which GPUs are longest; null where there is none.
const models::GpuStateShare* largest_other_state(const models::Outcome& outcome);

/// Whether more of what is beside compute goes to waits for the slowest GPU than to the exchange of gradients.
bool is_by_stragglers(const models::Outcome& outcome);

/// What GPUs do in a state that is neither compute nor a wait for data: "copies to the GPUs".
std::string_view other_time_words(const models::Outcome& outcome, models::GpuState state);

/// The share of the time from which what is neither compute nor a wait for data is named beside them.
inline constexpr double kLargeShare = 0.1;

/// Share of a step in which replicas wait for the one with the largest batch, which counts as compute.
double largest_batch_share(const models::Outcome& outcome);

/// " 24.6 % goes to the exchange of gradients.": what takes most of the time that GPUs neither compute nor wait for
/// data; empty where it is little.
std::string other_time_sentence(const models::Outcome& outcome);

/// "305.0 to 697.5 ms": the shortest and the longest mean step of the parts of an epoch; empty where they hardly
/// differ.
std::string steps_over_epoch(const models::Outcome& outcome);

/// "GPUs compute 61.2 % of the time and wait for data 38.1 %."; what to do about it where the outcome is inconclusive.
std::string waits_sentence(const models::Outcome& outcome);

/// "GPUs wait 0.0 % to 12.9 % of the time over the input ranges (p10 to p90; the same verdict in 82 % of the draws).";
/// empty where the outcome has no input ranges.
std::string ranges_sentence(const models::Outcome& ranged);

/// The numbers behind the verdict in a few sentences, with the range over uncertain inputs. `ranges`: an outcome with
/// input ranges, for an answer that has none itself; may be nullptr.
std::string verdict_meaning(const models::Outcome& outcome, const models::Outcome* ranges = nullptr);

/// Share of GPU time that waits for data after the outcome's first remedy, by its estimate; 0 without one.
double idle_after_remedy(const models::Outcome& outcome);

/// "First remedy: double the workers of each loader; the GPUs then wait 1.2 % of the time instead of 38.1 % (estimate).
/// Try it with": the options follow where it has any. Empty without a remedy.
std::string remedy_sentence(const models::Outcome& outcome, bool with_cost = true);

inline constexpr std::string_view kTryItWith = "Try it with";

/// The same with its options, on one line.
std::string remedy_note(const models::Outcome& outcome);

/// "Most waits arise in the stage decode (12 % of GPU time); gains were not measured (headrace simulate does)."; the
/// share is left out where it is empty; `out_of_time`: a simulation that its limit on wall time ended before that.
std::string most_waits_sentence(std::string_view stage, std::string_view share = {}, bool out_of_time = false);

/// "Precision not reached: the step time is known to 0.9 % (0.5 % asked for), ..."
std::string precision_text(const models::PrecisionReport& precision);

/// What a verdict says in general, for `headrace explain`.
std::string verdict_explanation(models::Verdict verdict);

/// Why a run ended, behind "ended": "at the precision asked for" of "precision".
std::string ended_text(std::string_view stopped_by);

/// What a stage is and what usually helps when it binds, for `headrace explain`.
std::string stage_explanation(models::Stage stage);

/// What a state of GPU time is, for `headrace explain`.
std::string gpu_state_explanation(models::GpuState state);

}  // namespace headrace::reports
