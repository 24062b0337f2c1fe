// Texts of files as they may be shown on a terminal: what would move its cursor, clear it or turn its direction of
// writing stands escaped: \x1b, \u202e. JSON means the same afterwards, for it has no such bytes but those that it,
// too, may write as \u202e.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headrace::scenarios {

/// One line: line breaks and tabs are escaped, too.
std::string visible_text(std::string_view text);

/// Several lines; with `styled`, colours and other styles (ESC [ ... m) stay as they are.
std::string visible_lines(std::string_view text, bool styled = false);

/// Length of the UTF-8 sequence at the front, 0 where there is none (RFC 3629, without its finer bans, which JSON
/// writers do not mind).
std::size_t utf8_sequence(std::string_view text);

/// First byte that no UTF-8 sequence begins or goes on with; npos where all of the text is UTF-8.
std::size_t first_not_utf8(std::string_view text);

}  // namespace headrace::scenarios
