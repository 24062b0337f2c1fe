#include "scenarios/results/slurm_array.hpp"

#include "tests/catch.hpp"

namespace headrace::scenarios {
namespace {

SlurmSweep example() {
  return {"/opt/headrace/bin/headrace",
          "sweep space.json --seed 7 --set '/title=it'\\''s cold'",
          "3f2a",
          "/data/my results.db.slurm",
          "/data/my results.db",
          4};
}

TEST_CASE("numbers of tasks are written as ranges") {
  CHECK(task_list({1, 2, 3, 4}) == "1-4");
  CHECK(task_list({2}) == "2");
  CHECK(task_list({1, 3, 4, 5, 9}) == "1,3-5,9");
  CHECK(task_list({}).empty());
}

TEST_CASE("a task runs its own shard into its own store") {
  const std::string script = array_script(example());
  CHECK(script.find("exec /opt/headrace/bin/headrace sweep space.json --seed 7 --set '/title=it'\\''s cold' "
                    "--shard \"$SLURM_ARRAY_TASK_ID/4\"") != std::string::npos);
  CHECK(script.find("-o '/data/my results.db.slurm/results.db'") != std::string::npos);
  CHECK(shard_store(example(), 3) == "/data/my results.db.slurm/results.3-of-4.db");
  CHECK(shard_log(example(), 3) == "/data/my results.db.slurm/shard-3.log");
}

TEST_CASE("the joining job names every store that is there and the results") {
  const std::string script = merge_script(example());
  CHECK(script.find("seq 4") != std::string::npos);
  CHECK(script.find("store='/data/my results.db.slurm'/results.$shard-of-4.db") != std::string::npos);
  CHECK(script.find("merge \"$@\" -o '/data/my results.db'") != std::string::npos);
}

TEST_CASE("the joining job ranks all points after it has joined them") {
  SlurmSweep sweep = example();
  CHECK(merge_script(sweep).find("sweep space.json") == std::string::npos);
  sweep.ranked = true;
  const std::string script = merge_script(sweep);
  const std::size_t joins = script.find("merge \"$@\" -o '/data/my results.db' || exit\n");
  const std::size_t ranks = script.find("exec /opt/headrace/bin/headrace sweep space.json --seed 7");
  CHECK(joins != std::string::npos);
  REQUIRE(ranks != std::string::npos);
  CHECK(joins < ranks);
  CHECK(script.find("--shard") == std::string::npos);
  CHECK(script.find("-o '/data/my results.db'\n", ranks) != std::string::npos);
}

TEST_CASE("jobs are found again, and only those of the same sweep") {
  const SlurmSweep sweep = example();
  const std::string text = print_jobs(sweep, {"41", "42"});
  const auto jobs = parse_jobs(sweep, text);
  REQUIRE(jobs);
  CHECK(jobs->array_id == "41");
  CHECK(jobs->merge_id == "42");

  SlurmSweep other = sweep;
  other.shards = 5;
  REQUIRE_FALSE(parse_jobs(other, text));
  CHECK(parse_jobs(other, text).error().find("another space") != std::string::npos);
  other = sweep;
  other.id = "3f2b";
  CHECK_FALSE(parse_jobs(other, text));
  CHECK(parse_jobs(sweep, "{\"sweep\": 3}").error().find("damaged") != std::string::npos);
  CHECK_FALSE(parse_jobs(sweep, "nonsense"));
}

}  // namespace
}  // namespace headrace::scenarios
