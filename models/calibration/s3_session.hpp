// The connections of one run against an object store: retries with back-off where the store asks for it, counts of what
// was asked, and the objects that the run made and must delete.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "models/calibration/s3_client.hpp"
#include "models/calibration/scratch.hpp"

namespace headrace::models::calibration {

/// What was, or will be, asked of a store.
struct S3Counts {
  std::uint64_t gets = 0;
  std::uint64_t puts = 0;
  std::uint64_t lists = 0;
  std::uint64_t deletes = 0;
  double down_bytes = 0.0;
  double up_bytes = 0.0;
};

/// Why a request was refused, with what to do about it.
CalibrationError s3_refusal(const S3Target& target, const S3Answer& answer);

class S3Session {
 public:
  S3Session(S3Target target, S3Connect connect, std::stop_token stop, std::uint64_t seed);
  /// Deletes what is left of the objects.
  ~S3Session();
  S3Session(const S3Session&) = delete;
  S3Session& operator=(const S3Session&) = delete;

  struct Answered {
    S3Answer answer;
    double waited_s = 0.0;  ///< refused tries and the waits after them
  };

  /// Makes connections 0 .. count - 1, before threads use them.
  void open(std::size_t count);
  /// Each connection belongs to one thread at a time. Throws CalibrationError; status 0 after a stop request.
  Answered get(std::size_t connection, std::size_t object, std::uint64_t offset, std::uint64_t bytes);
  Answered list(std::size_t connection, unsigned most_keys);
  /// A new object of the run, in the folder that is its own.
  Answered put(const std::vector<std::byte>& data);

  std::size_t object_count() const { return keys_.size(); }
  /// Deletes the objects, also after a stop request, and returns how many are left.
  std::size_t remove_all();
  /// Folder of the objects, for messages.
  std::string folder() const { return target_.endpoint + "/" + target_.bucket + "/" + folder_; }

  const S3Target& target() const { return target_; }
  S3Counts counts() const;
  std::uint64_t slow_downs() const { return slow_downs_; }
  std::uint64_t broken() const { return broken_; }

 private:
  template <class Request>
  Answered ask(std::size_t connection, const Request& request);
  void wait(std::size_t connection, unsigned attempt) const;

  S3Target target_;
  S3Connect connect_;
  std::stop_token stop_;
  std::uint64_t seed_;
  std::string folder_;  ///< key of the run's own objects
  std::vector<std::unique_ptr<S3Connection>> connections_;
  std::vector<std::string> keys_;
  std::atomic<bool> answered_{false};
  std::atomic<std::uint64_t> gets_{0};
  std::atomic<std::uint64_t> puts_{0};
  std::atomic<std::uint64_t> lists_{0};
  std::atomic<std::uint64_t> deletes_{0};
  std::atomic<std::uint64_t> down_{0};
  std::atomic<std::uint64_t> up_{0};
  std::atomic<std::uint64_t> slow_downs_{0};
  std::atomic<std::uint64_t> broken_{0};
};

}  // namespace headrace::models::calibration
