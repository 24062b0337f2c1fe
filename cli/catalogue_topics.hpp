// What `headrace explain` says about the catalogue: its sections, and each item with its figures.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/document/catalogue.hpp"

namespace headrace::cli {

/// Every item, section by section.
std::string catalogue_listing(const scenarios::Catalogue& catalogue);
nlohmann::ordered_json catalogue_listing_json(const scenarios::Catalogue& catalogue);

/// Each figure of an item with its range, evidence, date and source; empty when the section has no such item.
std::string catalogue_item(const scenarios::Catalogue& catalogue, std::string_view section, std::string_view name);
nlohmann::ordered_json catalogue_item_json(const scenarios::Catalogue& catalogue, std::string_view section,
                                           std::string_view name);

}  // namespace headrace::cli
