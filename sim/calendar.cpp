#include "sim/calendar.hpp"

#include <algorithm>
#include <bit>

namespace headrace::sim {

namespace {

constexpr std::size_t kCachedSlots = 2048;  // so many stay in the cache by themselves
constexpr std::size_t kPrefetchAhead[] = {64, 50, 38, 22};

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

void Calendar::drop_dead_lane() {
  Action ignored;
  while (lane_head_ != lane_.size() && slots_[lane_[lane_head_]].action.run == nullptr) {
    release(lane_[lane_head_++], ignored);
  }
  if (lane_head_ == lane_.size()) {
    lane_.clear();
    lane_head_ = 0;
  }
}

void Calendar::drop_first(bool in_heap) {
  Action ignored;
  if (in_heap) {
    release(slot_of(heap_.front()), ignored);
    fill_hole();
  } else {
    release(slot_of(run_.back()), ignored);
    run_.pop_back();
  }
}

bool Calendar::open_next_window() {
  if (future_ == 0) return false;
  if (++opened_ >= 1024 || scanned_ > 4 * (future_ + 1024)) {
    adapt();
    if (!run_.empty()) return true;
  }
  for (std::size_t bucket = 0; bucket <= mask_; ++bucket) {
    if (take_bucket()) return true;
  }
  jump_to_earliest();
  return take_bucket();
}

bool Calendar::take_bucket() {
  const TimeNs number = window_end_ >> shift_;
  window_end_ = (number + 1) << shift_;
  if (slots_.size() > kCachedSlots) prefetch_ahead();
  ++scanned_;
  std::uint32_t* link = &buckets_[static_cast<std::size_t>(number) & mask_];
  for (std::uint32_t index = *link; index != kNoSlot;) {
    Slot& slot = slots_[index];
    const std::uint32_t next = slot.next;
    if (slot.at < window_end_) {
      run_.push_back(Entry{slot.at, slot.order});
      *link = next;
    } else {
      link = &slot.next;  // of a later turn of the calendar
      ++scanned_;
    }
    index = next;
  }
  if (run_.empty()) return false;
  taken_ += run_.size();
  sort_run();
  return true;
}

void Calendar::prefetch_ahead() {
  asm volatile("");  // g++ 12 drops calls of functions that only prefetch
  // Events lie scattered in memory. Fetch the slots of the first three events of buckets ahead, one link of the chain
  // per stage so that no stage waits for memory, and last what the events will act on.
  const auto bucket = static_cast<std::size_t>(window_end_ >> shift_);
  const auto nth = [this, bucket](std::size_t ahead, int n) {
    std::uint32_t index = buckets_[(bucket + ahead) & mask_];
    for (; n > 0 && index != kNoSlot; --n) index = slots_[index].next;
    return index;
  };
  for (int n = 0; n < 3; ++n) {
    const std::uint32_t index = nth(kPrefetchAhead[n], n);
    if (index == kNoSlot) continue;
    __builtin_prefetch(&slots_[index]);
    __builtin_prefetch(&slots_[index].next);
  }
  std::uint32_t index = buckets_[(bucket + kPrefetchAhead[3]) & mask_];
  for (int n = 0; n < 3 && index != kNoSlot; ++n, index = slots_[index].next) {
    const char* const self = static_cast<const char*>(slots_[index].action.self);
    __builtin_prefetch(self);
    __builtin_prefetch(self + 64);
    __builtin_prefetch(self + 112);
  }
}

void Calendar::sort_run() {
  const auto later = [](const Entry& a, const Entry& b) { return key(b) < key(a); };
  constexpr std::size_t kInsertion = 24;
  if (run_.size() > kInsertion) {
    if (!std::is_sorted(run_.begin(), run_.end(), later)) std::sort(run_.begin(), run_.end(), later);
    return;
  }
  for (std::size_t i = 1; i < run_.size(); ++i) {
    const Entry moving = run_[i];
    std::size_t at = i;
    for (; at > 0 && later(moving, run_[at - 1]); --at) run_[at] = run_[at - 1];
    run_[at] = moving;
  }
}

void Calendar::jump_to_earliest() {
  // A whole turn of the calendar was empty: look at every event once instead of at many empty turns.
  TimeNs earliest = kNever;  // no event lies beyond it
  for (const std::uint32_t head : buckets_) {
    for (std::uint32_t index = head; index != kNoSlot; index = slots_[index].next) {
      earliest = std::min(earliest, slots_[index].at);
    }
  }
  scanned_ += future_;
  window_end_ = earliest >> shift_ << shift_;
}

void Calendar::adapt() {
  const std::size_t events = taken_ + late_comers_;
  const bool is_bad = scanned_ > 4 * events || late_comers_ > taken_ || events > 16 * opened_ ||
                      (8 * future_ < mask_ && mask_ >= 2 * kFewestBuckets);
  // Reshaping touches every event; it must be rare against what has happened since, and rarer if it does not help.
  if (is_bad && events + scanned_ < patience_ * (future_ + 1024)) return;
  if (is_bad) {
    reshape();
  } else {
    opened_ = scanned_ = late_comers_ = taken_ = 0;
  }
}

void Calendar::reshape() {
  const int shift_before = shift_;
  const std::size_t mask_before = mask_;
  rebuild();
  patience_ = shift_before == shift_ && mask_before == mask_ ? std::min<std::size_t>(2 * patience_, 1024) : 1;
  opened_ = scanned_ = late_comers_ = taken_ = 0;
}

void Calendar::unlink_all(std::vector<std::uint32_t>& kept) {
  if (hole_) fill_hole();
  std::vector<std::uint32_t> all;
  all.reserve(future_);
  for (const Entry& entry : run_) all.push_back(slot_of(entry));
  for (const Entry& entry : heap_) all.push_back(slot_of(entry));
  for (const std::uint32_t head : buckets_) {
    for (std::uint32_t index = head; index != kNoSlot; index = slots_[index].next) all.push_back(index);
  }
  run_.clear();
  heap_.clear();
  Action ignored;
  for (const std::uint32_t index : all) {
    if (slots_[index].action.run != nullptr) {
      kept.push_back(index);
    } else {
      release(index, ignored);
    }
  }
}

void Calendar::choose_shape(const std::vector<std::uint32_t>& kept) {
  mask_ = std::max(kFewestBuckets, std::bit_ceil(kept.size())) - 1;
  buckets_.assign(mask_ + 1, kNoSlot);
  // About two events per bucket where the next ones are: the gap between the nearest 64, or more of them if they tie.
  std::vector<TimeNs> times;
  times.reserve(kept.size());
  for (const std::uint32_t index : kept) times.push_back(slots_[index].at);
  const std::size_t few = std::clamp<std::size_t>(times.size() / 2, 1, 64);
  for (std::size_t nearest = few; !times.empty(); nearest *= 8) {
    const std::size_t last = std::min(nearest, times.size()) - 1;
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(last), times.end());
    const auto span = static_cast<std::uint64_t>(times[last] - now_);
    if (span / (last + 1) > 0 || last + 1 == times.size()) {
      shift_ = std::clamp(static_cast<int>(std::bit_width(2 * span / (last + 1))), 1, 61) - 1;
      break;
    }
  }
}

void Calendar::put_back(const std::vector<std::uint32_t>& kept) {
  window_end_ = ((now_ >> shift_) + 1) << shift_;
  for (const std::uint32_t index : kept) {
    if (slots_[index].at < window_end_) {
      run_.push_back(Entry{slots_[index].at, slots_[index].order});
    } else {
      link(index);
    }
  }
  sort_run();
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
  for (const std::uint32_t index : kept) slots_[index].order = order_of(index);
  choose_shape(kept);
  put_back(kept);
}

std::uint32_t Calendar::grow() {
  HEADRACE_ASSERT(slots_.size() < kMaxSlots, "more than 16,777,216 events are pending");
  slots_.emplace_back();
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

}  // namespace headrace::sim
