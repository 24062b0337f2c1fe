// headrace calibrate: measures this machine, tells about earlier measurements, holds two against each other.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/page_facts.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "models/calibration/calibrate.hpp"
#include "models/calibration/s3_calibration.hpp"
#include "models/calibration/scratch.hpp"
#include "reports/calibration_text.hpp"
#include "reports/html/calibration_page.hpp"
#include "reports/outcome_json.hpp"
#include "reports/s3_plan_text.hpp"
#include "scenarios/gpu_figures.hpp"
#include "scenarios/object_store_prices.hpp"
#include "scenarios/site_file.hpp"

namespace headrace::cli {
namespace {

using models::calibration::Calibration;
using models::calibration::CalibrationRequest;

tl::expected<Calibration, scenarios::Diagnostics> read_calibration(const std::string& file) {
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(file, diagnostics);
  if (!text) return tl::unexpected(diagnostics);
  return scenarios::read_site_file(file, *text);
}

/// The document of an import as it is: its layer may hold more than the record tells.
int show_layer(const Invocation& call, Console& console) {
  scenarios::Diagnostics diagnostics;
  const std::optional<std::string> text = scenarios::read_text(call.show, diagnostics);
  if (!text) return fail(diagnostics, call, console);
  return console.deliver(*text, call.output) ? kOk : kBadInput;
}

bool deliver_page(const Calibration& calibration, const Invocation& call, Console& console) {
  return call.report.empty() || console.deliver(reports::calibration_page(calibration, page_facts(call)), call.report);
}

int show(const Invocation& call, Console& console) {
  const auto calibration = read_calibration(call.show);
  if (!calibration) return fail(calibration.error(), call, console);
  if (call.json && calibration->imported) return show_layer(call, console);
  const std::string document = call.json ? reports::json_text(scenarios::site_file(*calibration))
                                         : reports::calibration_text(*calibration, console.out_style());
  const bool delivered = console.deliver(document, call.output);
  return deliver_page(*calibration, call, console) && delivered ? kOk : kBadInput;
}

int compare_two(const Invocation& call, Console& console) {
  const auto before = read_calibration(call.compared[0]);
  if (!before) return fail(before.error(), call, console);
  const auto after = read_calibration(call.compared[1]);
  if (!after) return fail(after.error(), call, console);
  const auto changes = models::calibration::compare_calibrations(*before, *after);
  const std::string document = call.json ? reports::json_text(reports::comparison_json(changes))
                                         : reports::comparison_text(changes, console.out_style());
  return console.deliver(document, call.output) ? kOk : kBadInput;
}

/// Throws CalibrationError unless the name means one GPU.
std::optional<models::calibration::CatalogueGpu> gpu_model_of(const Invocation& call) {
  if (call.gpu_model.empty()) return std::nullopt;
  const scenarios::GpuNamed named = scenarios::gpu_named(scenarios::Catalogue::shipped(), call.gpu_model);
  if (named.names.size() == 1) return named.gpu;
  const char* what = named.names.empty() ? "the catalogue has no GPU '{}'" : "'{}' names more than one GPU";
  throw models::calibration::CalibrationError(fmt::format(fmt::runtime(what), call.gpu_model), named.help);
}

CalibrationRequest request_of(const Invocation& call) {
  CalibrationRequest request;
  request.path = call.path;
  while (request.path.size() > 1 && request.path.back() == '/') request.path.pop_back();
  request.budget = call.budget;
  request.only = call.only;
  if (call.file_bytes > 0.0) request.file_bytes = call.file_bytes;
  if (call.window_s > 0.0) request.window_s = call.window_s;
  request.accept_noisy = call.accept_noisy;
  request.engine = call.engine;
  if (call.gpu >= 0) request.gpu = call.gpu;
  request.gpu_model = gpu_model_of(call);
  request.seed = call.seed;
  request.store = call.store;
  request.pool = call.pool;
  request.tool_version = version_text();
  request.date = today();
  if (!call.cgroup.empty()) request.places.cgroup = call.cgroup;
  return request;
}

/// The document: text on standard output and the file of -o, or the file alone on standard output with --json.
int deliver(const Calibration& calibration, const Invocation& call, Console& console) {
  const std::string file = reports::json_text(scenarios::site_file(calibration));
  if (!deliver_page(calibration, call, console)) return kBadInput;
  if (!call.output.empty() && !console.deliver(file, call.output)) return kBadInput;
  if (call.json && !call.output.empty()) return kOk;
  const std::string document = call.json ? file : reports::calibration_text(calibration, console.out_style());
  return console.deliver(document, "") ? kOk : kBadInput;
}

int deliver_measured(const Calibration& calibration, const Invocation& call, Console& console) {
  const bool empty = std::all_of(calibration.cells.begin(), calibration.cells.end(),
                                 [](const models::calibration::Cell& cell) { return cell.windows.empty(); });
  if (calibration.interrupted && empty) {
    console.warn(call.output.empty() ? "interrupted before anything was measured"
                                     : "interrupted before anything was measured: the file stays as it is");
    return kInterrupted;
  }
  const int status = deliver(calibration, call, console);
  if (status != kOk || !calibration.interrupted) return status;
  console.warn("interrupted: what was measured until then is kept");
  return kInterrupted;
}

/// Those of the command line over those of the catalogue.
models::calibration::S3Prices prices_of(const Invocation& call, const std::string& host) {
  auto prices = scenarios::object_store_prices(scenarios::Catalogue::shipped(), host);
  const auto given = [&prices](double value, std::optional<double>& price) {
    if (value < 0.0) return;
    price = value;
    if (prices.source.find("as given") == std::string::npos)
      prices.source += prices.source.empty() ? "as given" : "; others as given";
  };
  given(call.s3_get_usd, prices.get_usd);
  given(call.s3_put_usd, prices.put_usd);
  given(call.s3_list_usd, prices.list_usd);
  given(call.s3_egress_usd, prices.egress_usd_per_byte);
  return prices;
}

models::calibration::S3Request s3_request_of(const Invocation& call) {
  models::calibration::S3Request request;
  request.target = models::calibration::s3_target(call.s3, [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  });
  request.budget = call.budget;
  request.connections = call.s3_connections;
  request.accept_noisy = call.accept_noisy;
  request.seed = call.seed;
  request.store = call.store;
  request.pool = call.pool;
  request.tool_version = version_text();
  request.date = today();
  request.prices = prices_of(call, request.target.host());
  return request;
}

int measure_s3(const Invocation& call, Console& console) {
  const models::calibration::S3Request request = s3_request_of(call);
  const models::calibration::S3Plan plan = models::calibration::plan_s3(request);
  if (call.dry_run) {
    const std::string document = call.json ? reports::json_text(reports::s3_plan_json(request, plan))
                                           : reports::s3_plan_text(request, plan, console.out_style());
    return console.deliver(document, call.output) ? kOk : kBadInput;
  }
  models::calibration::check_keys(request.target);
  if (!console.can_deliver(call.output) || !console.can_deliver(call.report)) return kBadInput;
  std::string missing;
  const auto connect = models::calibration::s3_connect(request.target, missing);
  if (!connect) return deliver(models::calibration::without_s3(request, missing), call, console);
  console.note(reports::s3_plan_text(request, plan, {}));
  const InterruptWatch interrupt;
  Calibration calibration;
  {
    ProgressLine line(console);
    calibration = models::calibration::calibrate_s3(request, connect, interrupt.token(), teller(line));
  }
  return deliver_measured(calibration, call, console);
}

int measure(const Invocation& call, Console& console) {
  const CalibrationRequest request = request_of(call);
  models::calibration::check_folder(request.path);
  const auto plan = models::calibration::plan_probes(request);
  if (call.dry_run) {
    const std::string document = call.json ? reports::json_text(reports::plan_json(request, plan))
                                           : reports::plan_text(request, plan, console.out_style());
    return console.deliver(document, call.output) ? kOk : kBadInput;
  }
  if (!console.can_deliver(call.output) || !console.can_deliver(call.report)) return kBadInput;
  console.note(reports::plan_text(request, plan, {}));
  const InterruptWatch interrupt;
  Calibration calibration;
  {
    ProgressLine line(console);
    calibration = models::calibration::calibrate(request, interrupt.token(), teller(line));
  }
  return deliver_measured(calibration, call, console);
}

}  // namespace

int calibrate(const Invocation& call, Console& console) {
  if (!call.report.empty() && (!call.compared.empty() || call.dry_run)) {
    console.error("--report draws a calibration, and there is none here",
                  "leave out --report, or --compare and --dry-run");
    return kBadInput;
  }
  if (!call.show.empty()) return show(call, console);
  if (!call.compared.empty()) return compare_two(call, console);
  if (call.path.empty() && call.s3.empty()) {
    console.error("nothing to measure",
                  "give a folder: headrace calibrate --path DIR (or --s3 URL, --show FILE, --compare A B)");
    return kBadInput;
  }
  try {
    return call.s3.empty() ? measure(call, console) : measure_s3(call, console);
  } catch (const models::calibration::CalibrationError& error) {
    console.error(error.what(), error.fix());
    return kBadInput;
  }
}

}  // namespace headrace::cli
