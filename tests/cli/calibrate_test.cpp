// headrace calibrate on this machine, in small: what it prints and leaves behind, what it does where an ingredient is
// missing, and how it ends when it is disturbed.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace headrace {
namespace {

using testing::downgrades_of;
using testing::Folder;
using testing::Run;
using testing::run;
using Json = nlohmann::json;

const std::string kSmallProbes = " --size 64MiB --window 20ms --accept-noisy ";

/// The program in a child that `prepare` changes first; -1 where that fails.
int run_prepared(const std::vector<std::string>& arguments, const std::string& out,
                 const std::function<bool()>& prepare) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(file, 1);
    ::dup2(file, 2);
    if (!prepare()) ::_exit(99);
    std::vector<char*> words;
    std::string program = HEADRACE_PROGRAM;
    words.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string& word : copies) words.push_back(word.data());
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    ::_exit(98);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Lets io_uring_setup fail with `error`, as the filters of container runtimes do.
bool forbid_uring(int error) {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog filter{4, program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// A text without the breaks of its lines.
std::string unwrapped(std::string text) {
  const std::string gap = "\n    ";
  for (std::size_t at = text.find(gap); at != std::string::npos; at = text.find(gap, at))
    text.replace(at, gap.size(), " ");
  return text;
}

/// The program in a child, calibrating the folder; what it prints goes to `out`.
pid_t started(const Folder& folder, const std::string& out, const std::vector<std::string>& more) {
  const std::string path = folder.path("");
  std::vector<const char*> arguments{HEADRACE_PROGRAM, "calibrate", "--path", path.c_str()};
  for (const std::string& argument : more) arguments.push_back(argument.c_str());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(file, 1);
    ::dup2(file, 2);
    ::execv(HEADRACE_PROGRAM, const_cast<char* const*>(arguments.data()));
    ::_exit(98);
  }
  return child;
}

/// Starts a long calibration, waits for its scratch folder and lets `disturb` do its work.
int disturbed(const Folder& folder, const std::string& out,
              const std::function<void(pid_t, const std::string&)>& disturb) {
  const pid_t child = started(folder, out, {"--size", "64MiB", "--budget", "normal"});
  std::string scratch;
  for (int i = 0; i < 1000 && scratch.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("")))
      if (std::filesystem::exists(entry.path() / "data")) scratch = entry.path().string();
  }
  REQUIRE_FALSE(scratch.empty());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  disturb(child, scratch);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("calibrate lists its probes and their time before anything", "[cli]") {
  const Folder folder;
  const Run text = run("calibrate --dry-run --path '" + folder.path("") + "'");
  CHECK(text.status == 0);
  CHECK(text.out.find("random_read") != std::string::npos);
  CHECK(text.out.find("together") != std::string::npos);
  const Json plan = Json::parse(run("calibrate --dry-run --json --budget normal --path '" + folder.path("") + "'").out);
  CHECK(plan["budget"] == "normal");
  CHECK(plan["probes"].size() == 10);
  double total = 0.0;
  for (const Json& probe : plan["probes"]) total += probe["planned_s"].get<double>();
  CHECK(plan["planned_s"].get<double>() == Approx(total));
  CHECK(folder.file_count() == 0);
}

