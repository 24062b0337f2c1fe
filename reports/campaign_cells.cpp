#include "reports/campaign_cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/figure_table.hpp"
#include "reports/humane.hpp"
#include "reports/room_text.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {

namespace {

constexpr std::string_view kCauseIdle = models::kLossCauses[static_cast<std::size_t>(models::LossCause::idle)].name;
constexpr std::string_view kCauseQueued = models::kLossCauses[static_cast<std::size_t>(models::LossCause::queued)].name;

constexpr double kLeastHours = 0.01;  // that are told

std::string_view meaning_of(const models::CampaignLoss& loss) {
  return models::kLossCauses[static_cast<std::size_t>(loss.cause)].meaning;
}

}  // namespace

std::string most_lost_sentence(const std::vector<NamedLoss>& losses) {
  std::string text;
  for (const NamedLoss& loss : losses) {
    if (loss.cause == kCauseIdle || loss.cause == kCauseQueued) {
      text += fmt::format("{} ({}). ", capital(loss.meaning), loss.amount);
      continue;
    }
    return text + fmt::format("Of what jobs lose, most goes to: {} ({}).", loss.meaning, loss.amount);
  }
  return text.substr(0, text.empty() ? 0 : text.size() - 1);
}

std::string hours_text(double hours) {
  return hours > 0.0 && hours < kLeastHours ? fmt::format("<{} h", kLeastHours) : humane_number(hours, 4) + " h";
}

std::string whole_text(double value) { return humane_number(value, 1); }

std::string interval_cell(const models::CampaignFigure& figure, std::string_view unit, int digits) {
  const std::optional<models::Interval>& ends = figure.ci95;
  if (!ends) return "";
  const Scale scale = humane_scale(figure.mean > 0.0 ? figure.mean : ends->high, unit);
  if (scale.prefix || scale.unit.empty())
    return fmt::format("[{}, {}]", humane(ends->low, unit, digits), humane(ends->high, unit, digits));
  return fmt::format("[{}, {}] {}", humane_number(ends->low * scale.factor, digits),
                     humane_number(ends->high * scale.factor, digits), scale.unit);
}

std::string percent_interval_cell(const std::optional<models::Interval>& ends) {
  return ends ? fmt::format("[{}, {}]", percent(ends->low, 2), percent(ends->high, 2)) : std::string();
}

std::vector<std::string> useful_price_row(const std::optional<models::CampaignFigure>& per_hour_usd,
                                          const models::CampaignFigure& cost_usd) {
  return {"per useful GPU hour", per_hour_usd ? humane(per_hour_usd->mean, "USD") : "none is useful",
          per_hour_usd ? interval_cell(*per_hour_usd, "USD") : "", humane(cost_usd.mean, "USD") + " in all"};
}

std::string cost_scope_line(const std::vector<models::LedgerLine>& ledger) {
  const std::string scope = cost_scope(ledger);
  return scope.empty() ? std::string("\n") : fmt::format("  Costs: {}.\n", scope);
}

std::string warm_start_text(double warm_first_step_s, const models::PhaseTimes& phases) {
  const bool bare = phases.image_s == 0.0 && phases.imports_s == 0.0;
  return fmt::format("warm {}{}", humane(warm_first_step_s, "s", 3), bare ? "; no image stated" : "");
}

std::vector<PhaseRow> phase_rows(const models::PhaseTimes& p) {
  const bool saves = p.replacement_s > 0.0 && p.preempting == 0.0;
  std::vector<PhaseRow> rows{{"detection", {0.0, 0.0, p.detection_s, 0.0}},
                             {"saving on notice", {0.0, 0.0, 0.0, saves ? p.save_s : 0.0}},
                             {"reschedule", {0.0, 0.0, p.reschedule_s, p.replacement_s}},
                             {"image", {p.image_s, 0.0, p.image_of_node_s, p.image_of_node_s}},
                             {"imports", {p.imports_s, p.imports_warm_s, p.imports_of_node_s, p.imports_of_node_s}},
                             {"listing", {p.listing_s, p.listing_s, p.listing_s, p.listing_s}},
                             {"staging", {p.staging_s, p.staging_again_s, p.staging_again_s, p.staging_again_s}},
                             {"checkpoint read back", {0.0, 0.0, p.load_s, p.load_s}},
                             {"first batch", {p.first_batch_s, p.first_batch_s, p.first_batch_s, p.first_batch_s}}};
  PhaseRow together{"together", {}};
  for (const PhaseRow& row : rows)
    for (std::size_t i = 0; i < row.times_s.size(); ++i) together.times_s[i] += row.times_s[i];
  rows.push_back(together);
  rows.push_back({"skipping, at most", {0.0, 0.0, p.skip_epoch_s, p.skip_epoch_s}});
  std::erase_if(rows, [](const PhaseRow& row) {
    return std::none_of(row.times_s.begin(), row.times_s.end(), [](double time_s) { return time_s > 0.0; });
  });
  return rows;
}

void add_room_rows(const models::RoomFacts& room, CampaignCells& rows) {
  for (auto& [name, text] : room_rows(room)) rows.push_back({name, text, "", ""});
}

CampaignCells loss_rows(const std::vector<models::CampaignLoss>& losses, std::size_t most) {
  CampaignCells rows;
  double other_hours = 0.0;
  double other_share = 0.0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const models::CampaignLoss& loss = losses[i];
    if (i < most || losses.size() == most + 1) {
      rows.push_back({std::string(meaning_of(loss)), percent(loss.share, 2), hours_text(loss.gpu_hours.mean),
                      loss.gpu_hours.ci95 && loss.gpu_hours.mean >= kLeastHours
                          ? fmt::format("[{}, {}]", humane_number(loss.gpu_hours.ci95->low, 3),
                                        humane_number(loss.gpu_hours.ci95->high, 3))
                          : std::string()});
      continue;
    }
    other_hours += loss.gpu_hours.mean;
    other_share += loss.share;
  }
  if (other_hours > 0.0)
    rows.push_back({fmt::format("{} others (--verbose)", losses.size() - most), percent(other_share, 2),
                    hours_text(other_hours), ""});
  return rows;
}

CampaignCells ledger_rows(const std::vector<models::LedgerLine>& ledger, double total_usd) {
  CampaignCells rows;
  for (const models::LedgerLine& line : ledger)
    rows.push_back({line.item, humane(line.quantity, line.unit), bill_line(line.quantity, line.usd)});
  rows.push_back({"total", "", exact_money(total_usd)});
  return rows;
}

std::string warning_sentences(const models::Warning& warning) {
  return capital(warning.seen) + "." + (warning.fix.empty() ? "" : " " + capital(warning.fix) + ".");
}

std::string warnings_text(const std::vector<models::Warning>& warnings, const Style& style) {
  std::string text;
  for (const models::Warning& warning : warnings)
    text += wrapped("Mind: " + warning_sentences(warning), style.width, 0) + "\n";
  return text;
}

}  // namespace headrace::reports
