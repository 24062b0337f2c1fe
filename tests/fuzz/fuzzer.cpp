// libFuzzer on the target that HEADRACE_FUZZ_TARGET names: ./dev fuzz TARGET [SECONDS].
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/fuzz/targets.hpp"

namespace {

const headrace::testing::FuzzTarget& chosen_target() {
  const char* name = std::getenv("HEADRACE_FUZZ_TARGET");
  for (const auto& target : headrace::testing::fuzz_targets())
    if (name != nullptr && target.name == name) return target;
  std::fputs("HEADRACE_FUZZ_TARGET is one of:", stderr);
  for (const auto& target : headrace::testing::fuzz_targets()) std::fprintf(stderr, " %s", target.name.c_str());
  std::fputs("\n", stderr);
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const headrace::testing::FuzzTarget& target = chosen_target();
  target.read(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
