// Files that the program carries with it, so that it needs no data path.
#pragma once

#include <vector>

#include "scenarios/document/catalogue.hpp"

namespace headrace::scenarios {

/// Shipped scenarios by name ("unet3d-h100"), from scenarios/*.json.
const std::vector<EmbeddedText>& embedded_scenarios();

/// Shipped spaces by name ("loader-workers"), from scenarios/spaces/*.json.
const std::vector<EmbeddedText>& embedded_spaces();

/// Example offers by name ("offer-a"), from scenarios/offers/*.json.
const std::vector<EmbeddedText>& embedded_offers();

/// The commented scenario of `headrace init`, from scenarios/templates/.
const std::vector<EmbeddedText>& embedded_templates();

/// Pages about the models by name ("loader"), from docs/models/*.md.
const std::vector<EmbeddedText>& embedded_model_pages();

/// What the models were compared with ("accuracy", "validation"), from docs/.
const std::vector<EmbeddedText>& embedded_evidence_pages();

/// docs/glossary.md, the only entry.
const std::vector<EmbeddedText>& embedded_glossary();

/// Figures of benchmark workloads ("mlperf_storage"), from scenarios/workloads/*.json.
const std::vector<EmbeddedText>& embedded_workload_figures();

/// Programs of other languages that the program runs ("torch_loader"), from cli/scripts/.
const std::vector<EmbeddedText>& embedded_scripts();

}  // namespace headrace::scenarios
