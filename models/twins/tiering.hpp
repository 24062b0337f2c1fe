// Data that move between flash and a slower store by their age or their heat, in the steady state.
//
// Derived for this project: data arrive at one rate, and the density of the reads falls by half with every half-life of
// age; of a law of Zipf the hottest part is the partial sum over the whole (Breslau et al., Web caching and Zipf-like
// distributions, INFOCOM 1999).
#pragma once

namespace headrace::models::twins {

/// Share of the reads that are of data no older than `young_s`, when all data are no older than `oldest_s`.
double share_of_young_reads(double young_s, double oldest_s, double half_life_s);

/// Share of the draws from `items` items, the i-th with probability proportional to i^-exponent, that are of the first
/// `hottest`. Sums term by term: for tests and small numbers.
double share_of_hottest(double items, double hottest, double exponent);

}  // namespace headrace::models::twins
