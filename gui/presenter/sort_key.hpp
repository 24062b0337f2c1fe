// Order of the cells of a table: numbers with units by what they say, texts by their letters.
#pragma once

#include <optional>
#include <string_view>

namespace headrace::gui {

/// "341 ms" and "1.2 s" in seconds, "12.3 %" and "1,024" as they are, "$12.40" in dollars: good for order among cells
/// of one column. Nothing for a text that does not begin with a number.
std::optional<double> sort_key(std::string_view text);

/// Whether a cell comes before another: numbers first, each smaller than the next, then texts.
bool comes_before(std::string_view a, std::string_view b);

}  // namespace headrace::gui
