// GPU idle behind a prefetch buffer, in closed or numerical form. The GPU computes a constant time per step; a batch in
// production blocks its worker until there is a place for it.
//
// Sources: D. V. Lindley 1952 and S. Asmussen, Applied Probability and Queues, 2nd ed., 2003, chapter XIV (reflection
// at two barriers); M. F. Neuts, Matrix-Geometric Solutions, 1981 (phase-type chains); D. Gross et al., Fundamentals of
// Queueing Theory, 4th ed., 2008 (M/M/1/K).
// Deviations: the two-sided recursion is solved for a log-normal producer by collocation, see prefetch_one_producer.
#pragma once

namespace headrace::models::twins {

struct PrefetchIdle {
  double idle_fraction = 0.0;      ///< share of time that the GPU waits for data
  double empty_probability = 0.0;  ///< share of requests that find no batch ready; not the same thing
};

/// One log-normal producer (mean `batch_mean_s`, `batch_cv`), a buffer of `slots`, blocking after service, GPU step
/// `compute_s`. The same as one PyTorch worker with prefetch_factor slots + 1. With W the work ahead of the producer
/// when it starts, W' = clamp(W + Tc - X, 0, slots Tc); idle = E(X - W - Tc)+ / (Tc + E(X - W - Tc)+).
/// Integral equation for P(W <= w), quartic collocation with exact weights; absolute error below 1e-6 for
/// batch_cv in [0.1, 3] and at most 64 slots.
/// @throws std::invalid_argument for times that are not positive, a negative variation or over 256 slots
PrefetchIdle prefetch_one_producer(double batch_mean_s, double batch_cv, double compute_s, int slots);

/// One exponential producer and an exponential GPU: idle = P(0) of M/M/1/(slots+2) at load compute/batch time, i.e.
/// (1-r) r^K / (1 - r^(K+1)) with r = load = batch mean over compute mean and K = slots + 2.
double prefetch_exponential_idle(double load, int slots);

/// `workers` producers with a common exponential (cv 1) or balanced-means hyper-exponential (cv > 1) batch time, any
/// order of delivery, workers + slots batches outstanding. Chain of (batches ready, producers in phase 1) embedded at
/// GPU starts; exact up to rounding for these laws.
/// @throws std::invalid_argument for cv < 1, no worker, negative slots or over 3,000 states
PrefetchIdle prefetch_phase_type(int workers, double batch_mean_s, double batch_cv, double compute_s, int slots);

/// The folklore formula (1-rho) rho^D, often quoted as the chance that a prefetch buffer of depth D runs empty. It is
/// wrong, and here so that a report can say by how much: it does not sum to one over levels, takes the load upside
/// down, and ignores the variability of the batch time, which moves the answer by orders of magnitude.
double folklore_empty_probability(double rho, int slots);

/// Two-moment rule of thumb for one producer: a/(1+a), a = (1-rho)/(exp(theta (D+.2+1.5 cv^2)) - 1),
/// theta = -2 ln(rho)/cv^2. Within 30 % while idle exceeds .5 % and .85 <= rho < 1; for ranking only.
double prefetch_two_moment_idle(double rho, double batch_cv, int slots);

}  // namespace headrace::models::twins
