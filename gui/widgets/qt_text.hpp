// Texts of the models as Qt shows them.
#pragma once

#include <QString>
#include <string_view>

namespace headrace::gui {

inline QString q(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

}  // namespace headrace::gui
