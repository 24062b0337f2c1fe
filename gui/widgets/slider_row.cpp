#include "gui/widgets/slider_row.hpp"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>

#include "gui/widgets/evidence_badge.hpp"

namespace headrace::gui {
namespace {

double value_of(const ParameterValue& parameter) {
  return number_of(parameter, parameter.value).value_or(parameter.facts.low);
}

/// "loader workers" and "job 'vision'" of "job 'vision': loader workers". What tells two of the same apart has a line
/// of its own; a name alone has two where it is too long for one. What is still too long is cut in its middle.
class SliderName : public QLabel {
 public:
  SliderName(const QString& name, QWidget* parent) : QLabel(parent), of_(name.section(": ", 0, 0)) {
    setTextFormat(Qt::PlainText);
    const bool alone = !name.contains(": ");
    parameter_ = alone ? name : name.section(": ", 1);
    if (alone) of_.clear();
    fit();
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QLabel::resizeEvent(event);
    fit();
  }

 private:
  void fit() {
    const auto cut = [this](const QString& line) { return fontMetrics().elidedText(line, Qt::ElideMiddle, width()); };
    const auto fits = [this](const QString& line) { return fontMetrics().horizontalAdvance(line) <= width(); };
    if (!of_.isEmpty()) return setText(cut(parameter_) + '\n' + cut(of_));
    qsizetype end = parameter_.size();  // of the first line
    while (end > 0 && !fits(parameter_.left(end))) end = parameter_.lastIndexOf(' ', end - 1);
    setText(end <= 0 || end == parameter_.size() ? cut(parameter_)
                                                 : parameter_.left(end) + '\n' + cut(parameter_.mid(end + 1)));
  }

  QString parameter_;
  QString of_;
};

}  // namespace

SliderRow::SliderRow(const ParameterValue& parameter, const QString& name, QWidget* parent)
    : QWidget(parent), parameter_(parameter), scale_(parameter, value_of(parameter)) {
  name_ = new SliderName(name, this);
  name_->setAccessibleName(name);
  badge_ = new QLabel(this);
  badge_->setAccessibleName("Evidence of " + name);
  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setRange(0, reports::SliderScale::kTicks);
  slider_->setPageStep(reports::SliderScale::kTicks / 20);
  slider_->setSingleStep(reports::SliderScale::kTicks / 100);
  slider_->setAccessibleName(name + " slider");
  field_ = new QLineEdit(this);
  field_->setAccessibleName(name);
  constexpr int kField_px = 104;
  constexpr int kBesideText_px = 14;
  field_->setFixedWidth(std::max(kField_px, field_->fontMetrics().horizontalAdvance("12.5 GB/s") + kBesideText_px));
  name_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a long name does not push the rest away
  name_->setMinimumWidth(90);
  unpin_ = new QToolButton(this);
  unpin_->setText(QString::fromUtf8("\xC3\x97"));
  unpin_->setAutoRaise(true);
  unpin_->setToolTip("Unpin");
  unpin_->setAccessibleName("Unpin " + name);
  name_->setBuddy(field_);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(4, 2, 4, 2);
  grid->setVerticalSpacing(0);
  grid->addWidget(name_, 0, 0, Qt::AlignVCenter);
  grid->addWidget(field_, 0, 1);
  grid->addWidget(unpin_, 0, 2);
  grid->addWidget(slider_, 1, 0);
  grid->addWidget(badge_, 1, 1, 1, 2);  // beside the slider: the name needs the room above
  grid->setColumnStretch(0, 1);
  connect(slider_, &QSlider::sliderPressed, this, [this] {
    ++drag_;
    Q_EMIT dragged(true);
  });
  connect(slider_, &QSlider::sliderReleased, this, [this] { Q_EMIT dragged(false); });
  connect(slider_, &QSlider::valueChanged, this, &SliderRow::slide);
  connect(field_, &QLineEdit::editingFinished, this, &SliderRow::type);
  connect(unpin_, &QToolButton::clicked, this, [this] { Q_EMIT unpinned(QString::fromStdString(parameter_.pointer)); });
  slider_->installEventFilter(this);
  field_->installEventFilter(this);
  show(parameter);
}

void SliderRow::show(const ParameterValue& parameter) {
  if (parameter.value != parameter_.value) complain({});  // another value stands here now
  parameter_ = parameter;
  const double value = value_of(parameter);
  if (value < scale_.low() || value > scale_.high()) scale_ = reports::SliderScale(parameter, value);
  const QSignalBlocker quiet(slider_);
  // While it is dragged the slider leads: a rounded value must not push it back.
  if (!slider_->isSliderDown()) slider_->setValue(scale_.tick_of(value));
  if (!field_->isModified() && !refused_) field_->setText(QString::fromStdString(parameter.value));
  show_badge();
  const QString tip = name_->accessibleName() + '\n' + QString::fromStdString(tooltip(parameter));
  for (QWidget* widget : {static_cast<QWidget*>(name_), static_cast<QWidget*>(badge_), static_cast<QWidget*>(slider_)})
    widget->setToolTip(tip);
  if (!refused_) field_->setToolTip(tip);
  slider_->setAccessibleDescription(QString::fromStdString(parameter.value + "; " + parameter.facts.meaning));
}

void SliderRow::set_theme(const Theme& theme) {
  theme_ = theme;
  show_badge();
}

void SliderRow::hide_unpin() { unpin_->hide(); }

void SliderRow::show_badge() {
  const QString evidence = QString::fromStdString(parameter_.evidence);
  badge_->setText(evidence_text(evidence));
  QPalette palette = badge_->palette();
  palette.setColor(QPalette::WindowText, evidence_colour(evidence, theme_));
  badge_->setPalette(palette);
}

void SliderRow::complain(const QString& why) {
  refused_ = !why.isEmpty();
  if (!refused_) {
    field_->setPalette(QPalette());  // that of the window, whatever its theme
    field_->setToolTip(QString::fromStdString(tooltip(parameter_)));
    return;
  }
  field_->setToolTip(why);
  QPalette palette = field_->palette();
  palette.setColor(QPalette::Base, QColor("#7a2e00"));
  palette.setColor(QPalette::Text, QColor("#ffffff"));
  field_->setPalette(palette);
}

void SliderRow::slide(int tick) {
  if (!slider_->isSliderDown()) ++drag_;  // keys and wheel: a step each
  const QString value = QString::fromStdString(spelled(parameter_, scale_.value_at(tick)));
  field_->setModified(false);
  Q_EMIT changed(QString::fromStdString(parameter_.pointer), value, drag_);
}

void SliderRow::type() {
  if (!field_->isModified()) return;
  field_->setModified(false);
  const QString text = field_->text().trimmed();
  if (refused_ && text.toStdString() == parameter_.value) return complain({});  // back to what holds
  Q_EMIT changed(QString::fromStdString(parameter_.pointer), text, 0);
}

bool SliderRow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::MouseButtonPress) Q_EMIT taken();
  return QWidget::eventFilter(watched, event);
}

}  // namespace headrace::gui
