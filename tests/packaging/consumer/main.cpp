// Asks one question and prints its document; then shows that a mistake comes back as a value.
#include <headrace/headrace.hpp>
#include <iostream>

int main() {
  const auto scenario = headrace::load("image-node", {}, {"/cluster/pools/0/nodes=1"});
  if (!scenario) {
    std::cerr << scenario.error().text;
    return 2;
  }
  headrace::SimulateOptions options;
  options.steps = 400;
  const auto outcome = scenario->simulate(options);
  if (!outcome) {
    std::cerr << outcome.error().text;
    return 2;
  }
  std::cout << outcome->json();
  const auto mistaken = scenario->set({"/jobs/0/loader/wokers=16"});
  return !mistaken && mistaken.error().code == "E0203" ? 0 : 1;
}
