// The file that `headrace calibrate` writes: a layer for scenarios (stores, pools) with the whole record of the
// measurement under "calibration". A scenario that it is laid over takes the figures; the record is for people and for
// `headrace calibrate --show` and `--compare`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>

#include "models/calibration/record.hpp"
#include "scenarios/document/composition.hpp"
#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

/// Key of the record in a file.
inline constexpr std::string_view kCalibrationKey = "calibration";

/// The file: layer, record and the fingerprint of the record (`sha256`). The figures of the record that have a place in
/// a scenario are laid into `layer`, which may hold what they need around them.
nlohmann::ordered_json site_file(const models::calibration::Calibration& calibration,
                                 const nlohmann::ordered_json& layer = nlohmann::ordered_json::object());

/// The file with its record replaced; everything else in it stays as it is. `text` is what read_site_file() took.
nlohmann::ordered_json with_record(const std::string& text, const models::calibration::Calibration& calibration);

/// The record of a file. Complaints: E0101 to E0109 for a file that cannot be read, E0130 for one without a record, and
/// those of every record.
tl::expected<models::calibration::Calibration, Diagnostics> read_site_file(const std::string& name,
                                                                           const std::string& text);

/// JSON Schema of such files.
nlohmann::ordered_json site_schema();

/// Marks the values of a layer that its calibration measured: evidence, date and interval. `layer` is the document
/// without the record.
void mark_measured(Node& layer, const Node& record);

/// A figure of a record in a document: where it was measured for, and the value that stands there.
struct ReplacedFigure {
  std::string target;
  Place place;
};

/// Figures of the record in whose place the document has a value that nothing measured: a layer replaced them.
std::vector<ReplacedFigure> replaced_figures(const Node& document, const Node& record);

/// What the record of a file says about a verification of its figures; nothing where there was none.
std::optional<VerifiedLayer> verified_layer(const std::string& file, const Node& record);

}  // namespace headrace::scenarios
