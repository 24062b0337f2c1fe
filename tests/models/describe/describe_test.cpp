// Proves the vocabulary on one record that has a variant, a list, an optional record and a constraint, before any model
// uses it: a visitor that writes down what it is told and one that changes values.
#include "models/describe/describe.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace headrace::models {
namespace {

struct Drive {
  std::string name = "drive";
  double capacity_bytes = 4e12;
};
template <class V>
void describe(Drive& drive, V& v) {
  v.name("name", drive.name, Kind::tier, {.meaning = "name"});
  v.quantity("capacity", drive.capacity_bytes, Unit::bytes, {.above = 0, .meaning = "usable bytes", .log_scale = true});
}

struct Fixed {
  double time_s = 0.2;
};
template <class V>
void describe(Fixed& fixed, V& v) {
  v.quantity("time", fixed.time_s, Unit::seconds, {.min = 0, .meaning = "time per step"});
}
struct Roofline {
  double flop = 1e12;
  double efficiency = 0.4;
};
template <class V>
void describe(Roofline& roofline, V& v) {
  v.quantity("flop", roofline.flop, Unit::flop, {.above = 0});
  v.fraction("efficiency", roofline.efficiency, {.above = 0});
}

enum class Order { any, in_order };
struct Loader {
  int workers = 8;
  std::optional<double> cache_bytes;
  Order order = Order::in_order;
  std::variant<Fixed, Roofline> step_time;
  std::vector<Drive> drives = {Drive{}};
  std::optional<Drive> spare;
  DistributionSpec latency = DistributionSpec::constant(0.005);
};
template <class V>
void describe(Loader& loader, V& v) {
  v.count("workers", loader.workers,
          {.low = 1, .high = 64, .min = 1, .evidence = Evidence::published, .meaning = "workers"});
  v.quantity("cache", loader.cache_bytes, Unit::bytes, {.min = 0, .meaning = "cache", .rule = "none without a figure"});
  v.choice("order", loader.order, {{Order::any, "any"}, {Order::in_order, "in_order"}}, {.meaning = "delivery order"});
  v.variant("step_time", loader.step_time, {"constant", "roofline"}, {.meaning = "time of a step"});
  v.list("drives", loader.drives, {.min = 1, .meaning = "local drives", .singular = "drive"});
  v.optional_record("spare", loader.spare, {.meaning = "spare drive"});
  v.distribution("latency", loader.latency, Unit::seconds, {.min = 0, .meaning = "latency"});
  double capacity = 0.0;
  for (const Drive& drive : loader.drives) capacity += drive.capacity_bytes;
  v.constraint("cache <= drives", loader.cache_bytes.value_or(0.0) <= capacity, "the cache is larger than the drives",
               {"cache", "drives"});
  v.not_modelled("faults", "failures of the loader");
}

/// Writes down each call; with `numbers` set, replaces quantities by path.
class Recorder : public Visitor {
 public:
  std::vector<std::string> lines;
  std::map<std::string, double> numbers;

