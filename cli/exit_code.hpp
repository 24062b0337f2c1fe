// What the program's exit status means; scripts rely on it.
#pragma once

#include <array>
#include <string_view>

namespace headrace::cli {

enum ExitCode : int {
  kOk = 0,
  kFailed = 1,  ///< a threshold or comparison failed
  kBadInput = 2,
  kInconclusive = 3,
  kInternalError = 4,
  kInterrupted = 130,
};

struct ExitMeaning {
  ExitCode code;
  std::string_view meaning;
};

/// As reference pages say it.
inline constexpr std::array kExitMeanings = {
    ExitMeaning{kOk, "ok"},
    ExitMeaning{kFailed, "a threshold or comparison failed, or the scenario cannot run (infeasible)"},
    ExitMeaning{kBadInput, "bad input or usage"},
    ExitMeaning{kInconclusive, "inconclusive: too little data to decide"},
    ExitMeaning{kInternalError, "internal error; the line that replays it is printed"},
    ExitMeaning{kInterrupted, "interrupted; partial results are delivered"},
};

}  // namespace headrace::cli
