// Sweeps as a user runs them: stores, shards, interruptions, tables, rankings.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "scenarios/results/results_store.hpp"
#include "scenarios/results/sqlite.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::Run;
using headrace::testing::run;

namespace {

using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

const std::string kSmallSpace = R"({"scenario": "image-node", "title": "small", "axes": [
    {"parameter": "/jobs/0/loader/workers", "values": [2, 3]},
    {"name": "decode, ms", "parameter": "/jobs/0/loader/cpu_per_sample", "values": ["1 ms", "2 ms", "4 ms"]}]})";

std::string quoted(const std::string& path) { return "'" + path + "'"; }

std::string sweep(const std::string& space, const std::string& store, const std::string& flags) {
  return "sweep " + quoted(space) + " -o " + quoted(store) + " " + flags;
}

std::string exported(const std::string& store, const std::string& flags = "--format ndjson") {
  const Run result = run("report " + quoted(store) + " " + flags);
  INFO(result.err);
  CHECK(result.status == 0);
  return result.out;
}

Json summary(const Run& result) {
  INFO(result.err);
  REQUIRE_FALSE(result.out.empty());
  return Json::parse(result.out);
}

/// The program in the background, its streams thrown away.
pid_t start(const std::vector<std::string>& arguments) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) ::dup2(nothing, stream);
  std::vector<char*> words;
  std::string program = HEADRACE_PROGRAM;
  words.push_back(program.data());
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ::execv(program.c_str(), words.data());
  ::_exit(127);
}

int wait_for(pid_t child) {
  int raw = 0;
  ::waitpid(child, &raw, 0);
  return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
}

/// Until the store has so many results, or a while has passed.
void wait_for_results(const std::string& store, std::uint64_t count) {
  for (int i = 0; i < 2000; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    try {
      if (headrace::scenarios::ResultsStore(store, headrace::scenarios::ResultsStore::Access::read).results() >= count)
        return;
    } catch (const headrace::scenarios::StoreError&) {  // not made yet
      continue;
    }
  }
}

}  // namespace

TEST_CASE("a sweep is stored, found again, shown as tables", "[cli]") {
  const Folder folder;
  const std::string space = folder.write("small.json", kSmallSpace);
  const std::string store = folder.path("r.db");
  const Run first = run(sweep(space, store, "--level bound --json"));
  CHECK(first.status == 0);
  CHECK(summary(first)["computed"] == 6);
  CHECK(summary(run(sweep(space, store, "--level bound --json")))["reused"] == 6);
  CHECK(summary(run(sweep(space, store, "--level bound --json --fresh")))["computed"] == 6);
  const Json dry = summary(run(sweep(space, store, "--level estimate --dry-run --json")));
  CHECK(dry["points"] == 6);
  CHECK(dry["in_store"] == 0);
  CHECK(run(sweep(space, store, "--level bound --dry-run")).out.find("6 of them in") != std::string::npos);
  const std::string csv = exported(store, "--metrics step_time_s");
  CHECK_THAT(csv, ContainsSubstring(
                      "sweep,point,workers,\"decode, ms\",level,status,verdict,binding,step_time_s [s],step_time_s "
                      "ci95 low [s],step_time_s ci95 high [s],error\r\n"));
  CHECK_THAT(csv, ContainsSubstring(",0,2,1 ms,bound,ok,"));
  const std::string rows = exported(store);
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 6);
  const Json row = Json::parse(rows.substr(0, rows.find('\n')));
  CHECK(row["coordinates"]["workers"] == 2);
  CHECK(row["metrics"]["step_time_s"]["kind"] == "bound");
  const Json best = Json::parse(exported(store, "--best step_time_s --format ndjson"));
  CHECK(best["point"] == 3);
  const Json all = Json::parse(exported(store, "--json"));
  CHECK(all["sweeps"][0]["title"] == "small");
  CHECK(all["sweeps"][0]["scenario"]["title"] == "Images in tar shards on 4 nodes of 8 GPUs");
  CHECK(all["rows"].size() == 6);
  CHECK(run("report " + quoted(store) + " --best step_tim_s").err.find("did you mean 'step_time_s'?") !=
        std::string::npos);
}

