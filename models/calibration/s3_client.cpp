// libcurl is opened when an object store is measured: linked, its thirty libraries would be loaded at each start of the
// program.
#include "models/calibration/s3_client.hpp"

#ifdef HEADRACE_HAS_CURL
#include <curl/curl.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

#include "models/calibration/run_time_function.hpp"
#endif

namespace headrace::models::calibration {

#ifndef HEADRACE_HAS_CURL

S3Connect s3_connect(const S3Target&, std::string& reason) {
  reason = "the program was built without libcurl";
  return nullptr;
}

#else

namespace {

constexpr std::size_t kMostText = std::size_t{4} << 20;
// What the signature says of the body. libcurl 7.88 leaves the header out, and takes it from the caller's.
constexpr const char* kEmptyBody = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";  // SHA-256 of ""
constexpr const char* kAnyBody = "UNSIGNED-PAYLOAD";
constexpr long kConnectSeconds = 10;
constexpr long kSilentSeconds = 30;  // without a byte: given up

/// The functions of libcurl that are used.
struct Curl {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_reset) easy_reset = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_perform) easy_perform = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
  std::string missing;  ///< why there is none
};

template <class Function>
void find(void* handle, const char* name, Function& to, std::string& missing) {
  to = run_time_function<std::remove_pointer_t<Function> >(handle, name);
  if (to == nullptr) missing = fmt::format("the library lacks {}", name);
}

void* open_library(std::string& missing) {
  std::vector<const char*> names{"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"};
  if (const char* named = std::getenv("HEADRACE_CURL_LIBRARY"); named != nullptr && *named != '\0') names = {named};
  for (const char* name : names) {
    if (void* handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL); handle != nullptr) return handle;
    const char* error = ::dlerror();
    if (missing.empty()) missing = error == nullptr ? name : error;
  }
  return nullptr;
}

Curl load() {
  Curl curl;
  std::string missing;
  void* handle = open_library(missing);
  if (handle == nullptr) {
    curl.missing = missing;
    return curl;
  }
  find(handle, "curl_global_init", curl.global_init, curl.missing);
  find(handle, "curl_easy_init", curl.easy_init, curl.missing);
  find(handle, "curl_easy_cleanup", curl.easy_cleanup, curl.missing);
  find(handle, "curl_easy_reset", curl.easy_reset, curl.missing);
  find(handle, "curl_easy_setopt", curl.easy_setopt, curl.missing);
  find(handle, "curl_easy_getinfo", curl.easy_getinfo, curl.missing);
  find(handle, "curl_easy_perform", curl.easy_perform, curl.missing);
  find(handle, "curl_easy_strerror", curl.easy_strerror, curl.missing);
  find(handle, "curl_slist_append", curl.slist_append, curl.missing);
  find(handle, "curl_slist_free_all", curl.slist_free_all, curl.missing);
  if (curl.missing.empty() && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    curl.missing = "libcurl does not start";
  return curl;
}

/// Loaded once, and never unloaded.
const Curl& curl() {
  static const Curl loaded = load();
  return loaded;
}

/// Headers of one request.
class Headers {
 public:
  Headers() = default;
  ~Headers() { curl().slist_free_all(list_); }
  Headers(const Headers&) = delete;
  Headers& operator=(const Headers&) = delete;
  void add(const std::string& line) { list_ = curl().slist_append(list_, line.c_str()); }
  curl_slist* get() const { return list_; }

 private:
  curl_slist* list_ = nullptr;
};

/// What comes back while a request runs.
struct Receiver {
  CURL* handle;
  std::stop_token stop;
  bool keep_all;
  std::uint64_t bytes = 0;
  std::string text;
};

std::size_t receive(char* data, std::size_t size, std::size_t count, void* to) {
  auto& receiver = *static_cast<Receiver*>(to);
  const std::size_t bytes = size * count;
  long status = 0;
  curl().easy_getinfo(receiver.handle, CURLINFO_RESPONSE_CODE, &status);
  receiver.bytes += bytes;
  if ((receiver.keep_all || status >= 300) && receiver.text.size() < kMostText)
    receiver.text.append(data, std::min(bytes, kMostText - receiver.text.size()));
  return bytes;
}

int break_off(void* from, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<Receiver*>(from)->stop.stop_requested() ? 1 : 0;
}

const char* fix_of(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return "check the host's name in --s3, AWS_ENDPOINT_URL or AWS_REGION";
    case CURLE_COULDNT_CONNECT:
      return "check host and port, that the store runs, and http_proxy, https_proxy and no_proxy";
    case CURLE_OPERATION_TIMEDOUT:
      return "the store or the network does not answer: check the route to it, and proxies";
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return "check that the port speaks TLS; a certificate of your own: CURL_CA_BUNDLE=FILE";
    default:
      return "check the address; try again when the network is quiet";
  }
}

class CurlConnection final : public S3Connection {
 public:
  CurlConnection(std::shared_ptr<const S3Target> target, std::stop_token stop)
      : owner_(std::move(target)), target_(*owner_), stop_(std::move(stop)), handle_(curl().easy_init()) {
    if (handle_ == nullptr) throw std::bad_alloc();
  }
  ~CurlConnection() override { curl().easy_cleanup(handle_); }
  CurlConnection(const CurlConnection&) = delete;
  CurlConnection& operator=(const CurlConnection&) = delete;

  S3Answer get(const std::string& key, std::uint64_t offset, std::uint64_t bytes) override {
    start(object_url(key));
    Headers headers;
    headers.add(fmt::format("Range: bytes={}-{}", offset, offset + bytes - 1));
    return finish(headers, false);
  }

