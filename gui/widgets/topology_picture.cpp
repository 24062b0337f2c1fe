#include "gui/widgets/topology_picture.hpp"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {
namespace {

constexpr std::size_t kMostStores = 3;
constexpr std::size_t kMostPools = 3;
constexpr std::uint64_t kMostNodes = 8;  ///< drawn of a pool
constexpr std::uint64_t kMostGpus = 8;   ///< drawn of a node

class TopologyPainter {
 public:
  TopologyPainter(QPainter& painter, const Topology& topology, const QSizeF& size, const Theme& theme)
      : painter_(painter), topology_(topology), size_(size), theme_(theme) {}

  void paint() {
    const bool network = topology_.has_network();
    const std::size_t stores = std::min(kMostStores, topology_.stores.size());
    const std::size_t pools = std::min(kMostPools, topology_.pools.size());
    for (std::size_t pool = 0; pool < pools; ++pool)
      for (std::size_t store = 0; store < stores; ++store) paint_links(store, pool, network);
    if (network) paint_spine();
    for (std::size_t store = 0; store < stores; ++store) paint_store(store);
    for (std::size_t pool = 0; pool < pools; ++pool) paint_pool(pool, network);
  }

 private:
  QRectF store_place(std::size_t store) const {
    const auto count = static_cast<double>(std::min(kMostStores, topology_.stores.size()));
    const double each = size_.height() / count;
    const double height = std::min(each - 6.0, 0.34 * size_.height());
    return {6.0, static_cast<double>(store) * each + 0.5 * (each - height), 0.17 * size_.width(), height};
  }

  QRectF pool_place(std::size_t pool) const {
    const auto count = static_cast<double>(std::min(kMostPools, topology_.pools.size()));
    const double each = size_.height() / count;
    return {0.45 * size_.width(), static_cast<double>(pool) * each + 3.0, 0.54 * size_.width() - 4.0, each - 6.0};
  }

  double spine_x() const { return 0.33 * size_.width(); }
  double leaf_x() const { return 0.405 * size_.width(); }

  QColor job_colour(std::size_t job) const { return theme_.series[job % theme_.series.size()]; }

  /// A line for each job of the pool that reads from the store.
  void paint_links(std::size_t store, std::size_t pool, bool network) {
    double beside = 0.0;
    for (std::size_t j = 0; j < topology_.jobs.size(); ++j) {
      const TopologyJob& job = topology_.jobs[j];
      if (job.pool != pool || std::find(job.stores.begin(), job.stores.end(), store) == job.stores.end()) continue;
      const QPointF from(store_place(store).right(), store_place(store).center().y() + beside);
      const QPointF to(pool_place(pool).left(), pool_place(pool).center().y() + beside);
      QPainterPath way(from);
      const double middle = network ? spine_x() : 0.5 * (from.x() + to.x());
      way.cubicTo(QPointF(middle, from.y()), QPointF(middle, to.y()), to);
      painter_.setBrush(Qt::NoBrush);
      painter_.setPen(QPen(job_colour(j), 2.0));
      painter_.drawPath(way);
      beside += 3.0;
    }
  }

  void paint_spine() {
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(theme_.faint);
    painter_.drawRoundedRect(QRectF(spine_x() - 3.0, 6.0, 6.0, size_.height() - 12.0), 2.0, 2.0);
  }

  /// A drum; with a cache before it, a smaller one in front.
  void paint_store(std::size_t number) {
    const TopologyStore& store = topology_.stores[number];
    const QRectF place = store_place(number);
    const double lid = std::min(10.0, 0.3 * place.height());
    QPainterPath drum;
    drum.moveTo(place.left(), place.top() + 0.5 * lid);
    drum.lineTo(place.left(), place.bottom() - 0.5 * lid);
    drum.arcTo(QRectF(place.left(), place.bottom() - lid, place.width(), lid), 180.0, 180.0);
    drum.lineTo(place.right(), place.top() + 0.5 * lid);
    drum.arcTo(QRectF(place.left(), place.top(), place.width(), lid), 0.0, 180.0);
    drum.closeSubpath();
    painter_.setPen(QPen(theme_.ink, 1.2, store.shared ? Qt::SolidLine : Qt::DotLine));
    painter_.setBrush(theme_.sheet);
    painter_.drawPath(drum);
    painter_.drawArc(QRectF(place.left(), place.top(), place.width(), lid), 180 * 16, 180 * 16);
    if (!store.cached) return;
    painter_.setBrush(theme_.unsure);
    painter_.drawRect(QRectF(place.right() + 2.0, place.center().y() - 6.0, 8.0, 12.0));
  }

