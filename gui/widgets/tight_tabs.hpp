// Tabs with little room beside their names, so that all panes have one in a small window.
#pragma once

#include <QProxyStyle>

namespace headrace::gui {

class TightTabs : public QProxyStyle {
  Q_OBJECT

 public:
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
};

}  // namespace headrace::gui
