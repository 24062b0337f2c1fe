// How long an architect waits for a decision: the shipped ones, the requirements of two scenarios, and 10,000 GPUs, as
// the program next to this one answers them. Processor time of all threads over two cores, so that other work on the
// machine does not count.
#include <string>

#include "tests/benchmarks/program.hpp"
#include "tests/benchmarks/yardstick.hpp"

namespace {

using headrace::benchmarks::Program;

constexpr double kDecision_s = 120.0;  ///< that an architect waits for a decision

bool decide(const Program& program, const std::string& name, const std::string& arguments,
            double limit_s = kDecision_s) {
  constexpr double kCores = 2.0;
  const Program::Call call = program(arguments + " --threads 2");
  const double took_s = call.processor_s / kCores;
  return headrace::benchmarks::report("decision/" + name, took_s, "s", took_s / limit_s, "limit", 1.0) && call.answered;
}

}  // namespace

int main(int, char** argv) {
  const Program program(argv[0]);
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
  ok &= decide(program, "plan/imagenet-1250-nodes", "plan imagenet-1250-nodes", 10.0);
  ok &= decide(program, "plan/plan-1250-nodes", "plan plan-1250-nodes --inputs nominal", 5.0);
  return ok ? 0 : 1;
}