TEST_CASE("calibrate measures, writes a layer and leaves nothing else", "[cli]") {
  const Folder folder;
  const Folder results;
  const std::string site = results.path("site.json");
  const Run first =
      run("calibrate --only random_read --path '" + folder.path("") + "'" + kSmallProbes + "-o '" + site + "'");
  INFO(first.err << first.out);
  REQUIRE(first.status == 0);
  CHECK(folder.file_count() == 0);
  CHECK(first.err.find("random_read") != std::string::npos);
  CHECK(first.out.find("storage.latency") != std::string::npos);
  const Json file = Json::parse(testing::file_text(site));
  const Json& record = file["calibration"];
  CHECK(record["cells"].size() >= 2);
  CHECK(record["cells"].size() <= 13);
  for (const Json& cell : record["cells"]) {
    CHECK(cell["windows"].size() >= 1);
    CHECK(cell["latency"]["count"].get<double>() > 0);
  }
  CHECK(record["parameters"][0]["name"] == "storage.latency");
  CHECK(record["parameters"][0]["evidence"] == "measured");
  CHECK(record["sha256"].get<std::string>().size() == 64);
  if (file.contains("stores") && file["stores"][0].contains("bandwidth")) {
    CHECK(file["stores"][0]["name"] == "storage");
    CHECK(run("validate dataloader-50ms '" + site + "' --set /datasets/0/store=storage").status == 0);
  }
  const Run shown = run("calibrate --show '" + site + "'");
  CHECK(shown.status == 0);
  CHECK(shown.out == first.out);
  CHECK(run("calibrate --show '" + site + "' --json").out == testing::file_text(site));
  const Run same = run("calibrate --compare '" + site + "' '" + site + "' --json");
  CHECK(same.status == 0);
  const Json compared = Json::parse(same.out);
  for (const Json& p : compared["parameters"]) {
    CHECK(p["verdict"] != "changed");
    if (!p["ratio"].is_null()) CHECK(p["ratio"] == 1);
  }
}

TEST_CASE("every group of probes gives its figures", "[cli][long_3]") {
  const Folder folder;
  const Run all =
      run("calibrate --only sequential_read,metadata,memory,cpu,workers,contention,open_loop --json --path '" +
          folder.path("") + "'" + kSmallProbes);
  INFO(all.err);
  REQUIRE(all.status == 0);
  CHECK(folder.file_count() == 0);
  const Json file = Json::parse(all.out);
  std::map<std::string, int> cells;
  for (const Json& cell : file["calibration"]["cells"]) ++cells[cell["probe"].get<std::string>()];
  for (const char* probe :
       {"write", "sequential_read", "metadata", "memory", "cpu", "workers", "contention", "open_loop"}) {
    INFO(probe);
    // On a busy machine the time of a group may be over before its first cell; the record then says so.
    bool cut = false;
    for (const Json& downgrade : file["calibration"]["downgrades"])
      cut = cut ||
            (downgrade["field"] == "budget" && downgrade["value"].get<std::string>().find(probe) != std::string::npos);
    CHECK((cells[probe] > 0 || cut));
  }
  // Single windows, since on a busy machine three of them may scatter too much for a figure.
  const auto between = [&file](const char* probe, const char* detail, double low, double high) {
    for (const Json& cell : file["calibration"]["cells"])
      if (cell["probe"] == probe && cell["detail"] == detail)
        for (const Json& window : cell["windows"])
          if (window["rate_per_s"] > low && window["rate_per_s"] < high) return true;
    return false;
  };
  CHECK(between("cpu", "memcpy DRAM", 1e8, 1e12));
  CHECK(between("cpu", "crc32c", 1e7, 1e12));
  bool workers = false;
  for (const Json& fit : file["calibration"]["fits"]) {
    const std::string about = fit["parameter"];
    if (!about.starts_with("workers ")) continue;
    workers = true;
    const std::string decision = fit["decision"];
    CHECK((fit["family"] == "usl" || decision.find("undetermined") != std::string::npos));
    for (const Json& number : fit["numbers"]) CHECK(number["low"] <= number["high"]);
  }
  CHECK((workers || cells["workers"] == 0));
  CHECK(between("metadata", "open+stat+close", 100, 1e7));
  CHECK(between("memory", "first touch 4 KiB", 1000, 1e9));
  CHECK(between("memory", "mapped, cached", 1000, 1e9));
}

