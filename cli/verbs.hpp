// The verbs of the program. Each takes a parsed call, writes to the console and returns the exit status.
#pragma once

#include "cli/console.hpp"
#include "cli/invocation.hpp"

namespace headrace::cli {

int simulate(const Invocation& call, Console& console);
int bound(const Invocation& call, Console& console);
int validate(const Invocation& call, Console& console);
int explain(const Invocation& call, Console& console);
int schema(const Invocation& call, Console& console);
int backtest(const Invocation& call, Console& console);
int import(const Invocation& call, Console& console);
int init(const Invocation& call, Console& console);
int completion(const Invocation& call, Console& console);

}  // namespace headrace::cli
