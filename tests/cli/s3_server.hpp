// A small S3-compatible server on this machine: GET with a range, PUT, DELETE and LIST (version 2) of one bucket in
// memory. It checks every signature (AWS signature version 4) and can be slow in a known way.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace headrace::testing {

struct S3Behaviour {
  double first_byte_low_s = 0.0;  ///< of a GET: drawn evenly between the two
  double first_byte_high_s = 0.0;
  double list_s = 0.0;
  double connection_bytes_per_s = 0.0;  ///< of a body; 0: as fast as it goes
  unsigned slow_down_every = 0;         ///< each such GET gets 503; 0: none
  unsigned vanish_after = 0;            ///< GETs, then every connection is dropped; 0: never
};

class S3Server {
 public:
  static constexpr const char* kAccessKey = "AKIDEXAMPLE";
  static constexpr const char* kSecretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  static constexpr const char* kToken = "token/of+temporary==keys";
  static constexpr const char* kRegion = "eu-test-1";
  static constexpr const char* kBucket = "bucket";

  explicit S3Server(const S3Behaviour& behaviour);
  ~S3Server();
  S3Server(const S3Server&) = delete;
  S3Server& operator=(const S3Server&) = delete;

  /// "http://127.0.0.1:PORT".
  std::string url() const;
  /// Variables for a program that talks to it.
  static std::string environment(const std::string& secret = kSecretKey, const std::string& access = kAccessKey);

  void add_object(const std::string& key, std::size_t bytes);
  std::size_t object_count() const;
  unsigned connections() const { return connections_; }
  unsigned requests() const { return requests_; }
  unsigned gets() const { return gets_; }
  unsigned refused() const { return refused_; }  ///< by signature or key
  unsigned slow_downs() const { return slow_downs_; }
  /// Mean of the waits before the first bytes of small reads, as the clock saw them, s.
  double mean_first_byte_s() const;
  double mean_list_s() const;

 private:
  struct Request;
  struct Answer;
  void accept_all();
  void serve(int socket);
  bool read_request(int socket, std::string& buffer, Request& request) const;
  std::string refusal_of(const Request& request) const;
  Answer answer(const Request& request);
  Answer get(const Request& request, const std::string& key);
  Answer list(const Request& request);
  void send(int socket, const Answer& answer) const;

  S3Behaviour behaviour_;
  int socket_ = -1;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::map<std::string, std::string> objects_;
  std::vector<int> sockets_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
  std::atomic<bool> over_{false};
  std::atomic<unsigned> connections_{0};
  std::atomic<unsigned> requests_{0};
  std::atomic<unsigned> gets_{0};
  std::atomic<unsigned> refused_{0};
  std::atomic<unsigned> slow_downs_{0};
  double first_byte_sum_s_ = 0.0;
  double first_bytes_ = 0.0;
  double list_sum_s_ = 0.0;
  double lists_ = 0.0;
};

}  // namespace headrace::testing
