// The two lists in which Linux keeps the pages of files, for following every sample of an epoch through the page cache
// of a node. What the kernel does (mm/swap.c, mm/vmscan.c, mm/workingset.c; the same rules from 4.12 to 6.18 for pages
// that are read, not mapped):
//   a page enters the inactive list; read once more while it is there, it moves to the active list
//   the oldest inactive page leaves, and the time is kept: the count of pages that left or were activated so far
//   a page that comes back after no more of that time than the active list is long enters the active list at once
//   with every page that leaves, the oldest active page goes to the inactive list if one came back that way since the
//   last page left, or if the active list is longer than `inactive_ratio` times the inactive one
#pragma once

#include <cstdint>
#include <vector>

namespace headrace::models {

/// Items are 0 .. items-1; capacity in items. O(1) per access, 24 bytes per item.
class PageLists {
 public:
  PageLists(std::uint32_t items, std::uint32_t capacity, std::uint32_t inactive_ratio)
      : pages_(items), capacity_(capacity), inactive_ratio_(inactive_ratio) {}

  /// Reads an item: true on a hit.
  bool access(std::uint32_t item) {
    Page& page = pages_[item];
    if (page.place == Place::out) {
      if (capacity_ > 0) enter(item);
      return false;
    }
    if (page.place == Place::inactive && page.referenced) {
      unlink(inactive_, item);
      push_newest(active_, item, Place::active);
      page.referenced = false;
      ++time_;
    } else {
      page.referenced = true;
    }
    return true;
  }

  std::uint32_t size() const { return active_.size + inactive_.size; }
  std::uint32_t active() const { return active_.size; }

 private:
  enum class Place : std::uint8_t { out, inactive, active };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Page {
    std::uint32_t newer = kNone;
    std::uint32_t older = kNone;
    std::uint64_t left_at = kNever;
    Place place = Place::out;
    bool referenced = false;
  };
  struct List {
    std::uint32_t newest = kNone;
    std::uint32_t oldest = kNone;
    std::uint32_t size = 0;
  };
  static constexpr std::uint64_t kNever = UINT64_MAX;

  void enter(std::uint32_t item) {
    Page& page = pages_[item];
    const bool comes_back_soon = page.left_at != kNever && time_ - page.left_at <= active_.size;
    if (size() >= capacity_) make_room();
    page.referenced = true;
    if (!comes_back_soon) {
      push_newest(inactive_, item, Place::inactive);
      return;
    }
    push_newest(active_, item, Place::active);
    ++time_;
    came_back_ = true;
  }

  void make_room() {
    const bool shrink_active = came_back_ || active_.size > inactive_ratio_ * inactive_.size;
    came_back_ = false;
    if (inactive_.size == 0) deactivate_oldest();
    const std::uint32_t item = inactive_.oldest;
    unlink(inactive_, item);
    pages_[item].place = Place::out;
    pages_[item].left_at = time_++;
    if (shrink_active && active_.size > 0) deactivate_oldest();
  }

  /// Keeps `referenced`: a page that was read on the active list needs one more read to go back.
  void deactivate_oldest() {
    const std::uint32_t item = active_.oldest;
    unlink(active_, item);
    push_newest(inactive_, item, Place::inactive);
  }

  void unlink(List& list, std::uint32_t item) {
    const Page& page = pages_[item];
    (page.newer == kNone ? list.newest : pages_[page.newer].older) = page.older;
    (page.older == kNone ? list.oldest : pages_[page.older].newer) = page.newer;
    --list.size;
  }

  void push_newest(List& list, std::uint32_t item, Place place) {
    Page& page = pages_[item];
    page.newer = kNone;
    page.older = list.newest;
    page.place = place;
    (list.newest == kNone ? list.oldest : pages_[list.newest].newer) = item;
    list.newest = item;
    ++list.size;
  }

  std::vector<Page> pages_;
  std::uint32_t capacity_;
  std::uint64_t inactive_ratio_;
  List active_;
  List inactive_;
  std::uint64_t time_ = 0;
  bool came_back_ = false;
};

}  // namespace headrace::models
