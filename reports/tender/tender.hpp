// The tender pack of a store: requirements, workload, limits layer by layer, acceptance tests, scoring sheet.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace headrace::reports {

/// What a tender does not say.
struct Redaction {
  bool prices = false;  ///< limits on money
  bool names = false;   ///< of the system, its stores, jobs and datasets
};

/// A part of a section: words, a table, or text to be copied into a file or a shell.
struct TenderBlock {
  enum class Kind : std::uint8_t { words, table, code } kind = Kind::words;
  std::string text;                    ///< words, code, or the caption of a table
  std::string language = {};           ///< of code: "ini", "sh"
  std::vector<std::string> head = {};  ///< of a table
  std::vector<std::vector<std::string>> rows = {};
};

struct TenderSection {
  std::string id;
  std::string title;
  std::vector<TenderBlock> blocks;
};

struct Tender {
  std::string title;
  std::string summary;
  std::vector<TenderSection> sections;
};

/// Of a document of `plan --require --json` for which some store is enough.
Tender tender_of(const nlohmann::ordered_json& requirements, const Redaction& redaction);

std::string tender_markdown(const Tender& tender);
std::string tender_page(const Tender& tender);

}  // namespace headrace::reports