TEST_CASE("without io_uring reads go through threads, and it is said why", "[cli]") {
  const Folder folder;
  const Folder results;
  for (const auto& [error, word] : {std::pair{EPERM, "seccomp"}, {ENOSYS, "does not have it"}}) {
    const std::string site = results.path("site.json");
    const std::string out = results.path("out");
    const int status = run_prepared({"calibrate", "--path", folder.path(""), "--only", "write", "--size", "64MiB",
                                     "--window", "10ms", "--accept-noisy", "-o", site},
                                    out, [error = error] { return forbid_uring(error); });
    if (status == 99) return;  // this machine lets nobody filter
    INFO(testing::file_text(out));
    REQUIRE(status == 0);
    const Json file = Json::parse(testing::file_text(site));
    CHECK(file["calibration"]["engine"] == "threads");
    CHECK(downgrades_of(file).find("engine=threads") != std::string::npos);
    CHECK(unwrapped(testing::file_text(out)).find(word) != std::string::npos);
    CHECK(folder.file_count() == 0);
  }
}

TEST_CASE("a file system in memory that accepts O_DIRECT is found out", "[cli]") {
  constexpr long kInMemory = 0x01021994;  // TMPFS_MAGIC
  struct statfs info {};
  if (::access("/dev/shm", W_OK) != 0 || ::statfs("/dev/shm", &info) != 0 || info.f_type != kInMemory) return;
  std::string folder = "/dev/shm/headrace-test-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const Run result = run("calibrate --json --only random_read --path " + folder + kSmallProbes);
  const bool empty = std::filesystem::is_empty(folder);
  std::filesystem::remove_all(folder);
  if (result.err.find("no room") != std::string::npos) return;
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(empty);
  const Json file = Json::parse(result.out);
  const std::string downgrades = downgrades_of(file);
  CHECK(downgrades.find("device=memory;") != std::string::npos);
  CHECK((downgrades.find("direct=memory;") != std::string::npos ||
         downgrades.find("direct=buffered;") != std::string::npos));
  for (const Json& cell : file["calibration"]["cells"])
    if (cell["probe"] == "random_read") CHECK(cell["direct"] == false);
}

TEST_CASE("a quota of processors, a small disk and a user without privileges are written down", "[cli]") {
  const Folder folder;
  const Folder group;
  group.write("cpu.max", "150000 100000\n");
  const Run quota = run("calibrate --json --only write --cgroup '" + group.path("") + "' --path '" + folder.path("") +
                        "'" + kSmallProbes);
  REQUIRE(quota.status == 0);
  CHECK(downgrades_of(Json::parse(quota.out)).find("cpu_quota=1.5;") != std::string::npos);
  if (::geteuid() != 0) {
    CHECK(downgrades_of(Json::parse(quota.out)).find("metadata_cold=skipped;") != std::string::npos);
    return;
  }
  const Folder results;
  const std::string site = results.path("site.json");
  std::filesystem::permissions(folder.path(""), std::filesystem::perms::all);
  std::filesystem::permissions(results.path(""), std::filesystem::perms::all);
  const auto drop = [] { return ::setgid(65534) == 0 && ::setuid(65534) == 0; };
  const int status = run_prepared({"calibrate", "--path", folder.path(""), "--only", "write", "--size", "64MiB",
                                   "--window", "20ms", "--accept-noisy", "-o", site},
                                  results.path("out"), drop);
  INFO(testing::file_text(results.path("out")));
  if (status != 98) {  // the program may lie where that user cannot reach it
    REQUIRE(status == 0);
    CHECK(testing::file_text(results.path("out")).find("metadata_cold = skipped: ") != std::string::npos);
    CHECK(testing::file_text(results.path("out")).find("needs root") != std::string::npos);
  }
  const auto small_disk = [&folder] {
    return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount("none", folder.path("").c_str(), "tmpfs", 0, "size=290m") == 0;
  };
  const std::string small = results.path("small.json");
  const int mounted = run_prepared(
      {"calibrate", "--path", folder.path(""), "--only", "write", "--window", "20ms", "--accept-noisy", "-o", small},
      results.path("out"), small_disk);
  if (mounted == 99) return;
  INFO(testing::file_text(results.path("out")));
  REQUIRE(mounted == 0);
  CHECK(downgrades_of(Json::parse(testing::file_text(small))).find("file_size=72 MiB;") != std::string::npos);
}

