#include "tests/cli/s3_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "scenarios/document/sha256.hpp"

namespace headrace::testing {

struct S3Server::Request {
  std::string method;
  std::string path;
  std::string query;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

struct S3Server::Answer {
  std::string status = "200 OK";
  std::string body;
  double first_byte_s = 0.0;  ///< how long the head waits
  bool paced = false;
  bool drop = false;  ///< end the connection instead
  enum class Kind { other, small_get, list } kind = Kind::other;
};

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::chrono::nanoseconds nanoseconds(double seconds) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 * seconds));
}

std::string bytes_of(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  return bytes;
}

/// RFC 2104 with SHA-256; raw bytes.
std::string hmac(std::string key, const std::string& text) {
  constexpr std::size_t kBlock = 64;
  key.resize(kBlock, '\0');
  std::string inner = key;
  std::string outer = key;
  for (char& c : inner) c = static_cast<char>(c ^ 0x36);
  for (char& c : outer) c = static_cast<char>(c ^ 0x5c);
  return bytes_of(scenarios::sha256(outer + bytes_of(scenarios::sha256(inner + text))));
}

std::string hexadecimal(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return text;
}

/// What stands behind "NAME=" in the header Authorization.
std::string part_of(const std::string& authorization, const std::string& name) {
  const std::size_t begin = authorization.find(name + "=");
  if (begin == std::string::npos) return "";
  const std::size_t value = begin + name.size() + 1;
  return authorization.substr(value, authorization.find_first_of(", ", value) - value);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

std::string sorted_query(const std::string& query) {
  std::vector<std::string> parts = split(query, '&');
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : "&") + part + (part.find('=') == std::string::npos ? "=" : "");
  return text;
}

std::string decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string query_value(const std::string& query, const std::string& name) {
  for (const std::string& part : split(query, '&'))
    if (part.rfind(name + "=", 0) == 0) return decoded(part.substr(name.size() + 1));
  return "";
}

std::string error_body(const std::string& code) {
  return "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>test server</Message></Error>";
}

}  // namespace

S3Server::S3Server(const S3Behaviour& behaviour) : behaviour_(behaviour) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* general = static_cast<sockaddr*>(static_cast<void*>(&address));
  socklen_t size = sizeof(address);
  if (::bind(socket_, general, size) != 0 || ::listen(socket_, 64) != 0 || ::getsockname(socket_, general, &size) != 0)
    throw std::runtime_error("the test server cannot listen");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

S3Server::~S3Server() {
  over_ = true;
  ::shutdown(socket_, SHUT_RDWR);
  acceptor_.join();
  {
    const std::scoped_lock lock(mutex_);
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }
  for (std::thread& thread : threads_) thread.join();
  ::close(socket_);
}

std::string S3Server::url() const { return "http://127.0.0.1:" + std::to_string(port_); }

std::string S3Server::environment(const std::string& secret, const std::string& access) {
  return "AWS_ACCESS_KEY_ID='" + access + "' AWS_SECRET_ACCESS_KEY='" + secret + "' AWS_SESSION_TOKEN='" + kToken +
         "' AWS_REGION=" + kRegion + " no_proxy=127.0.0.1 NO_PROXY=127.0.0.1";
}

void S3Server::add_object(const std::string& key, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  objects_[key] = std::string(bytes, 'x');
}

std::size_t S3Server::object_count() const {
  const std::scoped_lock lock(mutex_);
  return objects_.size();
}

double S3Server::mean_first_byte_s() const {
  const std::scoped_lock lock(mutex_);
  return first_byte_sum_s_ / std::max(first_bytes_, 1.0);
}

double S3Server::mean_list_s() const {
  const std::scoped_lock lock(mutex_);
  return list_sum_s_ / std::max(lists_, 1.0);
}

void S3Server::accept_all() {
  while (!over_) {
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    const std::scoped_lock lock(mutex_);
    ++connections_;
    sockets_.push_back(socket);
    threads_.emplace_back([this, socket] { serve(socket); });
  }
}

