#include "models/calibration/s3_session.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "models/calibration/host_clock.hpp"

namespace headrace::models::calibration {
namespace {

constexpr unsigned kMostTries = 9;  // the last wait is 12.8 s on average
constexpr unsigned kMostBrokenTries = 4;
constexpr double kFirstWaitS = 0.1;

struct KnownRefusal {
  const char* code;
  const char* what;
  const char* fix;
};

constexpr KnownRefusal kRefusals[] = {
    {"InvalidAccessKeyId", "the store does not know the access key", "check AWS_ACCESS_KEY_ID"},
    {"SignatureDoesNotMatch", "the signature is wrong",
     "check AWS_SECRET_ACCESS_KEY: it must be that of the access key; and AWS_REGION"},
    {"ExpiredToken", "the temporary keys have expired", "get new ones, with AWS_SESSION_TOKEN"},
    {"InvalidToken", "the token is not that of the keys", "check AWS_SESSION_TOKEN; unset it for keys that last"},
    {"RequestTimeTooSkewed", "the clock of this machine is wrong", "set the clock"},
    {"NoSuchBucket", "there is no such bucket", "check the bucket's name in --s3, and the host"},
    {"PermanentRedirect", "the bucket is in another region", "set AWS_REGION, and the host of that region in --s3"},
    {"AuthorizationHeaderMalformed", "the bucket is in another region", "set AWS_REGION to the bucket's"},
    {"AccessDenied", "the keys may not do this",
     "they need to list the bucket, and to get, put and delete objects below the prefix"},
};

/// So that two runs at the same time keep to their own objects.
std::string random_name() {
  std::uint64_t bits = clock_ns();  // where the kernel gives no random bytes
  if (::getrandom(&bits, sizeof bits, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof bits))
    bits ^= static_cast<std::uint64_t>(::getpid());
  return fmt::format("headrace-calibrate-{:012x}", bits & 0xffffffffffffU);
}

/// In [0, 1), from the place of a try in the run.
double jitter(std::uint64_t seed, std::size_t connection, unsigned attempt) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15U + connection * 0xbf58476d1ce4e5b9U + attempt * 0x94d049bb133111ebU;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

CalibrationError broken_error(const S3Target& target, const S3Broken& broken) {
  return {fmt::format("'{}': {}", target.place(), broken.what), broken.fix};
}

}  // namespace

CalibrationError s3_refusal(const S3Target& target, const S3Answer& answer) {
  const std::string said = fmt::format("HTTP {}{}{}", answer.status, answer.refusal.empty() ? "" : " ", answer.refusal);
  for (const KnownRefusal& known : kRefusals)
    if (answer.refusal == known.code)
      return {fmt::format("'{}': {} ({})", target.place(), known.what, said), known.fix};
  if (answer.slow_down())
    return {fmt::format("'{}': the store keeps asking to slow down ({})", target.place(), said),
            "measure when it has less to do, or with fewer --s3-connections"};
  if (answer.status == 403)
    return {fmt::format("'{}': the store rejects the keys ({})", target.place(), said),
            "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and their permissions"};
  const std::string words = xml_text(answer.text, "Message");
  return {
      fmt::format("'{}': the store rejects a request ({}){}{}", target.place(), said, words.empty() ? "" : ": ", words),
      "check that the address is that of an S3-compatible store, with the bucket behind the host"};
}

S3Session::S3Session(S3Target target, S3Connect connect, std::stop_token stop, std::uint64_t seed)
    : target_(std::move(target)),
      connect_(std::move(connect)),
      stop_(std::move(stop)),
      seed_(seed),
      folder_((target_.prefix.empty() ? "" : target_.prefix + "/") + random_name()) {
  open(1);
}

S3Session::~S3Session() {
  try {
    remove_all();
  } catch (...) {
    // The message of the failure that ends the run is worth more; it names the folder.
    keys_.clear();
  }
}

void S3Session::open(std::size_t count) {
  while (connections_.size() < count) connections_.push_back(connect_(stop_));
}

void S3Session::wait(std::size_t connection, unsigned attempt) const {
  const double mean_s = kFirstWaitS * static_cast<double>(1U << attempt);
  const double wait_s = mean_s * (0.5 + jitter(seed_, connection, attempt));
  const std::uint64_t end = clock_ns() + static_cast<std::uint64_t>(1e9 * wait_s);
  while (clock_ns() < end && !stop_.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

template <class Request>
S3Session::Answered S3Session::ask(std::size_t connection, const Request& request) {
  const std::uint64_t begin = clock_ns();
  unsigned broken = 0;
  for (unsigned attempt = 0;; ++attempt) {
    const double waited_s = attempt == 0 ? 0.0 : seconds_between(begin, clock_ns());
    try {
      const S3Answer answer = request(*connections_[connection]);
      if (stop_.stop_requested()) return {};
      answered_ = true;
      if (answer.ok()) return {answer, waited_s};
      if (answer.slow_down()) ++slow_downs_;
      if (answer.status < 500 && !answer.slow_down()) throw s3_refusal(target_, answer);
      if (attempt + 1 >= kMostTries) throw s3_refusal(target_, answer);
    } catch (const S3Broken& failure) {
      if (stop_.stop_requested()) return {};
      ++broken_;
      // A store that never answered is not there; one that did may have closed an idle connection.
      if (!answered_ || ++broken >= kMostBrokenTries) throw broken_error(target_, failure);
    }
    wait(connection, attempt);
    if (stop_.stop_requested()) return {};
  }
}

S3Session::Answered S3Session::get(std::size_t connection, std::size_t object, std::uint64_t offset,
                                   std::uint64_t bytes) {
  const Answered got = ask(connection, [&](S3Connection& c) {
    ++gets_;
    S3Answer answer = c.get(keys_[object], offset, bytes);
    down_ += answer.bytes;
    return answer;
  });
  if (got.answer.status != 0 && got.answer.bytes != bytes)
    throw CalibrationError(fmt::format("'{}': asked for {} bytes of an object, the store sent {} (HTTP {})",
                                       target_.place(), bytes, got.answer.bytes, got.answer.status),
                           "the store must serve ranges of objects");
  return got;
}

S3Session::Answered S3Session::list(std::size_t connection, unsigned most_keys) {
  return ask(connection, [&](S3Connection& c) {
    ++lists_;
    S3Answer answer = c.list(target_.prefix, most_keys);
    down_ += answer.bytes;
    return answer;
  });
}

S3Session::Answered S3Session::put(const std::vector<std::byte>& data) {
  // Remembered before: what is broken off may have been stored all the same.
  keys_.push_back(fmt::format("{}/{:04}", folder_, keys_.size()));
  return ask(0, [&](S3Connection& c) {
    ++puts_;
    up_ += data.size();
    return c.put(keys_.back(), data);
  });
}

std::size_t S3Session::remove_all() {
  if (keys_.empty()) return 0;
  // A stop request must not keep the run from cleaning up.
  const std::unique_ptr<S3Connection> own = connect_(std::stop_token());
  constexpr int kTries = 4;
  for (int attempt = 0; attempt < kTries && !keys_.empty(); ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100 << attempt));
    std::erase_if(keys_, [&](const std::string& key) {
      try {
        ++deletes_;
        const S3Answer answer = own->remove(key);
        return answer.ok() || answer.status == 404;
      } catch (const S3Broken&) {
        return false;
      }
    });
  }
  return keys_.size();
}

S3Counts S3Session::counts() const {
  return {gets_, puts_, lists_, deletes_, static_cast<double>(down_), static_cast<double>(up_)};
}

}  // namespace headrace::models::calibration
