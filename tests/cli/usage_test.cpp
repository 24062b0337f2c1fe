#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::Run;
using headrace::testing::run;

TEST_CASE("help and version go to standard output", "[cli]") {
  const Run help = run("--help");
  CHECK(help.status == 0);
  CHECK(help.err.empty());
  for (const char* verb :
       {"simulate", "bound", "validate", "explain", "schema", "import", "backtest", "init", "completion", "plan"})
    CHECK(help.out.find(verb) != std::string::npos);
  const Run verb = run("simulate --help");
  CHECK(verb.status == 0);
  CHECK(verb.out.find("--max-wall") != std::string::npos);
  const Run version = run("--version");
  CHECK(version.status == 0);
  CHECK(version.out.starts_with("headrace "));
  CHECK(version.out.find("2026.5") != std::string::npos);
}

TEST_CASE("usage errors end with 2, one message and a way out", "[cli]") {
  const auto wrong = [](const std::string& arguments, const std::string& message, const std::string& help) {
    const Run result = run(arguments);
    INFO(arguments << "\n" << result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(message) != std::string::npos);
    CHECK(result.err.find(help) != std::string::npos);
    CHECK(result.err.find("error: ", 1) == std::string::npos);
  };
  wrong("", "the verb is missing", "headrace --help");
  wrong("simulte a.json", "there is no verb 'simulte'", "did you mean 'simulate'?");
  wrong("xyzzy", "there is no verb 'xyzzy'", "--help");
  wrong("simulate a.json --replication 4", "'headrace simulate' has no flag '--replication'",
        "did you mean '--replications'?");
  wrong("--seed 4 simulate a.json", "there is no flag '--seed' before a verb", "after the verb");
  wrong("simulate", "scenario is required", "headrace simulate --help");
  wrong("compare image-node", "required", "headrace compare image-node image-node --set-b");
  wrong("simulate a.json --seed x", "--seed", "headrace simulate --help");
  wrong("simulate a.json --precision 0", "--precision", "headrace simulate --help");
  wrong("simulate a.json --granularity 'chunk(0)'", "none of auto, batch, chunk(M), sample", "--help");
  wrong("simulate unet3d-h100 --granularity sample --set /jobs/0/loader/lanes=4", "sample granularity", "chunk(8)");
  wrong("simulate a.json --as-of 2026-13-01", "--as-of: '2026-13-01' is not a day of the calendar\n",
        "write a date such as 2026-11-20 (headrace simulate --help)");
  wrong("simulate a.json --as-of 2026-02-30", "is not a day of the calendar", "--help");
  wrong("import fio a.json --date 2026-99-99", "--date: '2026-99-99' is not a day of the calendar\n",
        "write a date such as 2026-11-20 (headrace import --help)");
  wrong("import fio a.json --date tomorrow", "'tomorrow' is not a date\n", "write a date such as");
  wrong("campaign a.json --days 0", "--days: '0' is out of bounds\n", "write a value from 0.001 to 36500 (");
  wrong("bakeoff a.json --offers b.json --draws 3", "--draws: '3' is no power of two", "write 8, 16,");
  wrong("bakeoff a.json --offers b.json --draws many", "--draws: 'many' is no count", "headrace bakeoff --help");
  wrong("plan a.json --confidence-fed 120%", "--confidence-fed: '1.2' is not between 0 and 100 %", "write 90 % or 0.9");
  wrong("--", "the verb is missing", "headrace --help");
  wrong("simulate a.json --color pink", "pink", "--help");
  wrong("simulate a.json --steps 0", "--steps", "--help");
  wrong("bakeoff a.json", "--offers", "--offers");
  wrong("schema picture", "picture", "headrace schema --help");
  wrong("explain xyzzy123", "unknown name 'xyzzy123'", "headrace explain");
  wrong("explain transfr", "unknown name", "did you mean 'transfer'?");
}

