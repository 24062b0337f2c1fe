#include "models/calibration/storage_probes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <thread>

#include "models/calibration/host_clock.hpp"
#include "models/calibration/sizes.hpp"

namespace headrace::models::calibration {
namespace {

constexpr std::uint64_t kMostBufferBytes = std::uint64_t{256} * kMi;  // memory stays below 512 MB

ArmWindow as_operations(const IoWindow& io) {
  ArmWindow window;
  window.length_s = io.tally.length_s();
  window.rate_per_s = io.tally.rate_per_s();
  window.device_bytes = static_cast<double>(io.bytes);
  window.tally = io.tally;
  return window;
}

ArmWindow as_bytes(const IoWindow& io, std::uint32_t block_bytes) {
  ArmWindow window = as_operations(io);
  window.rate_per_s *= static_cast<double>(block_bytes);
  return window;
}

Cell cell_of(const char* probe, const IoTask& task, bool direct, BufferLayout layout, const char* unit) {
  Cell cell;
  cell.probe = probe;
  cell.block_bytes = task.block_bytes;
  cell.depth = task.depth;
  cell.direct = direct;
  cell.buffers = layout_name(layout);
  cell.unit = unit;
  return cell;
}

std::vector<RandomCell> grid(std::initializer_list<std::uint32_t> blocks, std::initializer_list<std::uint32_t> depths) {
  std::vector<RandomCell> cells;
  for (const std::uint32_t block : blocks)
    for (const std::uint32_t depth : depths)
      for (const BufferLayout layout : {BufferLayout::scattered, BufferLayout::contiguous})
        if (std::uint64_t{block} * depth <= kMostBufferBytes) cells.push_back({block, depth, layout});
  return cells;
}

IoTask reading(int file, std::uint64_t file_bytes, std::uint32_t block_bytes, std::uint32_t depth, Order order) {
  IoTask task;
  task.file = file;
  task.file_bytes = file_bytes;
  task.block_bytes = block_bytes;
  task.depth = depth;
  task.order = order;
  return task;
}

/// One stream after the other takes its own part of the file, so that read-ahead sees every one in sequence.
struct Stream {
  IoEngine* engine;
  IoTask task;
  BufferLayout layout;
  bool drop_before;  ///< the pages, so that the device is read
  bool warm_before;  ///< read once before, so that it is not
  std::stop_token stop;
  std::uint64_t next_block = 0;
  /// Read-ahead fetches more than was asked for, and memory less: the device's own count says nothing about others.
  bool counted = false;

  ArmWindow run(const WindowLengths& lengths) {
    if (drop_before) drop_pages(task.file);
    const BlockBuffers buffers(task.depth, task.block_bytes, layout);
    if (warm_before) read_all(buffers);
    IoTask now = task;
    now.first_block = next_block;
    const IoWindow io = engine->closed_loop(now, buffers, lengths, stop);
    next_block = io.next_block;
    ArmWindow window = as_bytes(io, task.block_bytes);
    if (!counted) window.device_bytes = 0.0;
    return window;
  }

  void read_all(const BlockBuffers& buffers) const {
    for (std::uint64_t at = 0; at + task.block_bytes <= task.file_bytes; at += task.block_bytes)
      if (::pread(task.file, buffers.block(0), task.block_bytes, static_cast<off_t>(at)) < 0) return;
  }
};

Arm sequential_arm(IoEngine& engine, const IoTask& task, bool direct, BufferLayout layout, const char* detail,
                   const std::stop_token& stop) {
  Arm arm;
  arm.cell = cell_of("sequential_read", task, direct, layout, "B/s");
  arm.cell.detail = detail;
  arm.on_device = direct;
  const std::string kind = detail;
  const auto stream =
      std::make_shared<Stream>(Stream{&engine, task, layout, kind == "cold", kind == "cached", stop, 0, direct});
  arm.run = [stream](const WindowLengths& lengths, std::uint64_t) { return stream->run(lengths); };
  return arm;
}

/// Several streams at the same time, each from its own part of the file on: each its own reader, as loaders have them.
struct Streams {
  std::vector<Stream> each;
  int file;
  bool drop_before;

  ArmWindow run(const WindowLengths& lengths) {
    if (drop_before) drop_pages(file);
    std::vector<ArmWindow> windows(each.size());
    std::vector<std::exception_ptr> failures(each.size());
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < each.size(); ++i)
        threads.emplace_back([&, i] {
          try {
            windows[i] = each[i].run(lengths);
          } catch (...) {
            failures[i] = std::current_exception();
          }
        });
    }
    for (const std::exception_ptr& failure : failures)
      if (failure) std::rethrow_exception(failure);
    ArmWindow all;
    all.length_s = lengths.window_s;
    for (const ArmWindow& window : windows) {
      all.rate_per_s += window.rate_per_s;
      all.device_bytes += window.device_bytes;
    }
    return all;
  }
};

