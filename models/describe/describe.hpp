// The vocabulary in which a record tells each of its parameters once. A record is a plain struct with default member
// initialisers and one function beside it, found by argument-dependent lookup and defined in the record's source file:
//
//   struct Nic {
//     double bandwidth_bytes_per_s = 50e9;
//     std::int64_t ports = 1;
//   };
//   void describe(Nic& nic, Visitor& v) {
//     v.quantity("bandwidth", nic.bandwidth_bytes_per_s, Unit::bytes_per_second,
//                {.low = 1e9, .high = 1e11, .above = 0, .evidence = Evidence::datasheet, .meaning = "line rate of one
//                port",
//                 .source = "vendor data sheet", .log_scale = true});
//     v.count("ports", nic.ports, {.low = 1, .high = 8, .min = 1, .meaning = "ports in use"});
//   }
//
// The default of a parameter is told by the member initialiser and nowhere else. Facts are designated initialisers in
// the order of struct Facts. Parse, print, schema, set and explain in scenarios/ and the forms of the desktop program
// derive from Visitor; nothing else lists parameters by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/describe/declarations.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/describe/unit.hpp"

namespace headrace::models {

/// What a reference by name points to.
enum class Kind : std::uint8_t { pool, store, tier, dataset, job, link, fabric, background };
constexpr std::string_view kind_name(Kind k) {
  constexpr std::string_view names[] = {"pool", "store", "tier", "dataset", "job", "link", "fabric", "background"};
  return names[static_cast<std::size_t>(k)];
}

/// A limit or range end that was not told.
inline constexpr double kUntold = std::numeric_limits<double>::quiet_NaN();
constexpr bool is_stated(double limit) { return limit == limit; }

/// What is known about a parameter beside its value. Numbers are in the parameter's Unit. Name the members in this
/// order.
struct Facts {
  double low = kUntold;    ///< plausible range, lower end: sliders, sweeps, input uncertainty; never an error
  double high = kUntold;   ///< plausible range, upper end
  double min = kUntold;    ///< hard limit: value >= min (lists: fewest elements)
  double above = kUntold;  ///< hard limit: value > above
  double max = kUntold;    ///< hard limit: value <= max (lists: most elements)
  double below = kUntold;  ///< hard limit: value < below
  Evidence evidence = Evidence::assumed;  ///< class of the default
  std::string_view meaning = {};          ///< one line, no full stop
  std::string_view source = {};           ///< where the default and range come from
  bool log_scale = false;                 ///< sliders and sweeps step in ratios
  bool required = false;                  ///< no default: a file must give it
  std::string_view rule = {};             ///< optional values: the named rule that fills a missing figure
  std::string_view catalogue = {};        ///< records: catalogue section whose names may stand here ("gpu")
  std::string_view singular = {};         ///< lists: key of the short form that holds one element ("job" for "jobs")
  bool decided = false;                   ///< chosen by whoever builds or configures the system: known, not estimated
  bool estimated = false;                 ///< whole numbers: nobody decides it, it is drawn where its range is stated
  bool unseen_empty = false;              ///< lists: an empty one is no part of a resolved record
  std::string_view bare = {};             ///< records: key of the number for which a bare number stands
  bool of_a_link = false;                 ///< data rates: of a network link, where "200G" means 200 Gb/s
  std::string_view copies = {};           ///< data rates: key of the count beside it that multiplies it
};

/// A list of records as a visitor sees it.
class ListAccess {
 public:
  virtual ~ListAccess() = default;
  virtual std::size_t size() const = 0;
  /// Changes the length; new elements hold their defaults.
  virtual void resize(std::size_t size) = 0;
  virtual void visit(std::size_t index, Visitor& visitor) = 0;
  /// Visits a default element that is not in the list.
  virtual void visit_default(Visitor& visitor) const = 0;
};

/// One of several named alternatives, each a record.
class VariantAccess {
 public:
  virtual ~VariantAccess() = default;
  virtual std::span<const std::string_view> names() const = 0;
  virtual std::size_t index() const = 0;
  virtual void select(std::size_t index) = 0;
  virtual void visit(Visitor& visitor) = 0;
  /// Visits the default of one alternative without selecting it.
  virtual void visit_alternative(std::size_t index, Visitor& visitor) const = 0;
  /// Told by distributions, whose first alternative is a number of this unit.
  virtual std::optional<Unit> unit() const { return std::nullopt; }
  /// Distributions: the mean, and the same law stretched; the spread keeps its ratio to the mean.
  virtual double mean() const { return kUntold; }
  virtual void scale(double /*factor*/) {}
};

/// A record that may be absent.
class OptionalAccess {
 public:
  virtual ~OptionalAccess() = default;
  virtual bool present() const = 0;
  virtual void set_present(bool present) = 0;
  /// Visits the record; only when present.
  virtual void visit(Visitor& visitor) = 0;
  virtual void visit_default(Visitor& visitor) const = 0;
};

/// An enumerator by the index of its name.
struct ChoiceAccess {
  std::vector<std::string_view> names;
  std::vector<std::string_view> meanings;
  std::size_t index = 0;  ///< in: the value before; out: the value after, when it differs
};

/// A relation between parameters that must hold.
struct ConstraintFacts {
  std::string_view relation;               ///< "cache <= device"
  std::string_view message;                ///< the relation with its numbers
  std::span<const std::string_view> keys;  ///< parameters that it joins, relative to this record ("cache/capacity")
};

/// Receives the description of a record. The public templates are the vocabulary; a visitor implements the on_
/// functions.
class Visitor {
 public:
  virtual ~Visitor() = default;