  void paint_pool(std::size_t number, bool network) {
    const TopologyPool& pool = topology_.pools[number];
    const QRectF place = pool_place(number);
    if (network) paint_leaves(pool, place);
    const auto shown = static_cast<double>(std::min(kMostNodes, std::max<std::uint64_t>(1, pool.nodes)));
    const bool more = pool.nodes > kMostNodes;
    const double words = more ? painter_.fontMetrics().height() : 0.0;
    const double columns = shown <= 2.0 || place.height() < 40.0 ? shown : std::ceil(shown / 2.0);
    const double rows = std::ceil(shown / columns);
    const double wide = place.width() / columns;
    const double high = (place.height() - words) / rows;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(shown); ++i) {
      const auto at = static_cast<double>(i);
      const double row = std::floor(at / columns);
      paint_node(
          pool, number,
          {place.left() + (at - row * columns) * wide + 2.0, place.top() + row * high + 2.0, wide - 4.0, high - 4.0});
    }
    if (!more) return;
    painter_.setPen(theme_.ink);
    painter_.drawText(QRectF(place.left(), place.bottom() - words, place.width(), words), Qt::AlignCenter,
                      QString("%L1 nodes").arg(pool.nodes));
  }

  void paint_leaves(const TopologyPool& pool, const QRectF& place) {
    const auto shown = static_cast<double>(std::min<std::uint64_t>(4, pool.leaves));
    const double each = place.height() / shown;
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(theme_.faint);
    for (double leaf = 0.0; leaf < shown; leaf += 1.0)
      painter_.drawRoundedRect(QRectF(leaf_x() - 2.0, place.top() + leaf * each + 2.0, 4.0, each - 4.0), 1.5, 1.5);
  }

  /// A box with a cell for each GPU, in the colour of the job that runs there.
  void paint_node(const TopologyPool& pool, std::size_t number, const QRectF& place) {
    painter_.setPen(QPen(theme_.rule, 1.0));
    painter_.setBrush(theme_.sheet);
    painter_.drawRect(place);
    std::vector<std::size_t> jobs;
    for (std::size_t j = 0; j < topology_.jobs.size(); ++j)
      if (topology_.jobs[j].pool == number) jobs.push_back(j);
    const std::uint64_t shown = std::min(kMostGpus, std::max<std::uint64_t>(1, pool.gpus_per_node));
    const double foot = pool.cached ? std::min(5.0, 0.2 * place.height()) : 0.0;
    const double columns = shown <= 2 ? static_cast<double>(shown) : std::ceil(static_cast<double>(shown) / 2.0);
    const double rows = std::ceil(static_cast<double>(shown) / columns);
    const double wide = (place.width() - 4.0) / columns;
    const double high = (place.height() - 4.0 - foot) / rows;
    painter_.setPen(Qt::NoPen);
    for (std::uint64_t i = 0; i < shown; ++i) {
      const auto at = static_cast<double>(i);
      const double row = std::floor(at / columns);
      painter_.setBrush(jobs.empty() ? theme_.rule : job_colour(jobs[static_cast<std::size_t>(i) % jobs.size()]));
      painter_.drawRect(QRectF(place.left() + 2.0 + (at - row * columns) * wide + 0.75,
                               place.top() + 2.0 + row * high + 0.75, std::max(1.0, wide - 1.5),
                               std::max(1.0, high - 1.5)));
    }
    if (foot <= 0.0) return;
    painter_.setBrush(theme_.unsure);
    painter_.drawRect(QRectF(place.left() + 2.0, place.bottom() - foot - 1.0, place.width() - 4.0, foot));
  }

  QPainter& painter_;
  const Topology& topology_;
  QSizeF size_;
  const Theme& theme_;
};

}  // namespace

QPixmap topology_picture(const Topology& topology, const QSize& size, double ratio, const Theme& theme) {
  QPixmap picture((QSizeF(size) * ratio).toSize());
  picture.setDevicePixelRatio(ratio);
  picture.fill(theme.ground);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  QFont small = painter.font();
  small.setPointSizeF(small.pointSizeF() * 0.75);
  painter.setFont(small);
  TopologyPainter(painter, topology, size, theme).paint();
  return picture;
}

}  // namespace headrace::gui
