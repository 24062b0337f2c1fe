#include "models/hops/batch_times.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "models/base/purposes.hpp"
#include "sim/iid_sum.hpp"
#include "sim/portable_math.hpp"

namespace headrace::models {

namespace {

// Four levels per octave of what is left above the largest uniform, down to 2^-12; one more for all that is rarer.
constexpr int kShift = 50;
constexpr std::uint64_t kFirst = std::bit_cast<std::uint64_t>(0x1p-12) >> kShift;
constexpr std::size_t kLevels = (std::bit_cast<std::uint64_t>(0.5) >> kShift) - kFirst + 2;
constexpr std::size_t kRarest = 0;

/// Of a uniform of 0.5 and more.
std::size_t level_of(double largest_uniform) {
  const std::uint64_t above = std::bit_cast<std::uint64_t>(1.0 - largest_uniform) >> kShift;
  return above < kFirst ? kRarest : above - kFirst + 1;
}

/// No uniform of this level is larger.
double largest_of(std::size_t level) {
  return level == kRarest ? 1.0 : 1.0 - std::bit_cast<double>((kFirst + level - 1) << kShift);
}

struct Range {
  std::uint32_t fewest = 0;
  std::uint32_t most = 0;

  /// Events of so many samples, with one to spare on both sides where they are not whole.
  Range events(double per_sample) const {
    const double below = std::floor(per_sample * fewest);
    const double above = std::floor(per_sample * most);
    if (per_sample == std::floor(per_sample))
      return {static_cast<std::uint32_t>(below), static_cast<std::uint32_t>(above)};
    return {static_cast<std::uint32_t>(std::max(0.0, below - 1.0)), static_cast<std::uint32_t>(above + 2.0)};
  }
};

/// Counts of a piece of a batch whose hits are drawn by no rarer a uniform.
struct PieceCounts {
  PieceCounts(const IngestPath& path, const sim::BinomialLaw& hits, double largest_uniform) {
    const std::uint32_t odd = path.pieces() == 1 ? 0 : 1;  // pieces of a batch differ by one sample
    all = {path.batch_samples / path.pieces(), path.batch_samples / path.pieces() + odd};
    if (path.hit_ratio > 0.0) {
      hit.most = std::min(all.most, hits.quantile(largest_uniform));
      if (odd == 0) hit.fewest = hits.quantile(1.0 - largest_uniform);
    }
    missed = {all.fewest > hit.most ? all.fewest - hit.most : 0, all.most - hit.fewest};
    decoded = {path.holds_tensors ? missed.fewest : all.fewest, all.most};
    opens = missed.events(path.opens_per_sample);
    requests = missed.events(path.requests_per_sample);
  }

  const Range& of(Quantity quantity) const {
    switch (quantity) {
      case Quantity::hits:
        return hit;
      case Quantity::misses:
        return missed;
      case Quantity::opens:
        return opens;
      case Quantity::requests:
        return requests;
      default:
        return decoded;
    }
  }

