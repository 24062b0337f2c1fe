#include "scenarios/document/described_document.hpp"

#include <fmt/format.h>

#include "scenarios/document/file_kind.hpp"

namespace headrace::scenarios {

Diagnostics read_described(const std::string& name, const std::string& text, const DocumentFacts& facts,
                           const DescribeFunction& describe_fresh) {
  Sources sources;
  Diagnostics diagnostics;
  const std::uint32_t source = sources.add({SourceKind::file, name, text, 0});
  std::optional<Node> root = parse_document(sources, source, diagnostics);
  if (!root || !diagnostics.empty()) return diagnostics;
  const Node* kind = root->find("kind");
  if (kind == nullptr)
    if (auto other = complaint_about_kind(*root, sources, fmt::format("a document of {}", facts.written_by), {})) {
      diagnostics.add(std::move(*other));
      return diagnostics;
    }
  if (kind == nullptr || kind->text != facts.kind) {
    Diagnostic d;
    d.code = "E0131";
    d.message = kind == nullptr ? fmt::format("the document does not say that it is of kind '{}'", facts.kind)
                                : fmt::format("the document is of kind '{}', not '{}'", kind->text, facts.kind);
    d.where = excerpt_at(sources, kind == nullptr ? root->place : kind->place);
    d.help = fmt::format("give a document of {}", facts.written_by);
    diagnostics.add(std::move(d));
    return diagnostics;
  }
  parse_record(*root, sources, Catalogue::shipped(), Names::keep, describe_fresh, diagnostics);
  return diagnostics;
}

Diagnostics incomplete_document(const std::string& name, std::string_view key, const DocumentFacts& facts) {
  Diagnostic d;
  d.code = "E0131";
  d.message = fmt::format("'{}' is of kind '{}', but its '{}' says nothing", name, facts.kind, key);
  d.help = fmt::format("give a whole document of {}", facts.written_by);
  Diagnostics diagnostics;
  diagnostics.add(std::move(d));
  return diagnostics;
}

}  // namespace headrace::scenarios
