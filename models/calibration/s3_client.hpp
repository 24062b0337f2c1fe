// One connection to an S3-compatible object store: GET of a range, PUT, DELETE and LIST (version 2), signed with AWS
// signature version 4. Requests go to https://HOST/BUCKET/KEY (path style), which every provider understands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headrace::models::calibration {

/// What is measured and with whose keys.
struct S3Target {
  std::string endpoint;  ///< "https://s3.eu-central-1.amazonaws.com", no slash at its end
  std::string bucket;
  std::string prefix;  ///< no slash at its ends; may be empty
  std::string region = "us-east-1";
  std::string access_key;
  std::string secret_key;
  std::string session_token;  ///< of temporary keys; empty: none

  /// "https://HOST/BUCKET/PREFIX", for messages.
  std::string place() const;
  /// "HOST", without scheme and port.
  std::string host() const;
};

/// The value of a variable of the environment; empty: not set.
using Environment = std::function<std::string(const char* name)>;

/// Reads "https://HOST/BUCKET/PREFIX" or "s3://BUCKET/PREFIX" (then the address comes from AWS_ENDPOINT_URL_S3,
/// AWS_ENDPOINT_URL or the region). Keys: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; region:
/// AWS_REGION, AWS_DEFAULT_REGION. Throws CalibrationError.
S3Target s3_target(const std::string& url, const Environment& environment);

/// Throws CalibrationError where the environment held no keys.
void check_keys(const S3Target& target);

/// How a request went.
struct S3Answer {
  int status = 0;             ///< of HTTP; 0: stopped before an answer came
  std::string refusal;        ///< the store's own word, "SlowDown", "NoSuchBucket"; empty: none
  std::string text;           ///< body of LIST and of refusals
  std::uint64_t bytes = 0;    ///< of the body
  double first_byte_s = 0.0;  ///< from the sent request to the first byte of the answer
  double total_s = 0.0;       ///< from the sent request to the last byte; connecting is no part of it

  bool ok() const { return status >= 200 && status < 300; }
  /// The store asks to come back later.
  bool slow_down() const { return status == 503 || status == 429; }
};

/// The connection broke, or none was made. Worth another try; `what` and `fix` are for the user.
struct S3Broken {
  std::string what;
  std::string fix;
};

class S3Connection {
 public:
  virtual ~S3Connection() = default;
  /// All throw S3Broken.
  virtual S3Answer get(const std::string& key, std::uint64_t offset, std::uint64_t bytes) = 0;
  virtual S3Answer put(const std::string& key, const std::vector<std::byte>& data) = 0;
  virtual S3Answer remove(const std::string& key) = 0;
  /// The first page of the keys that begin so.
  virtual S3Answer list(const std::string& prefix, unsigned most_keys) = 0;
};

/// Makes connections; a stop request breaks off what is under way.
using S3Connect = std::function<std::unique_ptr<S3Connection>(const std::stop_token& stop)>;

/// Connections by libcurl (HEADRACE_CURL_LIBRARY names another file of it); nullptr, with the reason, where the program
/// was built without it or it is not there.
S3Connect s3_connect(const S3Target& target, std::string& reason);

/// Text of the first <name> element; empty: there is none.
std::string xml_text(const std::string& document, const std::string& name);

/// Percent-encodes all but unreserved characters (RFC 3986); slashes stay where `keep_slashes`.
std::string percent_encoded(const std::string& text, bool keep_slashes);

}  // namespace headrace::models::calibration
