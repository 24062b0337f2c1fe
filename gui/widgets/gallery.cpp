#include "gui/widgets/gallery.hpp"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/scenario_document.hpp"
#include "gui/presenter/topology.hpp"
#include "gui/widgets/qt_text.hpp"
#include "gui/widgets/topology_picture.hpp"
#include "scenarios/document/embedded_texts.hpp"

namespace headrace::gui {

Gallery::Gallery(QWidget* parent) : QDialog(parent) {
  setWindowTitle("Shipped scenarios");
  resize(820, 600);
  auto* layout = new QVBoxLayout(this);
  search_ = new QLineEdit(this);
  search_->setPlaceholderText("Search");
  search_->setAccessibleName("Search scenarios");
  list_ = new QListWidget(this);
  list_->setAccessibleName("Shipped scenarios");
  list_->setAlternatingRowColors(true);
  list_->setWordWrap(true);
  constexpr QSize kPicture(168, 84);
  list_->setIconSize(kPicture);
  list_->setSpacing(2);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  const Theme theme = theme_named("system", palette()).value();
  for (const scenarios::EmbeddedText& shipped : scenarios::embedded_scenarios()) {
    const auto document = ScenarioDocument::open(std::string(shipped.name));
    if (!document) continue;  // a part of others, such as a host without a job
    const Topology topology = topology_of(document->scenario());
    const ClosedForm answer = closed_form(*document);
    QString words = q(shipped.name) + "\n" + q(document->title()) + "\n" + q(topology.words());
    if (answer.outcome) words += "\n" + q(limit_text(*document, *answer.outcome));
    auto* item = new QListWidgetItem(words, list_);
    const QPixmap picture = topology_picture(topology, kPicture, devicePixelRatioF(), theme);
    QIcon icon(picture);
    icon.addPixmap(picture, QIcon::Selected);  // in its own colours
    item->setIcon(icon);
    item->setData(Qt::UserRole, q(shipped.name));
  }
  list_->setCurrentRow(0);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
  open_ = buttons->button(QDialogButtonBox::Open);
  open_->setDefault(true);
  layout->addWidget(search_);
  layout->addWidget(list_);
  layout->addWidget(buttons);
  connect(search_, &QLineEdit::textChanged, this, &Gallery::search);
  connect(list_, &QListWidget::currentItemChanged, this, [this] { open_->setEnabled(!chosen().isEmpty()); });
  connect(list_, &QListWidget::itemActivated, this, &QDialog::accept);  // by Enter or a double click
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QString Gallery::chosen() const {
  const QListWidgetItem* item = list_->currentItem();
  return item == nullptr || item->isHidden() ? QString() : item->data(Qt::UserRole).toString();
}

/// What is chosen is always one of those that are seen.
void Gallery::search(const QString& text) {
  QListWidgetItem* first = nullptr;
  for (int i = 0; i < list_->count(); ++i) {
    QListWidgetItem* item = list_->item(i);
    item->setHidden(!item->text().contains(text, Qt::CaseInsensitive));
    if (!item->isHidden() && first == nullptr) first = item;
  }
  if (chosen().isEmpty()) list_->setCurrentItem(first);
  open_->setEnabled(!chosen().isEmpty());
}

QString choose_shipped(QWidget* parent) {
  Gallery gallery(parent);
  return gallery.exec() == QDialog::Accepted ? gallery.chosen() : QString();
}

}  // namespace headrace::gui
