#include "gui/widgets/plan_limits_dialog.hpp"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/qt_text.hpp"
#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

std::string key_of(const scenarios::Parameter& parameter) {
  return parameter.pointer.substr(parameter.pointer.rfind('/') + 1);
}

QString tip_of(const scenarios::Parameter& parameter) {
  QString text = q(parameter.meaning);
  if (!parameter.unit.empty()) text += "\nunit: " + q(parameter.unit);
  if (!parameter.plausible.empty()) text += "\nplausible: " + q(parameter.plausible);
  return text;
}

}  // namespace

PlanLimitsDialog::PlanLimitsDialog(const PlanLimits& limits, QWidget* parent)
    : QDialog(parent), limits_(limits), fields_(event_fields()) {
  setWindowTitle("Limits of a plan");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(make_form());
  auto* words = make_label(this, "About the table");
  words->setText("Tick an event to set limits under it. Empty: no limit.");
  layout->addWidget(words);
  layout->addWidget(make_events(), 1);
  layout->addWidget(buttons);
  resize(720, 560);
}

QWidget* PlanLimitsDialog::make_form() {
  auto* form = new QWidget(this);
  auto* rows = new QFormLayout(form);
  for (const PlanLimit& limit : limits_.limits) {
    auto* line = new QLineEdit(q(limit.value), form);
    line->setPlaceholderText("no limit; plausible: " + q(limit.facts.plausible));
    line->setToolTip(tip_of(limit.facts));
    line->setAccessibleName(q(reports::words(limit.key())));
    line->setAccessibleDescription(q(limit.facts.meaning));
    rows->addRow(q(limit.facts.meaning.substr(0, limit.facts.meaning.find(';'))), line);
    lines_.push_back(line);
  }
  return form;
}

QWidget* PlanLimitsDialog::make_events() {
  events_ = make_table(this, "Limits under events");
  events_->setEditTriggers(QAbstractItemView::AllEditTriggers);
  events_->setSelectionBehavior(QAbstractItemView::SelectItems);
  std::vector<EventLimit> rows = limits_.events;
  const std::size_t asked = rows.size();
  for (const std::string& name : event_names())
    if (std::none_of(rows.begin(), rows.end(), [&](const EventLimit& row) { return row.event == name; }))
      rows.push_back({name, {}});
  events_->setColumnCount(static_cast<int>(fields_.size()) + 1);
  events_->setRowCount(static_cast<int>(rows.size()));
  QStringList header{"event"};
  for (const scenarios::Parameter& field : fields_) header.append(q(reports::words(key_of(field))));
  events_->setHorizontalHeaderLabels(header);
  for (int r = 0; r < events_->rowCount(); ++r) {
    const EventLimit& row = rows[static_cast<std::size_t>(r)];
    auto* event = new QTableWidgetItem(q(row.event));
    event->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    event->setCheckState(static_cast<std::size_t>(r) < asked ? Qt::Checked : Qt::Unchecked);
    events_->setItem(r, 0, event);
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      const auto found = row.values.find(key_of(fields_[f]));
      auto* cell = new QTableWidgetItem(found == row.values.end() ? QString() : q(found->second));
      cell->setToolTip(tip_of(fields_[f]));
      events_->setItem(r, static_cast<int>(f) + 1, cell);
    }
  }
  events_->resizeColumnsToContents();
  return events_;
}

PlanLimits PlanLimitsDialog::limits() const {
  PlanLimits wanted = limits_;
  for (std::size_t i = 0; i < lines_.size(); ++i) wanted.limits[i].value = lines_[i]->text().trimmed().toStdString();
  wanted.events.clear();
  for (int r = 0; r < events_->rowCount(); ++r) {
    if (events_->item(r, 0)->checkState() != Qt::Checked) continue;
    EventLimit event{events_->item(r, 0)->text().toStdString(), {}};
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      const QString value = events_->item(r, static_cast<int>(f) + 1)->text().trimmed();
      if (!value.isEmpty()) event.values[key_of(fields_[f])] = value.toStdString();
    }
    wanted.events.push_back(std::move(event));
  }
  return wanted;
}

QLineEdit* PlanLimitsDialog::field(const QString& key) const {
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (q(limits_.limits[i].key()) == key) return lines_[i];
  return nullptr;
}

void PlanLimitsDialog::set_event(const QString& event, bool asked, const QString& key, const QString& value) {
  for (int r = 0; r < events_->rowCount(); ++r) {
    if (events_->item(r, 0)->text() != event) continue;
    events_->item(r, 0)->setCheckState(asked ? Qt::Checked : Qt::Unchecked);
    for (std::size_t f = 0; f < fields_.size(); ++f)
      if (q(key_of(fields_[f])) == key) events_->item(r, static_cast<int>(f) + 1)->setText(value);
  }
}

}  // namespace headrace::gui
