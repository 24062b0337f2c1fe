#include "gui/widgets/tight_tabs.hpp"

namespace headrace::gui {

int TightTabs::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  constexpr int kBesideName_px = 8;
  if (metric == PM_TabBarTabHSpace) return kBesideName_px;
  return QProxyStyle::pixelMetric(metric, option, widget);
}

}  // namespace headrace::gui
