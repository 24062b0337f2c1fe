#include "gui/widgets/start_wizard.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/scenario_document.hpp"
#include "gui/presenter/topology.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/qt_text.hpp"
#include "gui/widgets/theme.hpp"
#include "gui/widgets/topology_picture.hpp"
#include "reports/answers_read.hpp"
#include "reports/humane.hpp"
#include "reports/known_evidence.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::gui {
namespace {

constexpr QSize kClusterPicture(252, 126);

/// Answers to pick from, and to write. The wheel scrolls the page, and never changes an answer.
class AnswerChoice : public QComboBox {
 public:
  explicit AnswerChoice(QWidget* parent) : QComboBox(parent) {
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    setCompleter(nullptr);  // or 9 epochs become 90
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  }

 protected:
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

/// The first answer of `headrace init`: verdict, step time and idle share by the queueing estimate, with what the
/// inputs leave open.
QString answer_text(const ScenarioDocument& document) {
  auto outcome = estimate_with_ranges(document);
  if (!outcome) return "The closed forms have no answer for this scenario. Open it to simulate.";
  reports::add_known_evidence(*outcome, document.loaded());
  QString text = "A first answer. " + q(reports::capital(reports::verdict_line(*outcome))) + ".";
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
    add_question(question, *grid, row);
    row += 2;
  }
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, 1);
  grid->setRowStretch(row, 1);
  scroll->setWidget(page);
  picture_ = new QLabel(this);
  picture_->setFixedSize(kClusterPicture);
  answer_ = make_label(this, "First answer");
  auto* answered = new QHBoxLayout;
  answered->addWidget(picture_);
  answered->addWidget(answer_, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  create_ = buttons->addButton("Open as a new scenario", QDialogButtonBox::AcceptRole);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(scroll, 1);
  layout->addLayout(answered);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  draft();
  choices_.at(std::string(scenarios::kQuestions.front().key))->setFocus();
}

/// The field with the focus loses it while the window is taken down, and would ask for a draft.
StartWizard::~StartWizard() {
  for (const auto& [key, choice] : choices_) {
    choice->disconnect(this);
    choice->lineEdit()->disconnect(this);
  }
}

void StartWizard::add_question(const scenarios::Question& question, QGridLayout& grid, int row) {
  const std::string key(question.key);
  QWidget* page = grid.parentWidget();
  const bool listed = question.is_list || !question.section.empty();  // below the arrow
  const std::string text = listed ? std::string(question.text) : question_text(question);
  auto* label = new QLabel(QString("%1. %2").arg((row + 1) / 2).arg(q(text)), page);
  label->setWordWrap(true);
  auto* choice = new AnswerChoice(page);
  for (const std::string& answer : choices_of(question, catalogue_)) choice->addItem(q(answer));
  choice->setCurrentIndex(-1);
  const QString example = "such as: " + q(question.example);
  constexpr int kBesideText_px = 48;  // frame and arrow
  choice->lineEdit()->setPlaceholderText(example);
  choice->setMinimumWidth(choice->fontMetrics().horizontalAdvance(example) + kBesideText_px);
  choice->setAccessibleName(q(question.text));
  choice->lineEdit()->setAccessibleName(q(question.text));
  label->setBuddy(choice);
  auto* complaint = make_label(page, "Error in the answer");
  complaint->hide();
  grid.addWidget(label, row, 0);
  grid.addWidget(choice, row, 1);
  grid.addWidget(complaint, row + 1, 1);
  choices_[key] = choice;
  complaints_[key] = complaint;
  connect(choice->lineEdit(), &QLineEdit::editingFinished, this, [this, key] { check(key); });
  connect(choice, &QComboBox::activated, this, [this, key] { check(key); });
}

QLineEdit* StartWizard::field(const std::string& key) const { return choices_.at(key)->lineEdit(); }

void StartWizard::fill_done() {
  for (const auto& [key, choice] : choices_) check(key);
}

QString StartWizard::first_answer() const { return answer_->text(); }

QString StartWizard::picture_words() const { return picture_->accessibleName(); }

/// The cluster as far as it is answered; the last one where an answer cannot be read.
void StartWizard::draw(const ScenarioDocument* document) {
  if (document == nullptr) return;
  const Topology topology = topology_of(document->scenario());
  const Theme theme = theme_named("system", palette()).value();
  picture_->setPixmap(topology_picture(topology, kClusterPicture, devicePixelRatioF(), theme));
  picture_->setAccessibleName(q(topology.words()));
  picture_->setToolTip(q(topology.words()));
}

QString StartWizard::complaint(const std::string& key) const { return complaints_.at(key)->text(); }

void StartWizard::check(const std::string& key) {
  const std::string answer = field(key)->text().toStdString();
  const auto wrong = scenarios::is_open(answer) ? std::nullopt : scenarios::check_answer(key, answer, catalogue_);
  QLabel* complaint = complaints_.at(key);
  complaint->setText(wrong ? QString::fromStdString(wrong->message + "; " + wrong->help) : QString());
  complaint->setVisible(wrong.has_value());
  draft();
}

void StartWizard::draft() {
  scenarios::Answers answers;
  for (const auto& [key, choice] : choices_)
    if (const std::string answer = choice->currentText().toStdString(); !scenarios::is_open(answer))
      answers[key] = answer;
  const auto drafted = scenarios::draft_scenario(answers, catalogue_);
  text_.clear();
  if (!drafted) {
    answer_->setText(QString::fromStdString(drafted.error().message + "; " + drafted.error().help));
  } else {
    const auto document = ScenarioDocument::from_text(drafted->text, "new.headrace.json");
    if (document) text_ = drafted->text;
    draw(document ? &*document : nullptr);
    QString text = document ? answer_text(*document) : q(print_text(document.error()));
    if (document) text += "\n" + q(reports::answers_left_open(document->scenario(), *drafted, answers));
    for (const std::string& warning : drafted->warnings) text += "\n" + q(reports::capital(warning)) + ".";
    answer_->setText(text);
  }
  create_->setEnabled(!text_.empty());
}

}  // namespace headrace::gui
