// The sizing sheet: figures by formula, each with what went into it and whose formula it is, and what is missing.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/humane.hpp"
#include "reports/sizing_text.hpp"

namespace headrace::reports {
namespace {

std::string figure_head(const Document& figure) {
  std::string inputs;
  for (const Document& input : at(figure, "inputs"))
    inputs +=
        fmt::format("{}{} = {} ({})", inputs.empty() ? "" : ", ", escaped(text_at(input, "symbol")),
                    spelled_number(at(input, "value"), sizing_value(number_at(input, "value"), text_at(input, "unit"))),
                    escaped(text_at(input, "from")));
  return note_behind(escaped(spoken_name(text_at(figure, "name"))),
                     fmt::format("<code>{}</code><br><b>Formula:</b> {}.<br><b>From:</b> {}.<br><b>Source:</b> {}.",
                                 escaped(text_at(figure, "name")), escaped(text_at(figure, "formula")), inputs,
                                 escaped(text_at(figure, "source"))));
}

}  // namespace

std::string sizing_section(const Document& outcome) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& figure : at(outcome, "sizing"))
    rows.push_back(
        {figure_head(figure),
         spelled_number(at(figure, "value"), sizing_value(number_at(figure, "value"), text_at(figure, "unit"))),
         escaped(words(text_at(figure, "room"))), escaped(text_at(figure, "job"))});
  std::vector<std::vector<std::string>> missing;
  for (const Document& gap : at(outcome, "sizing_missing"))
    missing.push_back({escaped(spoken_name(text_at(gap, "name"))), escaped(words(text_at(gap, "room"))),
                       escaped(text_at(gap, "needs"))});
  std::string html;
  if (!rows.empty())
    html = "<p>Figures from one formula each. Open a figure for its formula, inputs and source. " +
           std::string(kSizingFrom) + "</p>" +
           html_table("Figures by formula", {{"figure"}, {"is", true}, {"about"}, {"job"}}, rows);
  if (!missing.empty())
    html += "<details><summary>Figures with missing inputs</summary>" +
            html_table("Missing input", {{"figure"}, {"about"}, {"give"}}, missing) + "</details>";
  return html;
}

}  // namespace headrace::reports
