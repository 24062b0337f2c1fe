#include "reports/html/confidence_notice.hpp"

#include <fmt/format.h>

#include "reports/confidence_text.hpp"
#include "reports/html/markup.hpp"

namespace headrace::reports {

std::string confidence_notice(const Document& confidence, std::string_view subject, std::string_view more_html) {
  if (!may_change_verdict(confidence)) return {};
  const std::string head = subject.empty() ? std::string("The verdict may be wrong.")
                                           : fmt::format("The verdict of {} may be wrong.", subject);
  return fmt::format("<p class=\"notice\"><b>{}</b> {}{}{}</p>", head, escaped(text_at(confidence, "reason")),
                     more_html.empty() ? "" : " ", more_html);
}

}  // namespace headrace::reports
