// A buffer into which a fluid flows at one of two rates, by turns for exponential times, and out of which it flows at
// one rate while there is some: on-off bursts in front of a slower drain.
//
// Sources: D. Anick, D. Mitra, M. M. Sondhi, Stochastic theory of a data-handling system with multiple sources, Bell
// System Technical Journal 61(8), 1982 (fluid on-off sources; here one of them); R. Tucker, Accurate method for
// analysis of a packet-speech multiplexer with limited delay, IEEE Trans. Commun. 36(4), 1988 (the finite buffer).
// Density of the content x: e^(z x) with z = lambda/a - mu/b, where the buffer loses a when quiet and gains b in a
// burst.
#pragma once

namespace headrace::models::twins {

struct OnOffFluid {
  double on_s = 0.0;   ///< mean length of a burst
  double off_s = 0.0;  ///< mean time between bursts
  double on_rate = 0.0;
  double off_rate = 0.0;
  double drain_rate = 0.0;
  double buffer = 0.0;
  /// A full buffer loses what does not fit; otherwise it holds up the source, whose burst lasts longer by that.
  bool loses = false;
};

struct FluidBuffer {
  double empty = 0.0;    ///< share of time
  double full = 0.0;     ///< share of time
  double content = 0.0;  ///< mean
  double passed_rate = 0.0;
  double loss = 0.0;       ///< share of what arrives
  double smoothing = 1.0;  ///< standard deviation of the rate that leaves over that of the rate that comes
};

FluidBuffer fluid_buffer(const OnOffFluid& fluid);

}  // namespace headrace::models::twins