TEST_CASE("a sweep says how many combinations its conditions leave out", "[cli]") {
  const Folder folder;
  const std::string store = folder.path("r.db");
  const Run result = run("sweep loader-workers --level bound -o " + quoted(store));
  CHECK(result.status == 0);
  CHECK_THAT(result.out, ContainsSubstring("conditions of the space leave out 3 of its 36 combinations"));
  const std::string page = folder.path("p.html");
  run("report " + quoted(store) + " -o " + quoted(page));
  CHECK_THAT(file_text(page), ContainsSubstring("without those that conditions of the space leave out"));
}

TEST_CASE("threads, shards and interruptions leave no trace in the results", "[cli]") {
  const Folder folder;
  const std::string flags = "--steps 48 --seed 7 --json";
  const std::string whole = folder.path("whole.db");
  REQUIRE(run(sweep("loader-workers", whole, flags + " --threads 1")).status == 0);
  const std::string expected = exported(whole);
  SECTION("threads, and limits that leave a part for later") {
    const std::string store = folder.path("r.db");
    CHECK(summary(run(sweep("loader-workers", store, flags + " --limit 5")))["left"] == 28);
    CHECK(summary(run(sweep("loader-workers", store, flags + " --threads 4")))["reused"] == 5);
    CHECK(exported(store) == expected);
  }
  SECTION("shards that are merged, twice and in another order") {
    const std::string store = folder.path("s.db");
    REQUIRE(run(sweep("loader-workers", store, flags + " --shard 2/3")).status == 0);
    REQUIRE(run(sweep("loader-workers", store, flags + " --shard auto/3"), "JOB_COMPLETION_INDEX=0").status == 0);
    REQUIRE(run(sweep("loader-workers", store, flags + " --shard auto"),
                "SLURM_ARRAY_TASK_ID=12 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_COUNT=3")
                .status == 0);
    const std::string parts = quoted(folder.path("s.3-of-3.db")) + " " + quoted(folder.path("s.1-of-3.db")) + " " +
                              quoted(folder.path("s.2-of-3.db"));
    const std::string all = folder.path("all.db");
    CHECK(summary(run("merge " + parts + " -o " + quoted(all) + " --json"))["added"] == 33);
    CHECK(summary(run("merge " + parts + " -o " + quoted(all) + " --json"))["added"] == 0);
    CHECK(exported(all) == expected);
    CHECK(exported(all, "--format csv") == exported(whole, "--format csv"));
    CHECK(exported(all, "--format json") == exported(whole, "--format json"));
  }
  SECTION("two programs that write to one store") {
    const std::string store = folder.path("r.db");
    const std::vector<std::string> words = {"sweep", "loader-workers", "-o", store, "--steps", "48", "--seed", "7"};
    const pid_t one = start(words);
    const pid_t two = start(words);
    CHECK(wait_for(one) == 0);
    CHECK(wait_for(two) == 0);
    CHECK(exported(store) == expected);
  }
}

TEST_CASE("a sweep that is stopped or killed loses what it was computing and nothing else", "[cli]") {
  const Folder folder;
  const std::string whole = folder.path("whole.db");
  const std::string store = folder.path("r.db");
  const std::vector<std::string> words = {"sweep", "loader-workers", "-o", store,   "--steps",
                                          "1024",  "--threads",      "1",  "--set", "/jobs/0/epochs=3"};
  const std::string flags = "--steps 1024 --set /jobs/0/epochs=3 --json";
  const pid_t stopped = start(words);
  wait_for_results(store, 2);
  ::kill(stopped, SIGINT);
  CHECK(wait_for(stopped) == 130);
  const pid_t killed = start(words);
  wait_for_results(store, 5);
  ::kill(killed, SIGKILL);
  CHECK(wait_for(killed) == 128 + SIGKILL);
  const Run resumed = run(sweep("loader-workers", store, flags));
  CHECK(resumed.status == 0);
  CHECK(summary(resumed)["reused"] >= 5);
  CHECK(summary(resumed)["computed"] == 33 - summary(resumed)["reused"].get<int>());
  CHECK(headrace::scenarios::SqliteConnection(store, headrace::scenarios::SqliteConnection::Access::read)
            .text("PRAGMA integrity_check") == "ok");
  REQUIRE(run(sweep("loader-workers", whole, flags)).status == 0);
  CHECK(exported(store) == exported(whole));
}

