// The verbs of the program. Each takes a parsed call, writes to the console and returns the exit status.
#pragma once

#include "cli/console.hpp"
#include "cli/invocation.hpp"

namespace headrace::cli {

int simulate(const Invocation& call, Console& console);
int plan(const Invocation& call, Console& console);
int bound(const Invocation& call, Console& console);
int check(const Invocation& call, Console& console);
int compare(const Invocation& call, Console& console);
int validate(const Invocation& call, Console& console);
int explain(const Invocation& call, Console& console);
int schema(const Invocation& call, Console& console);
int backtest(const Invocation& call, Console& console);
int import(const Invocation& call, Console& console);
int init(const Invocation& call, Console& console);
int sweep(const Invocation& call, Console& console);
int merge(const Invocation& call, Console& console);
int report(const Invocation& call, Console& console);
int calibrate(const Invocation& call, Console& console);
int verify(const Invocation& call, Console& console);
int completion(const Invocation& call, Console& console);

}  // namespace headrace::cli