 protected:
  void put(std::string_view key, const std::string& text) { lines.push_back(path_ + std::string(key) + " " + text); }
  void within(std::string_view key, const std::function<void()>& visit) {
    const std::string outer = path_;
    path_ += std::string(key) + "/";
    visit();
    path_ = outer;
  }
  void on_quantity(std::string_view key, double& value, Unit, const Facts&) override {
    if (const auto it = numbers.find(path_ + std::string(key)); it != numbers.end()) value = it->second;
    put(key, "quantity");
  }
  void on_optional_quantity(std::string_view key, std::optional<double>& value, Unit, const Facts& facts) override {
    if (const auto it = numbers.find(path_ + std::string(key)); it != numbers.end()) value = it->second;
    put(key, "optional (" + std::string(facts.rule) + ")");
  }
  void on_quantities(std::string_view key, std::vector<double>&, Unit, const Facts&) override {
    put(key, "quantities");
  }
  void on_count(std::string_view key, std::int64_t& value, const Facts& facts) override {
    put(key, "count " + std::to_string(value) + " " + std::string(evidence_name(facts.evidence)));
  }
  void on_optional_count(std::string_view key, std::optional<std::int64_t>&, const Facts&) override {
    put(key, "count?");
  }
  void on_flag(std::string_view key, bool&, const Facts&) override { put(key, "flag"); }
  void on_text(std::string_view key, std::string&, const Facts&) override { put(key, "text"); }
  void on_name(std::string_view key, std::string& value, Kind kind, const Facts&) override {
    put(key, "name " + value + " of a " + std::string(kind_name(kind)));
  }
  void on_reference(std::string_view key, std::string&, Kind, const Facts&) override { put(key, "reference"); }
  void on_references(std::string_view key, std::vector<std::string>&, Kind, const Facts&) override {
    put(key, "references");
  }
  void on_choice(std::string_view key, ChoiceAccess& choice, const Facts&) override {
    put(key, std::string(choice.names[choice.index]) + " of " + std::to_string(choice.names.size()));
    choice.index = 0;
  }
  void on_record(std::string_view key, const Facts&, const std::function<void(Visitor&)>& visit) override {
    within(key, [&] { visit(*this); });
  }
  void on_optional_record(std::string_view key, OptionalAccess& record, const Facts&) override {
    put(key, record.present() ? "present" : "absent");
    record.set_present(true);
    within(key, [&] { record.visit(*this); });
  }
  void on_list(std::string_view key, ListAccess& list, const Facts& facts) override {
    put(key, "list of " + std::to_string(list.size()) + " or " + std::string(facts.singular));
    for (std::size_t i = 0; i < list.size(); ++i) {
      within(key, [&] { within(std::to_string(i), [&] { list.visit(i, *this); }); });
    }
  }
  void on_variant(std::string_view key, VariantAccess& variant, const Facts&) override {
    put(key, "is " + std::string(variant.names()[variant.index()]));
    within(key, [&] { variant.visit(*this); });
  }
  void on_constraint(const ConstraintFacts& constraint, bool holds) override {
    put(constraint.relation, (holds ? "holds for " : "fails for ") + std::string(constraint.keys[0]));
  }
  void on_not_modelled(std::string_view key, std::string_view) override { put(key, "not modelled"); }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("a record tells each parameter once, in order") {
  Loader loader;
  Recorder recorder;
  describe(loader, recorder);
  const std::vector<std::string> expected = {"workers count 8 published",
                                             "cache optional (none without a figure)",
                                             "order in_order of 2",
                                             "step_time is constant",
                                             "step_time/time quantity",
                                             "drives list of 1 or drive",
                                             "drives/0/name name drive of a tier",
                                             "drives/0/capacity quantity",
                                             "spare absent",
                                             "spare/name name drive of a tier",
                                             "spare/capacity quantity",
                                             "latency is constant",
                                             "latency/value quantity",
                                             "cache <= drives holds for cache",
                                             "faults not modelled"};
  CHECK(recorder.lines == expected);
  CHECK(loader.order == Order::any);
  CHECK(loader.spare.has_value());
}

TEST_CASE("a visitor writes values through the description and constraints see them") {
  Loader loader;
  loader.step_time = Roofline{};
  Recorder recorder;
  recorder.numbers = {{"cache", 5e12}, {"drives/0/capacity", 1e12}, {"step_time/efficiency", 0.5}};
  describe(loader, recorder);
  CHECK(loader.cache_bytes == 5e12);
  CHECK(loader.drives[0].capacity_bytes == 1e12);
  CHECK(std::get<Roofline>(loader.step_time).efficiency == 0.5);
  CHECK(recorder.lines[recorder.lines.size() - 2] == "cache <= drives fails for cache");
}

TEST_CASE("variants and lists offer their defaults without changing the value") {
  std::variant<Fixed, Roofline> step = Fixed{0.7};
  const std::string_view names[] = {"constant", "roofline"};
  detail::StdVariantAccess<Fixed, Roofline> access(step, names);
  Recorder recorder;
  access.visit_alternative(1, recorder);
  CHECK(recorder.lines == std::vector<std::string>{"flop quantity", "efficiency quantity"});
  CHECK(std::get<Fixed>(step).time_s == 0.7);
  access.select(0);
  CHECK(std::get<Fixed>(step).time_s == 0.7);
  access.select(1);
  CHECK(std::get<Roofline>(step).flop == 1e12);
}

TEST_CASE("means of stated distributions") {
  CHECK(mean_of(DistributionSpec::constant(3)) == 3);
  CHECK(mean_of(DistributionSpec::uniform(1, 3)) == 2);
  CHECK(mean_of(DistributionSpec::pareto(1, 3)) == Approx(1.5));
  CHECK(std::isinf(mean_of(DistributionSpec::pareto(1, 1))));
  DistributionSpec table;
  table.family = Family::empirical;
  table.quantiles = {{0, 0}, {0.5, 2}, {1, 2}};
  CHECK(mean_of(table) == 1.5);
  DistributionSpec mixture;
  mixture.family = Family::mixture;
  mixture.parts = {{1, DistributionSpec::constant(1)}, {3, table}};
  CHECK(mean_of(mixture) == Approx(1.375));
}

TEST_CASE("every family is described") {
  DistributionSpec spec;
  spec.quantiles = {{0, 1}, {1, 2}};
  spec.parts = {{1, DistributionSpec::constant(1)}};
  for (int family = 0; family < 9; ++family) {
    spec.family = static_cast<Family>(family);
    Recorder recorder;
    recorder.distribution("latency", spec, Unit::seconds, {.min = 0});
    INFO(family);
    CHECK(recorder.lines.size() >= 2);
  }
}

namespace {

struct Limited {
  std::optional<double> bytes_per_s;
  std::optional<double> share;
  std::optional<std::uint64_t> servers;
};
template <class V>
void describe(Limited& limited, V& v) {
  v.limit("bandwidth", limited.bytes_per_s, Unit::bytes_per_second, {.min = 0});
  v.limit("share", limited.share, Unit::fraction, {});
  v.limit("servers", limited.servers, {});
}

}  // namespace

TEST_CASE("visitors see a limit as a number, which is 0 where the record has none") {
  Limited limited;
  limited.servers = 3;
  Recorder recorder;
  recorder.numbers = {{"bandwidth", 25e9}};
  describe(limited, recorder);
  CHECK(recorder.lines == std::vector<std::string>{"bandwidth quantity", "share quantity", "servers count 3 assumed"});
  CHECK(limited.bytes_per_s == 25e9);
  CHECK(!limited.share);
  CHECK(limited.servers == std::uint64_t{3});
  recorder.numbers = {{"bandwidth", 0.0}, {"share", 0.5}};
  describe(limited, recorder);
  CHECK(!limited.bytes_per_s);
  CHECK(limited.share == 0.5);
  limited.servers.reset();
  recorder.lines.clear();
  describe(limited, recorder);
  CHECK(recorder.lines.back() == "servers count 0 assumed");
  CHECK(!limited.servers);
}

}  // namespace headrace::models
