#include "sim/calendar.hpp"

#include <algorithm>
#include <bit>

namespace headrace::sim {

namespace {

constexpr std::size_t kFewEvents = 64;
constexpr std::size_t kCachedSlots = 2048;  // so many stay in the cache by themselves

}  // namespace

void Calendar::sift_down(std::size_t at, Entry entry) {
  const std::size_t n = heap_.size();
  Entry* const heap = heap_.data();
  const Key moving = key(entry);
  while (true) {
    const std::size_t first = 4 * at + 1;
    if (first >= n) break;
    std::size_t least = first;
    Key least_key = key(heap[first]);
    const std::size_t last = std::min(first + 4, n);
    for (std::size_t child = first + 1; child < last; ++child) {
      const Key child_key = key(heap[child]);
      least = child_key < least_key ? child : least;
      least_key = child_key < least_key ? child_key : least_key;
    }
    if (moving < least_key) break;
    heap[at] = heap[least];
    at = least;
  }
  heap[at] = entry;
}

void Calendar::fill_hole() {
  hole_ = false;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) sift_down(0, last);
}

bool Calendar::cancel(EventId id) {
  if (!is_pending(id)) return false;
  // The entry stays as a tombstone until it surfaces or too many pile up.
  if ((id.slot & kInLane) != 0) {
    lane_[lane_position(id) & (lane_.size() - 1)].run = nullptr;
    ++lane_dead_;
    return true;
  }
  slots_[id.slot].action.run = nullptr;
  ++slots_[id.slot].generation;
  if (++dead_ > kFewDead && dead_ > future_ / 2) rebuild();
  return true;
}

void Calendar::widen_lane() {
  std::vector<Action> wider(2 * lane_.size());
  for (std::uint64_t i = lane_head_; i != lane_tail_; ++i)
    wider[i & (wider.size() - 1)] = lane_[i & (lane_.size() - 1)];
  lane_.swap(wider);
}

Action Calendar::pop_mixed(bool& from_lane) {
  while (true) {
    if (hole_) [[unlikely]]
      fill_hole();
    Action action;
    from_lane = false;
    if (!run_.empty() && run_.back().at == now_ && !heap_is_first()) {
      action = pop_run();
    } else if (!heap_.empty() && heap_.front().at == now_) {
      hole_ = true;
      --heap_pending_;
      action = release(slot_of(heap_.front()));
    } else if (lane_head_ != lane_tail_) {
      from_lane = true;
      action = pop_lane();
    } else {
      return action;
    }
    if (action.run != nullptr) [[likely]]
      return action;
  }
}

TimeNs Calendar::next_time() {
  for (; lane_head_ != lane_tail_; pop_lane()) {
    if (lane_[lane_head_ & (lane_.size() - 1)].run != nullptr) return now_;
  }
  while (true) {
    if (hole_) [[unlikely]]
      fill_hole();
    if (run_.empty() && heap_.empty() && !open_next_window()) return kNever;
    const bool in_heap = heap_is_first();
    const Entry& first = in_heap ? heap_.front() : run_.back();
    if (slots_[slot_of(first)].action.run != nullptr) [[likely]]
      return first.at;
    drop_first(in_heap);
  }
}

void Calendar::drop_first(bool in_heap) {
  if (in_heap) {
    --heap_pending_;
    release(slot_of(heap_.front()));
    fill_hole();
  } else {
    pop_run();
  }
}

bool Calendar::is_heap_too_busy() const { return pushed_ > patience_ * (future_ + 1024) && 2 * heap_.size() > future_; }

void Calendar::push_late(Entry entry) {
  if (window_end_ == kEndless) {
    drop_dead_of_run();
    if (run_.size() < kFewPending) return insert_into_run(entry);
  }
  ++pushed_;
  push(entry);
  if (window_end_ == kEndless || is_heap_too_busy()) reshape();
}

/// An event that is moved again and again would otherwise fill the run.
void Calendar::drop_dead_of_run() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < run_.size(); ++i) {
    const Entry entry = run_.data()[i];
    if (slots_[slot_of(entry)].action.run != nullptr) {
      run_.data()[kept++] = entry;
    } else {
      release(slot_of(entry));
    }
  }
  run_.shorten(kept);
}

