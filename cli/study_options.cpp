#include "cli/study_options.hpp"

#include <string>

namespace headrace::cli {
namespace {

/// "batch", "sample" or "chunk(M)"; the command line has checked the shape.
models::Granularity granularity_from(const std::string& text) {
  models::Granularity granularity;
  if (text == "sample") granularity.kind = models::Granularity::Kind::sample;
  if (!text.starts_with("chunk(")) return granularity;
  granularity.kind = models::Granularity::Kind::chunk;
  granularity.chunks = static_cast<std::uint32_t>(std::stoul(text.substr(6)));
  return granularity;
}

}  // namespace

models::StudyOptions study_options(const Invocation& call) {
  models::StudyOptions options;
  options.seed = call.seed;
  options.replications = call.replications;
  options.first_replication = call.first_replication;
  options.precision = call.precision;
  options.steps = call.steps;
  options.max_wall_s = call.max_wall_s;
  options.threads = call.threads;
  options.granularity = granularity_from(call.granularity);
  options.contention = call.contention;
  options.relief = call.relief;
  options.control = call.control;
  return options;
}

}  // namespace headrace::cli