  /// A number with a physical unit. An absent optional follows the rule named in the facts.
  void quantity(std::string_view key, double& value, Unit unit, const Facts& facts) {
    on_quantity(key, value, unit, facts);
  }
  void quantity(std::string_view key, std::optional<double>& value, Unit unit, const Facts& facts) {
    on_optional_quantity(key, value, unit, facts);
  }
  /// A dimensionless number.
  template <class D>
  void number(std::string_view key, D& value, const Facts& facts) {
    quantity(key, value, Unit::one, facts);
  }
  /// A share between 0 and 1.
  template <class D>
  void fraction(std::string_view key, D& value, Facts facts) {
    limit_to_share(facts);
    quantity(key, value, Unit::fraction, facts);
  }
  /// Several numbers of one unit: ["10 ms", "12 ms"].
  void quantities(std::string_view key, std::vector<double>& values, Unit unit, const Facts& facts) {
    on_quantities(key, values, unit, facts);
  }

  /// A whole number; negative only if facts.min says so.
  template <class I>
  requires(std::is_integral_v<I> && !std::is_same_v<I, bool>) void count(std::string_view key, I& value, Facts facts) {
    auto wide = static_cast<std::int64_t>(value);
    limit_to<I>(facts);
    on_count(key, wide, facts);
    value = static_cast<I>(wide);
  }
  template <class I>
  requires(std::is_integral_v<I> && !std::is_same_v<I, bool>) void count(std::string_view key, std::optional<I>& value,
                                                                         Facts facts) {
    std::optional<std::int64_t> wide;
    if (value) wide = static_cast<std::int64_t>(*value);
    limit_to<I>(facts);
    on_optional_count(key, wide, facts);
    value = wide ? std::optional<I>(static_cast<I>(*wide)) : std::nullopt;
  }

  /// A limit: files write 0 where there is none, which is std::nullopt in the record.
  void limit(std::string_view key, std::optional<double>& value, Unit unit, Facts facts) {
    if (unit == Unit::fraction) limit_to_share(facts);
    double written = value.value_or(0.0);
    on_quantity(key, written, unit, facts);
    value = written != 0.0 ? std::optional(written) : std::nullopt;
  }
  /// The same for a whole number.
  template <class I>
  requires std::is_integral_v<I>
  void limit(std::string_view key, std::optional<I>& value, const Facts& facts) {
    I written = value.value_or(0);
    count(key, written, facts);
    value = written != 0 ? std::optional(written) : std::nullopt;
  }

