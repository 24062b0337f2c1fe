#include "models/calibration/s3_probes.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "models/calibration/host_clock.hpp"
#include "models/calibration/io_memory.hpp"

namespace headrace::models::calibration {
namespace {

/// One request that was answered.
struct Timing {
  std::uint64_t end_ns = 0;
  double first_byte_s = 0.0;
  double body_s = 0.0;
  double cycle_s = 0.0;  ///< with refused tries and waits
  double bytes = 0.0;
};

/// Of each connection.
using Timings = std::vector<std::vector<Timing>>;

Timing timing_of(const S3Session::Answered& got, double bytes) {
  Timing t;
  t.end_ns = clock_ns();
  t.first_byte_s = got.answer.first_byte_s;
  t.body_s = got.answer.total_s - got.answer.first_byte_s;
  t.cycle_s = got.answer.total_s + got.waited_s;
  t.bytes = bytes;
  return t;
}

/// `requests` requests over `connections`, each thread taking the next one. `one` gets connection and number.
template <class One>
Timings run_requests(S3Session& session, unsigned connections, unsigned requests, const One& one,
                     const std::stop_token& stop) {
  session.open(connections);
  Timings timings(connections);
  std::atomic<unsigned> next{0};
  std::atomic<bool> over{false};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&](unsigned connection) {
    try {
      for (unsigned i = next++; i < requests && !over && !stop.stop_requested(); i = next++)
        timings[connection].push_back(one(connection, i));
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
      over = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned c = 1; c < connections; ++c) others.emplace_back(work, c);
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
  return timings;
}

double sum_of(const Timings& timings, double Timing::*part) {
  double sum = 0.0;
  for (const auto& connection : timings)
    for (const Timing& t : connection) sum += t.*part;
  return sum;
}

double count_of(const Timings& timings) {
  double count = 0.0;
  for (const auto& connection : timings) count += static_cast<double>(connection.size());
  return count;
}

/// Each connection has a rate of its own: the ones that end early leave the last request of the others alone.
double rate_of_all(const Timings& timings) {
  double rate = 0.0;
  for (const auto& connection : timings) {
    double busy_s = 0.0;
    for (const Timing& t : connection) busy_s += t.cycle_s;
    if (busy_s > 0.0) rate += static_cast<double>(connection.size()) / busy_s;
  }
  return rate;
}

/// Latencies in the order of their ends.
WindowTally tally_of(const Timings& timings, double Timing::*part, std::uint64_t begin_ns) {
  std::vector<Timing> all;
  for (const auto& connection : timings) all.insert(all.end(), connection.begin(), connection.end());
  std::sort(all.begin(), all.end(), [](const Timing& a, const Timing& b) { return a.end_ns < b.end_ns; });
  WindowTally tally;
  tally.start(begin_ns, clock_ns() - begin_ns + 1);
  for (const Timing& t : all) tally.add(t.end_ns, static_cast<std::uint64_t>(1e9 * t.*part));
  return tally;
}

/// Which rate and which latencies a kind is about.
ArmWindow window_of(S3Kind kind, const Timings& timings, std::uint64_t begin_ns) {
  ArmWindow window;
  window.length_s = seconds_between(begin_ns, clock_ns());
  const double count = count_of(timings);
  if (!(count > 0.0)) return window;
  const auto per = [&](double amount, double Timing::*part) {
    const double seconds = sum_of(timings, part);
    return seconds > 0.0 ? amount / seconds : 0.0;
  };
  if (kind == S3Kind::first_byte) {
    window.rate_per_s = per(count, &Timing::first_byte_s);
    window.tally = tally_of(timings, &Timing::first_byte_s, begin_ns);
  } else if (kind == S3Kind::body) {
    window.rate_per_s = per(sum_of(timings, &Timing::bytes), &Timing::body_s);
  } else if (kind == S3Kind::put) {
    window.rate_per_s = per(sum_of(timings, &Timing::bytes), &Timing::cycle_s);
  } else {
    window.rate_per_s = rate_of_all(timings);
    window.tally = tally_of(timings, &Timing::cycle_s, begin_ns);
  }
  return window;
}

Cell cell_of(const S3Arm& arm, const char* unit) {
  Cell cell;
  cell.probe = "s3";
  cell.detail = s3_kind_name(arm.kind);
  cell.block_bytes = static_cast<double>(arm.block_bytes);
  cell.depth = arm.connections;
  cell.unit = unit;
  return cell;
}

/// SplitMix64 (Steele, Lea, Flood 2014): only the places that are read depend on it.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed + (number + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

std::uint64_t keys_in(const std::string& page) {
  std::uint64_t keys = 0;
  for (std::size_t at = page.find("<Key>"); at != std::string::npos; at = page.find("<Key>", at + 5)) ++keys;
  return keys;
}

}  // namespace

const char* s3_kind_name(S3Kind kind) {
  constexpr const char* kNames[] = {"put", "first byte", "body", "get", "list"};
  return kNames[static_cast<std::size_t>(kind)];
}

Arm s3_put_arm(S3Session& session, std::uint64_t object_bytes, std::uint64_t seed, const std::stop_token& stop) {
  const auto data = std::make_shared<std::vector<std::byte>>(object_bytes);
  fill_random(data->data(), data->size(), seed);
  Arm arm;
  arm.cell = cell_of({S3Kind::put, object_bytes, 1, 1}, "B/s");
  arm.run = [&session, data, stop](const WindowLengths&, std::uint64_t) {
    const std::uint64_t begin = clock_ns();
    stamp(data->data(), data->size(), session.object_count() + 1);
    if (stop.stop_requested()) return ArmWindow{};
    const Timings timings{{timing_of(session.put(*data), static_cast<double>(data->size()))}};
    return window_of(S3Kind::put, timings, begin);
  };
  return arm;
}

Arm s3_read_arm(S3Session& session, const S3Arm& wanted, const S3Objects& objects, const std::stop_token& stop) {
  Arm arm;
  arm.cell = cell_of(wanted, wanted.kind == S3Kind::body ? "B/s" : "1/s");
  arm.run = [&session, wanted, objects, stop](const WindowLengths&, std::uint64_t seed) {
    const std::uint64_t begin = clock_ns();
    const std::uint64_t blocks = std::max<std::uint64_t>(objects.bytes / wanted.block_bytes, 1);
    const auto one = [&](unsigned connection, unsigned number) {
      const std::uint64_t bits = mixed(seed, number);
      const std::uint64_t offset = (bits >> 32) % blocks * wanted.block_bytes;
      return timing_of(session.get(connection, (bits & 0xffffffffU) % objects.count, offset, wanted.block_bytes),
                       static_cast<double>(wanted.block_bytes));
    };
    return window_of(wanted.kind, run_requests(session, wanted.connections, wanted.requests, one, stop), begin);
  };
  return arm;
}

Arm s3_list_arm(S3Session& session, const S3Arm& wanted, std::uint64_t& keys, const std::stop_token& stop) {
  constexpr unsigned kPage = 1000;
  Arm arm;
  arm.cell = cell_of(wanted, "1/s");
  arm.run = [&session, wanted, &keys, stop](const WindowLengths&, std::uint64_t) {
    const std::uint64_t begin = clock_ns();
    const auto one = [&](unsigned connection, unsigned) {
      const S3Session::Answered page = session.list(connection, kPage);
      if (page.answer.status != 0) keys = keys_in(page.answer.text);
      return timing_of(page, static_cast<double>(page.answer.bytes));
    };
    return window_of(wanted.kind, run_requests(session, wanted.connections, wanted.requests, one, stop), begin);
  };
  return arm;
}

}  // namespace headrace::models::calibration
