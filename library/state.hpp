// What the objects of the library hold.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "library/headrace.hpp"
#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/planner/plan.hpp"
#include "scenarios/results/sweep.hpp"

namespace headrace {

struct Outcome::State {
  models::Outcome outcome;
  std::string json;
};

struct Plan::State {
  std::string json;
  bool recommended = false;
  std::string stopped_by;
  std::vector<std::string> sets;
};

struct Sweep::State {
  scenarios::SweepTally tally;
  std::string json;
  std::string id;
  std::unique_ptr<scenarios::ResultsStore> store;
};

struct Scenario::State {
  std::vector<std::string> inputs;
  std::vector<std::string> sets;
  scenarios::LoadedScenario loaded;
};

struct Access {
  template <class Object, class... Parts>
  static Object make(Parts&&... parts) {
    Object object;
    object.state_ = std::make_shared<typename Object::State>(typename Object::State{std::forward<Parts>(parts)...});
    return object;
  }
};

}  // namespace headrace
