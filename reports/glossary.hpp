// The terms of docs/glossary.md for a terminal.
#pragma once

#include <string>
#include <vector>

namespace headrace::reports {

struct GlossaryTerm {
  std::string name;     ///< "peer wait"; every name of a row that has several is a term of its own
  std::string meaning;  ///< plain text, one or more sentences
  std::string used_in;  ///< plain text: metrics, keys, pages
};

/// In the order of the glossary, without the words that it replaces.
const std::vector<GlossaryTerm>& glossary();

/// Lower case, with blanks for underscores and hyphens: "Peer-wait" and "peer_wait" are the same word.
std::string plain_word(std::string_view name);

}  // namespace headrace::reports
