// A run that nobody waits for any more ends at once and leaves nothing: a window that already shows another scenario
// wants its processor back, not half an answer. (Half an answer is what StudyOptions::stop asks for.)
#pragma once

#include <exception>
#include <stop_token>

namespace headrace::models {

/// Thrown out of a run or a study once its `abandon` token asks for it.
class Abandoned : public std::exception {
 public:
  const char* what() const noexcept override { return "abandoned: nobody waits for this answer any more"; }
};

/// Throws Abandoned where a stop was requested.
inline void end_if_abandoned(const std::stop_token& abandon) {
  if (abandon.stop_requested()) throw Abandoned();
}

}  // namespace headrace::models
