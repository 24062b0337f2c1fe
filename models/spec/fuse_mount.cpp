#include "models/spec/fuse_mount.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(FuseMount& f, Visitor& v) {
  v.number(
      "latency_factor", f.latency_factor,
      {.low = 1,
       .high = 4,
       .min = 1,
       .evidence = Evidence::assumed,
       .meaning = "Latency of opens and requests through the mount over the native one",
       .source = "B. K. R. Vangoor et al., ACM Transactions on Storage 15(2), 2019: none to 4 times that of ext4"});
  v.quantity("cpu_per_request", f.cpu_s_per_request, Unit::seconds,
             {.low = 5e-6,
              .high = 2e-4,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Core time of one request of the mount: two context switches and copies"});
  v.quantity("request_bytes", f.request_bytes, Unit::bytes,
             {.low = 4096,
              .high = 1048576,
              .above = 0,
              .evidence = Evidence::published,
              .meaning = "Bytes that one request of the mount carries",
              .source = "Linux FUSE: 128 KiB by default, up to 1 MiB with max_pages"});
}

}  // namespace headrace::models
