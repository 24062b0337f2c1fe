#include "scenarios/document/gpu_figures.hpp"

#include "tests/catch.hpp"

namespace headrace::scenarios {

TEST_CASE("a GPU is found by its name or by a part of it that no other has") {
  const Catalogue& catalogue = Catalogue::shipped();
  const GpuNamed whole = gpu_named(catalogue, "h100-sxm5-80gb");
  REQUIRE(whole.names == std::vector<std::string>{"H100-SXM5-80GB"});
  CHECK(whole.gpu.model == "H100-SXM5-80GB");
  CHECK(whole.gpu.pcie.value == Approx(63e9));
  CHECK(whole.gpu.peak.value == Approx(989.4e12));
  CHECK(whole.gpu.peak.source.find("glennklockwood") != std::string::npos);
  CHECK(gpu_named(catalogue, "h200").names.size() == 1);
  const GpuNamed several = gpu_named(catalogue, "H100");
  CHECK(several.names == std::vector<std::string>{"H100-SXM5-80GB", "H100-PCIe-80GB"});
  CHECK(several.help == "it may be H100-SXM5-80GB or H100-PCIe-80GB");
  CHECK(several.gpu.model.empty());
  const GpuNamed none = gpu_named(catalogue, "B2000-HGX");
  CHECK(none.names.empty());
  CHECK(none.help.find("B200-HGX") != std::string::npos);
  CHECK(gpu_named(catalogue, "").names.empty());
}

TEST_CASE("a link that the catalogue does not know is not invented") {
  Catalogue catalogue;
  Diagnostics diagnostics;
  catalogue.add("own.json",
                R"({"section": "gpu", "version": "2026-11-01", "entries": {"Mine-1": {"model": "Mine-1",
                   "peak": {"value": "5 TFLOP/s", "source": "a page", "as_of": "2026", "evidence": "read"}}}})",
                diagnostics);
  REQUIRE(diagnostics.empty());
  const GpuNamed mine = gpu_named(catalogue, "mine");
  CHECK(mine.gpu.peak.value == Approx(5e12));
  CHECK(mine.gpu.pcie.value == 0.0);
  models::calibration::Calibration record;
  add_catalogue_gpu(record, mine.gpu, {"storage", "gpus"});
  REQUIRE(record.parameters.size() == 1);
  const auto& p = record.parameters[0];
  CHECK(p.name == "gpu.gemm_bf16");
  CHECK(p.low == Approx(3.5e12));
  CHECK(p.high == Approx(6.5e12));
  CHECK(p.evidence == models::calibration::FigureClass::catalogue);
  CHECK(p.target == "/cluster/pools/gpus/gpu/peak");
  CHECK(p.provenance.find("Mine-1") != std::string::npos);
}

}  // namespace headrace::scenarios
