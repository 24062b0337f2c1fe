#include "models/study/uncertain_input.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "sim/portable_math.hpp"

namespace headrace::models {

namespace {

using Scale = UncertainInput::Scale;

/// A stated range over more than this ratio is drawn in ratios.
constexpr double kWideRatio = 3.0;
constexpr int kSpreadLevels = 8;

bool is_set(double limit) { return limit == limit; }

double log_odds(double fraction) { return sim::plog(fraction) - sim::plog1p(-fraction); }

double from_log_odds(double x) { return 1.0 / (1.0 + sim::pexp(-x)); }

void cut_to_limits(const Facts& facts, UncertainInput& input) {
  if (is_set(facts.min)) input.low = std::max(input.low, facts.min);
  if (is_set(facts.max)) input.high = std::min(input.high, facts.max);
  // An open limit is approached, never reached: the distance to it takes the factor.
  if (is_set(facts.above) && input.low <= facts.above) input.low = facts.above + (input.value - facts.above) / 2.0;
  if (is_set(facts.below) && input.high >= facts.below) input.high = facts.below - (facts.below - input.value) / 2.0;
}

double factor_for(Evidence evidence) {
  if (evidence == Evidence::assumed) return kAssumedFactor;
  return evidence == Evidence::datasheet ? kDatasheetFactor : 1.0;
}

/// By evidence; low == high where the figure is taken as it is.
void set_band(double factor, UncertainInput& input) {
  if (input.unit == Unit::fraction) {
    input.scale = Scale::odds;
    const double at = log_odds(input.value);
    input.low = from_log_odds(at - sim::plog(factor));
    input.high = from_log_odds(at + sim::plog(factor));
  } else {
    input.scale = Scale::ratio;
    input.low = input.value / factor;
    input.high = input.value * factor;
  }
}

/// No stage, no limit, no loss: nothing that could be drawn around.
bool is_switch(const NumberSite& site, double value) {
  return !(value > 0.0) || !(value < 1e300) || (site.unit == Unit::fraction && value >= 1.0);
}

std::optional<UncertainInput> uncertain(const NumberSite& site, double value, const Knowledge& knowledge) {
  UncertainInput input;
  input.pointer = site.pointer;
  input.unit = site.unit;
  input.value = value;
  input.spread_only = site.spread_only;
  input.evidence = knowledge.evidence.value_or(site.facts.evidence);
  if (knowledge.low && knowledge.high) {
    // A law is stretched to its new mean, which nothing does to a mean of zero.
    if (site.law && !(value > 0.0)) return std::nullopt;
    input.stated = true;
    input.low = *knowledge.low;
    input.high = *knowledge.high;
    if (input.low > 0.0 && input.high > kWideRatio * input.low) input.scale = Scale::ratio;
  } else {
    const bool known_by_choice = site.facts.decided && !knowledge.evidence;
    if (known_by_choice || is_switch(site, value)) return std::nullopt;
    set_band(factor_for(input.evidence), input);
    cut_to_limits(site.facts, input);
  }
  if (!(input.low < input.high)) return std::nullopt;
  return input;
}

/// The dataset of a size of samples whose range keeps the volume.
std::optional<std::size_t> volume_of(std::string_view pointer, const std::vector<InputRange>& ranges) {
  constexpr std::string_view kDatasets = "/datasets/";
  constexpr std::string_view kSize = "/sample_bytes";
  const bool keeps = std::any_of(ranges.begin(), ranges.end(), [&](const InputRange& range) {
    return range.same_volume && pointer.starts_with(range.parameter);
  });
  if (!keeps || !pointer.starts_with(kDatasets)) return std::nullopt;
  const std::string_view number = pointer.substr(kDatasets.size());
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  const std::string_view rest(end, static_cast<std::size_t>(number.data() + number.size() - end));
  return error == std::errc() && rest.starts_with(kSize) ? std::optional(index) : std::nullopt;
}

/// The dataset with as many bytes as `before`, in files of the size that they have now.
void keep_volume(const Dataset& before, Dataset& changed) {
  const double files = static_cast<double>(before.files) * mean_of(before.sample_bytes) / mean_of(changed.sample_bytes);
  changed.files = static_cast<std::uint64_t>(std::max(1.0, std::round(files)));
}

class Collector final : public NumberWalk {
 public:
  Collector(const std::function<Knowledge(const NumberSite&)>& known, const std::vector<InputRange>& ranges)
      : known_(known), ranges_(ranges) {}
  std::vector<UncertainInput> inputs;

