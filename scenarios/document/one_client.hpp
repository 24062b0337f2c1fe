// What a benchmark on one machine got of a store that serves many: the share of one client, and no figure of the store.
#pragma once

#include <string_view>

#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

/// Of a calibration's parameter: one machine measured it.
inline constexpr std::string_view kOneClientFlag = "one_client";

/// Rates of shared stores that carry the flag are known as assumed from here on, not as measured: the whole store may
/// give more. Local drives keep theirs. `inlined` has the catalogue's figures in place.
void doubt_shares_of_stores(Node& inlined);

}  // namespace headrace::scenarios