/// Moves the window, which is empty, to the next events; false if there are none.
bool Calendar::open_next_window() {
  if (future_ == 0) return false;  // always so when the window is endless
  link_all();
  if (opened_ >= kOpenedBeforeLook || taken_ >= kTakenBeforeLook || scanned_ > 4 * (future_ + 1024)) adapt();
  if (!run_.empty()) return true;
  if (future_ == 0) return false;
  const auto first = static_cast<std::uint64_t>(window_end_ >> shift_);
  const std::uint64_t last = std::min(first + mask_, static_cast<std::uint64_t>(kNever >> shift_));
  for (std::uint64_t number = first; number <= last; number += 64) {
    ++scanned_;
    if (take_group(number)) return true;
  }
  jump_to_earliest();
  return take_group(static_cast<std::uint64_t>(window_end_ >> shift_));
}

/// Opens the window on the 64 buckets from that number on, counted from time zero; false if no event there is due in
/// this turn of the calendar.
bool Calendar::take_group(std::uint64_t number) {
  window_end_ = static_cast<TimeNs>(number + 64) << shift_;
  if (slots_.size() > kCachedSlots) prefetch_ahead(number);
  const std::size_t group = (number & mask_) / 64;
  std::uint64_t rest = occupied_[group];
  if (rest == 0) return false;
  occupied_[group] = 0;
  for (; rest != 0;) {  // the run ends with its first event, so from the last bucket on
    const int last = 63 - std::countl_zero(rest);
    rest ^= std::uint64_t{1} << last;
    take_bucket(group * 64 + static_cast<std::size_t>(last));
  }
  if (run_.empty()) return false;
  ++opened_;
  taken_ += run_.size();
  return true;
}

/// Appends what is due of the bucket to the run, in order; all that was there comes after it.
void Calendar::take_bucket(std::size_t bucket) {
  Chain chain = buckets_[bucket];
  if (chain >= kCrowd) return take_crowd(bucket);
  const std::size_t before = run_.size();
  buckets_[bucket] = kNoChain;
  do {
    const std::uint32_t index = chain & kChainIndex;
    const Slot& slot = slots_[index];
    chain = slot.next;
    if (slot.at < window_end_) [[likely]] {
      run_.push_back(Entry{slot.at, slot.order});
    } else {  // of a later turn of the calendar
      link(index);
      ++scanned_;
    }
  } while (chain != kNoChain);
  if (run_.size() > before + 1) sort_run(before);
}

void Calendar::take_crowd(std::size_t bucket) {
  const std::uint32_t crowd = buckets_[bucket] & kChainIndex;
  std::vector<Entry>& entries = crowds_[crowd];
  const std::size_t before = run_.size();
  const auto is_later = [this](const Entry& entry) { return entry.at >= window_end_; };
  const auto due = std::stable_partition(entries.begin(), entries.end(), is_later);
  for (auto entry = entries.end(); entry != due;) run_.push_back(*--entry);  // they came in the order of their sequence
  entries.erase(due, entries.end());
  scanned_ += entries.size();
  if (entries.empty()) {
    disband(crowd);
    buckets_[bucket] = kNoChain;
  } else {
    occupied_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
  }
  sort_run(before);
}

void Calendar::join_crowd(Chain& chain, std::uint32_t index) {
  if (chain < kCrowd) form_crowd(chain);
  crowds_[chain & kChainIndex].push_back(Entry{slots_[index].at, slots_[index].order});
}

void Calendar::form_crowd(Chain& chain) {
  if (free_crowds_.empty()) {
    free_crowds_.push_back(static_cast<std::uint32_t>(crowds_.size()));
    crowds_.emplace_back();
  }
  const std::uint32_t crowd = free_crowds_.back();
  free_crowds_.pop_back();
  std::vector<Entry>& entries = crowds_[crowd];
  for (; chain != kNoChain; chain = slots_[chain & kChainIndex].next) {
    const Slot& slot = slots_[chain & kChainIndex];
    entries.push_back(Entry{slot.at, slot.order});
  }
  std::reverse(entries.begin(), entries.end());
  chain = kCrowd | crowd;
}

void Calendar::disband(std::uint32_t crowd) {
  crowds_[crowd].clear();
  free_crowds_.push_back(crowd);
}

