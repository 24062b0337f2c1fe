// Resolves a document into records: reads what a description asks for, collects every complaint in one pass, checks
// names, references and constraints, and brings short forms into the full shape.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/describe/describe.hpp"
#include "scenarios/document/catalogue.hpp"
#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

/// What happens to catalogue names.
enum class Names { keep, look_up };

/// Describes a fresh record to a visitor: `[&](auto& v) { describe(scenario, v); }`.
using DescribeFunction = std::function<void(models::Visitor&)>;

/// Where a document has a key that is unknown at its place ("/jobs/0/checkpoint"); empty: nowhere, or in many places.
using PlaceOfKey = std::function<std::string(std::string_view key)>;

/// Reads `root` into the record that `describe_record` describes; complaints are added to `diagnostics`. The document
/// is rewritten on the way: a single element stands in its list, a catalogue name becomes {"catalogue": name}
/// (Names::keep) or the figures of the entry under the values given beside it (Names::look_up, adds to `sources`).
void parse_record(Node& root, Sources& sources, const Catalogue& catalogue, Names names,
                  const DescribeFunction& describe_record, Diagnostics& diagnostics, const PlaceOfKey& elsewhere = {});

/// Lays the later document over the earlier one: objects merge, lists of named objects merge by "name", anything else
/// is replaced. An object laid over a catalogue name keeps the name unless it has its own.
void lay_over(Node& base, const Node& over);

}  // namespace headrace::scenarios
