// JSON documents of records that describe themselves: written, read back to the same bytes, with a schema, from one
// description. The first two members are text: "kind" and "format_version".
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "scenarios/document/diagnostic.hpp"
#include "scenarios/document/parse_visitor.hpp"
#include "scenarios/document/print_visitor.hpp"
#include "scenarios/document/schema_visitor.hpp"

namespace headrace::scenarios {

/// What must stand in a document, and who writes it.
struct DocumentFacts {
  std::string_view kind;
  std::string_view written_by;  ///< "headrace tco --json"
};

/// E0101 to E0109 for a text that cannot be read, E0131 for one of another kind, and those of every record.
Diagnostics read_described(const std::string& name, const std::string& text, const DocumentFacts& facts,
                           const DescribeFunction& describe_fresh);

/// E0131 for one that lacks what it is for: `key` says nothing.
Diagnostics incomplete_document(const std::string& name, std::string_view key, const DocumentFacts& facts);

template <class T>
nlohmann::ordered_json print_document(const T& record) {
  T copy = record;
  return print_record([&copy](models::Visitor& visitor) { describe(copy, visitor); });
}

template <class T>
tl::expected<T, Diagnostics> read_document(const std::string& name, const std::string& text,
                                           const DocumentFacts& facts) {
  T record;
  Diagnostics diagnostics = read_described(name, text, facts, [&record](models::Visitor& visitor) {
    record = T{};
    describe(record, visitor);
  });
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return record;
}

template <class T>
nlohmann::ordered_json document_schema(const std::string& id, const std::string& title) {
  T fresh{};
  nlohmann::ordered_json schema =
      record_schema([&fresh](models::Visitor& visitor) { describe(fresh, visitor); }, id, title);
  schema["properties"].erase("extends");
  schema["properties"].erase("replaces");
  return schema;
}

}  // namespace headrace::scenarios
