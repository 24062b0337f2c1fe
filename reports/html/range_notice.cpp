#include "reports/html/range_notice.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/html/markup.hpp"

namespace headrace::reports {

std::string range_sentence(const Document& evidence) {
  std::string outside;
  for (const Document& dimension : at(evidence, "extrapolates"))
    outside += fmt::format("{}{} ({:.3g} times outside)", outside.empty() ? "" : ", ",
                           dimension.value("dimension", std::string()), number_at(dimension, "factor"));
  const std::size_t unchecked = at(evidence, "not_validated").size();
  std::string text = outside.empty() ? "" : "By dimension: " + outside + ".";
  if (unchecked > 0)
    text += fmt::format("{}{} {} of the model in use {} not validated.", text.empty() ? "" : " ", unchecked,
                        unchecked == 1 ? "part" : "parts", unchecked == 1 ? "was" : "were");
  return text;
}

std::string range_notice(const Document& evidence, std::string_view subject, std::string_view more_html) {
  const std::string text = range_sentence(evidence);
  if (text.empty()) return {};
  const std::string head = subject.empty() ? std::string("Outside the validated range.")
                                           : fmt::format("{} is outside the validated range.", subject);
  return fmt::format("<p class=\"notice\"><b>{}</b> {}{}{}</p>", escaped(head), escaped(text),
                     more_html.empty() ? "" : " ", more_html);
}

}  // namespace headrace::reports