TEST_CASE("a point that fails is stored with its error and stops nothing", "[cli]") {
  const Folder folder;
  const std::string space = folder.write("fail.json", R"({"scenario": "image-node", "axes": [
      {"parameter": "/cluster/pools/0/cache", "values": [{"policy": "lru", "medium": "nvme", "bytes": "1 TB",
       "bandwidth": "10 GB/s"}]},
      {"parameter": "/cluster/pools/0/drives/capacity", "values": ["500 GB", "2 TB"]}]})");
  const Run result = run(sweep(space, folder.path("r.db"), "--level bound --json"));
  CHECK(result.status == 1);
  CHECK(summary(result)["failed"] == 1);
  CHECK(summary(result)["computed"] == 1);
  CHECK_THAT(result.err, ContainsSubstring("1 of 2 points failed") && ContainsSubstring("E0210"));
  const std::string rows = exported(folder.path("r.db"));
  const Json row = Json::parse(rows.substr(0, rows.find('\n')));
  CHECK(row["status"] == "failed");
  CHECK(row["error"].get<std::string>().find("E0210") != std::string::npos);
}

TEST_CASE("tables of sweeps fit a terminal", "[cli]") {
  const Folder folder;
  const auto widest = [](const std::string& text) {
    std::istringstream lines(text);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
    return most;
  };
  const Run table = run(sweep("loader-workers", folder.path("r.db"), "--level bound"));
  CHECK_THAT(table.out, ContainsSubstring("step time") && ContainsSubstring("workers 10, prefetch 4"));
  CHECK(table.out.find("epoch costs") == std::string::npos);  // nothing has a price there
  CHECK(widest(table.out.substr(table.out.find("step time"))) <= 80);
  const Run ranked = run("sweep loader-workers --rank step_time_s --steps 48 -o " + quoted(folder.path("q.db")));
  CHECK_THAT(ranked.out, ContainsSubstring("over the best") && ContainsSubstring(" \u00b1 "));
  CHECK(widest(ranked.out.substr(ranked.out.find("place"))) <= 82);  // the sign has two bytes
}

TEST_CASE("a sweep of which every point fails ends with 1 and draws the reasons", "[cli]") {
  const Folder folder;
  const std::string space = folder.write("fail.json", R"({"scenario": "image-node", "axes": [
      {"parameter": "/cluster/pools/0/cache", "values": [{"policy": "lru", "medium": "nvme", "bytes": "1 TB",
       "bandwidth": "10 GB/s"}]},
      {"parameter": "/cluster/pools/0/drives/capacity", "values": ["500 GB", "600 GB"]}]})");
  const Run result =
      run(sweep(space, folder.path("r.db"), "--level bound --json --report " + quoted(folder.path("p.html"))));
  CHECK(result.status == 1);
  CHECK(summary(result)["failed"] == 2);
  CHECK_THAT(file_text(folder.path("p.html")),
             ContainsSubstring("no point has an answer") && ContainsSubstring("E0210"));
}

TEST_CASE("a store that cannot be used ends a sweep with 2 and keeps what it holds", "[cli]") {
  const Folder folder;
  const std::string space = folder.write("small.json", kSmallSpace);
  const auto refused = [&](const Run& result, const char* code) {
    INFO(result.err);
    CHECK(result.status == 2);
    CHECK(result.err.find(code) != std::string::npos);
    CHECK(result.err.find("help:") != std::string::npos);
  };
  refused(run(sweep(space, folder.write("text.db", "no database, but a text of some length"), "--level bound")),
          "E0601");
  refused(run(sweep(space, folder.path("none/r.db"), "--level bound")), "E0603");
  refused(run("report " + quoted(folder.path("none.db"))), "no such file");
  refused(run("merge " + quoted(folder.path("none.db")) + " -o " + quoted(folder.path("all.db"))), "E0603");
  // A disk that fills up: no file may grow beyond 100 blocks.
  const std::string store = folder.path("full.db");
  const Run full = run(sweep("loader-workers", store, "--level bound"), "trap '' XFSZ; ulimit -f 160;");
  refused(full, "E0603");
  const Run after = run(sweep("loader-workers", store, "--level bound --json"));
  CHECK(after.status == 0);
  CHECK(summary(after)["reused"] > 0);
  REQUIRE(run(sweep("loader-workers", folder.path("whole.db"), "--level bound")).status == 0);
  CHECK(exported(store) == exported(folder.path("whole.db")));
}

