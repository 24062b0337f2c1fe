#include "cli/assistant/server.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "cli/assistant/tools.hpp"
#include "cli/exit_code.hpp"
#include "scenarios/document/read_json.hpp"
#include "scenarios/document/visible_text.hpp"

namespace headrace::cli::assistant {
namespace {

// Codes of JSON-RPC 2.0.
constexpr int kNoJson = -32700;
constexpr int kNoRequest = -32600;
constexpr int kNoMethod = -32601;
constexpr int kNoParams = -32602;
constexpr int kBusy = -32000;

constexpr std::array<std::string_view, 3> kRevisions = {"2025-06-18", "2025-03-26", "2024-11-05"};  // newest first

constexpr const char* kInstructions =
    "Headrace simulates how training data reaches GPUs: where they wait, and why. Start with explain and the topic "
    "scenarios; bound answers in milliseconds, simulate in seconds. Change values with set; explain tells what a "
    "value, "
    "a metric or an error code means.";

bool is_id(const nlohmann::ordered_json& id) { return id.is_string() || id.is_number(); }

}  // namespace

int Server::serve() {
  while (!broken_ && !(ended_ && !running_ && waiting_.empty())) {
    if (!running_) start_next();
    std::array<pollfd, 3> looked = {{{ended_ ? -1 : STDIN_FILENO, POLLIN, 0},
                                     {running_ ? running_->output() : -1, POLLIN, 0},
                                     {running_ ? running_->errors() : -1, POLLIN, 0}}};
    if (!running_ && ended_) continue;
    constexpr int kLookAtLimitMs = 100;
    if (::poll(looked.data(), looked.size(), running_ ? kLookAtLimitMs : -1) < 0 && errno != EINTR) break;
    if (looked[0].revents != 0) read_input();
    if (running_) watch_running();
  }
  return broken_ ? kBadInput : kOk;
}

void Server::read_input() {
  std::array<char, 65536> part{};
  const ssize_t count = ::read(STDIN_FILENO, part.data(), part.size());
  if (count < 0 && errno == EINTR) return;
  if (count > 0) return take_lines({part.data(), static_cast<std::size_t>(count)});
  ended_ = true;
  if (!line_.empty() || too_long_) take_lines("\n");
}

void Server::take_lines(std::string_view part) {
  while (!part.empty()) {
    const std::size_t end = part.find('\n');
    const std::string_view piece = part.substr(0, end);
    too_long_ = too_long_ || line_.size() + piece.size() > kLongestMessageBytes;
    if (too_long_)
      line_.clear();
    else
      line_ += piece;
    if (end == std::string_view::npos) return;
    if (std::exchange(too_long_, false))
      refuse(nullptr, kNoRequest, fmt::format("a message is longer than {} bytes: send less", kLongestMessageBytes));
    else
      hear(std::exchange(line_, std::string()));
    part.remove_prefix(end + 1);
  }
}

void Server::hear(const std::string& line) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return;
  const auto message = scenarios::parse_json("message", line);
  if (message) return hear_message(*message);
  const scenarios::Diagnostic first = message.error().sorted().front();
  refuse(
      nullptr, kNoJson,
      fmt::format("{} at character {} of the message; send one JSON object a line", first.message, first.where.column));
}

void Server::hear_message(const Json& message) {
  if (!message.is_object()) return refuse(nullptr, kNoRequest, "a message is one JSON object; batches are not taken");
  const auto member = [&message](const char* name) { return message.contains(name) ? message[name] : Json(); };
  const Json id = member("id");
  const Json method = member("method");
  if (method.is_null() && (message.contains("result") || message.contains("error"))) return;  // nothing was asked
  if (member("jsonrpc") != "2.0" || !method.is_string() || (message.contains("id") && !is_id(id)))
    return refuse(is_id(id) ? id : Json(), kNoRequest,
                  "not a request of JSON-RPC 2.0: write \"jsonrpc\": \"2.0\", a method, and an id that is a text or a "
                  "number");
  Json params = member("params");
  if (params.is_null()) params = Json::object();
  if (!message.contains("id")) return hear_notification(method.get<std::string>(), params);
  if (!params.is_object()) return refuse(id, kNoParams, "params is an object");
  hear_request(method.get<std::string>(), id, params);
}

void Server::hear_notification(const std::string& method, const Json& params) {
  if (method == "notifications/cancelled" && params.is_object() && params.contains("requestId"))
    cancel(params["requestId"]);
}

void Server::hear_request(const std::string& method, const Json& id, const Json& params) {
  if (method == "initialize") return initialize(id, params);
  if (method == "ping") return answer(id, Json::object());
  const bool known = method == "tools/list" || method == "tools/call";
  if (!known)
    return refuse(id, kNoMethod,
                  fmt::format("there is no method '{}': use initialize, ping, tools/list or tools/call",
                              scenarios::visible_text(method)));
  if (!initialized_) return refuse(id, kNoRequest, "the first request is initialize");
  if (method == "tools/list") return answer(id, {{"tools", list_tools()}});
  call_tool(id, params);
}

