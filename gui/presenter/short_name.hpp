// A parameter as people call it.
#pragma once

#include <string>

namespace headrace::gui {

/// "loader workers" of "/jobs/0/loader/workers", "stores 1 bandwidth" of "/stores/1/bandwidth".
std::string short_name(const std::string& pointer);

}  // namespace headrace::gui