  void flag(std::string_view key, bool& value, const Facts& facts) { on_flag(key, value, facts); }
  void text(std::string_view key, std::string& value, const Facts& facts) { on_text(key, value, facts); }
  /// Any JSON value, kept as its text; empty: none. For what only its reader can judge: values of other parameters.
  void json(std::string_view key, std::string& text, const Facts& facts) { on_json(key, text, facts); }
  /// Texts under keys that the file chooses: {"gpu_idle_fraction": "< 5 %"}. An empty map is left out of documents.
  void texts(std::string_view key, std::vector<NamedText>& values, const Facts& facts) { on_texts(key, values, facts); }
  /// The name by which others refer to this element; unique within its kind.
  void name(std::string_view key, std::string& value, Kind kind, const Facts& facts) {
    on_name(key, value, kind, facts);
  }
  /// The name of another element; empty means none unless facts.required.
  void reference(std::string_view key, std::string& value, Kind kind, const Facts& facts) {
    on_reference(key, value, kind, facts);
  }
  void references(std::string_view key, std::vector<std::string>& values, Kind kind, const Facts& facts) {
    on_references(key, values, kind, facts);
  }

  /// One of a few words: `v.choice("order", loader.order, {{Order::any, "any"}, {Order::in_order, "in_order"}},
  /// {...})`.
  template <class E, std::size_t N>
  void choice(std::string_view key, E& value, const ChoiceName<E> (&names)[N], const Facts& facts) {
    ChoiceAccess access;
    for (std::size_t i = 0; i < N; ++i) {
      access.names.push_back(names[i].name);
      access.meanings.push_back(names[i].meaning);
      if (names[i].value == value) access.index = i;
    }
    on_choice(key, access, facts);
    value = names[access.index].value;
  }

  template <class T>
  void record(std::string_view key, T& value, const Facts& facts) {
    on_record(key, facts, [&value](Visitor& visitor) { describe(value, visitor); });
  }

  template <class T>
  void optional_record(std::string_view key, std::optional<T>& value, const Facts& facts);

  template <class T>
  void list(std::string_view key, std::vector<T>& values, const Facts& facts);
  void list(std::string_view key, ListAccess& values, const Facts& facts) { on_list(key, values, facts); }

  /// One of several records: {"flops": {...}}. A bare scalar in a file stands for the only parameter of the first one.
  /// `v.variant("step_time", job.step_time, {"constant", "measured"}, {...})` for std::variant<Constant, Measured>.
  template <class... T>
  void variant(std::string_view key, std::variant<T...>& value, const std::string_view (&names)[sizeof...(T)],
               const Facts& facts);

  /// A number with a unit, or a distribution: "5 ms" or {"lognormal": {"mean": "5 ms", "cv": 0.3}}.
  void distribution(std::string_view key, DistributionSpec& value, Unit unit, const Facts& facts);

  /// A relation between the parameters told before it, in this record or below. `message` holds the numbers.
  void constraint(std::string_view relation, bool holds, std::string_view message,
                  std::initializer_list<std::string_view> keys) {
    on_constraint({relation, message, {keys.begin(), keys.size()}}, holds);
  }

  /// A key of the fixed shape that has no model yet: refused in files, never ignored.
  void not_modelled(std::string_view key, std::string_view meaning) { on_not_modelled(key, meaning); }

 protected:
  virtual void on_quantity(std::string_view key, double& value, Unit unit, const Facts& facts) = 0;
  virtual void on_optional_quantity(std::string_view key, std::optional<double>& value, Unit unit,
                                    const Facts& facts) = 0;
  virtual void on_quantities(std::string_view key, std::vector<double>& values, Unit unit, const Facts& facts) = 0;
  virtual void on_count(std::string_view key, std::int64_t& value, const Facts& facts) = 0;
  virtual void on_optional_count(std::string_view key, std::optional<std::int64_t>& value, const Facts& facts) = 0;
  virtual void on_flag(std::string_view key, bool& value, const Facts& facts) = 0;
  virtual void on_text(std::string_view key, std::string& value, const Facts& facts) = 0;
  virtual void on_json(std::string_view /*key*/, std::string& /*text*/, const Facts& /*facts*/) {}
  virtual void on_texts(std::string_view /*key*/, std::vector<NamedText>& /*values*/, const Facts& /*facts*/) {}
  virtual void on_name(std::string_view key, std::string& value, Kind kind, const Facts& facts) = 0;
  virtual void on_reference(std::string_view key, std::string& value, Kind kind, const Facts& facts) = 0;
  virtual void on_references(std::string_view key, std::vector<std::string>& values, Kind kind, const Facts& facts) = 0;
  virtual void on_choice(std::string_view key, ChoiceAccess& choice, const Facts& facts) = 0;
  virtual void on_record(std::string_view key, const Facts& facts, const std::function<void(Visitor&)>& visit) = 0;
  virtual void on_optional_record(std::string_view key, OptionalAccess& record, const Facts& facts) = 0;
  virtual void on_list(std::string_view key, ListAccess& list, const Facts& facts) = 0;
  virtual void on_variant(std::string_view key, VariantAccess& variant, const Facts& facts) = 0;
  virtual void on_constraint(const ConstraintFacts& constraint, bool holds) = 0;
  virtual void on_not_modelled(std::string_view key, std::string_view meaning) = 0;

