// Small tools to set text for a terminal: wrapped paragraphs, bars, columns, shares that add up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headrace::reports {

/// `text` broken at spaces to lines of at most `width` characters; lines after the first start with `indent` spaces,
/// and the first is taken to start at column `indent` already. A word longer than a line stands alone.
std::string wrapped(std::string_view text, int width, int indent);

/// A bar of '#' of `share` times `width`, rounded to the nearest; a share over zero shows at least one mark.
std::string bar(double share, int width);

/// Shares of a whole as percent texts with one decimal whose sum reads exactly 100.0 (largest remainders). Shares that
/// do not sum to 1 within 1e-6 are rounded one by one instead: the text must not hide a broken partition.
std::vector<std::string> percent_partition(const std::vector<double>& shares);

struct Column {
  bool right = false;
  int min_width = 0;
};
inline constexpr Column kLeft{false, 0};
inline constexpr Column kRight{true, 0};

/// Rows of cells set in columns that are as wide as their widest cell, two spaces apart, each line indented by two.
/// Empty cells at the end of a row leave no trailing blanks.
std::string table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows);

/// The same within `width` columns: columns that do not fit follow in tables of their own, each with the first `keys`
/// columns again.
std::string folded_table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows,
                         int width, std::size_t keys = 1);

/// Options of a command in lines of at most `width` that a shell reads as one, each indented by two.
std::string pasted_options(std::string_view options, int width);

/// The table under labels: a label on a line of its own before each row but the first, the rows four further in.
std::string labelled_table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows,
                           const std::vector<std::string>& labels);

}  // namespace headrace::reports
