// The card of a station of the data path: its figures, and its parameters as sliders.
#pragma once

#include <QFrame>
#include <functional>
#include <vector>

#include "gui/presenter/station_facts.hpp"
#include "gui/widgets/theme.hpp"

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace headrace::gui {

class SliderRow;

class StationCard : public QFrame {
  Q_OBJECT

 public:
  explicit StationCard(QWidget* parent);

  /// Fills the card, which stands below `where` on the screen until a click beside it.
  void open(const StationRef& station, const QRect& where);
  /// What the card of its station says now.
  void show_facts(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet,
                  const models::Outcome& outcome);
  const StationRef& station() const { return station_; }
  const StationFacts& facts() const { return facts_; }
  /// Why a value of one of its rows was refused.
  void complain(const QString& pointer, const QString& why);
  std::vector<SliderRow*> rows() const { return rows_; }
  void set_theme(const Theme& theme);

 Q_SIGNALS:
  void changed(const QString& pointer, const QString& value, int drag);
  void dragged(bool begins);

 private:
  void show_rows(const ScenarioDocument& document, const std::vector<ParameterValue>& sheet);

  StationRef station_;
  StationFacts facts_;
  std::vector<std::string> shown_;  ///< parameters that have a row
  std::vector<SliderRow*> rows_;
  QLabel* title_;
  QGridLayout* figures_;
  QVBoxLayout* parameters_;
  QLabel* note_;    ///< what two figures seem to contradict
  QLabel* others_;  ///< parameters that cannot slide
  Theme theme_ = Theme::of(false);
};

}  // namespace headrace::gui
