#include "tests/twins/copies_both_ways.hpp"

#include <algorithm>

namespace headrace::models::twins {

namespace {

/// What the smaller claim leaves, or half: for the batches, which ask for a whole direction.
double batches_rate(const CopyBesideBatches& c) {
  const double half = c.both_ways / 2.0;
  return c.asked < half ? std::min(1.0, c.both_ways - c.asked) : half;
}

}  // namespace

double step_beside_copy_s(const CopyBesideBatches& c) { return c.compute_s + c.batch_s / batches_rate(c); }

double copy_beside_batches_s(const CopyBesideBatches& c) {
  const double up = batches_rate(c);
  const double down = std::min(c.asked, c.both_ways - up);
  const double copying_s = c.batch_s / up;
  // In a step: `asked` while it computes, `down` while a batch comes.
  return c.copy_alone_s * c.asked * (c.compute_s + copying_s) / (c.asked * c.compute_s + down * copying_s);
}

double mean_step_with_copies_s(const CopyBesideBatches& c, double interval_s) {
  const double share = std::min(1.0, copy_beside_batches_s(c) / interval_s);
  return 1.0 / ((1.0 - share) / (c.compute_s + c.batch_s) + share / step_beside_copy_s(c));
}

}  // namespace headrace::models::twins
