// How far an answer can be trusted, in one grade with its reason.
#pragma once

#include "models/outcome/outcome.hpp"

namespace headrace::models {

/// The first of these that holds:
///   assumed            an assumed figure limits the answer, an assumed range turns the verdict, or figures decide
///                      that the scenario leaves out
///   extrapolated       a dimension lies outside the range of the references, or the GPUs wait in a stage that was
///                      compared with closed forms only, or a resource of such a stage is nearly full, or the GPUs do
///                      not wait only because caches answer whose effect on the step was not measured, or they
///                      wait because of shared stores, changing capacity, collectives on the same links or writes
///                      that were not measured, or no measurement lies near: computed cases alone support no better
///                      grade
///   measured here      a real pipeline on the machine of a layer in use was compared with its prediction
///   near measurements  all else: inside the range of measurements, published or made by this project
/// The verdict may be wrong where an assumed figure limits, where the GPUs would not wait without a stage that was not
/// validated, and where the error of the nearest references, multiplied by the factor outside their range, reaches the
/// idle time that tells a compute-bound job from an ingest-bound one.
Confidence confidence_of(const Outcome& outcome);

}  // namespace headrace::models
