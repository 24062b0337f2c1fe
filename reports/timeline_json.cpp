#include "reports/timeline_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "models/hops/stage.hpp"
#include "reports/document_schema.hpp"
#include "reports/document_writer.hpp"
#include "reports/trace_events.hpp"

namespace headrace::reports {
namespace {

using models::JobTimeline;
using models::StepRecord;
using models::TimelineBatch;

/// Numbers of processes and tracks of one job. A loader has its GPU's track and, behind it, one for each worker.
class Tracks {
 public:
  Tracks(std::uint32_t job, std::uint32_t workers) : job_(job), workers_(workers) {}

  std::uint32_t node(std::uint32_t node) const { return job_ * 100'000 + node + 1; }
  std::uint32_t gpu(std::uint32_t loader) const { return loader * (workers_ + 1) + 1; }
  std::uint32_t worker(const TimelineBatch& batch) const { return gpu(batch.loader) + 1 + batch.worker; }

 private:
  std::uint32_t job_;
  std::uint32_t workers_;
};

class TraceWriter {
 public:
  explicit TraceWriter(DocumentItems& events) : events_(events) {}

  void add(const JobTimeline& job, std::uint32_t number) {
    std::uint32_t workers = 0;
    for (const auto* batches : {&job.batches, &job.waiting})
      for (const TimelineBatch& batch : *batches) workers = std::max(workers, batch.worker + 1);
    const Tracks tracks(number, workers);
    name_tracks(job, tracks);
    for (const auto* batches : {&job.batches, &job.waiting})
      for (const TimelineBatch& batch : *batches) add_batch(batch, tracks);
    add_depths(job, tracks);
    add_queues(job, tracks);
    for (const TimelineBatch& batch : job.batches) add_gpu(job, batch, tracks);
    for (std::size_t step = 0; step < job.steps.records.size(); ++step)
      events_.add(TraceMark<TraceBarrier>{
          "barrier: all batches are there", job.steps.records[step].start_ns, {tracks.node(0), 0}, {step}});
  }

  /// What models report beside batches and steps: processes behind those of the jobs, in the order of their
  /// first spans, a track each for what belongs together.
  void add_beside(const models::Timeline& timeline) {
    for (const models::TimelineSpan& span : timeline.spans) add_span(span);
    for (const models::TimelineLevel& level : timeline.levels)
      events_.add(TraceCounter<TraceLevel>{fmt::format("{}, {}", level.name, level.unit),
                                           level.time_ns,
                                           process_beside(level.process),
                                           {level.basis, level.value}});
  }

 private:
  std::uint32_t process_beside(const std::string& name) {
    const auto [place, is_new] =
        processes_.try_emplace(name, kFirstBeside + static_cast<std::uint32_t>(processes_.size()));
    if (is_new) name_process(place->second, name);
    return place->second;
  }

  void add_span(const models::TimelineSpan& span) {
    const std::uint32_t process = process_beside(span.process);
    const auto [track, is_new] =
        tracks_.try_emplace({process, span.track}, static_cast<std::uint32_t>(tracks_.size()) + 1);
    if (is_new) name_track({process, track->second}, span.track);
    const TracePlace place{process, track->second};
    if (span.end_ns > span.begin_ns)
      return slice(span.name, span.begin_ns, span.end_ns, place, TraceBeside{span.basis, span.facts});
    events_.add(TraceMark<TraceBeside>{span.name, span.begin_ns, place, {span.basis, span.facts}});
  }

  template <class Facts>
  void slice(std::string_view name, sim::TimeNs begin_ns, sim::TimeNs end_ns, TracePlace place, const Facts& facts) {
    if (end_ns > begin_ns) events_.add(TraceSlice<Facts>{std::string(name), begin_ns, end_ns, place, facts});
  }

  void name_process(std::uint32_t process, const std::string& name) {
    events_.add(TraceName{TraceNamed::process, {process, 0}, name});
  }
  void name_track(TracePlace place, const std::string& name) { events_.add(TraceName{TraceNamed::track, place, name}); }

