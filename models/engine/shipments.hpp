// The batches that are on their way or ready: fixed records, one per loader and slot, each on cache lines of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <stop_token>
#include <vector>

#include "models/base/abandoned.hpp"
#include "models/engine/blame.hpp"
#include "models/hops/stage_visit.hpp"
#include "sim/fluid_network.hpp"
#include "sim/huge_pages.hpp"
#include "sim/time.hpp"

namespace headrace::models {

class JobRun;

/// A batch on its way from store to GPU. Its visits lie right behind it, since every event needs some of both.
struct Shipment : sim::TransferOwner {
  JobRun* run = nullptr;
  std::uint32_t loader = 0;
  std::uint32_t node = 0;
  std::uint32_t slot = 0;
  std::uint32_t worker = 0;  ///< of the loader
  std::uint64_t batch = 0;
  sim::TimeNs assigned_ns = 0;  ///< a worker and a slot were free
  sim::TimeNs ready_ns = 0;
  std::uint32_t present = 0;  ///< visit
  std::uint32_t count = 0;    ///< of visits

  StageVisit* visits() { return reinterpret_cast<StageVisit*>(this + 1); }
  const StageVisit* visits() const { return reinterpret_cast<const StageVisit*>(this + 1); }
  /// When its worker was done with it.
  sim::TimeNs delivered_ns() const {
    if (count == 0 || visits()[count - 1].stage() != Stage::receive) return ready_ns;
    return count > 1 ? visits()[count - 2].end_ns : assigned_ns;
  }
  BatchTimeline timeline() const { return {assigned_ns, ready_ns, nullptr, {visits(), count}}; }
};

class Shipments {
 public:
  /// Throws Abandoned once the token asks for it: those of 10,000 loaders are many pages to touch.
  Shipments(std::size_t loaders, std::size_t slots, std::size_t most_visits, const std::stop_token& abandon = {})
      : loaders_(loaders),
        most_visits_(most_visits),
        lines_((sizeof(Shipment) + most_visits * sizeof(StageVisit) + sizeof(Line) - 1) / sizeof(Line)),
        memory_() {
    memory_.reserve(loaders * slots * lines_);  // never moved: records point to each other
    for (std::size_t slot = 0; slot < slots; ++slot) {
      end_if_abandoned(abandon);
      memory_.resize((slot + 1) * loaders * lines_);
      for (std::size_t i = slot * loaders * lines_; i < memory_.size(); i += lines_) {
        auto* const shipment = new (&memory_[i]) Shipment;
        for (std::size_t visit = 0; visit < most_visits; ++visit) new (shipment->visits() + visit) StageVisit;
      }
    }
  }
  Shipments(const Shipments&) = delete;
  Shipments& operator=(const Shipments&) = delete;

  /// Where the itinerary of `shipment` goes.
  std::span<StageVisit> room(Shipment& shipment) const { return {shipment.visits(), most_visits_}; }

  /// Loaders lie side by side, because at a step all of them turn to the same slot.
  Shipment& at(std::size_t loader, std::size_t slot) {
    return *reinterpret_cast<Shipment*>(&memory_[(slot * loaders_ + loader) * lines_]);
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  std::size_t loaders_;
  std::size_t most_visits_;
  std::size_t lines_;  ///< per shipment
  std::vector<Line, sim::HugePageAllocator<Line>> memory_;
};

}  // namespace headrace::models
