#include "models/calibration/engine_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/calibration/scratch.hpp"

namespace headrace::models::calibration {
namespace {

constexpr const char* kNoComparison = "processor time of an operation does not compare with that of io_uring";

EngineChoice without_ring(std::unique_ptr<IoEngine> engine, std::string reason) {
  EngineChoice choice;
  choice.downgrades.push_back({"engine", engine->name(), std::move(reason)});
  choice.engine = std::move(engine);
  return choice;
}

EngineChoice asked_aio(std::uint32_t deepest) {
  std::string reason;
  if (auto engine = make_aio_engine(deepest, reason))
    return without_ring(std::move(engine), fmt::format("asked for; {}", kNoComparison));
  throw CalibrationError(fmt::format("there is no libaio: {}", reason), "leave out --engine");
}

/// What takes the place of io_uring, which is missing for this reason.
EngineChoice threads_or_aio(const std::string& why, bool may_be_aio, std::uint32_t deepest) {
  const std::uint32_t wanted = std::min(deepest, kMostIoThreads);
  const std::uint32_t threads = startable_threads(wanted);
  if (threads == wanted)
    return without_ring(make_thread_engine(), fmt::format("{}; one thread for each read, and {}", why, kNoComparison));
  const std::string few = fmt::format("only {} of {} threads can be started", threads, wanted);
  std::string reason = "not asked for";
  if (may_be_aio)
    if (auto engine = make_aio_engine(deepest, reason))
      return without_ring(std::move(engine), fmt::format("{}; {}; {}", why, few, kNoComparison));
  throw CalibrationError(
      fmt::format("nothing reads at depth {}: io_uring: {}; {}; libaio: {}", deepest, why, few, reason),
      "raise the limit of processes: ulimit -u, or pids.max of the control group");
}

}  // namespace

EngineChoice choose_engine(const std::string& wanted, std::uint32_t deepest) {
  if (wanted == "libaio") return asked_aio(deepest);
  if (wanted == "threads") return threads_or_aio("asked for", false, deepest);
  std::string reason;
  EngineChoice choice;
  choice.engine = make_uring_engine(deepest, reason);
  if (!choice.engine) return threads_or_aio(reason, true, deepest);
  if (!reason.empty()) {
    const std::string left = fmt::format("{}", fmt::join(choice.engine->flags(), " "));
    choice.downgrades.push_back(
        {"engine_flags", left.empty() ? "none" : left,
         reason + " with more flags: the kernel is older than they are, and completions cost more"});
  }
  return choice;
}

}  // namespace headrace::models::calibration
