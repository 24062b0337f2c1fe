// A frame around whatever has the keyboard, from the first Tab on: widgets that paint themselves have none of their
// own, and styles leave out that of lists and tables without a chosen cell. The mouse needs none and takes it away.
#pragma once

#include <QPointer>
#include <QWidget>

namespace headrace::gui {

class FocusRing : public QObject {
  Q_OBJECT

 public:
  /// Of a window and its dialogs.
  explicit FocusRing(QWidget& window);

  /// The widget with the frame; null: none.
  QWidget* target() const { return frame_ == nullptr ? nullptr : frame_->parentWidget(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool belongs(const QWidget& widget) const;
  void move_to(QWidget& widget);

  QWidget& window_;
  QPointer<QWidget> frame_;  ///< a child of the widget with the keyboard: it scrolls and goes away with it
  bool by_keys_ = false;
};

}  // namespace headrace::gui
