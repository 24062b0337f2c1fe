// The limits of a plan as a form: what is left empty is not asked.
#pragma once

#include <QDialog>
#include <vector>

#include "gui/presenter/plan_limits.hpp"

class QLineEdit;
class QTableWidget;

namespace headrace::gui {

class PlanLimitsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit PlanLimitsDialog(const PlanLimits& limits, QWidget* parent = nullptr);

  /// As the form says now.
  PlanLimits limits() const;
  /// The field of "idle".
  QLineEdit* field(const QString& key) const;
  /// Asks for an event, or takes it back, and says what must hold: "idle", "5 %".
  void set_event(const QString& event, bool asked, const QString& key, const QString& value);

 private:
  QWidget* make_form();
  QWidget* make_events();

  PlanLimits limits_;
  std::vector<scenarios::Parameter> fields_;  ///< of an event: the columns from the second on
  std::vector<QLineEdit*> lines_;
  QTableWidget* events_;
};

}  // namespace headrace::gui
