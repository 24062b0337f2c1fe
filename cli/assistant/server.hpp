// A server of the Model Context Protocol on standard input and output: JSON-RPC 2.0, one message a line
// (modelcontextprotocol.io, revision 2025-06-18). It looks at messages one after the other and runs one call at a time;
// pings and cancellations are heard while a call runs.
#pragma once

#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/assistant/call_process.hpp"
#include "cli/console.hpp"

namespace headrace::cli::assistant {

inline constexpr std::size_t kLongestMessageBytes = 1'000'000;
inline constexpr std::size_t kLongestAnswerBytes = 4'000'000;
inline constexpr std::size_t kMostWaitingCalls = 100;
inline constexpr double kGrace_s = 10.0;  ///< for a study that ends at its limit, to write what it has

struct ServerOptions {
  std::vector<std::string> folders;  ///< canonical
  double max_wall_s = 60.0;          ///< of one call
};

class Server {
 public:
  Server(ServerOptions options, Console& console) : options_(std::move(options)), console_(console) {}

  /// Serves until standard input ends and every call is answered. Returns the exit status.
  int serve();

 private:
  using Json = nlohmann::ordered_json;

  struct Call {
    Json id;
    std::vector<std::string> words;
  };

  void read_input();
  void take_lines(std::string_view part);
  void hear(const std::string& line);
  void hear_message(const Json& message);
  void hear_request(const std::string& method, const Json& id, const Json& params);
  void hear_notification(const std::string& method, const Json& params);
  void initialize(const Json& id, const Json& params);
  void call_tool(const Json& id, const Json& params);
  void cancel(const Json& id);
  void start_next();
  void watch_running();
  void finish_running();

  void answer(const Json& id, Json result);
  void answer_text(const Json& id, const std::vector<std::string>& texts, bool is_error);
  void refuse(const Json& id, int code, const std::string& message);
  void send(const Json& message);

  ServerOptions options_;
  Console& console_;
  std::string line_;
  bool too_long_ = false;  ///< the rest of the line is dropped
  bool ended_ = false;     ///< standard input
  bool broken_ = false;    ///< standard output
  bool initialized_ = false;
  std::deque<Call> waiting_;
  std::optional<Json> running_id_;
  std::unique_ptr<CallProcess> running_;
};

}  // namespace headrace::cli::assistant
