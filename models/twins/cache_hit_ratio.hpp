// Hit ratios in closed form. Under epoch reshuffle every item is read once per epoch in a fresh uniform order; c is the
// cache as a share of the data set. All hold for many items (error of order one over the number of items).
//
// Sources: derived for this project from the law of the reshuffled order and checked by simulation (LRU: an item read
// at position x, then at y of the next epoch, is hit iff x (1-y) > 1-c; random eviction: the mean-field equation
// M'(y) = 1 - h(y)); J. Mohan, A. Phanishayee, A. Raniwala, V. Chidambaram, VLDB 14(5), 2021 (pinned).
#pragma once

namespace headrace::models::twins {

/// LRU, one reader of the whole data set: c + (1-c) ln(1-c).
double lru_reshuffle_hit_ratio(double c);
/// LRU on each of n nodes that read a fresh 1/n of the data set per epoch; c is one node's cache over the whole data
/// set.
double lru_reshuffle_hit_ratio(double c, int nodes);

/// Random eviction: 1 - c ln(c + (1-c) e^(1/c)).
double random_reshuffle_hit_ratio(double c);

/// The same on each of n nodes that read a fresh 1/n of the data set per epoch: 1 - n c ln(c + (1-c) e^(1/(n c))).
double random_reshuffle_hit_ratio(double c, int nodes);

/// Insert until full, never evict: 0 in the first epoch, then c, which no policy beats.
double pinned_hit_ratio(double c);

}  // namespace headrace::models::twins