  void name_tracks(const JobTimeline& job, const Tracks& tracks) {
    std::set<std::uint32_t> nodes;
    std::set<std::uint32_t> seen;
    std::vector<TimelineBatch> all = job.batches;
    all.insert(all.end(), job.waiting.begin(), job.waiting.end());
    for (const TimelineBatch& batch : all) {
      const std::uint32_t process = tracks.node(batch.node);
      if (nodes.insert(batch.node).second) name_process(process, fmt::format("{}, node {}", job.name, batch.node));
      if (seen.insert(tracks.gpu(batch.loader)).second)
        name_track({process, tracks.gpu(batch.loader)}, fmt::format("GPU {}", batch.loader));
      if (seen.insert(tracks.worker(batch)).second)
        name_track({process, tracks.worker(batch)}, fmt::format("GPU {}, worker {}", batch.loader, batch.worker));
    }
  }

  void add_batch(const TimelineBatch& batch, const Tracks& tracks) {
    const TracePlace place{tracks.node(batch.node), tracks.worker(batch)};
    slice(fmt::format("batch {}", batch.batch), batch.assigned_ns, batch.ready_ns, place,
          TraceBatch{batch.step, batch.taken_ns});
    for (const models::TimelineVisit& visit : batch.visits)
      slice(models::name(visit.stage), visit.begin_ns, visit.end_ns, place,
            TraceVisit{visit.service_ns, visit.end_ns - visit.begin_ns - visit.service_ns});
  }

