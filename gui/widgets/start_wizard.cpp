#include "gui/widgets/start_wizard.hpp"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "gui/presenter/closed_form.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/qt_text.hpp"
#include "reports/humane.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::gui {
namespace {

/// Verdict, step time and idle share by the closed form, with what the inputs leave open.
QString answer_text(const ScenarioDocument& document) {
  const auto outcome = bound_with_ranges(document);
  if (!outcome) return "The closed forms have no answer for this scenario. Open it to simulate.";
  QString text = "A first answer: " + QString::fromStdString(reports::verdict_line(*outcome));
  for (const auto& [metric, unit] : {std::pair{"step_time_s", "s"}, {"gpu_idle_fraction", "1"}}) {
    const models::Metric* found = outcome->find(metric);
    if (found == nullptr) continue;
    text += QString("\n%1 %2").arg(QString::fromStdString(reports::spoken_name(metric)),
                                   QString::fromStdString(reports::humane(found->mean, unit)));
    if (found->input_range)
      text += QString(", with uncertain inputs %1 to %2")
                  .arg(QString::fromStdString(reports::humane(found->input_range->low, unit)),
                       QString::fromStdString(reports::humane(found->input_range->high, unit)));
  }
  return text;
}

}  // namespace

StartWizard::StartWizard(QWidget* parent) : QDialog(parent) {
  setWindowTitle("A new scenario from questions");
  resize(820, 620);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setAccessibleName("Questions");
  auto* page = new QWidget(scroll);
  auto* grid = new QGridLayout(page);
  auto* note = make_label(page, "How to answer");
  note->setText("Leave empty what you do not know. The answer shows the resulting range.");
  grid->addWidget(note, 0, 0, 1, 2);
  int row = 1;
  for (const scenarios::Question& question : scenarios::kQuestions) {
    const std::string key(question.key);
    auto* label = new QLabel(QString("%1. %2").arg((row + 1) / 2).arg(q(question.text)), page);
    label->setWordWrap(true);
    auto* field = new QLineEdit(page);
    field->setPlaceholderText("such as: " + q(question.example));
    field->setAccessibleName(q(question.text));
    label->setBuddy(field);
    auto* complaint = make_label(page, "Error in the answer");
    complaint->hide();
    grid->addWidget(label, row, 0);
    grid->addWidget(field, row, 1);
    grid->addWidget(complaint, row + 1, 1);
    fields_[key] = field;
    complaints_[key] = complaint;
    connect(field, &QLineEdit::editingFinished, this, [this, key] { check(key); });
    row += 2;
  }
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, 1);
  grid->setRowStretch(row, 1);
  scroll->setWidget(page);
  answer_ = make_label(this, "First answer");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  create_ = buttons->addButton("Open as a new scenario", QDialogButtonBox::AcceptRole);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(scroll, 1);
  layout->addWidget(answer_);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  draft();
}

void StartWizard::fill_done() {
  for (const auto& [key, field] : fields_) check(key);
}

QString StartWizard::first_answer() const { return answer_->text(); }

QString StartWizard::complaint(const std::string& key) const { return complaints_.at(key)->text(); }

void StartWizard::check(const std::string& key) {
  const std::string answer = fields_.at(key)->text().toStdString();
  const auto wrong = scenarios::is_open(answer) ? std::nullopt : scenarios::check_answer(key, answer, catalogue_);
  QLabel* complaint = complaints_.at(key);
  complaint->setText(wrong ? QString::fromStdString(wrong->message + "; " + wrong->help) : QString());
  complaint->setVisible(wrong.has_value());
  draft();
}

void StartWizard::draft() {
  scenarios::Answers answers;
  for (const auto& [key, field] : fields_)
    if (!scenarios::is_open(field->text().toStdString())) answers[key] = field->text().toStdString();
  const auto drafted = scenarios::draft_scenario(answers, catalogue_);
  text_.clear();
  if (!drafted) {
    answer_->setText(QString::fromStdString(drafted.error().message + "; " + drafted.error().help));
  } else {
    const auto document = ScenarioDocument::from_text(drafted->text, "new.headrace.json");
    if (document) text_ = drafted->text;
    answer_->setText(document ? answer_text(*document) : QString::fromStdString(print_text(document.error())));
  }
  create_->setEnabled(!text_.empty());
}

}  // namespace headrace::gui
