// What a page calls: the document of a scenario and the values that were set, both as JSON, for the answer as JSON.
#include <emscripten.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reports/live_answer.hpp"

extern "C" EMSCRIPTEN_KEEPALIVE const char* headrace_answer(const char* document, const char* changes) {
  static std::string answer;  // the caller copies it before the next call
  const auto list = nlohmann::json::parse(changes, nullptr, false);
  answer = headrace::reports::live_answer(
      document, list.is_array() ? list.get<std::vector<std::string>>() : std::vector<std::string>{});
  return answer.c_str();
}
