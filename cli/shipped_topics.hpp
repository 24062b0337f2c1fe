// What `headrace explain` says about the scenarios and spaces that the program carries.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::cli {

/// A shipped file that can be named on the command line.
struct ShippedFile {
  std::string_view kind;  ///< "scenario", "space"
  std::string_view name;  ///< "image-node"
  std::string title;
  std::string remark;  ///< what it is about and where its figures are from; may be empty
};

/// Scenarios, then spaces, by name; read once.
const std::vector<ShippedFile>& shipped_files();

/// Name and title of each.
std::string shipped_listing();
nlohmann::ordered_json shipped_listing_json();

/// Title, remark and the command that answers it, in lines that begin with blanks.
std::string shipped_text(const ShippedFile& file);

}  // namespace headrace::cli
