// Runs the reference cases: the file that HEADRACE_CASES names, otherwise the project's own. One line per case, then
// `cases: N passed, M failed, K not modelled`; exit code 0 only if no case failed and there was one.
#include <fmt/format.h>
#include <time.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "tests/validation/cases/reference_case.hpp"

namespace {

using headrace::cases::Comparison;
using headrace::cases::ReferenceCase;
using headrace::cases::Verdict;

struct Line {
  Comparison comparison;
  double seconds = 0.0;  ///< of a processor
};

Comparison judge(const ReferenceCase& reference) {
  try {
    auto prediction = headrace::cases::predict_by_closed_form(reference);
    if (!prediction) prediction = headrace::cases::predict_by_simulation(reference);
    return headrace::cases::compare(reference, prediction);
  } catch (const std::exception& error) {  // an input that is missing, of another type, or out of the model's range
    return {Verdict::kNotModelled, error.what()};
  }
}

double thread_cpu_s() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::vector<Line> judge_all(const std::vector<ReferenceCase>& references) {
  std::vector<Line> lines(references.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < references.size(); i = next++) {
      const double start_s = thread_cpu_s();
      lines[i].comparison = judge(references[i]);
      lines[i].seconds = thread_cpu_s() - start_s;
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  return lines;
}

const char* word(Verdict verdict) {
  if (verdict == Verdict::kPass) return "PASS";
  return verdict == Verdict::kFail ? "FAIL" : "not modelled";
}

}  // namespace

int main() {
  const char* named = std::getenv("HEADRACE_CASES");
  const std::string path = named != nullptr && *named != '\0' ? named : HEADRACE_CASES_FILE;
  try {
    const std::vector<ReferenceCase> references = headrace::cases::load_cases(path);
    const std::vector<Line> lines = judge_all(references);
    int passed = 0;
    int failed = 0;
    int not_modelled = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Comparison& comparison = lines[i].comparison;
      passed += comparison.verdict == Verdict::kPass;
      failed += comparison.verdict == Verdict::kFail;
      not_modelled += comparison.verdict == Verdict::kNotModelled;
      fmt::print("{}: {}: {} [{:.2f} s]\n", references[i].id, word(comparison.verdict), comparison.detail,
                 lines[i].seconds);
    }
    fmt::print("cases: {} passed, {} failed, {} not modelled\n", passed, failed, not_modelled);
    return failed == 0 && !references.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "cases: {}\n", error.what());
    return 2;
  }
}