TEST_CASE("a full disk ends with a message and leaves nothing", "[cli]") {
  const Folder folder;
  const Folder results;
  const std::string left = results.path("left");
  // So few files fit that the small ones of the metadata probe do not.
  const auto full_disk = [&folder] {
    return ::geteuid() == 0 && ::unshare(CLONE_NEWNS) == 0 &&
           ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount("none", folder.path("").c_str(), "tmpfs", 0, "size=300m,nr_inodes=40") == 0;
  };
  const int status = run_prepared({"calibrate", "--path", folder.path(""), "--only", "metadata", "--window", "20ms"},
                                  results.path("out"), full_disk);
  if (status == 99) return;
  const std::string out = testing::file_text(results.path("out"));
  INFO(out);
  CHECK(status == 2);
  CHECK(out.find("No space left on device") != std::string::npos);
  CHECK(out.find("the disk is full") != std::string::npos);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("an interrupt keeps what was measured and cleans up", "[cli]") {
  const Folder folder;
  const Folder results;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const int status =
        disturbed(folder, results.path("out"), [signal](pid_t child, const std::string&) { ::kill(child, signal); });
    const std::string out = testing::file_text(results.path("out"));
    INFO(signal << " " << out);
    CHECK(status == 130);
    CHECK(out.find("interrupted") != std::string::npos);
    CHECK(folder.file_count() == 0);
  }
}

