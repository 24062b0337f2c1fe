// Lengths that follow the size of the letters, for places that hold lines of text.
#pragma once

#include <QFont>
#include <QFontInfo>
#include <algorithm>
#include <cmath>

namespace headrace::gui {

/// `px` where letters have their usual size (9 points on a plain screen), more where they are larger.
inline double by_letters(const QFont& font, double px) {
  constexpr double kUsual_px = 12.0;
  return px * std::max(1.0, static_cast<double>(QFontInfo(font).pixelSize()) / kUsual_px);
}

inline int whole_by_letters(const QFont& font, double px) {
  return static_cast<int>(std::lround(by_letters(font, px)));
}

/// Of tables that stand beside the answer: with large letters they would leave no room for names.
inline QFont table_letters(QFont font) {
  constexpr double kLarge = 1.3;
  font.setPointSizeF(font.pointSizeF() * (by_letters(font, 1.0) > kLarge ? 0.75 : 0.9));
  return font;
}

}  // namespace headrace::gui
