// The calibration of an object store: what it would ask and cost at most, and the run. It makes a few objects of its
// own in one folder below the given prefix and deletes them at the end, at an interrupt and at an error.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "models/calibration/calibrate.hpp"
#include "models/calibration/s3_probes.hpp"

namespace headrace::models::calibration {

/// What requests and bytes cost; absent: not known.
struct S3Prices {
  std::optional<double> get_usd;
  std::optional<double> put_usd;
  std::optional<double> list_usd;
  std::optional<double> egress_usd_per_byte;
  std::string source;  ///< "catalogue: s3-standard, 2024-2025"; empty: none
};

struct S3Request {
  S3Target target;
  std::string budget = "quick";  ///< quick, normal, full
  unsigned connections = 0;      ///< at most so many at a time; 0: by budget
  bool accept_noisy = false;
  std::uint64_t seed = 1;
  std::string store = "storage";  ///< names in the scenarios that the result is laid over
  std::string pool = "gpus";
  std::string tool_version;
  std::string date;
  S3Prices prices;
  HostPlaces places;
};

struct S3Plan {
  std::vector<S3Arm> arms;  ///< of one round
  unsigned rounds = 0;      ///< at most
  S3Objects objects;        ///< written first, deleted last
  double most_s = 0.0;      ///< no window begins after it
  S3Counts most;            ///< of the whole run; tries after 503 come on top
  std::optional<double> usd;
};

/// What would be asked. Touches no network.
S3Plan plan_s3(const S3Request& request);

/// Price of requests and bytes; nullopt where one that is needed is not known.
std::optional<double> s3_usd(const S3Counts& counts, const S3Prices& prices);

/// The record where there is no libcurl: it says so and holds nothing else.
Calibration without_s3(const S3Request& request, const std::string& reason);

/// Throws CalibrationError.
Calibration calibrate_s3(const S3Request& request, const S3Connect& connect, const std::stop_token& stop,
                         const std::function<void(const CalibrationProgress&)>& tell);

}  // namespace headrace::models::calibration
