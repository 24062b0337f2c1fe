// Predicted against measured: what headrace verify found on a machine, and what a site file says about itself.
#pragma once

#include <QWidget>

#include "gui/presenter/measured_view.hpp"
#include "gui/widgets/chart.hpp"

class QLabel;
class QTableWidget;

namespace headrace::gui {

class MeasuredPane : public QWidget {
  Q_OBJECT

 public:
  explicit MeasuredPane(QWidget* parent = nullptr);
  void show_document(const ScenarioDocument& document);
  /// False after a complaint.
  bool open(const QString& path);
  Chart* chart() const { return chart_; }

 signals:
  void complained(const QString& text);
  void site_wanted();

 private:
  QLabel* layers_;
  QLabel* headline_;
  Chart* chart_;
  QTableWidget* table_;
};

}  // namespace headrace::gui
