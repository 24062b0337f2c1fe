#include "scenarios/planner/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/path/ingest_path.hpp"
#include "scenarios/document/complaint.hpp"
#include "scenarios/document/units.hpp"
#include "scenarios/planner/advice.hpp"

namespace headrace::scenarios {
namespace {

class DecisionReader {
 public:
  explicit DecisionReader(const LoadedScenario& loaded) : loaded_(loaded), sources_(*loaded.composition.sources) {}

  tl::expected<std::vector<PlanAxis>, Diagnostics> read(std::span<const std::string> flags) {
    for (const std::string& flag : flags) read_flag(flag);
    read_file();
    if (axes_.empty() && diagnostics_.empty()) choose();
    if (!diagnostics_.empty()) return tl::unexpected(std::move(diagnostics_));
    tell_apart();
    return std::move(axes_);
  }

 private:
  void complain(std::string_view code, std::string pointer, const Place& place, std::string message, std::string help) {
    diagnostics_.add(complaint_at(sources_, place, code, std::move(pointer), std::move(message), std::move(help)));
  }

  /// The last words of a pointer; a position stands with the list that it is in: "stores/0/bandwidth".
  static std::string last_words(const std::string& pointer, std::size_t count) {
    std::size_t begin = pointer.size();
    for (std::size_t words = 0; words < count && begin > 0; ++words) {
      begin = pointer.rfind('/', begin - 1);
      while (begin > 0 && pointer[begin + 1] >= '0' && pointer[begin + 1] <= '9') begin = pointer.rfind('/', begin - 1);
    }
    return pointer.substr(begin + (begin < pointer.size() ? 1 : 0));
  }

  /// Decisions of one name get more words of their pointers, until they differ.
  void tell_apart() {
    const std::size_t most = 8;
    for (std::size_t count = 2; count <= most; ++count) {
      std::vector<std::size_t> alike;
      for (std::size_t a = 0; a < axes_.size(); ++a)
        for (std::size_t b = 0; b < axes_.size(); ++b)
          if (a != b && axes_[a].name() == axes_[b].name()) {
            alike.push_back(a);
            break;
          }
      if (alike.empty()) return;
      for (const std::size_t a : alike)
        axes_[a].axis.name = last_words(axes_[a].axis.parameters.front().pointer, count);
    }
  }

  void read_file() {
    const std::size_t of_flags = axes_.size();
    const Node* list = find_at(loaded_.composition.document, "/decide");
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const std::string pointer = fmt::format("/decide/{}", i);
      std::optional<PlanAxis> axis = read_decision(list->items[i], pointer);
      if (!axis) continue;
      const bool replaced = std::any_of(axes_.begin(), axes_.begin() + static_cast<std::ptrdiff_t>(of_flags),
                                        [&](const PlanAxis& flag) { return shared_parameter(flag, *axis) != nullptr; });
      if (!replaced) add(std::move(*axis), pointer);
    }
  }

  std::optional<PlanAxis> read_decision(Node node, const std::string& pointer) {
    Node with;
    for (const Member& member : node.members)
      if (member.key == "with") with = member.value;
    std::erase_if(node.members, [](const Member& member) { return member.key == "with"; });
    PlanAxis axis;
    if (auto read = read_axis(node, pointer, sources_, diagnostics_))
      axis.axis = std::move(*read);
    else
      return std::nullopt;
    if (with.items.empty()) add_knee(node, axis);
    for (std::size_t i = 0; i < with.items.size(); ++i) {
      const std::string at = fmt::format("{}/with/{}", pointer, i);
      auto linked = read_axis(with.items[i], at, sources_, diagnostics_, AxisForm::linked);
      if (!linked) return std::nullopt;
      if (linked->size() != axis.size()) {
        complain("E0507", at, linked->place,
                 fmt::format("{} values follow {} values of the decision", linked->size(), axis.size()),
                 "give one value for each value of the decision, in the same order");
        return std::nullopt;
      }
      axis.with.push_back(std::move(*linked));
    }
    return axis;
  }

  /// A parameter that both set, or nullptr.
  static const AxisParameter* shared_parameter(const PlanAxis& a, const PlanAxis& b) {
    const auto find_in = [](const Axis& one, const PlanAxis& other) -> const AxisParameter* {
      for (const AxisParameter& parameter : one.parameters) {
        const auto same = [&](const AxisParameter& p) { return p.pointer == parameter.pointer; };
        if (std::any_of(other.axis.parameters.begin(), other.axis.parameters.end(), same)) return &parameter;
        for (const Axis& linked : other.with)
          if (std::any_of(linked.parameters.begin(), linked.parameters.end(), same)) return &parameter;
      }
      return nullptr;
    };
    if (const AxisParameter* found = find_in(a.axis, b)) return found;
    for (const Axis& linked : a.with)
      if (const AxisParameter* found = find_in(linked, b)) return found;
    return nullptr;
  }