TEST_CASE("an interrupt before anything was measured leaves the file of before", "[cli]") {
  const Folder folder;
  const Folder results;
  const std::string site = results.write("site.json", "of before");
  const std::string out = results.path("out");
  const pid_t child = started(folder, out, {"--window", "10s", "-o", site});
  // The plan is printed behind the check of the file and before the watch for interrupts: the scratch folder is there
  // when the program listens.
  for (int i = 0; i < 1000 && folder.file_count() == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  INFO(testing::file_text(out));
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  // On a machine under load a first window may have ended before the signal came.
  const bool nothing = testing::file_text(out).find("before anything was measured") != std::string::npos;
  CHECK((testing::file_text(site) == "of before") == nothing);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("a folder that vanishes ends with a message", "[cli]") {
  const Folder folder;
  const Folder results;
  const int status = disturbed(folder, results.path("out"),
                               [](pid_t, const std::string& scratch) { std::filesystem::remove_all(scratch); });
  const std::string out = testing::file_text(results.path("out"));
  INFO(out);
  CHECK(status == 2);
  CHECK(out.find("is gone") != std::string::npos);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("what cannot be calibrated is refused", "[cli]") {
  const Folder folder;
  const auto refused = [](const std::string& arguments, const std::string& message) {
    const Run result = run("calibrate " + arguments);
    INFO(arguments << "\n" << result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(message) != std::string::npos);
  };
  refused("", "--path DIR");
  refused("--path '" + folder.path("none") + "'", "No such file");
  refused("--dry-run --path '" + folder.path("none") + "'", "No such file");
  refused("--path '" + folder.write("file", "x") + "'", "raw devices are never touched");
  refused("--path /dev/null", "raw devices are never touched");
  refused("--path /proc", "cannot make a folder");
  refused("--path . --budget huge", "huge");
  refused("--path . --only disk", "disk");
  refused("--show '" + folder.path("none.json") + "'", "E0101");
  refused("--show '" + folder.write("other.json", "{}") + "'", "E0130");
  refused("--compare a.json", "2 required");
}

TEST_CASE("a GPU that is not there is named, and the rest is measured", "[cli]") {
  const Folder folder;
  const std::string call = "calibrate --json --gpu 0 --only gpu" + kSmallProbes + "--path '" + folder.path("") + "'";
  const Run nowhere = run(call, "HEADRACE_CUDA_LIBRARY=/nowhere/libheadrace_cuda.so");
  CHECK(nowhere.status == 0);
  CHECK(downgrades_of(Json::parse(nowhere.out)).find("gpu=no_cuda_library;") != std::string::npos);
  const Run none = run(call, "HEADRACE_FAKE_GPU=none HEADRACE_CUDA_LIBRARY='" HEADRACE_FAKE_GPU_LIBRARY "'");
  CHECK(none.status == 0);
  CHECK(downgrades_of(Json::parse(none.out)).find("gpu=no_gpu;") != std::string::npos);
  const Run there = run(call, "HEADRACE_CUDA_LIBRARY='" HEADRACE_FAKE_GPU_LIBRARY "'");
  REQUIRE(there.status == 0);
  const Json file = Json::parse(there.out);
  CHECK(file["cluster"]["pools"][0]["gpu"]["pcie"].get<std::string>().find("GB/s") != std::string::npos);
  CHECK(run("calibrate --dry-run --gpu 0 --path /tmp").out.find("matrix products") != std::string::npos);
  CHECK(run("calibrate --dry-run --path /tmp").out.find("matrix products") == std::string::npos);
}

TEST_CASE("reading and copying to a GPU are measured beside each other, and the noise of one read by itself", "[cli]") {
  const Folder folder;
  const Run there =
      run("calibrate --json --gpu 0 --only contention,noise" + kSmallProbes + "--path '" + folder.path("") + "'",
          "HEADRACE_CUDA_LIBRARY='" HEADRACE_FAKE_GPU_LIBRARY "'");
  REQUIRE(there.status == 0);
  std::string fits;
  const Json file = Json::parse(there.out);
  for (const Json& fit : file["calibration"]["fits"]) fits += fit["parameter"].get<std::string>() + ";";
  INFO(fits);
  CHECK(fits.find("contention: read beside h2d;") != std::string::npos);
  CHECK(fits.find("contention: h2d beside read;") != std::string::npos);
  CHECK(fits.find("noise over window length;") != std::string::npos);
  const Run alone = run("calibrate --json --only contention" + kSmallProbes + "--path '" + folder.path("") + "'");
  REQUIRE(alone.status == 0);
  CHECK(alone.out.find("beside h2d") == std::string::npos);
  CHECK(alone.out.find("noise over window length") == std::string::npos);
}

TEST_CASE("a GPU that slows itself down is not measured on", "[cli]") {
  const Folder folder;
  const std::string library = "HEADRACE_CUDA_LIBRARY='" HEADRACE_FAKE_GPU_LIBRARY "' ";
  const std::string nvml = "HEADRACE_NVML_LIBRARY='" HEADRACE_FAKE_GPU_LIBRARY "' ";
  const std::string call = "calibrate --json --gpu 0 --only gpu" + kSmallProbes + "--path '" + folder.path("") + "'";
  const auto facts = [](const Json& file) {
    std::map<std::string, std::string> all;
    for (const Json& fact : file["calibration"]["host"]) all[fact["key"]] = fact["value"];
    return all;
  };
  const auto gpu_cells = [](const Json& file) {
    int count = 0;
    for (const Json& cell : file["calibration"]["cells"]) count += cell["probe"] == "gpu" ? 1 : 0;
    return count;
  };
  const Json cool = Json::parse(run(call, library + nvml).out);
  CHECK(facts(cool)["gpu_clocks_start"] == "1500 of 1500 MHz, 41 C, not throttled");
  CHECK(facts(cool)["gpu_clocks_end"] == "1500 of 1500 MHz, 41 C, not throttled");
  CHECK(gpu_cells(cool) > 10);
  const Json hot = Json::parse(run(call, library + nvml + "HEADRACE_FAKE_GPU=hot").out);
  CHECK(facts(hot)["gpu_clocks_end"] == "600 of 1500 MHz, 92 C, power cap, heat, by the hardware");
  CHECK(downgrades_of(hot).find("gpu_throttled=600 of 1500 MHz") != std::string::npos);
  CHECK(gpu_cells(hot) == 0);
  const Json untold = Json::parse(run(call, library + "HEADRACE_NVML_LIBRARY=/nowhere/nvml.so").out);
  CHECK(facts(untold)["gpu_clocks_start"] == "unknown");
  CHECK(gpu_cells(untold) > 10);
}

TEST_CASE("where no GPU is measured the catalogue's figures of the named one stand in", "[cli]") {
  const Folder folder;
  const Folder results;
  const std::string site = results.path("site.json");
  const std::string small = kSmallProbes + "--only write --path '" + folder.path("") + "'";
  const Run named = run("calibrate --gpu 0 --gpu-model h100-sxm5-80gb -o '" + site + "'" + small,
                        "HEADRACE_CUDA_LIBRARY=/nowhere/libheadrace_cuda.so");
  INFO(named.err);
  REQUIRE(named.status == 0);
  CHECK(named.out.find("gpu = catalogue: ") != std::string::npos);
  const Json file = Json::parse(testing::file_text(site));
  CHECK(file["cluster"]["pools"][0]["gpu"]["pcie"] == "63 GB/s");
  CHECK(file["cluster"]["pools"][0]["gpu"]["peak"] == "989.4 TFLOP/s");
  std::map<std::string, Json> parameters;
  for (const Json& p : file["calibration"]["parameters"]) parameters[p["name"]] = p;
  const Json& pcie = parameters["gpu.h2d_pinned"];
  CHECK(pcie["evidence"] == "catalogue");
  CHECK(pcie["low"].get<double>() == Approx(0.7 * 63e9));
  CHECK(pcie["high"].get<double>() == Approx(1.3 * 63e9));
  CHECK(pcie["provenance"].get<std::string>().find("H100-SXM5-80GB") != std::string::npos);
  const Run shown = run("calibrate --show '" + site + "'");
  CHECK(shown.out == named.out);
  CHECK(run("calibrate --show '" + site + "' --json").out == testing::file_text(site));
  // Nothing is invented: not without a name, and not beside what was measured.
  const Run unnamed = run("calibrate --json --gpu 0" + small, "HEADRACE_CUDA_LIBRARY=/nowhere/libheadrace_cuda.so");
  CHECK(downgrades_of(Json::parse(unnamed.out)).find("gpu=catalogue;") == std::string::npos);
  CHECK_FALSE(Json::parse(unnamed.out).contains("cluster"));
  const Run there = run("calibrate --json --gpu 0 --gpu-model h100-sxm5-80gb --only gpu" + kSmallProbes + "--path '" +
                            folder.path("") + "'",
                        "HEADRACE_CUDA_LIBRARY='" HEADRACE_FAKE_GPU_LIBRARY "'");
  CHECK(downgrades_of(Json::parse(there.out)).find("gpu=catalogue;") == std::string::npos);
  const Json measured = Json::parse(there.out);
  for (const Json& p : measured["calibration"]["parameters"]) CHECK(p["evidence"] == "measured");
  const Run several = run("calibrate --dry-run --gpu-model h100 --path '" + folder.path("") + "'");
  CHECK(several.status == 2);
  CHECK(several.err.find("H100-SXM5-80GB or H100-PCIe-80GB") != std::string::npos);
  const Run none = run("calibrate --dry-run --gpu-model hal9000 --path '" + folder.path("") + "'");
  CHECK(none.status == 2);
  CHECK(none.err.find("the catalogue has no GPU 'hal9000'") != std::string::npos);
}

}  // namespace headrace
