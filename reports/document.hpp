// Reading documents that other versions may have written: what is missing reads as nothing.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace headrace::reports {

using Document = nlohmann::ordered_json;

/// The member of a document at `key`; null where there is none.
const Document& at(const Document& object, const char* key);

/// An element of a list; null where there is none.
const Document& element_at(const Document& list, std::size_t index);

/// JSON pointer of the value of `root` that `at` or `element_at` gave last in this thread: where reading stopped when
/// the document is not what a page needs. Empty: the whole document.
std::string last_read(const Document& root);

/// A number of the document at `key`, or not-a-number.
double number_at(const Document& object, const char* key);

/// A number of the document at `key`, where there is one.
std::optional<double> optional_at(const Document& object, const char* key);

/// A text of the document at `key`, or nothing.
std::string text_at(const Document& object, const char* key);

struct Ends {
  double low = 0.0;
  double high = 0.0;
};

/// Whether the document has an interval at `key`, and its ends.
bool has_interval(const Document& object, const char* key);
std::optional<Ends> interval_ends_at(const Document& object, const char* key);

}  // namespace headrace::reports
