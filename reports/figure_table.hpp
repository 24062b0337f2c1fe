// Metrics of an outcome as a table for a terminal: value with its unit, interval, range over uncertain inputs.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "models/outcome/outcome.hpp"

namespace headrace::reports {

/// Rows of those metrics that `shown` accepts, under a line of headings. Figures that are certainly 0 are left out,
/// except the idle time, which answers the question.
std::string figure_table(const models::Outcome& outcome, const std::function<bool(const models::Metric&)>& shown);

/// Jobs beside each other have steps, samples and epochs of their own.
bool has_several_jobs(const models::Outcome& outcome);

/// How a figure is known that was not simulated: "bound: at least", "estimate". Waits only make steps longer.
std::string kind_text(std::string_view kind, std::string_view metric);
/// What is a mean or a sum over such jobs and says nothing of any: each job has a row instead.
bool mixes_jobs(const std::string& metric);

/// GPUs are used, and nobody stated what they cost.
bool lacks_gpu_price(const models::Outcome& outcome);
/// What leaves the store, where it is a gigabyte or more; else nullptr.
const models::LedgerLine* notable_egress(const std::vector<models::LedgerLine>& ledger);
/// What the dollars of a ledger count, where it is not all that the ledger names: "GPU hours alone", or
/// "egress at $0" where requests are paid for; else empty.
std::string cost_scope(const std::vector<models::LedgerLine>& ledger);
/// A metric's spoken name, with what its dollars count where that is not all: "cost per epoch, GPU hours alone".
std::string figure_label(std::string_view metric, const models::Outcome& outcome);
/// Whether a figure is a sum of dollars of which none has a price, or of GPUs that have none: nothing is known, rather
/// than $0.00.
bool has_no_price(const models::Metric& metric, const models::Outcome& outcome);
/// Figures that each of several jobs has of its own.
inline constexpr std::array<std::string_view, 3> kJobFigures = {"step_time_s", "gpu_idle_fraction", "epoch_time_s"};
/// A row per job with the figures that are its own, and what all their GPUs wait; at most so many jobs.
std::string job_table(const models::Outcome& outcome, std::size_t most);

}  // namespace headrace::reports
