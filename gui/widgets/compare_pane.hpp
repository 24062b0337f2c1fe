// Runs side by side: the present one against the baseline with intervals, the inputs that differ, and every run that
// was kept.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/comparison_view.hpp"

class QLabel;
class QTableWidget;

namespace headrace::gui {

/// A run that was pinned: what was asked and what was answered.
struct KeptRun {
  ScenarioDocument document;
  models::Outcome outcome;
};

class ComparePane : public QWidget {
  Q_OBJECT

 public:
  explicit ComparePane(QWidget* parent = nullptr);

  void reset();
  /// The baseline is the last one kept.
  void keep(KeptRun run);
  void forget_baseline();
  const KeptRun* baseline() const { return baseline_ ? &*baseline_ : nullptr; }
  /// The present document: the inputs that differ at once, the differences after a comparison.
  void show_present(const ScenarioDocument& document);
  /// Simulates both on the same random numbers.
  void start();
  void set_wish(const CompareWish& wish) { wish_ = wish; }
  BackgroundTask& task() { return task_; }
  const DeltaTable& deltas() const { return deltas_; }
  const std::vector<ChangedInput>& inputs() const { return inputs_; }
  const std::vector<KeptRun>& runs() const { return runs_; }

 Q_SIGNALS:
  void load_wanted(int run);

 private:
  void show_runs();

  BackgroundTask task_;
  CompareWish wish_;
  std::optional<KeptRun> baseline_;
  std::optional<ScenarioDocument> present_;
  std::vector<KeptRun> runs_;
  std::vector<ChangedInput> inputs_;
  DeltaTable deltas_;
  QLabel* headline_;
  QTableWidget* delta_table_;
  QTableWidget* input_table_;
  QTableWidget* run_table_;
};

}  // namespace headrace::gui
