#include "gui/widgets/run_cards.hpp"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {
namespace {

QLabel* card_line(const QString& text, bool bold, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  QFont letters = label->font();
  letters.setBold(bold);
  label->setFont(letters);
  return label;
}

}  // namespace

RunCard::RunCard(const RunCardText& text, bool is_baseline, QWidget* parent) : QFrame(parent) {
  setFrameShape(QFrame::StyledPanel);
  setLineWidth(is_baseline ? 2 : 1);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setToolTip(is_baseline ? "This run is the baseline" : "A click makes this run the baseline");
  QStringList lines{q(text.name), q(text.verdict)};
  QString figures;
  for (const auto& [name, value] : text.figures) figures += (figures.isEmpty() ? "" : "\n") + q(name + " " + value);
  lines.append(figures);
  QStringList differences;
  for (const std::string& difference : text.differences) differences.append(q(difference));
  lines.append(differences.isEmpty() ? QString("Same inputs as now") : differences.join('\n'));
  text_ = lines.join('\n');
  setAccessibleName(lines.front());
  setAccessibleDescription(text_);
  remove_ = new QPushButton("Remove", this);
  remove_->setAccessibleName("Remove " + lines.front());
  auto* head = new QHBoxLayout;
  head->addWidget(card_line(lines.front(), true, this), 1);
  head->addWidget(remove_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 4, 8, 6);
  column->setSpacing(3);
  column->addLayout(head);
  for (qsizetype i = 1; i < lines.size(); ++i) column->addWidget(card_line(lines[i], false, this));
  column->addStretch(1);
  connect(remove_, &QPushButton::clicked, this, &RunCard::removed);
}

void RunCard::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT chosen();
}

void RunCard::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
    Q_EMIT chosen();
  else
    QFrame::keyPressEvent(event);
}

void RunCard::paintEvent(QPaintEvent* event) {
  QFrame::paintEvent(event);
  QPainter painter(this);
  if (lineWidth() > 1) {
    painter.setPen(QPen(palette().color(QPalette::Link), 2.0));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(palette().color(QPalette::WindowText), 1.0, Qt::DashLine));
  painter.drawRect(rect().adjusted(3, 3, -4, -4));
}

RunCards::RunCards(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Kept runs");
  grid_ = new QGridLayout(this);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setSpacing(6);
}

void RunCards::show_cards(const std::vector<RunCardText>& texts, int baseline) {
  const auto has_focus = [](const RunCard* card) { return card->hasFocus() || card->remove_button()->hasFocus(); };
  const auto focused = std::find_if(cards_.begin(), cards_.end(), has_focus);
  const bool had_focus = focused != cards_.end();
  const auto place = static_cast<std::size_t>(focused - cards_.begin());
  for (RunCard* card : cards_) {
    grid_->removeWidget(card);
    card->hide();
    card->deleteLater();  // the click that led here may still be in it
  }
  cards_.clear();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const int run = static_cast<int>(i);
    auto* card = new RunCard(texts[i], run == baseline, this);
    cards_.push_back(card);
    connect(card, &RunCard::chosen, this, [this, run] { Q_EMIT chosen(run); });
    connect(card, &RunCard::removed, this, [this, run] { Q_EMIT removed(run); });
  }
  setVisible(!cards_.empty());
  place_cards();
  if (had_focus && !cards_.empty()) cards_[std::min(place, cards_.size() - 1)]->setFocus();
}

int RunCards::columns() const {
  constexpr int kLeastCard_px = 200;
  return std::max(1, width() / kLeastCard_px);
}

void RunCards::place_cards() {
  placed_columns_ = columns();
  for (int column = 0; column < grid_->columnCount(); ++column) grid_->setColumnStretch(column, 0);
  for (std::size_t i = 0; i < cards_.size(); ++i)
    grid_->addWidget(cards_[i], static_cast<int>(i) / placed_columns_, static_cast<int>(i) % placed_columns_);
  for (int column = 0; column < placed_columns_; ++column) grid_->setColumnStretch(column, 1);
}

void RunCards::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (columns() != placed_columns_) place_cards();
}

}  // namespace headrace::gui
