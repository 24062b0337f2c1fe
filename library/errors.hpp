// Complaints and exceptions of the program as errors of the library.
#pragma once

#include <fmt/format.h>

#include <new>
#include <string>

#include "library/headrace.hpp"
#include "models/base/abandoned.hpp"
#include "models/path/ingest_path.hpp"
#include "scenarios/document/diagnostic.hpp"
#include "scenarios/results/results_store.hpp"

namespace headrace {

Error error_of(const scenarios::Diagnostics& diagnostics);
Error error_of(const std::string& cause, const std::string& fix, const std::string& code = {});
Error internal_error(const std::string& cause, const std::string& fix);

/// What `answer` returns; what it throws as an error.
template <class Answer>
auto guarded(const Answer& answer) -> decltype(answer()) {
  try {
    return answer();
  } catch (const models::UnusableRequest& error) {
    return error_of(error.what(), error.fix());
  } catch (const models::Abandoned&) {
    return error_of("the study did not end soon after max_wall_s, or after it was told to stop, so there is no result",
                    "allow more time, or look by bound() for a job that gets next to nothing");
  } catch (const scenarios::StoreError& error) {
    return error_of(error.what(), error.fix(), error.code());
  } catch (const std::bad_alloc&) {
    return internal_error("out of memory", "simulate fewer nodes");
  } catch (const std::exception& error) {
    return internal_error(fmt::format("internal error: {}", error.what()),
                          "this is a mistake in headrace, not in the scenario; please report it with the question");
  }
}

}  // namespace headrace
