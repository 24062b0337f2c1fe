// Where hits lie in a batch whose samples travel one by one. Fixed seeds; false-failure rate below 1e-6.
#include <array>
#include <cmath>
#include <vector>

#include "models/hops/itinerary.hpp"
#include "tests/catch.hpp"

using namespace headrace::models;
namespace sim = headrace::sim;

TEST_CASE("every sample of a batch is as likely to hit as any other") {
  IngestPath path;
  path.batch_samples = 4;
  path.granularity.kind = Granularity::Kind::sample;
  path.opens_per_sample = 0.0;
  path.hit_ratio = 0.4;
  path.cache_latency_s = sim::Distribution::constant(1.0);
  path.request_latency_s = sim::Distribution::constant(2.0);
  const ItineraryMaker itineraries(path, 3, 0, {});
  std::vector<StageVisit> room(itineraries.most_visits());
  constexpr std::uint64_t kBatches = 10'000;
  std::array<double, 4> hits{};
  for (std::uint64_t batch = 0; batch < kBatches; ++batch) {
    REQUIRE(itineraries.make(0, batch, room) == hits.size());
    for (std::size_t sample = 0; sample < hits.size(); ++sample)
      if (room[sample].stage() == Stage::cache) hits[sample] += 1.0 / kBatches;
  }
  for (const double share : hits) CHECK(std::abs(share - 0.4) < 5.0 * std::sqrt(0.4 * 0.6 / kBatches));
}
