// The panes of decisions and of what happened, as one part of the window: offers, growth, campaign, timeline.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "gui/widgets/theme.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

class BackgroundTask;
class CampaignPane;
class Chart;
class GrowthPane;
class OffersPane;
class PaneTabs;
class TimelinePane;

class DecisionPanes : public QObject {
  Q_OBJECT

 public:
  using Document = std::function<const ScenarioDocument*()>;
  /// Adds its panes to the tabs.
  DecisionPanes(const Document& document, PaneTabs* tabs);

  OffersPane& offers() { return *offers_; }
  GrowthPane& growth() { return *growth_; }
  CampaignPane& campaign() { return *campaign_; }
  TimelinePane& timeline() { return *timeline_; }
  std::vector<Chart*> charts() const;
  /// Of all panes, for whoever stops or awaits them.
  std::vector<BackgroundTask*> tasks() const;
  void reset(const ScenarioDocument& document);
  void show_document(const ScenarioDocument& document);
  void show_answer(const models::Outcome& outcome);
  void set_theme(const Theme& theme);

 Q_SIGNALS:
  void complained(const QString& text);

 private:
  OffersPane* offers_;
  GrowthPane* growth_;
  CampaignPane* campaign_;
  TimelinePane* timeline_;
};

}  // namespace headrace::gui
