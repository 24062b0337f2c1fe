// What requests to an object store cost, from the catalogue.
#pragma once

#include <string>

#include "models/calibration/s3_calibration.hpp"
#include "scenarios/document/catalogue.hpp"

namespace headrace::scenarios {

/// Prices of the provider whose host it is; all absent for one that the catalogue does not know.
models::calibration::S3Prices object_store_prices(const Catalogue& catalogue, const std::string& host);

}  // namespace headrace::scenarios
