// Filling sequences of fixed length with samples of random length, one sequence open at a time (next fit): where a
// sample does not fit, the sequence is closed and the sample is the first of the next one.
//
// Method: the level of an open sequence is a renewal process on a grid; the law of the sample that overflows is the law
// of the first one of the next sequence, a fixed point. For uniform lengths the share that is filled is 3/4.
// Sources: E. Coffman, K. So, M. Hofri, A. Yao, A stochastic model of bin packing, Information and Control 44, 1980.
#pragma once

#include "sim/distribution.hpp"

namespace headrace::models::twins {

/// Mean share of `capacity` that is filled; samples that are longer are cut to it. Error of the grid about 1 / points.
double next_fit_fill(const sim::Distribution& size, double capacity, int points = 1000);

}  // namespace headrace::models::twins
