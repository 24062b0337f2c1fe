// Catalogue figures of a GPU model, for calibrations that cannot measure one.
#pragma once

#include <string>
#include <vector>

#include "models/calibration/catalogue_gpu.hpp"
#include "scenarios/document/catalogue.hpp"

namespace headrace::scenarios {

/// What a name means in the catalogue's section gpu.
struct GpuNamed {
  std::vector<std::string> names;         ///< entries that it may mean; one: that is it
  models::calibration::CatalogueGpu gpu;  ///< of the only one
  std::string help;                       ///< what to write instead, where it is not one
};

/// The entry of that name whatever its case, or else those whose names hold it.
GpuNamed gpu_named(const Catalogue& catalogue, const std::string& name);

}  // namespace headrace::scenarios
