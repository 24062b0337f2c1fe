// What an event does: a plain function, the object it acts on, and one number. Plain data, so that scheduling allocates
// nothing and running costs one indirect call.
#pragma once

#include <cstdint>

namespace headrace::sim {

/// What `self` points to, and `argument` if it is an address, is fetched into the caches before the event runs.
struct Action {
  void (*run)(void* self, std::uint64_t argument) = nullptr;
  void* self = nullptr;
  std::uint64_t argument = 0;

  void operator()() const { run(self, argument); }
};

}  // namespace headrace::sim