TEST_CASE("results of another model version stay and are not reused", "[cli]") {
  const Folder folder;
  const std::string space = folder.write("small.json", kSmallSpace);
  const std::string store = folder.path("r.db");
  REQUIRE(run(sweep(space, store, "--level bound")).status == 0);
  {
    headrace::scenarios::SqliteConnection old(store, headrace::scenarios::SqliteConnection::Access::write);
    old.execute(
        "UPDATE results SET key = 'old' || key, model_version = '2020.1'; UPDATE points SET key = 'old' || key, sweep "
        "= "
        "'old'; UPDATE sweeps SET id = 'old', model_version = '2020.1'");
    old.execute(  // the format of that time had no sums
        "ALTER TABLE sweeps DROP COLUMN sum; ALTER TABLE results DROP COLUMN sum; ALTER TABLE points DROP COLUMN sum; "
        "PRAGMA user_version = 1");
  }
  const Run again = run(sweep(space, store, "--level bound --json"));
  CHECK(again.status == 0);
  CHECK_THAT(again.err, ContainsSubstring("6 results of other model versions") && ContainsSubstring("not reused"));
  CHECK(summary(again)["computed"] == 6);
  const std::string rows = exported(store);
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 12);
  const std::string old_rows = exported(store, "--format ndjson --sweep old");
  CHECK(std::count(old_rows.begin(), old_rows.end(), '\n') == 6);
}

TEST_CASE("a ranking looks longer at what competes, and is the same however it came about", "[cli]") {
  const Folder folder;
  const std::string space = folder.write("rank.json", R"({"scenario": "image-node", "title": "rank", "axes": [
      {"parameter": "/jobs/0/loader/workers", "values": [2, 4, 5]},
      {"name": "latency", "parameter": "/stores/0/latency", "values": [{"lognormal": {"mean": "2 ms", "cv": 2}},
       {"lognormal": {"mean": "2.1 ms", "cv": 2}}, {"lognormal": {"mean": "40 ms", "cv": 3}}]}]})");
  const std::string store = folder.path("r.db");
  const Run ranked = run(sweep(space, store, "--rank step_time_s --within 1% --json --threads 2"));
  INFO(ranked.err);
  CHECK((ranked.status == 0 || ranked.status == 3));
  const Json ranking = summary(ranked)["ranking"];
  CHECK(ranking["runs"] >= 9);
  REQUIRE(ranking["places"].size() == 9);
  CHECK(ranking["places"][0]["state"] == "best");
  double last = 0.0;
  for (const Json& place : ranking["places"]) {
    CHECK(place["value"] >= last);
    last = place["value"];
    if (place["state"] != "known") continue;
    CHECK(place["ci95"][1].get<double>() - place["ci95"][0].get<double>() <=
          2.0 * 0.01 * ranking["places"][0]["value"].get<double>());
  }
  const std::string other = folder.path("o.db");
  const Run again = run(sweep(space, other, "--rank step_time_s --within 1% --json --threads 1"));
  CHECK(exported(other) == exported(store));
  const Run resumed = run(sweep(space, other, "--rank step_time_s --within 1% --json"));
  CHECK(summary(resumed)["ranking"]["runs"] == 0);
  CHECK(exported(other) == exported(store));
  CHECK(run(sweep(space, other, "--rank step_time_s --level bound")).status == 2);
  const Run limited = run(sweep(space, other, "--rank step_time_s --limit 3"));
  CHECK(limited.status == 2);
  CHECK_THAT(limited.err, ContainsSubstring("--limit leaves some out") && ContainsSubstring("--shard"));
  CHECK(run(sweep(space, other, "--rank checkpoint_interval_s")).status == 2);
}