Arm streams_arm(IoEngine& engine, const IoTask& task, bool direct, unsigned count, const std::stop_token& stop) {
  Arm arm;
  const BufferLayout layout = direct ? BufferLayout::contiguous : BufferLayout::scattered;
  arm.cell = cell_of("sequential_read", task, direct, layout, "B/s");
  arm.cell.detail = direct ? "direct" : "cold";
  arm.cell.threads = count;
  arm.on_device = direct;
  const auto streams = std::make_shared<Streams>(Streams{{}, task.file, !direct});
  const std::uint64_t part = task.file_bytes / task.block_bytes / count;
  for (unsigned i = 0; i < count; ++i) {
    streams->each.push_back(Stream{&engine, task, layout, false, false, stop, i * part, direct});
  }
  arm.run = [streams](const WindowLengths& lengths, std::uint64_t) { return streams->run(lengths); };
  return arm;
}

}  // namespace

std::vector<RandomCell> quick_random_cells() {
  using enum BufferLayout;
  return {{4 * kKi, 1, scattered},     {4 * kKi, 4, scattered},     {4 * kKi, 16, scattered},
          {4 * kKi, 64, scattered},    {128 * kKi, 1, contiguous},  {128 * kKi, 4, contiguous},
          {128 * kKi, 16, contiguous}, {128 * kKi, 64, contiguous}, {128 * kKi, 16, scattered},
          {kMi, 1, contiguous},        {kMi, 8, contiguous},        {kMi, 8, scattered}};
}

std::vector<RandomCell> normal_random_cells() {
  return grid({4 * kKi, 16 * kKi, 64 * kKi, 128 * kKi, kMi, 4 * kMi}, {1, 4, 16, 64});
}

std::vector<RandomCell> full_random_cells() {
  return grid({4 * kKi, 16 * kKi, 64 * kKi, 128 * kKi, kMi, 4 * kMi}, {1, 2, 4, 8, 16, 32, 64, 128, 256});
}

std::vector<Arm> random_read_arms(IoEngine& engine, const DataFile& file, const std::vector<RandomCell>& cells,
                                  const std::stop_token& stop) {
  std::vector<Arm> arms;
  for (const RandomCell& wanted : cells) {
    const IoTask task = reading(file.best(), file.bytes, wanted.block_bytes, wanted.depth, Order::random);
    if (task.file_bytes / task.block_bytes < 2) continue;
    Arm arm;
    arm.cell = cell_of("random_read", task, file.direct.is_open(), wanted.layout, "1/s");
    arm.on_device = file.direct.is_open();
    const bool drop = !file.direct.is_open();
    arm.run = [&engine, task, stop, drop, layout = wanted.layout](const WindowLengths& lengths, std::uint64_t seed) {
      if (drop) drop_pages(task.file);
      const BlockBuffers buffers(task.depth, task.block_bytes, layout);
      IoTask now = task;
      now.seed = seed;
      return as_operations(engine.closed_loop(now, buffers, lengths, stop));
    };
    arms.push_back(std::move(arm));
  }
  return arms;
}

std::vector<Arm> noise_arms(IoEngine& engine, const DataFile& file, const std::stop_token& stop) {
  std::vector<Arm> arms = random_read_arms(engine, file, {{4 * kKi, 8, BufferLayout::scattered}}, stop);
  for (Arm& arm : arms) {
    arm.cell.probe = "noise";
    arm.window_factor = kNoiseWindowFactor;
  }
  return arms;
}

