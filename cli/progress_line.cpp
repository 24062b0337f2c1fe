#include "cli/progress_line.hpp"

#include <fmt/format.h>

#include "reports/humane.hpp"

namespace headrace::cli {

std::string progress_text(const models::Progress& progress) {
  std::string text = fmt::format("{:<16} {:>3.0f} %", progress.phase, progress.fraction * 100.0);
  if (progress.steps > 0) text += fmt::format("  {} steps", progress.steps);
  if (progress.eta_s > 0.0) text += fmt::format("  about {} left", reports::humane(progress.eta_s, "s", 2));
  return text;
}

void ProgressLine::show(const models::Progress& progress) { show_text(progress_text(progress), progress.phase); }

void ProgressLine::show_runs(const std::string& phase, std::size_t runs) {
  show_text(runs == 0 ? phase : fmt::format("{:<16}  {}", phase, reports::counted(runs, "run")), phase);
}

void ProgressLine::show_text(const std::string& text, std::string_view phase) {
  constexpr std::chrono::milliseconds kShortest{100};
  const std::scoped_lock lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kShortest && phase == phase_) return;
  last_ = now;
  phase_ = phase;
  console_.progress(text);
}

void ProgressLine::follow(models::StudyOptions& study, const InterruptWatch& watch) {
  study.stop = watch.token();
  study.abandon = watch.abandon_token();
  if (console_.shows_progress()) study.progress = [this](const models::Progress& progress) { show(progress); };
}

}  // namespace headrace::cli
