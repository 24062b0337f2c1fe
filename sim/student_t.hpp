// Student's t distribution for whole degrees of freedom, with the same bits on every machine.
#pragma once

#include <cstdint>

namespace headrace::sim {

/// P(T > t) for `degrees_of_freedom` >= 1, as half a regularised incomplete beta function (DLMF 8.17, continued
/// fraction 8.17.22). Only + - * / and sqrt. Relative error below 1e-10 for up to a million degrees of freedom; NaN if
/// `degrees_of_freedom` < 1.
double student_t_upper_tail(double t, std::int64_t degrees_of_freedom);

/// Quantile: the t with P(T <= t) = probability. Relative error below 1e-9 for tail probabilities above 1e-12.
/// -infinity and +infinity at probabilities 0 and 1; NaN outside and if `degrees_of_freedom` < 1.
double student_t_quantile(double probability, std::int64_t degrees_of_freedom);

}  // namespace headrace::sim
