#include "scenarios/importers/import_file.hpp"

#include <array>

#include "scenarios/document/calendar.hpp"
#include "scenarios/document/site_file.hpp"
#include "scenarios/document/visible_text.hpp"
#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

constexpr std::array<ImportFormat, 15> kFormats = {{
    {"fio", "fio --output-format=json+ --lat_percentiles=1: rates and latencies of a file system", import_fio},
    {"elbencho", "elbencho --csvfile or --jsonfile: rates and latencies of a storage system", import_elbencho},
    {"nvbandwidth", "nvbandwidth -j: copies between host and GPUs", import_nvbandwidth},
    {"gdsio", "output of gdsio: storage to GPU memory", import_gdsio},
    {"kvikio", "output of KvikIO's benchmarks: storage to GPU memory", import_kvikio},
    {"ior", "ior -O summaryFormat=JSON: a parallel file system", import_ior},
    {"mdtest", "output of mdtest: metadata", import_mdtest},
    {"nccl-tests", "all_reduce_perf and others, text or -J: collectives", import_nccl_tests},
    {"warp", "warp analyze --json: an object store", import_warp},
    {"dlio-summary", "summary.json of a DLIO run: a row for headrace backtest", import_dlio_summary},
    {"darshan", "output of darshan-parser: reads and writes of a job", import_darshan},
    {"prometheus", "JSON of a range query: background load, or step times", import_prometheus},
    {"sacct", "sacct --parsable2: job mix and failures of a cluster", import_sacct},
    {"kineto", "a trace of the PyTorch profiler: step times and waits for data", import_kineto},
    {"rank-waits", "CSV with step, rank, wait_s: times of ranks at the barrier of a step", import_rank_waits},
}};

/// Texts of the file are shown on terminals: no control characters, and not without end.
std::string shown(std::string_view text, std::size_t longest = 200) {
  std::string out = visible_text(text);
  if (out.size() <= longest) return out;
  while (longest > 0 && (static_cast<unsigned char>(out[longest]) & 0xC0U) == 0x80U) --longest;
  return out.substr(0, longest) + "...";
}

void clean_texts(models::calibration::Calibration& record) {
  record.imported->tool = shown(record.imported->tool);
  record.imported->file = shown(record.imported->file);
  record.path = shown(record.path);
  for (auto& fact : record.host) fact.value = shown(fact.value);
  for (auto& cell : record.cells) cell.detail = shown(cell.detail), cell.probe = shown(cell.probe);
  for (auto& p : record.parameters) p.name = shown(p.name), p.provenance = shown(p.provenance);
}

void set_date(Reading& in) {
  if (!in.options().date.empty()) in.record.date = in.options().date;
  if (reason_against_date(in.record.date).empty()) return;
  in.record.date = in.options().today;
  if (in.table.empty()) in.note("the file has no date; today's date is used (--date YYYY-MM-DD sets another)");
}

}  // namespace

std::span<const ImportFormat> import_formats() { return kFormats; }

tl::expected<Imported, Diagnostics> import_file(const ImportFormat& format, const std::string& file,
                                                const std::string& text, const ImportOptions& options) {
  Reading in(std::string(format.name), file, text, options);
  if (in.text().find_first_not_of(" \t\r\n") == std::string_view::npos)
    in.refuse("E0103", in.whole(), "the file is empty", std::string(format.what));
  else
    format.import(in);
  if (in.failed()) return tl::unexpected(in.diagnostics());
  set_date(in);
  clean_texts(in.record);
  Imported out;
  out.notes = in.notes;
  for (std::string& note : out.notes) note = shown(note, 600);
  out.table = in.table;
  if (!out.table.empty()) return out;
  nlohmann::ordered_json layer = nlohmann::ordered_json::object();
  if (!options.extends.empty()) layer["extends"] = options.extends;
  layer.update(in.layer);
  out.layer = site_file(in.record, layer);
  out.record = std::move(in.record);
  return out;
}

}  // namespace headrace::scenarios
