#include "gui/widgets/pane_parts.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/presenter/sort_key.hpp"

namespace headrace::gui {

QLabel* make_label(QWidget* parent, const char* accessible) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setAccessibleName(accessible);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

namespace {

constexpr int kFilledRow = Qt::UserRole;
constexpr const char* kLastColumn_px = "last_column_px";  ///< that its cells need

/// The last column takes what is left, and never less than it needs: then the table scrolls.
class LastColumn : public QObject {
 public:
  explicit LastColumn(QTableWidget& table) : QObject(&table), table_(table) { table.installEventFilter(this); }

  static void fit(QTableWidget& table) {
    const int last = table.columnCount() - 1;
    if (last < 0) return;
    const int beside = table.horizontalHeader()->sectionPosition(last);
    table.setColumnWidth(last, std::max(table.property(kLastColumn_px).toInt(), table.viewport()->width() - beside));
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize)
      QMetaObject::invokeMethod(
          this, [this] { fit(table_); }, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
  }

 private:
  QTableWidget& table_;
};

/// A heading on as many lines as keep its column no wider than its cells, and never wider than its longest word.
QString wrapped_heading(const QString& heading, const QFontMetrics& metrics, int cells_px) {
  const QStringList words = heading.simplified().split(' ');
  constexpr int kLeast_letters = 10;  // shorter headings stay on one line
  int width = std::max(cells_px, kLeast_letters * metrics.averageCharWidth());
  for (const QString& word : words) width = std::max(width, metrics.horizontalAdvance(word));
  QString text = words.front();
  for (const QString& word : words.mid(1)) {
    const QString longer = text.section('\n', -1) + ' ' + word;
    text += (metrics.horizontalAdvance(longer) > width ? '\n' : ' ') + word;
  }
  return text;
}

/// Every column as wide as its cells and the longest line of its heading.
void fit_columns(QTableWidget& table) {
  constexpr int kBesideText_px = 8;
  constexpr int kArrow_px = 16;  // of sorting
  const QAbstractItemView& cells = table;
  for (int c = 0; c < table.columnCount(); ++c) {
    QTableWidgetItem* heading = table.horizontalHeaderItem(c);
    heading->setText(wrapped_heading(heading->text(), table.horizontalHeader()->fontMetrics(),
                                     cells.sizeHintForColumn(c) - kBesideText_px));
    int width = cells.sizeHintForColumn(c);
    for (const QString& line : heading->text().split('\n'))
      width = std::max(width, table.horizontalHeader()->fontMetrics().horizontalAdvance(line) + kBesideText_px);
    table.setColumnWidth(c, width + (c == table.horizontalHeader()->sortIndicatorSection() ? kArrow_px : 2));
  }
}

/// Whole rows, in the order of one column; those that are alike stay in theirs.
void sort_rows(QTableWidget& table, int column, Qt::SortOrder order) {
  const QSignalBlocker quiet(table);
  const int held = filled_row(table, table.currentRow());
  std::vector<std::vector<QTableWidgetItem*>> rows(static_cast<std::size_t>(table.rowCount()));
  for (int r = 0; r < table.rowCount(); ++r)
    for (int c = 0; c < table.columnCount(); ++c) rows[static_cast<std::size_t>(r)].push_back(table.takeItem(r, c));
  const auto place = [](const std::vector<QTableWidgetItem*>& row) { return row.front()->data(kFilledRow).toInt(); };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  const auto text = [&](const std::vector<QTableWidgetItem*>& row) {
    return row[static_cast<std::size_t>(column)]->text().toStdString();
  };
  if (column >= 0 && column < table.columnCount())
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
      return order == Qt::AscendingOrder ? comes_before(text(a), text(b)) : comes_before(text(b), text(a));
    });
  for (int r = 0; r < table.rowCount(); ++r)
    for (int c = 0; c < table.columnCount(); ++c)
      table.setItem(r, c, rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)]);
  for (int r = 0; r < table.rowCount(); ++r)
    if (filled_row(table, r) == held && held >= 0) table.setCurrentCell(r, std::max(0, table.currentColumn()));
}

}  // namespace

QTableWidget* make_table(QWidget* parent, const char* accessible) {
  auto* table = new QTableWidget(parent);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setAlternatingRowColors(true);
  table->setAccessibleName(accessible);
  table->setWordWrap(false);
  new LastColumn(*table);
  table->setTabKeyNavigation(false);
  table->horizontalHeader()->setSortIndicatorClearable(true);
  table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  // Without an indicator the rows go back to the order in which they were filled in.
  QObject::connect(table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, table,
                   [table](int column, Qt::SortOrder order) { sort_rows(*table, column, order); });
  return table;
}

