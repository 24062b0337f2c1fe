// The card "What to do next" of the first screen: up to three changes, each of which one click applies.
#pragma once

#include <QFrame>
#include <vector>

#include "gui/presenter/next_steps.hpp"
#include "gui/widgets/theme.hpp"

class QLabel;
class QPushButton;

namespace headrace::gui {

class FixedLines;

class NextCard : public QFrame {
  Q_OBJECT

 public:
  explicit NextCard(QWidget* parent = nullptr);

  /// `confidence`: how far the answer can be trusted that they follow from.
  void show_steps(const NextSteps& next, const QString& confidence);
  /// There is nothing to say yet, and why.
  void show_waiting(const QString& why);
  void set_theme(const Theme& theme);
  const std::vector<NextStep>& steps() const { return steps_; }
  /// Of a row: the change, its gain and its cost.
  QString text(std::size_t row) const;
  /// Whether gain, cost and confidence are drawn whole.
  bool shows_effects() const;
  QPushButton* apply_button(std::size_t row) const { return rows_.at(row).apply; }

 Q_SIGNALS:
  void wanted(const std::vector<headrace::gui::Edit>& edits, const QString& what);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Long changes take the lines of rows that are empty: the card is always as high as three rows.
  void share_lines();
  struct Row {
    FixedLines* change;
    FixedLines* effect;  ///< gain and cost, on a line of their own: however long the change is, they are whole
    QPushButton* apply;
  };

  QLabel* title_;
  FixedLines* confidence_;
  FixedLines* nothing_;  ///< instead of the rows
  std::vector<Row> rows_;
  std::vector<NextStep> steps_;
};

}  // namespace headrace::gui
