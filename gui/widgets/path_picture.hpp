// The way of the data from the store to the GPUs: a box per station with its load, the binding one lit.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "gui/widgets/theme.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

class PathPicture : public QWidget {
  Q_OBJECT

 public:
  explicit PathPicture(QWidget* parent = nullptr);
  /// `workers`: how busy they are; nothing: the loader has none.
  void show(const models::Outcome& outcome, std::optional<double> workers = {});
  /// Names of the stations, from the store to the GPUs.
  QStringList stations() const;
  void set_theme(const Theme& theme);
  QSize minimumSizeHint() const override { return {320, 92}; }
  QSize sizeHint() const override { return {720, 104}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QFont narrow_font(double width) const;
  struct Box {
    QString name;
    QString load;
    double utilization = 0.0;
    bool binding = false;
  };
  std::vector<Box> boxes_;
  Theme theme_ = Theme::of(false);
};

}  // namespace headrace::gui
