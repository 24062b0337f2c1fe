#include "tests/validation/cases/reference_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace headrace::cases {
namespace {

constexpr double kAbsoluteFloor = 1e-9;
constexpr double kUnseenTolerance = 1e-5;
constexpr double kRareHalfWidth = 5e-4;
constexpr double kDefaultTolerance = 1e-6;

/// Walks expected and got together; keeps the value closest to (or furthest beyond) its tolerance.
class Comparer {
 public:
  Comparer(const ReferenceCase& reference, const Prediction& prediction)
      : reference_(reference), prediction_(prediction) {}

  void walk(const std::string& top, const std::string& path, const Json& expected, const Json& got) {
    if (expected.is_number() && got.is_number()) {
      compare_number(top, path, expected.get<double>(), got.get<double>());
    } else if (expected.is_object() && got.is_object()) {
      for (const auto& [key, value] : expected.items()) {
        const std::string here = path.empty() ? key : path + "/" + key;
        if (key.rfind("seed_says", 0) == 0) continue;  // quotes a claim that the case refutes
        if (got.contains(key)) {
          walk(top.empty() ? key : top, here, value, got.at(key));
        } else {
          missing_ = here;
        }
      }
    } else if (expected.is_array() && got.is_array() && expected.size() == got.size()) {
      for (std::size_t i = 0; i < expected.size(); ++i) {
        walk(top, fmt::format("{}[{}]", path, i), expected[i], got[i]);
      }
    } else {
      missing_ = path.empty() ? "expected" : path;
    }
  }

  Comparison result() const {
    Comparison comparison;
    comparison.detail = worst_text_;
    if (!missing_.empty()) comparison.detail += fmt::format("; no value for {}", missing_);
    if (worst_ > 1.0) {
      comparison.verdict = Verdict::kFail;
    } else if (missing_.empty() && compared_ > 0) {
      comparison.verdict = Verdict::kPass;
    }
    return comparison;
  }

 private:
  void compare_number(const std::string& top, const std::string& path, double expected, double got) {
    const auto simulated = prediction_.half_width.find(top);
    if (simulated != prediction_.half_width.end()) {
      compare_simulated(path, expected, got, reference_.half_width_of(top), simulated->second);
      return;
    }
    const double relative = reference_.relative_tolerance.value_or(kDefaultTolerance);
    const double tolerance = std::max(relative * std::abs(expected), kAbsoluteFloor);
    note(std::abs(got - expected) / tolerance,
         fmt::format("{} expected {:.8g} got {:.8g} tolerance {:.2g}", path, expected, got, tolerance));
  }

  void compare_simulated(const std::string& path, double expected, double got, double theirs, double own) {
    if (theirs == 0.0) {
      note(std::abs(got - expected) / kUnseenTolerance,
           fmt::format("{} expected {:.8g} got {:.8g} absolute {:.0e}", path, expected, got, kUnseenTolerance));
      return;
    }
    const double standard_error = std::hypot(theirs, own) / 1.96;
    const double errors = std::abs(got - expected) / standard_error;
    const bool rare = theirs >= std::abs(expected);  // one event or two in the whole run, of any size
    const bool too_coarse = own > (rare ? std::max(2.0 * theirs, kRareHalfWidth) : 2.0 * theirs);
    note(
        too_coarse ? 2.0 : errors / 4.0,
        fmt::format("{} expected {:.6g} +- {:.2g} got {:.6g} +- {:.2g}: {:.2f} of 4 standard errors, own {:.2f} of the "
                    "reference's{}",
                    path, expected, theirs, got, own, errors, own / theirs, too_coarse ? ", which is too wide" : ""));
  }

  void note(double severity, std::string text) {
    ++compared_;
    if (!(severity <= worst_)) {  // also a NaN
      worst_ = std::isnan(severity) ? 1e300 : severity;
      worst_text_ = std::move(text);
    }
  }

  const ReferenceCase& reference_;
  const Prediction& prediction_;
  double worst_ = -1.0;
  int compared_ = 0;
  std::string worst_text_;
  std::string missing_;
};

std::string text_of(const Json& object, const char* key) {
  return object.contains(key) && object.at(key).is_string() ? object.at(key).get<std::string>() : std::string();
}

}  // namespace

int ReferenceCase::integer(const char* key) const { return static_cast<int>(std::llround(number(key))); }

std::vector<double> ReferenceCase::numbers(const char* key) const {
  if (inputs.at(key).is_number()) return {number(key)};
  return inputs.at(key).get<std::vector<double>>();
}

double ReferenceCase::half_width_of(const std::string& key) const {
  if (half_width.is_number()) return half_width.get<double>();
  if (half_width.is_object() && half_width.contains(key)) return half_width.at(key).get<double>();
  // A quantity that the reference gives without an interval, beside one with: as uncertain as that one.
  if (half_width.is_object() && half_width.contains("idle")) return half_width.at("idle").get<double>();
  return 0.0;
}

std::vector<ReferenceCase> load_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  const Json document = Json::parse(file);
  const Json& list = document.is_object() && document.contains("cases") ? document.at("cases") : document;
  if (!list.is_array()) throw std::runtime_error(path + " is not a list of cases");
  std::vector<ReferenceCase> cases;
  for (const Json& entry : list) {
    ReferenceCase reference;
    reference.id = text_of(entry, "id");
    reference.group = text_of(entry, "group");
    reference.model = text_of(entry, "model");
    reference.kind = text_of(entry, "kind");
    reference.inputs = entry.value("inputs", Json::object());
    reference.expected = entry.value("expected", Json::object());
    reference.half_width = entry.value("ci95_halfwidth", Json());
    const Json tolerance = entry.value("suggested_rel_tol", Json());
    if (tolerance.is_number()) reference.relative_tolerance = tolerance.get<double>();
    cases.push_back(std::move(reference));
  }
  return cases;
}

Comparison compare(const ReferenceCase& reference, const std::optional<Prediction>& prediction) {
  if (!prediction) return {Verdict::kNotModelled, "no model of this group fits the inputs"};
  Comparer comparer(reference, *prediction);
  comparer.walk("", "", reference.expected, prediction->values);
  return comparer.result();
}

}  // namespace headrace::cases
