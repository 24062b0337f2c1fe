#include "models/itinerary.hpp"

#include <algorithm>
#include <cmath>

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

/// Hits among the samples of a piece: spread over the batch like the samples, so that none is lost between pieces.
std::uint32_t share_of_hits(std::uint32_t hits, std::uint32_t batch, std::uint32_t index, std::uint32_t pieces) {
  const std::uint64_t from = std::uint64_t{batch} * index / pieces;
  const std::uint64_t to = std::uint64_t{batch} * (index + 1) / pieces;
  return static_cast<std::uint32_t>(hits * to / batch - hits * from / batch);
}

}  // namespace

void PreparedSums::prepare(std::uint32_t terms) const {
  if (terms >= by_terms_.size()) by_terms_.resize(terms + std::size_t{1});
  by_terms_[terms] = std::make_unique<sim::IidSum>(term_, terms);
}

ItineraryMaker::ItineraryMaker(const IngestPath& path, std::uint64_t seed, std::uint32_t replication,
                               RunSwitches switches)
    : path_(path),
      seed_(seed),
      replication_(replication),
      switches_(switches),
      hits_(path.batch_samples, path.hit_ratio),
      sizes_vary_(!path.sample_bytes.is_constant()),
      latencies_vary_(!path.metadata_latency_s.is_constant() || !path.request_latency_s.is_constant()),
      host_varies_(!path.cache_latency_s.is_constant() || !path.cpu_s_per_sample.is_constant()),
      open_s_(path.metadata_latency_s),
      request_s_(path.request_latency_s),
      cached_read_s_(path.cache_latency_s),
      cpu_s_(path.cpu_s_per_sample),
      bytes_(path.sample_bytes),
      tiered_(has_tiers(path)),
      peer_s_(path.tiers.peer_latency_s),
      shared_s_(path.tiers.shared_latency_s),
      slowness_(path.nodes, 1.0) {
  if (path.opens_per_sample < 1.0 || path.requests_per_sample < 1.0)
    for (std::uint32_t loader = 0; loader < path.loaders; ++loader)
      phases_.push_back(sim::uniform(key(kDrawPhase, loader), 0));
  for (std::uint32_t loader = 0; loader < path.loaders; ++loader) nodes_.push_back(path.node_of(loader));
  if (path.speed_cv > 0.0) draw_slowness();
  const double copied_bytes = path.memory_bytes_per_sample * path.batch_samples;
  for (const double slowness : slowness_) {
    copy_ns_.push_back(path.copy_bytes_per_s > 0.0 ? sim::transfer_ns(copied_bytes * slowness, path.copy_bytes_per_s)
                                                   : 0);
    lock_ns_.push_back(sim::duration_ns(path.lock_s * slowness));
  }
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

std::size_t ItineraryMaker::most_visits() const {
  constexpr std::size_t kHandOver = 2;                   // copy, lock
  std::size_t per_piece = 4;                             // metadata, request, transfer, decode
  if (path_.hit_ratio > 0.0) per_piece += 2;             // bytes and latency of the cache
  if (path_.limit_requests_per_s > 0.0) per_piece += 1;  // throttle
  if (path_.host.protocol_delays) per_piece += 1;
  if (path_.host.protocol_works) per_piece += 1;
  if (path_.host.memory.contended) per_piece += 1;
  if (tiered_) per_piece += 7;  // peers 3, shared cache 2, page cache, fill
  return path_.pieces() * per_piece + kHandOver;
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
  const std::uint32_t pieces = path_.pieces();
  const std::uint32_t node = nodes_[loader];
  std::uint32_t hits = 0;
  if (path_.hit_ratio > 0.0) hits = hits_.quantile(sim::uniform(key(kDrawHits, loader), batch));
  const TierCounts tiers = tiered_ ? draw_tiers(loader, batch, hits) : TierCounts{};
  for (std::uint32_t i = 0; i < pieces; ++i) {
    Piece piece = piece_of(loader, batch, i, hits);
    if (tiered_) divide_tiers(tiers, hits, i, piece);
    // Waits for shared resources come first, so that the private latencies behind them are one event.
    if (piece.hits > 0) add_cached_bytes(piece, visits);
    if (piece.misses > 0) add_throttle(loader, piece, visits);
    if (tiered_) add_tiers(loader, piece, visits);
    if (piece.hits > 0) add_cached_latency(piece, visits);
    if (piece.misses > 0) add_store_read(loader, node, piece, visits);
    if (tiered_) add_fill(piece, visits);
    add_cpu(node, piece, visits);
    if (path_.host.memory.contended) add_memory(piece, visits);
  }
  add_hand_over(node, visits);
}

ItineraryMaker::Piece ItineraryMaker::piece_of(std::uint32_t loader, std::uint64_t batch, std::uint32_t index,
                                               std::uint32_t hits) const {
  const std::uint32_t pieces = path_.pieces();
  Piece piece;
  piece.number = batch * pieces + index;
  piece.hits = pieces == 1 ? hits : share_of_hits(hits, path_.batch_samples, index, pieces);
  piece.misses = (pieces == 1 ? path_.batch_samples : share(path_.batch_samples, index, pieces)) - piece.hits;
  if (sizes_vary_) piece.sizes = sim::uniform_pair(key(kDrawSizes, loader), piece.number);
  if (latencies_vary_) piece.latency = sim::uniform_pair(key(kDrawStoreLatency, loader), piece.number);
  if (host_varies_) piece.host = sim::uniform_pair(key(kDrawHost, loader), piece.number);
  return piece;
}

sim::TimeNs ItineraryMaker::compute_ns(std::uint64_t step) const {
  return sim::duration_ns(path_.compute_s.quantile(sim::uniform_pair(key(kDrawStep, 0), step).first));
}

sim::TimeNs ItineraryMaker::overhead_ns(std::uint64_t step) const {
  return sim::duration_ns(path_.overhead_s.quantile(sim::uniform_pair(key(kDrawStep, 0), step).second)) +
         sim::duration_ns(path_.gpu_decode_s);
}

sim::TimeNs ItineraryMaker::backoff_ns(std::uint32_t loader, std::uint64_t visit, std::uint32_t draw,
                                       std::uint32_t attempt) const {
  double mean_s = path_.limit.first_backoff_s;
  for (std::uint32_t i = 0; i < attempt && mean_s < path_.limit.longest_backoff_s; ++i)
    mean_s *= path_.limit.backoff_factor;
  mean_s = std::min(mean_s, path_.limit.longest_backoff_s);
  constexpr std::uint64_t kDraws = 1U << 16;  // of a visit
  const double u = sim::uniform(key(kDrawBackoff, loader), visit * kDraws + draw % kDraws);
  return std::max<sim::TimeNs>(1, sim::duration_ns(2.0 * mean_s * u));
}

void ItineraryMaker::add_cached_latency(const Piece& piece, Itinerary& visits) const {
  const double latency_s = cached_read_s_.quantile(piece.hits, piece.host.first) / path_.lanes;
  add(visits, Stage::cache, false, sim::duration_ns(latency_s), 0.0);
}

void ItineraryMaker::add_cached_bytes(const Piece& piece, Itinerary& visits) const {
  if (!(path_.cache.capacity_per_s > 0.0)) return;
  const double bytes =
      path_.holds_tensors ? piece.hits * path_.tiers.cached_bytes : bytes_.quantile(piece.hits, piece.sizes.second);
  add(visits, Stage::cache, path_.cache.contended, sim::transfer_ns(bytes, path_.cache.capacity_per_s), bytes);
}

double ItineraryMaker::phase_of(std::uint32_t loader) const { return phases_.empty() ? 0.0 : phases_[loader]; }

void ItineraryMaker::add_throttle(std::uint32_t loader, const Piece& piece, Itinerary& visits) const {
  if (!(path_.limit_requests_per_s > 0.0) || !switches_.contention) return;
  const std::uint32_t requests = whole_events(piece.number, phase_of(loader), piece.misses, path_.requests_per_sample);
  add(visits, Stage::throttle, true, 0, static_cast<double>(requests));
}

void ItineraryMaker::add_store_read(std::uint32_t loader, std::uint32_t node, const Piece& piece,
                                    Itinerary& visits) const {
  const double phase = phase_of(loader);
  const std::uint32_t opens = whole_events(piece.number, phase, piece.misses, path_.opens_per_sample);
  double open_s = open_s_.quantile(opens, piece.latency.first);
  if (switches_.stalls != nullptr) open_s += placed_stall_s(Stage::metadata, loader, piece);
  add(visits, Stage::metadata, path_.metadata.contended, sim::transfer_ns(open_s, path_.store_lanes), open_s);

  const std::uint32_t requests = whole_events(piece.number, phase, piece.misses, path_.requests_per_sample);
  double request_s = request_s_.quantile(requests, piece.latency.second);
  if (switches_.stalls != nullptr) request_s += placed_stall_s(Stage::request, loader, piece);
  const double mean_s = path_.request_latency_s.mean();
  const double work = mean_s > 0.0 ? request_s / mean_s : requests;
  add(visits, Stage::request, path_.requests.contended, request_service_ns(requests, request_s, work),
      path_.requests.contended ? work : 0.0);

  const double bytes = bytes_.quantile(piece.misses, piece.sizes.first) * path_.miss_bytes_factor;
  add(visits, Stage::transfer, true, sim::transfer_ns(bytes, path_.flow_cap_bytes_per_s), bytes);
  if (path_.host.protocol_delays || path_.host.protocol_works) add_protocol(node, opens, requests, bytes, visits);
}

/// The thread that reads receives, decrypts and copies, one byte after the other.
void ItineraryMaker::add_protocol(std::uint32_t node, std::uint32_t opens, std::uint32_t requests, double bytes,
                                  Itinerary& visits) const {
  const HostCosts& costs = path_.host;
  if (costs.protocol_works) {
    const double cpu_s = bytes * costs.protocol_s_per_byte + requests * costs.protocol_s_per_request;
    const double work_s = cpu_s * slowness_[node];
    add(visits, Stage::protocol, path_.cpu.contended, sim::transfer_ns(work_s, 1.0), work_s);
  }
  const double delay_s = opens * costs.delay_per_open_s + requests * costs.delay_per_request_s;
  add(visits, Stage::protocol, false, sim::transfer_ns(delay_s, path_.lanes), 0.0);
}

/// Cached tensors are decoded already.
std::uint32_t ItineraryMaker::decoded_samples(const Piece& piece) const {
  std::uint32_t samples = piece.misses + piece.tiers.page + piece.tiers.shared;
  if (!path_.holds_tensors) samples += piece.hits + piece.tiers.peer;
  return samples;
}

/// Of misses and of the node's cache as drawn, of other tiers by their mean.
double ItineraryMaker::decoded_bytes(const Piece& piece) const {
  double bytes = 0.0;
  std::uint32_t others = piece.tiers.page + piece.tiers.shared;
  if (piece.misses > 0) bytes += bytes_.quantile(piece.misses, piece.sizes.first);
  if (!path_.holds_tensors) {
    if (piece.hits > 0) bytes += bytes_.quantile(piece.hits, piece.sizes.second);
    others += piece.tiers.peer;
  }
  return others > 0 ? bytes + others * path_.mean_sample_bytes() : bytes;
}

void ItineraryMaker::add_remote(std::uint32_t samples, Itinerary& visits) const {
  const SharedResource& remote = path_.host.remote;
  add(visits, Stage::decode, remote.contended, sim::transfer_ns(samples, remote.per_worker_per_s), samples);
}

void ItineraryMaker::add_memory(const Piece& piece, Itinerary& visits) const {
  const HostCosts& costs = path_.host;
  const std::uint32_t over_network = piece.tiers.peer + piece.tiers.shared;
  const std::uint32_t samples = piece.hits + piece.misses + piece.tiers.page + over_network;
  double bytes = samples * path_.memory_bytes_per_sample * costs.batch_passes;
  if (piece.misses > 0) bytes += bytes_.quantile(piece.misses, piece.sizes.first) * costs.receive_passes;
  if (over_network > 0) bytes += over_network * path_.mean_sample_bytes() * costs.receive_passes;
  add(visits, Stage::memory, true, sim::transfer_ns(bytes, costs.memory.capacity_per_s), bytes);
}

/// What the plan adds to this piece: durations are spread evenly over their law (additive recurrence with the golden
/// ratio), loaders are drawn.
double ItineraryMaker::placed_stall_s(Stage stage, std::uint32_t loader, const Piece& piece) const {
  const StallPlan& plan = *switches_.stalls;
  const std::uint64_t batch = piece.number / path_.pieces();
  if (plan.stage != stage || batch < plan.first || (batch - plan.first) % plan.every != 0) return 0.0;
  const std::uint64_t stall = (batch - plan.first) / plan.every;
  if (piece.number % path_.pieces() != stall % path_.pieces()) return 0.0;
  const double place = sim::uniform(key(kDrawStall, 0), stall) * path_.loaders;
  if (loader != std::min(static_cast<std::uint32_t>(place), path_.loaders - 1)) return 0.0;
  constexpr double kGolden = 0.6180339887498949;
  const double u = sim::uniform(key(kDrawStall, 1), 0) + kGolden * static_cast<double>(stall + 1);
  return std::max(0.0, plan.duration_s.quantile(u - std::floor(u)) - plan.usual_s);
}

/// Service of the requests when nobody else asks. Served one sample at a time, servers are whole, and the service time
/// is stretched so that all of them together serve exactly the store's requests per second.
sim::TimeNs ItineraryMaker::request_service_ns(std::uint32_t requests, double request_s, double work) const {
  const double mean_s = path_.request_latency_s.mean();
  if (!path_.requests.contended) return sim::transfer_ns(request_s, path_.store_lanes);
  if (path_.granularity.kind == Granularity::Kind::sample) {
    const double capacity_per_s = path_.requests.capacity_per_s;
    if (!(mean_s > 0.0)) return sim::transfer_ns(requests, capacity_per_s);
    const double servers = std::max(1.0, std::floor(capacity_per_s * mean_s + 0.5));
    return sim::transfer_ns(request_s * servers, capacity_per_s * mean_s);
  }
  return mean_s > 0.0 ? sim::transfer_ns(work, path_.requests.per_worker_per_s) : 0;
}

void ItineraryMaker::add_cpu(std::uint32_t node, const Piece& piece, Itinerary& visits) const {
  const std::uint32_t samples = decoded_samples(piece);
  if (path_.host.remote.capacity_per_s > 0.0) return add_remote(samples, visits);
  double cpu_s = cpu_s_.quantile(samples, piece.host.second);
  if (path_.host.decode_s_per_byte > 0.0) cpu_s += decoded_bytes(piece) * path_.host.decode_s_per_byte;
  const double per_sample_s = path_.host.decode_s_per_sample + path_.fault_s_per_sample;
  cpu_s = (cpu_s + samples * per_sample_s) * slowness_[node];
  add(visits, Stage::decode, path_.cpu.contended, sim::transfer_ns(cpu_s, 1.0), cpu_s);
}

void ItineraryMaker::add_hand_over(std::uint32_t node, Itinerary& visits) const {
  add(visits, Stage::copy, false, copy_ns_[node], 0.0);
  add(visits, Stage::lock, path_.lock_contended, lock_ns_[node], 0.0);
}

}  // namespace headrace::models
