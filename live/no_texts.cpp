// The document of a page is resolved, catalogue figures in place: it needs none of the texts that the program carries.
#include "scenarios/document/embedded_texts.hpp"

namespace headrace::scenarios {
namespace {

const std::vector<EmbeddedText>& nothing() {
  static const std::vector<EmbeddedText> none;
  return none;
}

}  // namespace

const std::vector<EmbeddedText>& embedded_catalogue() { return nothing(); }
const std::vector<EmbeddedText>& embedded_scenarios() { return nothing(); }
const std::vector<EmbeddedText>& embedded_workload_figures() { return nothing(); }

}  // namespace headrace::scenarios
