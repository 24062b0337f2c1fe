// The start of the program and small answers, from its first instruction to its exit, and what a second thread gains.
#include <string>
#include <vector>

#include "tests/benchmarks/program.hpp"
#include "tests/benchmarks/yardstick.hpp"

namespace {

using headrace::benchmarks::median;
using headrace::benchmarks::Program;
using headrace::benchmarks::report;

/// Processor time, which other work on the machine disturbs least; the shell that starts it takes half a millisecond.
bool small(const Program& program, const std::string& name, const std::string& arguments, double limit_ms) {
  constexpr int kCalls = 21;
  std::vector<double> times_ms;
  bool answered = true;
  for (int i = 0; i < kCalls; ++i) {
    const Program::Call call = program(arguments);
    times_ms.push_back(call.processor_s * 1e3);
    answered = answered && call.answered;
  }
  const double middle_ms = median(times_ms);
  return report("program/" + name, middle_ms, "ms", middle_ms / limit_ms, "limit", 1.0) && answered;
}

/// Wall time of one thread over twice that of two, in turn; the ratio is to the efficiency that is asked for.
bool threads(const Program& program, const std::string& name, const std::string& arguments) {
  constexpr int kRounds = 3;
  constexpr double kLeast = 0.95;
  std::vector<double> one_s;
  std::vector<double> two_s;
  bool answered = true;
  for (int i = 0; i < kRounds; ++i)
    for (const bool both : {false, true}) {
      const Program::Call call = program(arguments + (both ? " --threads 2" : " --threads 1"));
      (both ? two_s : one_s).push_back(call.wall_s);
      answered = answered && call.answered;
    }
  const double efficiency = median(one_s) / (2.0 * median(two_s));
  return report("threads/" + name, efficiency, "1", kLeast / efficiency, "0.95", 1.0) && answered;
}

}  // namespace

int main(int, char** argv) {
  const Program program(argv[0]);
  bool ok = true;
  ok &= small(program, "help", "--help", 5.0);
  ok &= small(program, "bound/image-node", "bound image-node", 10.0);
  ok &= small(program, "simulate/unet3d-h100", "simulate unet3d-h100", 30.0);
  ok &= threads(program, "bakeoff", "bakeoff vision-cluster-offers --offers offer-a offer-b offer-c");
  ok &= threads(program, "sweep/estimate", "sweep image-cluster-1000 --level estimate --fresh -o :memory:");
  ok &= threads(program, "plan/plan-1250-nodes", "plan plan-1250-nodes --inputs nominal");
  ok &= threads(program, "plan/imagenet-1250-nodes", "plan imagenet-1250-nodes --inputs nominal");
  return ok ? 0 : 1;
}
