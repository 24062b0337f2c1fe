#include <nlohmann/json.hpp>
#include <set>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::Folder;
using headrace::testing::matches_golden;
using headrace::testing::Run;
using headrace::testing::run;

namespace {

const std::string kResults = "'" HEADRACE_SOURCE_DIR "/tests/validation/data/mlperf_storage_results.csv'";

void collect(const nlohmann::json& value, const std::string& path, std::set<std::string>& keys) {
  if (value.is_array())
    for (const auto& item : value) collect(item, path + "[]", keys);
  if (value.is_object())
    for (const auto& [key, item] : value.items()) {
      keys.insert(path + "." + key);
      collect(item, path + "." + key, keys);
    }
}

}  // namespace

TEST_CASE("the keys of a backtest document", "[cli][golden]") {
  const Run result = run("backtest " + kResults + " --from accelerator=a100 --json");
  REQUIRE(result.status == 0);
  CHECK(result.err.empty());
  std::set<std::string> keys;
  collect(nlohmann::json::parse(result.out), "", keys);
  std::string text;
  for (const std::string& key : keys) text += key + "\n";
  CHECK(matches_golden(text, "tests/cli/backtest_keys.golden.txt"));
}

TEST_CASE("every row has a role and a status, unknown values are null", "[cli]") {
  const auto document = nlohmann::json::parse(run("backtest " + kResults + " --from smallest --json").out);
  REQUIRE(document["rows"].size() == 85);
  std::size_t predicted = 0;
  for (const auto& row : document["rows"]) {
    const bool calibrates = row["role"] == "calibrate";
    CHECK(row["status"] == (calibrates ? "calibrated" : "predicted"));
    CHECK(row["predicted"]["au_percent"].is_null() == calibrates);
    predicted += calibrates ? 0U : 1U;
  }
  CHECK(document["summary"]["predicted"] == predicted);
  CHECK(document["summary"]["au"]["count"] == predicted);
  CHECK(document["summary"]["not_predicted"] == 0);
}

TEST_CASE("one's own history with figures of one's own", "[cli]") {
  const Folder folder;
  const std::string figures = folder.write("w.json", R"({"training": [{"workload": "mine", "accelerator": "x1",
      "computation_time_s": 0.2, "batch_size": 8, "record_length_bytes": 1e7, "au_threshold": 0.9}]})");
  const std::string rows = folder.write(
      "r.csv",
      "workload,accelerator,num_accelerators,AU_pct_mean,samples_per_s,role,mood\nmine,x1,8,95,300,calibrate,"
      "good\nmine,x1,16,93,,predict,bad\nmine,x2,16,93,,predict,bad\n");
  const Run text = run("backtest '" + rows + "' --workloads '" + figures + "'");
  INFO(text.err << text.out);
  CHECK(text.status == 0);
  CHECK(text.err.find("columns not used: mood") != std::string::npos);
  CHECK(text.out.find("3 rows: 1 calibrate, 1 predicted, 1 not predicted") != std::string::npos);
  CHECK(text.out.find("line 4: ") != std::string::npos);
  CHECK(text.out.find("the computation time of mine on x2 is not known") != std::string::npos);
  CHECK(run("backtest '" + rows + "' --quiet --workloads '" + figures + "'").err.empty());
}

TEST_CASE("a row with an odd cell is listed with its reason", "[cli]") {
  const Folder folder;
  const std::string rows = folder.write("r.csv",
                                        "workload,accelerator,num_accelerators,AU_pct_mean\nunet3d,h100,2,97\n"
                                        "unet3d,h100,0,96\nunet3d,h100,4,n/a\nunet3d,h100,8,940\n");
  const Run result = run("backtest '" + rows + "' --from smallest --json");
  INFO(result.err);
  REQUIRE(result.status == 0);
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document["rows"][0]["status"] == "calibrated");
  CHECK(document["rows"][1]["reason"] == "num_accelerators is 0, outside 1 to 1e+15");
  CHECK(document["rows"][2]["status"] == "predicted");
  CHECK(document["rows"][2]["measured"]["au_percent"].is_null());
  CHECK(document["rows"][3]["status"] == "not_predicted");
  CHECK(document["summary"]["not_predicted"] == 2);
}

TEST_CASE("bad tables, filters and figures end with 2", "[cli]") {
  const Folder folder;
  const auto refused = [](const std::string& arguments, const std::string& message) {
    const Run result = run("backtest " + arguments);
    INFO(arguments << "\n" << result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(message) != std::string::npos);
  };
  refused("", "required");
  refused("'" + folder.path("none.csv") + "'", "E0101");
  refused("'" + folder.write("e.csv", "") + "'", "E0103");
  const std::string ragged =
      folder.write("r.csv", "workload,accelerator,num_accelerators,AU_pct_mean\nunet3d,h100,2\n");
  refused("'" + ragged + "'", "r.csv:2:1");
  refused(kResults + " --from acelerator=a100", "did you mean 'accelerator'?");
  refused(kResults + " --from accelerator=b200", "no row has accelerator=b200");
  refused(kResults + " --workloads '" + folder.write("w.json", "{}") + "'", "training");
  refused(kResults + " --form smallest", "did you mean '--from'?");
  const Run json = run("backtest '" + ragged + "' --json");
  CHECK(nlohmann::json::parse(json.err)["diagnostics"][0]["code"] == "E0110");
}
