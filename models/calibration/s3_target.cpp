// Where the object store is: the address as the user gives it, the keys from the environment.
#include <fmt/format.h>

#include <utility>

#include "models/calibration/s3_client.hpp"
#include "models/calibration/scratch.hpp"

namespace headrace::models::calibration {
namespace {

constexpr const char* kForm = "give --s3 https://HOST/BUCKET/PREFIX or s3://BUCKET/PREFIX";

std::string first_set(const Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (std::string value = environment(name); !value.empty()) return value;
  return "";
}

std::string without_slashes_at_end(std::string text) {
  while (!text.empty() && text.back() == '/') text.pop_back();
  return text;
}

/// libcurl takes folders called "." and ".." out of an address before it signs it, so it would ask for another object.
void refuse_dots(const std::string& path) {
  const std::string folders = "/" + path + "/";
  if (folders.find("/./") != std::string::npos || folders.find("/../") != std::string::npos)
    throw CalibrationError(fmt::format("the place '{}' in the object store has a folder called '.' or '..'", path),
                           "name a folder without them");
}

/// "BUCKET/PREFIX" into its parts.
void split_path(const std::string& path, S3Target& target) {
  refuse_dots(path);
  const std::size_t slash = path.find('/');
  target.bucket = path.substr(0, slash);
  if (slash != std::string::npos) target.prefix = without_slashes_at_end(path.substr(slash + 1));
  while (!target.prefix.empty() && target.prefix.front() == '/') target.prefix.erase(0, 1);
}

bool starts_with(const std::string& text, const char* beginning) { return text.rfind(beginning, 0) == 0; }

std::string checked_endpoint(const std::string& url) {
  if (!starts_with(url, "http://") && !starts_with(url, "https://"))
    throw CalibrationError(fmt::format("the address '{}' of the object store is no URL", url),
                           "AWS_ENDPOINT_URL begins with https:// or http://");
  return without_slashes_at_end(url);
}

}  // namespace

std::string S3Target::place() const { return endpoint + "/" + bucket + (prefix.empty() ? "" : "/" + prefix); }

std::string S3Target::host() const {
  const std::size_t begin = endpoint.find("://");
  std::string rest = begin == std::string::npos ? endpoint : endpoint.substr(begin + 3);
  rest = rest.substr(0, rest.find('/'));
  // An address of IP version 6 has colons of its own inside its brackets.
  const std::size_t colon = rest.rfind(':');
  return colon == std::string::npos || rest.find(']', colon) != std::string::npos ? rest : rest.substr(0, colon);
}

S3Target s3_target(const std::string& url, const Environment& environment) {
  S3Target target;
  if (const std::string region = first_set(environment, {"AWS_REGION", "AWS_DEFAULT_REGION"}); !region.empty())
    target.region = region;
  if (starts_with(url, "s3://")) {
    const std::string own = first_set(environment, {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
    target.endpoint = own.empty() ? fmt::format("https://s3.{}.amazonaws.com", target.region) : checked_endpoint(own);
    split_path(url.substr(5), target);
  } else if (starts_with(url, "http://") || starts_with(url, "https://")) {
    const std::size_t host = url.find("://") + 3;
    const std::size_t slash = url.find('/', host);
    target.endpoint = url.substr(0, slash);
    if (slash != std::string::npos) split_path(url.substr(slash + 1), target);
    if (slash == host || target.endpoint.size() == host) target.bucket.clear();
  }
  if (target.bucket.empty() || url.find_first_of("?#@ ") != std::string::npos)
    throw CalibrationError(fmt::format("'{}' names no bucket of an object store", url), kForm);
  target.access_key = environment("AWS_ACCESS_KEY_ID");
  target.secret_key = environment("AWS_SECRET_ACCESS_KEY");
  target.session_token = environment("AWS_SESSION_TOKEN");
  return target;
}

void check_keys(const S3Target& target) {
  if (target.access_key.empty() || target.secret_key.empty())
    throw CalibrationError(fmt::format("there are no keys for '{}' in the environment", target.place()),
                           "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN for temporary keys");
}

std::string xml_text(const std::string& document, const std::string& name) {
  const std::size_t open = document.find("<" + name + ">");
  if (open == std::string::npos) return "";
  const std::size_t begin = open + name.size() + 2;
  const std::size_t end = document.find("</" + name + ">", begin);
  return end == std::string::npos ? "" : document.substr(begin, end - begin);
}

std::string percent_encoded(const std::string& text, bool keep_slashes) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '.' || c == '~' || (keep_slashes && c == '/');
    if (plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace headrace::models::calibration
