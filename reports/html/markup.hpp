// Words and numbers as HTML. Every number of a report goes through number(), which keeps the value of the JSON document
// beside its readable form.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::reports {

/// Text with the five characters replaced that mean something in HTML or in a quoted attribute.
std::string escaped(std::string_view text);

/// A command or its options as code, whose lines do not break within the name of an option.
std::string command_html(std::string_view command);
/// Text whose options of the command line are not broken between lines.
std::string prose_html(std::string_view prose);

/// <data value="0.3234">323.4 ms</data>: `value` is the number of the document, written as the document writes it.
/// null is "unknown".
std::string number(const nlohmann::ordered_json& value, std::string_view unit, int digits = 4);

/// A count: whole, with commas between thousands.
std::string count(const nlohmann::ordered_json& value);

/// A number of the document in words of the caller's: <data value="...">text</data>.
std::string spelled_number(const nlohmann::ordered_json& value, std::string_view text);

/// A line of a bill, to the cent.
std::string bill_amount(const nlohmann::ordered_json& usd);
/// What a line of a ledger costs.
std::string bill_line_amount(const nlohmann::ordered_json& line);

/// A share of 1 as percent with two decimals, in the same way.
std::string share(const nlohmann::ordered_json& value);

/// Two numbers of the document as an interval; one of them where both read the same.
std::string number_span(const std::string& low, const std::string& high);

/// "[low, high]" in the scale of `mean`; a dash for null.
std::string interval(const nlohmann::ordered_json& ends, const nlohmann::ordered_json& mean, std::string_view unit);

/// The first words of a page: what was found, in one line, and what it means. Mood: "good", "bad" or "unsure".
std::string verdict_box(std::string_view mood, std::string_view line, std::string_view meaning);

/// Text behind a head that opens by pointer or key, and on paper.
std::string note_behind(std::string_view head_html, std::string_view text_html);

struct TableColumn {
  std::string head;
  bool number = false;  ///< set right
};

/// Begins a table, down to where its rows begin; "</tbody></table></div>" ends it. On a narrow page each row is a card
/// of its own, whose cells bear the head of their column; it stands once in the style of the table, not in each cell.
std::string open_table(std::string_view caption, const std::vector<TableColumn>& columns,
                       std::string_view attributes = {});

/// A table whose cells are HTML already. The first cell of a row is its head.
std::string html_table(std::string_view caption, const std::vector<TableColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, std::string_view attributes = {});

}  // namespace headrace::reports
