#include "models/calibration/catalogue_gpu.hpp"

#include <fmt/format.h>

namespace headrace::models::calibration {
namespace {

void add(Calibration& calibration, const CatalogueGpu& gpu, const CatalogueGpu::Figure& figure, const char* name,
         const char* unit, const std::string& target) {
  if (!(figure.value > 0.0)) return;
  Parameter p;
  p.name = name;
  p.unit = unit;
  p.value = figure.value;
  p.low = (1.0 - kCatalogueSpread) * figure.value;
  p.high = (1.0 + kCatalogueSpread) * figure.value;
  p.evidence = FigureClass::catalogue;
  p.verdict = Verdict::noisy;  // the interval is wide
  p.target = target;
  p.provenance = fmt::format("catalogue, {}, +-{:.0f} %: {}", gpu.model, 100.0 * kCatalogueSpread, figure.source);
  calibration.parameters.push_back(std::move(p));
}

}  // namespace

void add_catalogue_gpu(Calibration& calibration, const CatalogueGpu& gpu, const ParameterNames& names) {
  const std::string place = "/cluster/pools/" + names.pool + "/gpu/";
  add(calibration, gpu, gpu.pcie, "gpu.h2d_pinned", "B/s", place + "pcie");
  add(calibration, gpu, gpu.pcie, "gpu.d2h_pinned", "B/s", "");
  // A measured rate of products is less than the peak; what the catalogue has is the peak itself.
  add(calibration, gpu, gpu.peak, "gpu.gemm_bf16", "FLOP/s", place + "peak");
}

}  // namespace headrace::models::calibration