bool S3Server::read_request(int socket, std::string& buffer, Request& request) const {
  char piece[65536];
  const auto more = [&] {
    const ssize_t n = ::recv(socket, piece, sizeof(piece), 0);
    if (n > 0) buffer.append(piece, static_cast<std::size_t>(n));
    return n > 0;
  };
  std::size_t end = 0;
  while ((end = buffer.find("\r\n\r\n")) == std::string::npos)
    if (!more()) return false;
  std::istringstream head(buffer.substr(0, end));
  std::string target;
  head >> request.method >> target;
  request.path = target.substr(0, target.find('?'));
  if (request.path.size() < target.size()) request.query = target.substr(request.path.size() + 1);
  std::string line;
  std::getline(head, line);
  while (std::getline(head, line)) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    const std::size_t colon = line.find(':');
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
    const std::size_t value = line.find_first_not_of(' ', colon + 1);
    request.headers[name] = value == std::string::npos ? "" : line.substr(value);
  }
  const std::string length = request.header("content-length");
  const std::size_t body = length.empty() ? 0 : std::stoul(length);
  while (buffer.size() < end + 4 + body)
    if (!more()) return false;
  request.body = buffer.substr(end + 4, body);
  buffer.erase(0, end + 4 + body);
  return true;
}

/// The code of what is wrong with keys and signature; empty: nothing.
std::string S3Server::refusal_of(const Request& request) const {
  const std::string authorization = request.header("authorization");
  if (authorization.rfind("AWS4-HMAC-SHA256 ", 0) != 0) return "AccessDenied";
  const std::vector<std::string> scope = split(part_of(authorization, "Credential"), '/');
  const std::vector<std::string> names = split(part_of(authorization, "SignedHeaders"), ';');
  if (scope.size() != 5 || scope[3] != "s3" || scope[4] != "aws4_request") return "AuthorizationHeaderMalformed";
  if (scope[0] != kAccessKey) return "InvalidAccessKeyId";
  if (scope[2] != kRegion) return "AuthorizationHeaderMalformed";
  const std::string date = request.header("x-amz-date");
  if (date.substr(0, 8) != scope[1] || !std::is_sorted(names.begin(), names.end())) return "SignatureDoesNotMatch";
  const auto is_signed = [&names](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!is_signed("host")) return "AccessDenied";
  for (const auto& [name, value] : request.headers)
    if (name.rfind("x-amz-", 0) == 0 && !is_signed(name)) return "AccessDenied";
  if (request.header("x-amz-security-token") != kToken) return "InvalidToken";
  const std::string payload = request.header("x-amz-content-sha256");
  if (payload != "UNSIGNED-PAYLOAD" && payload != scenarios::sha256(request.body)) return "XAmzContentSHA256Mismatch";
  std::string canonical = request.method + "\n" + request.path + "\n" + sorted_query(request.query) + "\n";
  for (const std::string& name : names) canonical += name + ":" + request.header(name) + "\n";
  canonical += "\n" + part_of(authorization, "SignedHeaders") + "\n" + payload;
  const std::string text = "AWS4-HMAC-SHA256\n" + date + "\n" + scope[1] + "/" + scope[2] + "/s3/aws4_request\n" +
                           scenarios::sha256(canonical);
  const std::string key =
      hmac(hmac(hmac(hmac(std::string("AWS4") + kSecretKey, scope[1]), scope[2]), "s3"), "aws4_request");
  return hexadecimal(hmac(key, text)) == part_of(authorization, "Signature") ? "" : "SignatureDoesNotMatch";
}

S3Server::Answer S3Server::get(const Request& request, const std::string& key) {
  const unsigned number = ++gets_;
  if (behaviour_.vanish_after > 0 && number > behaviour_.vanish_after) {
    over_ = true;
    ::shutdown(socket_, SHUT_RDWR);
  }
  if (over_) {
    Answer dropped;
    dropped.drop = true;
    return dropped;
  }
  if (behaviour_.slow_down_every > 0 && number % behaviour_.slow_down_every == 0) {
    ++slow_downs_;
    return {"503 Slow Down", error_body("SlowDown")};
  }
  const std::scoped_lock lock(mutex_);
  const auto found = objects_.find(key);
  if (found == objects_.end()) return {"404 Not Found", error_body("NoSuchKey")};
  Answer answer;
  // Van der Corput's sequence: the mean of any stretch is near that of the law.
  double u = 0.0;
  double digit = 0.5;
  for (unsigned n = number; n > 0; n /= 2, digit /= 2) u += (n % 2) * digit;
  answer.first_byte_s = behaviour_.first_byte_low_s + u * (behaviour_.first_byte_high_s - behaviour_.first_byte_low_s);
  answer.paced = true;
  const std::string range = request.header("range");
  std::size_t first = 0;
  std::size_t last = found->second.size() - 1;
  if (range.rfind("bytes=", 0) == 0) {
    first = std::stoul(range.substr(6));
    last = std::min(last, static_cast<std::size_t>(std::stoul(range.substr(range.find('-') + 1))));
    answer.status = "206 Partial Content";
  }
  answer.body = found->second.substr(first, last - first + 1);
  answer.kind = answer.body.size() == 65536 ? Answer::Kind::small_get : Answer::Kind::other;
  return answer;
}

