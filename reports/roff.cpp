#include "reports/roff.hpp"

namespace headrace::reports {

std::string roff(std::string_view text) {
  std::string result;
  bool line_starts = true;
  for (const char c : text) {
    if (line_starts && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    line_starts = c == '\n';
  }
  return result;
}

}  // namespace headrace::reports
