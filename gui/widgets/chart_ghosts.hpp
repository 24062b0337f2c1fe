// Kept runs in charts: thin marks without a hue, told apart by their dashes; and numbers with the unit of an axis.
#pragma once

#include <QChartView>
#include <QPainter>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gui/presenter/dashboard.hpp"

namespace headrace::gui {

inline constexpr double kGhost_px = 1.3;

inline Qt::PenStyle ghost_style(std::size_t run) {
  constexpr std::array<Qt::PenStyle, 4> kStyles = {Qt::SolidLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};
  return kStyles[run % kStyles.size()];
}

/// nullptr: no such.
const Share* share_named(const std::vector<Share>& shares, const std::string& name);

/// So many digits without zeros that say nothing: "40", "12,800", "0.323".
QString number_said(double value, int digits = 4);

/// "store bandwidth 40 GB/s" of the axis "store bandwidth, GB/s".
QString said_with_unit(const std::string& axis_title, double value);

/// Draws over the chart what no series of it can.
class GhostView : public QChartView {
 public:
  GhostView(std::function<void(QPainter&)> over, QWidget* parent) : QChartView(parent), over_(std::move(over)) {}

 protected:
  void drawForeground(QPainter* painter, const QRectF& /*rect*/) override { over_(*painter); }

 private:
  std::function<void(QPainter&)> over_;
};

}  // namespace headrace::gui
