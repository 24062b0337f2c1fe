// What an event does: a plain function, the object it acts on, and one number. Plain data, so that scheduling allocates
// nothing and running costs one indirect call.
#pragma once

#include <cstdint>

namespace headrace::sim {

struct Action {
  void (*run)(void* self, std::uint64_t argument) = nullptr;
  void* self = nullptr;
  std::uint64_t argument = 0;

  void operator()() const { run(self, argument); }
};

}  // namespace headrace::sim
