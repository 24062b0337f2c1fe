// What an importer makes is read as a scenario before it is written: a layer that every scenario refuses helps nobody.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "scenarios/document/diagnostic.hpp"
#include "scenarios/importers/import_options.hpp"

namespace headrace::scenarios {

/// Reads a layer over the scenario that it extends; without one, over a shipped scenario whose store, pool, job and
/// dataset have the names of the options, and then what that one lacks is no complaint. `name` is the file that it will
/// be: what it extends is looked for from there.
Diagnostics check_layer(const std::string& name, const std::string& text, const ImportOptions& options);

/// The same for figures of a measurement. A part for which the scenario lacks something, such as failures where no job
/// has checkpoints, is taken out of the layer, and a note says what the scenario must have; the record keeps it.
Diagnostics fit_layer(const std::string& name, Imported& imported, const ImportOptions& options);

}  // namespace headrace::scenarios
