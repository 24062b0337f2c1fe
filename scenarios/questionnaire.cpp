#include "scenarios/questionnaire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "scenarios/edit_distance.hpp"
#include "scenarios/units.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using models::Unit;

/// What stands for a class of workload until it is measured. All figures are assumptions, with MLPerf Storage v1.0's
/// resnet50 and unet3d on H100 behind `images` and `science`.
struct WorkloadClass {
  std::string_view name;
  double sample_bytes;
  double samples_per_s;  ///< of one GPU; 0: from the size of the model
  int batch;
  double cpu_ms;
  double decoded_bytes;
  int samples_per_file;
  double tokens;  ///< of a sample, where the model's size gives its cost
  double default_bytes;
};
constexpr WorkloadClass kClasses[] = {
    {"images", 115e3, 1800, 256, 1.0, 150528, 1000, 0, 20e12},
    {"text", 16384, 0, 8, 0.01, 0, 100000, 4096, 10e12},
    {"multimodal", 400e3, 60, 32, 5.0, 600e3, 1000, 0, 100e12},
    {"video", 5e6, 12, 8, 50.0, 9.6e6, 100, 0, 200e12},
    {"audio", 500e3, 50, 32, 5.0, 1e6, 1000, 0, 20e12},
    {"recommendation", 1000, 50000, 8192, 0.002, 0, 1000000, 0, 50e12},
    {"science", 146.6e6, 21.7, 7, 1.0, 0, 1, 0, 20e12},
    {"finetune", 8192, 0, 16, 0.01, 0, 100000, 2048, 1e12},
};

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::vector<std::string> parts_of(std::string_view answer) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= answer.size();) {
    const std::size_t comma = std::min(answer.find(',', at), answer.size());
    if (std::string part = trimmed(answer.substr(at, comma - at)); !part.empty()) parts.push_back(std::move(part));
    at = comma + 1;
  }
  return parts;
}

/// "4.5M objects" with words {"objects"}: 4.5e6.
std::optional<double> counted(const std::string& part, std::initializer_list<std::string_view> words) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error != std::errc() || !(number > 0.0)) return std::nullopt;
  std::string rest = trimmed(std::string_view(end, part.data() + part.size()));
  for (const auto& [letter, factor] : {std::pair{'k', 1e3}, {'M', 1e6}, {'B', 1e9}, {'T', 1e12}}) {
    if (rest.empty() || rest[0] != letter || (rest.size() > 1 && rest[1] != ' ')) continue;
    number *= factor;
    rest = trimmed(std::string_view(rest).substr(1));
    break;
  }
  return std::find(words.begin(), words.end(), rest) == words.end() ? std::nullopt : std::optional<double>(number);
}

class Drafter {
 public:
  Drafter(const Answers& answers, const Catalogue& catalogue) : answers_(answers), catalogue_(catalogue) {}

  tl::expected<Draft, AnswerError> run() {
    read_workload();
    read_model();
    read_gpus();
    read_node();
    read_data();
    read_location();
    read_store();
    read_network();
    read_nvme();
    read_checkpoint();
    read_tenants();
    read_objective();
    if (error_) return tl::unexpected(*error_);
    return finish();
  }

