// One pinned parameter: name, slider around what it is today, and a field that takes "400 Gb/s".
#pragma once

#include <QWidget>

#include "gui/presenter/parameter_sheet.hpp"
#include "gui/widgets/theme.hpp"
#include "reports/slider_scale.hpp"

class QLabel;
class QLineEdit;
class QSlider;
class QToolButton;

namespace headrace::gui {

class SliderRow : public QWidget {
  Q_OBJECT

 public:
  SliderRow(const ParameterValue& parameter, const QString& name, QWidget* parent = nullptr);

  /// The value that the document holds now.
  void show(const ParameterValue& parameter);
  const std::string& pointer() const { return parameter_.pointer; }
  QSlider* slider() const { return slider_; }
  QLineEdit* field() const { return field_; }
  /// Why the last value was refused; empty: it was not.
  void complain(const QString& why);
  bool is_refused() const { return refused_; }
  void set_theme(const Theme& theme);
  /// Of a card, which is no list of pins.
  void hide_unpin();

 Q_SIGNALS:
  /// `drag` counts the drags of this row: changes of one drag are one step of undo. 0: typed.
  void changed(const QString& pointer, const QString& value, int drag);
  void taken();  ///< the row got the focus, its parameter is the one to plot
  void unpinned(const QString& pointer);
  void dragged(bool begins);  ///< or ends

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void slide(int tick);
  void type();

  ParameterValue parameter_;
  reports::SliderScale scale_;
  void show_badge();

  QLabel* name_;
  QLabel* badge_;  ///< how well the value is known
  Theme theme_ = Theme::of(false);
  QSlider* slider_;
  QLineEdit* field_;
  QToolButton* unpin_;
  int drag_ = 0;
  bool refused_ = false;  ///< the text of the field
};

}  // namespace headrace::gui
