#include "cli/store_refusal.hpp"

#include "cli/console.hpp"
#include "cli/exit_code.hpp"

namespace headrace::cli {

int refuse(const scenarios::StoreError& error, Console& console) {
  scenarios::Diagnostic diagnostic;
  diagnostic.code = error.code();
  diagnostic.message = error.what();
  diagnostic.help = error.fix();
  console.raw_error(print_text(diagnostic, console.err_colour()));
  return kBadInput;
}

}  // namespace headrace::cli
