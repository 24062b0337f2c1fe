#include "reports/verification_json.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "reports/document_reader.hpp"
#include "reports/document_schema.hpp"
#include "reports/document_writer.hpp"

namespace headrace::models::calibration {

template <class V>
void describe(Downgrade& downgrade, V& v) {
  v.text("field", downgrade.field, "what is not as it was asked for");
  v.text("value", downgrade.value, "what it is instead");
  v.text("reason", downgrade.reason, "why");
}

}  // namespace headrace::models::calibration

namespace headrace::models::verification {

template <class V>
void describe(Spread& spread, V& v) {
  v.number("mean", spread.mean, "mean over rounds, of a job over its steps");
  v.pair("ci95", spread.low, spread.high, "95 % interval of the mean");
}

template <class V>
void describe(ErrorSummary& summary, V& v) {
  v.number("mean", summary.mean, "mean size over the points");
  v.number("largest", summary.largest, "of all points");
}

}  // namespace headrace::models::verification

namespace headrace::reports {
namespace {

using namespace models::verification;

constexpr std::array<std::string_view, 2> kOrders = {"in_order", "any_order_shared"};

template <std::size_t N>
constexpr std::array<std::string_view, N> views(const char* const (&names)[N]) {
  std::array<std::string_view, N> list;
  for (std::size_t i = 0; i < N; ++i) list[i] = names[i];
  return list;
}

template <class V>
void describe_side(const char* key, ComparedLoop& loop, const RecordedVerification& recorded, bool has_blame, V& v) {
  v.group(key, [&](auto& side) {
    side.record("gpu_idle_fraction", loop.idle_fraction, "share of the time in which the consumer waits for data");
    side.record("step_time_s", loop.step_time_s, "time of a step, s");
    side.when(!recorded.job,
              [&] { side.number("overrun_s", loop.overrun_s, "what passing the time of a step took longer, s"); });
    side.when(recorded.knows_waits(),
              [&] { side.number("wake_s", loop.wake_s, "how late workers go on after a read, predicted, s"); });
    side.when(has_blame, [&] {
      side.group("blame", [&](auto& parts) {
        for (std::size_t i = 0; i < kWaitParts; ++i)
          parts.number(kWaitPartNames[i], loop.wait_parts[i],
                       "share of the time in which the consumer waits while its batch is there");
      });
    });
  });
}

template <class V>
void describe_point(VerifiedPoint& point, RecordedVerification& recorded, V& v) {
  static constexpr auto kConsumers = views(kConsumerNames);
  static constexpr auto kVerdicts = views(kPointVerdictNames);
  LoopPoint& loop = point.point;
  auto order = static_cast<std::size_t>(!loop.in_order);
  v.when(recorded.job.has_value(), [&] { v.text("title", recorded.job, "of the job that ran"); });
  v.when(!recorded.job, [&] {
    v.count("workers", loop.workers, "of the loader");
    v.count("outstanding", loop.outstanding, "batches of a worker that are asked for and not taken yet");
    v.choice("order", order, kOrders, "in which batches are taken");
    v.count("block_bytes", loop.block_bytes, "of a sample, bytes; 0: it sleeps");
    v.count("batch", loop.batch, "samples");
    v.number("load", loop.load, "least step that the workers allow over the time of a step");
    v.choice("consumer", loop.consumer, kConsumers, "how a step passes");
    v.number("compute_s", loop.step_s, "time of a step without waiting, s");
  });
  if constexpr (V::kReads) loop.in_order = order == 0;
  describe_side("predicted", point.predicted, recorded, true, v);
  describe_side("measured", point.measured, recorded, recorded.knows_waits(), v);
  v.number("idle_error_points", point.idle_error_points, "idle share predicted less measured, percentage points");
  v.number("step_error_percent", point.step_error_percent, "step time predicted over measured, %");
  v.when(!recorded.job, [&] {
    v.number("idle_repeat_points", point.idle_repeat_points,
             "idle share of the first half of the repeats less that of the second, percentage points");
    v.number("step_repeat_percent", point.step_repeat_percent,
             "step time of the first half of the repeats over that of the second, %");
    v.count("rounds", point.rounds, "of prediction and measurement");
    v.count("clean_rounds", point.clean_rounds, "that nothing disturbed");
    v.number("other_cpu_cores", point.other_cpu_cores, "cores that other processes took, mean of the rounds used");
  });
  v.choice("verdict", point.verdict, kVerdicts,
           "agrees: both errors are within the bars; within_noise: the intervals overlap; noisy: no undisturbed round");
  v.when(recorded.verification.is_torch(), [&] {
    v.text("group", point.group, "of points with bars of their own");
    v.number("sleep_s", loop.sleep_s, "mean time that a sample sleeps, s; 0: it does not");
    v.number("sleep_cv", loop.sleep_cv, "standard deviation over mean of that time");
  });
}

template <class V>
void describe_summaries(ErrorSummaries& errors, V& v) {
  v.record("idle_error_points", errors.idle_error_points, "sizes of the errors of the idle share, percentage points");
  v.record("step_error_percent", errors.step_error_percent, "sizes of the errors of the step time, %");
  v.record("idle_noise_points", errors.idle_noise_points, "the same point repeated, percentage points");
  v.record("step_noise_percent", errors.step_noise_percent, "the same point repeated, %");
}

template <class V>
void describe_bars(Bars& bars, V& v) {
  v.group("bar", [&](auto& bar) {
    bar.number("idle_points", bars.idle_points, "what the mean error of the idle share may be; null: anything");
    bar.number("step_percent", bars.step_percent, "what the mean error of the step time may be");
  });
}

}  // namespace

template <class V>
void describe(RecordedVerification& recorded, V& v) {
  Verification& all = recorded.verification;
  const bool is_torch = !recorded.job && all.is_torch();
  v.list_of("points", all.points, "each predicted before it ran; of a job one",
            [&](VerifiedPoint& point, auto& entry) { describe_point(point, recorded, entry); });
  v.when(!recorded.job, [&] { describe_summaries(all, v); });
  v.when(is_torch, [&] {
    v.list_of("groups", all.groups, "points with bars of their own", [](VerifiedGroup& group, auto& entry) {
      entry.text("name", group.name, "of the group");
      entry.count("points", group.points, "in the group");
      describe_summaries(group, entry);
      describe_bars(group.bars, entry);
      entry.derived("within_bars", "both mean errors are", [&] { return group.within_bars(); });
    });
    v.text("loader_version", all.loader_version, "the loader's program and version");
  });
  v.when(!is_torch, [&] { describe_bars(recorded.bars, v); });
  v.when(recorded.knows_waits(), [&] {
    v.flag("direct", all.direct, "reads pass by the page cache");
    v.text("reader", all.reader, "what reads: io_uring or pread");
    v.text("gpu", all.gpu, "that computed the steps; empty: none");
  });
  v.when(!recorded.job, [&] {
    v.text("loader", all.loader, "threads: of this program; torch: a DataLoader of PyTorch");
    v.count("cores", all.cores, "of the machine");
    v.text("decoding", all.decoding, "what decodes");
    v.text("figures", all.figures, "where the figures of the parts come from");
    v.list("downgrades", all.downgrades, "what was measured otherwise than asked for");
    v.count("repeated_rounds", all.repeated_rounds, "because something disturbed them");
    v.number("planned_s", all.planned_s, "time that it was planned to take, s");
    v.number("used_s", all.used_s, "time that it took, s");
    v.flag("interrupted", all.interrupted, "it ended before its last round");
  });
}

RecordedVerification measured_job(const std::string& title, const VerifiedPoint& point) {
  RecordedVerification recorded{{}, title};
  recorded.verification.points = {point};
  return recorded;
}

nlohmann::ordered_json verification_json(const RecordedVerification& recorded) { return described_json(recorded); }

RecordedVerification read_verification(const nlohmann::ordered_json& document) {
  return read_described<RecordedVerification>(document);
}

nlohmann::ordered_json verification_schema() {
  return described_schema<RecordedVerification>("Headrace verification",
                                                "What headrace verify answers. Generated by: headrace schema verify",
                                                "[low, high]; null: not known");
}

}  // namespace headrace::reports
