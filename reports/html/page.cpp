#include "reports/html/page.hpp"

#include <fmt/format.h>

#include <string_view>

#include "reports/html/markup.hpp"
#include "reports/html/style_sheet.hpp"

namespace headrace::reports {
namespace {

/// No line breaks between a number and its unit. Text that is copied or searched for in the file has plain spaces.
constexpr std::string_view kWholeNumbers = R"({
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const units = /(\d) (?=(%|([kMGTP]i?)?[Bb](\/s)?|[mun]?s|min|h|days?|weeks?|months?|years?|[kM]W?|billion)(?!\w))/g;
for (let text; (text = texts.nextNode());)
  if (!text.parentElement.closest("script, style, pre, code, svg, output"))
    text.data = text.data.replace(units, "$1\u00a0");
}
)";

}  // namespace

std::string command_block(const std::string& command) {
  return command.empty() ? "" : "<pre tabindex=\"0\">" + command_html(command) + "</pre>";
}

std::string html_page(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'{}; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"Headrace\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
      page.web_assembly ? " 'wasm-unsafe-eval'" : "", escaped(page.title), style_sheet());
  html += "<header><h1>" + escaped(page.title) + "</h1>\n" + page.head + "</header>\n<nav aria-label=\"Sections\"><ul>";
  for (const PageSection& section : page.sections)
    if (!section.body.empty())
      html += fmt::format("<li><a href=\"#{}\">{}</a></li>", section.id, escaped(section.title));
  html += "</ul></nav>\n<main>\n";
  for (const PageSection& section : page.sections)
    if (!section.body.empty())
      html += fmt::format(
          "<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
          section.id, escaped(section.title), section.body);
  html += "</main>\n";
  html += fmt::format("<script>\n{}{}</script>\n", kWholeNumbers, page.script);
  return html + "</body>\n</html>\n";
}

}  // namespace headrace::reports
