#include "gui/widgets/focus_ring.hpp"

#include <QApplication>
#include <QFocusEvent>
#include <QPainter>

namespace headrace::gui {
namespace {

class RingFrame : public QWidget {
 public:
  explicit RingFrame(QWidget& target) : QWidget(&target) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setGeometry(target.rect());
  }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    constexpr double kWide_px = 2.0;
    QPainter painter(this);
    QPen pen(palette().color(QPalette::Link), kWide_px);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.drawRect(QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0));
  }
};

bool is_by_keys(Qt::FocusReason reason) {
  return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
}

/// The keyboard comes back to where it was.
bool is_return(Qt::FocusReason reason) {
  return reason == Qt::ActiveWindowFocusReason || reason == Qt::PopupFocusReason || reason == Qt::MenuBarFocusReason;
}

}  // namespace

FocusRing::FocusRing(QWidget& window) : QObject(&window), window_(window) { qApp->installEventFilter(this); }

bool FocusRing::belongs(const QWidget& widget) const {
  for (const QWidget* at = &widget; at != nullptr; at = at->parentWidget())
    if (at == &window_) return true;
  return false;
}

void FocusRing::move_to(QWidget& widget) {
  delete frame_.data();
  frame_ = new RingFrame(widget);
  frame_->show();
  frame_->raise();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress) {
    by_keys_ = false;
    delete frame_.data();
  }
  const bool of_focus = event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut;
  if (!of_focus && event->type() != QEvent::Resize) return false;
  auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr) return false;
  if (event->type() == QEvent::Resize) {
    if (widget == target()) frame_->setGeometry(widget->rect());
    return false;
  }
  if (!belongs(*widget)) return false;
  if (event->type() == QEvent::FocusOut) {
    if (widget == target()) delete frame_.data();
    return false;
  }
  const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
  if (!is_return(reason)) by_keys_ = is_by_keys(reason);
  if (by_keys_) move_to(*widget);
  return false;
}

}  // namespace headrace::gui
