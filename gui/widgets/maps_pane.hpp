// Curves and maps that take longer than a frame: throughput over workers and depth, cache hits over size, batches that
// wait over time.
#pragma once

#include <QWidget>
#include <optional>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/parameter_sheet.hpp"
#include "gui/widgets/chart.hpp"

namespace headrace::gui {

class MapsPane : public QWidget {
  Q_OBJECT

 public:
  explicit MapsPane(QWidget* parent = nullptr);

  /// Draws this document: maps after a short rest, the recording after the maps. Nothing while the pane is not seen.
  void show_document(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet);
  std::vector<Chart*> charts() const { return {throughput_, curves_, hits_, depths_}; }
  BackgroundTask& maps_task() { return maps_task_; }
  BackgroundTask& depths_task() { return depths_task_; }
  void stop();

 Q_SIGNALS:
  /// A cell of the map: workers and depth as a file spells them.
  void chosen(const std::vector<headrace::gui::Edit>& edits, const QString& what);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void draw_throughput(const ScenarioDocument& document);
  void draw_depths(const ScenarioDocument& document);
  void show_map(const Surface& surface, const ParameterValue& workers, const ParameterValue& depth,
                const std::string& job);
  void show_hits(const Curve& hits, const ParameterValue& size);

  BackgroundTask maps_task_;
  BackgroundTask depths_task_;
  std::optional<ScenarioDocument> document_;
  std::vector<ParameterValue> sheet_;
  bool stale_ = false;
  std::vector<std::vector<std::vector<Edit>>> cells_;  ///< by row and column of the map
  Chart* throughput_;
  Chart* curves_;
  Chart* hits_;
  Chart* depths_;
};

}  // namespace headrace::gui
