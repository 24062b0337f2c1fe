// A layer of headrace calibrate or headrace import measures a store, pool, job or dataset that the scenario has. A name
// that no scenario file has would add an element that nothing uses, and the measured figures would change no answer.
#pragma once

#include <string>
#include <vector>

#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

class MeasuredNames {
 public:
  /// The names of one file; `measured` if it holds the record of a measurement.
  void add(const Node& file, bool measured);
  /// Adds E0211 for each measured name that no other file has and nothing in the composed document refers to.
  void check(const Node& document, const Sources& sources, Diagnostics& diagnostics) const;

 private:
  struct Name {
    std::size_t list;  ///< index of the list of elements
    std::string name;
    Place place;
  };
  std::vector<Name> measured_;
  std::vector<Name> stated_;
};

}  // namespace headrace::scenarios
