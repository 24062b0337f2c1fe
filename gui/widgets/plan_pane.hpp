// headrace plan in the window: what may be chosen, what is made least, the configurations as points to click.
#pragma once

#include <QWidget>
#include <functional>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/plan_run.hpp"
#include "gui/widgets/chart.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;

namespace headrace::gui {

class PlanPane : public QWidget {
  Q_OBJECT

 public:
  using Document = std::function<const ScenarioDocument*()>;
  explicit PlanPane(Document document, QWidget* parent = nullptr);

  void start();
  BackgroundTask& task() { return task_; }
  const PlanAnswer& answer() const { return answer_; }
  Chart* chart() const { return chart_; }
  /// Another scenario: its own goal, and no answer yet.
  void reset(const ScenarioDocument& document);
  /// The present scenario: its limits.
  void show_document(const ScenarioDocument& document);
  PlanWish wish() const;
  /// Tests and screenshots ask for less.
  void limit(std::size_t most_points, double max_wall_s);

 Q_SIGNALS:
  void chosen(const std::vector<headrace::gui::Edit>& edits, const QString& what);
  void limits_changed(const std::vector<headrace::gui::Edit>& edits, const QString& what);

 private:
  void edit_limits();
  void show_answer();
  void choose(int id);

  Document document_;
  BackgroundTask task_;
  PlanAnswer answer_;
  std::size_t most_points_ = 400;
  double max_wall_s_ = 120.0;
  QComboBox* goal_;
  QComboBox* against_;
  QComboBox* inputs_;
  QLineEdit* decisions_;
  QLabel* limits_;
  QLabel* headline_;
  QLabel* reasons_;
  QLabel* no_prices_;  ///< beside the goal that the plan could not take
  Chart* chart_;
  QTableWidget* table_;
  QPlainTextEdit* text_;
  QPushButton* memo_;
};

}  // namespace headrace::gui
