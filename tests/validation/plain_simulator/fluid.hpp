// Flows that share capacities: bytes over a store and the links of nodes, core seconds over cores. Rates are max-min
// fair, by progressive filling (D. Bertsekas and R. Gallager, Data Networks, 2nd ed., 1992, section 6.5.2): all flows
// rise alike, until one has all that it can take or a capacity is used up.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace headrace::plain {

class Fluid {
 public:
  /// What a flow takes of a capacity, per unit of the flow.
  struct Use {
    std::size_t capacity;
    double cost = 1.0;
  };

  std::size_t add_capacity(double per_s);
  /// `most_per_s`: what the flow takes when it is alone. `done` is called at its end.
  void start(double amount, double most_per_s, std::vector<Use> uses, std::function<void()> done);

  /// Seconds until the next flow ends; infinite without any.
  double until_end_s();
  void advance(double elapsed_s);
  /// Ends the flow that until_end_s() spoke of and returns what is to be done then.
  std::function<void()> end_first();

 private:
  struct Flow {
    double left;
    double most_per_s;
    std::vector<Use> uses;
    std::function<void()> done;
    double per_s = 0.0;
    bool fixed = false;
  };

  void share();
  double level_of_fullest() const;
  void fix_at(double level);

  std::vector<double> capacities_;
  std::vector<double> free_;    ///< of each capacity, beside flows whose rate is fixed
  std::vector<double> rising_;  ///< cost of the others, per capacity
  std::vector<Flow> flows_;
  std::size_t first_ = 0;
  bool is_shared_ = false;
};

}  // namespace headrace::plain
