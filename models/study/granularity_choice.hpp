// How finely a study divides the batches of a job: as coarsely as short simulations of that job do not find wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "models/hops/path.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::models {

struct GranularityChoice {
  Granularity granularity;
  bool piloted = false;          ///< by short simulations; else batches are whole without any
  double batch_error = 0.0;      ///< of the step time with whole batches, relative; 0 where they are right
  double throttled_error = 0.0;  ///< of the number of 503 answers with whole batches; 0 where they are right
  std::uint64_t steps = 0;       ///< of each of the short simulations

  bool is_right() const { return batch_error == 0.0 && throttled_error == 0.0; }
};

/// The coarsest of batch, chunk(8) and sample whose mean step is within 1 % of the one sample by sample, or no farther
/// from it than the noise of two short simulations, and whose number of 503 answers is within 10 %. They run, for a
/// path at granularity batch, where few ranks share a station and each worker has one request under way at a time.
/// Where nothing is nearly full and none of the first thousand batches is late in either of the two, they end there.
/// Throws Abandoned once the token asks for it.
GranularityChoice choose_granularity(const IngestPath& path, std::uint64_t seed, const std::stop_token& abandon = {});

/// As --granularity takes it.
std::string granularity_text(const Granularity& granularity);

/// What an outcome says about a choice, or about whole batches that somebody asked for in spite of it.
std::optional<Warning> granularity_warning(const GranularityChoice& choice, bool asked_for_whole_batches);

}  // namespace headrace::models