  Range all;
  Range hit;
  Range missed;
  Range decoded;
  Range opens;
  Range requests;
};

}  // namespace

/// The most of every amount of a piece, without what follows from others.
struct BatchTimes::Pieces {
  std::vector<Amounts> by_level{kLevels};   ///< of all draws
  std::vector<Amounts> by_one_of{kLevels};  ///< of the draws of one purpose; sums are those of any count of terms
  std::array<std::optional<sim::Purpose>, kQuantityCount> drawn_by{};  ///< counts: by hits
};

BatchTimes::BatchTimes(const ItineraryMaker& itineraries) : itineraries_(itineraries) {
  const IngestPath& path = itineraries.path_;
  if (itineraries.tiered_ || itineraries.switches_.stalls != nullptr) return;
  const std::optional<Pieces> pieces = pieces_by_level();
  if (!pieces) return;
  purposes_ = itineraries.pairs_;
  if (path.hit_ratio > 0.0 && path.hit_ratio < 1.0) purposes_.push_back(kDrawHits);
  close_ = longest(*pieces, std::nullopt);
  rough_ = close_;
  double least_ns = 0.0;
  for (std::size_t i = 0; i < purposes_.size(); ++i) {
    const std::vector<Longest> by_one = longest(*pieces, purposes_[i]);
    const double usual_ns = by_one.back().ns + by_one.back().slowed_ns;
    if (i > 0 && usual_ns >= least_ns) continue;
    least_ns = usual_ns;
    rough_ = by_one;
    std::swap(purposes_[0], purposes_[i]);
  }
}

std::optional<BatchTimes::Pieces> BatchTimes::pieces_by_level() const {
  using enum Quantity;
  Pieces pieces;
  std::vector<PieceCounts> counts;
  for (std::size_t level = 0; level < kLevels; ++level) {
    const PieceCounts& count = counts.emplace_back(itineraries_.path_, itineraries_.hits_, largest_of(level));
    pieces.by_level[level][samples] = count.all.most;
    for (const Quantity of : {decoded, hits, misses, opens, requests}) {
      pieces.by_level[level][of] = count.of(of).most;
      pieces.drawn_by[index(of)] = kDrawHits;
    }
  }
  pieces.by_one_of = pieces.by_level;
  for (const ItineraryMaker::DrawnSum& sum : itineraries_.sums_) {
    const sim::Distribution& law = sum.sums.term();
    pieces.drawn_by[index(sum.draw.sum)] = sum.draw.purpose;
    const Range& widest = counts[kRarest].of(sum.draw.of);
    const bool varies = !law.is_constant() && widest.fewest < widest.most;
    if (varies && !sim::is_finite(law.variance())) return std::nullopt;  // each would take long to prepare
    for (std::uint32_t terms = std::max(widest.fewest, 1U); terms <= widest.most; ++terms) {
      const sim::IidSum sums(law, terms);
      for (std::size_t level = 0; level < kLevels; ++level) {
        const double sum_of_terms = sums.largest_up_to(largest_of(level));
        double& of_any = pieces.by_one_of[level][sum.draw.sum];
        of_any = std::max(of_any, sum_of_terms);
        const Range& range = counts[level].of(sum.draw.of);
        if (terms < range.fewest || terms > range.most) continue;
        double& of_level = pieces.by_level[level][sum.draw.sum];
        of_level = std::max(of_level, sum_of_terms);
      }
    }
  }
  return pieces;
}

/// By level of the draws of one purpose, whatever the others are; or by the level of all draws.
std::vector<BatchTimes::Longest> BatchTimes::longest(const Pieces& pieces,
                                                     std::optional<sim::Purpose> by_draws_of) const {
  std::vector<Longest> by_level;
  for (std::size_t level = 0; level < kLevels; ++level) {
    Amounts piece = by_draws_of ? pieces.by_one_of[level] : pieces.by_level[level];
    for (std::size_t i = 0; i < kQuantityCount; ++i) {
      const auto quantity = static_cast<Quantity>(i);
      if (by_draws_of && pieces.drawn_by[i] != by_draws_of) piece[quantity] = pieces.by_level[kRarest][quantity];
    }
    itineraries_.derived_.add_to(piece);
    by_level.push_back(longest(piece));
  }
  return by_level;
}

/// All terms grow with the amounts.
BatchTimes::Longest BatchTimes::longest(const Amounts& piece) const {
  Longest time;
  for (const ItineraryMaker::PieceTerm& term : itineraries_.piece_terms_) {
    const double amount = term.amount(piece);
    if (!(amount > 0.0)) continue;
    (term.slowed ? time.slowed_ns : time.ns) += static_cast<double>(term.service_ns(amount, term.work_of(amount)));
    time.ns += 1.0;  // rounding of what a slow node takes
  }
  // Quantiles are non-decreasing but for rounding, which is far below this part.
  const double pieces = itineraries_.path_.pieces() * (1.0 + 1e-6);
  return {time.ns * pieces + 1.0, time.slowed_ns * pieces};
}

/// Largest uniform of a purpose in a batch. Many hits take long at one stage and few at another: they count both ways.
double BatchTimes::rarest(sim::Purpose purpose, std::uint32_t loader, std::uint64_t batch) const {
  const sim::StreamKey key = itineraries_.key(purpose, loader);
  if (purpose == kDrawHits) {
    const double u = sim::uniform(key, batch);
    return std::max(u, 1.0 - u);
  }
  double rarest = 0.5;
  const std::uint32_t pieces = itineraries_.path_.pieces();
  for (std::uint32_t i = 0; i < pieces; ++i) {
    const sim::UniformPair pair = sim::uniform_pair(key, batch * pieces + i);
    rarest = std::max({rarest, pair.first, pair.second});
  }
  return rarest;
}

sim::TimeNs BatchTimes::of(std::uint32_t loader, std::uint64_t batch, Closeness closeness) const {
  if (closeness == Closeness::exact) return itineraries_.uncontended_ns(loader, batch);
  double rarest_draw = purposes_.empty() ? 0.5 : rarest(purposes_.front(), loader, batch);
  if (closeness == Closeness::close)
    for (std::size_t i = 1; i < purposes_.size(); ++i)
      rarest_draw = std::max(rarest_draw, rarest(purposes_[i], loader, batch));
  const Longest& time = (closeness == Closeness::rough ? rough_ : close_)[level_of(rarest_draw)];
  const std::uint32_t node = itineraries_.nodes_[loader];
  constexpr double kMostNs = 1e18;  // 32 years
  auto ns = static_cast<sim::TimeNs>(std::min(time.ns + time.slowed_ns * itineraries_.slowness_[node], kMostNs));
  for (const ItineraryMaker::DrawnTerm& drawn : itineraries_.of_batch_) ns += drawn.batch_ns[node];
  return ns;
}

}  // namespace headrace::models
