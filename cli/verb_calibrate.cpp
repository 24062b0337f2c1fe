// headrace calibrate: measures this machine, tells about earlier measurements, holds two against each other.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/measuring_progress.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/torch_process.hpp"
#include "cli/verb.hpp"
#include "cli/version.hpp"
#include "models/calibration/calibrate.hpp"
#include "models/calibration/engine_choice.hpp"
#include "models/calibration/s3_calibration.hpp"
#include "models/calibration/scratch.hpp"
#include "models/verification/torch_calibration.hpp"
#include "reports/calibration_text.hpp"
#include "reports/html/calibration_page.hpp"
#include "reports/outcome_json.hpp"
#include "reports/s3_plan_text.hpp"
#include "scenarios/document/calendar.hpp"
#include "scenarios/document/gpu_figures.hpp"
#include "scenarios/document/object_store_prices.hpp"
#include "scenarios/document/site_file.hpp"

namespace headrace::cli {
namespace {

using models::calibration::Calibration;
using models::calibration::CalibrationRequest;

struct CalibrateOptions {
  OutputOptions output;
  CalibrationRequest request;
  std::string gpu_model;  ///< whose catalogue figures stand in for a GPU
  std::string cgroup;     ///< folder of the control group; empty: the usual one
  bool dry_run = false;
  std::string s3;  ///< URL/BUCKET/PREFIX of an object store; empty: none
  unsigned s3_connections = 0;
  models::calibration::S3Prices s3_prices;  ///< those that are given
  std::string loader;                       ///< torch: a PyTorch DataLoader; empty: none
  std::string python = "python3";
  std::string job = "train";
  std::string show;                   ///< a file of an earlier calibration
  std::vector<std::string> compared;  ///< two of them
};

/// --s3 and what belongs to it.
Option add_object_store(OptionTable& table, CalibrateOptions& options) {
  table.section("An object store (costs money)");
  const Option s3 =
      table.add("--s3", "URL", options.s3,
                "measure this object store instead of a folder: https://HOST/BUCKET/PREFIX or s3://BUCKET/PREFIX; keys "
                "and region from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION; the price is "
                "printed first");
  table
      .add("--s3-connections", "N", options.s3_connections,
           "at most so many at a time (default 16, 64 or 128, by budget)")
      .range(1, 1024)
      .needs(s3);
  using models::Unit;
  const auto price = [&](const char* name, std::optional<double>& value, Unit unit, const char* meaning) {
    table.add(name, "PRICE", value, meaning).unit(unit).range(0.0, 1e3).needs(s3);
  };
  price("--s3-price-get", options.s3_prices.get_usd, Unit::usd_per_request,
        "price of GET: '$0.0004/1000 requests' (default: the catalogue's, for its providers)");
  price("--s3-price-put", options.s3_prices.put_usd, Unit::usd_per_request, "price of PUT");
  price("--s3-price-list", options.s3_prices.list_usd, Unit::usd_per_request, "price of LIST");
  price("--s3-price-egress", options.s3_prices.egress_usd_per_byte, Unit::usd_per_byte,
        "price of egress: '$0.09/GB'; $0/GB within a region");
  return s3;
}

/// --path and how it is measured.
Option add_measurement(OptionTable& table, CalibrateOptions& options) {
  using models::calibration::kEngineNames;
  using models::calibration::kProbeNames;
  CalibrationRequest& request = options.request;
  table.section("Measurements");
  const Option path = table.add("--path", "DIR", request.path,
                                "a folder on the file system to measure; one scratch folder inside it is all that is "
                                "written");
  table
      .add("--budget", "BUDGET", request.budget,
           "quick: about a minute (default), normal: six minutes, full: half an hour")
      .one_of({"quick", "normal", "full"});
  table.add("--only", "PROBE", request.only, "only these probes, joined by commas: random_read,cpu")
      .separated(',')
      .one_of({std::begin(kProbeNames), std::end(kProbeNames)});
  table
      .add("--size", "BYTES", request.file_bytes,
           "size of the data file (default: by budget, at most a quarter of the free space)")
      .unit(models::Unit::bytes)
      .range(1048576.0, 1e15);
  table.add("--window", "TIME", request.window_s, "length of one window (default 0.5 s)")
      .unit(models::Unit::seconds)
      .range(0.01, 10.0);
  table.flag("--accept-noisy", request.accept_noisy,
             "on a shared machine: count windows that other load disturbed; the figures are marked noisy");
  table
      .add("--engine", "ENGINE", request.engine, "auto: io_uring if available (default), else threads; threads; libaio")
      .one_of({std::begin(kEngineNames), std::end(kEngineNames)});
  table
      .add(
          "--gpu", "N", request.gpu,
          "also measure this GPU (0 is the first), through libheadrace_cuda.so; without it or without a GPU the report "
          "says so")
      .range(0, 1023);
  table.add("--gpu-model", "NAME", options.gpu_model,
            "where no GPU is measured: figures of this model from the catalogue, +-30 %; headrace explain catalogue "
            "lists them");
  table.add("--cgroup", "DIR", options.cgroup, "folder of the control group with the limits");
  table.add("--seed", "N", request.seed, "seed of offsets and of the order of windows (default 1)");
  table.add("--store", "NAME", request.store, "store of the scenario that the figures are for (default storage)");
  table.add("--pool", "NAME", request.pool, "pool of the scenario that the figures are for (default gpus)");
  table.flag("--dry-run", options.dry_run, "print the probes with their time, and measure nothing");
  return path;
}

/// --loader and what belongs to it.
Option add_loader(OptionTable& table, CalibrateOptions& options) {
  table.section("A PyTorch DataLoader");
  const Option loader =
      table
          .add("--loader", "LOADER", options.loader,
               "torch: what a batch costs a DataLoader beside its samples, in the Python of --python, "
               "for /jobs/NAME/loader")
          .one_of({"torch"});
  table.add("--python", "PATH", options.python, "the Python with PyTorch 1.11 or later (default python3)")
      .needs(loader);
  table.add("--job", "NAME", options.job, "job of the scenario that the figures are for (default train)").needs(loader);
  return loader;
}

void add_options(OptionTable& table, CalibrateOptions& options) {
  table.examples({"headrace calibrate --path . --dry-run"});
  const Option path = add_measurement(table, options);
  const Option s3 = add_object_store(table, options).excludes(path);
  Option loader = add_loader(table, options);
  loader.excludes(path).excludes(s3);
  table.section("Files of earlier calibrations");
  Option show = table.add("--show", "FILE", options.show, "show a file of calibrate");
  Option compare = table.add("--compare", "FILE", options.compared, "compare two files").count(2);
  show.excludes(path).excludes(compare).excludes(s3).excludes(loader);
  compare.excludes(path).excludes(s3).excludes(loader);
  add_output(table, options.output);
  add_report(table, options.output);
  add_progress(table, options.output);
}

tl::expected<Calibration, scenarios::Diagnostics> read_calibration(const std::string& file) {
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(file, diagnostics);
  if (!text) return tl::unexpected(diagnostics);
  return scenarios::read_site_file(file, *text);
}

/// The document of an import as it is: its layer may hold more than the record tells.
int show_layer(const CalibrateOptions& options, Console& console) {
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(options.show, diagnostics);
  if (!text) return refuse(diagnostics, console, true);
  return console.deliver(*text, options.output.file) ? kOk : kBadInput;
}

bool deliver_page(const Calibration& calibration, const CalibrateOptions& options, Console& console) {
  const OutputOptions& output = options.output;
  return output.report.empty() ||
         console.deliver(reports::calibration_page(calibration, {{}, output.program}), output.report);
}

int show(const CalibrateOptions& options, Console& console) {
  const auto calibration = read_calibration(options.show);
  if (!calibration) return refuse(calibration.error(), console, options.output.json);
  if (options.output.json && calibration->imported) return show_layer(options, console);
  const std::string document = options.output.json ? reports::json_text(scenarios::site_file(*calibration))
                                                   : reports::calibration_text(*calibration, console.out_style());
  const bool delivered = console.deliver(document, options.output.file);
  return deliver_page(*calibration, options, console) && delivered ? kOk : kBadInput;
}

int compare_two(const CalibrateOptions& options, Console& console) {
  const auto before = read_calibration(options.compared[0]);
  if (!before) return refuse(before.error(), console, options.output.json);
  const auto after = read_calibration(options.compared[1]);
  if (!after) return refuse(after.error(), console, options.output.json);
  const auto changes = models::calibration::compare_calibrations(*before, *after);
  const std::string document = options.output.json ? reports::json_text(reports::comparison_json(changes))
                                                   : reports::comparison_text(changes, console.out_style());
  return console.deliver(document, options.output.file) ? kOk : kBadInput;
}

/// Throws CalibrationError unless the name means one GPU.
std::optional<models::calibration::CatalogueGpu> gpu_model_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const scenarios::GpuNamed named = scenarios::gpu_named(scenarios::Catalogue::shipped(), name);
  if (named.names.size() == 1) return named.gpu;
  const char* what = named.names.empty() ? "the catalogue has no GPU '{}'" : "'{}' names more than one GPU";
  throw models::calibration::CalibrationError(fmt::format(fmt::runtime(what), name), named.help);
}

CalibrationRequest calibrate_request(const CalibrateOptions& options) {
  CalibrationRequest request = options.request;
  while (request.path.size() > 1 && request.path.back() == '/') request.path.pop_back();
  request.gpu_model = gpu_model_of(options.gpu_model);
  request.tool_version = version_text();
  request.date = scenarios::today();
  if (!options.cgroup.empty()) request.places.cgroup = options.cgroup;
  return request;
}

/// The document: text on standard output and the file of -o, or the file alone on standard output with --json.
int deliver(const Calibration& calibration, const CalibrateOptions& options, Console& console) {
  const std::string file = reports::json_text(scenarios::site_file(calibration));
  if (!deliver_page(calibration, options, console)) return kBadInput;
  if (!options.output.file.empty() && !console.deliver(file, options.output.file)) return kBadInput;
  if (options.output.json && !options.output.file.empty()) return kOk;
  const std::string document = options.output.json ? file : reports::calibration_text(calibration, console.out_style());
  return console.deliver(document, "") ? kOk : kBadInput;
}

int deliver_measured(const Calibration& calibration, const CalibrateOptions& options, Console& console) {
  const bool empty = std::all_of(calibration.cells.begin(), calibration.cells.end(),
                                 [](const models::calibration::Cell& cell) { return cell.windows.empty(); });
  if (calibration.interrupted && empty) {
    console.warn(options.output.file.empty() ? "interrupted before anything was measured"
                                             : "interrupted before anything was measured: the file stays as it is");
    return kInterrupted;
  }
  const int status = deliver(calibration, options, console);
  if (status != kOk || !calibration.interrupted) return status;
  console.warn("interrupted: measurements until then are kept");
  return kInterrupted;
}

/// Those of the command line over those of the catalogue.
models::calibration::S3Prices prices_of(const models::calibration::S3Prices& own, const std::string& host) {
  auto prices = scenarios::object_store_prices(scenarios::Catalogue::shipped(), host);
  const auto given = [&prices](const std::optional<double>& value, std::optional<double>& price) {
    if (!value) return;
    price = value;
    if (prices.source.find("as given") == std::string::npos)
      prices.source += prices.source.empty() ? "as given" : "; others as given";
  };
  given(own.get_usd, prices.get_usd);
  given(own.put_usd, prices.put_usd);
  given(own.list_usd, prices.list_usd);
  given(own.egress_usd_per_byte, prices.egress_usd_per_byte);
  return prices;
}

models::calibration::S3Request s3_request_of(const CalibrateOptions& options) {
  models::calibration::S3Request request;
  request.target = models::calibration::s3_target(options.s3, [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  });
  request.budget = options.request.budget;
  request.connections = options.s3_connections;
  request.accept_noisy = options.request.accept_noisy;
  request.seed = options.request.seed;
  request.store = options.request.store;
  request.pool = options.request.pool;
  request.tool_version = version_text();
  request.date = scenarios::today();
  request.prices = prices_of(options.s3_prices, request.target.host());
  return request;
}

int measure_s3(const CalibrateOptions& options, Console& console) {
  const models::calibration::S3Request request = s3_request_of(options);
  const models::calibration::S3Plan plan = models::calibration::plan_s3(request);
  if (options.dry_run) {
    const std::string document = options.output.json ? reports::json_text(reports::s3_plan_json(request, plan))
                                                     : reports::s3_plan_text(request, plan, console.out_style());
    return console.deliver(document, options.output.file) ? kOk : kBadInput;
  }
  models::calibration::check_keys(request.target);
  if (!console.can_deliver({options.output.file, options.output.report})) return kBadInput;
  std::string missing;
  const auto connect = models::calibration::s3_connect(request.target, missing);
  if (!connect) return deliver(models::calibration::without_s3(request, missing), options, console);
  console.note(reports::s3_plan_text(request, plan, {}));
  const InterruptWatch interrupt;
  Calibration calibration;
  {
    ProgressLine line(console);
    calibration = models::calibration::calibrate_s3(request, connect, interrupt.token(), teller(line));
  }
  return deliver_measured(calibration, options, console);
}

models::verification::TorchCalibrateRequest torch_request(const CalibrateOptions& options) {
  models::verification::TorchCalibrateRequest request;
  request.budget = options.request.budget;
  request.job = options.job;
  request.accept_noisy = options.request.accept_noisy;
  request.seed = options.request.seed;
  request.tool_version = version_text();
  request.date = scenarios::today();
  return request;
}

int measure_loader(const CalibrateOptions& options, Console& console) {
  models::verification::TorchCalibrateRequest request = torch_request(options);
  const auto plan = models::verification::plan_torch_calibration(request);
  const std::string title = fmt::format("Probes of a PyTorch DataLoader, budget {}", request.budget);
  const std::string writes = "batches in shared memory, the script in a temporary folder, removed at the end";
  if (options.dry_run) {
    const std::string document =
        options.output.json
            ? reports::json_text(reports::plan_json({{"loader", "torch"}, {"budget", request.budget}}, plan))
            : reports::plan_text(title, plan, writes, console.out_style());
    return console.deliver(document, options.output.file) ? kOk : kBadInput;
  }
  if (!console.can_deliver({options.output.file, options.output.report})) return kBadInput;
  const InterruptWatch interrupt;
  TorchProcess process(options.python, interrupt.token());
  request.loader_version = process.versions().text;
  console.note(reports::plan_text(title, plan, writes, {}));
  Calibration calibration;
  {
    ProgressLine line(console);
    calibration = models::verification::calibrate_torch(
        request, [&process](const std::vector<models::verification::TorchRun>& runs) { return process.answers(runs); },
        interrupt.token(), teller(line));
  }
  return deliver_measured(calibration, options, console);
}

int measure(const CalibrateOptions& options, Console& console) {
  const CalibrationRequest request = calibrate_request(options);
  models::calibration::check_folder(request.path);
  const auto plan = models::calibration::plan_probes(request);
  if (options.dry_run) {
    const std::string document = options.output.json ? reports::json_text(reports::plan_json(request, plan))
                                                     : reports::plan_text(request, plan, console.out_style());
    return console.deliver(document, options.output.file) ? kOk : kBadInput;
  }
  if (!console.can_deliver({options.output.file, options.output.report})) return kBadInput;
  console.note(reports::plan_text(request, plan, {}));
  const InterruptWatch interrupt;
  Calibration calibration;
  {
    ProgressLine line(console);
    calibration = models::calibration::calibrate(request, interrupt.token(), teller(line));
  }
  return deliver_measured(calibration, options, console);
}

int run(const CalibrateOptions& options, Console& console) {
  if (!options.output.report.empty() && (!options.compared.empty() || options.dry_run))
    return refuse("--report draws a calibration, and there is none here", "remove --report, or --compare and --dry-run",
                  console);
  if (!options.show.empty()) return show(options, console);
  if (!options.compared.empty()) return compare_two(options, console);
  if (options.request.path.empty() && options.s3.empty() && options.loader.empty())
    return refuse(
        "nothing to measure",
        "give a folder: headrace calibrate --path DIR (or --loader torch, --s3 URL, --show FILE, --compare A B)",
        console);
  try {
    if (!options.loader.empty()) return measure_loader(options, console);
    return options.s3.empty() ? measure(options, console) : measure_s3(options, console);
  } catch (const models::calibration::CalibrationError& error) {
    return refuse(error.what(), error.fix(), console);
  }
}

}  // namespace

Verb calibrate() {
  return make_verb<CalibrateOptions>("calibrate", "measure this machine and put its numbers into a scenario",
                                     add_options, run);
}

}  // namespace headrace::cli
