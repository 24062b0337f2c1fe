// V5 of docs/validation.md: misses that CoorDL measured with 65 % of OpenImages cached on one server (J. Mohan et al.,
// VLDB 14(5), 2021, section 7.1: 225, 422 and 340 GB of 645 GB read from storage), and what the page cache of a kernel
// 6.18 missed (tests/validation/data/linux_page_cache.csv). Nothing can fail by chance: the two lists are followed with
// fixed draws.
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "models/caches/page_list_law.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/ingest_path.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"
#include "tests/validation/csv_rows.hpp"

namespace headrace {
namespace {

constexpr double kCorpusGb = 645.0;

/// Share of the reads of a late epoch that go to the store.
double misses(const std::vector<std::string>& settings) {
  std::vector<std::string> overrides = {"/cluster/pools/0/nodes=1", "/jobs/0/epochs=50",
                                        "/datasets/0={\"name\": \"openimages\", \"store\": \"storage\", \"files\": "
                                        "1743042, \"sample_bytes\": \"370 kB\"}",
                                        "/jobs/0/datasets=[{\"dataset\": \"openimages\"}]"};
  overrides.insert(overrides.end(), settings.begin(), settings.end());
  const auto loaded = scenarios::load_scenario(std::vector<std::string>{"cache-policies"}, overrides);
  if (!loaded) FAIL(scenarios::print_text(loaded.error()));
  const double kept = models::dataset_of(loaded->value, loaded->value.jobs[0]).bytes() * 1e-9;
  CHECK(kept == Approx(kCorpusGb).epsilon(0.01));
  double missed = 0.0;
  for (const models::EpochWindow& window : models::closed_form_windows(loaded->value, 0))
    missed += window.weight * (1.0 - window.hit_ratio - window.tiers.read());
  return missed;
}

const std::string kNoCache = "/cluster/pools/0/cache={\"policy\": \"none\"}";
const std::string kPages =
    "/cluster/pools/0/host={\"cores\": 24, \"memory\": \"500 GB\", \"page_cache\": {\"bytes\": \"419 GB\"}}";
const std::string kBuffered = "/jobs/0/loader/access={\"mode\": \"buffered\"}";

/// Misses of one size of the page cache, epoch by epoch, in per cent.
struct Measured {
  double corpus_bytes = 0.0;
  std::vector<double> shuffled;
  std::vector<double> fixed;
};

std::map<double, Measured> measured_page_caches() {
  std::map<double, Measured> sizes;
  for (const std::vector<std::string>& cells : testing::csv_rows("linux_page_cache.csv")) {
    Measured& size = sizes[std::stod(cells[1])];
    size.corpus_bytes = std::stod(cells[0]);
    (cells[2] == "shuffled" ? size.shuffled : size.fixed).push_back(std::stod(cells[4]));
  }
  return sizes;
}

double mean_from(const std::vector<double>& values, std::size_t first) {
  REQUIRE(values.size() > first);
  return std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first), values.end(), 0.0) /
         static_cast<double>(values.size() - first);
}

double predicted_percent(double cache_bytes, const Measured& size, bool fixed) {
  constexpr std::uint64_t kLong = 1000;
  const models::PageListLaw law{
      cache_bytes / size.corpus_bytes, models::inactive_ratio(cache_bytes), 1.0, fixed ? kLong : 0, kLong, fixed};
  const auto hits = models::page_list_hits(law);
  return 100.0 * (1.0 - std::accumulate(hits.begin(), hits.end(), 0.0) / static_cast<double>(hits.size()));
}

}  // namespace

TEST_CASE("V5: a pinned cache misses what it is not met", "[validation]") {
  const double missed = misses({"/cluster/pools/0/host={\"cores\": 24, \"memory\": \"500 GB\"}",
                                "/cluster/pools/0/cache={\"policy\": \"pinned\", \"medium\": \"dram\", \"bytes\": "
                                "\"419 GB\"}"});
  CHECK(missed == Approx(225.0 / kCorpusGb).margin(0.005));
}

TEST_CASE("V5: shuffled reads miss what the two lists of Linux let go", "[validation]") {
  const double missed = misses({kNoCache, kPages, kBuffered, "/datasets/0/order=random"});
  CHECK(missed == Approx(340.0 / kCorpusGb).margin(0.01));  // 3 points are aimed at
}

TEST_CASE("V5: the same order in every epoch misses what the two lists settle at", "[validation]") {
  const std::vector<std::string> fixed{kNoCache, kPages, kBuffered, "/datasets/0/order=fixed"};
  // From a cold cache the lists never keep anything of a longer scan.
  CHECK(misses(fixed) == 1.0);
  for (const int epochs : {1, 3, 30}) {
    std::vector<std::string> after_others = fixed;
    after_others.push_back("/jobs/0/staging={\"mode\": \"warm\", \"epochs\": " + std::to_string(epochs) + "}");
    CHECK(misses(after_others) == Approx(422.0 / kCorpusGb).margin(0.03));  // 3 points are aimed at
  }
}

TEST_CASE("V5: the page cache of a kernel, size by size", "[validation]") {
  const auto sizes = measured_page_caches();
  REQUIRE(sizes.size() >= 2);
  for (const auto& [bytes, size] : sizes) {
    // Five epochs until the lists have settled.
    const double shuffled = mean_from(size.shuffled, 5);
    INFO("cache of " << bytes * 1e-9 << " GB, shuffled: predicted " << predicted_percent(bytes, size, false)
                     << " %, measured " << shuffled << " %");
    CHECK(std::abs(predicted_percent(bytes, size, false) - shuffled) < 3.0);
    if (size.fixed.size() < 6) continue;
    const double fixed = mean_from(size.fixed, size.fixed.size() - 4);
    INFO("in a fixed order: predicted " << predicted_percent(bytes, size, true) << " %, measured " << fixed << " %");
    // A cache of nine tenths had not settled after seven epochs: 17 to 29 %.
    CHECK(std::abs(predicted_percent(bytes, size, true) - fixed) < (bytes < 0.8 * size.corpus_bytes ? 3.0 : 6.0));
  }
}

}  // namespace headrace
