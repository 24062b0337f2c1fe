// Page faults of mapped files and read-ahead of those that are read.
#include <array>

#include "models/path/tier_path.hpp"
#include "models/sizing/sizing.hpp"
#include "models/twins/host_path.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kMapped = "jobs/loader/access with mode mmap";
constexpr std::string_view kWindow = "jobs/loader/access, a store latency and a stream bandwidth";

constexpr std::array kPagesFigures = {
    SizingDescription{"page_faults", "", "V / w_f", "Page faults of one epoch over the mapped dataset.", "definition",
                      kMapped},
    SizingDescription{"page_fault_cpu_s", "s", "V / w_f t_f", "Core time of these faults, all nodes together.",
                      "models/page-cache", kMapped, true},
    SizingDescription{"read_ahead_bytes_per_s", "B/s", "w / (L + w/b)",
                      "Rate of one reader that waits for each read-ahead window.",
                      "F. Wu, H. Xi, C. Xu, ACM SIGOPS OSR 42(5), 2008", kWindow},
    SizingDescription{"read_ahead_overlapped_bytes_per_s", "B/s", "min(b, 2 w / (L + w/b))",
                      "The same where the next window is fetched in the meantime.",
                      "F. Wu, H. Xi, C. Xu, ACM SIGOPS OSR 42(5), 2008", kWindow},
    SizingDescription{"first_touch_s", "s", "(V / w_f t_f + V / w (L + w/b)) / threads",
                      "Time of the first epoch's faults and reads, shared by all workers.", "models/page-cache",
                      "jobs/loader/access with mode mmap, a store latency and a stream bandwidth"},
};

void fill_pages(const SizingCase& c, SizingSheetWriter& sheet) {
  if (!c.job.loader.access) return;
  const FileAccess& access = *c.job.loader.access;
  const std::string key = c.job_key + "/loader/access";
  const double bytes = c.stored_bytes();
  const double latency_s = mean_of(c.store.latency_s);
  const double stream = c.store.stream_bytes_per_s.value_or(c.store.bandwidth_bytes_per_s);
  const double threads = static_cast<double>(c.path.loaders) * c.path.workers;
  const SizingInput v{"V", c.dataset_key, bytes, "B"};
  const SizingInput w{"w", key + "/read_ahead", access.read_ahead_bytes, "B"};
  const SizingInput l{"L", c.store_key + "/latency", latency_s, "s"};
  const SizingInput b{"b", c.store_key + "/stream", stream, "B/s"};
  const SizingInput around{"w_f", key + "/fault_around", access.fault_around_bytes, "B"};
  const SizingInput fault{"t_f", key + "/fault", access.fault_s, "s"};
  const bool windows = access.mode != ReadMode::direct && latency_s > 0.0 && stream > 0.0;
  if (windows) {
    sheet.add("read_ahead_bytes_per_s",
              twins::window_throughput_bytes_per_s(access.read_ahead_bytes, latency_s, stream), {w, l, b});
    sheet.add("read_ahead_overlapped_bytes_per_s",
              twins::overlapped_window_throughput_bytes_per_s(access.read_ahead_bytes, latency_s, stream), {w, l, b});
  }
  if (access.mode != ReadMode::mmap) return;
  // One fault maps what lies around it, but no less than a page.
  const double mapped = access.fault_around_bytes > access.page_bytes ? access.fault_around_bytes : access.page_bytes;
  const double window_s = windows ? latency_s + access.read_ahead_bytes / stream : 0.0;
  const twins::PageFaults faults =
      twins::page_fault_time(bytes, mapped, access.fault_s, window_s, access.read_ahead_bytes, threads);
  sheet.add("page_faults", faults.faults, {v, around});
  sheet.add("page_fault_cpu_s", faults.minor_s, {v, around, fault});
  if (windows)
    sheet.add("first_touch_s", faults.both_s,
              {v, around, fault, w, l, b, {"threads", c.job_key + "/loader/workers", threads, ""}});
}

}  // namespace

const SizingRoom kPagesRoom{"pages", "Page faults and read-ahead", kPagesFigures, fill_pages};

}  // namespace headrace::models
