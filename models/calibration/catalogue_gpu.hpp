// Figures of a GPU that stand in where none was measured: the catalogue's, widened.
#pragma once

#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

/// What a GPU of the model reaches at most, and where that is read.
struct CatalogueGpu {
  struct Figure {
    double value = 0.0;  ///< 0: the catalogue has none
    std::string source;
  };
  std::string model;
  Figure pcie;  ///< host link, one direction, B/s
  Figure peak;  ///< dense bf16 products, FLOP/s
};

/// Either side of a figure that was not measured.
inline constexpr double kCatalogueSpread = 0.3;

/// Appends the parameters that the probes of a GPU would have given, as far as the catalogue has figures for them.
void add_catalogue_gpu(Calibration& calibration, const CatalogueGpu& gpu, const ParameterNames& names);

}  // namespace headrace::models::calibration
