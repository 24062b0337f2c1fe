#include "reports/verdict_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/outcome/bottleneck.hpp"
#include "models/outcome/largest_parts.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"
#include "reports/next_changes.hpp"
#include "scenarios/remedies/remedy.hpp"

namespace headrace::reports {
namespace {

using models::GpuState;
using models::Outcome;
using models::Stage;
using models::Verdict;

std::string reason_for_doubt(const Outcome& outcome) {
  if (outcome.stopped_by == "interrupted") return "interrupted before the intervals were narrow enough";
  if (outcome.stopped_by == "max_wall") return "the time limit came before the intervals were narrow enough";
  if (outcome.stopped_by == "steps" || outcome.stopped_by == "max_steps")
    return "too few steps for narrow enough intervals";
  if (outcome.stopped_by == "other_starts") return "the answer depends on how the run starts";
  if (!outcome.warnings.empty()) return outcome.warnings.front().seen;
  return "the data do not decide";
}

/// What would turn an open answer into a sure one: a longer run, and the figures that most of the waiting hangs on.
std::string advice(const Outcome& outcome) {
  std::string text;
  if (outcome.stopped_by == "steps" || outcome.stopped_by == "max_steps" || outcome.stopped_by == "max_wall")
    text = fmt::format(" Run it longer: --steps {} or more.", 4 * std::max<std::uint64_t>(outcome.steps, 64));
  if (outcome.inputs && !outcome.inputs->measure_next.empty())
    return text + fmt::format(" Measure {} next.", fmt::join(outcome.inputs->measure_next, ", "));
  if (outcome.stopped_by == "other_starts") return text;  // no figure is missing
  const models::StageShare* most = models::largest_share(outcome.blame);
  if (most != nullptr && most->mean > 0.005)
    text += fmt::format(" Measure the {} stage first: it causes {} of waiting.", models::name(most->stage),
                        percent(most->mean));
  return text;
}

/// " by transfer", or " by transfer or request" where the removal of either gains as much: another run of the same
/// scenario may then name the other first.
std::string limiting_stages(const Outcome& outcome) {
  if (!outcome.binding) return {};
  std::string text = fmt::format(" by {}", models::name(*outcome.binding));
  if (!(models::share_of(outcome.relief, *outcome.binding) > 0.0)) return text;
  constexpr std::size_t kMostNamed = 3;  // more of them say only that the runs are too short to tell
  const std::vector<models::Stage> stages = models::stages_that_gain_most(outcome.relief);
  if (stages.size() > kMostNamed) return text;
  for (const models::Stage stage : stages)
    if (stage != *outcome.binding) text += fmt::format(" or {}", models::name(stage));
  return text;
}

}  // namespace

std::string state_words(GpuState state, std::string_view stopped_by) {
  if (state == GpuState::ingest_wait_own && stopped_by == "closed_form") return "ingest wait";
  std::string text(models::kGpuStateNames[models::index(state)]);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

bool waits_over_inputs(const Outcome& outcome) {
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  return idle != nullptr && idle->input_range && idle->input_range->high > models::kFedIdleFraction;
}

Mood mood_of(const Outcome& outcome, std::string_view open_wait) {
  if (outcome.verdict == Verdict::inconclusive) return Mood::unsure;
  if (outcome.verdict != Verdict::fed) return Mood::bad;
  if (waits_over_inputs(outcome)) return Mood::unsure;
  return is_bound(outcome) || !outcome.evidence.assumed.empty() || !open_wait.empty() ? Mood::unsure : Mood::good;
}

bool is_bound(const Outcome& outcome) {
  const models::Metric* step = outcome.find("step_time_s");
  return step != nullptr && step->kind == models::AnswerKind::bound;
}

std::string spoken_verdict(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::string spoken_verdict(models::Verdict verdict) {
  return spoken_verdict(models::kVerdictNames[static_cast<std::size_t>(verdict)]);
}

/// What takes the time of a job that is bound by checkpoints or by failures.
std::string interruptions_line(const Outcome& outcome) {
  const double saves = models::share_of(outcome.gpu_states, GpuState::checkpoint);
  const double failures = models::share_of(outcome.gpu_states, GpuState::failure);
  if (!(failures > 0.0)) return "checkpoint-bound: checkpoints take more time than waits for data";
  const bool alone = failures > std::max(saves, models::mean_in(outcome.metrics, "gpu_idle_fraction"));
  return alone ? "Failures take more time than checkpoints or waits for data"
               : "checkpoint-bound: checkpoints and failures take more time than waits for data";
}

/// " (more time goes to the exchange of gradients)": of what takes a tenth of the time or more, and more than waits.
std::string more_time_elsewhere(const Outcome& outcome) {
  const models::GpuStateShare* other = largest_other_state(outcome);
  const double waits = models::mean_in(outcome.metrics, "gpu_idle_fraction");
  if (is_bound(outcome) || other == nullptr || other->share < std::max(kLargeShare, waits)) return {};
  return fmt::format(" (more time goes to {})", other_time_words(outcome, other->state));
}

std::string verdict_line(const Outcome& outcome, std::string_view open_wait) {
  // Of a bound it is known that the GPUs wait and which resource is too slow, but not what they wait for.
  const std::string by = is_bound(outcome) ? "" : limiting_stages(outcome);
  const char* values = open_wait.empty() && !waits_over_inputs(outcome) ? "" : " at the scenario's values";
  switch (outcome.verdict) {
    case Verdict::fed:
      if (is_bound(outcome)) return "No resource is too slow on average; queueing is left out, so GPUs may still wait";
      if (!outcome.evidence.assumed.empty())
        return "Compute-bound at the scenario's values; " + outcome.evidence.assumed;
      if (!outcome.scope.empty()) return fmt::format("Compute-bound with {}{}", outcome.scope, values);
      return fmt::format("Compute-bound{}: faster storage will not help", values);
    case Verdict::ingest_bound:
      if (outcome.evidence.assumed.starts_with("open"))
        return "ingest-bound" + by + " at the scenario's values; " + outcome.evidence.assumed;
      return "ingest-bound" + by + more_time_elsewhere(outcome) +
             (outcome.evidence.assumed.empty() ? "" : ": " + outcome.evidence.assumed);
    case Verdict::checkpoint_bound:
      return interruptions_line(outcome);
    case Verdict::collective_bound:
      return "collective-bound: GPUs wait for each other, not for data";
    case Verdict::inconclusive:
      return "inconclusive: " + reason_for_doubt(outcome);
    case Verdict::infeasible:
      return "infeasible: this configuration cannot run";
  }
  return "unknown verdict";
}

/// What saves and failures take, and how much of it another interval between saves would spare.
std::string checkpoints_sentence(const Outcome& outcome) {
  const double saves = models::share_of(outcome.gpu_states, GpuState::checkpoint);
  const double failures = models::share_of(outcome.gpu_states, GpuState::failure);
  std::string text = fmt::format(" Checkpoints take {}, failures with their restarts and lost work {}.", percent(saves),
                                 percent(failures));
  if (!(failures > 0.0)) text = fmt::format(" Checkpoints take {}.", percent(saves));
  const models::Metric* interval = outcome.find("checkpoint_interval_s");
  const models::Metric* best = outcome.find("checkpoint_best_interval_s");
  constexpr double kAlike = 1.5;  // so far from the best the cost is nearly the same
  if (interval != nullptr && best != nullptr && interval->mean > 0.0 &&
      (best->mean > kAlike * interval->mean || interval->mean > kAlike * best->mean))
    text += fmt::format(" They take least with a save every {} instead of every {}.", humane(best->mean, "s", 3),
                        humane(interval->mean, "s", 3));
  return text;
}

std::string ranges_sentence(const Outcome& ranged) {
  const models::Metric* idle = ranged.find("gpu_idle_fraction");
  if (idle == nullptr || !idle->input_range || ranged.verdict == Verdict::infeasible) return {};
  const auto end = [](double share) { return percent(std::max(0.0, share)); };
  const std::string how =
      is_bound(ranged) ? std::string("; queues may add to it")
      : ranged.inputs  ? fmt::format("; the same verdict in {} of the draws",
                                     percent(ranged.inputs->verdicts[static_cast<std::size_t>(ranged.verdict)], 0))
                       : std::string();
  if (is_bound(ranged) && end(idle->input_range->high) == end(0.0))
    return "Flow bounds show no wait over the input ranges (p10 to p90); queues may cause some.";
  return fmt::format("GPUs wait {} of the time over the input ranges (p10 to p90{}).",
                     span_text(end(idle->input_range->low), end(idle->input_range->high)), how);
}

namespace {

/// Of several jobs: those that the verdict is of where the mean over all GPUs does not show it, and those whose
/// checkpoints and failures take more than the verdict of all says.
std::string jobs_apart(const Outcome& outcome) {
  if (outcome.jobs.empty() || !outcome.jobs.front().is_beside_others()) return {};
  std::string waiting;
  std::string saving;
  const auto add = [](std::string& list, const models::JobReport& job, double share) {
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", job.name, percent(share));
  };
  for (const models::JobReport& job : outcome.jobs) {
    if (job.verdict == Verdict::ingest_bound)
      add(waiting, job, models::mean_in(job.metrics, "gpu_idle_fraction"));
    else if (job.verdict == Verdict::checkpoint_bound)
      add(saving, job, models::interrupted_share(job.gpu_states));
  }
  const bool hidden = models::mean_in(outcome.metrics, "gpu_idle_fraction") <= models::kFedIdleFraction;
  std::string text;
  if (!waiting.empty() && hidden) text += fmt::format(" Jobs that wait longer: {}.", waiting);
  if (!saving.empty() && outcome.verdict != Verdict::checkpoint_bound)
    text += fmt::format(" Checkpoints and failures take more than waits for data in: {}.", saving);
  return text;
}

}  // namespace

const models::GpuStateShare* largest_other_state(const Outcome& outcome) {
  const models::GpuStateShare* most = nullptr;
  for (const models::GpuStateShare& one : outcome.gpu_states) {
    const bool is_told = one.state == GpuState::compute || one.state == GpuState::ingest_wait_own ||
                         one.state == GpuState::ingest_wait_peer;
    if (!is_told && (most == nullptr || one.share > most->share)) most = &one;
  }
  return most;
}

bool is_by_stragglers(const Outcome& outcome) {
  return models::mean_in(outcome.metrics, "straggler_wait_s") >
         models::mean_in(outcome.metrics, "collective_exposed_s");
}

std::string_view other_time_words(const Outcome& outcome, GpuState state) {
  switch (state) {
    case GpuState::h2d:
      return "copies to the GPUs";
    case GpuState::collective:
      return is_by_stragglers(outcome) ? "waits for the slowest GPU and the exchange of gradients"
                                       : "the exchange of gradients";
    case GpuState::overhead:
      return "training loop and barrier";
    case GpuState::checkpoint:
      return "checkpoints";
    case GpuState::failure:
      return "failures and restarts";
    default:
      return "the start";
  }
}

std::string other_time_sentence(const Outcome& outcome) {
  constexpr double kNotable = 0.01;
  if (outcome.verdict != Verdict::fed && outcome.verdict != Verdict::ingest_bound) return {};
  const models::GpuStateShare* most = largest_other_state(outcome);
  // Beside waits it is told where it is more than they are.
  constexpr double kBesideWaits = 0.05;
  const bool waits = outcome.verdict == Verdict::ingest_bound;
  const double least = waits ? std::max(kBesideWaits, models::mean_in(outcome.metrics, "gpu_idle_fraction")) : kNotable;
  if (most == nullptr || most->share < least) return {};
  return fmt::format(" {} goes to {}.", percent(most->share), other_time_words(outcome, most->state));
}

std::string steps_over_epoch(const Outcome& outcome) {
  constexpr double kNotable = 0.1;
  if (has_several_jobs(outcome) || outcome.windows.size() < 2) return {};
  const auto [least, most] =
      std::minmax_element(outcome.windows.begin(), outcome.windows.end(),
                          [](const auto& a, const auto& b) { return a.step_time_s < b.step_time_s; });
  if (!(most->step_time_s > (1.0 + kNotable) * least->step_time_s)) return {};
  return span_text(humane(least->step_time_s, "s"), humane(most->step_time_s, "s"));
}

namespace {

/// " Between epochs 10.9 s pass without steps, 1.8 % of an epoch.": no share of the time of steps has it.
std::string boundary_sentence(const Outcome& outcome) {
  const double between_s = models::mean_in(outcome.metrics, "epoch_boundary_s");
  const double epoch_s = models::mean_in(outcome.metrics, "epoch_time_s");
  if (!(epoch_s > 0.0) || between_s < models::kFedIdleFraction * epoch_s) return {};
  return fmt::format(" Between epochs {} pass without steps, {} of an epoch.", humane(between_s, "s", 3),
                     percent(between_s / epoch_s));
}

/// " Before the first step 66.7 min pass.": no share of the time of steps has it.
std::string start_sentence(const Outcome& outcome) {
  constexpr double kLong_s = 600.0;
  constexpr double kLongOfEpoch = 0.25;
  const double start_s = models::mean_in(outcome.metrics, "time_to_first_step_s");
  if (start_s < kLong_s || start_s < kLongOfEpoch * models::mean_in(outcome.metrics, "epoch_time_s")) return {};
  return fmt::format(" Before the first step {} pass.", humane(start_s, "s", 3));
}

/// " Of the compute time 35.3 % is the wait for the largest batch of the replicas.": compute is that of the slowest.
std::string largest_batch_sentence(const Outcome& outcome) {
  const double share = largest_batch_share(outcome);
  constexpr double kNotable = 0.03;
  if (share < kNotable) return {};
  return fmt::format(" Of that compute {} of the time is the wait for the replica with the largest batch.",
                     percent(share));
}

}  // namespace

double largest_batch_share(const Outcome& outcome) {
  const double step_s = models::mean_in(outcome.metrics, "step_time_s");
  return step_s > 0.0 ? models::mean_in(outcome.metrics, "largest_batch_wait_s") / step_s : 0.0;
}

std::string waits_sentence(const Outcome& outcome) {
  const models::Metric* utilization = outcome.find("gpu_utilization");
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  std::string text;
  const double exchange = models::share_of(outcome.gpu_states, GpuState::collective);
  const bool of_exchange = outcome.verdict == Verdict::collective_bound && exchange > 0.0;
  const std::string steps = steps_over_epoch(outcome);
  if (utilization && idle)
    text =
        fmt::format("GPUs compute {} of the time{} wait for data {}{}.", percent(utilization->mean),
                    of_exchange ? fmt::format(", exchange gradients {},", percent(exchange)) : " and",
                    percent(idle->mean), steps.empty() ? "" : fmt::format("; a step takes {} over the epoch", steps)) +
        (jobs_apart(outcome).empty() ? largest_batch_sentence(outcome) + other_time_sentence(outcome) +
                                           boundary_sentence(outcome) + start_sentence(outcome)
                                     : jobs_apart(outcome));
  if (outcome.verdict == Verdict::checkpoint_bound) return text + checkpoints_sentence(outcome);
  if (outcome.verdict == Verdict::fed && is_bound(outcome)) return text + " headrace simulate includes queueing.";
  return outcome.verdict == Verdict::inconclusive ? text + advice(outcome) : text;
}

std::string verdict_meaning(const Outcome& outcome, const Outcome* ranges) {
  std::string text = waits_sentence(outcome);
  const bool own = !ranges_sentence(outcome).empty();
  if (const std::string range = own || ranges == nullptr ? ranges_sentence(outcome) : ranges_sentence(*ranges);
      !range.empty())
    text += " " + range;
  if (outcome.verdict != Verdict::ingest_bound || !outcome.binding) return text;
  const double relief = models::share_of(outcome.relief, *outcome.binding);
  if (!(relief > 0.0)) return text;
  text += fmt::format(" Without the {} stage the same work takes {} less time", models::name(*outcome.binding),
                      percent(relief));
  const models::StageShare* longest = models::largest_share(outcome.blame);
  const bool elsewhere = longest != nullptr && longest->stage != *outcome.binding &&
                         longest->mean > models::share_of(outcome.blame, *outcome.binding) + models::kFedIdleFraction;
  if (elsewhere)
    text += fmt::format(". They wait longest for {}, but without that stage it takes only {} less",
                        models::name(longest->stage),
                        percent(std::max(0.0, models::share_of(outcome.relief, longest->stage))));
  return text + ".";
}

double idle_after_remedy(const Outcome& outcome) {
  return outcome.remedy ? scenarios::idle_after(*outcome.remedy, lost_share(outcome)) : 0.0;
}

std::string remedy_sentence(const Outcome& outcome, bool with_cost) {
  if (!outcome.remedy) return {};
  const models::RemedyReport& remedy = *outcome.remedy;
  const double now = lost_share(outcome);
  // GPUs that wait nearly always still do so when steps take half as long.
  constexpr double kHidden = 0.05;
  const bool hidden = remedy.gain - (now - idle_after_remedy(outcome)) > kHidden;
  return fmt::format("First remedy: {}{}; {}{} instead of {} ({}){}.{}", remedy.change,
                     remedy.options.empty() ? fmt::format(", which changes {}", remedy.parameter) : "",
                     hidden ? fmt::format("the same work takes {} less time, and ", percent(remedy.gain, 0)) : "",
                     effect_text(remedy, outcome), percent(now), gain_basis(remedy, outcome),
                     with_cost && remedy.cost_usd ? ", " + change_cost_text(remedy, outcome) : std::string(),
                     remedy.options.empty() ? "" : fmt::format(" {}", kTryItWith));
}

std::string remedy_note(const Outcome& outcome) {
  const std::string text = remedy_sentence(outcome);
  return outcome.remedy && !outcome.remedy->options.empty() ? text + " " + outcome.remedy->options : text;
}

std::string most_waits_sentence(std::string_view stage, std::string_view share, bool out_of_time) {
  return fmt::format("Most waits arise in the stage {}{}; gains were not measured {}.", stage,
                     share.empty() ? "" : fmt::format(" ({} of GPU time)", share),
                     out_of_time ? "within the limit on time" : "(headrace simulate measures them)");
}

std::string precision_text(const models::PrecisionReport& precision) {
  if (!precision.reached || !precision.idle_reached)
    return fmt::format("Precision not reached: no interval yet, {} of the step time was asked for.",
                       percent(precision.asked, 2));
  return fmt::format("{}: the step time is known to {} ({} asked for), idle to {} points ({} asked for).",
                     precision.met ? "Precision reached" : "Precision not reached", percent(*precision.reached, 2),
                     percent(precision.asked, 2), humane_number(100.0 * *precision.idle_reached, 2),
                     humane_number(100.0 * precision.idle_asked, 2));
}

std::string ended_text(std::string_view stopped_by) {
  static constexpr std::pair<std::string_view, std::string_view> kEnds[] = {
      {"decided", "as soon as all was decided"},
      {"precision", "at the precision asked for"},
      {"steps", "after the steps asked for"},
      {"max_steps", "after the most steps that a run takes"},
      {"draws", "after all draws"},
      {"other_starts", "where runs with other starts differ"},
      {"max_wall", "by the limit of its time"},
      {"interrupted", "by the user"},
      {"bound", "at the flow bound, without simulation"},
      {"closed_form", "at the closed form, without simulation"}};
  for (const auto& [key, text] : kEnds)
    if (key == stopped_by) return std::string(text);
  return "by " + words(stopped_by);
}

std::string verdict_explanation(Verdict verdict) {
  switch (verdict) {
    case Verdict::fed:
      return "GPUs wait for data at most 1 % of the time. Faster storage will not help.";
    case Verdict::ingest_bound:
      return "GPUs wait for data more than 1 % of the time. \"binding\" names the stage whose removal "
             "gains most; see blame and relief.";
    case Verdict::checkpoint_bound:
      return "Checkpoints, restarts and lost work take more than 1 % of GPU time, and more than waits for data: check "
             "the store of the "
             "checkpoints, their interval and the time to restart.";
    case Verdict::collective_bound:
      return "The gradient exchange takes more GPU time than waits for data.";
    case Verdict::inconclusive:
      return "The run is too short or too irregular to decide, or the answer depends on how it starts (headrace "
             "explain \"other starts\"). No threshold passes on such a result, and the exit "
             "status is 3. Use a longer run (--steps, --max-wall) or a wider --precision.";
    case Verdict::infeasible:
      return "The described system cannot run the job; the warnings give the reason.";
  }
  return {};
}

std::string stage_explanation(Stage stage) {
  switch (stage) {
    case Stage::cache:
      return "Reading cached samples from node memory or local drives. Faster or more local drives help.";
    case Stage::peer:
      return "Reading samples that another node caches, over the network. Faster NICs or a larger cache per node help.";
    case Stage::shared_cache:
      return "Reading samples from the cache in front of the store, over the network. More of its servers, or a cache "
             "on "
             "the nodes, help.";
    case Stage::metadata:
      return "Opening and looking up files at the metadata service. Fewer, larger files (shards) or more metadata "
             "servers help.";
    case Stage::throttle:
      return "Backing off after \"503 slow down\" answers of an object store. More key prefixes, larger objects or a "
             "cache help.";
    case Stage::request:
      return "Waiting for the first byte and for the store's request rate. More workers or prefetch hide latency; "
             "larger "
             "requests spend fewer of them.";
    case Stage::transfer:
      return "Moving bytes over store, spine, leaf uplink and NIC. The stations show which link is full; a cache or a "
             "compact format moves fewer bytes.";
    case Stage::decode:
      return "Processor work on samples: decompress, decode, augment. More workers while cores are free, more cores, "
             "or "
             "a cheaper format help.";
    case Stage::lock:
      return "Serial hand-over of finished batches between workers and the training process. Fewer workers or larger "
             "batches help.";
    case Stage::copy:
      return "Copying the batch into pinned host memory, by one thread per GPU. Smaller samples help.";
    case Stage::protocol:
      return "Receiving and decrypting data from the store: core time and latency of transport, TLS, access checks and "
             "mounts in user space. RDMA, larger requests, a native client or more cores help.";
    case Stage::memory:
      return "Bytes over the memory of the host, which adapters, copies and GPUs share. Fewer copies, GPUDirect or "
             "decoding elsewhere help.";
    case Stage::transport:
      return "Moving finished batches from worker processes to the training process, through shared memory or a pipe. "
             "Smaller samples, such as integers in place of floats, or threads help.";
    case Stage::receive:
      return "Receiving a batch in the training process, before the step or by a pin thread beside it. A pin thread "
             "(pin_memory), smaller samples, or fewer and larger batches help.";
    case Stage::fresh:
      return "Waiting for new data: training has used the arrived data as often as allowed. More data, more uses of "
             "each sample or fewer GPUs help; a faster data path does not.";
  }
  return {};
}

std::string gpu_state_explanation(GpuState state) {
  switch (state) {
    case GpuState::compute:
      return "Training computation; where it follows the sizes of batches, that of the slowest replica.";
    case GpuState::ingest_wait_own:
      return "Waiting for the GPU's own batch.";
    case GpuState::ingest_wait_peer:
      return "Waiting at the barrier for a peer that waits for its batch.";
    case GpuState::h2d:
      return "Copy of the batch from host to device that computation does not hide.";
    case GpuState::collective:
      return "Exchange of gradients that computation does not hide, and waits for the slowest GPU.";
    case GpuState::overhead:
      return "Training loop and barrier themselves.";
    case GpuState::checkpoint:
      return "Stopped while a checkpoint is written.";
    case GpuState::failure:
      return "Lost to failures, restarts and repeated work.";
    case GpuState::start_up:
      return "From job start until the first batch has arrived.";
  }
  return {};
}

}  // namespace headrace::reports
