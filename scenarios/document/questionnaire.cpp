#include "scenarios/document/questionnaire.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scenarios/document/stated_answers.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using models::Unit;

/// The scenario that the answers describe.
/// Equal sizes would make all batches run in lockstep, as they do on no real store.
Json size_law(const std::string& mean, double cv) {
  if (!(cv > 0.0)) return mean;
  return {{"lognormal", {{"mean", mean}, {"cv", cv}}}};
}

class Drafter {
 public:
  Drafter(const StatedAnswers& said, const Catalogue& catalogue) : said_(said), catalogue_(catalogue) {}

  Draft run() {
    Json scenario;
    scenario["//"] =
        "Made from the answers to headrace init. Open answers are defaults with a range in input_ranges, or from a "
        "generic class of the catalogue.";
    scenario["title"] =
        fmt::format("{} GPUs train on {} ({})", said_.gpus, spelled(said_.bytes, Unit::bytes), said_.workload->name);
    if (!said_.objective.empty()) {
      scenario["// objective"] = said_.objective;
      scenario["objective"] = {{"minimize", goal(said_.budget.objective)}};
    }
    if (said_.budget.usd_per_epoch)
      scenario["subject_to"] = {{"cost_per_epoch", spelled(*said_.budget.usd_per_epoch, Unit::usd)}};
    compare_gpus();
    add_pool(scenario);
    add_store(scenario);
    add_dataset(scenario);
    add_job(scenario);
    if (const std::string offer = price(); !offer.empty()) scenario["prices"] = offer;
    scenario["input_ranges"] = ranges_;
    return {.text = scenario.dump(2) + "\n",
            .budget = said_.budget,
            .warnings = warnings_,
            .read = what_was_read(),
            .layout_assumed = said_.format.empty() && !(said_.objects > 0.0),
            .sample_size_assumed = is_sample_size_assumed()};
  }

