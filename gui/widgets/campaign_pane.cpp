#include "gui/widgets/campaign_pane.hpp"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "gui/widgets/letters.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {
namespace {

constexpr const char* kNoCampaign =
    "What does a whole training deliver over days to months, and what takes the rest? Press Run the campaign.";

}  // namespace

CampaignPane::CampaignPane(Document document, QWidget* parent) : QWidget(parent), document_(std::move(document)) {
  setAccessibleName("Campaign");
  auto* bar = new TaskBar("Run the campaign", task_, this);
  trained_ = new QCheckBox("until the job is trained", this);
  trained_->setToolTip("Whatever duration the scenario states");
  auto* copy = new QPushButton("Copy command", this);
  headline_ = make_label(this, "The campaign");
  QFont bold = headline_->font();
  bold.setBold(true);
  headline_->setFont(bold);
  basis_ = make_label(this, "What the campaign has that the answer has not");
  chart_ = new Chart("GPU hours lost, by cause", this);
  constexpr int kSevenBars_px = 260;
  chart_->setMinimumHeight(whole_by_letters(font(), kSevenBars_px));
  causes_ = make_table(this, "GPU hours lost, by cause");
  figures_ = make_table(this, "Figures of the campaign");
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(bar, 1);
  buttons->addWidget(trained_);
  buttons->addWidget(copy);
  QVBoxLayout* inside = scrolled(this);
  inside->addWidget(headline_);
  inside->addWidget(basis_);
  inside->addWidget(chart_, 1);
  inside->addWidget(figures_);
  inside->addWidget(causes_);
  static_cast<QVBoxLayout*>(layout())->insertLayout(0, buttons);
  connect(bar, &TaskBar::start_wanted, this, &CampaignPane::start);
  connect(copy, &QPushButton::clicked, this, [this] {
    if (const ScenarioDocument* now = document_())
      QApplication::clipboard()->setText(q(campaign_command(*now, wish())));
  });
  show_answer();
}

CampaignWish CampaignPane::wish() const {
  CampaignWish wish;
  wish.replications = replications_;
  wish.until_trained = trained_->isChecked();
  return wish;
}

void CampaignPane::start() {
  const ScenarioDocument* now = document_();
  if (now == nullptr) return;
  task_.start([this, document = *now, wish = wish()](const BackgroundTask::Context& context) -> std::function<void()> {
    auto answer = std::make_shared<CampaignAnswer>(run_campaign_of(document, wish, context.stop, context.tell));
    return [this, answer, of = document.loaded().sha256] {
      answer_ = std::move(*answer);
      of_ = of;
      show_answer();
    };
  });
}

void CampaignPane::reset() {
  task_.stop();
  answer_ = {};
  of_.clear();
  show_answer();
}

void CampaignPane::show_document(const ScenarioDocument& document) {
  if (of_.empty() || of_ == document.loaded().sha256 || !answer_.error.empty()) return;
  headline_->setText(q(answer_.headline) + " The scenario has changed since: run the campaign again.");
}

void CampaignPane::show_answer() {
  const bool known = !answer_.json.empty();
  headline_->setText(!answer_.error.empty() ? q(answer_.error) : known ? q(answer_.headline) : QString(kNoCampaign));
  for (QTableWidget* table : {causes_, figures_}) table->setVisible(known);
  basis_->setText(q(answer_.basis));
  basis_->setVisible(known);
  if (!known) return chart_->show_nothing("No campaign yet.");
  fill_table(*causes_, kCauseHeads, answer_.causes);
  fill_table(*figures_, {"figure", "mean of a campaign", "95 % interval"}, answer_.figures);
  for (QTableWidget* table : {causes_, figures_}) fit_height(*table);
  if (answer_.losses.empty())
    chart_->show_nothing("No GPU hour is lost.");
  else
    chart_->show_bars(answer_.losses, "GPU hours", false);
}

}  // namespace headrace::gui
