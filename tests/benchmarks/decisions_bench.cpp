// How long an architect waits for a decision: the shipped ones, the requirements of two scenarios, and 10,000 GPUs, as
// the program next to this one answers them. Processor time of all threads over two cores, so that other work on the
// machine does not count.
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/benchmarks/yardstick.hpp"

namespace {

double seconds_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

constexpr double kDecision_s = 120.0;  ///< that an architect waits for a decision

/// An answer that a limit is missed (exit status 1) is one.
bool decide(const std::string& program, const std::string& name, const std::string& call,
            double limit_s = kDecision_s) {
  constexpr double kCores = 2.0;
  const double before_s = seconds_of_children();
  const int status = std::system(("'" + program + "' " + call + " --threads 2 > /dev/null 2>&1").c_str());
  const double took_s = (seconds_of_children() - before_s) / kCores;
  const bool fast = headrace::benchmarks::report("decision/" + name, took_s, "s", took_s / limit_s, "limit", 1.0);
  const bool answered = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
  if (!answered) std::fprintf(stderr, "%s: wait status %d\n", call.c_str(), status);
  return fast && answered;
}

}  // namespace

int main(int, char** argv) {
  const std::string program = (std::filesystem::path(argv[0]).parent_path() / "headrace").string();
  bool ok = true;
  ok &= decide(program, "campaign", "campaign llm-pretraining-90-days");
  ok &= decide(program, "bakeoff", "bakeoff vision-cluster-offers --offers offer-a offer-b offer-c");
  ok &= decide(program, "growth", "growth growing-fleet");
  ok &= decide(program, "require/image-node", "plan image-node --require");
  ok &= decide(program, "require/imagenet-1250-nodes", "plan imagenet-1250-nodes --require");
  ok &= decide(program, "init", "init --model ResNet-50", 1.0);
  ok &= decide(program, "fleet", "campaign shared-pool-campaign");
  ok &= decide(program, "simulate/imagenet-1250-nodes", "simulate imagenet-1250-nodes", 1.0);
  ok &= decide(program, "plan/imagenet-1250-nodes/nominal", "plan imagenet-1250-nodes --inputs nominal", 10.0);
  ok &= decide(program, "plan/imagenet-1250-nodes", "plan imagenet-1250-nodes");
  return ok ? 0 : 1;
}
