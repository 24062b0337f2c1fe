// What `headrace check` and `headrace compare` find, and the JSON documents that programs read of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/outcome/confidence.hpp"
#include "models/outcome/outcome.hpp"
#include "models/study/comparison.hpp"
#include "models/study/input_gate.hpp"
#include "models/study/threshold.hpp"
#include "scenarios/document/parameter_sheet.hpp"
#include "scenarios/document/thresholds.hpp"

namespace headrace::reports {

/// How many points of the input ranges pass.
struct CheckedInputs {
  models::InputGate gate;
  std::vector<nlohmann::ordered_json> failing = {};  ///< values by JSON pointer, of some points that fail
};

/// One metric against the baseline.
struct Regression {
  models::PairedDifference difference;
  models::ChangeLimit limit;
  models::Ruling decision = models::Ruling::undecided;
};

struct CheckedBaseline {
  std::string file;
  std::string model_version = {};
  std::string catalogue_version = {};
  std::string scenario_sha256 = {};
  bool paired = false;
  std::uint64_t steps = 0;
  std::size_t inputs_that_differ = 0;
  std::vector<Regression> regressions = {};
  std::vector<models::PairedDifference> model_change = {};
};

struct RecordedCheck {
  std::string model_version;
  std::string catalogue_version;
  std::string scenario_sha256;
  models::Ruling decision = models::Ruling::undecided;
  std::string stopped_by;
  std::uint32_t looks = 0;
  double widening = 1.0;
  std::vector<models::Judgement> thresholds;
  std::optional<CheckedInputs> inputs;
  std::optional<CheckedBaseline> baseline;
  nlohmann::ordered_json outcome;  ///< the document of the outcome behind it
  std::string open;                ///< a range, that nobody asked about, in which a threshold fails; empty: none
  std::string headline;
  std::vector<std::string> notes;
};

struct ComparedSide {
  std::string name;
  bool is_result = false;  ///< or a scenario
  std::string scenario_sha256;
  std::string model_version;
  std::string catalogue_version;
  models::Verdict verdict = models::Verdict::inconclusive;
  std::optional<models::Stage> binding;
  models::Confidence confidence;
  models::EvidenceReport evidence;
};

struct InputDifference {
  std::string pointer;
  std::string before;  ///< empty: not there
  std::string after;
  std::string origin;      ///< of the second
  bool catalogue = false;  ///< the same entry of the catalogue has another figure

  /// As people read it; `absent` where there is none.
  std::string before_text(std::string_view absent = "-") const { return told(before, absent); }
  std::string after_text(std::string_view absent = "-") const { return told(after, absent); }
  std::string origin_text() const { return after.empty() ? "not in B" : origin; }

 private:
  std::string told(const std::string& value, std::string_view absent) const {
    return value.empty() ? std::string(absent) : scenarios::told_value(pointer, value);
  }
};

/// A change that is asked about, and what the comparison says.
struct LimitedChange {
  scenarios::FailIf asked;
  models::Ruling decision = models::Ruling::undecided;
};

/// One step of the way from A to B: of the models, the catalogue, or the scenario.
struct ChangePart {
  std::string name;
  std::vector<models::PairedDifference> differences;
  std::string note = {};    ///< why it is nothing, or not known
  bool is_unknown = false;  ///< counted with the scenario; not in the document
};

struct RecordedComparison {
  std::string model_version;
  models::Ruling decision = models::Ruling::undecided;
  ComparedSide a;
  ComparedSide b;
  std::vector<InputDifference> inputs;
  std::vector<LimitedChange> limits;
  std::vector<models::PairedDifference> differences;
  std::vector<ChangePart> parts;
  std::optional<models::GainedEpochs> gained;
  double confidence = 0.95;
  std::optional<std::uint64_t> seed;  ///< nothing: what was saved was compared, without simulation
  std::uint64_t steps = 0;
  std::string stopped_by;
  std::string headline;
  std::vector<std::string> notes;
};

/// What is not known is null. No clock, date or host.
nlohmann::ordered_json check_json(const RecordedCheck& recorded);
nlohmann::ordered_json comparison_json(const RecordedComparison& recorded);

/// What a document lacks, or says in another form, keeps its default.
RecordedCheck read_check(const nlohmann::ordered_json& document);
RecordedComparison read_comparison(const nlohmann::ordered_json& document);

nlohmann::ordered_json check_schema();
nlohmann::ordered_json comparison_schema();

}  // namespace headrace::reports
