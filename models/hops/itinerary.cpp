#include "models/hops/itinerary.hpp"

#include <algorithm>
#include <cmath>

#include "models/base/purposes.hpp"
#include "models/hops/host_part.hpp"
#include "sim/iid_sum.hpp"

namespace headrace::models {

namespace {

/// Whole events of a piece when each sample causes `per_sample` of them: exact in the mean, without a draw. `phase` in
/// [0, 1) keeps loaders from opening their files in the same step.
std::uint32_t whole_events(std::uint64_t piece, double phase, std::uint32_t samples, double per_sample) {
  const double per_piece = per_sample * samples;
  if (per_piece == std::floor(per_piece)) return static_cast<std::uint32_t>(per_piece);
  const double position = static_cast<double>(piece % (1U << 30)) + phase / per_piece;
  return static_cast<std::uint32_t>(std::floor((position + 1.0) * per_piece) - std::floor(position * per_piece));
}

/// Share of `total` that falls to piece number `index` of `pieces`, spread evenly and in whole units.
std::uint32_t share(std::uint32_t total, std::uint32_t index, std::uint32_t pieces) {
  const std::uint64_t below = std::uint64_t{total} * index / pieces;
  const std::uint64_t above = std::uint64_t{total} * (index + 1) / pieces;
  return static_cast<std::uint32_t>(above - below);
}

/// Hits among the first `samples` of a batch: spread evenly from a drawn phase on, so that each sample is as likely to
/// hit as any other and none is lost between pieces.
std::uint64_t hits_among(std::uint64_t samples, std::uint64_t hits, std::uint64_t phase, std::uint64_t batch) {
  return (hits * samples + phase) / batch;
}

constexpr std::uint64_t kDrawsPerPiece = 4;

/// Items of one kind that fall to samples [from, to) of `total`, spread evenly from a drawn place on; what is left of
/// the samples is the range for the next kind.
struct SampleRange {
  std::uint64_t from;
  std::uint64_t to;
  std::uint64_t total;
  double place;  ///< 0 to 1