 private:
  void range(const std::string& pointer, const std::string& low, const std::string& high) {
    ranges_.push_back({{"parameter", pointer}, {"low", low}, {"high", high}});
  }
  /// A default that nobody gave: between its parts by `factor` and its `factor`-fold.
  void open(const std::string& pointer, double value, Unit unit, double factor) {
    range(pointer, spelled(value / factor, unit), spelled(value * factor, unit));
  }
  /// To four digits, which is more than anybody knows; times with a number from 1 to 1000.
  static std::string spelled(double value, Unit unit) {
    const std::string digits = fmt::format("{:.3e}", value);
    if (unit == Unit::seconds)
      for (const auto& [name, scale] : {std::pair{"s", 1.0}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}})
        if (value * scale >= 1.0 && value * scale < 1000.0) return fmt::format("{:.4g} {}", value * scale, name);
    return print_quantity(std::stod(digits), unit);
  }

  std::string gpu() const { return said_.gpu.empty() && !said_.node_given ? "H100-SXM5-80GB" : said_.gpu; }

  /// Which GPU of several was taken, and how many bytes a counted token has.
  std::vector<std::string> what_was_read() const {
    std::vector<std::string> read;
    if (!said_.other_gpus.empty())
      read.push_back(fmt::format("GPU {}; write {} for the other", said_.gpu, fmt::join(said_.other_gpus, " or ")));
    if (said_.egress_assumed)
      read.push_back("Egress assumed free, as within the store's region; if not: --location remote");
    if (said_.tokens_of_data > 0.0)
      read.push_back(fmt::format("{} tokens of {}, {} in all", in_words(said_.tokens_of_data),
                                 reported(said_.bytes_per_token, "byte"), spelled(said_.bytes, Unit::bytes)));
    read.insert(read.end(), assumed_.begin(), assumed_.end());
    return read;
  }
  /// "15 trillion".
  static std::string in_words(double count) {
    for (const auto& [name, scale] : {std::pair{"trillion", 1e12}, {"billion", 1e9}, {"million", 1e6}})
      if (count >= scale) return fmt::format("{:.4g} {}", count / scale, name);
    return fmt::format("{:.0f}", count);
  }
  static std::string reported(double count, std::string_view what) {
    return fmt::format("{:.3g} {}{}", count, what, count == 1.0 ? "" : "s");
  }

  /// What a plan makes least.
  static std::string_view goal(std::string_view objective) {
    return objective == "cheapest" ? "cost_per_epoch" : objective == "fastest" ? "epoch_time" : "idle";
  }

  /// Servers come with their GPUs; others in them are another machine.
  void compare_gpus() {
    if (!said_.node_given || said_.gpu.empty()) return;
    Sources sources;
    const std::optional<Node> entry = catalogue_.entry("node", said_.node, sources);
    const Node* gpu = entry ? entry->find("gpu") : nullptr;
    const Node* built_in = gpu == nullptr ? nullptr : gpu->find("catalogue");
    if (built_in == nullptr || built_in->text == said_.gpu || built_in->text.starts_with("generic")) return;
    warnings_.push_back(fmt::format("{} has {}, but the answer about GPUs says {}: the scenario uses {}", said_.node,
                                    built_in->text, said_.gpu, said_.gpu));
  }

  /// The price of the first offer that the catalogue has for this kind of GPU.
  std::string price() const {
    const std::string of_node = said_.node == "DGX-B200" ? "B200" : said_.node == "DGX-H200" ? "H200" : "H100";
    const std::string kind = gpu().empty() ? of_node : gpu().substr(0, gpu().find('-'));
    std::string best;
    for (const std::string_view offer : catalogue_.names("price"))
      if (offer.starts_with(kind) && (best.empty() || offer.find("lambda") != std::string_view::npos)) best = offer;
    return best;
  }

  void add_pool(Json& scenario) {
    const std::uint64_t nodes = said_.nodes.value_or((said_.gpus + 7) / 8);
    const std::uint64_t per_node = said_.nodes ? said_.gpus / nodes : std::min<std::uint64_t>(said_.gpus, 8);
    Json pool{{"name", "gpus"}, {"catalogue", said_.node}, {"nodes", nodes}, {"gpus_per_node", per_node}};
    if (!gpu().empty()) pool["gpu"] = gpu();
    if (!said_.nic.is_null()) pool["nic"] = said_.nic;
    if (said_.nvme_bytes > 0.0) {
      const double cached = std::min(0.9 * said_.nvme_bytes, said_.bytes);
      pool["drives"] = {{"capacity", spelled(said_.nvme_bytes, Unit::bytes)}};
      pool["cache"] = {{"policy", "lru"},
                       {"medium", "nvme"},
                       {"bytes", spelled(cached, Unit::bytes)},
                       {"bandwidth", said_.nvme_rate.empty() ? "12 GB/s" : said_.nvme_rate},
                       {"latency", "100 us"}};
      if (said_.nvme_rate.empty()) range("/cluster/pools/0/cache/bandwidth", "3 GB/s", "50 GB/s");
    }
    scenario["cluster"] = {{"pools", Json::array({pool})}};
    if (said_.location == "local") {
      if (said_.network_given)
        warnings_.push_back("the data is on the drives of the nodes, so the network carries none of it");
      return;
    }
    scenario["fabric"] = {{"leaf_oversubscription", said_.oversubscription.value_or(1.0)}};
    if (said_.location != "remote") return;
    scenario["fabric"]["wan"] = {{"rtt", "50 ms"}};
    range("/fabric/wan/rtt", "10 ms", "150 ms");
  }

  bool is_sample_size_assumed() const {
    const bool counted = said_.samples > 0.0 || said_.objects > 0.0;
    return !said_.sample_size_given && !(said_.volume_given && counted);
  }
  void add_dataset(Json& scenario) {
    const bool counted = said_.samples > 0.0;
    const double sample_bytes = counted ? said_.bytes / said_.samples : said_.workload->sample_bytes;
    const double samples = std::max(std::ceil(said_.bytes / sample_bytes), static_cast<double>(said_.batch));
    const bool one_each = said_.format == "files" || (said_.format.empty() && said_.workload->samples_per_file == 1);
    double files = said_.objects > 0.0 ? said_.objects
                   : one_each          ? samples
                                       : std::ceil(samples / said_.workload->samples_per_file);
    const double per_file = std::max(1.0, std::round(samples / files));
    files = std::max(1.0, std::round(files));
    const double stored = said_.objects > 0.0 ? said_.bytes / (files * per_file) : sample_bytes;
    if (said_.format.empty() && !(said_.objects > 0.0) && per_file > 1.0)
      warnings_.push_back(fmt::format(
          "files with {:.0f} samples each are assumed, which decides how often files are opened: say --layout files if "
          "every sample is a file, or --layout shards",
          per_file));
    Json dataset{{"name", "data"},
                 {"store", "storage"},
                 {"files", static_cast<std::uint64_t>(files)},
                 {"samples_per_file", static_cast<std::uint64_t>(per_file)},
                 {"sample_bytes", size_law(spelled(stored, Unit::bytes), said_.workload->sample_cv)},
                 {"order", per_file > 1.0 ? "shard_sequential" : "random"}};
    if (const std::string_view preset = preset_of(said_.format); !preset.empty()) {
      dataset["catalogue"] = preset;  // which knows its order, requests and parsing
      dataset.erase("order");
    }
    if (said_.format == "tokens") dataset["order"] = "random";
    if (said_.workload->decoded_bytes > 0.0)
      dataset["decoded_bytes_per_sample"] = spelled(said_.workload->decoded_bytes, Unit::bytes);
    scenario["datasets"] = Json::array({dataset});
    if (said_.sample_size_given) {
      state_sample_size(sample_bytes);
    } else if (is_sample_size_assumed()) {
      open("/datasets/0/sample_bytes", stored, Unit::bytes, 2.0);
      if (said_.volume_given) ranges_.back()["same_volume"] = true;
    }
  }

  /// A size of each sample that was answered is known. One far over the usual may be that of a shard.
  void state_sample_size(double bytes) {
    constexpr double kLargest = 50.0;  // over what is usual
    Json known{{"parameter", "/datasets/0/sample_bytes"}, {"evidence", "datasheet"}};
    if (!said_.volume_of_count) known["same_volume"] = true;
    ranges_.push_back(known);
    const double over_usual = bytes / said_.workload->sample_bytes;
    const std::string size = spelled(bytes, Unit::bytes);
    if (over_usual > kLargest)
      warnings_.push_back(fmt::format(
          "a sample of {} is {:.0f} times the usual one of {}: if {} is the size of a shard, leave it out and say "
          "--layout shards",
          size, over_usual, said_.workload->name, size));
  }

  void add_job(Json& scenario) {
    Json step{{"batch", said_.batch}};
    if (said_.tokens > 0.0) {
      step["arithmetic"] = {{"flops_per_sample", 6.0 * said_.parameters * said_.tokens}, {"mfu", 0.4}};
      range("/jobs/0/step/arithmetic/mfu", "0.3", "0.55");
      if (!said_.size_given)
        open("/jobs/0/step/arithmetic/flops_per_sample", 6.0 * said_.parameters * said_.tokens, Unit::one, 4.0);
    } else {
      const double step_s = static_cast<double>(said_.batch) / said_.samples_per_s;
      step["step_time"] = spelled(step_s, Unit::seconds);
      if (said_.rate_given)
        ranges_.push_back({{"parameter", "/jobs/0/step/step_time"}, {"evidence", "datasheet"}});  // somebody knows it
      else
        open("/jobs/0/step/step_time", step_s, Unit::seconds, 2.0);
    }
    step["overhead"] = "2 ms";
    Json job{
        {"name", "train"},
        {"pool", "gpus"},
        {"datasets", Json::array({{{"dataset", "data"}}})},
        {"loader",
         {{"workers", 8}, {"prefetch", 2}, {"cpu_per_sample", spelled(said_.workload->cpu_ms * 1e-3, Unit::seconds)}}},
        {"step", step}};
    // Files of tokens are mapped into memory where they lie on a file system.
    if (said_.format == "tokens" && said_.location != "region" && said_.location != "remote")
      job["loader"]["access"]["mode"] = "mmap";
    open("/jobs/0/loader/cpu_per_sample", said_.workload->cpu_ms * 1e-3, Unit::seconds, 3.0);
    if (!said_.split.empty()) {
      for (const auto& [which, count] : said_.split) job["parallelism"][which] = count;
      job["readers"] = "one_per_replica";
    }
    if (said_.checkpoint) {
      job["checkpoint"] = {{"interval", said_.interval.empty() ? "30 min" : said_.interval},
                           {"parameters", said_.parameters > 0.0 ? said_.parameters : 1e9},
                           {"store", "storage"}};
      scenario["faults"] = {{"node_mtbf", said_.mtbf.empty() ? "50000 h" : said_.mtbf}};
      if (said_.mtbf.empty()) {
        range("/faults/node_mtbf", "10000 h", "100000 h");
        assumed_.push_back("Each node is assumed to fail every 50,000 h");
      }
      if (!(said_.parameters > 0.0)) {
        range("/jobs/0/checkpoint/parameters", "100000000", "10000000000");
        assumed_.push_back("A checkpoint is assumed to hold 1 billion parameters, 14 GB");
      }
    }
    if (said_.epochs) job["epochs"] = *said_.epochs;
    scenario["jobs"] = Json::array({job});
  }

  /// What others take of the storage is taken off the rates that it gives.
  void leave_to_others(Json& store) {
    constexpr std::array<std::pair<const char*, Unit>, 3> rates{{{"bandwidth", Unit::bytes_per_second},
                                                                 {"write_bandwidth", Unit::bytes_per_second},
                                                                 {"requests", Unit::per_second}}};
    Sources sources;
    const std::optional<Node> entry = catalogue_.entry("store", store["catalogue"].get<std::string>(), sources);
    for (const auto& [rate, unit] : rates) {
      const Node* usual = entry ? entry->find(rate) : nullptr;
      const std::string text = store.contains(rate) ? store[rate].get<std::string>()
                               : usual != nullptr   ? usual->text
                                                    : std::string();
      const auto value = parse_quantity(text, unit);
      if (!value) continue;
      const double left = *value * (1.0 - said_.tenants);
      store[std::string("// ") + rate] = fmt::format("{}, of which others use {:g} %", text, 100.0 * said_.tenants);
      if (!store.contains(rate)) open(std::string("/stores/0/") + rate, left, unit, 4.0);
      store[rate] = spelled(left, unit);
    }
  }

  /// A stated rate is that of reads: a generic store writes the share of it that its class does, not the class's rate.
  void assume_writes(Json& store) {
    const std::string name = store["catalogue"].get<std::string>();
    if (!store.contains("bandwidth") || !name.starts_with("generic-")) return;
    Sources sources;
    const std::optional<Node> entry = catalogue_.entry("store", name, sources);
    const auto rate_of = [](const std::string& text) {
      return parse_quantity(text, Unit::bytes_per_second).value_or(0.0);
    };
    const auto usual = [&](const char* key) {
      const Node* figure = entry ? entry->find(key) : nullptr;
      return figure == nullptr ? 0.0 : rate_of(figure->text);
    };
    const double share = usual("write_bandwidth") / std::max(1.0, usual("bandwidth"));
    const double stated = rate_of(store["bandwidth"].get<std::string>());
    const double assumed = share * stated;
    if (!(assumed > 0.0)) return;
    const std::string text = fmt::format("{:.3g} % of the reads, as {} has it", 100.0 * share, name);
    store["// write_bandwidth"] = "Assumed: " + text;
    store["write_bandwidth"] = spelled(assumed, Unit::bytes_per_second);
    range("/stores/0/write_bandwidth", spelled(0.5 * assumed, Unit::bytes_per_second),
          spelled(std::min(2.0 * assumed, stated), Unit::bytes_per_second));
    if (said_.checkpoint)
      assumed_.push_back(
          fmt::format("The storage is assumed to write {}, {}", store["write_bandwidth"].get<std::string>(), text));
  }

  void add_store(Json& scenario) {
    Json store = said_.store;
    if (said_.idle_prefixes)
      warnings_.push_back("prefixes change nothing without the requests/s of each: answer \"16, 5500 /s\"");
    if (store.contains("bandwidth"))  // somebody knows it
      ranges_.push_back({{"parameter", "/stores/0/bandwidth"}, {"evidence", "datasheet"}});
    assume_writes(store);
    if (said_.tenants > 0.0) leave_to_others(store);
    scenario["stores"] = Json::array({store});
  }

  /// The entry of the catalogue for an answer about the format; tokens are read as they are.
  static std::string_view preset_of(std::string_view format) {
    return format == "shards" ? "tar" : format == "tokens" ? std::string_view() : format;
  }

  const StatedAnswers& said_;
  const Catalogue& catalogue_;
  std::vector<std::string> warnings_;
  std::vector<std::string> assumed_;  ///< sentences about answers that say less than the scenario needs
  Json ranges_ = Json::array();
};

}  // namespace

