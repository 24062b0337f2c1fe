#include "gui/widgets/station_card.hpp"

#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/presenter/short_name.hpp"
#include "gui/widgets/letters.hpp"
#include "gui/widgets/qt_text.hpp"
#include "gui/widgets/slider_row.hpp"

namespace headrace::gui {
namespace {

constexpr int kWidth_px = 380;

const ParameterValue* value_of(const std::vector<ParameterValue>& sheet, const std::string& pointer) {
  const auto found =
      std::find_if(sheet.begin(), sheet.end(), [&](const ParameterValue& value) { return value.pointer == pointer; });
  return found == sheet.end() ? nullptr : &*found;
}

}  // namespace

StationCard::StationCard(QWidget* parent) : QFrame(parent, Qt::Popup) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setAccessibleName("Station");
  setFixedWidth(whole_by_letters(font(), kWidth_px));
  title_ = new QLabel(this);
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  note_ = new QLabel(this);
  note_->setWordWrap(true);
  note_->setAccessibleName("How wait and gain differ");
  others_ = new QLabel(this);
  others_->setWordWrap(true);
  others_->setAccessibleName("Parameters that are edited in the tree");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 8, 10, 8);
  column->addWidget(title_);
  figures_ = new QGridLayout;
  figures_->setVerticalSpacing(1);
  figures_->setColumnStretch(0, 1);
  parameters_ = new QVBoxLayout;
  parameters_->setSpacing(2);
  column->addLayout(figures_);
  column->addWidget(note_);
  column->addLayout(parameters_);
  column->addWidget(others_);
}

void StationCard::open(const StationRef& station, const QRect& where) {
  station_ = station;
  shown_.clear();
  show();
  adjustSize();
  const QScreen* screen = QGuiApplication::screenAt(where.center());
  const QRect room = screen == nullptr ? where.adjusted(0, 0, width(), 600) : screen->availableGeometry();
  const int left = std::clamp(where.left(), room.left(), std::max(room.left(), room.right() - width()));
  move(left, std::min(where.bottom() + 4, std::max(room.top(), room.bottom() - height())));
}

void StationCard::set_theme(const Theme& theme) {
  theme_ = theme;
  for (SliderRow* row : rows_) row->set_theme(theme);
}

void StationCard::show_facts(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet,
                             const models::Outcome& outcome) {
  facts_ = station_facts(document, sheet, outcome, station_);
  title_->setText(q(facts_.title));
  setAccessibleDescription(q(facts_.title));
  for (int row = 0; row < std::max(figures_->rowCount(), static_cast<int>(facts_.figures.size())); ++row)
    for (int column = 0; column < 2; ++column) {
      QLayoutItem* item = figures_->itemAtPosition(row, column);
      auto* label = item == nullptr ? nullptr : qobject_cast<QLabel*>(item->widget());
      const bool there = row < static_cast<int>(facts_.figures.size());
      if (label == nullptr && there) figures_->addWidget(label = new QLabel(this), row, column);
      if (label == nullptr) continue;
      label->setVisible(there);
      if (!there) continue;
      const auto& [name, value] = facts_.figures[static_cast<std::size_t>(row)];
      label->setText(q(column == 0 ? name : value));
      if (column == 1) label->setAlignment(Qt::AlignRight);
    }
  note_->setText(q(facts_.note));
  note_->setVisible(!facts_.note.empty());
  show_rows(document, sheet);
  adjustSize();
}

void StationCard::complain(const QString& pointer, const QString& why) {
  for (SliderRow* row : rows_)
    if (row->pointer() == pointer.toStdString()) row->complain(why);
}

void StationCard::show_rows(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet) {
  if (shown_ != facts_.parameters) {
    for (SliderRow* row : rows_) {
      row->hide();
      row->deleteLater();
    }
    rows_.clear();
    shown_ = facts_.parameters;
    for (const std::string& pointer : shown_) {
      const ParameterValue* value = value_of(sheet, pointer);
      if (value == nullptr || !value->can_slide()) continue;
      auto* row = new SliderRow(*value, q(place_name(document, pointer)), this);
      row->set_theme(theme_);
      row->hide_unpin();
      connect(row, &SliderRow::changed, this, &StationCard::changed);
      connect(row, &SliderRow::dragged, this, &StationCard::dragged);
      parameters_->addWidget(row);
      rows_.push_back(row);
    }
  }
  for (SliderRow* row : rows_)
    if (const ParameterValue* value = value_of(sheet, row->pointer())) row->show(*value);
  QStringList others;
  for (const std::string& pointer : facts_.parameters)
    if (const ParameterValue* value = value_of(sheet, pointer); value != nullptr && !value->can_slide())
      others.append(q(place_name(document, pointer) + ": " + value->value));
  others_->setText(others.join("; "));
  others_->setVisible(!others.isEmpty());
}

}  // namespace headrace::gui
