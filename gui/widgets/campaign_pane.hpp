// headrace campaign in the window: what a whole training delivers, and what takes its GPU hours.
#pragma once

#include <QWidget>
#include <functional>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/campaign_run.hpp"
#include "gui/widgets/chart.hpp"

class QCheckBox;
class QLabel;
class QTableWidget;

namespace headrace::gui {

class CampaignPane : public QWidget {
  Q_OBJECT

 public:
  using Document = std::function<const ScenarioDocument*()>;
  explicit CampaignPane(Document document, QWidget* parent = nullptr);

  void start();
  BackgroundTask& task() { return task_; }
  const CampaignAnswer& answer() const { return answer_; }
  Chart* chart() const { return chart_; }
  QTableWidget* causes() const { return causes_; }
  CampaignWish wish() const;
  void set_replications(std::uint32_t replications) { replications_ = replications; }
  void reset();
  void show_document(const ScenarioDocument& document);

 private:
  void show_answer();

  Document document_;
  BackgroundTask task_;
  CampaignAnswer answer_;
  std::string of_;  ///< fingerprint of the scenario of the answer
  std::uint32_t replications_ = CampaignWish{}.replications;
  QCheckBox* trained_;
  QLabel* headline_;
  QLabel* basis_;
  Chart* chart_;
  QTableWidget* causes_;
  QTableWidget* figures_;
};

}  // namespace headrace::gui
