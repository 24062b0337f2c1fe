// What uncertain inputs leave open and what to measure next: by the closed form at once, by simulation when asked.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <string>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/scenario_document.hpp"
#include "gui/presenter/swings.hpp"
#include "gui/widgets/chart.hpp"

class QLabel;
class QTableWidget;

namespace headrace::gui {

class InputsPane : public QWidget {
  Q_OBJECT

 public:
  using Document = std::function<const ScenarioDocument*()>;
  explicit InputsPane(Document document, QWidget* parent = nullptr);

  /// An answer with input ranges.
  void show_answer(const models::Outcome& outcome);
  /// How far each figure alone moves the step time.
  void show_swings(const std::vector<Swing>& swings);
  /// Simulates over the ranges.
  void start();
  BackgroundTask& task() { return task_; }
  Chart* chart() const { return chart_; }
  Chart* tornado() const { return tornado_; }
  QString text() const;

 Q_SIGNALS:
  void answered(const std::shared_ptr<const headrace::models::Outcome>& outcome);

 private:
  std::string name_of(const std::string& pointer) const;

  Document document_;
  BackgroundTask task_;
  Chart* chart_;
  Chart* tornado_;
  QLabel* summary_;
  QTableWidget* table_;
};

}  // namespace headrace::gui
