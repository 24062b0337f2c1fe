// Taking a dataset in: objects uploaded in parts, several at a time.
#include <algorithm>
#include <array>
#include <cmath>

#include "models/base/limits.hpp"
#include "models/path/host_costs.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kUpload = "datasets/upload";

constexpr std::array kUploadFigures = {
    SizingDescription{"upload_parts", "", "f ceil(O / s)", "Requests that upload the dataset.",
                      "multipart upload of Amazon S3", kUpload},
    SizingDescription{"upload_by_requests_s", "s", "(parts (L + s'/b) + f t_c) / k",
                      "Time by the latency of parts and the commits of objects of several parts, k at a time.",
                      "closed loop of k requests", kUpload},
    SizingDescription{"upload_by_bytes_s", "s", "V / min(source, link, store writes)", "Time limited by bytes only.",
                      "bytes over rate", kUpload},
    SizingDescription{"upload_time_s", "s", "max(by requests, by bytes)", "Time of uploading the dataset, at least.",
                      "conservation of flow", kUpload, true},
    SizingDescription{"upload_parallel_needed", "", "by requests x k / by bytes",
                      "Parts under way from which bytes are the limit.", "Little's law", kUpload},
};

void fill_upload(const SizingCase& c, SizingSheetWriter& sheet) {
  if (!c.dataset.upload) return;
  const ObjectUpload& upload = *c.dataset.upload;
  const std::string key = c.dataset_key + "/upload";
  const double bytes = c.stored_bytes();
  const auto files = static_cast<double>(c.dataset.files);
  const double object = bytes / files;
  const double each = std::max(1.0, std::ceil(object / upload.part_bytes));
  const auto parallel = static_cast<double>(upload.parallel);
  const bool far = c.dataset.origin && c.dataset.origin->link;
  std::optional<double> stream = c.store.stream_bytes_per_s;
  if (far) stream = capped(wide_area_bytes_per_s(*c.dataset.origin->link), stream);
  const double part_s = upload.part_s + time_at(object / each, stream);
  const double commits_s = each > 1.0 ? files * upload.commit_s : 0.0;
  const double by_requests_s = (files * each * part_s + commits_s) / parallel;
  const double write =
      c.store.write_bandwidth_bytes_per_s > 0.0 ? c.store.write_bandwidth_bytes_per_s : c.store.bandwidth_bytes_per_s;
  const std::optional<double> link = far ? c.dataset.origin->bandwidth_bytes_per_s : std::nullopt;
  const double by_bytes_s = time_at(bytes, tightest({upload.bandwidth_bytes_per_s, write, link}));
  const SizingInput f{"f", c.dataset_key + "/files", files, ""};
  const SizingInput parts{"parts", "upload_parts", files * each, ""};
  const SizingInput k{"k", key + "/parallel", parallel, ""};
  sheet.add("upload_parts", files * each,
            {f, {"O", c.dataset_key, object, "B"}, {"s", key + "/part", upload.part_bytes, "B"}});
  sheet.add("upload_by_requests_s", by_requests_s,
            {parts,
             {"L", key + "/part_latency", upload.part_s, "s"},
             {"s'", key + "/part", object / each, "B"},
             {"b", c.store_key + "/stream", as_written(stream), "B/s"},
             f,
             {"t_c", key + "/commit", each > 1.0 ? upload.commit_s : 0.0, "s"},
             k});
  sheet.add("upload_by_bytes_s", by_bytes_s,
            {{"V", c.dataset_key, bytes, "B"},
             {"source", key + "/bandwidth", as_written(upload.bandwidth_bytes_per_s), "B/s"},
             {"link", c.dataset_key + "/origin/bandwidth", as_written(link), "B/s"},
             {"store writes", c.store_key + "/write_bandwidth", write, "B/s"}});
  const SizingInput requests{"by requests", "upload_by_requests_s", by_requests_s, "s"};
  const SizingInput all_bytes{"by bytes", "upload_by_bytes_s", by_bytes_s, "s"};
  sheet.add("upload_time_s", std::max(by_requests_s, by_bytes_s), {requests, all_bytes});
  sheet.add("upload_parallel_needed", std::ceil(by_requests_s * parallel / by_bytes_s), {requests, k, all_bytes});
}

}  // namespace

const SizingRoom kUploadRoom{"upload", "Taking the data in", kUploadFigures, fill_upload};

}  // namespace headrace::models
