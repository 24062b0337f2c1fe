// The store of results: what it keeps, refuses and joins; shards; what a ranking keeps of a run.
#include "scenarios/results/results_store.hpp"

#include "models/study/paired_difference.hpp"
#include "models/study/study.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/results/paired_record.hpp"
#include "scenarios/results/shard.hpp"
#include "scenarios/results/shared_file_system.hpp"
#include "scenarios/results/sqlite.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

using Access = ResultsStore::Access;

SweepRecord sweep(const std::string& id) { return {id, "space", "", "bound", "v1", "{}", "{}", "{}", 3}; }

ResultRecord result(const std::string& key, const std::string& outcome) {
  return {key, "sha", "bound", "v1", "{}", outcome.empty(), outcome, outcome.empty() ? "no" : "", ""};
}

template <class Work>
std::string error_code(const Work& work) {
  try {
    work();
  } catch (const StoreError& error) {
    CHECK_FALSE(error.fix().empty());
    return error.code();
  }
  return "";
}

std::string listing(const ResultsStore& store) {
  std::string text;
  for (const SweepRecord& s : store.sweeps())
    store.for_each_point(s.id, [&](const PointRow& row) {
      text += s.id + std::to_string(row.point) + row.result.key + row.result.outcome + row.result.error + ";";
    });
  return text;
}

}  // namespace

TEST_CASE("a store gives back what was put, ordered by point, and is one plain file at rest") {
  const TestFiles files;
  {
    ResultsStore store(files.path("r.db"), Access::write);
    CHECK((store.journal() == "wal" || store.journal() == "delete"));
    store.put_sweep(sweep("s"));
    store.put("s", 2, "{}", result("b", "{\"x\":2}"));
    store.put("s", 0, "{}", result("a", "{\"x\":1}"));
    store.put("s", 1, "{}", result("c", ""));
    CHECK(store.has("a"));
    CHECK_FALSE(store.has("c"));
    CHECK(store.answered("s", 2)->key == "b");
    CHECK_FALSE(store.answered("s", 1));
    store.put("s", 2, "{}", result("b", ""));  // a failure replaces no answer
    CHECK(store.has("b"));
    store.put("s", 1, "{}", result("c", "{}"));  // an answer replaces a failure
    CHECK(store.has("c"));
  }
  CHECK(std::distance(std::filesystem::directory_iterator(std::filesystem::path(files.path("r.db")).parent_path()),
                      std::filesystem::directory_iterator()) == 1);
  const ResultsStore store(files.path("r.db"), Access::read);
  CHECK(listing(store) == "s0a{\"x\":1};s1c{};s2b{\"x\":2};");
  CHECK(store.results_of_other_versions("v1") == 0);
  CHECK(store.results_of_other_versions("v2") == 3);
}

TEST_CASE("merging is idempotent, in any order the same, and refuses contradictions whole") {
  const TestFiles files;
  const auto make = [&](const std::string& name, std::uint64_t point, const ResultRecord& record) {
    ResultsStore store(files.path(name), Access::write);
    store.put_sweep(sweep("s"));
    store.put("s", point, "{}", record);
  };
  make("a.db", 0, result("a", "{}"));
  make("b.db", 1, result("b", "{}"));
  make("failed.db", 1, result("b", ""));
  make("other.db", 0, result("a", "{\"other\":1}"));
  ResultsStore all(files.path("all.db"), Access::write);
  for (const char* name : {"failed.db", "b.db", "a.db", "failed.db", "b.db", "a.db"}) all.merge(files.path(name));
  CHECK(listing(all) == "s0a{};s1b{};");
  CHECK(error_code([&] { all.merge(files.path("other.db")); }) == "E0605");
  CHECK(listing(all) == "s0a{};s1b{};");
  CHECK(error_code([&] { all.merge(files.path("none.db")); }) == "E0603");
}

TEST_CASE("what is no store of results is refused with a code and a way out") {
  const TestFiles files;
  const std::string text = files.write("text.db", "This is a text and not a database at all, whatever its name.");
  CHECK(error_code([&] { ResultsStore(text, Access::write); }) == "E0601");
  {
    SqliteConnection other(files.path("other.db"), SqliteConnection::Access::write);
    other.execute("CREATE TABLE pictures (name TEXT)");
  }
  CHECK(error_code([&] { ResultsStore(files.path("other.db"), Access::write); }) == "E0601");
  CHECK(error_code([&] { ResultsStore(files.path("other.db"), Access::read); }) == "E0601");
  { ResultsStore(files.path("new.db"), Access::write); }
  {
    SqliteConnection newer(files.path("new.db"), SqliteConnection::Access::write);
    newer.execute("PRAGMA user_version = 99");
  }
  CHECK(error_code([&] { ResultsStore(files.path("new.db"), Access::write); }) == "E0602");
  CHECK(error_code([&] { ResultsStore(files.path("none.db"), Access::read); }) == "E0603");
  CHECK(error_code([&] { ResultsStore(files.path("none/r.db"), Access::write); }) == "E0603");
  CHECK(error_code([&] { ResultsStore(files.path(""), Access::write); }) == "E0603");
  CHECK(error_code([&] { ResultsStore("/proc/r.db", Access::write); }) == "E0603");
}

