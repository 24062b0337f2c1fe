// Which stage binds, by what the removal of each gains.
#include "models/outcome/bottleneck.hpp"

#include <vector>

#include "tests/catch.hpp"

using namespace headrace::models;

namespace {

StageShare gain(Stage stage, double mean, double arm) {
  StageShare share;
  share.stage = stage;
  share.mean = mean;
  share.ci95 = Interval{mean - arm, mean + arm};
  return share;
}

}  // namespace

TEST_CASE("stages tie where their gains differ by no more than the intervals of both leave open") {
  const StageShare decode = gain(Stage::decode, 0.020, 0.006);
  // The arms of two estimates add up as squares do: 0.0085.
  CHECK(stages_that_gain_most({decode, gain(Stage::transfer, 0.028, 0.006)}) ==
        std::vector{Stage::transfer, Stage::decode});
  CHECK(stages_that_gain_most({decode, gain(Stage::transfer, 0.029, 0.006)}) == std::vector{Stage::transfer});
  // Without noise a fiftieth of the gain is no difference.
  CHECK(stages_that_gain_most({gain(Stage::decode, 0.0197, 0.0), gain(Stage::transfer, 0.020, 0.0)}).size() == 2);
  CHECK(stages_that_gain_most({gain(Stage::decode, 0.0195, 0.0), gain(Stage::transfer, 0.020, 0.0)}).size() == 1);
}

TEST_CASE("of stages that tie the one binds that most waits arise in") {
  const std::vector<StageShare> relief{gain(Stage::decode, 0.020, 0.006), gain(Stage::transfer, 0.028, 0.006)};
  CHECK(binding_stage(relief, {gain(Stage::decode, 0.03, 0.0), gain(Stage::transfer, 0.01, 0.0)}) == Stage::decode);
  const std::vector<StageShare> clear{gain(Stage::decode, 0.020, 0.006), gain(Stage::transfer, 0.040, 0.006)};
  CHECK(binding_stage(clear, {gain(Stage::decode, 0.03, 0.0), gain(Stage::transfer, 0.01, 0.0)}) == Stage::transfer);
}
