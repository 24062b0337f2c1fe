#include "gui/widgets/figures_dialog.hpp"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "gui/widgets/pane_parts.hpp"

namespace headrace::gui {

FiguresDialog::FiguresDialog(const QString& title, const Figures& figures, QWidget* parent) : QDialog(parent) {
  setWindowTitle(title + " - figures");
  QTableWidget* table = make_table(this, "Figures of the chart");
  table->setAccessibleName("Figures: " + title);
  std::vector<std::vector<std::string>> rows;
  rows.reserve(figures.rows.size());
  for (const FigureRow& row : figures.rows) rows.push_back(row.cells);
  fill_table(*table, figures.header, rows);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  QPushButton* copy = buttons->addButton("&Copy", QDialogButtonBox::ActionRole);
  connect(copy, &QPushButton::clicked, this,
          [figures] { QApplication::clipboard()->setText(QString::fromStdString(csv_of(figures))); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(table, 1);
  layout->addWidget(buttons);
  resize(560, 480);
}

}  // namespace headrace::gui
