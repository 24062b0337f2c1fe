#include "reports/sweep_json.hpp"

#include <nlohmann/json.hpp>

namespace headrace::reports {

nlohmann::ordered_json sweep_json(const scenarios::SweepTally& tally, const std::string& store,
                                  const scenarios::SweepSpace& space, const std::string& sweep) {
  return {{"space", space.name},
          {"store", store},
          {"sweep", sweep},
          {"points", tally.points},
          {"computed", tally.computed},
          {"reused", tally.reused},
          {"failed", tally.failed},
          {"left", tally.left()},
          {"interrupted", tally.interrupted}};
}

}  // namespace headrace::reports
