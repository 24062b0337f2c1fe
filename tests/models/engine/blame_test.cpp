#include "models/engine/blame.hpp"

#include <deque>
#include <vector>

#include "tests/catch.hpp"

using namespace headrace::models;
using headrace::sim::TimeNs;

namespace {

StageVisit visit(TimeNs end_ns, TimeNs service_ns, Stage stage, bool shared) {
  StageVisit result(stage, false, service_ns, 0.0);
  result.end_ns = end_ns;
  if (shared) result.set_shared();
  return result;
}

BatchTimeline timeline(TimeNs assigned, std::initializer_list<StageVisit> visits) {
  static std::deque<std::vector<StageVisit>> kept;  // timelines only point at visits
  BatchTimeline batch;
  batch.assigned_ns = assigned;
  batch.ready_ns = visits.size() == 0 ? assigned : (visits.end() - 1)->end_ns;
  batch.visits = kept.emplace_back(visits);
  return batch;
}

TimeNs total(const BlameByStage& blame) {
  TimeNs sum = 0;
  for (const StageBlame& stage : blame) sum += stage.queueing_ns + stage.service_ns;
  return sum;
}

}  // namespace

TEST_CASE("a wait is cut along the stages of the batch that ended it") {
  // Assigned at 100: metadata to 130, transfer to 200 (service 40 of 70), decode to 220.
  const BatchTimeline batch =
      timeline(100, {visit(130, 30, Stage::metadata, false), visit(200, 40, Stage::transfer, true),
                     visit(220, 20, Stage::decode, false)});
  BlameByStage blame{};
  blame_wait(batch, 120, 220, 1, blame);
  CHECK(blame[index(Stage::metadata)].service_ns == 10);
  CHECK(blame[index(Stage::transfer)].service_ns == 40);
  CHECK(blame[index(Stage::transfer)].queueing_ns == 30);
  CHECK(blame[index(Stage::decode)].service_ns == 20);
  CHECK(total(blame) == 100);
}

TEST_CASE("queueing comes before service at a first-come station and beside it at a shared one") {
  // 100 ns at the station, 25 of them service.
  BlameByStage fcfs{};
  blame_wait(timeline(0, {visit(100, 25, Stage::lock, false)}), 50, 100, 1, fcfs);
  CHECK(fcfs[index(Stage::lock)].queueing_ns == 25);
  CHECK(fcfs[index(Stage::lock)].service_ns == 25);
  BlameByStage shared{};
  blame_wait(timeline(0, {visit(100, 25, Stage::transfer, true)}), 50, 100, 1, shared);
  CHECK(shared[index(Stage::transfer)].queueing_ns == 38);  // 50 - floor(50 * 25 / 100)
  CHECK(shared[index(Stage::transfer)].service_ns == 12);
}

TEST_CASE("while a batch waited for its worker the blame goes to the occupant, and to the occupant's occupant") {
  const BatchTimeline first = timeline(0, {visit(60, 60, Stage::request, false)});
  BatchTimeline second = timeline(60, {visit(90, 30, Stage::decode, false)});
  second.occupant = &first;
  BatchTimeline third = timeline(90, {visit(120, 30, Stage::transfer, false)});
  third.occupant = &second;
  BlameByStage blame{};
  blame_wait(third, 40, 120, 3, blame);
  CHECK(blame[index(Stage::request)].service_ns == 3 * 20);
  CHECK(blame[index(Stage::decode)].service_ns == 3 * 30);
  CHECK(blame[index(Stage::transfer)].service_ns == 3 * 30);
  CHECK(total(blame) == 3 * 80);
}

TEST_CASE("chunks of a batch are blamed one by one") {
  const BatchTimeline batch = timeline(0, {visit(10, 10, Stage::request, false), visit(30, 20, Stage::transfer, true),
                                           visit(40, 10, Stage::request, false), visit(70, 20, Stage::transfer, true)});
  BlameByStage blame{};
  blame_wait(batch, 0, 70, 1, blame);
  CHECK(blame[index(Stage::request)].service_ns == 20);
  CHECK(blame[index(Stage::transfer)].service_ns + blame[index(Stage::transfer)].queueing_ns == 50);
  CHECK(total(blame) == 70);
}

TEST_CASE("a wait that no history explains is an internal error") {
  BlameByStage blame{};
  CHECK_THROWS(blame_wait(timeline(50, {visit(60, 10, Stage::decode, false)}), 40, 60, 1, blame));
}
