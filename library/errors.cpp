#include "library/errors.hpp"

#include "scenarios/document/visible_text.hpp"

namespace headrace {

Error error_of(const scenarios::Diagnostics& diagnostics) {
  const scenarios::Diagnostic first = diagnostics.sorted().front();
  Error error;
  error.code = first.code;
  error.place = scenarios::visible_text(first.where.file);
  if (first.where.line > 0) error.place += fmt::format(":{}:{}", first.where.line, first.where.column);
  error.pointer = scenarios::visible_text(first.pointer);
  error.cause = scenarios::visible_text(first.message);
  error.fix = scenarios::visible_text(first.help);
  error.text = print_text(diagnostics);
  return error;
}

Error error_of(const std::string& cause, const std::string& fix, const std::string& code) {
  Error error;
  error.code = code;
  error.cause = scenarios::visible_text(cause);
  error.fix = scenarios::visible_text(fix);
  error.text = fmt::format("error{}: {}\n", code.empty() ? "" : "[" + code + "]", error.cause);
  if (!fix.empty()) error.text += fmt::format("  = help: {}\n", error.fix);
  return error;
}

Error internal_error(const std::string& cause, const std::string& fix) {
  Error error = error_of(cause, fix);
  error.kind = Error::Kind::internal;
  return error;
}

}  // namespace headrace
