// What calibrate does where the kernel or the file system lacks something: each case is made with a filter on system
// calls or with files of a control group, and must be a named field and a line of the report.
#include <linux/io_uring.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"
#include "tests/cli/supervised_run.hpp"

namespace headrace {
namespace {

using testing::CallRule;
using testing::CaughtCall;
using testing::Folder;
using testing::Run;
using Json = nlohmann::json;

constexpr unsigned kSingleIssuer = 1U << 12;  // IORING_SETUP_SINGLE_ISSUER, which older headers lack

struct Outcome {
  int status = 0;
  std::string text;  ///< the report
  Json record;

  bool skipped() const { return status == 99; }
  bool is_in_memory() const { return has("device", "memory"); }
  std::string reason(const std::string& field) const {
    for (const Json& d : record["downgrades"])
      if (d["field"] == field) return d["reason"];
    return "";
  }
  /// A downgrade with its line in the report.
  bool has(const std::string& field, const std::string& value) const {
    for (const Json& d : record["downgrades"])
      if (d["field"] == field && d["value"].get<std::string>().rfind(value, 0) == 0 &&
          d["reason"].get<std::string>().size() > 5)
        return text.find("  " + field + " = " + d["value"].get<std::string>() + ": ") != std::string::npos;
    return false;
  }
};

Outcome calibrated(const Folder& folder, const std::string& probes, const CallRule& rule,
                   const std::function<void(const CaughtCall&)>& on_call = {}, int forbidden = -1,
                   const std::string& engine = "auto") {
  const Folder results;
  const std::string site = results.path("site.json");
  Outcome outcome;
  outcome.status = testing::run_filtered({"calibrate", "--path", folder.path(""), "--only", probes, "--size", "8MiB",
                                          "--window", "10ms", "--accept-noisy", "--engine", engine, "-o", site},
                                         results.path("out"), rule, on_call, forbidden);
  outcome.text = testing::file_text(results.path("out"));
  if (outcome.status == 0) outcome.record = Json::parse(testing::file_text(site))["calibration"];
  return outcome;
}

}  // namespace

TEST_CASE("a file system that refuses O_DIRECT is read through the page cache, whose pages are dropped", "[cli]") {
  const Folder folder;
  const Outcome outcome =
      calibrated(folder, "random_read", {SYS_openat, 2, O_DIRECT, SECCOMP_RET_ERRNO | static_cast<unsigned>(EINVAL)});
  if (outcome.skipped()) return;
  INFO(outcome.text);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.has("direct", "buffered"));
  CHECK(outcome.has("cache_control", outcome.is_in_memory() ? "none" : "fadvise"));
  for (const Json& cell : outcome.record["cells"])
    if (cell["probe"] == "random_read") CHECK(cell["direct"] == false);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("a file system that takes O_DIRECT and reads through its cache is found out", "[cli]") {
  const Folder folder;
  const Outcome outcome =
      calibrated(folder, "random_read", {SYS_openat, 2, O_DIRECT, SECCOMP_RET_USER_NOTIF}, [](const CaughtCall& call) {
        const std::string path = call.read_text(call.request.data.args[1]);
        const int flags = static_cast<int>(call.request.data.args[2]) & ~O_DIRECT;
        const int file = ::open(path.c_str(), flags, 0600);
        if (file < 0) return call.refuse(errno);
        call.answer_with_file(file);
        ::close(file);
      });
  if (outcome.skipped()) return;
  INFO(outcome.text);
  REQUIRE(outcome.status == 0);
  CHECK((outcome.has("direct", "page cache") || outcome.is_in_memory()));
  CHECK(outcome.has("cache_control", outcome.is_in_memory() ? "none" : "fadvise"));
  for (const Json& cell : outcome.record["cells"])
    if (cell["probe"] == "random_read") CHECK(cell["direct"] == false);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("a kernel without the newer flags of io_uring gets fewer of them", "[cli]") {
  const Folder folder;
  int rings = 0;
  const Outcome outcome =
      calibrated(folder, "write", {SYS_io_uring_setup, 0, 0, SECCOMP_RET_USER_NOTIF}, [&rings](const CaughtCall& call) {
        io_uring_params parameters{};
        if (!call.read_memory(call.request.data.args[1], &parameters, sizeof(parameters))) return call.refuse(EPERM);
        ++rings;
        if ((parameters.flags & kSingleIssuer) != 0) return call.refuse(EINVAL);
        call.let_through();
      });
  if (outcome.skipped() || rings == 0) return;
  INFO(outcome.text);
  REQUIRE(outcome.status == 0);
  if (outcome.record["engine"] != "io_uring") return;  // this machine has none at all
  CHECK(outcome.has("engine_flags", "COOP_TASKRUN"));
  CHECK(outcome.record["engine_flags"] == "COOP_TASKRUN");
}

/// Lets twenty threads start, as a limit of processes would.
std::function<void(const CaughtCall&)> first_twenty(int& started) {
  return [&started](const CaughtCall& call) {
    if (++started > 20) return call.refuse(EAGAIN);
    call.let_through();
  };
}

TEST_CASE("without io_uring and without threads reads go through libaio", "[cli][long_4]") {
  const Folder folder;
  int started = 0;
  const Outcome outcome = calibrated(folder, "random_read", {SYS_clone3, 0, 0, SECCOMP_RET_USER_NOTIF},
                                     first_twenty(started), SYS_io_uring_setup);
  if (outcome.skipped() || started == 0) return;  // an older C library starts threads by another call
  INFO(outcome.text);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.record["engine"] == "libaio");
  CHECK(outcome.has("engine", "libaio"));
  CHECK(outcome.reason("engine").find("of 64 threads can be started") != std::string::npos);
  CHECK(outcome.reason("engine").find("io_uring_setup: Operation not permitted") != std::string::npos);
  for (const Json& cell : outcome.record["cells"]) CHECK((cell["direct"] == true || cell["depth"] == 1));
  CHECK(outcome.has("engine_depth", "1") == (outcome.is_in_memory() || outcome.has("direct", "")));
  CHECK(folder.file_count() == 0);
}

TEST_CASE("libaio can be asked for, and reads at depth", "[cli][long_1]") {
  const Folder folder;
  const CallRule no_ring{SYS_io_uring_setup, 0, 0, SECCOMP_RET_ERRNO | static_cast<unsigned>(EPERM)};
  const Outcome outcome = calibrated(folder, "random_read", no_ring, {}, -1, "libaio");
  if (outcome.skipped()) return;
  INFO(outcome.text);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.record["engine"] == "libaio");
  CHECK(outcome.has("engine", "libaio"));
  bool deep = false;
  for (const Json& cell : outcome.record["cells"])
    deep =
        deep || (cell["probe"] == "random_read" && cell["depth"] == 16 && cell["latency"]["count"].get<double>() > 0);
  CHECK((deep || outcome.has("engine_depth", "1")));
  CHECK(folder.file_count() == 0);
}

