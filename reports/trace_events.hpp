// Events of a trace in the format of Chrome, each kind described once: "M" names a track, "X" is a slice of time on it,
// "C" a counter, "i" a mark. Slices, counters and marks differ in what they tell (args). Times are microseconds of
// simulated time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/cluster/timeline.hpp"

namespace headrace::reports {

/// Whole nanoseconds survive: 2^53 ns are 104 days.
inline double trace_us(sim::TimeNs time_ns) { return static_cast<double>(time_ns) / 1000.0; }

/// The numbers of a track and of the group that it stands in, which traces call thread and process.
struct TracePlace {
  std::uint32_t process = 0;
  std::uint32_t track = 0;
};

enum class TraceNamed : std::uint8_t { process, track };
inline constexpr std::array<std::string_view, 2> kTraceNamedNames = {"process_name", "thread_name"};

struct TraceName {
  static constexpr std::string_view kDefinition = "track_name";

  TraceNamed what = TraceNamed::process;
  TracePlace place;
  std::string name;
};

/// Of a batch from its worker's first read to its delivery.
struct TraceBatch {
  static constexpr std::string_view kSlice = "batch";
  static constexpr std::string_view kNameMeaning = "batch and its number; from its assignment until it is delivered";

  std::uint64_t step = 0;
  sim::TimeNs taken_ns = 0;
};

/// Of a batch in one stage.
struct TraceVisit {
  static constexpr std::string_view kSlice = "stage_of_batch";
  static constexpr std::string_view kNameMeaning = "stage in which the batch is, on its worker's track";

  sim::TimeNs service_ns = 0;
  sim::TimeNs queueing_ns = 0;
};

/// Of a GPU, in one of the states that fill its time.
struct TraceGpu {
  static constexpr std::string_view kSlice = "state_of_gpu";
  static constexpr std::string_view kNameMeaning =
      "start up, wait for the own batch, wait for a peer's batch, copy to the device, compute, collective or overhead";

  std::uint64_t step = 0;
  std::uint64_t batch = 0;
};

/// Of what models report beside batches and steps, with or without length.
struct TraceBeside {
  static constexpr std::string_view kSlice = "span_beside";
  static constexpr std::string_view kMark = "remark_beside";
  static constexpr std::string_view kScope = "t";
  static constexpr std::string_view kNameMeaning = "what a model reports beside batches and steps";

  models::TimelineBasis basis = models::TimelineBasis::simulated;
  models::TimelineFacts facts = {};
};

/// Of a step of the job.
struct TraceBarrier {
  static constexpr std::string_view kMark = "barrier";
  static constexpr std::string_view kScope = "p";
  static constexpr std::string_view kNameMeaning = "a step begins, since every GPU has its batch";

  std::uint64_t step = 0;
};

/// Of batches that are ready for a GPU, or in a stage on a node.
struct TraceQueue {
  static constexpr std::string_view kCounter = "count_of_batches";
  static constexpr std::string_view kNameMeaning = "ready batches of a GPU, or batches in a stage on the node";

  int batches = 0;
};

/// Of a figure that models report beside batches and steps. Its key is its basis.
struct TraceLevel {
  static constexpr std::string_view kCounter = "level_beside";
  static constexpr std::string_view kNameMeaning = "what a model reports beside batches and steps, and its unit";

  models::TimelineBasis basis = models::TimelineBasis::simulated;
  double value = 0.0;
};

/// "X"
template <class Facts>
struct TraceSlice {
  static constexpr std::string_view kDefinition = Facts::kSlice;

  std::string name;
  sim::TimeNs begin_ns = 0;
  sim::TimeNs end_ns = 0;
  TracePlace place;
  Facts facts;
};

/// "C"
template <class Facts>
struct TraceCounter {
  static constexpr std::string_view kDefinition = Facts::kCounter;

  std::string name;
  sim::TimeNs time_ns = 0;
  std::uint32_t process = 0;
  Facts facts;
};

/// "i"
template <class Facts>
struct TraceMark {
  static constexpr std::string_view kDefinition = Facts::kMark;

  std::string name;
  sim::TimeNs time_ns = 0;
  TracePlace place;
  Facts facts;
};

template <class V>
void describe_place(const TracePlace& place, V& v) {
  v.count("pid", place.process, "group of tracks: a node of a job, or what a model reports beside");
  v.count("tid", place.track, "track of the group; 0: the group itself");
}

template <class V>
void describe(TraceName& named, V& v) {
  v.choice("name", named.what, kTraceNamedNames, "whether a group of tracks gets its name, or a track");
  v.constant("ph", "M");
  describe_place(named.place, v);
  v.group("args", [&](auto& args) { args.text("name", named.name, "that a viewer shows"); });
}

template <class V>
void describe(TraceBatch& batch, V& v) {
  v.count("step", batch.step, "that takes the batch");
  v.finite("taken_us", trace_us(batch.taken_ns), "when the GPU takes it, us; 0: later than the last step");
}

template <class V>
void describe(TraceVisit& visit, V& v) {
  v.finite("service_us", trace_us(visit.service_ns), "what it would take alone, us");
  v.finite("queueing_us", trace_us(visit.queueing_ns), "what others add, us");
}

template <class V>
void describe(TraceGpu& gpu, V& v) {
  v.count("step", gpu.step, "of the job");
  v.count("batch", gpu.batch, "that the step takes");
}

template <class V>
void describe(TraceBeside& beside, V& v) {
  v.choice("basis", beside.basis, models::kTimelineBasisNames, "on what it rests");
  v.others(beside.facts, "figures, whose names end in their unit");
}

template <class V>
void describe(TraceBarrier& barrier, V& v) {
  v.count("step", barrier.step, "that begins");
}

template <class V>
void describe(TraceQueue& queue, V& v) {
  v.count("batches", queue.batches, "from then on");
}

template <class V>
void describe(TraceLevel& level, V& v) {
  for (std::size_t i = 0; i < models::kTimelineBasisNames.size(); ++i)
    v.when(static_cast<std::size_t>(level.basis) == i,
           [&] { v.number(models::kTimelineBasisNames[i].data(), level.value, "the figure from then on"); });
}

template <class Facts, class V>
void describe(TraceSlice<Facts>& slice, V& v) {
  v.text("name", slice.name, Facts::kNameMeaning);
  v.constant("ph", "X");
  v.finite("ts", trace_us(slice.begin_ns), "when it begins, us of simulated time");
  v.finite("dur", trace_us(slice.end_ns - slice.begin_ns), "how long it lasts, us");
  describe_place(slice.place, v);
  v.record("args", slice.facts, "what is known of it");
}

template <class Facts, class V>
void describe(TraceCounter<Facts>& counter, V& v) {
  v.text("name", counter.name, Facts::kNameMeaning);
  v.constant("ph", "C");
  v.finite("ts", trace_us(counter.time_ns), "from when it holds, us of simulated time");
  v.count("pid", counter.process, "group of tracks that it belongs to");
  v.record("args", counter.facts, "its value");
}

template <class Facts, class V>
void describe(TraceMark<Facts>& mark, V& v) {
  v.text("name", mark.name, Facts::kNameMeaning);
  v.constant("ph", "i");
  v.constant("s", Facts::kScope);
  v.finite("ts", trace_us(mark.time_ns), "when, us of simulated time");
  describe_place(mark.place, v);
  v.record("args", mark.facts, "what is known of it");
}

}  // namespace headrace::reports
