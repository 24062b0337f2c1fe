// Reads single values of a document: quantities with units, whole numbers and texts, each within its limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/describe/describe.hpp"
#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

/// Every complaint goes to the diagnostics, with its place; the value is then nullopt.
class ValueReader {
 public:
  ValueReader(const Sources& sources, Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}

  /// `constraint`: name of the one that is broken.
  void complain(std::string_view code, const std::string& pointer, const Place& place, std::string message,
                std::string help, std::string_view constraint = {});
  /// A complaint that also shows the place of the other element; the value keeps what it is.
  void complain_about_both(std::string_view code, const std::string& pointer, const Place& place, const Place& other,
                           std::string message, std::string help);
  /// Whether a complaint would only be counted.
  bool is_full() const { return diagnostics_.is_full(); }
  /// In a file that is laid over another.
  bool is_in_layer(const Place& place) const { return place.known() && sources_[place.source].layer > 0; }
  void wrong_type(const Node& node, const std::string& pointer, std::string_view expected, std::string help = {});

  std::optional<double> read_quantity(const Node& node, const std::string& pointer, models::Unit unit,
                                      const models::Facts& facts);
  std::optional<std::int64_t> read_count(const Node& node, const std::string& pointer, const models::Facts& facts);
  std::optional<std::string> read_string(const Node& node, const std::string& pointer, std::string_view expected);

  /// Complains about a text where a number, or true or false, is needed.
  void not_plain(const Node& node, const std::string& pointer, std::string_view expected);

  /// What follows from a complaint that comes later is none of its own.
  void count_as_wrong(const std::string& pointer) { wrong_.push_back(pointer); }

  /// Pointers of everything complained about.
  const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  bool within_limits(double value, const Node& node, const std::string& pointer, models::Unit unit,
                     const models::Facts& facts, bool whole);

  const Sources& sources_;
  Diagnostics& diagnostics_;
  std::vector<std::string> wrong_;
};

}  // namespace headrace::scenarios
