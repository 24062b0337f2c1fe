// One include for Catch2 version 2 (Debian 12) and version 3 (Debian 13, Ubuntu 24.04).
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>

namespace Catch::Matchers {

/// The name of version 3, in which Contains() looks for an element of a range.
inline StdString::ContainsMatcher ContainsSubstring(const std::string& part) { return Contains(part); }

}  // namespace Catch::Matchers
#endif
