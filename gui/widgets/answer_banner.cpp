#include "gui/widgets/answer_banner.hpp"

#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/widgets/fixed_lines.hpp"
#include "gui/widgets/letters.hpp"
#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {
namespace {

constexpr int kVerdictLines = 2;
constexpr double kLargeVerdict = 1.35;  // of the usual letters
constexpr double kLongVerdict = 1.12;   // of one that is cut in large letters

void keep_place(QWidget* widget) {
  QSizePolicy policy = widget->sizePolicy();
  policy.setRetainSizeWhenHidden(true);
  widget->setSizePolicy(policy);
}

void set_letters(FixedLines* verdict, QFont usual, double size) {
  usual.setPointSizeF(usual.pointSizeF() * size);
  usual.setBold(true);
  verdict->setFont(usual);
}

void set_ink(QWidget* widget, const QColor& colour) {
  QPalette palette = widget->palette();
  palette.setColor(QPalette::WindowText, colour);
  widget->setPalette(palette);
}

}  // namespace

AnswerBanner::AnswerBanner(QWidget* parent) : QWidget(parent) {
  answer_ = new QWidget(this);
  verdict_ = new FixedLines(kVerdictLines, "Verdict", answer_);
  set_letters(verdict_, font(), kLargeVerdict);
  constexpr double kLarge = 1.3;  // of the usual letters: sentences take a line more
  meaning_ = new FixedLines(by_letters(font(), 1.0) > kLarge ? 3 : 2, "Meaning", answer_);
  confidence_ = new FixedLines(2, "Confidence", this);  // with its figures: none is cut
  warning_ = new FixedLines(1, "Warnings", this);
  thresholds_ = new FixedLines(1, "Thresholds", this);
  longer_ = new QPushButton("Run longer", this);
  longer_->setToolTip("Simulates four times as many steps of the same run");
  keep_place(longer_);
  read_ = new QToolButton(this);
  read_->setText("Read all");
  read_->setAutoRaise(true);
  read_->setAccessibleName("Read all of the answer");
  keep_place(read_);
  auto* first = new QHBoxLayout;
  first->addWidget(verdict_, 1, Qt::AlignTop);
  first->addWidget(longer_, 0, Qt::AlignTop);
  auto* answer = new QVBoxLayout(answer_);
  answer->setContentsMargins(0, 0, 0, 0);
  answer->setSpacing(1);
  answer->addLayout(first);
  answer->addWidget(meaning_);
  answer->addStretch(1);
  answer_->setFixedHeight(answer->sizeHint().height());
  auto* last = new QHBoxLayout;
  last->addWidget(warning_, 1);
  last->addWidget(read_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(1);
  layout->addWidget(answer_);
  layout->addWidget(confidence_);
  layout->addWidget(thresholds_);
  layout->addLayout(last);
  thresholds_->hide();
  longer_->hide();
  read_->hide();
  connect(longer_, &QPushButton::clicked, this, &AnswerBanner::longer_wanted);
  connect(read_, &QToolButton::clicked, this, &AnswerBanner::read_all);
}

QString AnswerBanner::verdict() const { return verdict_->text(); }
QString AnswerBanner::confidence() const { return confidence_->text(); }

void AnswerBanner::show_banner(const Banner& banner, bool longer) {
  mood_ = banner.mood;
  verdict_->show_text(q(banner.verdict));
  meaning_->show_text(q(banner.meaning));
  confidence_->show_text(q(banner.confidence), q(banner.confidence_reason));
  warnings_.clear();
  for (const std::string& warning : banner.warnings) warnings_.append(q(warning));
  const QString first = warnings_.value(0);
  warning_->show_text(warnings_.size() > 1 ? QString("%1 warnings: %2").arg(warnings_.size()).arg(first) : first,
                      warnings_.mid(1).join('\n'));
  longer_->setVisible(longer);
  set_theme(theme_);
  share_lines();
}

void AnswerBanner::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  share_lines();
}

void AnswerBanner::share_lines() {
  const int width = this->width() - longer_->sizeHint().width() - answer_->layout()->spacing();
  for (const double size : {kLargeVerdict, kLongVerdict}) {
    set_letters(verdict_, font(), size);
    if (verdict_->needed_lines(width) <= kVerdictLines) break;
  }
  verdict_->set_lines(std::clamp(verdict_->needed_lines(width), 1, kVerdictLines));
  const int first = std::max(verdict_->sizeHint().height(), longer_->sizeHint().height());
  const int left = answer_->height() - first - answer_->layout()->spacing();
  meaning_->set_lines(std::max(1, (left - 2) / QFontMetrics(meaning_->font()).lineSpacing()));
  read_->setVisible(!warnings_.isEmpty() || verdict_->is_cut() || meaning_->is_cut());
}

void AnswerBanner::show_thresholds(const QString& text) {
  thresholds_->show_text(text);
  thresholds_->setVisible(!text.isEmpty());
}

void AnswerBanner::set_theme(const Theme& theme) {
  theme_ = theme;
  set_ink(verdict_, mood_ == Dashboard::Mood::good  ? theme.good
                    : mood_ == Dashboard::Mood::bad ? theme.bad
                                                    : theme.unsure);
  set_ink(confidence_, theme.faint);
  set_ink(warning_, theme.unsure);
  set_ink(meaning_, theme.ink);
  set_ink(thresholds_, theme.ink);
}

QStringList AnswerBanner::everything() const {
  return QStringList{verdict_->text(), meaning_->text(), confidence_->toolTip()} + warnings_;
}

void AnswerBanner::read_all() {
  QMessageBox box(QMessageBox::NoIcon, "The answer", everything().join("\n\n"), QMessageBox::Close, this);
  box.exec();
}

}  // namespace headrace::gui