 private:
  static void limit_to_share(Facts& facts) {
    if (!(facts.min > 0.0) && !(facts.above >= 0.0)) facts.min = 0.0;
    if (!(facts.max < 1.0) && !(facts.below <= 1.0)) facts.max = 1.0;
  }
  template <class I>
  static void limit_to(Facts& facts) {
    if (!(facts.min == facts.min) && !(facts.above == facts.above)) facts.min = 0.0;
    constexpr double widest = 9007199254740992.0;  // every whole number up to 2^53 survives a double
    double most = widest;
    if constexpr (sizeof(I) < 8) most = static_cast<double>(std::numeric_limits<I>::max());
    if (!(facts.max <= most) && !(facts.below <= most)) facts.max = most;
  }
};

namespace detail {

template <class T>
class VectorAccess final : public ListAccess {
 public:
  explicit VectorAccess(std::vector<T>& values) : values_(values) {}
  std::size_t size() const override { return values_.size(); }
  void resize(std::size_t size) override { values_.resize(size); }
  void visit(std::size_t index, Visitor& visitor) override { describe(values_[index], visitor); }
  void visit_default(Visitor& visitor) const override {
    T fresh{};
    describe(fresh, visitor);
  }

 private:
  std::vector<T>& values_;
};

template <class T>
class StdOptionalAccess final : public OptionalAccess {
 public:
  explicit StdOptionalAccess(std::optional<T>& value) : value_(value) {}
  bool present() const override { return value_.has_value(); }
  void set_present(bool present) override {
    if (present && !value_) value_.emplace();
    if (!present) value_.reset();
  }
  void visit(Visitor& visitor) override { describe(*value_, visitor); }
  void visit_default(Visitor& visitor) const override {
    T fresh{};
    describe(fresh, visitor);
  }

 private:
  std::optional<T>& value_;
};

template <class... T>
class StdVariantAccess final : public VariantAccess {
 public:
  StdVariantAccess(std::variant<T...>& value, std::span<const std::string_view> names) : value_(value), names_(names) {}
  std::span<const std::string_view> names() const override { return names_; }
  std::size_t index() const override { return value_.index(); }
  void select(std::size_t index) override {
    if (index == value_.index()) return;
    select_from(index, std::index_sequence_for<T...>{});
  }
  void visit(Visitor& visitor) override {
    std::visit([&visitor](auto& alternative) { describe(alternative, visitor); }, value_);
  }
  void visit_alternative(std::size_t index, Visitor& visitor) const override {
    std::variant<T...> fresh;
    StdVariantAccess access(fresh, names_);
    access.select(index);
    access.visit(visitor);
  }

 private:
  template <std::size_t... I>
  void select_from(std::size_t index, std::index_sequence<I...>) {
    ((I == index ? static_cast<void>(value_.template emplace<I>()) : static_cast<void>(0)), ...);
  }

  std::variant<T...>& value_;
  std::span<const std::string_view> names_;
};

}  // namespace detail

template <class T>
void Visitor::optional_record(std::string_view key, std::optional<T>& value, const Facts& facts) {
  detail::StdOptionalAccess<T> access(value);
  on_optional_record(key, access, facts);
}

template <class T>
void Visitor::list(std::string_view key, std::vector<T>& values, const Facts& facts) {
  detail::VectorAccess<T> access(values);
  on_list(key, access, facts);
}

template <class... T>
void Visitor::variant(std::string_view key, std::variant<T...>& value, const std::string_view (&names)[sizeof...(T)],
                      const Facts& facts) {
  detail::StdVariantAccess<T...> access(value, names);
  on_variant(key, access, facts);
}

}  // namespace headrace::models
