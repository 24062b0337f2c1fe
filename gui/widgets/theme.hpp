// Colours of the window in light and dark. Series use those of Okabe and Ito (2008), lighter on dark ground; colour
// never stands alone.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <array>
#include <optional>

namespace headrace::gui {

struct Theme {
  bool dark = false;
  QColor ground, sheet, ink, faint, rule, good, bad, unsure;
  std::array<QColor, 6> series;

  static Theme of(bool dark);
  QPalette palette() const;
};

/// "light", "dark" or "system"; nullopt for anything else. System: by the lightness of the palette that Qt started
/// with.
std::optional<Theme> theme_named(const QString& name, const QPalette& system);

/// Contrast ratio of two colours, 1 to 21 (W3C, Web Content Accessibility Guidelines 2.1, "contrast ratio").
double contrast(const QColor& a, const QColor& b);

}  // namespace headrace::gui
