// What was predicted for a real pipeline, a real loader or a job that ran, beside what it did: the JSON document that
// programs read.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "models/verification/verified_point.hpp"

namespace headrace::reports {

/// The parts of a wait, by their number.
inline constexpr const char* kWaitPartNames[models::verification::kWaitParts] = {"before", "read", "decode",
                                                                                 "hand_over"};

/// A verification as its document holds it.
struct RecordedVerification {
  models::verification::Verification verification;
  std::optional<std::string> job = {};   ///< title of a job that ran: then there is one point, and no loop
  models::verification::Bars bars = {};  ///< of all points, where they have no groups

  /// Whether the document says what the measured consumer waited for: only a pipeline of this program tells it.
  bool knows_waits() const { return !job && !verification.is_torch(); }
};

/// Of one job that ran, whose point is judged.
RecordedVerification measured_job(const std::string& title, const models::verification::VerifiedPoint& point);

nlohmann::ordered_json verification_json(const RecordedVerification& recorded);
/// What the document lacks, or says in another form, keeps its default.
RecordedVerification read_verification(const nlohmann::ordered_json& document);
nlohmann::ordered_json verification_schema();

}  // namespace headrace::reports
