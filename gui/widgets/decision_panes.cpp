#include "gui/widgets/decision_panes.hpp"

#include "gui/widgets/campaign_pane.hpp"
#include "gui/widgets/growth_pane.hpp"
#include "gui/widgets/offers_pane.hpp"
#include "gui/widgets/tight_tabs.hpp"
#include "gui/widgets/timeline_pane.hpp"

namespace headrace::gui {

DecisionPanes::DecisionPanes(const Document& document, PaneTabs* tabs) : QObject(tabs) {
  offers_ = new OffersPane(document, tabs);
  growth_ = new GrowthPane(document, tabs);
  campaign_ = new CampaignPane(document, tabs);
  timeline_ = new TimelinePane(tabs);
  tabs->add_pane(offers_, "Offers");
  tabs->add_pane(growth_, "Growth");
  tabs->add_pane(campaign_, "Campaign");
  tabs->add_pane(timeline_, "Timeline");
  connect(offers_, &OffersPane::complained, this, &DecisionPanes::complained);
}

std::vector<Chart*> DecisionPanes::charts() const {
  std::vector<Chart*> charts = offers_->charts();
  charts.push_back(growth_->chart());
  charts.push_back(campaign_->chart());
  return charts;
}

std::vector<BackgroundTask*> DecisionPanes::tasks() const {
  return {&offers_->task(), &offers_->tender_task(), &growth_->task(), &campaign_->task(), &timeline_->task()};
}

void DecisionPanes::reset(const ScenarioDocument& document) {
  offers_->reset(document);
  growth_->reset(document);
  campaign_->reset();
}

void DecisionPanes::show_document(const ScenarioDocument& document) {
  offers_->show_document(document);
  growth_->show_document(document);
  campaign_->show_document(document);
  timeline_->show_document(document);
}

void DecisionPanes::show_answer(const models::Outcome& outcome) { timeline_->show_answer(outcome); }

void DecisionPanes::set_theme(const Theme& theme) { timeline_->set_theme(theme); }

}  // namespace headrace::gui