/// Calls `visit` with the slot of every event in the buckets.
template <class Visit>
void Calendar::visit_later(Visit&& visit) const {
  for (std::size_t group = 0; group < occupied_.size(); ++group) {
    for (std::uint64_t rest = occupied_[group]; rest != 0; rest &= rest - 1) {
      Chain chain = buckets_[group * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
      if (chain >= kCrowd) {
        for (const Entry& entry : crowds_[chain & kChainIndex]) visit(slot_of(entry));
        continue;
      }
      for (; chain != kNoChain; chain = slots_[chain & kChainIndex].next) visit(chain & kChainIndex);
    }
  }
}

void Calendar::prefetch_ahead(std::uint64_t number) const {
  asm volatile("");  // g++ 12 drops calls of functions that only prefetch
  // Events lie scattered in memory. Fetch the buckets four groups ahead, the first slot of each bucket two groups
  // ahead, and of those one group ahead, which have arrived by now, the second slot and what the events will act on.
  const Chain* const far = &buckets_[(number + 256) & mask_];
  for (std::size_t bucket = 0; bucket < 64; bucket += 64 / sizeof(Chain)) __builtin_prefetch(far + bucket, 1);
  const std::size_t later = ((number + 128) & mask_) / 64;
  for (std::uint64_t rest = occupied_[later]; rest != 0; rest &= rest - 1) {
    const Chain chain = buckets_[later * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
    if (chain < kCrowd) prefetch_slot(chain & kChainIndex);
  }
  const std::size_t next = ((number + 64) & mask_) / 64;
  for (std::uint64_t rest = occupied_[next]; rest != 0; rest &= rest - 1) {
    const Chain chain = buckets_[next * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
    if (chain >= kCrowd) continue;
    const Slot& slot = slots_[chain & kChainIndex];
    if (chain >= 2 * kChainOfOne) prefetch_slot(slot.next & kChainIndex);
    prefetch_subject(slot);
  }
}

void Calendar::prefetch_run() const {
  asm volatile("");
  const Entry* const last = run_.data() + run_.size();
  prefetch_slot(slot_of(last[-24]));
  prefetch_subject(slots_[slot_of(last[-12])]);
}

void Calendar::sort_run(std::size_t from) {
  const auto later = [](const Entry& a, const Entry& b) { return key(b) < key(a); };
  constexpr std::size_t kInsertion = 24;
  Entry* const first = run_.data() + from;
  const std::size_t n = run_.size() - from;
  if (n > kInsertion) {
    if (!std::is_sorted(first, first + n, later)) std::sort(first, first + n, later);
    if (first->at != first[n - 1].at) crowded_ += n;  // a narrower bucket would not part events at one instant
    return;
  }
  for (std::size_t i = 1; i < n; ++i) {
    const Entry moving = first[i];
    std::size_t at = i;
    for (; at > 0 && later(moving, first[at - 1]); --at) first[at] = first[at - 1];
    first[at] = moving;
  }
}

void Calendar::jump_to_earliest() {
  // A whole turn of the calendar was empty: look at every event once instead of at many empty turns.
  TimeNs earliest = kNever;  // no event lies beyond it
  visit_later([&](std::uint32_t index) { earliest = std::min(earliest, slots_[index].at); });
  scanned_ += future_;
  window_end_ = earliest >> (shift_ + 6) << (shift_ + 6);
}

void Calendar::adapt() {
  const std::size_t events = taken_ + late_comers_;
  const bool is_wide = shift_ >= shift_for(gap_behind()) + 2;
  const bool is_bad = is_wide || scanned_ > events || pushed_ > events / 4 || 4 * crowded_ > events ||
                      (16 * kFewestBucketsPerEvent * future_ < mask_ && mask_ >= 2 * kFewestBuckets) ||
                      2 * future_ < kFewPending;
  // Reshaping touches every event; it must be rare against what has happened since, and rarer if it does not help.
  if (is_bad && events + scanned_ < patience_ * (future_ + 1024)) return;
  if (is_bad) {
    reshape();
  } else {
    opened_ = taken_ = scanned_ = late_comers_ = pushed_ = crowded_ = 0;
    looked_at_ = now_;
  }
}

void Calendar::reshape() {
  const int shift_before = shift_;
  const std::size_t mask_before = mask_;
  rebuild();
  patience_ = shift_before == shift_ && mask_before == mask_ ? std::min<std::size_t>(2 * patience_, 1024) : 1;
  opened_ = taken_ = scanned_ = late_comers_ = pushed_ = crowded_ = 0;
  looked_at_ = now_;
}

void Calendar::unlink_all(std::vector<std::uint32_t>& kept) {
  if (hole_) fill_hole();
  link_all();
  std::vector<std::uint32_t> all;
  all.reserve(future_);
  for (std::size_t i = 0; i < run_.size(); ++i) all.push_back(slot_of(run_.data()[i]));
  for (const Entry& entry : heap_) all.push_back(slot_of(entry));
  heap_pending_ -= heap_.size();
  visit_later([&all](std::uint32_t index) { all.push_back(index); });
  for (const Chain chain : buckets_) {
    if (chain >= kCrowd) disband(chain & kChainIndex);
  }
  run_.shorten(0);
  heap_.clear();
  for (const std::uint32_t index : all) {
    if (slots_[index].action.run != nullptr) {
      kept.push_back(index);
    } else {
      release(index);
    }
  }
}

void Calendar::choose_shape(const std::vector<std::uint32_t>& kept) {
  mask_ = std::max(kFewestBuckets, std::bit_ceil(kFewestBucketsPerEvent * kept.size() + 1)) - 1;
  buckets_.assign(mask_ + 1, kNoChain);
  occupied_.assign((mask_ + 1) / 64, 0);
  const TimeNs gap = std::max<TimeNs>(std::min(gap_ahead(kept), gap_behind()), 1);
  shift_ = shift_for(gap);
}

/// Two to four buckets per event.
int Calendar::shift_for(TimeNs gap) {
  return std::clamp(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(gap) / 2)) - 1, 0, kLargestShift);
}

TimeNs Calendar::gap_behind() const {
  const std::size_t events = taken_ + late_comers_;
  return events < kFewEvents ? kNever : (now_ - looked_at_) / static_cast<TimeNs>(events);
}

/// Mean gap between the nearest 64 of `kept`, or more of them if they tie.
TimeNs Calendar::gap_ahead(const std::vector<std::uint32_t>& kept) const {
  std::vector<TimeNs> times;
  times.reserve(kept.size());
  for (const std::uint32_t index : kept) times.push_back(slots_[index].at);
  for (std::size_t nearest = kFewEvents; times.size() > 1; nearest *= 8) {
    const std::size_t last = std::min(nearest, times.size()) - 1;
    const auto nth = times.begin() + static_cast<std::ptrdiff_t>(last);
    std::nth_element(times.begin(), nth, times.end());
    const TimeNs gap = (*nth - *std::min_element(times.begin(), nth)) / static_cast<TimeNs>(last);
    if (gap > 0 || last + 1 == times.size()) return gap;
  }
  return kNever;
}

void Calendar::put_back(const std::vector<std::uint32_t>& kept) {
  const bool are_few = 2 * kept.size() <= kFewPending;
  longest_run_ = are_few ? kFewPending : kLongRun;
  window_end_ = are_few ? kEndless : ((now_ >> (shift_ + 6)) + 1) << (shift_ + 6);
  for (const std::uint32_t index : kept) {
    if (slots_[index].at < window_end_) {
      run_.push_back(Entry{slots_[index].at, slots_[index].order});
    } else {
      link(index);
    }
  }
  sort_run(0);
}

void Calendar::rebuild() {
  std::vector<std::uint32_t> kept;
  unlink_all(kept);
  choose_shape(kept);
  put_back(kept);
}

void Calendar::renumber() {
  std::vector<std::uint32_t> kept;
  unlink_all(kept);
  std::sort(kept.begin(), kept.end(),
            [this](std::uint32_t a, std::uint32_t b) { return slots_[a].order < slots_[b].order; });
  next_sequence_ = 0;
  for (const std::uint32_t index : kept) slots_[index].order = (next_sequence_++ << kSlotBits) | index;
  choose_shape(kept);
  put_back(kept);
}

std::uint32_t Calendar::grow() {
  HEADRACE_ASSERT(slots_.size() < kMaxSlots, "more than 16,777,216 events are pending");
  slots_.emplace_back();
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

}  // namespace headrace::sim