S3Server::Answer S3Server::list(const Request& request) {
  const std::string prefix = query_value(request.query, "prefix");
  const std::size_t most = std::stoul(query_value(request.query, "max-keys"));
  Answer answer;
  answer.kind = Answer::Kind::list;
  answer.first_byte_s = behaviour_.list_s;
  answer.body = "<?xml version=\"1.0\"?><ListBucketResult><Name>bucket</Name>";
  std::size_t count = 0;
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, data] : objects_) {
    if (key.rfind(prefix, 0) != 0 || count == most) continue;
    answer.body += "<Contents><Key>" + key + "</Key><Size>" + std::to_string(data.size()) + "</Size></Contents>";
    ++count;
  }
  answer.body += "</ListBucketResult>";
  return answer;
}

S3Server::Answer S3Server::answer(const Request& request) {
  ++requests_;
  if (const std::string refusal = refusal_of(request); !refusal.empty()) {
    ++refused_;
    return {"403 Forbidden", error_body(refusal)};
  }
  const std::size_t slash = request.path.find('/', 1);
  if (request.path.substr(1, slash - 1) != kBucket) return {"404 Not Found", error_body("NoSuchBucket")};
  const std::string key = slash == std::string::npos ? "" : decoded(request.path.substr(slash + 1));
  if (request.method == "GET") return key.empty() ? list(request) : get(request, key);
  const std::scoped_lock lock(mutex_);
  if (request.method == "PUT") {
    objects_[key] = request.body;
    return {};
  }
  if (request.method == "DELETE") {
    objects_.erase(key);
    return {"204 No Content", ""};
  }
  return {"405 Method Not Allowed", error_body("MethodNotAllowed")};
}

void S3Server::send(int socket, const Answer& answer) const {
  const bool empty = answer.status.rfind("204", 0) == 0;
  std::string head = "HTTP/1.1 " + answer.status + "\r\n";
  if (!empty) head += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
  head += "Server: test\r\n\r\n";
  ::send(socket, head.data(), head.size(), MSG_NOSIGNAL);
  const Clock::time_point begin = Clock::now();
  constexpr std::size_t kPiece = 65536;
  for (std::size_t at = 0; at < answer.body.size();) {
    const std::size_t bytes = std::min(kPiece, answer.body.size() - at);
    if (answer.paced && behaviour_.connection_bytes_per_s > 0.0)
      std::this_thread::sleep_until(begin +
                                    nanoseconds(static_cast<double>(at + bytes) / behaviour_.connection_bytes_per_s));
    for (std::size_t sent = 0; sent < bytes;) {
      const ssize_t n = ::send(socket, answer.body.data() + at + sent, bytes - sent, MSG_NOSIGNAL);
      if (n <= 0) return;
      sent += static_cast<std::size_t>(n);
    }
    at += bytes;
  }
}

void S3Server::serve(int socket) {
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  std::string buffer;
  for (Request request; !over_ && read_request(socket, buffer, request); request = {}) {
    const Clock::time_point begin = Clock::now();
    const Answer reply = answer(request);
    if (reply.drop) break;
    if (reply.first_byte_s > 0.0) std::this_thread::sleep_until(begin + nanoseconds(reply.first_byte_s));
    {
      const std::scoped_lock lock(mutex_);
      const bool small = reply.kind == Answer::Kind::small_get;
      first_byte_sum_s_ += small ? seconds_since(begin) : 0.0;
      first_bytes_ += small ? 1.0 : 0.0;
      const bool page = reply.kind == Answer::Kind::list;
      list_sum_s_ += page ? seconds_since(begin) : 0.0;
      lists_ += page ? 1.0 : 0.0;
    }
    send(socket, reply);
  }
  ::shutdown(socket, SHUT_RDWR);
  const std::scoped_lock lock(mutex_);
  std::erase(sockets_, socket);
  ::close(socket);
}

}  // namespace headrace::testing
