#include "gui/widgets/tight_tabs.hpp"

#include <QEvent>
#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <algorithm>

namespace headrace::gui {
namespace {

/// As high as its tab, and only where that is less than the pane needs at least higher than it: most panes scroll
/// inside already.
class PanePage : public QScrollArea {
 public:
  PanePage(QWidget* pane, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);  // what is in it has the keyboard
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(pane);
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QScrollArea::resizeEvent(event);
    fit();
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) fit();
    return QScrollArea::eventFilter(watched, event);
  }

 private:
  int least_height(int width) const {
    const QLayout* layout = widget()->layout();
    return layout->hasHeightForWidth() ? layout->minimumHeightForWidth(width) : layout->minimumSize().height();
  }
  void fit() {
    QSize room = maximumViewportSize();
    if (least_height(room.width()) > room.height()) room.rwidth() -= verticalScrollBar()->sizeHint().width();
    widget()->resize(room.width(), std::max(room.height(), least_height(room.width())));
  }
};

}  // namespace

int TightTabs::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  constexpr int kBesideName_px = 8;
  if (metric == PM_TabBarTabHSpace) return kBesideName_px;
  return QProxyStyle::pixelMetric(metric, option, widget);
}

void PaneTabs::add_pane(QWidget* pane, const QString& name) { addTab(new PanePage(pane, this), name); }

void PaneTabs::resizeEvent(QResizeEvent* event) {
  constexpr double kSmallest = 0.55;  // of letters that are larger than usual
  constexpr double kReadable_pt = 6.5;
  constexpr double kLess = 0.05;
  const QFont plain = font();
  for (double size = 1.0; size >= kSmallest; size -= kLess) {
    if (size < 1.0 && plain.pointSizeF() * size < kReadable_pt) break;
    QFont smaller = plain;
    if (plain.pointSizeF() > 0.0) smaller.setPointSizeF(plain.pointSizeF() * size);
    tabBar()->setFont(smaller);
    if (tabBar()->sizeHint().width() <= width()) break;
  }
  QTabWidget::resizeEvent(event);
}

}  // namespace headrace::gui
