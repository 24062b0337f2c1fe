// A checkpoint's copy to the host beside batches that come up the same PCIe link: steps and copy by hand.
//
// Source: the definition of a link whose directions together carry a fixed multiple of one; max-min between them (D.
// Bertsekas and R. Gallager, Data Networks, 2nd ed., 1992, section 6.5.2). Deviations: none.
#pragma once

namespace headrace::models::twins {

/// A GPU whose step computes for `compute_s` and takes `batch_s` of copying when the link carries one way only.
struct CopyBesideBatches {
  double compute_s = 0.0;
  double batch_s = 0.0;
  double both_ways = 2.0;  ///< both directions together over one, 1 to 2
  double asked = 1.0;      ///< share of one direction that the checkpoint's copy asks for
  double copy_alone_s = 0.0;
};

/// Step time while the copy runs; batches are not copied beside compute.
double step_beside_copy_s(const CopyBesideBatches& c);
/// Duration of the copy.
double copy_beside_batches_s(const CopyBesideBatches& c);
/// Mean step time when a copy starts every `interval_s`.
double mean_step_with_copies_s(const CopyBesideBatches& c, double interval_s);

}  // namespace headrace::models::twins
