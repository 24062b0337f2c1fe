// Everything that a question to Headrace consists of. The shape grows, it is not reshaped: what has no model yet is
// named here and refused, never ignored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/describe/declarations.hpp"
#include "models/spec/background.hpp"
#include "models/spec/campaign.hpp"
#include "models/spec/dataset.hpp"
#include "models/spec/fabric.hpp"
#include "models/spec/faults.hpp"
#include "models/spec/input_range.hpp"
#include "models/spec/job.hpp"
#include "models/spec/plan_request.hpp"
#include "models/spec/pool.hpp"
#include "models/spec/price.hpp"
#include "models/spec/store.hpp"

namespace headrace::models {

struct Cluster {
  std::vector<Pool> pools;
};

struct Scenario {
  // Defined out of line, or every source that copies a scenario would compile the copies of all its parts.
  Scenario();
  Scenario(const Scenario& other);
  Scenario(Scenario&& other) noexcept;
  Scenario& operator=(const Scenario& other);
  Scenario& operator=(Scenario&& other) noexcept;
  ~Scenario();

  std::string title;
  Cluster cluster;
  Fabric fabric;
  std::vector<Store> stores;
  std::vector<Dataset> datasets;
  std::vector<Job> jobs;
  std::vector<Background> background;
  Prices prices;
  std::optional<Faults> faults;
  std::optional<Campaign> campaign;  ///< of `headrace campaign`; nothing else reads it
  std::vector<InputRange> input_ranges;
  std::vector<NamedText> slo;  ///< by metric: "< 5 %"; scenarios/document/thresholds.hpp reads them

  // What `headrace plan` is asked; nothing else reads it.
  std::vector<Decision> decide;
  std::vector<HoldUnder> must_hold_under;
  std::optional<PlanObjective> objective;
  std::optional<SubjectTo> subject_to;
};

namespace detail {

template <class T>
const T* find_by_name(const std::vector<T>& values, const std::string& name) {
  for (const T& value : values)
    if (value.name == name) return &value;
  return nullptr;
}

}  // namespace detail

void describe(Cluster& c, Visitor& v);
void describe(Scenario& s, Visitor& v);

}  // namespace headrace::models
