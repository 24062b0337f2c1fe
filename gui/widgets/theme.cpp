#include "gui/widgets/theme.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::gui {

Theme Theme::of(bool dark) {
  Theme theme;
  theme.dark = dark;
  if (dark) {
    theme.ground = "#14171a", theme.sheet = "#1e2327", theme.ink = "#e8eaed", theme.faint = "#a4abb3";
    theme.rule = "#3a4148", theme.good = "#43cf9f", theme.bad = "#f59357", theme.unsure = "#e8bf4a";
    theme.series = {QColor("#4aa8dc"), QColor("#f0b429"), QColor("#2fc295"),
                    QColor("#dd9cc0"), QColor("#8accf2"), QColor("#f0803c")};
  } else {
    theme.ground = "#ffffff", theme.sheet = "#f5f6f8", theme.ink = "#16191d", theme.faint = "#565d66";
    theme.rule = "#d5d9de", theme.good = "#00704f", theme.bad = "#b34700", theme.unsure = "#7a5900";
    theme.series = {QColor("#0072b2"), QColor("#e69f00"), QColor("#009e73"),
                    QColor("#cc79a7"), QColor("#56b4e9"), QColor("#d55e00")};
  }
  return theme;
}

QPalette Theme::palette() const {
  QPalette palette;
  palette.setColor(QPalette::Window, sheet);
  palette.setColor(QPalette::WindowText, ink);
  palette.setColor(QPalette::Base, ground);
  palette.setColor(QPalette::AlternateBase, sheet);
  palette.setColor(QPalette::Text, ink);
  palette.setColor(QPalette::PlaceholderText, faint);
  palette.setColor(QPalette::Button, dark ? rule : sheet);
  palette.setColor(QPalette::ButtonText, ink);
  palette.setColor(QPalette::ToolTipBase, ground);
  palette.setColor(QPalette::ToolTipText, ink);
  palette.setColor(QPalette::Highlight, QColor(dark ? "#2d6d94" : "#005c94"));
  palette.setColor(QPalette::HighlightedText, QColor("#ffffff"));
  palette.setColor(QPalette::Link, QColor(dark ? "#7cc3ee" : "#005c94"));
  palette.setColor(QPalette::Light, dark ? rule.lighter(130) : QColor("#ffffff"));
  palette.setColor(QPalette::Midlight, dark ? rule : rule.lighter(105));
  palette.setColor(QPalette::Mid, rule);
  palette.setColor(QPalette::Dark, dark ? ground.darker(130) : faint);
  palette.setColor(QPalette::Shadow, dark ? QColor("#000000") : faint);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, faint);
  return palette;
}

std::optional<Theme> theme_named(const QString& name, const QPalette& system) {
  if (name == "light") return Theme::of(false);
  if (name == "dark") return Theme::of(true);
  if (name == "system") return Theme::of(system.color(QPalette::Window).lightness() < 128);
  return std::nullopt;
}

double contrast(const QColor& a, const QColor& b) {
  const auto luminance = [](const QColor& colour) {
    const auto linear = [](double channel) {
      return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
  };
  const double first = luminance(a);
  const double second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

}  // namespace headrace::gui