  void add(PlanAxis axis, const std::string& pointer) {
    for (const PlanAxis& other : axes_)
      if (const AxisParameter* twice = shared_parameter(other, axis))
        return complain("E0507", pointer, axis.axis.place, fmt::format("'{}' is decided twice", twice->pointer),
                        "remove one of the decisions");
    axes_.push_back(std::move(axis));
  }

  /// JSON text as an axis, with its place in `source`.
  void add_text(SourceKind kind, const std::string& name, const std::string& shown, const std::string& json,
                bool chosen_here) {
    Sources scratch;
    Diagnostics found;
    const std::uint32_t own = scratch.add({SourceKind::override_argument, name, json, 0});
    std::optional<Node> node = parse_document(scratch, own, found);
    const std::uint32_t source = sources_.add({kind, name, shown, 0});
    if (!node || !found.empty()) {
      complain("E0501", "", {source, 0, shown.size()}, fmt::format("'{}' gives no values", shown),
               "write --decide /jobs/0/loader/workers=1:32, or =4,8,16");
      return;
    }
    place_at(*node, {source, 0, shown.size()});
    PlanAxis axis;
    axis.chosen_here = chosen_here;
    auto read = read_axis(*node, name, sources_, diagnostics_);
    if (!read) return;
    axis.axis = std::move(*read);
    add_knee(*node, axis);
    add(std::move(axis), name);
  }

  static void place_at(Node& node, const Place& place) {
    node.place = place;
    for (Node& item : node.items) place_at(item, place);
    for (Member& member : node.members) {
      member.key_place = place;
      place_at(member.value, place);
    }
  }

  /// A word as JSON: itself where it is a number, true or false, a string otherwise.
  static std::string json_of(std::string text) {
    const std::size_t begin = text.find_first_not_of(' ');
    const std::size_t end = text.find_last_not_of(' ');
    text = begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
    const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
    return value.is_discarded() ? nlohmann::json(text).dump() : text;
  }

  void read_flag(const std::string& flag) {
    const std::size_t equals = flag.find('=');
    const std::string pointer = flag.substr(0, equals);
    const std::string values = equals == std::string::npos ? "" : flag.substr(equals + 1);
    std::string json = fmt::format("{{\"parameter\": {}, ", nlohmann::json(pointer).dump());
    const std::size_t colon = values.find(':');
    if (values.empty()) {
      json = "";
    } else if (colon == std::string::npos || values.find(',') != std::string::npos) {
      json += "\"values\": [";
      for (std::size_t begin = 0; begin <= values.size();) {
        const std::size_t end = std::min(values.find(',', begin), values.size());
        json += (begin > 0 ? ", " : "") + json_of(values.substr(begin, end - begin));
        begin = end + 1;
      }
      json += "]}";
    } else {
      json += range_json(values, colon) + "}";
    }
    add_text(SourceKind::override_argument, "--decide", flag, json, false);
  }

  static std::string range_json(const std::string& values, std::size_t colon) {
    const std::string rest = values.substr(colon + 1);
    const std::size_t step = rest.find(':');
    // A slash also stands in "10 GB/s": a count is digits behind the last one.
    const std::size_t slash = rest.rfind('/');
    const bool counted =
        slash != std::string::npos && slash + 1 < rest.size() && rest[slash + 1] >= '0' && rest[slash + 1] <= '9';
    std::string json = fmt::format("\"from\": {}, ", json_of(values.substr(0, colon)));
    if (counted) {
      const bool log = rest.ends_with("log");
      const std::string count = rest.substr(slash + 1, rest.size() - slash - 1 - (log ? 3 : 0));
      return json + fmt::format("\"to\": {}, \"count\": {}{}", json_of(rest.substr(0, slash)), json_of(count),
                                log ? ", \"scale\": \"log\"" : "");
    }
    if (step != std::string::npos)
      return json +
             fmt::format("\"to\": {}, \"step\": {}", json_of(rest.substr(0, step)), json_of(rest.substr(step + 1)));
    return json + fmt::format("\"to\": {}, \"step\": 1", json_of(rest));
  }