QTableWidget* make_small_table(QWidget* parent, const char* accessible) {
  QTableWidget* table = make_table(parent, accessible);
  QFont small = table->font();
  small.setPointSizeF(small.pointSizeF() * 0.9);
  table->setFont(small);
  table->horizontalHeader()->setFont(small);
  return table;
}

void fill_table(QTableWidget& table, const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows) {
  table.setColumnCount(static_cast<int>(header.size()));
  QStringList names;
  for (const std::string& name : header) names.append(QString::fromStdString(name));
  table.setHorizontalHeaderLabels(names);
  table.setRowCount(static_cast<int>(rows.size()));
  for (int r = 0; r < table.rowCount(); ++r) {
    const std::vector<std::string>& row = rows[static_cast<std::size_t>(r)];
    for (int c = 0; c < table.columnCount(); ++c) {
      const auto place = static_cast<std::size_t>(c);
      table.setItem(r, c, new QTableWidgetItem(place < row.size() ? QString::fromStdString(row[place]) : QString()));
    }
    if (table.columnCount() > 0) table.item(r, 0)->setData(kFilledRow, r);
  }
  QHeaderView& head = *table.horizontalHeader();
  head.setSectionsClickable(true);
  head.setSortIndicatorShown(true);
  if (head.sortIndicatorSection() >= 0) sort_rows(table, head.sortIndicatorSection(), head.sortIndicatorOrder());
  fit_columns(table);
  if (table.columnCount() > 0) table.setProperty(kLastColumn_px, table.columnWidth(table.columnCount() - 1));
  LastColumn::fit(table);
}

int filled_row(const QTableWidget& table, int row) {
  const QTableWidgetItem* first = row < 0 ? nullptr : table.item(row, 0);
  return first == nullptr ? -1 : first->data(kFilledRow).toInt();
}

void fit_height(QTableWidget& table) {
  int height = table.horizontalHeader()->sizeHint().height() + 2 * table.frameWidth();
  for (int row = 0; row < table.rowCount(); ++row) height += table.rowHeight(row);
  table.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table.setFixedHeight(height + table.horizontalScrollBar()->sizeHint().height());  // of wide rows
}

QVBoxLayout* scrolled(QWidget* pane) {
  auto* scroll = new QScrollArea(pane);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* page = new QWidget(scroll);
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(0, 0, 4, 0);
  scroll->setWidget(page);
  auto* column = new QVBoxLayout(pane);
  column->addWidget(scroll, 1);
  return inside;
}

TaskBar::TaskBar(const QString& start_text, BackgroundTask& task, QWidget* parent, Stop stop) : QWidget(parent) {
  start_ = new QPushButton(start_text, this);
  stop_ = new QPushButton("Stop", this);
  stop_->setAccessibleName("Stop: " + start_text);
  progress_ = new QProgressBar(this);
  progress_->setAccessibleName("Progress: " + start_text);
  progress_->setTextVisible(false);
  progress_->setMaximumWidth(180);
  progress_->setMinimumWidth(40);
  text_ = new QLabel(this);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // news of a task widen no window
  text_->setAccessibleName("Current activity");
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(start_);
  layout->addWidget(stop_);
  layout->addWidget(progress_);
  layout->addWidget(text_, 1);
  connect(start_, &QPushButton::clicked, this, &TaskBar::start_wanted);
  connect(stop_, &QPushButton::clicked, &task,
          stop == Stop::keeps ? &BackgroundTask::finish_early : &BackgroundTask::stop);
  connect(&task, &BackgroundTask::started, this, [this] { show_running(true, "running ..."); });
  connect(&task, &BackgroundTask::finished, this, [this] { show_running(false, "done"); });
  connect(&task, &BackgroundTask::stopped, this, [this] { show_running(false, "stopped"); });
  connect(&task, &BackgroundTask::failed, this, [this](const QString& why) { show_running(false, why); });
  connect(&task, &BackgroundTask::progressed, this, [this](double fraction, const QString& what) {
    progress_->setRange(0, fraction < 0.0 ? 0 : 1000);
    if (fraction >= 0.0) progress_->setValue(static_cast<int>(1000.0 * fraction));
    text_->setText(what);
  });
  show_running(false, {});
}

void TaskBar::show_running(bool running, const QString& text) {
  stop_->setEnabled(running);
  progress_->setRange(0, running ? 0 : 1000);
  progress_->setValue(0);
  progress_->setVisible(running);
  text_->setText(text);
}

}  // namespace headrace::gui