std::string question_text(const Question& question) {
  std::string note(question.note);
  if (question.is_list) note = fmt::format("{}", fmt::join(choices_of(question, {}), ", "));
  return note.empty() ? std::string(question.text) : fmt::format("{} ({})", question.text, note);
}

std::vector<std::string> choices_of(const Question& question, const Catalogue& catalogue) {
  std::vector<std::string> choices;
  for (std::string_view left = question.choices; !left.empty();) {
    const std::size_t end = std::min(left.find('|'), left.size());
    choices.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  if (!question.section.empty())
    for (const std::string_view name : catalogue.names(question.section)) choices.emplace_back(name);
  return choices;
}

tl::expected<Draft, AnswerError> draft_scenario(const Answers& answers, const Catalogue& catalogue) {
  return read_answers(answers, catalogue).map([&](const StatedAnswers& said) {
    return Drafter(said, catalogue).run();
  });
}

bool is_asked(const Question& question, const Answers& answers, const Catalogue& catalogue) {
  if (question.key != "prefixes") return true;
  const auto said = read_answers(answers, catalogue);
  return said && said->object_store;
}

std::optional<AnswerError> check_answer(const std::string& key, const std::string& answer, const Catalogue& catalogue,
                                        const Answers& others) {
  // A unit or a word may depend on the workload, and a layout on the data, so an answer is read with those before it;
  // what is wrong with one of them is no fault of this one.
  Answers together = others;
  together[key] = answer;
  const auto said = read_answers(together, catalogue);
  if (said || said.error().key != key) return std::nullopt;
  return said.error();
}

}  // namespace headrace::scenarios
