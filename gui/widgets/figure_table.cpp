#include "gui/widgets/figure_table.hpp"

#include <QHeaderView>
#include <algorithm>

#include "gui/widgets/letters.hpp"
#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {

namespace {

constexpr int kLeastName_px = 92;
constexpr int kCell_px = 12;

/// "149.1 to 151.3 ms" breaks behind the "to" alone: a number keeps its unit, and "/s" stays whole.
QString broken_at_to(QString text) {
  constexpr char16_t kWordJoiner = 0x2060;
  text.replace("/s", QString("/") + QChar(kWordJoiner) + "s");
  const qsizetype to = text.indexOf(" to ");
  if (to < 0) return text;
  text.replace(' ', QChar::Nbsp);
  text[to + 3] = ' ';
  return text;
}

}  // namespace

FigureTable::FigureTable(QWidget* parent) : QTableWidget(parent) {
  setObjectName("figures-table");
  setAccessibleName("Key figures");
  const QFont small = table_letters(font());
  setFont(small);
  horizontalHeader()->setFont(small);
  verticalHeader()->hide();
  verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 4);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setAlternatingRowColors(true);
  setTabKeyNavigation(false);
  setMouseTracking(true);  // the status bar tells how the figure under the mouse comes about
  setWordWrap(true);
  setColumnCount(kColumns);
  setHorizontalHeaderLabels({"Figure", "Value", "95 %\ninterval", "Over\ninputs", "Baseline", "Change"});
}

void FigureTable::show_figures(const std::vector<MetricRow>& rows, bool compared) {
  setRowCount(static_cast<int>(rows.size()));
  bool ranged = false;
  bool of_bound = false;
  for (int i = 0; i < rowCount(); ++i) {
    const MetricRow& row = rows[static_cast<std::size_t>(i)];
    const std::string* cells[] = {&row.name, &row.value, &row.interval, &row.inputs, &row.baseline, &row.change};
    ranged = ranged || !row.inputs.empty();
    of_bound = of_bound || row.is_range_of_bound;
    for (int column = 0; column < columnCount(); ++column) {
      QTableWidgetItem* cell = item(i, column);
      if (cell == nullptr) {
        cell = new QTableWidgetItem;
        if (column > 0) cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        setItem(i, column, cell);
      }
      cell->setText(broken_at_to(q(*cells[column])));
      cell->setToolTip(q(row.meaning));
      cell->setStatusTip(q(row.meaning).replace('\n', ' '));
    }
  }
  horizontalHeaderItem(kInputs)->setText(of_bound ? "Inputs\n(bound)" : "Over\ninputs");
  horizontalHeaderItem(kInputs)->setToolTip(
      of_bound ? "Range over the inputs, p10 to p90, by the closed form: queueing is not included"
               : "Range over the inputs, p10 to p90");
  ranged_ = ranged;
  setColumnHidden(kBaseline, !compared);
  setColumnHidden(kChange, !compared);
  fit();
}

void FigureTable::resizeEvent(QResizeEvent* event) {
  QTableWidget::resizeEvent(event);
  fit();
}

void FigureTable::break_anywhere(int column) {
  for (int row = 0; row < rowCount(); ++row)
    if (QTableWidgetItem* cell = item(row, column)) cell->setText(cell->text().replace(QChar::Nbsp, ' '));
}

int FigureTable::narrowest(int column) const {
  const QFontMetrics metrics(font());
  int widest = 0;
  const auto take = [&](const QString& text, QChar between) {
    for (const QString& part : text.split(between)) widest = std::max(widest, metrics.horizontalAdvance(part));
  };
  take(horizontalHeaderItem(column)->text(), '\n');
  for (int row = 0; row < rowCount(); ++row)
    if (const QTableWidgetItem* cell = item(row, column)) take(cell->text(), ' ');
  return widest;
}

/// Beside a baseline names are as narrow as their widest word.
int FigureTable::least_name_px() const {
  return isColumnHidden(kBaseline) ? kLeastName_px : std::min(kLeastName_px, narrowest(kName) + kCell_px);
}

/// Beside a baseline the ranges over inputs, which the banner and a pane of their own show too, are the first to go.
bool FigureTable::has_room_for_inputs() const {
  if (isColumnHidden(kBaseline)) return true;
  int least = least_name_px() + widest_[kValue];
  for (const int column : {kInterval, kInputs, kBaseline, kChange}) least += narrowest(column) + kCell_px;
  return least <= viewport()->width();
}

/// Values and intervals as wide as they are, names in what is left of the view, on as many lines as they need.
void FigureTable::fit() {
  const QFontMetrics metrics(font());
  if (fitted_.empty() || fitted_.front() != rowCount()) widest_.assign(static_cast<std::size_t>(kColumns), 0);
  std::vector<int> now(static_cast<std::size_t>(kColumns), 0);
  for (int column = kName; column < kColumns; ++column) {
    int& widest = now[static_cast<std::size_t>(column)];
    for (const QString& line : horizontalHeaderItem(column)->text().split('\n'))
      widest = std::max(widest, metrics.horizontalAdvance(line) + kCell_px);
    for (int row = 0; row < rowCount(); ++row)
      if (const QTableWidgetItem* cell = item(row, column))
        widest = std::max(widest, metrics.horizontalAdvance(cell->text()) + kCell_px);
    int& before = widest_[static_cast<std::size_t>(column)];
    before = std::max(before, widest);
  }
  setColumnHidden(kInputs, !ranged_ || !has_room_for_inputs());
  const auto beside_names = [this](const std::vector<int>& widths) {
    int sum = 0;
    for (int column = kValue; column < kColumns; ++column)
      sum += isColumnHidden(column) ? 0 : widths[static_cast<std::size_t>(column)];
    return sum;
  };
  // Columns stay as wide as they were, so that they do not jump, where there is room for that.
  std::vector<int> widths = beside_names(widest_) + least_name_px() <= viewport()->width() ? widest_ : now;
  int others = beside_names(widths);
  // More than there is room for: cells break behind "to", then between any words, and every column is in view.
  for (const bool anywhere : {false, true})
    for (const int column : {kInputs, kInterval, kChange, kBaseline, kValue}) {
      const int over = others + least_name_px() - viewport()->width();
      if (over <= 0 || isColumnHidden(column) || (column == kValue && !anywhere)) continue;
      if (anywhere) break_anywhere(column);
      int& width = widths[static_cast<std::size_t>(column)];
      const int spared = std::clamp(width - narrowest(column) - kCell_px, 0, over);
      width -= spared;
      others -= spared;
    }
  const int least = least_name_px();
  widths[kName] = std::clamp(viewport()->width() - others, least, std::max(least, widths[kName]));
  for (int column = kName; column < kColumns; ++column)
    setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
  std::vector<int> wanted{rowCount(), widths[kName], widths[kInterval], widths[kInputs]};
  if (fitted_ == wanted) return;
  fitted_ = std::move(wanted);
  resizeRowsToContents();
}

}  // namespace headrace::gui