TEST_CASE("a ranking estimates points that are sure to be worse", "[cli]") {
  const Folder folder;
  const std::string space = folder.write("far.json", R"({"scenario": "image-node", "title": "far", "axes": [
      {"parameter": "/jobs/0/loader/workers", "values": [1, 2, 4, 8, 10]},
      {"name": "decode", "parameter": "/jobs/0/loader/cpu_per_sample", "values": ["1 ms", "2 ms", "4 ms", "8 ms", "16 ms"]}]})");
  const std::string store = folder.path("far.db");
  const Run ranked = run(sweep(space, store, "--rank step_time_s --json --threads 2"));
  INFO(ranked.err);
  const double best = summary(ranked)["ranking"]["places"][0]["value"];
  const std::string rows = exported(store);
  std::istringstream lines(rows);
  std::size_t points = 0;
  std::size_t brief = 0;
  std::size_t beaten = 0;
  for (std::string line; std::getline(lines, line); ++points) {
    const Json place = Json::parse(line)["ranking"];
    if (place["steps"].get<int>() >= 512) continue;
    ++brief;
    CHECK((place["steps"] == 128 || place["steps"] == 0));  // the latter where a bound says so already
    beaten += place["steps"] == 0 ? 1 : 0;
    CHECK(place["state"] == "worse");
    CHECK(place["value"].get<double>() > 1.02 * best);
    CHECK(place["ci95"].is_null());
  }
  CHECK(points == 25);
  CHECK(brief >= 1);
  CHECK(brief <= 25 - 8);
  CHECK(beaten >= 1);
  CHECK(summary(ranked)["ranking"]["runs"] <= 25 - beaten + 2 * (25 - brief));
  const Run resumed = run(sweep(space, store, "--rank step_time_s --json --threads 1"));
  CHECK(summary(resumed)["ranking"]["runs"] == 0);
  CHECK(exported(store) == rows);
}

TEST_CASE("brief runs of a ranking simulate some of like nodes where these stand for all", "[cli]") {
  const Folder folder;
  const auto ranked = [&folder](const std::string& name, const char* lanes, int steps) {
    const std::string space = folder.write(name + ".json", fmt::format(R"({{"title": "{}", "scenario": {{
        "extends": "imagenet-1250-nodes", "stores": [{{"name": "objects", "bandwidth": "210 GB/s"}}],
        "cluster": {{"pools": [{{"name": "gpus", "nodes": 64, "gpus_per_node": 4, "nodes_per_leaf": 16}}]}}}},
        "axes": [{{"parameter": "/jobs/0/loader/workers", "values": [5, 6, 7]}},
                 {{"parameter": "/jobs/0/loader/lanes", "values": {}}},
                 {{"parameter": "/stores/0/bandwidth", "values": ["80 GB/s", "82 GB/s"]}}]}})",
                                                                       name, lanes));
    const std::string store = folder.path(name + ".db");
    const Run told = run(sweep(space, store, fmt::format("--rank step_time_s --threads 2 --steps {}", steps)));
    INFO(told.err);
    CHECK((told.status == 0 || (told.status == 3 && steps < 128)));  // few steps may leave points undecided
    std::size_t sampled = 0;
    std::istringstream lines(exported(store));
    for (std::string line; std::getline(lines, line);) {
      const Json place = Json::parse(line)["ranking"];
      if (!place.contains("sampled_nodes")) continue;
      ++sampled;
      CHECK(place["sampled_nodes"] == 16);
      CHECK(place["steps"] == steps);
    }
    return std::pair(sampled, told.out);
  };
  const auto [fed, fed_text] = ranked("fed", "[10, 12]", 128);
  CHECK(fed == 4);
  CHECK_THAT(fed_text, ContainsSubstring("16 nodes stand for"));
  const auto [slow, slow_text] =
      ranked("slow", "[3, 4]", 128);  // steps of a quarter of the nodes differ by more than 1 %
  CHECK(slow == 0);
  CHECK_THAT(slow_text, !ContainsSubstring("nodes stand for"));
  CHECK(ranked("long", "[10, 12]", 300).first == 0);
  ranked("short", "[10, 12]", 20);  // what is longer than the first look is of all nodes, however short
}

