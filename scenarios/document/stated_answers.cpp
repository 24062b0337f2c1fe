#include "scenarios/document/stated_answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "scenarios/document/answer_words.hpp"
#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using models::Unit;

constexpr WorkloadClass kClasses[] = {
    {"images", 115e3, 0.5, 1800, 256, 1.0, 150528, 1000, 0, 20e12},
    {"text", 16384, 0, 0, 8, 0.01, 0, 100000, 4096, 10e12},
    {"multimodal", 400e3, 0.5, 60, 32, 5.0, 600e3, 1000, 0, 100e12},
    {"video", 5e6, 0.5, 12, 8, 50.0, 9.6e6, 100, 0, 200e12},
    {"audio", 500e3, 0.5, 50, 32, 5.0, 1e6, 1000, 0, 20e12},
    {"recommendation", 1000, 0, 50000, 8192, 0.002, 0, 1000000, 0, 50e12},
    {"science", 146.6e6, 0.47, 21.7, 7, 1.0, 0, 1, 0, 20e12},
    {"finetune", 8192, 0, 0, 16, 0.01, 0, 100000, 2048, 1e12},
};

/// Words that name a kind of data, and the class of workload that reads it. Words that say more come first: "3D images"
/// are volumes.
struct DataWord {
  std::string_view word;
  std::string_view workload;
};
constexpr DataWord kDataWords[] = {{"3d", "science"},      {"nifti", "science"},   {"nii", "science"},
                                   {"nii.gz", "science"},  {"npz", "science"},     {"volume", "science"},
                                   {"volumes", "science"}, {"voxels", "science"},  {"mri", "science"},
                                   {"ct", "science"},      {"unet3d", "science"},  {"jpeg", "images"},
                                   {"jpegs", "images"},    {"jpg", "images"},      {"png", "images"},
                                   {"webp", "images"},     {"mp4", "video"},       {"video", "video"},
                                   {"videos", "video"},    {"wav", "audio"},       {"flac", "audio"},
                                   {"mp3", "audio"},       {"audio", "audio"},     {"text", "text"},
                                   {"llm", "text"},        {"vision", "images"},   {"imagenet", "images"},
                                   {"resnet", "images"},   {"resnet50", "images"}, {"gpt", "text"},
                                   {"llama", "text"},      {"speech", "audio"},    {"dlrm", "recommendation"},
                                   {"bert", "text"},       {"vit", "images"},      {"language", "text"},
                                   {"tokens", "text"},     {"token", "text"},      {"images", "images"},
                                   {"image", "images"}};
/// Words that pictures and volumes share: which of the two decides the size of a sample by a factor of 1000.
constexpr std::string_view kPicturesOrVolumes[] = {"medical", "dicom", "radiology"};

using WordPair = std::pair<std::string_view, std::string_view>;
constexpr WordPair kFormatWords[] = {{"shards", "shards"},
                                     {"sharded", "shards"},
                                     {"tar", "shards"},
                                     {"webdataset", "shards"},
                                     {"files", "files"},
                                     {"single files", "files"},
                                     {"one file per sample", "files"},
                                     {"tokens", "tokens"},
                                     {"parquet", "parquet"},
                                     {"hdf5", "hdf5"},
                                     {"tfrecord", "tfrecord"}};
/// Where the storage stands, seen from the GPUs.
constexpr WordPair kLocationWords[] = {{"local", "local"},           {"in the nodes", "local"}, {"site", "site"},
                                       {"on site", "site"},          {"on-site", "site"},       {"same site", "site"},
                                       {"on-prem", "site"},          {"on prem", "site"},       {"on-premises", "site"},
                                       {"on premises", "site"},      {"data center", "site"},   {"datacenter", "site"},
                                       {"region", "region"},         {"same region", "region"}, {"remote", "remote"},
                                       {"another region", "remote"}, {"other region", "remote"}};
/// Kinds of storage that nobody's name says; they carry no provider's limits.
constexpr WordPair kStoreWords[] = {{"object store", "generic-object-store"},
                                    {"object storage", "generic-object-store"},
                                    {"objects", "generic-object-store"},
                                    {"nas", "generic-nvme-nas"},
                                    {"nfs", "generic-nvme-nas"},
                                    {"parallel file system", "generic-parallel-fs"},
                                    {"parallel fs", "generic-parallel-fs"},
                                    {"parallel filesystem", "generic-parallel-fs"},
                                    {"file system", "generic-parallel-fs"},
                                    {"filesystem", "generic-parallel-fs"},
                                    {"shared file system", "generic-parallel-fs"},
                                    {"beegfs", "generic-parallel-fs"},
                                    {"lustre", "generic-parallel-fs"},
                                    {"gpfs", "generic-parallel-fs"},
                                    {"weka", "generic-parallel-fs"},
                                    {"aws s3", "s3-standard"},
                                    {"amazon s3", "s3-standard"},
                                    {"nvme", "generic-nvme-drive"},
                                    {"minio", "generic-object-store"},
                                    {"s3 compatible", "generic-object-store"},
                                    {"local nvme", "generic-nvme-drive"},
                                    {"hdd", "generic-hdd"}};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// "images" for JPEG; empty for words that name no kind of data.