TEST_CASE("documents are written whole or not at all", "[cli]") {
  const Folder folder;
  CHECK(run("schema outcome -o '" + folder.path("schema.json") + "'").status == 0);
  CHECK(headrace::testing::file_text(folder.path("schema.json")) == run("schema outcome").out);
  CHECK(folder.file_count() == 1);
  const Run nowhere = run("schema outcome -o '" + folder.path("none/schema.json") + "'");
  CHECK(nowhere.status == 2);
  CHECK(nowhere.err.find("No such file or directory") != std::string::npos);
  const Run on_folder = run("schema outcome -o '" + folder.path("") + "'");
  CHECK(on_folder.status == 2);
  CHECK(on_folder.err.find("it is a folder") != std::string::npos);
  CHECK(folder.file_count() == 1);
  CHECK(run("schema outcome -o /dev/null").status == 0);
  std::filesystem::create_symlink("schema.json", folder.path("link.json"));
  CHECK(run("schema site -o '" + folder.path("link.json") + "'").status == 0);
  CHECK(std::filesystem::is_symlink(folder.path("link.json")));
  CHECK(headrace::testing::file_text(folder.path("schema.json")) == run("schema site").out);
}

TEST_CASE("completion scripts are accepted by their shells") {
  const Folder folder;
  const Run bash = run("completion bash");
  REQUIRE(bash.status == 0);
  CHECK(std::system(("bash -n '" + folder.write("c.bash", bash.out) + "'").c_str()) == 0);
  const std::string question =
      "COMP_WORDS=(headrace simulate --se); COMP_CWORD=2; _headrace; "
      "test \"${COMPREPLY[*]}\" = '--set --seed'\n";
  CHECK(std::system(("bash '" + folder.write("ask.bash", bash.out + question) + "' 2>/dev/null").c_str()) == 0);
  for (const char* shell : {"zsh", "fish"}) {
    const Run script = run(std::string("completion ") + shell);
    CHECK(script.status == 0);
    CHECK(script.out.find("max-wall") != std::string::npos);
    CHECK(script.out.find("simulate") != std::string::npos);
    const std::string check = std::string("command -v ") + shell + " >/dev/null || exit 0; " + shell + " -n '" +
                              folder.write(std::string("c.") + shell, script.out) + "'";
    CHECK(std::system(check.c_str()) == 0);
  }
}

TEST_CASE("what follows the value of a repeatable option is not another value", "[cli]") {
  const Run bound = run("bound --set /jobs/0/loader/workers=3 image-node --json");
  INFO(bound.err);
  CHECK(bound.status == 0);
  CHECK(run("check --slo 'gpu_idle_fraction < 50 %' image-node --quick --json").err.find("required") ==
        std::string::npos);
}

TEST_CASE("words that are not UTF-8 are refused, files may be called anything", "[cli]") {
  for (const char* call : {"bound image-node --set '/title=a\xFFz'", "check image-node --slo 'a\xFF < 3'",
                           "plan image-node --decide '/jobs/0/name=\xFF,b' --json", "explain '\xC3'"}) {
    const Run refused = run(call);
    INFO(call);
    CHECK(refused.status == 2);
    CHECK(refused.out.empty());
    CHECK(refused.err.find("is not UTF-8") != std::string::npos);
  }
  const Folder folder;
  const std::string file = folder.write("n\xFF.json", R"({"extends": "image-node"})");
  for (const char* verb : {"bound", "validate", "simulate --steps 64"}) {
    INFO(verb);
    const Run done = run(std::string(verb) + " '" + file + "' --json");
    CHECK((done.status == 0 || done.status == 3));
    CHECK(nlohmann::json::accept(done.out));
    const std::string output = folder.path("o\xFF.json");
    CHECK(run(std::string(verb) + " '" + file + "' --json -o '" + output + "'").status == done.status);
    CHECK(file_text(output) == done.out);
  }
}

TEST_CASE("a reader that stops reading is no fault", "[cli]") {
  const Folder folder;
  const std::string call = "'" HEADRACE_PROGRAM "' explain --reference parameters 2>'" + folder.path("err") +
                           "' | head -c 1 >/dev/null; test ! -s '" + folder.path("err") + "'";
  CHECK(std::system(call.c_str()) == 0);
}
