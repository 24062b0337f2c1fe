// What the program's exit status means; scripts rely on it.
#pragma once

namespace headrace::cli {

enum ExitCode : int {
  kOk = 0,
  kFailed = 1,  ///< a threshold or comparison failed
  kBadInput = 2,
  kInconclusive = 3,
  kInternalError = 4,
  kInterrupted = 130,
};

}  // namespace headrace::cli
