// headrace sweep in the window: parameters over some values, or a space from a file, drawn as a line, a map,
// three maps that are linked, or points.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/parameter_sheet.hpp"
#include "gui/presenter/sweep_cube.hpp"
#include "gui/presenter/sweep_run.hpp"
#include "gui/widgets/chart.hpp"

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableWidget;

namespace headrace::gui {

class LinkedMaps;

class SweepPane : public QWidget {
  Q_OBJECT

 public:
  using Document = std::function<const ScenarioDocument*()>;
  explicit SweepPane(Document document, QWidget* parent = nullptr);

  void start();
  /// Parameters to choose from, the pinned ones first.
  void offer(const std::vector<ParameterValue>& parameters);
  /// From 0 on; one more than there are is added.
  void set_axis(int axis, const QString& pointer, const QString& values);
  void set_level(scenarios::AnswerLevel level);
  BackgroundTask& task() { return task_; }
  const SweepAnswer& answer() const { return answer_; }
  Chart* chart() const { return chart_; }
  LinkedMaps* linked_maps() const { return linked_; }
  bool shows_linked_maps() const;
  void set_theme(const Theme& theme);
  SweepWish wish() const;
  void reset();
  /// Sweeps a space from a file, until an axis is edited.
  void sweep_space(const QString& path);

 Q_SIGNALS:
  void chosen(const std::vector<headrace::gui::Edit>& edits, const QString& what);
  void complained(const QString& text);

 private:
  void add_axis();
  void fill_choices(QComboBox& box, bool may_be_none) const;
  QString pointer_of(const QComboBox& box) const;
  int axes() const { return static_cast<int>(parameters_.size()); }
  void show_answer();
  std::vector<std::string> told_metrics() const;
  void offer_metrics(const std::vector<std::string>& metrics);
  void choose_metric();
  void draw();
  void frame_present(HeatMap& map) const;
  void draw_map(const std::string& metric, double factor, const std::string& title);
  void draw_linked(const SweepCube& cube, const std::string& metric, double factor, const std::string& title);
  void choose(int point);
  void suggest_values(int axis);
  void save_space();
  void open_space();

  Document document_;
  BackgroundTask task_;
  SweepAnswer answer_;
  std::vector<ParameterValue> offered_;
  QString space_;
  QGridLayout* wishes_;
  std::vector<QComboBox*> parameters_;
  std::vector<QLineEdit*> values_;
  QComboBox* level_;
  QComboBox* metric_;
  bool metric_is_chosen_ = false;  ///< by the user
  QLabel* headline_;
  QStackedWidget* drawing_;
  Chart* chart_;
  LinkedMaps* linked_;  ///< of three parameters
  QTableWidget* table_;
  std::vector<std::vector<int>> cells_;  ///< of a map: the point in each, -1: none
};

}  // namespace headrace::gui
