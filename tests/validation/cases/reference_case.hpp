// Reference cases: a file of inputs and expected values, and what the project predicts for each. Nothing here knows a
// case by its name: predictors go by group, the first word of the id, and which inputs are there.
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headrace::cases {

using Json = nlohmann::json;

struct ReferenceCase {
  std::string id;
  std::string group;
  std::string model;
  std::string kind;
  Json inputs;
  Json expected;
  Json half_width;  ///< 95 %, a number or one per key of `expected`; null for exact cases
  std::optional<double> relative_tolerance;

  bool has(const char* key) const { return inputs.contains(key) && !inputs.at(key).is_null(); }
  double number(const char* key) const { return inputs.at(key).get<double>(); }
  double number(const char* key, double otherwise) const { return has(key) ? number(key) : otherwise; }
  int integer(const char* key) const;
  std::vector<double> numbers(const char* key) const;  ///< an array, or one number
  bool id_starts_with(const char* prefix) const { return id.rfind(prefix, 0) == 0; }
  /// Reference half-width of one expected key; 0 if there is none.
  double half_width_of(const std::string& key) const;
};

/// @throws std::runtime_error for a file that is missing or is not a list of cases
std::vector<ReferenceCase> load_cases(const std::string& path);

/// Predicted values in the shape of `expected`; a key that is missing is not modelled. Keys in `half_width` come from
/// a simulation and are compared in standard errors, all others by relative tolerance.
struct Prediction {
  Json values = Json::object();
  std::map<std::string, double> half_width;
};

/// Nothing when no model of the project fits the case.
std::optional<Prediction> predict_by_closed_form(const ReferenceCase& reference);
std::optional<Prediction> predict_by_simulation(const ReferenceCase& reference);

enum class Verdict { kPass, kFail, kNotModelled };
struct Comparison {
  Verdict verdict = Verdict::kNotModelled;
  std::string detail;  ///< the value that comes closest to its tolerance
};
/// Exact values: |got - expected| <= max(relative tolerance x |expected|, 1e-9). Simulated: |difference| at most 4
/// standard errors of the difference and the own half-width at most twice the reference's; where the reference saw no
/// event at all (half-width 0), an absolute 1e-5; where its interval reaches 0, so that it rests on an event or two,
/// the own half-width may be 5e-4.
Comparison compare(const ReferenceCase& reference, const std::optional<Prediction>& prediction);

}  // namespace headrace::cases
