// Cells that the texts of campaigns of one job and of many share.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/campaign/campaign.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

using CampaignCells = std::vector<std::vector<std::string>>;

/// A cause of lost hours as documents and people name it, with how much it takes.
struct NamedLoss {
  std::string cause;
  std::string meaning;
  std::string amount;
};

/// "Most is lost to: writing checkpoints (3.10 %)." Hours in which nodes are free, which no job loses, come before it
/// where they are more. Largest first.
std::string most_lost_sentence(const std::vector<NamedLoss>& losses);

std::string hours_text(double hours);

/// A count with commas between thousands.
std::string whole_text(double value);

/// Both ends in the unit that the mean is shown in: "2.03 h" beside "[1.31, 2.75] h".
std::string interval_cell(const models::CampaignFigure& figure, std::string_view unit, int digits = 4);
std::string percent_interval_cell(const std::optional<models::Interval>& ends);

/// What a useful GPU hour costs, and all of them.
std::vector<std::string> useful_price_row(const std::optional<models::CampaignFigure>& per_hour_usd,
                                          const models::CampaignFigure& cost_usd);
/// "  Costs: GPU hours alone.": what is priced where that is not all; an empty line where it is.
std::string cost_scope_line(const std::vector<models::LedgerLine>& ledger);

/// A phase of a start or return, seconds: cold start, warm start, restart after a failure, return of a job whose spot
/// node is taken away. 0: not part of it.
struct PhaseRow {
  const char* name;
  std::array<double, 4> times_s;
};

/// "warm 30.2 s"; what a start leaves out where the scenario has neither a container image nor imports.
std::string warm_start_text(double warm_first_step_s, const models::PhaseTimes& phases);

/// Those that take time, their sum, and what skipping the samples of an epoch adds at most.
std::vector<PhaseRow> phase_rows(const models::PhaseTimes& phases);

void add_room_rows(const models::RoomFacts& room, CampaignCells& rows);

/// At most so many causes, and what the others take together.
CampaignCells loss_rows(const std::vector<models::CampaignLoss>& losses, std::size_t most);

/// The ledger with its total.
CampaignCells ledger_rows(const std::vector<models::LedgerLine>& ledger, double total_usd);

/// "Jobs slow each other. Run fewer of them at once."
std::string warning_sentences(const models::Warning& warning);

/// A paragraph for each warning.
std::string warnings_text(const std::vector<models::Warning>& warnings, const Style& style);

}  // namespace headrace::reports
