// SHA-256 (FIPS 180-4), for the fingerprint of a resolved scenario. Not for secrets.
#pragma once

#include <string>
#include <string_view>

namespace headrace::scenarios {

/// Digest as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace headrace::scenarios
