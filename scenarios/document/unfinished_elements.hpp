// A layer changes the element of a list that has the same name. Under another name it adds an element, which then lacks
// what the layer did not mean to state.
#pragma once

#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

/// For each element that a layer adds and leaves unfinished: one complaint, with the names that are there, in place of
/// one for every key that is missing.
Diagnostics of_unfinished_elements(const Node& document, const Sources& sources, const Diagnostics& diagnostics);

}  // namespace headrace::scenarios
