#include "models/spec/file_access.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(FileAccess& a, Visitor& v) {
  v.choice("mode", a.mode, kReadModeNames,
           {.evidence = Evidence::assumed,
            .meaning = "buffered: read calls through the page cache; direct: O_DIRECT, without it, in whole blocks; "
                       "mmap: page faults instead of read calls"});
  v.quantity("read_ahead", a.read_ahead_bytes, Unit::bytes,
             {.low = 4096,
              .high = 16.0 * 1024 * 1024,
              .min = 4096,
              .evidence = Evidence::published,
              .meaning = "Read-ahead window of one read from the device; buffered and mmap only",
              .source = "Linux: read_ahead_kb 128 by default",
              .log_scale = true,
              .decided = true});
  v.flag("asynchronous", a.asynchronous,
         {.evidence = Evidence::assumed,
          .meaning = "The next window is fetched while the reader uses the current one, as for sequential reads"});
  v.quantity("block", a.block_bytes, Unit::bytes,
             {.low = 512,
              .high = 65536,
              .min = 512,
              .evidence = Evidence::assumed,
              .meaning = "Alignment of direct reads: bytes are rounded up to it",
              .log_scale = true,
              .decided = true});
  v.quantity("page", a.page_bytes, Unit::bytes,
             {.low = 4096,
              .high = 2.0 * 1024 * 1024,
              .min = 4096,
              .evidence = Evidence::published,
              .meaning = "Page of a mapping: 4 KiB, or 2 MiB with huge pages",
              .source = "Linux on x86-64",
              .log_scale = true,
              .decided = true});
  v.quantity("fault", a.fault_s, Unit::seconds,
             {.low = 1e-7,
              .high = 1e-5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "CPU time of one page fault that finds its page in memory",
              .log_scale = true});
  v.quantity("fault_around", a.fault_around_bytes, Unit::bytes,
             {.low = 4096,
              .high = 2.0 * 1024 * 1024,
              .min = 4096,
              .evidence = Evidence::published,
              .meaning = "Bytes that one fault maps when the pages are in memory",
              .source = "Linux: fault_around_bytes 64 KiB by default",
              .log_scale = true,
              .decided = true});
  v.number("tlb_slowdown", a.tlb_slowdown,
           {.low = 0,
            .high = 0.5,
            .min = 0,
            .max = 100,
            .evidence = Evidence::assumed,
            .meaning = "Extra CPU work of a sample for TLB misses on a mapping, as a share of its work: measure it"});
}

}  // namespace headrace::models
