// Figures of campaigns from what their replications came to.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/campaign/campaign.hpp"

namespace headrace::models {

/// By cause, a value per replication.
using LossHistories = std::array<std::vector<double>, kLossCauseCount>;

/// Mean of the values times `factor` with its interval by Student's t.
CampaignFigure campaign_figure(const std::vector<double>& values, double factor = 1.0);

/// Sum of the parts over the sum of the wholes, times `factor`, with an interval by Student's t for a ratio of means
/// (Cochran, Sampling Techniques, 1977, equation 6.13): a mean of ratios would give a short replication as much weight
/// as a long one. Empty where the wholes sum to 0.
std::optional<CampaignFigure> campaign_ratio(const std::vector<double>& parts, const std::vector<double>& wholes,
                                             double factor = 1.0);

/// Widens an interval by another relative error of the same mean, independent of it.
void widen(CampaignFigure& figure, double relative);

/// Causes that took something, largest first, with their share of `total_hours`.
std::vector<CampaignLoss> campaign_losses(const LossHistories& lost_s, double hours_per_s, double total_hours);

}  // namespace headrace::models
