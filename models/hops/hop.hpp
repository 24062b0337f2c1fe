// A hop is a place that a batch passes on its data path. It says once what a piece of a batch asks of one resource;
// drawing, max-plus, flow bound, estimate, evidence, stations and the reference pages are loops over hops.
//
// A new hop is a file in this folder with its source, a line in models/hops/registry.hpp, a stage if none fits, and its
// parameter in models/spec/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "models/base/limits.hpp"
#include "models/hops/amounts.hpp"
#include "models/hops/path.hpp"
#include "models/hops/resource.hpp"
#include "models/hops/stage.hpp"

namespace headrace::models {

/// How a piece waits for others at a hop.
enum class Discipline : std::uint8_t {
  delay,      ///< not at all
  admission,  ///< for tokens, with back-off
  queue,      ///< for a whole server, in order of arrival
  service,    ///< at a service of the store that jobs share
  station,    ///< with others at the same time: processor sharing
  flow,       ///< with others on a network: max-min fair
};

/// Who is busy with a batch at a hop. When a worker is done with a batch, it turns to its next one.
enum class Holder : std::uint8_t {
  worker,
  pin_thread,        ///< one per loader, beside the step
  training_process,  ///< of the rank, between its steps
};

/// To nanoseconds: bytes and work never end early, latencies are rounded to the nearest.
enum class Rounding : std::uint8_t { up, nearest };

/// A list that needs no memory of its own.
template <class T, std::size_t kMost>
class ShortList {
 public:
  constexpr ShortList() = default;
  constexpr ShortList(std::initializer_list<T> values) {
    for (const T& value : values) push_back(value);
  }
  constexpr void push_back(const T& value) { values_.at(size_++) = value; }
  constexpr const T* begin() const { return values_.data(); }
  constexpr const T* end() const { return values_.data() + size_; }

 private:
  std::array<T, kMost> values_{};
  std::size_t size_ = 0;
};

/// `each` units for each unit of a quantity.
struct TermPart {
  Quantity quantity;
  double each;
};

/// Demand on a resource: `each` per unit of the term's amount, or of `of` where that is something else.
struct Ask {
  Resource resource;
  double each = 1.0;
  std::optional<Quantity> of = {};
};

/// How a contended term is served when nobody else asks, where that is not amount over rate: amount (or the work that
/// it makes) times `factor` over `rate`.
struct ServedAlone {
  bool by_work = false;
  double factor = 1.0;
  std::optional<double> rate = {};
};

/// What a piece asks for at a hop: an amount, the time that it takes alone, and what it takes from resources.
struct Term {
  static constexpr std::size_t kMostParts = 3;
  ShortList<TermPart, kMostParts> parts;  ///< the amount is their sum
  std::optional<double> rate;             ///< units of the amount per second of a worker that is alone
  Rounding rounding = Rounding::up;
  bool slowed = false;    ///< takes longer on a slow node
  bool of_batch = false;  ///< once per batch, behind its last piece
  Holder holder = Holder::worker;
  Discipline discipline = Discipline::delay;
  bool contended = false;        ///< there is somebody to wait for
  ShortList<Ask, 5> asks;        ///< the first one is the resource at which the piece waits
  double capacity_per_s = 0.0;   ///< of a station or of the servers of a queue
  double cap_per_s = 0.0;        ///< of one worker at a service, station or flow
  double amount_per_work = 1.0;  ///< units of the amount per unit of work at the resource
  std::optional<ServedAlone> alone = {};

  Resource server() const { return asks.begin()->resource; }
  double amount(const Amounts& amounts) const {
    double sum = 0.0;
    for (const TermPart& part : parts) sum += amounts[part.quantity] * part.each;
    return sum;
  }
  double time_s(const Amounts& amounts) const { return time_at(amount(amounts), rate); }
};

struct Hop {
  std::string_view name;
  Stage stage;
  std::string_view asks;  ///< formula, for the reference pages
  /// nullopt where the path does not pass it.
  std::optional<Term> (*term)(const IngestPath& path);
};

/// In the order of models/hops/registry.hpp.
std::span<const Hop* const> hops();

/// Terms of a path with their stages, in the order of the path.
struct StagedTerm : Term {
  Stage stage = Stage::cache;
};
inline constexpr std::size_t kMostHops = 31;
ShortList<StagedTerm, kMostHops> terms_of(const IngestPath& path);

/// Stages that wait longer where the resource is busy: the one that it is named for, or all that ask for it.
ShortList<Stage, kMostHops> stages_limited_by(const IngestPath& path, Resource resource);

}  // namespace headrace::models
