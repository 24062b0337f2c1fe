#include "models/campaign/campaign_figures.hpp"

#include <algorithm>
#include <cmath>  // std::sqrt only
#include <numeric>

#include "sim/replication_interval.hpp"

namespace headrace::models {

CampaignFigure campaign_figure(const std::vector<double>& values, double factor) {
  const sim::ReplicationResult result = sim::replication_interval(values, 0.95, 2);
  CampaignFigure figure{result.mean * factor, {}};
  if (result.interval) figure.ci95 = Interval{result.interval->lo * factor, result.interval->hi * factor};
  return figure;
}

std::optional<CampaignFigure> campaign_ratio(const std::vector<double>& parts, const std::vector<double>& wholes,
                                             double factor) {
  const double whole = std::accumulate(wholes.begin(), wholes.end(), 0.0);
  if (!(whole > 0.0)) return std::nullopt;
  const double ratio = std::accumulate(parts.begin(), parts.end(), 0.0) / whole;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < parts.size(); ++i)
    residuals.push_back((parts[i] - ratio * wholes[i]) * static_cast<double>(wholes.size()) / whole);
  CampaignFigure figure = campaign_figure(residuals, factor);  // their mean is 0
  figure.mean = ratio * factor;
  if (figure.ci95) figure.ci95 = Interval{figure.mean + figure.ci95->low, figure.mean + figure.ci95->high};
  return figure;
}

void widen(CampaignFigure& figure, double relative) {
  if (!figure.ci95) return;
  const double half = (figure.ci95->high - figure.ci95->low) / 2.0;
  const double other = figure.mean * relative;
  const double both = std::sqrt(half * half + other * other);
  figure.ci95 = Interval{figure.mean - both, figure.mean + both};
}

std::vector<CampaignLoss> campaign_losses(const LossHistories& lost_s, double hours_per_s, double total_hours) {
  std::vector<CampaignLoss> losses;
  for (std::size_t c = 0; c < kLossCauseCount; ++c) {
    CampaignLoss loss{static_cast<LossCause>(c), campaign_figure(lost_s[c], hours_per_s), 0.0};
    if (!(loss.gpu_hours.mean > 0.0)) continue;
    if (loss.gpu_hours.ci95) loss.gpu_hours.ci95->low = std::max(0.0, loss.gpu_hours.ci95->low);
    loss.share = loss.gpu_hours.mean / total_hours;
    losses.push_back(loss);
  }
  std::stable_sort(losses.begin(), losses.end(),
                   [](const CampaignLoss& a, const CampaignLoss& b) { return a.gpu_hours.mean > b.gpu_hours.mean; });
  return losses;
}

}  // namespace headrace::models