std::vector<Arm> sequential_arms(IoEngine& engine, const DataFile& file, bool thorough, unsigned cores,
                                 const std::stop_token& stop) {
  std::vector<Arm> arms;
  const auto add = [&](int descriptor, std::uint64_t bytes, std::uint32_t block, std::uint32_t depth,
                       const char* kind) {
    const bool direct = std::string(kind) == "direct";
    const BufferLayout layout = direct ? BufferLayout::contiguous : BufferLayout::scattered;
    const IoTask task = reading(descriptor, bytes, block, depth, Order::sequential);
    arms.push_back(sequential_arm(engine, task, direct, layout, kind, stop));
  };
  if (file.direct.is_open()) {
    add(file.direct.get(), file.bytes, kMi, 1, "direct");
    add(file.direct.get(), file.bytes, kMi, 8, "direct");
    if (thorough) {
      add(file.direct.get(), file.bytes, 128 * kKi, 1, "direct");
      add(file.direct.get(), file.bytes, 4 * kMi, 4, "direct");
    }
  }
  add(file.buffered.get(), file.bytes, kMi, 1, "cold");
  if (thorough) add(file.buffered.get(), file.bytes, 128 * kKi, 1, "cold");
  constexpr unsigned kMostStreams = 16;  // their buffers stay small
  const unsigned count = std::min(cores, kMostStreams);
  if (thorough && count > 1) {
    if (file.direct.is_open())
      arms.push_back(
          streams_arm(engine, reading(file.direct.get(), file.bytes, kMi, 1, Order::sequential), true, count, stop));
    arms.push_back(
        streams_arm(engine, reading(file.buffered.get(), file.bytes, kMi, 1, Order::sequential), false, count, stop));
  }
  // Cached: a part of the file that memory surely holds.
  add(file.buffered.get(), std::min<std::uint64_t>(file.bytes, std::uint64_t{128} * kMi), kMi, 1, "cached");
  return arms;
}

std::vector<Arm> open_loop_arms(IoEngine& engine, const DataFile& file, double peak_per_s,
                                const std::stop_token& stop) {
  std::vector<Arm> arms;
  constexpr std::uint32_t kSlots = 256;
  for (const double load : {0.3, 0.6, 0.8, 0.9, 0.95}) {
    IoTask task = reading(file.best(), file.bytes, 4 * kKi, kSlots, Order::random);
    Arm arm;
    arm.cell = cell_of("open_loop", task, file.direct.is_open(), BufferLayout::scattered, "1/s");
    arm.cell.detail = fmt::format("load {:g}", load);
    arm.on_device = file.direct.is_open();
    arm.run = [&engine, task, stop, rate = load * peak_per_s](const WindowLengths& lengths, std::uint64_t seed) {
      const BlockBuffers buffers(task.depth, task.block_bytes, BufferLayout::scattered);
      IoTask now = task;
      now.seed = seed;
      return as_operations(engine.open_loop(now, rate, buffers, lengths, stop));
    };
    arms.push_back(std::move(arm));
  }
  return arms;
}

MeasuredArm write_file(IoEngine& engine, int file, std::uint64_t& bytes, const RoundRule& rule,
                       const RoundContext& context) {
  IoTask task = reading(file, bytes, kMi, 8, Order::sequential);
  task.write = true;
  const BlockBuffers buffers(task.depth, task.block_bytes, BufferLayout::contiguous);
  for (std::uint32_t i = 0; i < task.depth; ++i) fill_random(buffers.block(i), task.block_bytes, context.seed + i);
  std::uint64_t written = 0;
  Arm arm;
  arm.cell = cell_of("write", task, true, BufferLayout::contiguous, "B/s");
  arm.cell.detail = "new file, in sequence";
  arm.on_device = true;
  arm.run = [&](const WindowLengths& lengths, std::uint64_t) {
    IoTask now = task;
    now.first_block = written / task.block_bytes;
    WindowLengths writing = lengths;
    writing.warm_up_s = 0.0;
    const IoWindow io = engine.closed_loop(now, buffers, writing, context.stop);
    written = io.next_block * task.block_bytes;
    return as_bytes(io, task.block_bytes);
  };
  RoundRule windows = rule;
  windows.least_rounds = 1;
  windows.most_rounds = 1;
  const std::uint64_t begin = clock_ns();
  MeasuredArm all;
  all.cell = arm.cell;
  const auto within = [&] { return seconds_between(begin, clock_ns()) < rule.budget_s || written < 64 * kMi; };
  while (written < bytes && within() && !is_over(context)) {
    MeasuredArm one = run_rounds({arm}, windows, context).front();
    for (const Window& window : one.cell.windows) all.cell.windows.push_back(window);
    all.odd.merge(one.odd);
    all.even.merge(one.even);
  }
  if (written < bytes) bytes = std::max<std::uint64_t>(written, kMi) / kMi * kMi;
  LatencyHistogram both = all.odd;
  both.merge(all.even);
  if (both.count() > 0) all.cell.latency = both.record();
  all.cell.estimate = estimate_of(all.cell.windows, rule.estimate);
  note_drift(all.cell, rule.estimate);
  return all;
}

}  // namespace headrace::models::calibration
