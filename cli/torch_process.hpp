// The user's own Python, which runs the embedded script with a real PyTorch DataLoader.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "models/calibration/scratch.hpp"
#include "models/verification/torch_loop.hpp"

namespace headrace::cli {

/// cli/scripts/torch_loader.py.
std::string_view torch_script();

/// What a Python has.
struct TorchVersions {
  std::string text;  ///< "torch 1.13.1, Python 3.11.2, PIL 9.4.0"
  bool has_pil = false;
};

/// Keeps the script in a temporary folder. The stop token ends what runs.
class TorchProcess {
 public:
  TorchProcess(std::string python, std::stop_token stop);

  /// Throws CalibrationError when there is no such Python, or no torch in it.
  TorchVersions versions();

  /// In the order of the runs; fewer when it was asked to stop. Throws CalibrationError.
  std::vector<models::verification::TorchAnswer> answers(const std::vector<models::verification::TorchRun>& runs);

 private:
  std::vector<std::string> lines_of(const std::vector<models::verification::TorchRun>& runs);

  std::string python_;
  std::stop_token stop_;
  models::calibration::Scratch folder_;
};

}  // namespace headrace::cli
