// Tabs with little room beside their names, and smaller letters where the names do not fit: all panes have one in a
// small window.
#pragma once

#include <QProxyStyle>
#include <QTabWidget>

namespace headrace::gui {

class TightTabs : public QProxyStyle {
  Q_OBJECT

 public:
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
};

class PaneTabs : public QTabWidget {
  Q_OBJECT

 public:
  explicit PaneTabs(QWidget* parent = nullptr) : QTabWidget(parent) {}
  /// In a page that scrolls: with large letters a pane is higher than a small window has room for.
  void add_pane(QWidget* pane, const QString& name);

 protected:
  void resizeEvent(QResizeEvent* event) override;
};

}  // namespace headrace::gui
