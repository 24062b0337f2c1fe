#include "tests/validation/cases/reference_case.hpp"

namespace headrace::cases {

std::optional<Prediction> predict_by_simulation(const ReferenceCase&) { return std::nullopt; }

}  // namespace headrace::cases