  std::uint32_t take(std::uint32_t count) {
    if (total == 0) return 0;
    const auto phase = static_cast<std::uint64_t>(place * static_cast<double>(total));
    const std::uint64_t below = (count * from + phase) / total;
    const std::uint64_t upto = (count * to + phase) / total;
    from -= below;
    to -= upto;
    total -= count;
    return static_cast<std::uint32_t>(upto - below);
  }
};

sim::TimeNs rounded_ns(double amount, const Term& term) {
  const double rate = or_no_limit(term.rate);
  return term.rounding == Rounding::up ? sim::transfer_ns(amount, rate) : sim::duration_ns(amount / rate);
}

/// Weight of each draw in a term: its amount where that draw is 1 and all else 0.
double weight_of(Quantity draw, const Term& term, const DerivedAmounts& derived) {
  Amounts unit;
  unit[draw] = 1.0;
  derived.add_to(unit);
  return term.amount(unit);
}

}  // namespace

void PreparedSums::prepare(std::uint32_t terms) const {
  if (terms >= by_terms_.size()) by_terms_.resize(terms + std::size_t{1});
  by_terms_[terms] = std::make_unique<sim::IidSum>(term_, terms);
}

ItineraryMaker::PieceTerm::PieceTerm(const DrawnTerm& drawn, const ServedAlone& alone)
    : amount_per_work(drawn.term.amount_per_work),
      alone_factor(alone.factor),
      alone_rate(or_no_limit(alone.rate)),
      number(static_cast<std::uint8_t>(drawn.number)),
      stage(drawn.term.stage),
      rounding(drawn.term.rounding),
      contended(drawn.contended),
      alone_by_work(alone.by_work),
      slowed(drawn.term.slowed) {
  for (const TermPart& part : drawn.term.parts) {
    quantities[parts] = part.quantity;
    each[parts++] = part.each;
  }
}

ItineraryMaker::ItineraryMaker(const IngestPath& path, std::uint64_t seed, std::uint32_t replication,
                               RunSwitches switches)
    : path_(path),
      seed_(seed),
      replication_(replication),
      switches_(switches),
      tiered_(path.tiered()),
      pieces_(path.pieces()),
      hits_(path.batch_samples, path.hit_ratio),
      derived_(path),
      slowness_(path.nodes, 1.0) {
  if (path.opens_per_sample < 1.0 || path.requests_per_sample < 1.0)
    for (std::uint32_t loader = 0; loader < path.loaders; ++loader)
      phases_.push_back(sim::uniform(key(kDrawPhase, loader), 0));
  for (std::uint32_t loader = 0; loader < path.loaders; ++loader) nodes_.push_back(path.node_of(loader));
  slow_host_part();
  if (path.speed_cv > 0.0) draw_slowness();
  prepare_terms();
  prepare_draws();
}

/// Stages that take no time ask for no core.
void ItineraryMaker::slow_host_part() {
  const HostLoad& load = path_.host_load;
  double slowdown = load.slowdown;
  if (std::find(switches_.relieved.begin(), switches_.relieved.end(), true) != switches_.relieved.end())
    slowdown = host_slowdown_without(path_, switches_.relieved);
  host_wait_ns_ = sim::duration_ns(load.time_s * (slowdown - 1.0));
  receiving_factor_ = slowdown / load.slowdown;
}

void ItineraryMaker::prepare_terms() {
  Amounts batch;
  batch[Quantity::samples] = path_.batch_samples;
  batch[Quantity::batches] = 1.0;
  derived_.add_to(batch);
  for (const StagedTerm& term : terms_of(path_)) {
    const auto number = static_cast<std::uint32_t>(terms_.size());
    terms_.push_back(term);
    most_visits_ += term.of_batch ? 1 : path_.pieces();
    const bool contended = term.contended && switches_.contention;
    if (switches_.relieved[index(term.stage)] || (!contended && !term.rate && !term.alone)) continue;
    if (term.holder != Holder::worker) {
      const double amount = term.amount(batch) * receiving_factor_;
      behind_worker_ = {term.holder, term.stage, contended, rounded_ns(amount, term), number};
      continue;
    }
    const ServedAlone alone = term.contended && term.alone ? *term.alone : ServedAlone{false, 1.0, term.rate};
    DrawnTerm drawn{number, term, contended};
    if (!term.of_batch) {
      piece_terms_.emplace_back(drawn, alone).stalls =
          switches_.stalls != nullptr && switches_.stalls->stage == term.stage;
    }
    (term.of_batch ? of_batch_ : of_piece_).push_back(std::move(drawn));
  }
  for (DrawnTerm& drawn : of_batch_) {
    const double amount = drawn.term.amount(batch);
    for (const double slowness : slowness_)
      drawn.batch_ns.push_back(rounded_ns(drawn.term.slowed ? amount * slowness : amount, drawn.term));
  }
}

/// Only what the terms use is drawn.
void ItineraryMaker::prepare_draws() {
  for (const Draw& draw : kBatchDraws) {
    const bool used = std::any_of(of_piece_.begin(), of_piece_.end(), [&](const DrawnTerm& drawn) {
      return weight_of(draw.sum, drawn.term, derived_) > 0.0;
    });
    if (!used) continue;
    const sim::Distribution& law = draw.law(path_);
    sums_.push_back({draw, PreparedSums(law)});
    if (!draw.paired || law.is_constant()) continue;
    const auto known = std::find(pairs_.begin(), pairs_.end(), draw.purpose);
    sums_.back().pair = static_cast<std::uint8_t>(known - pairs_.begin());
    if (known == pairs_.end()) pairs_.push_back(draw.purpose);
  }
}

bool ItineraryMaker::all_alike() const {
  const bool hits_vary = path_.hit_ratio > 0.0 && path_.hit_ratio < 1.0;
  const bool sums_vary =
      std::any_of(sums_.begin(), sums_.end(), [](const DrawnSum& sum) { return !sum.sums.is_constant(); });
  const auto is_drawn = [this](double share) { return share > 0.0 && share < 1.0 - path_.hit_ratio; };
  const TierShares& shares = path_.tiers.shares;
  const bool tiers_vary = tiered_ && (is_drawn(shares.page) || is_drawn(shares.peer) || is_drawn(shares.shared));
  if (hits_vary || sums_vary || tiers_vary || !phases_.empty() || path_.speed_cv > 0.0 || switches_.stalls != nullptr)
    return false;
  return std::any_of(of_piece_.begin(), of_piece_.end(), [](const DrawnTerm& drawn) { return drawn.contended; });
}

void ItineraryMaker::draw_slowness() {
  const sim::Distribution slowness = sim::Distribution::lognormal(1.0, path_.speed_cv);
  for (std::uint32_t node = 0; node < path_.nodes; ++node)
    slowness_[node] = slowness.quantile(sim::uniform(key(kDrawNodeSpeed, node), 0));
  // Mean 1 over the nodes, so that cpu_per_sample stays the mean that the bounds use.
  double sum = 0.0;
  for (const double factor : slowness_) sum += factor;
  for (double& factor : slowness_) factor *= path_.nodes / sum;
}

std::uint32_t ItineraryMaker::make(std::uint32_t loader, std::uint64_t batch, std::span<StageVisit> room) const {
  Itinerary visits(room);
  add_all(loader, batch, visits);
  return visits.size();
}

sim::TimeNs ItineraryMaker::uncontended_ns(std::uint32_t loader, std::uint64_t batch) const {
  Itinerary sum;
  add_all(loader, batch, sum);
  return sum.total_ns();
}

void ItineraryMaker::add_all(std::uint32_t loader, std::uint64_t batch, Itinerary& visits) const {
  const BatchCounts counts = draw_counts(loader, batch);
  for (std::uint32_t i = 0; i < pieces_; ++i) {
    const std::uint64_t number = batch * pieces_ + i;
    Amounts amounts = piece_of(loader, number, counts, i);
    draw_sums(loader, number, amounts);
    add_piece(loader, number, amounts, visits);
  }
  for (const DrawnTerm& drawn : of_batch_)
    if (const sim::TimeNs service_ns = drawn.batch_ns[nodes_[loader]]; service_ns > 0)
      visits.add(drawn.term.stage, drawn.contended, service_ns, 0.0, drawn.number);
}

/// Hits, then a multinomial: one binomial after the other among the samples that are left.
ItineraryMaker::BatchCounts ItineraryMaker::draw_counts(std::uint32_t loader, std::uint64_t batch) const {
  BatchCounts counts;
  if (path_.hit_ratio > 0.0) {
    const sim::UniformPair drawn = sim::uniform_pair(key(kDrawHits, loader), batch);
    counts.hits = hits_.quantile(drawn.first);
    counts.first_hit = static_cast<std::uint32_t>(drawn.second * path_.batch_samples);
  }
  if (!tiered_) return counts;
  const TierShares& shares = path_.tiers.shares;
  std::uint32_t left = path_.batch_samples - counts.hits;
  double share_left = 1.0 - path_.hit_ratio;
  std::uint64_t draw = batch * kDrawsPerPiece;
  const auto next = [&](double share) -> std::uint32_t {
    const double u = sim::uniform(key(kDrawTiers, loader), draw++);
    if (!(share > 0.0) || left == 0) return 0;
    const std::uint32_t count = sim::binomial_quantile(left, share_left > share ? share / share_left : 1.0, u);
    left -= count;
    share_left -= share;
    return count;
  };
  counts.page = next(shares.page);
  counts.peer = next(shares.peer);
  counts.shared = next(shares.shared);
  counts.tier_place = sim::uniform(key(kDrawTiers, loader), draw);
  return counts;
}

Amounts ItineraryMaker::piece_of(std::uint32_t loader, std::uint64_t number, const BatchCounts& batch,
                                 std::uint32_t index) const {
  using enum Quantity;
  const bool whole = pieces_ == 1;
  const std::uint32_t all = whole ? path_.batch_samples : share(path_.batch_samples, index, pieces_);
  const std::uint64_t from = whole ? 0 : std::uint64_t{path_.batch_samples} * index / pieces_;
  const auto hits_before = [&](std::uint64_t samples) {
    return hits_among(samples, batch.hits, batch.first_hit, path_.batch_samples);
  };
  const auto hit = whole ? batch.hits : static_cast<std::uint32_t>(hits_before(from + all) - hits_before(from));
  std::uint32_t missed = all - hit;
  Amounts amounts;
  amounts[samples] = all;
  amounts[decoded] = all;
  amounts[hits] = hit;
  if (tiered_) {  // other tiers answer a part of what the node's cache does not have
    const std::uint64_t from_rest = from - hits_before(from);
    SampleRange range{from_rest, from_rest + missed, std::uint64_t{path_.batch_samples} - batch.hits, batch.tier_place};
    amounts[page] = range.take(batch.page);
    amounts[peer] = range.take(batch.peer);
    amounts[shared] = range.take(batch.shared);
    missed -= static_cast<std::uint32_t>(amounts[page] + amounts[peer] + amounts[shared]);
    amounts[filled] = path_.tiers.shares.fill * all;
  }
  if (path_.holds_tensors) amounts[decoded] -= amounts[hits] + amounts[peer];
  amounts[misses] = missed;
  if (missed == 0) return amounts;
  const double phase = phases_.empty() ? 0.0 : phases_[loader];
  amounts[opens] = whole_events(number, phase, missed, path_.opens_per_sample);
  amounts[requests] = whole_events(number, phase, missed, path_.requests_per_sample);
  return amounts;
}

void ItineraryMaker::draw_sums(std::uint32_t loader, std::uint64_t number, Amounts& amounts) const {
  std::array<sim::UniformPair, 3> pairs;
  for (std::size_t i = 0; i < pairs_.size(); ++i) pairs[i] = sim::uniform_pair(key(pairs_[i], loader), number);
  for (const DrawnSum& sum : sums_) {
    const Draw& draw = sum.draw;
    const auto terms = static_cast<std::uint32_t>(amounts[draw.of]);
    if (terms == 0) continue;
    double u = 0.5;
    if (sum.sums.is_constant()) {
      // The uniform does not matter.
    } else if (draw.paired) {
      const sim::UniformPair& pair = pairs[sum.pair];
      u = draw.place == 0 ? pair.first : pair.second;
    } else {
      u = sim::uniform(key(draw.purpose, loader), number * kDrawsPerPiece + draw.place);
    }
    amounts[draw.sum] = sum.sums.quantile(terms, u);
  }
  derived_.add_to(amounts);
}

void ItineraryMaker::add_piece(std::uint32_t loader, std::uint64_t number, const Amounts& amounts,
                               Itinerary& visits) const {
  const double slowness = slowness_[nodes_[loader]];
  for (const PieceTerm& term : piece_terms_) {
    double amount = term.amount(amounts);
    if (term.stalls && amounts[Quantity::misses] > 0.0) amount += placed_stall_s(loader, number);
    if (!(amount > 0.0)) continue;
    if (term.slowed) amount *= slowness;
    const double work = term.work_of(amount);
    const sim::TimeNs service_ns = term.service_ns(amount, work);
    if (service_ns > 0 || term.contended) visits.add(term.stage, term.contended, service_ns, work, term.number);
  }
}

sim::TimeNs ItineraryMaker::compute_ns(std::uint64_t step) const {
  return sim::duration_ns(path_.compute_s.quantile(sim::uniform_pair(key(kDrawStep, 0), step).first));
}

sim::TimeNs ItineraryMaker::overhead_ns(std::uint64_t step) const {
  return sim::duration_ns(path_.overhead_s.quantile(sim::uniform_pair(key(kDrawStep, 0), step).second)) +
         sim::duration_ns(path_.gpu_decode_s) + host_wait_ns_ + barrier_ns(path_.barrier, key(kDrawStep, 0), step);
}

sim::TimeNs ItineraryMaker::backoff_ns(std::uint32_t loader, std::uint64_t visit, std::uint32_t draw,
                                       std::uint32_t attempt) const {
  double mean_s = path_.limit.first_backoff_s;
  for (std::uint32_t i = 0; i < attempt && mean_s < path_.limit.longest_backoff_s; ++i)
    mean_s *= path_.limit.backoff_factor;
  mean_s = std::min(mean_s, path_.limit.longest_backoff_s);
  constexpr std::uint64_t kWaits = 1U << 16;  // of a visit
  const double u = sim::uniform(key(kDrawBackoff, loader), visit * kWaits + draw % kWaits);
  return std::max<sim::TimeNs>(1, sim::duration_ns(2.0 * mean_s * u));
}

/// What the plan adds to this piece; loaders are drawn.
double ItineraryMaker::placed_stall_s(std::uint32_t loader, std::uint64_t number) const {
  const StallPlan& plan = *switches_.stalls;
  const std::uint64_t batch = number / path_.pieces();
  if (batch < plan.first || (batch - plan.first) % plan.every != 0) return 0.0;
  const std::uint64_t stall = (batch - plan.first) / plan.every;
  if (number % path_.pieces() != stall % path_.pieces()) return 0.0;
  const double place = sim::uniform(key(kDrawStall, 0), stall) * path_.loaders;
  if (loader != std::min(static_cast<std::uint32_t>(place), path_.loaders - 1)) return 0.0;
  return std::max(0.0, plan.duration_of_s(stall) - plan.usual_s);
}

}  // namespace headrace::models