TEST_CASE("file systems that machines share are known by their numbers") {
  CHECK(shared_file_system_name(0x6969) == "NFS");
  CHECK(shared_file_system_name(0x0BD00BD0) == "Lustre");
  CHECK(shared_file_system_name(0x47504653) == "GPFS");
  CHECK(shared_file_system_name(0xEF53).empty());  // ext4
  CHECK(shared_file_system_of("/dev/shm/r.db").empty());
}

TEST_CASE("shards are given, or told by a job array") {
  std::map<std::string, std::string> variables;
  const Environment environment = [&](const char* name) { return variables[name]; };
  const auto text = [&](const std::string& wish) {
    const auto shard = parse_shard(wish, environment);
    return shard ? std::to_string(shard->number) + "/" + std::to_string(shard->count) : shard.error().message;
  };
  CHECK(text("2/8") == "2/8");
  for (const std::string wrong : {"0/8", "9/8", "2", "a/8", "2/", "1/0", "/", ""}) CHECK(text(wrong).size() > 5);
  CHECK_THAT(text("auto"), Catch::Matchers::ContainsSubstring("neither"));
  variables["JOB_COMPLETION_INDEX"] = "3";
  CHECK_THAT(text("auto"), Catch::Matchers::ContainsSubstring("JOB_COMPLETIONS is not"));
  CHECK(text("auto/8") == "4/8");
  variables["JOB_COMPLETIONS"] = "5";
  CHECK(text("auto") == "4/5");
  CHECK_THAT(text("auto/3"), Catch::Matchers::ContainsSubstring("shard 4 of 3"));
  variables = {{"SLURM_ARRAY_TASK_ID", "7"},
               {"SLURM_ARRAY_TASK_MIN", "1"},
               {"SLURM_ARRAY_TASK_STEP", "2"},
               {"SLURM_ARRAY_TASK_COUNT", "4"}};
  CHECK(text("auto") == "4/4");
  variables["SLURM_ARRAY_TASK_ID"] = "6";
  CHECK_THAT(text("auto"), Catch::Matchers::ContainsSubstring("evenly spaced"));
  CHECK(shard_path("out/results.db", {2, 8}) == "out/results.2-of-8.db");
  CHECK(shard_path("results.db", {1, 1}) == "results.db");
}

TEST_CASE("a run that was stored is paired as the run itself") {
  const auto loaded = load_scenario(std::vector<std::string>{"image-node"});
  REQUIRE(loaded);
  const auto run = [&](std::int64_t workers) {
    models::Scenario scenario = loaded->value;
    scenario.jobs.front().loader.workers = workers;
    models::StudyOptions options;
    options.steps = 640;
    options.control = options.relief = false;
    options.keep_series = true;
    options.threads = 1;
    return models::simulate(scenario, options);
  };
  const models::Outcome a = run(3);
  const models::Outcome b = run(5);
  const auto own = models::paired_difference(a, b, "step_time_s");
  const auto stored = models::paired_difference(outcome_of_paired_record(paired_record(a)),
                                                outcome_of_paired_record(paired_record(b)), "step_time_s");
  REQUIRE((own && stored && own->ci && stored->ci));
  CHECK(stored->pairing == models::Pairing::steps);
  CHECK(stored->mean == own->mean);
  CHECK(stored->ci->low == own->ci->low);
  CHECK(stored->ci->high == own->ci->high);
  CHECK_THROWS_AS(outcome_of_paired_record("not a record"), std::runtime_error);
}

// Stores hold records of earlier versions: their form stays.
TEST_CASE("a stored run has the form of the records that stores hold, and gives the same record again") {
  models::Outcome outcome;
  outcome.seed = 7;
  outcome.steps = 640;
  outcome.metrics = {{"step_time_s", 0.25, models::Interval{0.2, 0.3}, {}, models::AnswerKind::simulated},
                     {"mfu", 0.5, {}, {}, models::AnswerKind::bound}};
  models::LedgerLine line;
  line.usd = 2.5;
  line.by_time = true;
  models::WindowReport window;
  window.weight = 0.75;
  models::ReplicationReport run;
  run.window = 1;
  run.replication = 2;
  run.steps = 640;
  run.warm_up_steps = 40;
  run.step_time_s = 0.25;
  run.gpu_utilization = 0.875;
  run.gpu_idle_fraction = 0.125;
  run.series.batch_steps = 2;
  run.series.duration_s = {0.25, 0.5};
  models::JobReport job;
  job.name = "one";
  job.ledger = {line};
  job.windows = {window};
  job.copies = 3;
  models::StallReport stall;
  stall.stalled_steps = 0.5;
  stall.delay_s = 1.5;
  outcome.ledger = {line};
  outcome.windows = {window};
  outcome.replications = {run};
  outcome.jobs = {job};
  outcome.rare_stalls = {stall};
  const std::string record = paired_record(outcome);
  CHECK(nlohmann::json::from_cbor(record).dump() ==
        R"({"jobs":[["one",[],[[2.5,true]],[0.75],3,0,0]],"ledger":[[2.5,true]],)"
        R"("metrics":[["step_time_s",0.25,[0.2,0.3],2],["mfu",0.5,null,0]],)"
        R"("runs":[[1,2,640,40,0.25,0.875,0.125,"",2,[0.25,0.5],[],[]]],"seed":7,"stalls":[[0.5,1.5,null]],)"
        R"("steps":640,"windows":[0.75]})");
  CHECK(paired_record(outcome_of_paired_record(record)) == record);
}

}  // namespace headrace::scenarios