std::string_view workload_of(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  for (const DataWord& known : kDataWords)
    if (std::find(words.begin(), words.end(), known.word) != words.end()) return known.workload;
  return {};
}

/// The workload of a model that is named without its size or speed: "images" of ResNet-50.
std::string_view workload_of_model(std::string name) {
  std::erase_if(name, [](char c) { return c == '-' || c == '_' || c == ' '; });
  return workload_of(in_lower_case(name));
}

/// "70B" of "Llama 70b" and "70 B params": people name the model before its size.
std::string model_size(const std::string& part) {
  std::string size;
  for (const std::string& word : words_of(part)) {
    const bool number = word.find_first_of("0123456789") != std::string::npos;
    if (number && !size.empty()) return part;  // two sizes: refused as it is
    if (number || (!size.empty() && word.size() == 1)) size += word;
  }
  if (size.ends_with('b')) size.back() = 'B';
  return size.empty() || part.find('=') != std::string::npos ? part : size;
}

/// 64 of "batch 64", "batch size 64" and "batch=64".
std::optional<std::uint64_t> batch_in(const std::string& part) {
  std::string text = in_lower_case(part);
  if (!text.starts_with("batch")) return std::nullopt;
  std::replace(text.begin(), text.end(), '=', ' ');
  const auto count = counted(words_of(text).back(), {""});
  if (!count || *count != std::floor(*count) || *count > 1e7) return std::nullopt;
  return static_cast<std::uint64_t>(*count);
}

/// 0.18 s of "180 ms per step", "180 ms/step", "180 ms a step", "step time 180 ms" and "step=180 ms".
std::optional<double> step_in(const std::string& part) {
  std::string text = in_lower_case(part);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '=' || c == '/'; }, ' ');
  constexpr std::string_view around[] = {"step", "steps", "time", "per", "a", "each", "of"};
  std::string quantity;
  for (const std::string& word : words_of(text))
    if (std::find(std::begin(around), std::end(around), word) == std::end(around))
      quantity += (quantity.empty() ? "" : " ") + word;
  const auto step_s = parse_quantity(quantity, Unit::seconds);
  return step_s && *step_s > 0.0 ? std::optional(*step_s) : std::nullopt;
}

constexpr std::string_view kEach = " each";
constexpr std::string_view kSuchAsData = "such as: 60 TB JPEG, 120 kB each";

class AnswerReader {
 public:
  AnswerReader(const Answers& answers, const Catalogue& catalogue) : answers_(answers), catalogue_(catalogue) {}

  tl::expected<StatedAnswers, AnswerError> run() {
    read_workload();
    read_model();
    read_gpus();
    read_node();
    read_data();
    read_layout();
    read_epochs();
    read_location();
    read_store();
    read_prefixes();
    read_network();
    read_nvme();
    read_checkpoint();
    read_tenants();
    read_objective();
    compare_layout();
    if (error_) return tl::unexpected(*error_);
    said_.network_given = !answer("network").empty();
    said_.objective = answer("objective");
    return std::move(said_);
  }

 private:
  std::string answer(std::string_view key) const {
    const auto found = answers_.find(key);
    return found == answers_.end() || is_open(found->second) ? std::string()
                                                             : without_hedges(trimmed_answer(found->second));
  }
  void fail(std::string_view key, const std::string& part, std::string help) {
    if (!error_) error_ = AnswerError{std::string(key), fmt::format("cannot read '{}'", part), std::move(help)};
  }
  /// Unreadable parts come with the example of their question.
  void fail(std::string_view key, const std::string& part) {
    for (const Question& question : kQuestions)
      if (question.key == key) fail(key, part, fmt::format("such as: {}", question.example));
  }
  /// A unit with two readings says which; everything else comes with the help.
  void fail_quantity(std::string_view key, const std::string& part, std::initializer_list<Unit> units,
                     std::string help) {
    const std::optional<UnitError> both = two_readings_of(part, units);
    if (!both || error_) return fail(key, part, std::move(help));
    error_ = AnswerError{std::string(key), fmt::format("cannot read '{}': {}", part, both->message), both->help};
  }
  std::string nearest_of(const std::string& word, std::string_view section) const {
    std::vector<std::string_view> names = catalogue_.names(section);
    for (std::size_t i = names.size(); i-- > 0;) names.push_back(names[i].substr(0, names[i].find('-')));  // "H100"
    const std::string_view near = nearest(word, names);
    if (!near.empty()) return fmt::format("did you mean '{}'?", near);
    std::string text = fmt::format("headrace explain catalogue lists every {}", section);
    for (const Question& question : kQuestions)
      if (question.key.starts_with(section)) text = fmt::format("such as: {}; {}", question.example, text);
    return text;
  }
  /// The first entry that people mean by the word; the scenario then has its whole name. Empty if there is none.
  std::string entry_named(std::string_view section, const std::string& word) const {
    const std::vector<std::string_view> names = entries_named(section, word);
    return names.empty() ? std::string() : std::string(names.front());
  }
  std::vector<std::string_view> entries_named(std::string_view section, std::string word) const {
    const bool words = word.find(' ') != std::string::npos;
    std::replace(word.begin(), word.end(), ' ', '-');
    std::vector<std::string_view> names = catalogue_.meant(section, word);
    if (names.empty() && word.ends_with('s')) names = catalogue_.meant(section, word.substr(0, word.size() - 1));
    if (!names.empty()) return names;
    for (const std::string_view name : catalogue_.names(section))  // "H100 SXM" of H100-SXM5
      if (words && in_lower_case(name).starts_with(in_lower_case(word))) names.push_back(name);
    return names;
  }
  void read_workload() {
    std::string given = answer("workload");
    if (given.empty())
      for (const std::string& part : parts_of(answer("data")))
        if (const auto kind = workload_of(split_words(part, {Unit::bytes}).words); !kind.empty() && given.empty())
          given = kind;
    std::string kind = in_lower_case(given.empty() ? "images" : given);
    if (is_picture_or_volume(kind)) {
      fail_medical("workload", given);
      kind = "images";
    }
    if (const std::string_view meant = workload_of(kind); !meant.empty()) kind = meant;
    std::vector<std::string_view> names;
    for (const WorkloadClass& known : kClasses) {
      names.push_back(known.name);
      if (known.name == kind) said_.workload = &known;
    }
    if (said_.workload == nullptr) {
      said_.workload = &kClasses[0];
      const std::string_view near = nearest(kind, names);
      fail("workload", given,
           near.empty() ? "one of images, text, multimodal, video, audio, recommendation, science, finetune"
                        : fmt::format("did you mean '{}'?", near));
    }
    said_.parameters = said_.workload->tokens > 0.0 ? 7e9 : 0.0;
    said_.samples_per_s = said_.workload->samples_per_s;
  }

