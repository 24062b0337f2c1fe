#include "gui/widgets/plan_pane.hpp"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <memory>
#include <utility>
#include <vector>

#include "gui/presenter/plan_limits.hpp"
#include "gui/presenter/sweep_run.hpp"
#include "gui/widgets/letters.hpp"
#include "gui/widgets/page_file.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/plan_limits_dialog.hpp"
#include "reports/humane.hpp"
#include "reports/plan_words.hpp"

namespace headrace::gui {
namespace {

template <class Names>
QComboBox* make_choice(QWidget* parent, const Names& names, const char* accessible) {
  auto* box = new QComboBox(parent);
  for (const auto& name : names) box->addItem(QString::fromStdString(reports::words(name.name)));
  box->setAccessibleName(accessible);
  return box;
}

}  // namespace

PlanPane::PlanPane(Document document, QWidget* parent) : QWidget(parent), document_(std::move(document)) {
  setAccessibleName("Plan");
  goal_ = make_choice(this, models::kPlanGoalNames, "Goal to minimize");
  against_ = make_choice(this, models::kSecondGoalNames, "Second goal, for a Pareto front");
  inputs_ = new QComboBox(this);
  inputs_->addItems({"over the input ranges", "inputs as stated"});
  inputs_->setAccessibleName("Inputs of the plan");
  inputs_->setToolTip(
      "Over the input ranges: the least expected cost among configurations that are fed in 90 % of the ranges. "
      "Inputs as stated: faster, and blind to what is not known exactly.");
  decisions_ = new QLineEdit(this);
  decisions_->setAccessibleName("Decisions");
  decisions_->setPlaceholderText("decisions: loader workers=2:16; empty: those of the scenario");
  decisions_->setToolTip(
      "A parameter by the name that its slider has, and its values: with commas, FROM:TO or FROM:TO:STEP. Separate "
      "several with ;");
  limits_ = make_label(this, "Limits of the plan");
  auto* edit = new QPushButton("&Limits ...", this);
  edit->setToolTip("Limits of every configuration (subject_to), and limits under events (must_hold_under)");
  auto* bar = new TaskBar("Plan", task_, this);
  auto* copy = new QPushButton("Copy command", this);
  memo_ = new QPushButton("&Memo ...", this);
  memo_->setToolTip("One page for those who pay: the question, the options, cost, risk, and what would change it");
  memo_->setEnabled(false);
  headline_ = make_label(this, "Recommendation");
  QFont bold = headline_->font();
  bold.setBold(true);
  headline_->setFont(bold);
  headline_->setText("What is the cheapest configuration that keeps the GPUs fed? Press Plan.");
  reasons_ = make_label(this, "How sure, and why");
  chart_ = new Chart("Configurations, by the runs of the plan", this);
  chart_->show_nothing("Every simulated configuration is a point; a click loads it.");
  table_ = make_small_table(this, "Configurations");
  table_->setToolTip("Enter or a double click loads the configuration");
  text_ = new QPlainTextEdit(this);
  text_->setReadOnly(true);
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setAccessibleName("The whole plan");

  auto* wishes = new QHBoxLayout;
  wishes->addWidget(new QLabel("least", this));
  wishes->addWidget(goal_);
  no_prices_ =
      new QLabel("The scenario states no prices: the plan has the least epoch time instead of the least cost.", this);
  no_prices_->setWordWrap(true);
  no_prices_->hide();
  wishes->addWidget(new QLabel("against", this));
  wishes->addWidget(against_);
  wishes->addWidget(inputs_);
  wishes->addStretch(1);
  auto* bounds = new QHBoxLayout;  // a line of its own: no choice above is cut
  bounds->addWidget(limits_, 1);
  bounds->addWidget(edit);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(bar, 1);
  buttons->addWidget(memo_);
  buttons->addWidget(copy);
  constexpr int kChart_px = 208;
  constexpr int kText_px = 220;
  chart_->setMinimumHeight(whole_by_letters(font(), kChart_px));
  text_->setMinimumHeight(kText_px);
  QVBoxLayout* inside = scrolled(this);
  inside->addWidget(headline_);
  inside->addWidget(reasons_);
  inside->addWidget(chart_, 2);
  inside->addWidget(table_);
  inside->addWidget(text_, 1);
  auto* layout = static_cast<QVBoxLayout*>(this->layout());
  layout->insertLayout(0, wishes);
  layout->insertWidget(1, decisions_);
  layout->insertLayout(2, bounds);
  layout->insertWidget(3, no_prices_);
  layout->insertLayout(4, buttons);

  connect(bar, &TaskBar::start_wanted, this, &PlanPane::start);
  connect(edit, &QPushButton::clicked, this, &PlanPane::edit_limits);
  connect(memo_, &QPushButton::clicked, this, [this] {
    const QString wrong = answer_.memo ? save_page(this, *answer_.memo, "memo.html") : QString();
    if (!wrong.isEmpty()) headline_->setText(wrong);
  });
  connect(chart_, &Chart::point_chosen, this, &PlanPane::choose);
  connect(table_, &QTableWidget::cellActivated, this, [this](int row, int) { choose(filled_row(*table_, row)); });
  connect(copy, &QPushButton::clicked, this, [this] {
    if (const ScenarioDocument* now = document_())
      QApplication::clipboard()->setText(QString::fromStdString(plan_command(*now, wish())));
  });
}

void PlanPane::show_document(const ScenarioDocument& document) {
  limits_->setText("Limits: " + QString::fromStdString(limits_text(plan_limits(document))));
}

void PlanPane::edit_limits() {
  const ScenarioDocument* now = document_();
  if (now == nullptr) return;
  PlanLimitsDialog dialog(plan_limits(*now), this);
  if (dialog.exec() != QDialog::Accepted) return;
  const std::vector<Edit> edits = limit_edits(*document_(), dialog.limits());
  if (!edits.empty()) Q_EMIT limits_changed(edits, "limits of the plan");
}

void PlanPane::limit(std::size_t most_points, double max_wall_s) {
  most_points_ = most_points;
  max_wall_s_ = max_wall_s;
}

PlanWish PlanPane::wish() const {
  PlanWish wish;
  wish.goal = models::kPlanGoalNames[goal_->currentIndex()].value;
  wish.against = models::kSecondGoalNames[against_->currentIndex()].value;
  wish.ranges = inputs_->currentIndex() == 0;
  wish.most_points = most_points_;
  wish.max_wall_s = max_wall_s_;
  for (const QString& decision : decisions_->text().split(';', Qt::SkipEmptyParts))
    wish.decisions.push_back(decision.trimmed().toStdString());
  return wish;
}

void PlanPane::start() {
  const ScenarioDocument* now = document_();
  if (now == nullptr) return;
  task_.start([this, document = *now, wish = wish()](const BackgroundTask::Context& context) -> std::function<void()> {
    auto answer = std::make_shared<PlanAnswer>(run_plan(document, wish, context.stop, context.tell));
    return [this, answer] {
      answer_ = std::move(*answer);
      show_answer();
    };
  });
}

void PlanPane::reset(const ScenarioDocument& document) {
  task_.stop();
  answer_ = {};
  const models::PlanObjective objective = document.scenario().objective.value_or(models::PlanObjective{});
  goal_->setCurrentIndex(static_cast<int>(objective.minimize));
  against_->setCurrentIndex(static_cast<int>(objective.against));
  memo_->setEnabled(false);
  no_prices_->hide();
  table_->setRowCount(0);
  fit_height(*table_);
  text_->clear();
  reasons_->clear();
  headline_->setText("What is the cheapest configuration that keeps the GPUs fed? Press Plan.");
  chart_->show_nothing("Every simulated configuration is a point; a click loads it.");
}

void PlanPane::show_answer() {
  memo_->setEnabled(answer_.memo.has_value());
  reasons_->setText(QString::fromStdString(answer_.reasons));
  if (!answer_.error.empty()) {
    headline_->setText("The plan has an error");
    text_->setPlainText(QString::fromStdString(answer_.error));
    table_->setRowCount(0);
    fit_height(*table_);
    chart_->show_nothing("no configuration");
    return;
  }
  headline_->setText(QString::fromStdString(answer_.headline));
  text_->setPlainText(QString::fromStdString(answer_.text));
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> heads{"",          "configuration",    "epoch time (95 %)", "cost of an epoch (95 %)",
                                 "GPUs wait", "fed in the ranges"};
  if (!answer_.in_ranges) heads.pop_back();  // planned for the inputs as stated, or nothing has a range
  for (const PlanChoice& choice : answer_.choices)
    rows.emplace_back(choice.cells.begin(), choice.cells.begin() + static_cast<std::ptrdiff_t>(heads.size()));
  fill_table(*table_, heads, rows);
  no_prices_->setVisible(answer_.without_prices);
  fit_height(*table_);
  ScatterChart scatter;
  scatter.x_title = answer_.x_title;
  scatter.y_title = answer_.y_title;
  for (const auto& [what, name] : {std::pair{PlanChoice::What::recommended, "recommended"},
                                   {PlanChoice::What::front, "on the Pareto front"},
                                   {PlanChoice::What::alternative, "alternative"},
                                   {PlanChoice::What::today, "today"}}) {
    ScatterGroup group;
    group.name = name;
    group.line = what == PlanChoice::What::front;
    for (std::size_t i = 0; i < answer_.choices.size(); ++i) {
      const PlanChoice& choice = answer_.choices[i];
      if (choice.what != what) continue;
      group.ids.push_back(static_cast<int>(i));
      group.x.push_back(choice.across);
      group.y.push_back(choice.up);
      group.names.push_back(group.name + ": " + choice.values);
    }
    if (!group.x.empty()) scatter.groups.push_back(std::move(group));
  }
  std::vector<std::pair<double, double>> places;
  for (const PlanChoice& choice : answer_.choices) places.emplace_back(choice.across, choice.up);
  if (reports::lie_on_one_spot(places))
    chart_->show_nothing("The configurations of the table have the same epoch time and the same " +
                         QString(answer_.y_title.starts_with("cost") ? "cost." : "idle time."));
  else
    chart_->show_scatter(scatter);
}

void PlanPane::choose(int id) {
  if (id < 0 || static_cast<std::size_t>(id) >= answer_.choices.size()) return;
  const PlanChoice choice = answer_.choices[static_cast<std::size_t>(id)];
  Q_EMIT chosen(choice.edits, QString::fromStdString(choice.values));
}

}  // namespace headrace::gui
