// The corpora of the fuzz targets: what once made the program crash, and a sample of every format, also cut and
// changed.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/catch.hpp"
#include "tests/fuzz/targets.hpp"

namespace headrace::testing {

namespace {

namespace fs = std::filesystem;

const fs::path kCorpora = HEADRACE_SOURCE_DIR "/tests/data/fuzz";

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> corpus_of(const std::string& target) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kCorpora / target)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const fs::path& file : files) corpus.push_back(bytes_of(file));
  return corpus;
}

/// A few bytes changed, a piece doubled, or the end cut.
std::string changed(std::string bytes, std::mt19937& random) {
  if (bytes.empty()) return bytes;
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  switch (below(4)) {
    case 0:
      bytes.resize(below(bytes.size()));
      break;
    case 1:
      bytes.insert(below(bytes.size()), bytes.substr(below(bytes.size()), 40));
      break;
    case 2:
      bytes.erase(below(bytes.size()), 1 + below(20));
      break;
    default:
      for (std::size_t n = 1 + below(8); n > 0; --n) bytes[below(bytes.size())] = static_cast<char>(random());
  }
  return bytes;
}

}  // namespace

TEST_CASE("every fuzz target reads its corpus, also with changes, and refuses what it cannot use") {
  constexpr unsigned kChanges = 20;
  for (const FuzzTarget& target : fuzz_targets()) {
    INFO(target.name);
    const std::vector<std::string> corpus = corpus_of(target.name);
    CHECK(!corpus.empty());
    std::mt19937 random(22);
    bool taken = false;
    for (const std::string& bytes : corpus) {
      CHECK_NOTHROW(taken = target.read(bytes) || taken);
      for (unsigned i = 0; i < kChanges; ++i) {
        const std::string other = changed(bytes, random);
        INFO(other.substr(0, 2000));
        CHECK_NOTHROW(target.read(other));
      }
    }
    CHECK(taken);  // at least one is what the target is for
    CHECK_NOTHROW(target.read(""));
  }
}

}  // namespace headrace::testing