 private:
  std::string answer(std::string_view key) const {
    const auto found = answers_.find(key);
    return found == answers_.end() || is_open(found->second) ? std::string() : trimmed(found->second);
  }
  void fail(std::string_view key, const std::string& part, std::string help) {
    if (!error_) error_ = AnswerError{std::string(key), fmt::format("cannot read '{}'", part), std::move(help)};
  }
  /// Unreadable parts come with the example of their question.
  void fail(std::string_view key, const std::string& part) {
    for (const Question& question : kQuestions)
      if (question.key == key) fail(key, part, fmt::format("such as: {}", question.example));
  }
  std::string nearest_of(const std::string& word, std::string_view section) const {
    const auto names = catalogue_.names(section);
    const std::string_view near = nearest(word, names);
    return near.empty() ? fmt::format("headrace explain catalogue lists every {}", section)
                        : fmt::format("did you mean '{}'?", near);
  }
  /// The entry that people mean: "h100" is H100-SXM5-80GB, the first whose name begins so, "dgx h100" DGX-H100,
  /// "p5.48xlarge" aws-p5.48xlarge, the first that ends so. Empty if there is none.
  std::string entry_named(std::string_view section, std::string_view word) const {
    const auto same = [](char a, char b) {
      const auto plain = [](char c) { return c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
      return plain(a) == plain(b);
    };
    std::string begins_so;
    std::string ends_so;
    for (const std::string_view name : catalogue_.names(section)) {
      if (name.size() < word.size() || word.empty()) continue;
      const std::string_view rest = name.substr(name.size() - word.size());
      if (ends_so.empty() && rest.size() < name.size() && name[name.size() - word.size() - 1] == '-' &&
          std::equal(word.begin(), word.end(), rest.begin(), same))
        ends_so = name;
      if (!std::equal(word.begin(), word.end(), name.begin(), same)) continue;
      if (name.size() == word.size()) return std::string(name);
      if (begins_so.empty() && name[word.size()] == '-') begins_so = name;
    }
    return begins_so.empty() ? ends_so : begins_so;
  }
  void range(const std::string& pointer, const std::string& low, const std::string& high) {
    ranges_.push_back({{"parameter", pointer}, {"low", low}, {"high", high}});
  }
  /// A default that nobody gave: between its parts by `factor` and its `factor`-fold.
  void open(const std::string& pointer, double value, Unit unit, double factor) {
    range(pointer, spelled(value / factor, unit), spelled(value * factor, unit));
  }
  /// To four digits, which is more than anybody knows.
  static std::string spelled(double value, Unit unit) {
    const double magnitude = value > 0.0 ? std::pow(10.0, 3.0 - std::floor(std::log10(value))) : 1.0;
    return print_quantity(std::round(value * magnitude) / magnitude, unit);
  }

  void read_workload() {
    const std::string given = answer("workload");
    for (const WorkloadClass& known : kClasses)
      if (known.name == (given.empty() ? "images" : given)) class_ = &known;
    if (class_ == nullptr) {
      class_ = &kClasses[0];
      fail("workload", given, "one of images, text, multimodal, video, audio, recommendation, science, finetune");
    }
    parameters_ = class_->tokens > 0.0 ? 7e9 : 0.0;
    samples_per_s_ = class_->samples_per_s;
  }

  void read_model() {
    bool rate_given = false;
    for (const std::string& part : parts_of(answer("model"))) {
      const std::size_t equals = part.find('=');
      if (const auto rate = counted(part, {"samples/s", "images/s", "sequences/s"})) {
        samples_per_s_ = *rate;
        rate_given = true;
      } else if (const auto size = counted(part, {"", "parameters"})) {
        parameters_ = *size;
        size_given_ = true;
      } else if (equals != std::string::npos && read_split(part.substr(0, equals), part.substr(equals + 1))) {
        continue;
      } else {
        fail("model", part);
      }
    }
    if (rate_given)
      tokens_ = 0.0;
    else
      tokens_ = class_->tokens;
    rate_given_ = rate_given;
  }
  bool read_split(const std::string& which, const std::string& value) {
    const auto count = counted(value, {""});
    if (!count || *count != std::floor(*count) || *count > 1e5) return false;
    if (which != "tp" && which != "pp" && which != "cp" && which != "dp") return false;
    split_[which] = static_cast<std::uint64_t>(*count);
    return true;
  }

  void read_gpus() {
    std::string given = answer("gpus");
    if (given.empty()) return;
    // "H100 x 64" as "64 x H100".
    const std::size_t space = given.find_last_of(" x");
    const bool count_last = space != std::string::npos && space + 1 < given.size() &&
                            given.find_first_not_of("0123456789", space + 1) == std::string::npos &&
                            given.find_first_not_of("0123456789") != std::string::npos;
    if (count_last) {
      const std::string count = given.substr(space + 1);
      given.resize(space);
      while (!given.empty() && (given.back() == ' ' || given.back() == 'x')) given.pop_back();
      given = count + " " + given;
    }
    double number = 0.0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
    if (error == std::errc() && number >= 1.0 && number == std::floor(number) && number < 1e7) {
      gpus_ = static_cast<std::uint64_t>(number);
      given = trimmed(std::string_view(end, given.data() + given.size()));
      if (given.starts_with('x') || given.starts_with('X')) given = trimmed(std::string_view(given).substr(1));
    } else if (error == std::errc()) {
      return fail("gpus", given);
    }
    if (given.empty()) return;
    gpu_ = entry_named("gpu", given);
    if (gpu_.empty()) fail("gpus", answer("gpus"), nearest_of(given, "gpu"));
  }

  void read_node() {
    const std::string given = answer("node");
    if (given.empty()) return;
    const std::string name = entry_named("node", given);
    if (name.empty()) return fail("node", given, nearest_of(given, "node"));
    node_ = name;
    node_given_ = true;
  }

  void read_data() {
    bytes_ = class_->default_bytes;
    bool volume = false;
    for (const std::string& part : parts_of(answer("data"))) {
      if (const auto size = parse_quantity(part, Unit::bytes); size && *size > 0.0) {
        bytes_ = *size;
        volume = true;
      } else if (const auto count = counted(part, {"objects", "files", "object", "file"})) {
        objects_ = *count;
      } else if (std::find(std::begin(kFormats), std::end(kFormats), part) != std::end(kFormats)) {
        format_ = part;
      } else {
        fail("data", part,
             "a volume (500 TB), a count (4.5M objects), and one of shards, files, tokens, parquet, hdf5, tfrecord");
      }
    }
    volume_given_ = volume;
  }

  void read_location() {
    const std::string given = answer("location");
    if (given.empty()) return;
    if (given != "local" && given != "site" && given != "region" && given != "remote")
      return fail("location", given, "one of local, site, region, remote");
    location_ = given;
  }

  void read_store() {
    const bool objects = location_ == "region" || location_ == "remote";
    store_ = {{"name", "storage"}, {"catalogue", objects ? "generic-object-store" : "generic-nvme-nas"}};
    if (location_ == "local") store_["catalogue"] = "generic-nvme-drive";
    for (const std::string& part : parts_of(answer("store"))) {
      if (const auto rate = parse_quantity(part, Unit::bytes_per_second); rate && *rate > 0.0)
        store_["bandwidth"] = part;
      else if (const auto price = parse_quantity(part, Unit::usd_per_byte_month); price && *price >= 0.0)
        store_["price"]["capacity"] = part;
      else if (const std::string name = entry_named("store", part); !name.empty())
        store_["catalogue"] = name;
      else
        fail("store", part, nearest_of(part, "store"));
    }
    // Reading within the site or the region is free; the catalogue's egress is that to the internet.
    if (location_ != "remote") store_["price"]["egress"] = "$0/GB";
    if (location_ != "remote" && store_["catalogue"] == "s3-standard") store_["price"]["egress_tiers"] = Json::array();
  }

  void read_network() {
    for (const std::string& part : parts_of(answer("network"))) {
      double ratio = 0.0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), ratio);
      const std::string rest(end, part.data() + part.size());
      if (error == std::errc() && rest == ":1" && ratio >= 1.0)
        oversubscription_ = ratio;
      else if (const auto rate = parse_quantity(part, Unit::bytes_per_second); rate && *rate > 0.0)
        nic_ = {{"bandwidth", part}, {"rails", 1}};
      else if (const std::string name = entry_named("nic", part); !name.empty())
        nic_ = name;
      else
        fail("network", part);
    }
  }

  void read_nvme() {
    if (answer("nvme") == "none") {
      cache_given_ = true;
      return;
    }
    for (const std::string& part : parts_of(answer("nvme"))) {
      cache_given_ = true;
      if (const auto size = parse_quantity(part, Unit::bytes); size && *size > 0.0)
        nvme_bytes_ = *size;
      else if (const auto rate = parse_quantity(part, Unit::bytes_per_second); rate && *rate > 0.0)
        nvme_rate_ = part;
      else
        fail("nvme", part);
    }
  }

  void read_checkpoint() {
    if (answer("checkpoint") == "none") return;
    checkpoint_ = !answer("checkpoint").empty() || parameters_ > 0.0;
    int given = 0;
    for (const std::string& part : parts_of(answer("checkpoint"))) {
      if (const auto time = parse_quantity(part, Unit::seconds); !time || !(*time > 0.0) || given > 1)
        fail("checkpoint", part);
      (given++ == 0 ? interval_ : mtbf_) = part;
    }
  }

  void read_tenants() {
    const std::string given = answer("tenants");
    if (given.empty() || given == "none") return;
    const auto share = parse_quantity(given, Unit::fraction);
    if (!share || *share < 0.0 || *share >= 1.0) return fail("tenants", given);
    tenants_ = *share;
  }

  /// "$2M/month", "$5k/d", "$100/h".
  static std::optional<double> usd_per_hour(const std::string& part) {
    const std::size_t slash = part.find('/');
    if (slash == std::string::npos || slash < 2) return std::nullopt;
    const char letter = part[slash - 1];
    const double factor = letter == 'M' ? 1e6 : letter == 'k' ? 1e3 : 1.0;
    const std::string plain = factor > 1.0 ? part.substr(0, slash - 1) + part.substr(slash) : part;
    const auto money = parse_quantity(plain, Unit::usd_per_hour);
    if (!money || !(*money > 0.0)) return std::nullopt;
    return *money * factor;
  }

  void read_objective() {
    budget_.objective = "fed";
    for (const std::string& part : parts_of(answer("objective"))) {
      if (part == "cheapest" || part == "fastest" || part == "fed")
        budget_.objective = part;
      else if (const std::optional<double> money = usd_per_hour(part))
        budget_.usd_per_hour = money;
      else
        fail("objective", part);
    }
  }

  std::string gpu() const { return gpu_.empty() && !node_given_ ? "H100-SXM5-80GB" : gpu_; }

  /// What a plan makes least.
  static std::string_view goal(std::string_view objective) {
    return objective == "cheapest" ? "cost_per_epoch" : objective == "fastest" ? "epoch_time" : "idle";
  }

  /// Servers come with their GPUs; others in them are another machine.
  void compare_gpus() {
    if (!node_given_ || gpu_.empty()) return;
    Sources sources;
    const std::optional<Node> entry = catalogue_.entry("node", node_, sources);
    const Node* gpu = entry ? entry->find("gpu") : nullptr;
    const Node* built_in = gpu == nullptr ? nullptr : gpu->find("catalogue");
    if (built_in == nullptr || built_in->text == gpu_ || built_in->text.starts_with("generic")) return;
    warnings_.push_back(fmt::format("{} comes with {}, and the answer about GPUs says {}: the scenario has {} in it",
                                    node_, built_in->text, gpu_, gpu_));
  }

  /// The price of the first offer that the catalogue has for this kind of GPU.
  std::string price() const {
    const std::string of_node = node_ == "DGX-B200" ? "B200" : node_ == "DGX-H200" ? "H200" : "H100";
    const std::string kind = gpu().empty() ? of_node : gpu().substr(0, gpu().find('-'));
    std::string best;
    for (const std::string_view offer : catalogue_.names("price"))
      if (offer.starts_with(kind) && (best.empty() || offer.find("lambda") != std::string_view::npos)) best = offer;
    return best;
  }

  void add_pool(Json& scenario) {
    const std::uint64_t nodes = (gpus_ + 7) / 8;
    Json pool{
        {"name", "gpus"}, {"catalogue", node_}, {"nodes", nodes}, {"gpus_per_node", std::min<std::uint64_t>(gpus_, 8)}};
    if (!gpu().empty()) pool["gpu"] = gpu();
    if (!nic_.is_null()) pool["nic"] = nic_;
    if (nvme_bytes_ > 0.0) {
      const double cached = std::min(0.9 * nvme_bytes_, bytes_);
      pool["drives"] = {{"capacity", spelled(nvme_bytes_, Unit::bytes)}};
      pool["cache"] = {{"policy", "lru"},
                       {"medium", "nvme"},
                       {"bytes", spelled(cached, Unit::bytes)},
                       {"bandwidth", nvme_rate_.empty() ? "12 GB/s" : nvme_rate_},
                       {"latency", "100 us"}};
      if (nvme_rate_.empty()) range("/cluster/pools/0/cache/bandwidth", "3 GB/s", "50 GB/s");
    }
    scenario["cluster"] = {{"pools", Json::array({pool})}};
    if (location_ == "local") {
      if (!answer("network").empty())
        warnings_.push_back("the data lie on the drives of the nodes, so that the network carries none of them");
      return;
    }
    scenario["fabric"] = {{"leaf_oversubscription", oversubscription_.value_or(1.0)}};
    if (location_ != "remote") return;
    scenario["fabric"]["wan"] = {{"rtt", "50 ms"}};
    range("/fabric/wan/rtt", "10 ms", "150 ms");
  }

  void add_dataset(Json& scenario) {
    const double sample_bytes = class_->sample_bytes;
    const double samples = std::max(std::ceil(bytes_ / sample_bytes), static_cast<double>(class_->batch));
    const bool one_each = format_ == "files" || (format_.empty() && class_->samples_per_file == 1);
    double files = objects_ > 0.0 ? objects_ : one_each ? samples : std::ceil(samples / class_->samples_per_file);
    const double per_file = std::max(1.0, std::round(samples / files));
    files = std::max(1.0, std::round(files));
    const double stored = objects_ > 0.0 ? bytes_ / (files * per_file) : sample_bytes;
    Json dataset{{"name", "data"},
                 {"store", "storage"},
                 {"files", static_cast<std::uint64_t>(files)},
                 {"samples_per_file", static_cast<std::uint64_t>(per_file)},
                 {"sample_bytes", spelled(stored, Unit::bytes)},
                 {"order", per_file > 1.0 ? "shard_sequential" : "random"}};
    if (const std::string_view preset = preset_of(format_); !preset.empty()) {
      dataset["catalogue"] = preset;  // which knows its order, requests and parsing
      dataset.erase("order");
    }
    if (format_ == "tokens") dataset["order"] = "random";
    if (class_->decoded_bytes > 0.0) dataset["decoded_bytes_per_sample"] = spelled(class_->decoded_bytes, Unit::bytes);
    scenario["datasets"] = Json::array({dataset});
    if (!volume_given_ || !(objects_ > 0.0)) open("/datasets/0/sample_bytes", stored, Unit::bytes, 2.0);
  }

  void add_job(Json& scenario) {
    Json step{{"batch", class_->batch}};
    if (tokens_ > 0.0) {
      step["arithmetic"] = {{"flops_per_sample", 6.0 * parameters_ * tokens_}, {"mfu", 0.4}};
      range("/jobs/0/step/arithmetic/mfu", "0.3", "0.55");
      if (!size_given_) open("/jobs/0/step/arithmetic/flops_per_sample", 6.0 * parameters_ * tokens_, Unit::one, 4.0);
    } else {
      const double step_s = class_->batch / samples_per_s_;
      step["step_time"] = spelled(step_s, Unit::seconds);
      if (!rate_given_) open("/jobs/0/step/step_time", step_s, Unit::seconds, 2.0);
    }
    step["overhead"] = "2 ms";
    Json job{{"name", "train"},
             {"pool", "gpus"},
             {"datasets", Json::array({{{"dataset", "data"}}})},
             {"loader",
              {{"workers", 8}, {"prefetch", 2}, {"cpu_per_sample", spelled(class_->cpu_ms * 1e-3, Unit::seconds)}}},
             {"step", step}};
    // Files of tokens are mapped into memory where they lie on a file system.
    if (format_ == "tokens" && location_ != "region" && location_ != "remote") job["loader"]["access"]["mode"] = "mmap";
    open("/jobs/0/loader/cpu_per_sample", class_->cpu_ms * 1e-3, Unit::seconds, 3.0);
    if (!split_.empty()) {
      for (const auto& [which, count] : split_) job["parallelism"][which] = count;
      job["readers"] = "one_per_replica";
    }
    if (checkpoint_) {
      job["checkpoint"] = {{"interval", interval_.empty() ? "30 min" : interval_},
                           {"parameters", parameters_ > 0.0 ? parameters_ : 1e9},
                           {"store", "storage"}};
      scenario["faults"] = {{"node_mtbf", mtbf_.empty() ? "50000 h" : mtbf_}};
      if (mtbf_.empty()) range("/faults/node_mtbf", "10000 h", "200000 h");
      if (!(parameters_ > 0.0)) range("/jobs/0/checkpoint/parameters", "100000000", "10000000000");
    }
    scenario["jobs"] = Json::array({job});
  }

  /// What others take of the storage is taken off what it gives.
  void add_store(Json& scenario) {
    if (tenants_ > 0.0) {
      const std::string name = store_["catalogue"];
      Sources sources;
      const std::optional<Node> entry = catalogue_.entry("store", name, sources);
      const Node* rate = entry ? entry->find("bandwidth") : nullptr;
      const std::string text = store_.contains("bandwidth") ? store_["bandwidth"].get<std::string>()
                               : rate != nullptr            ? rate->text
                                                            : std::string();
      if (const auto value = parse_quantity(text, Unit::bytes_per_second)) {
        store_["// bandwidth"] = fmt::format("{}, of which others take {}", text, spelled(tenants_, Unit::fraction));
        store_["bandwidth"] = spelled(*value * (1.0 - tenants_), Unit::bytes_per_second);
      }
    }
    scenario["stores"] = Json::array({store_});
  }

  Draft finish() {
    Json scenario;
    scenario["//"] =
        "Made from the answers to headrace init; open answers are defaults with their range in input_ranges "
        "or from a generic class of the catalogue.";
    scenario["title"] = fmt::format("{} GPUs train on {} ({})", gpus_, spelled(bytes_, Unit::bytes), class_->name);
    if (!answer("objective").empty()) {
      scenario["// objective"] = answer("objective");
      scenario["objective"] = {{"minimize", goal(budget_.objective)}};
    }
    compare_gpus();
    add_pool(scenario);
    add_store(scenario);
    add_dataset(scenario);
    add_job(scenario);
    if (const std::string offer = price(); !offer.empty()) scenario["prices"] = offer;
    scenario["input_ranges"] = ranges_;
    return {scenario.dump(2) + "\n", budget_, warnings_};
  }

  /// The entry of the catalogue for an answer about the format; tokens are read as they are.
  static std::string_view preset_of(std::string_view format) {
    return format == "shards" ? "tar" : format == "tokens" ? std::string_view() : format;
  }

  static constexpr std::string_view kFormats[] = {"shards", "files", "tokens", "parquet", "hdf5", "tfrecord"};

  const Answers& answers_;
  const Catalogue& catalogue_;
  std::optional<AnswerError> error_;
  const WorkloadClass* class_ = nullptr;
  double parameters_ = 0.0;
  double samples_per_s_ = 0.0;
  double tokens_ = 0.0;
  bool rate_given_ = false;
  bool size_given_ = false;
  std::map<std::string, std::uint64_t> split_;
  std::uint64_t gpus_ = 64;
  std::string gpu_;
  std::string node_ = "generic-8-gpu";
  bool node_given_ = false;
  double bytes_ = 0.0;
  bool volume_given_ = false;
  double objects_ = 0.0;
  std::string format_;
  std::string location_ = "site";
  Json store_;
  Json nic_;
  std::optional<double> oversubscription_;
  bool cache_given_ = false;
  double nvme_bytes_ = 0.0;
  std::string nvme_rate_;
  bool checkpoint_ = false;
  std::string interval_;
  std::string mtbf_;
  double tenants_ = 0.0;
  Budget budget_;
  std::vector<std::string> warnings_;
  Json ranges_ = Json::array();
};

}  // namespace

bool is_open(std::string_view answer) {
  const std::string word = trimmed(answer);
  return word.empty() || word == "?" || word == "don't know" || word == "dont know" || word == "unknown";
}

tl::expected<Draft, AnswerError> draft_scenario(const Answers& answers, const Catalogue& catalogue) {
  return Drafter(answers, catalogue).run();
}

std::optional<AnswerError> check_answer(const std::string& key, const std::string& answer, const Catalogue& catalogue) {
  const auto draft = draft_scenario({{key, answer}}, catalogue);
  if (draft) return std::nullopt;
  return draft.error();
}

}  // namespace headrace::scenarios
