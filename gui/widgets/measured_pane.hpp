// Predicted against measured: what headrace verify found on a machine, a job that ran held against the open scenario,
// and what a site file says about itself.
#pragma once

#include <QWidget>
#include <functional>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/measured_view.hpp"
#include "gui/widgets/chart.hpp"
#include "models/study/study.hpp"

class QLabel;
class QTableWidget;

namespace headrace::gui {

class MeasuredPane : public QWidget {
  Q_OBJECT

 public:
  using Document = std::function<const ScenarioDocument*()>;
  explicit MeasuredPane(Document document, QWidget* parent = nullptr);
  void show_document(const ScenarioDocument& document);
  /// What headrace verify --json wrote. False after a complaint.
  bool open(const QString& path);
  /// The steps of a job that ran (CSV), held against the open scenario beside the window.
  void hold_against(const QString& path);
  /// How the prediction is simulated; tests make it short.
  void set_study(const models::StudyOptions& study) { study_ = study; }
  BackgroundTask& task() { return task_; }
  Chart* chart() const { return chart_; }
  /// Step times of a job that ran, over those of the prediction.
  Chart* steps_chart() const { return steps_chart_; }
  QString headline() const;

 Q_SIGNALS:
  void complained(const QString& text);
  void site_wanted();

 private:
  void show_view(const MeasuredView& view);
  void show_steps(const MeasuredView& view);

  Document document_;
  BackgroundTask task_;
  models::StudyOptions study_;
  QString steps_;  ///< file that was held against the scenario last
  QLabel* layers_;
  QLabel* headline_;
  Chart* chart_;
  Chart* steps_chart_;
  QTableWidget* table_;
};

}  // namespace headrace::gui
