// Names of stores, pools, datasets and jobs in one document, and the references to them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/describe/describe.hpp"
#include "scenarios/document/value_reader.hpp"

namespace headrace::scenarios {

struct NamedPlace {
  models::Kind kind;
  std::string name;
  std::string pointer;
  Place place;
};

class NameTable {
 public:
  /// Complains (E0212) where an element of the same kind has the name already.
  void add(ValueReader& reader, NamedPlace name);
  void refer(NamedPlace reference) { references_.push_back(std::move(reference)); }
  /// The name of an element that was complained about, and could not be read.
  void excuse(const std::string& name) { excused_.insert(name); }
  /// Complains (E0211) about references to names that nothing has; call it when all names are added.
  void check(ValueReader& reader) const;

 private:
  std::vector<NamedPlace> names_;
  std::map<std::pair<models::Kind, std::string>, std::size_t> numbers_;  ///< where in names_
  std::vector<NamedPlace> references_;
  std::set<std::string> excused_;
};

}  // namespace headrace::scenarios