  void read_model() {
    constexpr double smallest_model = 1e4;  // parameters; a number below it means something else
    bool rate_given = false;
    std::optional<double> step_s;
    said_.batch = static_cast<std::uint64_t>(said_.workload->batch);
    for (const std::string& part : parts_of(answer("model"))) {
      const std::size_t equals = part.find('=');
      if (const auto rate = counted(part, {"samples/s", "images/s", "sequences/s"})) {
        said_.samples_per_s = *rate;
        rate_given = true;
      } else if (const auto batch = batch_in(part)) {
        said_.batch = *batch;
      } else if (const auto stated_s = step_in(part)) {
        step_s = stated_s;
      } else if (const auto size = counted(model_size(part), {"", "parameters"}); size && *size >= smallest_model) {
        said_.parameters = *size;
        said_.size_given = true;
      } else if (equals != std::string::npos && read_split(part.substr(0, equals), part.substr(equals + 1))) {
        continue;
      } else {
        read_name_of_model(part);
      }
    }
    if (step_s) {
      if (rate_given) fail("model", answer("model"), "samples/s and a step time say the same: leave out one of them");
      said_.samples_per_s = static_cast<double>(said_.batch) / *step_s;
      rate_given = true;
    }
    if (rate_given)
      said_.tokens = 0.0;
    else
      said_.tokens = said_.workload->tokens;
    said_.rate_given = rate_given;
  }
  /// A name alone leaves size and speed as they are assumed for its workload.
  void read_name_of_model(const std::string& part) {
    const std::string_view workload = workload_of_model(part);
    if (workload.empty()) return fail("model", part);
    if (workload != said_.workload->name)
      fail("model", part,
           fmt::format("it is a model of the workload '{}', and the workload here is '{}'", workload,
                       said_.workload->name));
  }
  bool read_split(const std::string& which, const std::string& value) {
    const auto count = counted(value, {""});
    if (!count || *count != std::floor(*count) || *count > 1e5) return false;
    if (which != "tp" && which != "pp" && which != "cp" && which != "dp") return false;
    said_.split[which] = static_cast<std::uint64_t>(*count);
    return true;
  }

  void read_gpus() {
    const std::string given = answer("gpus");
    if (given.empty()) return;
    const std::optional<Machines> machines = read_machines(given);
    if (!machines) return fail("gpus", given);
    if (machines->gpus) said_.gpus = *machines->gpus;
    said_.nodes = machines->nodes;
    if (machines->gpu.empty()) return;
    said_.gpu = entry_named("gpu", machines->gpu);
    for (const std::string_view other : entries_named("gpu", machines->gpu))
      if (other != said_.gpu) said_.other_gpus.emplace_back(other);
    if (said_.gpu.empty() && read_servers(*machines)) return;
    if (said_.gpu.empty()) fail("gpus", given, nearest_of(machines->gpu, "gpu"));
  }

  /// "64 x DGX H100": servers with the GPUs that they come with.
  bool read_servers(const Machines& machines) {
    constexpr std::uint64_t gpus_of_a_server = 8;
    const std::string name = entry_named("node", machines.gpu);
    if (name.empty() || !answer("node").empty()) return false;
    said_.node = name;
    said_.node_given = true;
    said_.nodes = machines.nodes ? machines.nodes : machines.gpus;
    said_.gpus = gpus_of_a_server * said_.nodes.value_or(gpus_of_a_server);
    return true;
  }

  void read_node() {
    const std::string given = answer("node");
    if (given.empty()) return;
    const std::string name = entry_named("node", given);
    if (name.empty()) return fail("node", given, nearest_of(given, "node"));
    said_.node = name;
    said_.node_given = true;
  }

