// What the sections of a tender read from a document of requirements.
#pragma once

#include <optional>
#include <string>

#include "reports/document.hpp"
#include "reports/tender/tender.hpp"

namespace headrace::reports {

struct TenderFacts {
  const Document& document;
  Redaction redaction;

  /// The figure that is asked for; nothing where it is not required.
  std::optional<double> asked(const char* figure) const;
  const Document& workload() const { return at(document, "workload"); }
  /// Names, or "job 1", "dataset 1", "the store".
  std::string job(const std::string& name) const;
  std::string dataset(std::size_t index) const;
  std::string store() const;
  std::string title() const;
  /// A limit in words, without what is redacted.
  std::string limit(const Document& limit) const;
  bool is_object_store() const;
  /// Reads of a client, of all jobs together.
  double clients() const;
};

TenderSection acceptance_section(const TenderFacts& facts);

TenderBlock words_block(std::string text);
TenderBlock code_block(std::string language, std::string text);

}  // namespace headrace::reports
