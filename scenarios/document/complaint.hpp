// A complaint about a place in a file, put together from its parts.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "scenarios/document/diagnostic.hpp"

namespace headrace::scenarios {

inline Diagnostic complaint_at(const Sources& sources, const Place& place, std::string_view code, std::string pointer,
                               std::string message, std::string help) {
  Diagnostic d;
  d.code = std::string(code);
  d.message = std::move(message);
  d.pointer = std::move(pointer);
  d.where = excerpt_at(sources, place);
  d.help = std::move(help);
  return d;
}

}  // namespace headrace::scenarios
