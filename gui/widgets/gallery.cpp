#include "gui/widgets/gallery.hpp"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/presenter/scenario_document.hpp"
#include "scenarios/document/embedded_texts.hpp"

namespace headrace::gui {

QString choose_shipped(QWidget* parent) {
  QDialog dialog(parent);
  dialog.setWindowTitle("Shipped scenarios");
  dialog.resize(720, 520);
  auto* layout = new QVBoxLayout(&dialog);
  auto* search = new QLineEdit(&dialog);
  search->setPlaceholderText("Search");
  search->setAccessibleName("Search scenarios");
  auto* list = new QListWidget(&dialog);
  list->setAccessibleName("Shipped scenarios");
  list->setAlternatingRowColors(true);
  list->setWordWrap(true);
  for (const scenarios::EmbeddedText& shipped : scenarios::embedded_scenarios()) {
    const auto document = ScenarioDocument::open(std::string(shipped.name));
    if (!document) continue;  // a part of others, such as a host without a job
    const QString name = QString::fromUtf8(shipped.name.data(), static_cast<qsizetype>(shipped.name.size()));
    auto* item = new QListWidgetItem(name + "\n    " + QString::fromStdString(document->title()), list);
    item->setData(Qt::UserRole, name);
  }
  list->setCurrentRow(0);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, &dialog);
  layout->addWidget(search);
  layout->addWidget(list);
  layout->addWidget(buttons);
  QObject::connect(search, &QLineEdit::textChanged, list, [list](const QString& text) {
    for (int i = 0; i < list->count(); ++i)
      list->item(i)->setHidden(!list->item(i)->text().contains(text, Qt::CaseInsensitive));
  });
  QObject::connect(list, &QListWidget::itemDoubleClicked, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  if (dialog.exec() != QDialog::Accepted || list->currentItem() == nullptr) return {};
  return list->currentItem()->data(Qt::UserRole).toString();
}

}  // namespace headrace::gui
