// headrace growth in the window: when each layer is full, with a slider over the quarters, and what is bought by then.
#pragma once

#include <QWidget>
#include <functional>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/growth_run.hpp"
#include "gui/widgets/chart.hpp"

class QLabel;
class QSlider;
class QTableWidget;

namespace headrace::gui {

class GrowthPane : public QWidget {
  Q_OBJECT

 public:
  using Document = std::function<const ScenarioDocument*()>;
  explicit GrowthPane(Document document, QWidget* parent = nullptr);

  void start();
  BackgroundTask& task() { return task_; }
  const GrowthForecast& forecast() const { return forecast_; }
  Chart* chart() const { return chart_; }
  QSlider* slider() const { return slider_; }
  QTableWidget* layers() const { return layers_; }
  QTableWidget* orders() const { return orders_; }
  /// Whether the quarters in which a layer becomes full are simulated.
  void set_simulate(bool simulate) { simulate_ = simulate; }
  void reset(const ScenarioDocument& document);
  void show_document(const ScenarioDocument& document);

 private:
  void show_forecast();
  void show_quarter();

  Document document_;
  BackgroundTask task_;
  GrowthForecast forecast_;
  std::string of_;  ///< fingerprint of the scenario of the forecast
  bool simulate_ = true;
  QLabel* headline_;
  QLabel* costs_;
  QLabel* quarter_;
  QSlider* slider_;
  Chart* chart_;
  QTableWidget* layers_;
  QTableWidget* orders_;
};

}  // namespace headrace::gui
