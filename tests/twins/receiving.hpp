// A rank that receives the batches of its workers, in closed form.
#pragma once

namespace headrace::models::twins {

/// Constant times of one loader: the slowest cycle of the max-plus recursion (F. Baccelli et al., 1992, section 3.2).
struct ReceivingRank {
  double workers = 1.0;
  double outstanding = 1.0;
  double batch_s = 0.0;    ///< of a batch in its worker
  double receive_s = 0.0;  ///< behind it
  double step_s = 0.0;     ///< without waits
  bool pin_thread = false;

  double period_s() const;
  /// What an epoch that begins with empty queues takes beyond its steps, where pin thread and slots are no limit: its
  /// first batch; or, where workers are the limit, a part of it and the steps of batches that they bring at the same
  /// time, in the mean over as many lengths of an epoch as there are workers.
  double refill_s() const;
};

/// Batches per second of `workers` with exponential batch times of mean `batch_s`, each with one batch at a time, that
/// one server receives in the order in which they come, each in the constant time `receive_s`: M/D/1//N (L. Takacs,
/// Introduction to the Theory of Queues, 1962, chapter 5).
double received_per_s(int workers, double batch_s, double receive_s);

}  // namespace headrace::models::twins
