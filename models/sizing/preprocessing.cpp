// Preprocessing on the fly, before training, or on machines of its own: cores against bytes against money.
#include <array>
#include <cmath>

#include "models/answer/flow_bound.hpp"
#include "models/path/host_costs.hpp"
#include "models/sizing/sizing.hpp"
#include "models/twins/preprocessing.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kWork = "jobs/loader/cpu_per_sample and cluster/pools/host/cores";
constexpr std::string_view kBound = "flow bound of the job with loader/preprocessing changed";

constexpr std::array kPreprocessingFigures = {
    SizingDescription{"preprocessing_break_even_bytes_per_s", "B/s", "m S H / t",
                      "Link of a node above which stored tensors beat decoding on its cores.", "rates of a pipeline",
                      kWork, true},
    SizingDescription{"on_the_fly_step_s", "s", "max(T, B t / H, B S / W)", "Step with decoding on the nodes' cores.",
                      kBound, kWork},
    SizingDescription{"preprocessed_step_s", "s", "max(T, B S m / W)", "Step that reads stored tensors.", kBound,
                      kWork},
    SizingDescription{"on_the_fly_usd_per_epoch", "USD", "cost of an epoch",
                      "Cost of an epoch with decoding on the nodes' cores.", kBound, "prices, and cpu_per_sample"},
    SizingDescription{"preprocessed_usd_per_epoch", "USD", "cost of an epoch",
                      "Cost of an epoch that reads stored tensors: their storage, requests and egress included.",
                      kBound, "prices, and cpu_per_sample"},
    SizingDescription{"preprocessed_extra_usd_per_month", "USD", "(m - 1) V o p",
                      "Storage of the tensors beyond that of the samples.", "definition", "stores/price/capacity"},
    SizingDescription{"remote_workers_needed", "", "ceil(n B / (T r))",
                      "Workers of a remote pool that keep the GPUs fed.", "conservation of flow",
                      "jobs/loader/remote/rate or jobs/loader/cpu_per_sample", true},
    SizingDescription{"remote_pool_usd_per_epoch", "USD", "workers x epoch x p_w",
                      "What these workers cost for an epoch at full speed.", "definition",
                      "jobs/loader/remote/worker_hour"},
};

Scenario preprocessed_by(const SizingCase& c, Preprocessing place) {
  Scenario scenario = c.scenario;
  scenario.jobs.front().loader.preprocessing = place;
  return scenario;
}

void add_remote(const SizingCase& c, SizingSheetWriter& sheet) {
  const RemotePool& remote = c.job.loader.remote;
  const double work_s = mean_of(c.job.loader.cpu_s_per_sample);
  const double rate = remote.samples_per_s > 0.0 ? remote.samples_per_s : 1.0 / work_s;
  if (!std::isfinite(rate)) return;
  const double samples_per_s = static_cast<double>(c.path.loaders) * c.path.batch_samples / c.step_s();
  const double workers = std::ceil(samples_per_s / rate);
  sheet.add("remote_workers_needed", workers,
            {{"n B", c.job_key + "/step/batch", samples_per_s * c.step_s(), ""},
             {"T", c.job_key + "/step", c.step_s(), "s"},
             {"r", c.job_key + (remote.samples_per_s > 0.0 ? "/loader/remote/rate" : "/loader/cpu_per_sample"), rate,
              "1/s"}});
  const double epoch_s = c.step_s() * c.path.steps_per_epoch();
  if (remote.worker_hour_usd > 0.0)
    sheet.add("remote_pool_usd_per_epoch", workers * epoch_s / 3600.0 * remote.worker_hour_usd,
              {{"workers", "remote_workers_needed", workers, ""},
               {"epoch", c.job_key + "/step", epoch_s, "s"},
               {"p_w", c.job_key + "/loader/remote/worker_hour", remote.worker_hour_usd, "USD/h"}});
}

void fill_preprocessing(const SizingCase& c, SizingSheetWriter& sheet) {
  add_remote(c, sheet);
  const double work_s = mean_of(c.job.loader.cpu_s_per_sample);
  if (!(work_s > 0.0) || !c.pool.host.cores || c.pool.host.gpudirect) return;
  const auto cores = static_cast<double>(*c.pool.host.cores);
  const Scenario tensors = preprocessed_by(c, Preprocessing::preprocessed);
  const double factor = corpus_bytes(c.dataset, tensors.jobs.front().loader) / c.dataset.bytes();
  const double bytes = mean_of(c.dataset.sample_bytes) * c.dataset.columns_read / c.dataset.codec.ratio;
  const SizingInput m{"m", c.job_key + "/loader/preprocessed_size", factor, ""};
  const SizingInput s{"S", c.dataset_key + "/sample_bytes", bytes, "B"};
  const SizingInput h{"H", c.pool_key + "/host/cores", cores, ""};
  const SizingInput t{"t", c.job_key + "/loader/cpu_per_sample", work_s, "s"};
  const SizingInput step{"T", c.job_key + "/step", c.step_s(), "s"};
  sheet.add("preprocessing_break_even_bytes_per_s",
            twins::preprocessing_break_even_bytes_per_s(work_s, cores, bytes, factor), {m, s, h, t});
  const Outcome fly = flow_bound(preprocessed_by(c, Preprocessing::on_the_fly));
  const Outcome stored = flow_bound(tensors);
  sheet.add("on_the_fly_step_s", fly.find("step_time_s")->mean, {step, t, h, s});
  sheet.add("preprocessed_step_s", stored.find("step_time_s")->mean, {step, s, m});
  const double fly_usd = fly.find("cost_per_epoch_usd")->mean;
  const double stored_usd = stored.find("cost_per_epoch_usd")->mean;
  if (fly_usd > 0.0) sheet.add("on_the_fly_usd_per_epoch", fly_usd, {t, h, s});
  if (stored_usd > 0.0) sheet.add("preprocessed_usd_per_epoch", stored_usd, {s, m});
  const double kept = c.store.redundancy ? c.store.redundancy->overhead() : 1.0;
  const double price = c.store.price.capacity_usd_per_byte_month;
  if (price > 0.0)
    sheet.add("preprocessed_extra_usd_per_month", (factor - 1.0) * c.stored_bytes() * kept * price,
              {m,
               {"V", c.dataset_key, c.stored_bytes(), "B"},
               {"o", c.store_key + "/redundancy", kept, ""},
               {"p", c.store_key + "/price/capacity", price, "USD/B month"}});
}

}  // namespace

const SizingRoom kPreprocessingRoom{"preprocessing", "Where to preprocess", kPreprocessingFigures, fill_preprocessing};

}  // namespace headrace::models
