// The key figures of an answer with their intervals. Names take the lines that they need, so that values and intervals
// are whole in a narrow window.
#pragma once

#include <QTableWidget>

#include "gui/presenter/dashboard.hpp"

namespace headrace::gui {

class FigureTable : public QTableWidget {
  Q_OBJECT

 public:
  explicit FigureTable(QWidget* parent = nullptr);
  /// `compared`: with the columns of the baseline.
  void show_figures(const std::vector<MetricRow>& rows, bool compared);
  enum Column { kName, kValue, kInterval, kInputs, kBaseline, kChange, kColumns };

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
  void break_anywhere(int column);
  /// Pixels of its widest word.
  int narrowest(int column) const;

  int least_name_px() const;
  bool has_room_for_inputs() const;

  bool ranged_ = false;      ///< some figure has a range over the inputs
  std::vector<int> widest_;  ///< of each column with so many rows: nothing moves while values change
  std::vector<int> fitted_;  ///< rows and width of the names that the heights belong to
};

}  // namespace headrace::gui
