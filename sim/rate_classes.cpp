#include "sim/rate_classes.hpp"

#include <iterator>
#include <limits>

namespace headrace::sim {

RateClasses::RateClasses() {
  classes_.push_back(Class{std::numeric_limits<FixedRate>::max(), 0, kEnd, kNone});
  rebuild_table(64);
}

ClassId RateClasses::intern(FixedRate limit) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = home(limit); table_[i] != kNone; i = (i + 1) & mask) {
    if (classes_[index(table_[i])].limit == limit) return table_[i];
  }
  ClassId id = static_cast<ClassId>(classes_.size());
  if (free_.empty()) {
    classes_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  const auto place = order_.emplace(limit, id).first;
  const auto after = std::next(place);
  const ClassId next = after == order_.end() ? kEnd : after->second;
  const ClassId previous = classes_[index(next)].previous;
  classes_[index(id)] = Class{limit, 0, next, previous};
  classes_[index(next)].previous = id;
  if (previous != kNone) classes_[index(previous)].next = id;
  ++linked_;
  if (2 * linked_ > table_.size()) {
    rebuild_table(2 * table_.size());
  } else {
    put_in_table(id);
  }
  return id;
}

void RateClasses::add_flows(ClassId id, std::int64_t flows) {
  Class& c = classes_[index(id)];
  const bool was_empty = c.flows == 0;
  c.flows += flows;
  if (was_empty && c.flows != 0) ++used_;
  if (!was_empty && c.flows == 0) --used_;
}

void RateClasses::reclaim() {
  for (auto place = order_.begin(); place != order_.end();) {
    const ClassId id = place->second;
    const Class& c = classes_[index(id)];
    if (c.flows != 0) {
      ++place;
      continue;
    }
    classes_[index(c.next)].previous = c.previous;
    if (c.previous != kNone) classes_[index(c.previous)].next = c.next;
    free_.push_back(id);
    --linked_;
    place = order_.erase(place);
  }
  rebuild_table(table_.size());
}

void RateClasses::put_in_table(ClassId id) {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = home(classes_[index(id)].limit);
  while (table_[i] != kNone) i = (i + 1) & mask;
  table_[i] = id;
}

void RateClasses::rebuild_table(std::size_t slots) {
  table_.assign(slots, kNone);
  table_shift_ = 64;
  for (std::size_t n = slots; n > 1; n /= 2) --table_shift_;
  for (const auto& entry : order_) put_in_table(entry.second);
}

}  // namespace headrace::sim