void Server::initialize(const Json& id, const Json& params) {
  const Json asked = params.contains("protocolVersion") ? params["protocolVersion"] : Json();
  std::string_view revision = kRevisions.front();
  for (const std::string_view known : kRevisions)
    if (asked == std::string(known)) revision = known;
  initialized_ = true;
  answer(id,
         {{"protocolVersion", revision},
          {"capabilities", {{"tools", Json::object()}}},
          {"serverInfo", {{"name", "headrace"}, {"version", HEADRACE_VERSION}}},
          {"instructions",
           fmt::format("{} A call may take {:g} s. Files may be read {}.", kInstructions, options_.max_wall_s,
                       options_.folders.empty() ? "from nowhere: use shipped scenarios" : "below the named folders")}});
}

void Server::call_tool(const Json& id, const Json& params) {
  const Json name = params.contains("name") ? params["name"] : Json();
  if (!name.is_string()) return refuse(id, kNoParams, "params has no name of a tool");
  const auto tool = name.get<std::string>();
  if (!is_tool(tool))
    return refuse(id, kNoParams, fmt::format("unknown tool '{}': {}", scenarios::visible_text(tool), tool_like(tool)));
  const Json arguments = params.contains("arguments") ? params["arguments"] : Json::object();
  if (!arguments.is_object()) return refuse(id, kNoParams, "arguments is an object");
  const auto words = words_of(tool, arguments, options_.folders, options_.max_wall_s);
  if (!words)
    return answer_text(id,
                       {fmt::format("error: {}\n  = help: {}\n", scenarios::visible_text(words.error().message),
                                    scenarios::visible_text(words.error().help))},
                       true);
  if (waiting_.size() >= kMostWaitingCalls)
    return refuse(id, kBusy, fmt::format("{} calls wait already: wait for their answers", kMostWaitingCalls));
  waiting_.push_back({id, *words});
}

/// A cancelled request gets no answer.
void Server::cancel(const Json& id) {
  std::erase_if(waiting_, [&id](const Call& call) { return call.id == id; });
  if (!running_id_ || *running_id_ != id) return;
  running_.reset();
  running_id_.reset();
}

void Server::start_next() {
  if (waiting_.empty()) return;
  const Call call = std::move(waiting_.front());
  waiting_.pop_front();
  try {
    running_ = std::make_unique<CallProcess>(call.words, options_.folders);
    running_id_ = call.id;
  } catch (const std::exception& error) {
    answer_text(call.id, {fmt::format("error: {}\n  = help: try again\n", error.what())}, true);
  }
}

void Server::watch_running() {
  running_->read();
  if (running_->has_ended()) return finish_running();
  std::string complaint;
  if (running_->elapsed_s() > options_.max_wall_s + kGrace_s)
    complaint = fmt::format(
        "error: the call took longer than {:g} s and was ended\n"
        "  = help: ask for less (bound, fewer steps, fewer nodes), or start headrace mcp with a larger --max-wall\n",
        options_.max_wall_s);
  else if (running_->output_text().size() + running_->error_text().size() > kLongestAnswerBytes)
    complaint = fmt::format(
        "error: the answer is longer than {} bytes\n  = help: ask for the text, without \"json\" and \"verbose\"\n",
        kLongestAnswerBytes);
  if (complaint.empty()) return;
  running_.reset();
  answer_text(*std::exchange(running_id_, std::nullopt), {complaint}, true);
}

/// A failed threshold (1) and an inconclusive answer (3) are answers.
void Server::finish_running() {
  const int status = running_->status();
  std::vector<std::string> texts;
  for (const std::string& text : {running_->output_text(), running_->error_text()})
    if (!text.empty()) texts.push_back(text);
  if (status > 128)
    texts.push_back(fmt::format("error: the call ended by signal {}\n  = help: ask for less\n", status - 128));
  running_.reset();
  const bool is_answer = status == kOk || status == kFailed || status == kInconclusive;
  answer_text(*std::exchange(running_id_, std::nullopt), texts, !is_answer);
}

void Server::answer(const Json& id, Json result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::answer_text(const Json& id, const std::vector<std::string>& texts, bool is_error) {
  Json content = Json::array();
  for (const std::string& text : texts) content.push_back({{"type", "text"}, {"text", text}});
  answer(id, {{"content", std::move(content)}, {"isError", is_error}});
}

void Server::refuse(const Json& id, int code, const std::string& message) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::send(const Json& message) {
  if (!broken_) broken_ = !console_.deliver(message.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n", "");
}

}  // namespace headrace::cli::assistant
