#include "gui/widgets/next_card.hpp"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/widgets/fixed_lines.hpp"
#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {
namespace {

/// As the pages call the gains.
QString kinds_of(const std::vector<NextStep>& steps) {
  if (std::all_of(steps.begin(), steps.end(),
                  [](const NextStep& step) { return step.kind == models::AnswerKind::bound; }))
    return "By formulas. ";
  const auto simulated = std::count_if(steps.begin(), steps.end(),
                                       [](const NextStep& step) { return step.kind == models::AnswerKind::simulated; });
  if (simulated == 0) return "Estimates. ";
  return static_cast<std::size_t>(simulated) == steps.size() ? "Simulated. " : "Simulated and estimated. ";
}

QString capital(const QString& text) { return text.left(1).toUpper() + text.mid(1); }

}  // namespace

NextCard::NextCard(QWidget* parent) : QFrame(parent) {
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName("What to do next");
  title_ = new QLabel("What to do next", this);
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  confidence_ = new FixedLines(1, "Confidence of the estimates", this);
  auto* head = new QHBoxLayout;
  constexpr int kBesideTitle_px = 10;
  head->setSpacing(kBesideTitle_px);
  head->addWidget(title_);
  head->addWidget(confidence_, 1);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(8, 4, 8, 4);
  grid->setVerticalSpacing(2);
  grid->addLayout(head, 0, 0, 1, 2);
  for (std::size_t i = 0; i < reports::kMostNextChanges; ++i) {
    const int row = static_cast<int>(i) + 1;
    auto* change = new FixedLines(1, QString("Change %1").arg(row), this);
    auto* effect = new FixedLines(1, QString("Gain and cost of change %1").arg(row), this);
    auto* lines = new QVBoxLayout;
    lines->setSpacing(0);
    lines->addWidget(change);
    lines->addWidget(effect);
    auto* apply = new QPushButton("Apply", this);
    QSizePolicy policy = apply->sizePolicy();
    policy.setRetainSizeWhenHidden(true);  // three rows always: nothing below moves
    apply->setSizePolicy(policy);
    grid->addLayout(lines, row, 0);
    grid->addWidget(apply, row, 1);
    rows_.push_back({change, effect, apply});
    connect(apply, &QPushButton::clicked, this, [this, i] {
      if (i >= steps_.size()) return;
      const NextStep step = steps_[i];  // the card may show others while the change is made
      Q_EMIT wanted(step.edits, q(step.change));
    });
  }
  nothing_ = new FixedLines(static_cast<int>(reports::kMostNextChanges), "Why no change is shown",
                            this);  // over the empty rows
  QSizePolicy over_rows(QSizePolicy::Ignored, QSizePolicy::Ignored);
  over_rows.setRetainSizeWhenHidden(true);  // the card is as high with changes as without
  nothing_->setSizePolicy(over_rows);
  grid->addWidget(nothing_, 1, 0, static_cast<int>(reports::kMostNextChanges), 2);
  grid->setColumnStretch(0, 1);
  grid->setRowStretch(static_cast<int>(reports::kMostNextChanges) + 1, 1);
  setFixedHeight(grid->sizeHint().height());
  show_waiting("Simulating ...");
}

QString NextCard::text(std::size_t row) const {
  if (row == 0 && steps_.empty()) return nothing_->text();
  return rows_.at(row).change->text() + ": " + rows_.at(row).effect->text().trimmed();
}

bool NextCard::shows_effects() const {
  return !confidence_->is_cut() &&
         std::none_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.effect->is_cut(); });
}

void NextCard::show_waiting(const QString& why) { show_steps({{}, why.toStdString()}, {}); }

void NextCard::show_steps(const NextSteps& next, const QString& confidence) {
  steps_ = next.steps;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool there = i < steps_.size();
    const QString change = there ? QString("%1. %2").arg(i + 1).arg(capital(q(steps_[i].change))) : QString();
    const QString grade = there && !steps_[i].worse_grade.empty() ? ", " + q(steps_[i].worse_grade) : QString();
    const QString effect = there ? QString("    %1, %2%3").arg(q(steps_[i].gain), q(steps_[i].cost), grade) : QString();
    rows_[i].change->show_text(change, there ? confidence : QString());
    rows_[i].effect->show_text(effect);
    rows_[i].apply->setVisible(there && !steps_[i].edits.empty());
    rows_[i].apply->setAccessibleName(there ? "Apply: " + q(steps_[i].change) : QString("Apply"));
  }
  nothing_->show_text(steps_.empty() ? q(next.nothing) : QString());
  nothing_->setVisible(steps_.empty());
  const bool known = !steps_.empty() && !confidence.isEmpty();  // of the grade; what it means stands in the banner
  const QString grade = confidence.section(';', 0, 0).section(": ", -1);
  const QString order = steps_.size() > 1 ? "The easiest first, then by gain. " : "";
  confidence_->show_text(known ? kinds_of(steps_) + order + "Today's answer: " + grade : QString(),
                         known ? confidence : QString());
  share_lines();
}

void NextCard::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  share_lines();
}

void NextCard::share_lines() {
  constexpr int kLinesOfRow = 2;
  const std::size_t filled = steps_.empty() ? rows_.size() : steps_.size();
  int spare = kLinesOfRow * static_cast<int>(rows_.size() - filled);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool there = i < filled;
    FixedLines* change = rows_[i].change;
    const int more = there ? std::clamp(change->needed_lines(change->width()) - 1, 0, spare) : 0;
    spare -= more;
    change->set_lines(there ? 1 + more : 0);
    rows_[i].effect->set_lines(there ? 1 : 0);
    QSizePolicy policy = rows_[i].apply->sizePolicy();
    policy.setRetainSizeWhenHidden(there);
    rows_[i].apply->setSizePolicy(policy);
  }
}

void NextCard::set_theme(const Theme& theme) {
  QPalette palette = this->palette();
  palette.setColor(QPalette::WindowText, theme.ink);
  setPalette(palette);
}

}  // namespace headrace::gui