  /// Batches that are ready and not taken yet, per loader; at the end as many as the GPU then finds.
  void add_depths(const JobTimeline& job, const Tracks& tracks) {
    struct Change {
      sim::TimeNs time_ns;
      int by;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Change>> by_loader;
    for (const TimelineBatch& batch : job.batches) {
      std::vector<Change>& changes = by_loader[{batch.node, batch.loader}];
      changes.push_back({batch.ready_ns, 1});
      changes.push_back({batch.taken_ns, -1});
    }
    for (const TimelineBatch& batch : job.waiting) by_loader[{batch.node, batch.loader}].push_back({batch.ready_ns, 1});
    for (auto& [place, changes] : by_loader) {
      std::stable_sort(changes.begin(), changes.end(),
                       [](const Change& a, const Change& b) { return a.time_ns < b.time_ns; });
      int depth = 0;
      for (std::size_t i = 0; i < changes.size(); ++i) {
        depth += changes[i].by;
        if (i + 1 < changes.size() && changes[i + 1].time_ns == changes[i].time_ns) continue;
        events_.add(TraceCounter<TraceQueue>{fmt::format("ready batches of GPU {}", place.second),
                                             changes[i].time_ns,
                                             tracks.node(place.first),
                                             {depth}});
      }
    }
  }

  /// Batches in each stage on each node, queueing or served, at even times: a reader sees where a queue grows.
  void add_queues(const JobTimeline& job, const Tracks& tracks) {
    if (job.steps.records.empty()) return;
    constexpr std::int64_t kTimes = 1000;
    const sim::TimeNs end_ns = job.steps.records.back().start_ns;
    const sim::TimeNs gap_ns = std::max<sim::TimeNs>(1, end_ns / kTimes);
    const auto first_after = [gap_ns](sim::TimeNs time_ns) { return (time_ns + gap_ns - 1) / gap_ns; };
    std::map<std::pair<std::uint32_t, models::Stage>, std::vector<int>> queues;
    for (const auto* batches : {&job.batches, &job.waiting, &job.loading})
      for (const TimelineBatch& batch : *batches)
        for (const models::TimelineVisit& visit : batch.visits) {
          std::vector<int>& queue = queues[{batch.node, visit.stage}];
          queue.resize(static_cast<std::size_t>(end_ns / gap_ns) + 1);
          const std::int64_t to = std::min<std::int64_t>(first_after(visit.end_ns), std::ssize(queue));
          for (std::int64_t at = first_after(visit.begin_ns); at < to; ++at) ++queue[static_cast<std::size_t>(at)];
        }
    for (const auto& [place, queue] : queues)
      for (std::size_t at = 0; at < queue.size(); ++at) {
        if (at > 0 && at + 1 < queue.size() && queue[at] == queue[at - 1]) continue;
        events_.add(TraceCounter<TraceQueue>{fmt::format("batches in {}", models::name(place.second)),
                                             static_cast<sim::TimeNs>(at) * gap_ns,
                                             tracks.node(place.first),
                                             {queue[at]}});
      }
  }

  /// The step that takes the batch, and the wait for it before. The last step is open and has no end.
  void add_gpu(const JobTimeline& job, const TimelineBatch& batch, const Tracks& tracks) {
    const TracePlace place{tracks.node(batch.node), tracks.gpu(batch.loader)};
    const StepRecord& step = job.steps.records[batch.step];
    const TraceGpu facts{batch.step, batch.batch};
    const sim::TimeNs idle_ns =
        batch.step == 0 ? 0 : job.steps.records[batch.step - 1].start_ns + job.steps.records[batch.step - 1].busy_ns();
    const sim::TimeNs own_ns = std::clamp(batch.ready_ns, idle_ns, step.start_ns);
    slice(batch.step == 0 ? "start up" : "wait for the own batch", idle_ns, own_ns, place, facts);
    slice("wait for a peer's batch", own_ns, step.start_ns, place, facts);
    if (batch.step + 1 >= job.steps.records.size()) return;
    sim::TimeNs at_ns = step.start_ns;
    for (const auto& [name, length_ns] :
         {std::pair("copy to the device", step.h2d_ns), std::pair("compute", step.compute_ns),
          std::pair("collective", step.collective_ns), std::pair("overhead", step.overhead_ns)}) {
      slice(name, at_ns, at_ns + length_ns, place, facts);
      at_ns += length_ns;
    }
  }

  static constexpr std::uint32_t kFirstBeside = 2'000'000'000;  ///< behind the nodes of 20,000 jobs

  DocumentItems& events_;
  std::map<std::string, std::uint32_t> processes_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> tracks_;
};

/// What a trace consists of: its writer makes the events one by one.
struct RecordedTrace {
  const models::Timeline& timeline;
};

template <class V>
void describe(RecordedTrace& trace, V& v) {
  v.constant("displayTimeUnit", "ms");
  v.template list_of_kinds<TraceName, TraceSlice<TraceBatch>, TraceSlice<TraceVisit>, TraceSlice<TraceGpu>,
                           TraceSlice<TraceBeside>, TraceCounter<TraceQueue>, TraceCounter<TraceLevel>,
                           TraceMark<TraceBarrier>, TraceMark<TraceBeside>>(
      "traceEvents", "in no order of time", [&trace](DocumentItems& events) {
        TraceWriter writer(events);
        const models::Timeline& timeline = trace.timeline;
        for (std::size_t job = 0; job < timeline.jobs.size(); ++job)
          writer.add(timeline.jobs[job], static_cast<std::uint32_t>(job));
        writer.add_beside(timeline);
      });
}

}  // namespace

nlohmann::ordered_json timeline_json(const models::Timeline& timeline) {
  return described_json(RecordedTrace{timeline});
}

nlohmann::ordered_json timeline_schema() {
  return document_schema("Headrace timeline",
                         "The trace that headrace simulate --timeline records, for ui.perfetto.dev. Generated by: "
                         "headrace schema timeline",
                         "[low, high]; null: not known", [](SchemaWriter& writer) {
                           const models::Timeline none;
                           RecordedTrace trace{none};
                           describe(trace, writer);
                         });
}

}  // namespace headrace::reports
