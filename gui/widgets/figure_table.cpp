#include "gui/widgets/figure_table.hpp"

#include <QHeaderView>
#include <algorithm>

#include "gui/widgets/letters.hpp"
#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {

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
  setHorizontalHeaderLabels({"Figure", "Value", "95 %\ninterval", "Range\nover inputs", "Baseline", "Change"});
}

void FigureTable::show_figures(const std::vector<MetricRow>& rows, bool compared) {
  setRowCount(static_cast<int>(rows.size()));
  bool ranged = false;
  for (int i = 0; i < rowCount(); ++i) {
    const MetricRow& row = rows[static_cast<std::size_t>(i)];
    const std::string* cells[] = {&row.name, &row.value, &row.interval, &row.inputs, &row.baseline, &row.change};
    ranged = ranged || !row.inputs.empty();
    for (int column = 0; column < columnCount(); ++column) {
      QTableWidgetItem* cell = item(i, column);
      if (cell == nullptr) {
        cell = new QTableWidgetItem;
        if (column > 0) cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        setItem(i, column, cell);
      }
      cell->setText(q(*cells[column]));
      cell->setToolTip(q(row.meaning));
      cell->setStatusTip(q(row.meaning).replace('\n', ' '));
    }
  }
  setColumnHidden(kInputs, !ranged);
  setColumnHidden(kBaseline, !compared);
  setColumnHidden(kChange, !compared);
  fit();
}

void FigureTable::resizeEvent(QResizeEvent* event) {
  QTableWidget::resizeEvent(event);
  fit();
}

/// Values and intervals as wide as they are, names in what is left of the view, on as many lines as they need.
void FigureTable::fit() {
  constexpr int kLeastName_px = 92;
  const QFontMetrics metrics(font());
  constexpr int kCell_px = 12;
  if (fitted_.empty() || fitted_.front() != rowCount()) widest_.assign(static_cast<std::size_t>(kColumns), 0);
  std::vector<int> widths = widest_;
  for (int column = kName; column < kColumns; ++column) {
    int& widest = widths[static_cast<std::size_t>(column)];
    for (const QString& line : horizontalHeaderItem(column)->text().split('\n'))
      widest = std::max(widest, metrics.horizontalAdvance(line) + kCell_px);
    for (int row = 0; row < rowCount(); ++row)
      if (const QTableWidgetItem* cell = item(row, column))
        widest = std::max(widest, metrics.horizontalAdvance(cell->text()) + kCell_px);
  }
  widest_ = widths;
  // Larger letters than there is room for: intervals on two lines, and every column is in view.
  widths[kInterval] = std::min(widths[kInterval], std::max(widths[kInterval] / 2 + kCell_px,
                                                           viewport()->width() - widths[kValue] - kLeastName_px));
  const int left = viewport()->width() - widths[kValue] - widths[kInterval];
  widths[kName] = std::clamp(left, kLeastName_px, std::max(kLeastName_px, widths[kName]));
  for (int column = kName; column < kColumns; ++column)
    setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
  std::vector<int> wanted{rowCount(), widths[kName], widths[kInterval]};
  if (fitted_ == wanted) return;
  fitted_ = std::move(wanted);
  resizeRowsToContents();
}

}  // namespace headrace::gui
