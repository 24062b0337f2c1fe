#include "cli/measuring_progress.hpp"

namespace headrace::cli {

std::function<void(const models::calibration::CalibrationProgress&)> teller(ProgressLine& line) {
  return [&line](const models::calibration::CalibrationProgress& progress) {
    models::Progress shown;
    shown.phase = progress.phase;
    shown.fraction = progress.fraction;
    shown.eta_s = progress.eta_s;
    line.show(shown);
  };
}

}  // namespace headrace::cli