TEST_CASE("an engine that was asked for and is not there is refused", "[cli]") {
  const Folder folder;
  const CallRule none{SYS_io_setup, 0, 0, SECCOMP_RET_ERRNO | static_cast<unsigned>(ENOSYS)};
  const Outcome outcome = calibrated(folder, "write", none, {}, -1, "libaio");
  if (outcome.skipped()) return;
  CHECK(outcome.status == 2);
  CHECK(outcome.text.find("there is no libaio: io_setup: Function not implemented") != std::string::npos);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("without any way to keep reads under way it is said what to raise", "[cli]") {
  const Folder folder;
  int started = 0;
  const Outcome outcome =
      calibrated(folder, "write", {SYS_clone3, 0, 0, SECCOMP_RET_USER_NOTIF}, first_twenty(started), -1, "threads");
  if (outcome.skipped() || started == 0) return;
  INFO(outcome.text);
  CHECK(outcome.status == 2);
  CHECK(outcome.text.find("of 64 threads can be started") != std::string::npos);
  CHECK(outcome.text.find("ulimit -u") != std::string::npos);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("limits of the control group on the device are written down", "[cli]") {
  const Folder folder;
  const Folder group;
  struct stat info {};
  REQUIRE(::stat(folder.path("").c_str(), &info) == 0);
  if (major(info.st_dev) == 0) return;  // no device behind it
  group.write("io.max", std::to_string(major(info.st_dev)) + ":" + std::to_string(minor(info.st_dev)) +
                            " rbps=104857600 wbps=max riops=max wiops=max\n");
  const Run result = testing::run("calibrate --only write --size 8MiB --window 10ms --accept-noisy --cgroup '" +
                                  group.path("") + "' --path '" + folder.path("") + "'");
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.out.find("  io_limit = rbps=104857600 wbps=max riops=max wiops=max: ") != std::string::npos);
}

}  // namespace headrace
