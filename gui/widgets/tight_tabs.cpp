#include "gui/widgets/tight_tabs.hpp"

#include <QTabBar>

namespace headrace::gui {

int TightTabs::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  constexpr int kBesideName_px = 8;
  if (metric == PM_TabBarTabHSpace) return kBesideName_px;
  return QProxyStyle::pixelMetric(metric, option, widget);
}

void PaneTabs::resizeEvent(QResizeEvent* event) {
  constexpr double kSmallest = 0.7;
  constexpr double kLess = 0.05;
  const QFont plain = font();
  for (double size = 1.0; size >= kSmallest; size -= kLess) {
    QFont smaller = plain;
    if (plain.pointSizeF() > 0.0) smaller.setPointSizeF(plain.pointSizeF() * size);
    tabBar()->setFont(smaller);
    if (tabBar()->sizeHint().width() <= width()) break;
  }
  QTabWidget::resizeEvent(event);
}

}  // namespace headrace::gui