  S3Answer put(const std::string& key, const std::vector<std::byte>& data) override {
    start(object_url(key));
    curl().easy_setopt(handle_, CURLOPT_CUSTOMREQUEST, "PUT");
    curl().easy_setopt(handle_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(data.size()));
    curl().easy_setopt(handle_, CURLOPT_POSTFIELDS, static_cast<const void*>(data.data()));
    Headers headers;
    headers.add("Content-Type: application/octet-stream");
    headers.add("Expect:");  // no waiting for "100 continue"
    return finish(headers, false, kAnyBody);
  }

  S3Answer remove(const std::string& key) override {
    start(object_url(key));
    curl().easy_setopt(handle_, CURLOPT_CUSTOMREQUEST, "DELETE");
    Headers headers;
    return finish(headers, false);
  }

  S3Answer list(const std::string& prefix, unsigned most_keys) override {
    // In the order of the signature, since not every version of libcurl sorts.
    start(fmt::format("{}/{}?list-type=2&max-keys={}&prefix={}", target_.endpoint,
                      percent_encoded(target_.bucket, false), most_keys, percent_encoded(prefix, false)));
    Headers headers;
    return finish(headers, true);
  }

 private:
  std::string object_url(const std::string& key) const {
    return fmt::format("{}/{}/{}", target_.endpoint, percent_encoded(target_.bucket, false),
                       percent_encoded(key, true));
  }

  /// A fresh request on the connection that is there.
  void start(const std::string& url) {
    curl().easy_reset(handle_);
    curl().easy_setopt(handle_, CURLOPT_URL, url.c_str());
    curl().easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
    curl().easy_setopt(handle_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl().easy_setopt(handle_, CURLOPT_USERNAME, target_.access_key.c_str());
    curl().easy_setopt(handle_, CURLOPT_PASSWORD, target_.secret_key.c_str());
    curl().easy_setopt(handle_, CURLOPT_AWS_SIGV4, fmt::format("aws:amz:{}:s3", target_.region).c_str());
    curl().easy_setopt(handle_, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl().easy_setopt(handle_, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl().easy_setopt(handle_, CURLOPT_LOW_SPEED_TIME, kSilentSeconds);
    if (const char* bundle = std::getenv("CURL_CA_BUNDLE"); bundle != nullptr && *bundle != '\0')
      curl().easy_setopt(handle_, CURLOPT_CAINFO, bundle);
  }

  S3Answer finish(Headers& headers, bool keep_all, const char* body = kEmptyBody) {
    headers.add(fmt::format("x-amz-content-sha256: {}", body));
    if (!target_.session_token.empty()) headers.add("x-amz-security-token: " + target_.session_token);
    Receiver receiver{handle_, stop_, keep_all, 0, {}};
    char words[CURL_ERROR_SIZE] = "";
    curl().easy_setopt(handle_, CURLOPT_HTTPHEADER, headers.get());
    curl().easy_setopt(handle_, CURLOPT_WRITEFUNCTION, receive);
    curl().easy_setopt(handle_, CURLOPT_WRITEDATA, &receiver);
    curl().easy_setopt(handle_, CURLOPT_NOPROGRESS, 0L);
    curl().easy_setopt(handle_, CURLOPT_XFERINFOFUNCTION, break_off);
    curl().easy_setopt(handle_, CURLOPT_XFERINFODATA, &receiver);
    curl().easy_setopt(handle_, CURLOPT_ERRORBUFFER, static_cast<char*>(words));
    const CURLcode code = curl().easy_perform(handle_);
    curl().easy_setopt(handle_, CURLOPT_ERRORBUFFER, nullptr);
    if (code == CURLE_ABORTED_BY_CALLBACK) return {};
    if (code != CURLE_OK) throw S3Broken{words[0] != '\0' ? words : curl().easy_strerror(code), fix_of(code)};
    return answer(std::move(receiver));
  }

  S3Answer answer(Receiver&& receiver) const {
    S3Answer answer;
    long status = 0;
    curl_off_t sent_us = 0;
    curl_off_t first_us = 0;
    curl_off_t total_us = 0;
    curl().easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    curl().easy_getinfo(handle_, CURLINFO_PRETRANSFER_TIME_T, &sent_us);
    curl().easy_getinfo(handle_, CURLINFO_STARTTRANSFER_TIME_T, &first_us);
    curl().easy_getinfo(handle_, CURLINFO_TOTAL_TIME_T, &total_us);
    answer.status = static_cast<int>(status);
    answer.bytes = receiver.bytes;
    answer.text = std::move(receiver.text);
    answer.first_byte_s = 1e-6 * static_cast<double>(std::max<curl_off_t>(first_us - sent_us, 1));
    answer.total_s = 1e-6 * static_cast<double>(std::max<curl_off_t>(total_us - sent_us, 1));
    if (!answer.ok()) answer.refusal = xml_text(answer.text, "Code");
    return answer;
  }

  std::shared_ptr<const S3Target> owner_;
  const S3Target& target_;
  std::stop_token stop_;
  CURL* handle_;
};

}  // namespace

S3Connect s3_connect(const S3Target& target, std::string& reason) {
  if (reason = curl().missing; !reason.empty()) return nullptr;
  const auto shared = std::make_shared<const S3Target>(target);
  return [shared](const std::stop_token& stop) -> std::unique_ptr<S3Connection> {
    return std::make_unique<CurlConnection>(shared, stop);
  };
}

#endif

}  // namespace headrace::models::calibration