  /// "medical images": one of the words that do not tell, and none that does.
  static bool is_picture_or_volume(std::string_view text) {
    const std::vector<std::string> words = words_of(text);
    const auto is_open_word = [](const std::string& word) {
      return std::find(std::begin(kPicturesOrVolumes), std::end(kPicturesOrVolumes), word) !=
             std::end(kPicturesOrVolumes);
    };
    const auto decides = [](const std::string& word) { return word != "images" && !workload_of(word).empty(); };
    return std::any_of(words.begin(), words.end(), is_open_word) && std::none_of(words.begin(), words.end(), decides);
  }
  void fail_medical(std::string_view key, const std::string& given) {
    if (!error_)
      error_ = AnswerError{std::string(key), fmt::format("'{}' can be pictures or 3D volumes", given),
                           "for pictures write JPEG or PNG (115 kB a sample), for volumes NIfTI or npz (147 MB a "
                           "sample)"};
  }
  /// "of JPEG images in shards": kinds of data and formats, and nothing else but words between them.
  bool read_data_words(const std::string& words) {
    if (read_format(words)) return true;
    for (const std::string& word : words_of(words)) {
      const bool between = word == "of" || word == "in" || word == "as";
      const bool open =
          std::find(std::begin(kPicturesOrVolumes), std::end(kPicturesOrVolumes), word) != std::end(kPicturesOrVolumes);
      const bool format = read_format(word);
      if (!between && !open && !format && workload_of(word).empty()) return false;
    }
    return true;
  }

