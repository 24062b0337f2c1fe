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

/// <data value="0.3234">323.4 ms</data>: `value` is the number of the document, written as the document writes it.
/// null is "unknown".
std::string number(const nlohmann::ordered_json& value, std::string_view unit, int digits = 4);

/// A share of 1 as percent with two decimals, in the same way.
std::string share(const nlohmann::ordered_json& value);

/// "[low, high]" in the scale of `mean`; a dash for null.
std::string interval(const nlohmann::ordered_json& ends, const nlohmann::ordered_json& mean, std::string_view unit);

struct TableColumn {
  std::string_view head;
  bool number = false;  ///< set right
};

/// A table whose cells are HTML already. The first cell of a row is its head.
std::string html_table(std::string_view caption, const std::vector<TableColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, std::string_view attributes = {});

}  // namespace headrace::reports