 private:
  std::optional<double> pass(const NumberSite& site, double value) override {
    add(site, value, known_ ? known_(site) : Knowledge{});
    return std::nullopt;
  }

  std::optional<double> pass_count(const NumberSite& site, double value) override {
    if (!site.facts.estimated) return std::nullopt;
    const Knowledge knowledge = known_ ? known_(site) : Knowledge{};
    if (knowledge.low && knowledge.high && value > 0.0)  // 0: no such limit
      add(site, value, knowledge);
    else
      ++place_;
    return std::nullopt;
  }

  void add(const NumberSite& site, double value, const Knowledge& knowledge) {
    std::optional<UncertainInput> input = uncertain(site, value, knowledge);
    if (input) {
      input->place = place_;
      input->volume_of = volume_of(input->pointer, ranges_);
      inputs.push_back(std::move(*input));
    }
    ++place_;
  }

  const std::function<Knowledge(const NumberSite&)>& known_;
  const std::vector<InputRange>& ranges_;
  std::size_t place_ = 0;
};

class Setter final : public NumberWalk {
 public:
  Setter(const std::vector<UncertainInput>& inputs, const std::vector<double>& u) : inputs_(inputs), u_(u) {}

 private:
  std::optional<double> pass_count(const NumberSite& site, double value) override {
    return site.facts.estimated ? pass(site, value) : std::nullopt;
  }
  std::optional<double> pass(const NumberSite&, double) override {
    if (next_ == inputs_.size() || place_++ != inputs_[next_].place) return std::nullopt;
    const double value = inputs_[next_].at(u_[next_]);
    ++next_;
    return value;
  }

  const std::vector<UncertainInput>& inputs_;
  const std::vector<double>& u_;
  std::size_t next_ = 0;
  std::size_t place_ = 0;
};

}  // namespace

double UncertainInput::at(double u) const {
  if (spread_only) u = (static_cast<double>(static_cast<int>(u * kSpreadLevels)) + 0.5) / kSpreadLevels;
  switch (scale) {
    case Scale::ratio:
      return low * sim::pexp(u * sim::plog(high / low));
    case Scale::odds:
      return from_log_odds(log_odds(low) + u * (log_odds(high) - log_odds(low)));
    default:
      return low + u * (high - low);
  }
}

std::vector<UncertainInput> uncertain_inputs(const Scenario& scenario,
                                             const std::function<Knowledge(const NumberSite&)>& known) {
  Scenario copy = scenario;
  Collector collector(known, scenario.input_ranges);
  describe(copy, static_cast<Visitor&>(collector));
  return std::move(collector.inputs);
}

std::vector<UncertainInput> uncertain_inputs(const Scenario& scenario) { return uncertain_inputs(scenario, {}); }

Scenario with_inputs(const Scenario& scenario, const std::vector<UncertainInput>& inputs,
                     const std::vector<double>& u) {
  Scenario changed = scenario;
  Setter setter(inputs, u);
  describe(changed, static_cast<Visitor&>(setter));
  for (const UncertainInput& input : inputs)
    if (input.volume_of) keep_volume(scenario.datasets[*input.volume_of], changed.datasets[*input.volume_of]);
  return changed;
}

Scenario with_input(const Scenario& scenario, UncertainInput input, double value) {
  input.low = input.high = value;
  input.scale = UncertainInput::Scale::linear;
  return with_inputs(scenario, {input}, {0.5});
}

}  // namespace headrace::models