  /// Workers, depth and the node cache of the first job.
  void choose() {
    const models::Scenario& scenario = loaded_.value;
    const models::Job& job = scenario.jobs.front();
    const models::Pool& pool = pool_of(scenario, job);
    const models::IngestPath path = resolve_path(scenario, 0, {});
    const double loaders = std::ceil(static_cast<double>(path.loaders) / path.nodes);
    const double most = pool.host.cores ? std::max(1.0, std::floor(static_cast<double>(*pool.host.cores) / loaders))
                                        : 2.0 * static_cast<double>(job.loader.workers);
    if (!job.loader.synchronous) {
      choose_counts("/jobs/0/loader/workers", static_cast<std::uint64_t>(most), job.loader.workers,
                    static_cast<std::uint64_t>(knees().least_workers));
      if (job.loader.outstanding == 0 && job.loader.ready == 0)
        choose_counts("/jobs/0/loader/prefetch", 8, job.loader.prefetch, 1);
    }
    const bool in_dram = pool.cache.medium == models::CacheMedium::dram;
    const double device = in_dram ? 0.8 * pool.host.memory_bytes : pool.drives.capacity_bytes;
    if (pool.cache.policy == models::CachePolicy::none || !(device > 0.0)) return;
    std::vector<double> sizes{0.0, 0.25 * device, 0.5 * device, 0.75 * device, device, pool.cache.bytes};
    if (const double least = least_cache_bytes(); least > 0.0 && least < device) sizes.push_back(least);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    std::string json;
    for (const double bytes : sizes)
      json += (json.empty() ? "" : ", ") + nlohmann::json(print_quantity(bytes, models::Unit::bytes)).dump();
    std::size_t index = 0;
    while (scenario.cluster.pools[index].name != pool.name) ++index;
    add_text(
        SourceKind::override_argument, "default decisions", "cache/bytes",
        fmt::format("{{\"parameter\": \"/cluster/pools/{}/cache/bytes\", \"name\": \"node cache\", \"values\": [{}]}}",
                    index, json),
        true);
  }

  /// Counts from 1 on, closer together where they are small, with the present one and a knee.
  void choose_counts(const std::string& pointer, std::uint64_t most, std::uint64_t own, std::uint64_t knee) {
    std::vector<std::uint64_t> values{own};
    if (knee >= 1 && knee <= most) values.push_back(knee);
    for (std::uint64_t value = 1; value <= std::min<std::uint64_t>(most, 256);
         value += value < 16 ? 1 : (value < 64 ? 4 : 16))
      values.push_back(value);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    add_text(SourceKind::override_argument, "default decisions", pointer,
             fmt::format("{{\"parameter\": \"{}\", \"values\": [{}]}}", pointer, fmt::join(values, ", ")), true);
  }

  /// Closed forms at the scenario's own values.
  const ClosedForms& knees() {
    if (!knees_) knees_ = closed_forms_of(loaded_.value);
    return *knees_;
  }

  /// c*, rounded up to three digits: below it the store is the limit.
  double least_cache_bytes() {
    const double least = knees().least_cache_bytes.value_or(0.0);
    if (!(least > 0.0)) return 0.0;
    const double unit = std::pow(10.0, std::floor(std::log10(least)) - 2.0);
    return std::ceil(least / unit) * unit;
  }

  /// A range of workers or of the node cache has the knee between two of its values, too. A list holds what somebody
  /// spelled out, and nothing else.
  void add_knee(const Node& written, PlanAxis& axis) {
    if (written.find("from") == nullptr || !axis.with.empty() || axis.axis.parameters.size() != 1) return;
    const models::Pool& pool = pool_of(loaded_.value, loaded_.value.jobs.front());
    std::size_t index = 0;
    while (loaded_.value.cluster.pools[index].name != pool.name) ++index;
    const std::string& pointer = axis.axis.parameters.front().pointer;
    const bool workers = pointer == "/jobs/0/loader/workers";
    if (!workers && pointer != fmt::format("/cluster/pools/{}/cache/bytes", index)) return;
    const double knee = workers ? knees().least_workers : least_cache_bytes();
    const auto number_of = [](const Node& node) {
      const auto number = comparable_number(node);
      return number ? number->value : 0.0;
    };
    std::vector<Node>& values = axis.axis.values;
    const auto next =
        std::find_if(values.begin(), values.end(), [&](const Node& node) { return number_of(node) >= knee; });
    if (next == values.begin() || next == values.end() || number_of(*next) == knee) return;
    Node node = *next;
    node.number = knee;
    node.text = workers ? fmt::format("{:.0f}", knee) : print_quantity(knee, models::Unit::bytes);
    values.insert(next, std::move(node));
  }

  const LoadedScenario& loaded_;
  Sources& sources_;
  std::optional<ClosedForms> knees_;
  std::vector<PlanAxis> axes_;
  Diagnostics diagnostics_;
};

}  // namespace

tl::expected<std::vector<PlanAxis>, Diagnostics> decisions_of(const LoadedScenario& loaded,
                                                              std::span<const std::string> flags) {
  return DecisionReader(loaded).read(flags);
}

}  // namespace headrace::scenarios