  /// 40e6 with {"jpeg", "files"} of "40 million JPEG files". Nothing where there is no count or no word behind it,
  /// where a word names neither data nor files, and for "20T JPEG", which mostly means terabytes.
  struct CountedData {
    double count = 0.0;
    std::vector<std::string> words;
  };
  static bool is_file_word(std::string_view word) {
    return word == "files" || word == "file" || word == "objects" || word == "object";
  }
  static std::optional<CountedData> counted_data(const std::string& part) {
    constexpr double kMost = 1e12;
    std::vector<std::string> words = words_of(part);
    for (const std::size_t head : {std::size_t{2}, std::size_t{1}}) {
      if (words.size() <= head) continue;
      const auto count = counted(fmt::to_string(fmt::join(words.begin(), words.begin() + head, " ")), {""});
      if (!count || *count >= kMost) continue;
      CountedData data{*count, {}};
      for (auto word = words.begin() + head; word != words.end(); ++word) data.words.push_back(in_lower_case(*word));
      const bool known = std::all_of(data.words.begin(), data.words.end(), [](const std::string& word) {
        return is_file_word(word) || !workload_of(word).empty();
      });
      return known ? std::optional(std::move(data)) : std::nullopt;
    }
    return std::nullopt;
  }
  /// "40M JPEG of 150 kB" as "40M JPEG, 150 kB each".
  static std::string with_each(std::string text) {
    constexpr std::string_view of = " of ";
    for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) {
      const std::size_t comma = text.rfind(',', at);
      const std::size_t begin = comma == std::string::npos ? 0 : comma + 1;
      const std::size_t end = std::min(text.find(',', at), text.size());
      const std::string rest = text.substr(at + of.size(), end - at - of.size());
      const bool size_of_counted = counted_data(text.substr(begin, at - begin)) && !rest.ends_with(kEach) &&
                                   !split_words(rest, {Unit::bytes}).quantity.empty();
      if (!size_of_counted) continue;
      text.insert(end, kEach);
      text.replace(at, of.size(), ", ");
    }
    return text;
  }
  /// "120 kB per sample" and "120 kB/image" as "120 kB each".
  static std::string with_each_for_per(std::string text) {
    constexpr std::string_view samples[] = {"sample", "image", "picture", "record", "video", "clip", "document"};
    for (const std::string_view per : {" per ", " / ", "/"})
      for (const std::string_view sample : samples) {
        const std::string words = fmt::format("{}{}", per, sample);
        for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
          const std::size_t end = at + words.size();
          if (end == text.size() || text[end] == ' ' || text[end] == ',') text.replace(at, words.size(), kEach);
        }
      }
    return text;
  }
  /// "3 PB of video in 4 million files" as "3 PB video, 4 million files", and "60 TB JPEG (120 kB each)" with a comma.
  static std::string without_prepositions(std::string text) {
    std::replace(text.begin(), text.end(), '(', ',');
    text.erase(std::remove(text.begin(), text.end(), ')'), text.end());
    text = with_each(with_each_for_per(std::move(text)));
    constexpr WordPair marks[] = {{" of ", " "}, {" in ", ", "}, {" as ", ", "}, {" at ", ", "}, {" with ", ", "}};
    for (const auto& [words, mark] : marks)
      for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words))
        text.replace(at, words.size(), mark);
    return text;
  }
  /// "60 TB JPEG 120 kB" and "60 TB 120 kB JPEG each" as "60 TB JPEG" and "120 kB". Nothing where the second quantity
  /// is too large for one sample of the first, or that of a shard.
  struct VolumeAndSize {
    std::string volume;
    std::string size;
  };
  static std::optional<VolumeAndSize> volume_and_size(const std::string& part) {
    const bool each = part.ends_with(kEach);
    std::vector<std::string> words = words_of(each ? part.substr(0, part.size() - kEach.size()) : part);
    const auto joined = [&](std::size_t begin, std::size_t count) {
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(begin);
      return fmt::to_string(fmt::join(first, first + static_cast<std::ptrdiff_t>(count), " "));
    };
    // How many words from one on are a quantity: "120 kB", "120kB" or none.
    const auto words_of_quantity = [&](std::size_t begin) -> std::size_t {
      for (const std::size_t count : {std::size_t{2}, std::size_t{1}})
        if (begin + count <= words.size() && parse_quantity(joined(begin, count), Unit::bytes)) return count;
      return 0;
    };
    const std::size_t behind = words_of_quantity(0);
    std::size_t at = behind;
    while (at < words.size() && words_of_quantity(at) == 0) ++at;
    if (behind == 0 || at == words.size()) return std::nullopt;
    const std::string volume = joined(0, behind);
    const std::size_t length = words_of_quantity(at);
    VolumeAndSize both{"", joined(at, length)};
    const double bytes = *parse_quantity(both.size, Unit::bytes);
    if (!each && !(bytes < kLargestShare * *parse_quantity(volume, Unit::bytes))) return std::nullopt;
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
    words.erase(first, first + static_cast<std::ptrdiff_t>(length));
    both.volume = joined(0, words.size());
    return names_container(both.volume) ? std::nullopt : std::optional(std::move(both));
  }
  /// Whether files of the named format hold many samples, so that a size beside the word is not that of a sample.
  static bool names_container(std::string_view text) {
    const std::vector<std::string> words = words_of(in_lower_case(text));
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return std::any_of(std::begin(kFormatWords), std::end(kFormatWords),
                         [&](const WordPair& known) { return known.first == word && known.second != "files"; });
    });
  }
  /// Whether a quantity is too small for all data that were stated before it: then it is the size of each sample.
  bool is_size_of_each(double bytes) const {
    if (said_.format == "tokens") return false;  // each sample or each token
    if (said_.volume_given) return bytes < kLargestShare * said_.bytes;
    return bytes < std::max(said_.samples, said_.objects);  // less than a byte for each
  }
  void read_data() {
    for (const std::string& part : parts_of(without_prepositions(answer("data")))) {
      if (const auto files = counted(part, {"objects", "files", "object", "file"}))
        said_.objects = *files;
      else if (const auto samples = counted(part, {"samples", "images", "records", "videos", "clips", "documents"}))
        said_.samples = *samples;
      else if (const auto tokens = counted(part, {"tokens", "token"}))
        read_tokens(part, *tokens);
      else if (const auto each = counted(part, {"B/token", "bytes/token", "byte/token", "bytes per token",
                                                "byte per token", "bytes a token"}))
        said_.bytes_per_token = *each;
      else if (const auto both = volume_and_size(part)) {
        read_volume(both->volume);
        read_each(both->size);
      } else if (part.ends_with(kEach))
        read_each(part.substr(0, part.size() - kEach.size()));
      else if (part.starts_with("each "))
        read_each(part.substr(kEach.size()));
      else if (const auto data = counted_data(part))
        read_counted(*data);
      else
        read_volume(part);
    }
    if (bytes_each_ > 0.0 && said_.tokens_of_data > 0.0) said_.bytes_per_token = bytes_each_;
    if (said_.tokens_of_data > 0.0) return size_tokens();
    if (bytes_each_ > 0.0) size_volume();
    if (said_.bytes_per_token > 0.0) fail("data", answer("data"), "a count of tokens too: 15T tokens, 2 bytes/token");
    if (said_.volume_given) return;
    said_.bytes = said_.samples > 0.0 ? said_.samples * said_.workload->sample_bytes : said_.workload->default_bytes;
  }
  void read_counted(const CountedData& data) {
    const bool files = std::any_of(data.words.begin(), data.words.end(), is_file_word);
    (files ? said_.objects : said_.samples) = data.count;
    for (const std::string& word : data.words)
      if (!is_file_word(word)) read_data_words(word);
  }
  /// "150 kB", or "150 kB JPEG", of each sample, file or token.
  void read_each(const std::string& part) {
    if (bytes_each_ > 0.0) return fail("data", part, fmt::format("one size of each, {}", kSuchAsData));
    const WordedQuantity worded = split_words(part, {Unit::bytes});
    if (!worded.quantity.empty()) bytes_each_ = *parse_quantity(worded.quantity, Unit::bytes);
    const bool good = bytes_each_ > 0.0 && (worded.words.empty() || read_data_words(worded.words));
    if (!good) fail_quantity("data", part, {Unit::bytes}, fmt::format("the size of one sample, {}", kSuchAsData));
  }
  /// Whether files of this size hold one sample each: by the layout, or as far as nobody says otherwise.
  bool is_one_each() {
    constexpr double kLargest = 20.0;  // over what is usual
    const std::string layout = in_lower_case(answer("layout"));
    const auto single = [](std::string_view format) { return format.empty() || format == "files"; };
    return single(layout) && single(said_.format) && bytes_each_ <= kLargest * said_.workload->sample_bytes;
  }
  /// The volume of so many samples or files of one size, or how many samples a volume has.
  void size_volume() {
    constexpr double kLeast = 1e6;
    if (said_.samples == 0.0 && is_one_each()) said_.samples = said_.objects;
    const double count = said_.samples > 0.0 ? said_.samples : said_.objects;
    if ((count > 0.0) == said_.volume_given)
      return fail("data", answer("data"),
                  fmt::format("two of the three: a volume (20 TB), a count (40M files), the size of each (150 kB); {}",
                              kSuchAsData));
    said_.volume_of_count = !said_.volume_given;
    if (said_.volume_given)
      said_.samples = std::max(1.0, std::round(said_.bytes / bytes_each_));
    else
      said_.bytes = count * bytes_each_;
    said_.sample_size_given = said_.samples > 0.0;
    if (said_.bytes < kLeast) return fail("data", answer("data"), "at least 1 MB in all");
    said_.volume_given = true;
  }
  void read_tokens(const std::string& part, double tokens) {
    if (!(said_.workload->tokens > 0.0))
      return fail("data", part,
                  fmt::format("tokens are the data of --workload text and finetune; of {} write a volume (500 TB) or a "
                              "count of samples",
                              said_.workload->name));
    said_.tokens_of_data = tokens;
    said_.format = "tokens";
  }
  /// Samples of so many tokens; without a volume each token has the bytes that were stated, or those of the class.
  void size_tokens() {
    if (said_.bytes_per_token > 0.0 && said_.volume_given)
      return fail("data", answer("data"), "the volume or the bytes of a token: one follows from the other");
    said_.samples = std::max(1.0, std::round(said_.tokens_of_data / said_.workload->tokens));
    const double assumed = said_.workload->sample_bytes / said_.workload->tokens;
    if (said_.volume_given)
      said_.bytes_per_token = said_.bytes / said_.tokens_of_data;
    else
      said_.bytes = said_.tokens_of_data * (said_.bytes_per_token > 0.0 ? said_.bytes_per_token : assumed);
    said_.volume_given = said_.volume_given || said_.bytes_per_token > 0.0;
    said_.bytes_per_token = said_.bytes / said_.tokens_of_data;
  }
  /// "100 TB JPEG": a volume, words about the data, or both.
  void read_volume(const std::string& part) {
    constexpr double least_bytes = 1e6;
    const WordedQuantity worded = split_words(part, {Unit::bytes});
    if (!worded.quantity.empty()) {
      const double bytes = *parse_quantity(worded.quantity, Unit::bytes);
      if (is_size_of_each(bytes) && !names_container(worded.words)) return read_each(part);
      if (said_.volume_given)
        return fail("data", part, fmt::format("one volume, and the size of each sample if known, {}", kSuchAsData));
      said_.bytes = bytes;
      said_.volume_given = true;
      if (said_.bytes < least_bytes)
        return fail("data", part, "a volume of at least 1 MB; for a count write '2 billion files' or '2B files'");
    }
    if (answer("workload").empty() && is_picture_or_volume(worded.words)) return fail_medical("data", part);
    if (workload_of(worded.words) == "science" && said_.workload->name == "images")
      return fail("data", part,
                  "volumes belong to --workload science, pictures to --workload images: leave out one of the two");
    if (!worded.words.empty() && !read_data_words(worded.words))
      fail_quantity(
          "data", part, {Unit::bytes},
          fmt::format("a volume (500 TB), a count (4.5M objects, 15T tokens), a kind (JPEG, NIfTI, video, audio), and "
                      "one of shards, files, tokens, parquet, hdf5, tfrecord; {}",
                      kSuchAsData));
  }

  bool read_format(std::string_view word) {
    for (const auto& [known, format] : kFormatWords) {
      if (known != word) continue;
      said_.format = format;
      return true;
    }
    return false;
  }
  void read_layout() {
    const std::string given = in_lower_case(answer("layout"));
    if (!given.empty() && !read_format(given))
      fail("layout", given, "files (one for each sample), shards, tokens, parquet, hdf5 or tfrecord");
  }

  /// "files" is one sample for each file: a count of files or objects then is one of samples. Where the volume says
  /// that there are several samples in each, one of the two answers is not what was meant.
  void compare_layout() {
    if (said_.format != "files" || !(said_.objects > 0.0) || error_) return;
    const auto whole = [](double count) { return fmt::format("{:.0f}", count); };
    const std::string_view key = answer("layout").empty() ? "data" : "layout";
    if (said_.samples > 0.0) {
      if (const double each = std::round(said_.samples / said_.objects); each > 1.0)
        error_ = AnswerError{
            std::string(key),
            fmt::format("'files' means one sample in each file, but {} samples in {} files are {} in "
                        "each",
                        whole(said_.samples), whole(said_.objects), whole(each)),
            fmt::format("write --layout shards for {} samples in each file, or give one count only", whole(each))};
      return;
    }
    if (!said_.volume_given) {
      said_.samples = said_.objects;
      said_.bytes = said_.samples * said_.workload->sample_bytes;
      return;
    }
    const double bytes_each = said_.bytes / said_.objects;
    const double each = std::round(bytes_each / said_.workload->sample_bytes);
    if (each < 2.0) return;
    const auto size = [](double bytes) { return print_quantity(std::stod(fmt::format("{:.3g}", bytes)), Unit::bytes); };
    error_ = AnswerError{
        std::string(key),
        fmt::format("'files' means one sample in each file, but {} in {} files are {} in each, and a sample of {} is "
                    "taken as {}",
                    print_quantity(said_.bytes, Unit::bytes), whole(said_.objects), size(bytes_each),
                    said_.workload->name, size(said_.workload->sample_bytes)),
        fmt::format("write --data '{}, {} samples' if each file is one sample of {}, or --layout shards if it holds "
                    "about {} samples",
                    print_quantity(said_.bytes, Unit::bytes), whole(said_.objects), size(bytes_each), whole(each))};
  }

  /// A whole number of something.
  std::optional<std::uint64_t> read_whole(const std::string& part,
                                          std::initializer_list<std::string_view> words) const {
    const auto count = counted(part, words);
    if (!count || *count != std::floor(*count) || *count >= 1e9) return std::nullopt;
    return static_cast<std::uint64_t>(*count);
  }
  void read_epochs() {
    const std::string given = answer("epochs");
    if (given.empty()) return;
    said_.epochs = read_whole(given, {"", "epoch", "epochs"});
    if (!said_.epochs) fail("epochs", given);
  }

  void read_location() {
    const std::string given = answer("location");
    if (given.empty()) return;
    const auto known = std::find_if(std::begin(kLocationWords), std::end(kLocationWords),
                                    [&](const WordPair& pair) { return pair.first == in_lower_case(given); });
    if (known == std::end(kLocationWords)) return fail("location", given, "one of local, site, region, remote");
    said_.location = known->second;
  }

  void read_store() {
    const bool objects = said_.location == "region" || said_.location == "remote";
    said_.store = {{"name", "storage"}, {"catalogue", objects ? "generic-object-store" : "generic-nvme-nas"}};
    if (said_.location == "local") said_.store["catalogue"] = "generic-nvme-drive";
    for (const std::string& part : parts_of(answer("store"))) read_store_part(part);
    said_.object_store = store_text("kind") == "object_store";
    if (said_.object_store && answer("location").empty()) said_.location = "region";
    if (said_.location != "remote") read_within_region();
  }

  /// Reading within the site or the region is free, and the catalogue's egress is that to the internet. A store without
  /// a price of egress gets none: what nobody stated is not free.
  void read_within_region() {
    const std::string egress = store_text("price/egress");
    if (egress.empty() || egress.starts_with("$0/")) return;
    said_.egress_assumed = answer("location").empty();
    said_.store["price"]["// egress"] =
        fmt::format("{}: the GPUs are in the region of the store, where reading costs nothing. To the internet: {}",
                    said_.egress_assumed ? "Assumed" : "As answered", egress);
    said_.store["price"]["egress"] = "$0/GB";
    if (said_.store["catalogue"] == "s3-standard") said_.store["price"]["egress_tiers"] = Json::array();
  }

  /// The catalogue's entry, also of "nfs server" and "lustre file system"; empty if there is none.
  std::string store_named(const std::string& words) const {
    for (const auto& [known, entry] : kStoreWords)
      if (known == words) return std::string(entry);
    std::string name = entry_named("store", words);
    for (const std::string_view kind : {" file system", " filesystem", " server", " servers", " filer", " share",
                                        " mount", " storage", " store", " cluster"})
      if (name.empty() && words.ends_with(kind)) name = store_named(words.substr(0, words.size() - kind.size()));
    return name;
  }

  /// "100 GB/s object store": a rate or a price, and the words of a class or a service.
  void read_store_part(const std::string& part) {
    const WordedQuantity worded = split_words(part, {Unit::bytes_per_second, Unit::usd_per_byte_month});
    if (const auto rate = parse_quantity(worded.quantity, Unit::bytes_per_second); rate && *rate > 0.0)
      said_.store["bandwidth"] = spaced(worded.quantity);
    else if (const auto price = parse_quantity(worded.quantity, Unit::usd_per_byte_month); price && *price >= 0.0)
      said_.store["price"]["capacity"] = worded.quantity;
    else if (!worded.quantity.empty())
      return fail("store", part);
    if (const auto size = parse_quantity(part, Unit::bytes))
      return fail("store", part, fmt::format("this is a size; a rate has /s: {}/s", spaced(part)));
    if (worded.words.empty()) return;
    const std::string name = store_named(worded.words);
    if (name.empty())
      fail_quantity("store", part, {Unit::bytes_per_second}, nearest_of(worded.words, "store"));
    else
      said_.store["catalogue"] = name;
  }

  /// A figure of the named store in the catalogue, or what stands under a path of its keys.
  std::string store_text(std::string_view key) const {
    Sources sources;
    const std::optional<Node> entry = catalogue_.entry("store", said_.store["catalogue"].get<std::string>(), sources);
    const Node* figure = entry ? find_at(*entry, fmt::format("/{}", key)) : nullptr;
    return figure == nullptr ? std::string() : figure->text;
  }

  void read_prefixes() {
    for (const std::string& part : parts_of(answer("prefixes"))) {
      if (part == "none" || part == "no limit")
        said_.store["limit"]["requests_per_prefix"] = "0 /s";
      else if (const auto count = read_whole(part, {"", "prefix", "prefixes"}))
        said_.store["limit"]["prefixes"] = *count;
      else if (const auto rate = parse_quantity(part, Unit::per_second); rate && *rate > 0.0)
        said_.store["limit"]["requests_per_prefix"] = part;
      else
        fail("prefixes", part);
    }
    const bool limited = said_.store.contains("limit") && said_.store["limit"].contains("requests_per_prefix");
    said_.idle_prefixes = said_.store.contains("limit") && !limited && store_text("limit/requests_per_prefix").empty();
  }

  /// "2x200 Gb/s per node" without whose network it is: every figure here is one of a node.
  static std::string without_node(std::string part) {
    for (const std::string_view words : {" per node", " each node", " a node", " per server", "/node"})
      if (part.ends_with(words)) part.resize(part.size() - words.size());
    return part;
  }

  void read_network() {
    for (const std::string& whole : parts_of(answer("network"))) {
      const std::string part = without_node(whole);
      double ratio = 0.0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), ratio);
      const std::string rest(end, part.data() + part.size());
      if (error == std::errc() && rest == ":1" && ratio >= 1.0)
        said_.oversubscription = ratio;
      else if (const Multiple links = split_multiple(part); is_link_rate(links.each))
        said_.nic = {{"bandwidth", with_whole_unit(links.each)}, {"rails", links.count}};
      else if (const std::string name = entry_named("nic", part); !name.empty())
        said_.nic = name;
      else
        fail_quantity("network", part, {Unit::bytes_per_second},
                      "such as: 100 Gb/s, 2:1; a number alone needs its unit: 400 Gb/s");
    }
  }

  static bool is_link_rate(std::string_view text) {
    const auto rate = parse_quantity(text, Unit::bytes_per_second, Rate::of_a_link);
    return rate && *rate > 0.0;
  }
  /// "200G" as "200 Gb/s".
  static std::string with_whole_unit(std::string_view rate) {
    const bool short_form = std::string_view("MGT").find(rate.back()) != std::string_view::npos;
    return spaced(fmt::format("{}{}", rate, short_form ? "b/s" : ""));
  }

  void read_nvme() {
    if (answer("nvme") == "none") return;
    for (const std::string& part : parts_of(answer("nvme"))) {
      if (const auto size = parse_quantity(part, Unit::bytes); size && *size > 0.0)
        said_.nvme_bytes = *size;
      else if (const auto rate = parse_quantity(part, Unit::bytes_per_second); rate && *rate > 0.0)
        said_.nvme_rate = spaced(part);
      else
        fail_quantity("nvme", part, {Unit::bytes, Unit::bytes_per_second}, "such as: 15 TB, 20 GB/s");
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

  /// "$500/epoch", "$20k/epoch".
  static std::optional<double> usd_per_epoch(const std::string& part) {
    const std::size_t slash = part.rfind("/epoch");
    if (slash == std::string::npos || slash + 6 != part.size()) return std::nullopt;
    const auto money = usd_per_hour(part.substr(0, slash) + "/h");
    return money;
  }

  void divide_budget(const std::string& part, double usd) {
    if (!said_.epochs)
      return fail("objective", part, "over which time: $500/epoch or $2M/month; a budget in all needs --epochs too");
    said_.budget.usd_per_epoch = usd / static_cast<double>(*said_.epochs);
  }
  void read_objective() {
    said_.budget.objective = "fed";
    for (const std::string& part : parts_of(answer("objective"))) {
      if (part == "cheapest" || part == "fastest" || part == "fed")
        said_.budget.objective = part;
      else if (const std::optional<double> each = usd_per_epoch(part))
        said_.budget.usd_per_epoch = each;
      else if (const std::optional<double> money = usd_per_hour(part))
        said_.budget.usd_per_hour = money;
      else if (const auto total = parse_quantity(part, Unit::usd); total && *total > 0.0 && part.starts_with('$'))
        divide_budget(part, *total);
      else
        fail("objective", part);
    }
  }

  const Answers& answers_;
  const Catalogue& catalogue_;
  std::optional<AnswerError> error_;
  StatedAnswers said_;
  double bytes_each_ = 0.0;  ///< of a sample or file; 0: not said
  /// Of a volume: what is smaller can be the size of one sample.
  static constexpr double kLargestShare = 1e-3;
};

}  // namespace

bool is_open(std::string_view answer) {
  const std::string word = trimmed_answer(answer);
  return word.empty() || word == "?" || word == "don't know" || word == "dont know" || word == "unknown";
}

bool only_names_model(const std::string& answer) {
  const std::vector<std::string> parts = parts_of(answer);
  return std::all_of(parts.begin(), parts.end(),
                     [](const std::string& part) { return !workload_of_model(part).empty(); });
}

tl::expected<StatedAnswers, AnswerError> read_answers(const Answers& answers, const Catalogue& catalogue) {
  return AnswerReader(answers, catalogue).run();
}

}  // namespace headrace::scenarios
