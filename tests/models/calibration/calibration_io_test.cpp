// The engines, the scratch folder and the work of the processor probes, on real files in small.
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <set>
#include <string>

#include "models/calibration/codec_probes.hpp"
#include "models/calibration/cpu_probes.hpp"
#include "models/calibration/io_engine.hpp"
#include "models/calibration/metadata_probes.hpp"
#include "models/calibration/preflight.hpp"
#include "models/calibration/scratch.hpp"
#include "models/calibration/timed_work.hpp"
#include "tests/catch.hpp"

namespace headrace::models::calibration {
namespace {

constexpr std::uint32_t kBlock = 4096;
constexpr std::uint64_t kBlocks = 256;
constexpr WindowLengths kShort{0.005, 0.03};

/// A folder that goes away, with a file whose every block begins with its own number.
class NumberedFile {
 public:
  NumberedFile() : scratch_(std::filesystem::temp_directory_path().string()) {
    file_ = OpenFile(::open(scratch_.path("data").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    std::vector<std::byte> block(kBlock);
    for (std::uint64_t i = 0; i < kBlocks; ++i) {
      std::memcpy(block.data(), &i, sizeof(i));
      REQUIRE(::pwrite(file_.get(), block.data(), kBlock, static_cast<off_t>(i * kBlock)) == kBlock);
    }
    ::fdatasync(file_.get());
  }
  IoTask task(std::uint32_t depth, Order order) const {
    IoTask task;
    task.file = file_.get();
    task.file_bytes = kBlocks * kBlock;
    task.block_bytes = kBlock;
    task.depth = depth;
    task.order = order;
    return task;
  }
  int get() const { return file_.get(); }
  const Scratch& scratch() const { return scratch_; }

 private:
  Scratch scratch_;
  OpenFile file_;
};

std::vector<std::unique_ptr<IoEngine>> engines() {
  std::vector<std::unique_ptr<IoEngine>> all;
  std::string reason;
  all.push_back(make_thread_engine());
  if (auto aio = make_aio_engine(64, reason)) all.push_back(std::move(aio));
  if (auto uring = make_uring_engine(64, reason)) all.push_back(std::move(uring));
  return all;
}

std::uint64_t number_in(const BlockBuffers& buffers, std::uint32_t slot) {
  std::uint64_t number = 0;
  std::memcpy(&number, buffers.block(slot), sizeof(number));
  return number;
}

}  // namespace

TEST_CASE("every engine reads what it is asked for") {
  const NumberedFile file;
  for (const auto& engine : engines()) {
    INFO(engine->name());
    for (const std::uint32_t depth : {1U, 8U}) {
      const BlockBuffers buffers(depth, kBlock, BufferLayout::scattered);
      for (std::uint32_t slot = 0; slot < depth; ++slot) std::memset(buffers.block(slot), 0xff, kBlock);
      const IoWindow window = engine->closed_loop(file.task(depth, Order::random), buffers, kShort, {});
      CHECK(window.tally.operations() > 0);
      CHECK(window.bytes >= window.tally.operations() * kBlock);
      CHECK(window.tally.length_s() == Approx(0.03));
      CHECK(window.tally.histogram().mean_s() > 0.0);
      // On a busy machine a thread may get no turn at all; whatever was read is a block of the file.
      std::uint32_t read = 0;
      for (std::uint32_t slot = 0; slot < depth; ++slot) {
        const std::uint64_t number = number_in(buffers, slot);
        CHECK((number < kBlocks || number == UINT64_MAX));
        read += number < kBlocks ? 1 : 0;
      }
      CHECK(read > 0);
    }
  }
}

TEST_CASE("streams go on where they stopped") {
  const NumberedFile file;
  for (const auto& engine : engines()) {
    IoTask task = file.task(1, Order::sequential);
    const BlockBuffers buffers(1, kBlock, BufferLayout::contiguous);
    const IoWindow first = engine->closed_loop(task, buffers, kShort, {});
    CHECK(first.next_block == first.bytes / kBlock);
    CHECK(number_in(buffers, 0) == (first.next_block - 1) % kBlocks);
    task.first_block = first.next_block;
    CHECK(engine->closed_loop(task, buffers, kShort, {}).next_block > first.next_block);
  }
}

TEST_CASE("arrivals come at their own rate") {
  const NumberedFile file;
  for (const auto& engine : engines()) {
    INFO(engine->name());
    const BlockBuffers buffers(16, kBlock, BufferLayout::scattered);
    const IoWindow window = engine->open_loop(file.task(16, Order::random), 500.0, buffers, {0.01, 0.4}, {});
    // 200 arrivals with a deviation of 14; a machine under load may serve fewer of them in time.
    CHECK(window.tally.operations() < 300);
    CHECK(window.tally.operations() > 20);
  }
}

TEST_CASE("a file that ends early and a stop request end a window") {
  const NumberedFile file;
  for (const auto& engine : engines()) {
    INFO(engine->name());
    const BlockBuffers buffers(4, kBlock, BufferLayout::scattered);
    IoTask beyond = file.task(4, Order::random);
    beyond.file_bytes *= 64;
    CHECK_THROWS_AS(engine->closed_loop(beyond, buffers, kShort, {}), IoFailure);
    IoTask closed = file.task(4, Order::random);
    closed.file = -1;
    CHECK_THROWS_AS(engine->closed_loop(closed, buffers, kShort, {}), IoFailure);
    std::stop_source stop;
    stop.request_stop();
    CHECK(engine->closed_loop(file.task(4, Order::random), buffers, {10.0, 10.0}, stop.get_token()).stopped);
  }
}

TEST_CASE("what is written can be read, and no block repeats") {
  const NumberedFile file;
  for (const auto& engine : engines()) {
    IoTask task = file.task(4, Order::sequential);
    task.write = true;
    const BlockBuffers buffers(4, kBlock, BufferLayout::scattered);
    for (std::uint32_t slot = 0; slot < 4; ++slot) fill_random(buffers.block(slot), kBlock, slot);
    REQUIRE(engine->closed_loop(task, buffers, {0.02, 0.1}, {}).bytes >= kBlocks * kBlock);
    std::set<std::uint64_t> stamps;
    for (std::uint64_t i = 0; i < kBlocks; ++i) {
      std::uint64_t first = 0;
      REQUIRE(::pread(file.get(), &first, 8, static_cast<off_t>(i * kBlock)) == 8);
      stamps.insert(first);
    }
    CHECK(stamps.size() == kBlocks);
  }
}

TEST_CASE("as many threads start as are asked for, and no more") {
  CHECK(startable_threads(1) == 1);
  CHECK(startable_threads(20) == 20);
}

TEST_CASE("extents that were never written are seen") {
  const Scratch scratch(std::filesystem::temp_directory_path().string());
  const OpenFile file(::open(scratch.path("holes").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  REQUIRE(::ftruncate(file.get(), 4 << 20) == 0);
  const double holes = unwritten_share(file.get(), 4 << 20);
  CHECK((holes == 1.0 || holes < 0.0));  // some file systems do not tell
  const std::vector<std::byte> data(1 << 20, std::byte{7});
  REQUIRE(::pwrite(file.get(), data.data(), data.size(), 0) == 1 << 20);
  ::fdatasync(file.get());
  const double left = unwritten_share(file.get(), 4 << 20);
  CHECK((left == Approx(0.75).margin(0.02) || left < 0.0));
  if (::posix_fallocate(file.get(), 1 << 20, 3 << 20) == 0) {
    const double allocated = unwritten_share(file.get(), 4 << 20);
    CHECK((allocated > 0.7 || allocated < 0.0 || look_at_target(file.get(), {}).in_memory));
  }
}

TEST_CASE("the scratch folder goes away with everything in it") {
  std::string path;
  {
    const Scratch scratch(std::filesystem::temp_directory_path().string());
    path = scratch.path();
    make_files(scratch.path("files"), 3, 1, 1);
    CHECK(std::filesystem::file_size(scratch.path("files") + "/s000002") == 4096);
    CHECK(std::filesystem::file_size(scratch.path("files") + "/m000000") == 65536);
    scratch.check_is_there();
  }
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK_THROWS_AS(Scratch("/proc/self/nothing"), CalibrationError);
  CHECK_THROWS_AS(check_folder("/dev/null"), CalibrationError);
}

TEST_CASE("checksums are those of the standard, and every decoder puts something out") {
  const std::string text = "123456789";
  CHECK(crc32c(static_cast<const std::byte*>(static_cast<const void*>(text.data())), text.size()) == 0xe3069283U);
  for (const CodecWork& codec : codec_works()) {
    INFO(codec.name);
    CHECK(codec.work(0) > 1000.0);
  }
  CHECK(missing_codecs().size() + codec_works().size() == 5);
  CHECK(copy_work(1 << 16, 1)(0) == 16.0 * (1 << 16));
  const ArmWindow window = rate_of([](unsigned) { return 1.0; }, 2, {0.001, 0.005}, {});
  CHECK(window.rate_per_s > 1000.0);
  CHECK_THROWS_AS(rate_of([](unsigned) -> double { throw IoFailure(5, "broken"); }, 2, {0.001, 0.005}, {}), IoFailure);
}

TEST_CASE("the machine tells about itself") {
  CHECK(clock_cost_s() > 0.0);
  CHECK(clock_cost_s() < 1e-4);
  std::set<std::string> keys;
  for (const HostFact& fact : host_facts({})) {
    keys.insert(fact.key);
    CHECK_FALSE(fact.value.empty());
  }
  CHECK(keys.count("kernel") == 1);
  CHECK(keys.count("cores_usable") == 1);
}

}  // namespace headrace::models::calibration
