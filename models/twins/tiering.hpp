// Data that move between flash and a slower store by their age, in the steady state.
//
// Derived for this project: data arrive at one rate, and the density of the reads falls by half with every half-life of
// age.
#pragma once

namespace headrace::models::twins {

/// Share of the reads that are of data no older than `young_s`, when all data are no older than `oldest_s`.
double share_of_young_reads(double young_s, double oldest_s, double half_life_s);

}  // namespace headrace::models::twins
