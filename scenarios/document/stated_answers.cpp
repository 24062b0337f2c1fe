#include "scenarios/document/stated_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using models::Unit;

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

std::string trimmed_answer(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

std::vector<std::string> parts_of(std::string_view answer) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= answer.size();) {
    const std::size_t comma = std::min(answer.find(',', at), answer.size());
    if (std::string part = trimmed_answer(answer.substr(at, comma - at)); !part.empty())
      parts.push_back(std::move(part));
    at = comma + 1;
  }
  return parts;
}

/// "4.5M objects" with words {"objects"}: 4.5e6.
std::optional<double> counted(const std::string& part, std::initializer_list<std::string_view> words) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error != std::errc() || !(number > 0.0)) return std::nullopt;
  std::string rest = trimmed_answer(std::string_view(end, part.data() + part.size()));
  for (const auto& [letter, factor] : {std::pair{'k', 1e3}, {'M', 1e6}, {'B', 1e9}, {'T', 1e12}}) {
    if (rest.empty() || rest[0] != letter || (rest.size() > 1 && rest[1] != ' ')) continue;
    number *= factor;
    rest = trimmed_answer(std::string_view(rest).substr(1));
    break;
  }
  return std::find(words.begin(), words.end(), rest) == words.end() ? std::nullopt : std::optional<double>(number);
}

class AnswerReader {
 public:
  AnswerReader(const Answers& answers, const Catalogue& catalogue) : answers_(answers), catalogue_(catalogue) {}

  tl::expected<StatedAnswers, AnswerError> run() {
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
    said_.network_given = !answer("network").empty();
    said_.objective = answer("objective");
    return std::move(said_);
  }

 private:
  std::string answer(std::string_view key) const {
    const auto found = answers_.find(key);
    return found == answers_.end() || is_open(found->second) ? std::string() : trimmed_answer(found->second);
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
  void read_workload() {
    const std::string given = answer("workload");
    for (const WorkloadClass& known : kClasses)
      if (known.name == (given.empty() ? "images" : given)) said_.workload = &known;
    if (said_.workload == nullptr) {
      said_.workload = &kClasses[0];
      fail("workload", given, "one of images, text, multimodal, video, audio, recommendation, science, finetune");
    }
    said_.parameters = said_.workload->tokens > 0.0 ? 7e9 : 0.0;
    said_.samples_per_s = said_.workload->samples_per_s;
  }

  void read_model() {
    bool rate_given = false;
    for (const std::string& part : parts_of(answer("model"))) {
      const std::size_t equals = part.find('=');
      if (const auto rate = counted(part, {"samples/s", "images/s", "sequences/s"})) {
        said_.samples_per_s = *rate;
        rate_given = true;
      } else if (const auto size = counted(part, {"", "parameters"})) {
        said_.parameters = *size;
        said_.size_given = true;
      } else if (equals != std::string::npos && read_split(part.substr(0, equals), part.substr(equals + 1))) {
        continue;
      } else {
        fail("model", part);
      }
    }
    if (rate_given)
      said_.tokens = 0.0;
    else
      said_.tokens = said_.workload->tokens;
    said_.rate_given = rate_given;
  }
  bool read_split(const std::string& which, const std::string& value) {
    const auto count = counted(value, {""});
    if (!count || *count != std::floor(*count) || *count > 1e5) return false;
    if (which != "tp" && which != "pp" && which != "cp" && which != "dp") return false;
    said_.split[which] = static_cast<std::uint64_t>(*count);
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
      said_.gpus = static_cast<std::uint64_t>(number);
      given = trimmed_answer(std::string_view(end, given.data() + given.size()));
      if (given.starts_with('x') || given.starts_with('X')) given = trimmed_answer(std::string_view(given).substr(1));
    } else if (error == std::errc()) {
      return fail("gpus", given);
    }
    if (given.empty()) return;
    said_.gpu = entry_named("gpu", given);
    if (said_.gpu.empty()) fail("gpus", answer("gpus"), nearest_of(given, "gpu"));
  }

  void read_node() {
    const std::string given = answer("node");
    if (given.empty()) return;
    const std::string name = entry_named("node", given);
    if (name.empty()) return fail("node", given, nearest_of(given, "node"));
    said_.node = name;
    said_.node_given = true;
  }

  void read_data() {
    said_.bytes = said_.workload->default_bytes;
    bool volume = false;
    for (const std::string& part : parts_of(answer("data"))) {
      if (const auto size = parse_quantity(part, Unit::bytes); size && *size > 0.0) {
        said_.bytes = *size;
        volume = true;
      } else if (const auto count = counted(part, {"objects", "files", "object", "file"})) {
        said_.objects = *count;
      } else if (std::find(std::begin(kFormats), std::end(kFormats), part) != std::end(kFormats)) {
        said_.format = part;
      } else {
        fail("data", part,
             "a volume (500 TB), a count (4.5M objects), and one of shards, files, tokens, parquet, hdf5, tfrecord");
      }
    }
    said_.volume_given = volume;
  }

