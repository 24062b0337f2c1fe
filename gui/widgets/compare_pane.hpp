// Runs side by side: the present one against the baseline with intervals, the inputs that differ, and every run that
// was kept.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/comparison_view.hpp"
#include "gui/presenter/kept_run.hpp"
#include "gui/widgets/chart.hpp"

class QComboBox;
class QLabel;
class QTableWidget;

namespace headrace::gui {

class RunCards;

class ComparePane : public QWidget {
  Q_OBJECT

 public:
  explicit ComparePane(QWidget* parent = nullptr);

  void reset();
  /// The baseline is the last one kept.
  void keep(KeptRun run);
  void forget_baseline();
  void make_baseline(std::size_t run);
  void remove(std::size_t run);
  const KeptRun* baseline() const { return baseline_ ? &runs_[*baseline_] : nullptr; }
  /// The runs that charts of the answer show beside it: the baseline first, where there is one.
  std::vector<const KeptRun*> ghosts() const;
  RunCards* cards() const { return cards_; }
  /// The present document: the inputs that differ at once, the differences after a comparison.
  void show_present(const ScenarioDocument& document);
  /// Where the present answer is, which stands against the run that is chosen.
  void set_answer(const std::function<const models::Outcome*()>& answer) { answer_ = answer; }
  /// There is another answer.
  void refresh();
  Chart* chart() const { return chart_; }
  QComboBox* first() const { return first_; }
  QComboBox* total() const { return total_; }
  /// Simulates both on the same random numbers.
  void start();
  void set_wish(const CompareWish& wish) { wish_ = wish; }
  BackgroundTask& task() { return task_; }
  const DeltaTable& deltas() const { return deltas_; }
  const std::vector<InputDifference>& inputs() const { return inputs_; }
  const std::vector<KeptRun>& runs() const { return runs_; }

 Q_SIGNALS:
  void load_wanted(int run);
  /// Another baseline, or a run less.
  void runs_changed();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void show_runs();
  void show_cards();
  void show_steps();
  void offer_totals(const models::Outcome& now);

  BackgroundTask task_;
  CompareWish wish_;
  std::optional<std::size_t> baseline_;  ///< place among the runs
  std::optional<ScenarioDocument> present_;
  std::vector<KeptRun> runs_;
  int kept_ = 0;  ///< since the scenario was opened
  std::vector<InputDifference> inputs_;
  DeltaTable deltas_;
  std::function<const models::Outcome*()> answer_;
  QComboBox* first_;  ///< the saved run that the steps begin with
  QComboBox* total_;
  Chart* chart_;
  QLabel* headline_;
  QLabel* basis_;  ///< of the table of differences, above it
  RunCards* cards_;
  QTableWidget* delta_table_;
  QTableWidget* input_table_;
  QTableWidget* run_table_;
};

}  // namespace headrace::gui
