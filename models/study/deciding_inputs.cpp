#include "models/study/deciding_inputs.hpp"

#include <algorithm>

namespace headrace::models {

std::vector<InputEffect> deciding_inputs(const sim::Response& response, const sim::InputBasis& basis,
                                         const std::vector<UncertainInput>& inputs, double least_share,
                                         std::size_t most) {
  const sim::Effects effects = sim::first_order_effects(response, basis);
  std::vector<InputEffect> deciding;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (effects.shares[i] >= least_share) deciding.push_back({inputs[i].pointer, effects.shares[i]});
  std::stable_sort(deciding.begin(), deciding.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  if (deciding.size() > most) deciding.resize(most);
  return deciding;
}

std::vector<InputEffect> inputs_behind_a_decision(const std::vector<double>& yes, const sim::InputBasis& basis,
                                                  const std::vector<UncertainInput>& inputs) {
  constexpr std::size_t kMostNamed = 3;
  constexpr double kLeastShare = 0.05;
  return deciding_inputs({yes}, basis, inputs, kLeastShare, kMostNamed);
}

}  // namespace headrace::models
