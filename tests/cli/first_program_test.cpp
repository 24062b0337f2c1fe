#include <string>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::Folder;
using headrace::testing::Run;
using headrace::testing::run;

namespace {

Run run_first(const std::string& arguments) { return run(arguments, "", HEADRACE_FIRST_PROGRAM); }

}  // namespace

TEST_CASE("the first program answers its question as the whole program does", "[cli]") {
  const Folder folder;
  const std::string layer = folder.path("unet3d.json");
  const std::string import = "import dlio '" HEADRACE_SOURCE_DIR
                             "/scenarios/workloads/unet3d_h100.yaml' --accelerators 8 --hosts 1 -o '" +
                             layer + "'";
  const Run imported = run_first(import);
  INFO(imported.err);
  REQUIRE(imported.status == 0);
  CHECK(imported.err == run(import).err);
  for (const char* form : {"", " --verbose", " --json"}) {
    const std::string call = "simulate storage-nvme-host '" + layer + "' --steps 40" + form;
    const Run first = run_first(call);
    const Run whole = run(call);
    INFO(call << "\n" << first.err);
    CHECK(first.status == whole.status);
    CHECK(first.out == whole.out);
    CHECK(first.err == whole.err);
  }
}

TEST_CASE("the first program says where the verbs and forms are that it leaves out", "[cli]") {
  for (const char* call : {"plan imagenet-1250-nodes", "simulate image-node --report page.html",
                           "simulate image-node -o page.html", "simulate image-node -o answer.md"}) {
    const Run refused = run_first(call);
    INFO(call << "\n" << refused.err);
    CHECK(refused.status == 2);
    CHECK(refused.out.empty());
    CHECK(refused.err.find("./dev build release") != std::string::npos);
  }
  CHECK(run_first("simulat image-node").err.find("did you mean 'simulate'?") != std::string::npos);
}
