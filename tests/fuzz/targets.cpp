#include "tests/fuzz/targets.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "models/calibration/s3_client.hpp"
#include "reports/export/document_export.hpp"
#include "reports/export/document_page.hpp"
#include "reports/open_metrics.hpp"
#include "scenarios/bakeoff/bakeoff.hpp"
#include "scenarios/bakeoff/offer.hpp"
#include "scenarios/document/read_json.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/document/site_file.hpp"
#include "scenarios/importers/dlio.hpp"
#include "scenarios/importers/import_file.hpp"
#include "scenarios/importers/price_trace.hpp"
#include "scenarios/importers/step_times.hpp"
#include "scenarios/results/results_store.hpp"
#include "scenarios/results/sweep_space.hpp"

namespace headrace::testing {

namespace {

using scenarios::Diagnostics;

/// The bytes under a path of their own, without a disk.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      throw std::runtime_error("no file in memory");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// The same with a name of its own, for what follows links.
class NamedFile {
 public:
  explicit NamedFile(const std::string& bytes) {
    const int descriptor = mkstemp(path_.data());
    const bool written =
        descriptor >= 0 && write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    if (descriptor >= 0) close(descriptor);
    if (!written) throw std::runtime_error("no file to write");
  }
  ~NamedFile() { unlink(path_.c_str()); }
  NamedFile(const NamedFile&) = delete;
  NamedFile& operator=(const NamedFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/dev/shm/headrace-fuzz-XXXXXX";
};

/// A complaint must have a code, and printing it must end.
void complain(const Diagnostics& diagnostics) {
  if (diagnostics.empty()) throw std::logic_error("refused without a complaint");
  if (print_text(diagnostics).empty()) throw std::logic_error("a complaint without a text");
}

template <class T>
bool accepted(const tl::expected<T, Diagnostics>& read) {
  if (!read) complain(read.error());
  return read.has_value();
}

bool read_scenario(const std::string& bytes) {
  const MemoryFile file(bytes);
  const std::array<std::string, 1> paths{file.path()};
  const auto loaded = scenarios::load_scenario(paths);
  if (loaded && scenarios::print_scenario(loaded->value).empty()) throw std::logic_error("a scenario without a text");
  return accepted(loaded);
}

bool read_space(const std::string& bytes) {
  const MemoryFile file(bytes);
  return accepted(scenarios::load_space(file.path()));
}

bool read_offer(const std::string& bytes) {
  const MemoryFile file(bytes);
  return accepted(scenarios::load_offer(file.path()));
}

bool read_site(const std::string& bytes) { return accepted(scenarios::read_site_file("site.json", bytes)); }

/// Every form of `headrace report`.
bool read_document(const std::string& bytes) {
  const auto document = scenarios::parse_json("document.json", bytes);
  if (!accepted(document)) return false;
  bool written = false;
  const auto write_form = [&written](auto form) {
    try {
      written = form() || written;
    } catch (const nlohmann::json::exception&) {  // the program names the place
    } catch (const std::out_of_range&) {          // JSON_ASSERT
    }
  };
  write_form([&] { return reports::document_page(*document, {}).has_value(); });
  for (const char* format : {"markdown", "csv", "junit"})
    write_form([&] { return reports::document_export(*document, format).has_value(); });
  if (reports::kind_of(*document) == reports::DocumentKind::outcome)
    write_form([&] { return !reports::open_metrics(*document).empty(); });
  return written;
}

bool read_bakeoff(const std::string& bytes) { return accepted(scenarios::read_bakeoff("bakeoff.json", bytes)); }

bool read_store(const std::string& bytes) {
  const NamedFile file(bytes);
  try {
    const scenarios::ResultsStore store(file.path(), scenarios::ResultsStore::Access::read);
    store.damage();
    return !store.sweeps().empty();
  } catch (const scenarios::StoreError&) {
    return false;
  }
}

bool read_dlio(const std::string& bytes) { return accepted(scenarios::import_dlio("workload.yaml", bytes, {})); }
bool read_steps(const std::string& bytes) { return accepted(scenarios::read_step_times("steps.csv", bytes)); }
bool read_prices(const std::string& bytes) { return accepted(scenarios::read_price_trace("prices.csv", bytes)); }

bool read_s3_answer(const std::string& bytes) {
  for (const char* element : {"Key", "Code", "Message", "IsTruncated"})
    if (models::calibration::xml_text(bytes, element).size() > bytes.size())
      throw std::logic_error("more text than there was");
  return true;
}

template <std::size_t Format>
bool import_bytes(const std::string& bytes) {
  scenarios::ImportOptions options;
  options.job = "train";
  options.dataset = "images";
  options.workload = "unet3d";
  options.accelerator = "h100";
  options.today = "2026-11-24";
  options.program_version = "headrace 0";
  return accepted(scenarios::import_file(scenarios::import_formats()[Format], "input", bytes, options));
}

template <std::size_t... Format>
void add_imports(std::vector<FuzzTarget>& targets, std::index_sequence<Format...> /*formats*/) {
  (targets.push_back({"import-" + std::string(scenarios::import_formats()[Format].name), import_bytes<Format>}), ...);
}

std::vector<FuzzTarget> all_targets() {
  std::vector<FuzzTarget> targets{{"scenario", read_scenario}, {"space", read_space},       {"offer", read_offer},
                                  {"site", read_site},         {"document", read_document}, {"bakeoff", read_bakeoff},
                                  {"store", read_store},       {"dlio", read_dlio},         {"steps", read_steps},
                                  {"prices", read_prices},     {"s3", read_s3_answer}};
  constexpr std::size_t kFormats = 15;
  if (scenarios::import_formats().size() != kFormats) throw std::logic_error("a format of import has no target");
  add_imports(targets, std::make_index_sequence<kFormats>());
  return targets;
}

}  // namespace

std::span<const FuzzTarget> fuzz_targets() {
  static const std::vector<FuzzTarget> targets = all_targets();
  return targets;
}

}  // namespace headrace::testing