  void read_location() {
    const std::string given = answer("location");
    if (given.empty()) return;
    if (given != "local" && given != "site" && given != "region" && given != "remote")
      return fail("location", given, "one of local, site, region, remote");
    said_.location = given;
  }

  void read_store() {
    const bool objects = said_.location == "region" || said_.location == "remote";
    said_.store = {{"name", "storage"}, {"catalogue", objects ? "generic-object-store" : "generic-nvme-nas"}};
    if (said_.location == "local") said_.store["catalogue"] = "generic-nvme-drive";
    for (const std::string& part : parts_of(answer("store"))) {
      if (const auto rate = parse_quantity(part, Unit::bytes_per_second); rate && *rate > 0.0)
        said_.store["bandwidth"] = part;
      else if (const auto price = parse_quantity(part, Unit::usd_per_byte_month); price && *price >= 0.0)
        said_.store["price"]["capacity"] = part;
      else if (const std::string name = entry_named("store", part); !name.empty())
        said_.store["catalogue"] = name;
      else
        fail("store", part, nearest_of(part, "store"));
    }
    // Reading within the site or the region is free; the catalogue's egress is that to the internet.
    if (said_.location != "remote") said_.store["price"]["egress"] = "$0/GB";
    if (said_.location != "remote" && said_.store["catalogue"] == "s3-standard")
      said_.store["price"]["egress_tiers"] = Json::array();
  }

  void read_network() {
    for (const std::string& part : parts_of(answer("network"))) {
      double ratio = 0.0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), ratio);
      const std::string rest(end, part.data() + part.size());
      if (error == std::errc() && rest == ":1" && ratio >= 1.0)
        said_.oversubscription = ratio;
      else if (const auto rate = parse_quantity(part, Unit::bytes_per_second); rate && *rate > 0.0)
        said_.nic = {{"bandwidth", part}, {"rails", 1}};
      else if (const std::string name = entry_named("nic", part); !name.empty())
        said_.nic = name;
      else
        fail("network", part);
    }
  }

  void read_nvme() {
    if (answer("nvme") == "none") return;
    for (const std::string& part : parts_of(answer("nvme"))) {
      if (const auto size = parse_quantity(part, Unit::bytes); size && *size > 0.0)
        said_.nvme_bytes = *size;
      else if (const auto rate = parse_quantity(part, Unit::bytes_per_second); rate && *rate > 0.0)
        said_.nvme_rate = part;
      else
        fail("nvme", part);
    }
  }

  void read_checkpoint() {
    if (answer("checkpoint") == "none") return;
    said_.checkpoint = !answer("checkpoint").empty() || said_.parameters > 0.0;
    int given = 0;
    for (const std::string& part : parts_of(answer("checkpoint"))) {
      if (const auto time = parse_quantity(part, Unit::seconds); !time || !(*time > 0.0) || given > 1)
        fail("checkpoint", part);
      (given++ == 0 ? said_.interval : said_.mtbf) = part;
    }
  }

  void read_tenants() {
    const std::string given = answer("tenants");
    if (given.empty() || given == "none") return;
    const auto share = parse_quantity(given, Unit::fraction);
    if (!share || *share < 0.0 || *share >= 1.0) return fail("tenants", given);
    said_.tenants = *share;
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
    said_.budget.objective = "fed";
    for (const std::string& part : parts_of(answer("objective"))) {
      if (part == "cheapest" || part == "fastest" || part == "fed")
        said_.budget.objective = part;
      else if (const std::optional<double> money = usd_per_hour(part))
        said_.budget.usd_per_hour = money;
      else
        fail("objective", part);
    }
  }

  static constexpr std::string_view kFormats[] = {"shards", "files", "tokens", "parquet", "hdf5", "tfrecord"};

  const Answers& answers_;
  const Catalogue& catalogue_;
  std::optional<AnswerError> error_;
  StatedAnswers said_;
};

}  // namespace

bool is_open(std::string_view answer) {
  const std::string word = trimmed_answer(answer);
  return word.empty() || word == "?" || word == "don't know" || word == "dont know" || word == "unknown";
}

tl::expected<StatedAnswers, AnswerError> read_answers(const Answers& answers, const Catalogue& catalogue) {
  return AnswerReader(answers, catalogue).run();
}

}  // namespace headrace::scenarios
