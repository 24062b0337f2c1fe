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

}  // namespace headrace::gui
