// What leaves the store costs, and what its requests cost.
#include <array>

#include "models/outcome/ledger.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kPrice = "stores/price/egress or egress_tiers";

constexpr std::array kEgressFigures = {
    SizingDescription{"egress_pass_usd", "USD", "p(n V)", "Reading the whole dataset once from the store.",
                      "price list of the store", kPrice, true},
    SizingDescription{"egress_epoch_usd", "USD", "p(n V (1 - h) (1 - x))",
                      "Egress of a steady epoch: bytes that neither caches nor a copy serve.", "models/price-ledger",
                      kPrice},
    SizingDescription{"egress_year_usd", "USD", "12 p(V F / 12 (1 + (E - 1) (1 - h)))",
                      "A year of F runs of E epochs on refreshed data, each with cold caches.", "models/price-ledger",
                      "stores/price/egress and jobs/loads_per_year", true},
    SizingDescription{"requests_pass_usd", "USD", "N r p_r", "Read requests of one pass without caches.", "definition",
                      "stores/price/request"},
};

double reads_per_sample(const IngestPath& path) {
  return static_cast<double>(path.loaders) * path.batch_samples / path.samples_per_step;
}

double ledger_usd(const Outcome& outcome, std::string_view item) {
  for (const LedgerLine& line : outcome.ledger)
    if (line.item == item) return line.usd;
  return 0.0;
}

void fill_egress(const SizingCase& c, SizingSheetWriter& sheet) {
  const StorePrice& price = c.store.price;
  const Corpus corpus = corpus_of(c.scenario, c.job);
  const double reads = reads_per_sample(c.path);
  const double requests_each = c.path.requests_per_sample / c.path.samples_packed;  // of the dataset's samples
  const SizingInput n{"n", c.job_key + "/readers", reads, ""};
  const SizingInput v{"V", c.dataset_key, corpus.bytes, "B"};
  if (price.usd_per_request > 0.0)
    sheet.add("requests_pass_usd", corpus.samples * reads * requests_each * price.usd_per_request,
              {{"N", c.dataset_key + "/files", corpus.samples * reads, ""},
               {"r", c.dataset_key + "/request_bytes", requests_each, ""},
               {"p_r", c.store_key + "/price/request", price.usd_per_request, "USD"}});
  if (!(price.egress_usd_per_byte > 0.0) && price.egress_tiers.empty()) return;
  const double first = price.egress_tiers.empty() ? price.egress_usd_per_byte : price.egress_tiers.front().usd_per_byte;
  const SizingInput p{"p", c.store_key + (price.egress_tiers.empty() ? "/price/egress" : "/price/egress_tiers"), first,
                      "USD/B"};
  const double answered = 1.0 - c.path.miss_ratio();
  const SizingInput h{"h", "cache_hit_ratio", answered, "1"};
  sheet.add("egress_pass_usd", egress_usd(price, corpus.bytes * reads), {p, n, v});
  sheet.add("egress_epoch_usd", ledger_usd(c.bound, "egress") + ledger_usd(c.bound, "egress of the copy"),
            {p, n, v, h, {"x", c.store_key + "/price/intercept/share", price.intercept.share, "1"}});
  if (c.job.loads_per_year > 0.0)
    sheet.add("egress_year_usd", egress_usd_per_year(c.scenario, c.path, answered),
              {p,
               v,
               {"F", c.job_key + "/loads_per_year", c.job.loads_per_year, ""},
               {"E", c.job_key + "/epochs", static_cast<double>(c.job.epochs), ""},
               h});
}

}  // namespace

const SizingRoom kEgressRoom{"egress", "Egress and requests", kEgressFigures, fill_egress};

}  // namespace headrace::models