TEST_CASE("shards of a ranking, joined and ranked as a whole, give the ranking of one machine", "[cli]") {
  const Folder folder;
  const std::string space = folder.write("shared.json", R"({"scenario": "image-node", "title": "shared", "axes": [
      {"parameter": "/jobs/0/loader/workers", "values": [1, 2, 4, 5, 6, 8]},
      {"name": "decode", "parameter": "/jobs/0/loader/cpu_per_sample", "values": ["1 ms", "2 ms", "4 ms", "8 ms", "16 ms"]}]})");
  const std::string flags = "--rank step_time_s --within 1% --json --threads 2 ";
  const std::string whole = folder.path("whole.db");
  const Run local = run(sweep(space, whole, flags));
  INFO(local.err);
  std::uint64_t runs = 0;
  std::string stores;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const Run one = run(sweep(space, folder.path("part.db"), flags + "--shard " + shard));
    INFO(one.err);
    CHECK(one.status == 0);
    CHECK_THAT(one.err, ContainsSubstring("headrace merge"));
    const Json told = summary(one);
    CHECK(told["points"] == 10);
    CHECK(told["computed"] == 10);
    CHECK(told["ranking"]["shard"] == shard);
    CHECK(told["ranking"]["places"].empty());
    runs += told["ranking"]["runs"].get<std::uint64_t>();
    stores += quoted(folder.path("part." + std::string(1, *shard) + "-of-3.db")) + " ";
  }
  const std::string joined = folder.path("joined.db");
  REQUIRE(run("merge " + stores + "-o " + quoted(joined)).status == 0);
  CHECK(exported(joined).find("\"place\"") == std::string::npos);
  const Run ranked = run(sweep(space, joined, flags));
  CHECK(ranked.status == local.status);
  CHECK(exported(joined) == exported(whole));
  // The shards have run all that counts: 8 scouts each beside their own points, briefly and for longer.
  CHECK(summary(ranked)["ranking"]["runs"].get<std::uint64_t>() <= 2);
  CHECK(runs <= summary(local)["ranking"]["runs"].get<std::uint64_t>() + 2 * 2 * 8 + 6);
}

TEST_CASE("a ranking whose best has a long warm-up does not run all others longer", "[cli]") {
  const Folder folder;
  // The best, with 40 batches outstanding, leaves 200 steps out, so that no other has 64 of 128 steps in common with
  // it.
  const std::string space = folder.write("late.json", R"({
      "scenario": {"extends": "image-node", "cluster": {"pools": [{"name": "gpus", "nodes": 1, "gpus_per_node": 1}]},
                   "jobs": [{"name": "train", "loader": {"workers": 5}}]},
      "axes": [{"name": "latency", "parameter": "/stores/0/latency", "from": "1 ms", "to": "3 ms", "count": 24},
               {"parameter": "/jobs/0/loader/prefetch", "values": [1, 8]}],
      "conditions": [{"any": [{"axis": "prefetch", "is": 1}, {"axis": "latency", "at_most": "1 ms"}]}]})");
  const std::string store = folder.path("late.db");
  const Run ranked = run(sweep(space, store, "--rank step_time_s --json --threads 2"));
  INFO(ranked.err);
  REQUIRE(ranked.status == 0);
  const Json ranking = summary(ranked)["ranking"];
  CHECK(summary(ranked)["points"] == 25);
  CHECK(ranking["places"][0]["coordinates"]["prefetch"] == 8);
  CHECK(ranking["places"][0]["steps"] == 512);
  CHECK(ranking["undecided"] == 0);
  CHECK(ranking["runs"].get<int>() <= 2 * 25);
  std::istringstream lines(exported(store));
  std::size_t longer = 0;
  for (std::string line; std::getline(lines, line);)
    longer += Json::parse(line)["ranking"]["steps"].get<int>() > 512 ? 1 : 0;
  CHECK(longer == 0);
}

TEST_CASE("a store of a sweep may hold accepted outcomes of gates, too", "[cli]") {
  const Folder folder;
  const std::string store = folder.path("r.db");
  REQUIRE(run(sweep(folder.write("small.json", kSmallSpace), store, "--level bound")).status == 0);
  REQUIRE(run("check image-node --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=1 --slo "
              "'gpu_idle_fraction < 50 %' --promote --baseline " +
              quoted(store))
              .status == 0);
  const Run table = run("report " + quoted(store) + " --format csv");
  CHECK(table.status == 0);
  CHECK(std::count(table.out.begin(), table.out.end(), '\n') == 1 + 6 + 1);
  CHECK(run("report " + quoted(store) + " -o " + quoted(folder.path("p.html"))).status == 0);
}

TEST_CASE("wrong wishes of a sweep are usage errors", "[cli]") {
  const Folder folder;
  const auto wrong = [](const std::string& arguments, const std::string& message) {
    const Run result = run(arguments);
    INFO(arguments << "\n" << result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(message) != std::string::npos);
  };
  wrong("sweep", "space is required");
  wrong("sweep no-such-space", "E0101");
  wrong("sweep loader-workers --shard 3/2", "shard 3 of 2");
  wrong("sweep loader-workers --level guess", "guess");
  wrong("merge a.db", "--output is required");
  wrong("report results.db --format xml", "xml");
}
