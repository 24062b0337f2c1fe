// Errors that grew from one version of the models to the next, on the same rows: none may but those that were accepted,
// each with its reason (tests/validation/data/accepted_worsenings.csv).
#pragma once

#include <string>
#include <vector>

namespace headrace::testing {

struct Worsening {
  std::string model_version;  ///< in which it grew
  std::string data_set;
  std::string quantity;
  std::string split;
  std::string unit;
  std::string figure;  ///< median, mean
  double before = 0.0;
  double after = 0.0;
};

/// Of a model version against the one before it in the history: medians and means of the same data set, quantity, split
/// and count of rows that grew by more than the rounding of the page.
std::vector<Worsening> worsenings(const std::string& history, const std::string& model_version);

struct AcceptedWorsening {
  std::string model_version;
  std::string data_set;
  std::string quantity;
  std::string split;
  std::string figure;
  double at_most = 0.0;  ///< error that was accepted
  std::string reason;

  bool covers(const Worsening& worsening) const;
};
std::vector<AcceptedWorsening> read_accepted_worsenings(const std::string& csv);

/// One line for each that no acceptance covers, and for each acceptance of that version that covers none.
std::vector<std::string> unaccepted(const std::vector<Worsening>& grown, const std::vector<AcceptedWorsening>& accepted,
                                    const std::string& model_version);

/// Markdown: what is held, and the accepted ones with their reasons.
std::string worsenings_section(const std::vector<Worsening>& grown, const std::vector<AcceptedWorsening>& accepted);

}  // namespace headrace::testing
