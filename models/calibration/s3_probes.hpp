// What is measured of an object store: the first byte of a small read, the rate of one connection, reads over size and
// connections, pages of LIST, and the writing of the run's own objects. A window is a fixed number of requests, so that
// what a run costs is known before it begins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/calibration/arms.hpp"
#include "models/calibration/s3_session.hpp"

namespace headrace::models::calibration {

enum class S3Kind : std::uint8_t { put, first_byte, body, get, list };

/// One arm of a run.
struct S3Arm {
  S3Kind kind = S3Kind::get;
  std::uint64_t block_bytes = 0;
  unsigned connections = 1;
  unsigned requests = 1;  ///< of one window
};

/// "put", "first byte", "body", "get", "list": what the record calls it.
const char* s3_kind_name(S3Kind kind);

/// What is read: objects of one size.
struct S3Objects {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
};

/// Windows that write the objects, one in each round.
Arm s3_put_arm(S3Session& session, std::uint64_t object_bytes, std::uint64_t seed, const std::stop_token& stop);
/// Windows that read. `session` must outlive the arms, and hold the objects.
Arm s3_read_arm(S3Session& session, const S3Arm& arm, const S3Objects& objects, const std::stop_token& stop);
/// Windows of LIST; `keys` gets the number of keys of the last page.
Arm s3_list_arm(S3Session& session, const S3Arm& arm, std::uint64_t& keys, const std::stop_token& stop);

}  // namespace headrace::models::calibration
