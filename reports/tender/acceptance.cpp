// Acceptance tests as they are typed, each with its pass bar.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/humane.hpp"
#include "reports/tender/tender_facts.hpp"
#include "scenarios/importers/workload_figures.hpp"

namespace headrace::reports {
namespace {

constexpr double kBlock = 4096.0;  ///< direct reads are whole blocks
constexpr double kLargestRequest = 64.0 * 1024 * 1024;
constexpr double kTestedFile = 16e9;  ///< per process of fio: more than caches of a client answer

std::uint64_t in_blocks(double bytes) {
  const double size = std::isfinite(bytes) ? std::clamp(bytes, kBlock, kLargestRequest) : kBlock;  // a damaged document
  return static_cast<std::uint64_t>(std::ceil(size / kBlock) * kBlock);
}

/// The job that asks most requests of the store.
const Document& first_reader(const TenderFacts& facts) {
  const Document& jobs = at(facts.workload(), "jobs");
  const Document* most = &element_at(jobs, 0);
  for (const Document& job : jobs)
    if (number_at(job, "read_bytes_per_s") > number_at(*most, "read_bytes_per_s")) most = &job;
  return *most;
}

/// Sizes of requests: one, or four of the law with the shares that they stand for.
std::string block_sizes(const Document& sizes) {
  const std::uint64_t small = in_blocks(number_at(sizes, "p10"));
  const std::uint64_t large = in_blocks(number_at(sizes, "p99"));
  if (static_cast<double>(large) < 1.2 * static_cast<double>(small))
    return fmt::format("bs={}", in_blocks(number_at(sizes, "mean")));
  return fmt::format("bssplit={}/25:{}/50:{}/20:{}/5", small, in_blocks(number_at(sizes, "p50")),
                     in_blocks(number_at(sizes, "p90")), large);
}

std::string fio_global(double runtime_s) {
  return fmt::format(
      "[global]\ndirectory=/mnt/target\nioengine=libaio\ndirect=1\ntime_based=1\nruntime={:.0f}\nramp_time=30\n"
      "group_reporting=1\nsize={:.0f}\nfile_service_type=random\n\n",
      runtime_s, kTestedFile);
}

/// The tests in their order: a title with its number, how it is run and passed, and what is typed.
class TestList {
 public:
  explicit TestList(std::vector<TenderBlock>& blocks) : blocks_(blocks) {}
  void add(const std::string& title, const std::string& how, std::string language, std::string text) {
    blocks_.push_back(words_block(fmt::format("Test {}, {}: {}", ++count_, title, how)));
    blocks_.push_back(code_block(std::move(language), std::move(text)));
  }

 private:
  std::vector<TenderBlock>& blocks_;
  std::size_t count_ = 0;
};

/// What a whole request takes of the store that is asked for. The tools time whole requests; what is asked for is the
/// time to the first byte and the rate of a connection behind it.
struct RequestTime {
  explicit RequestTime(const TenderFacts& facts)
      : first_byte_p99_s(facts.asked("latency_p99_s").value_or(0.0)),
        first_byte_mean_s(first_byte_p99_s * number_at(facts.document, "latency_mean_over_p99")),
        connection_bytes_per_s(facts.asked("connection_bytes_per_s").value_or(0.0)) {}

  double mean_s(double bytes) const { return first_byte_mean_s + transfer_s(bytes); }
  double p99_s(double bytes) const { return first_byte_p99_s + transfer_s(bytes); }

  double first_byte_p99_s;
  double first_byte_mean_s;
  double connection_bytes_per_s;  ///< 0: not asked for

 private:
  double transfer_s(double bytes) const { return connection_bytes_per_s > 0.0 ? bytes / connection_bytes_per_s : 0.0; }
};

double mean_request_bytes(const TenderFacts& facts) {
  return static_cast<double>(in_blocks(number_at(at(first_reader(facts), "request_bytes"), "mean")));
}

struct PerClient {
  double processes = 1.0;
  double depth = 1.0;
};

/// As processes of a client with requests outstanding.
PerClient shared_out(double connections) {
  constexpr double kMostProcesses = 64.0;
  const double each = std::max(1.0, std::ceil(connections));
  const double processes = std::min(each, kMostProcesses);
  return {processes, std::ceil(each / processes)};
}

/// Connections of a client of the jobs.
PerClient per_client(const TenderFacts& facts) {
  return shared_out(number_at(facts.workload(), "connections") / facts.clients());
}

/// As many as reach what is asked of the whole store: by Little's law, with a quarter to spare. Jobs that compute
/// beside their reads may have fewer.
PerClient saturating_client(const TenderFacts& facts) {
  constexpr double kSpare = 1.25;
  const double bytes = mean_request_bytes(facts);
  const double per_s =
      std::max(facts.asked("read_bytes_per_s").value_or(0.0) / bytes, facts.asked("read_requests_per_s").value_or(0.0));
  const double needed = kSpare * per_s * RequestTime(facts).mean_s(bytes);
  return shared_out(std::max(needed, number_at(facts.workload(), "connections")) / facts.clients());
}

std::string fio_read(const TenderFacts& facts, const PerClient& client, double rate_per_process) {
  const Document& job = first_reader(facts);
  std::string text = fio_global(300.0) + "[reads-of-training]\n";
  text += fmt::format("rw={}\n{}\nnumjobs={:.0f}\niodepth={:.0f}\n",
                      text_at(job, "order") == "random" ? "randread" : "read", block_sizes(at(job, "request_bytes")),
                      client.processes, client.depth);
  if (rate_per_process > 0.0) text += fmt::format("rate={:.0f}\n", rate_per_process);
  return text + "percentile_list=50:90:99:99.9\n";
}

void add_fio(const TenderFacts& facts, TestList& tests) {
  const auto read = facts.asked("read_bytes_per_s");
  const auto requests = facts.asked("read_requests_per_s");
  const double load = number_at(facts.workload(), "read_bytes_per_s");
  constexpr const char* kRun =
      "write {0} on each of {1:.0f} clients and start all at once: fio --client=clients.txt {0}. ";
  const auto how = [&](const char* file) { return fmt::format(fmt::runtime(kRun), file, facts.clients()); };
  if (read || requests) {
    std::string bar = fmt::format("Passed: the sum of read bandwidth over the clients is at least {}",
                                  humane(read.value_or(load), "B/s", 3));
    if (requests) bar += fmt::format(", and the sum of read IOPS at least {}", humane_number(*requests, 3));
    tests.add("reads (fio)", how("read.fio") + bar + ".", "ini", fio_read(facts, saturating_client(facts), 0.0));
  }
  const RequestTime request(facts);
  if (const auto latency = facts.asked("latency_p99_s")) {
    const auto largest = static_cast<double>(in_blocks(number_at(at(first_reader(facts), "request_bytes"), "p99")));
    const PerClient client = per_client(facts);
    tests.add("latency under load (fio)",
              how("latency.fio") + fmt::format("All clients together ask for {}, the rate of the jobs. Passed: clat at "
                                               "the 99th percentile is at most {} on every client: {} to the first "
                                               "byte, and the transfer of a request.",
                                               humane(load, "B/s", 3), humane(request.p99_s(largest), "s", 3),
                                               humane(*latency, "s", 3)),
              "ini", fio_read(facts, client, std::max(1.0, load / facts.clients() / client.processes)));
  }
  if (const auto connection = facts.asked("connection_bytes_per_s")) {
    const double bytes = mean_request_bytes(facts);
    tests.add("one connection (fio)",
              fmt::format("write connection.fio on one client and run fio connection.fio. Passed: read bandwidth is at "
                          "least {}: requests of {}, each {} to its first byte on average and {} from then on.",
                          humane(bytes / request.mean_s(bytes), "B/s", 3), humane(bytes, "B", 3),
                          humane(request.first_byte_mean_s, "s", 3), humane(*connection, "B/s", 3)),
              "ini", fio_global(60.0) + fmt::format("[connection]\nrw=read\nbs={:.0f}\nnumjobs=1\niodepth=1\n", bytes));
  }
  if (const auto write = facts.asked("write_bytes_per_s"))
    tests.add("checkpoints (fio)",
              how("write.fio") + fmt::format("Passed: the sum of write bandwidth over the clients is at least {}.",
                                             humane(*write, "B/s", 3)),
              "ini", fio_global(120.0) + "[checkpoint]\nrw=write\nbs=4194304\nnumjobs=8\niodepth=4\nend_fsync=1\n");
}

void add_elbencho(const TenderFacts& facts, TestList& tests) {
  const Document& job = first_reader(facts);
  const PerClient client = saturating_client(facts);
  const bool objects = facts.is_object_store();
  const std::string target = objects ? "--s3endpoints \"$ENDPOINT\" --s3key \"$KEY\" --s3secret \"$SECRET\" bucket"
                                     : "--direct /mnt/target/elbencho";
  const double block = mean_request_bytes(facts);
  const double file = std::max(block, std::ceil(number_at(job, "file_bytes") / block) * block);
  const double files = std::clamp(std::ceil(kTestedFile / file), 1.0, 100000.0);
  const auto line = [&](const char* what, const char* extra) {
    return fmt::format(
        "elbencho --hosts \"$CLIENTS\" {} -t {:.0f} --iodepth {:.0f} -n 1 -N {:.0f} -s {:.0f} -b {:.0f} {}{}\n", what,
        client.processes, objects ? 1.0 : client.depth, files, file, block, extra, target);
  };
  std::string bar = fmt::format(
      "CLIENTS lists {:.0f} hosts that run elbencho --service, which read at once. Passed: throughput of the read "
      "phase, last done, is at least {}",
      facts.clients(),
      humane(facts.asked("read_bytes_per_s").value_or(number_at(facts.workload(), "read_bytes_per_s")), "B/s", 3));
  const bool random = text_at(job, "order") == "random" && !objects;
  tests.add("files of the dataset's size (elbencho)", bar + ".", "sh",
            line("-d -w", "") + line("-r", random ? "--rand " : "") + line("-F -D", ""));
}

void add_mdtest(const TenderFacts& facts, TestList& tests) {
  const auto operations = facts.asked("metadata_operations_per_s");
  if (!operations || facts.is_object_store()) return;
  constexpr double kSeconds = 60.0;
  const PerClient client = per_client(facts);
  const double ranks = facts.clients() * client.processes;
  const double files = std::clamp(std::ceil(*operations * kSeconds / ranks), 100.0, 100000.0);
  tests.add("opening files (mdtest of IOR)",
            fmt::format("{:.0f} ranks on {:.0f} clients create, read and remove {:.0f} files each. Passed: the mean of "
                        "File read over three iterations is at least {} operations per second.",
                        ranks, facts.clients(), files, humane_number(*operations, 3)),
            "sh",
            fmt::format("mpirun -np {:.0f} --hostfile clients.txt mdtest -F -u -C -E -r -i 3 -n {:.0f} -w 4096 -e 4096 "
                        "-d /mnt/target/mdtest\n",
                        ranks, files));
}

/// The workload of MLPerf Storage training whose samples are nearest in size, of those that emulate the H100.
const models::WorkloadFigures& nearest_workload(double sample_bytes) {
  const models::WorkloadFigures* nearest = nullptr;
  const auto distance = [sample_bytes](const models::WorkloadFigures& one) {
    return std::abs(std::log(sample_bytes / one.record_bytes));
  };
  for (const models::WorkloadFigures& one : scenarios::shipped_workload_figures())
    if (one.accelerator == "h100" && one.au_threshold > 0.0 &&
        (nearest == nullptr || distance(one) < distance(*nearest)))
      nearest = &one;
  return *nearest;
}

void add_mlperf(const TenderFacts& facts, TestList& tests) {
  const Document& job = first_reader(facts);
  const double sample = number_at(job, "read_bytes_per_s") / std::max(1e-9, number_at(job, "samples_per_s"));
  const models::WorkloadFigures& nearest = nearest_workload(std::max(1.0, sample));
  const double each = nearest.batch_bytes() / nearest.computation_time_s;
  const double bytes = facts.asked("read_bytes_per_s").value_or(number_at(facts.workload(), "read_bytes_per_s"));
  const double passing = each * nearest.au_threshold;  // what one that just passes reads
  const double accelerators = std::max(1.0, std::ceil(bytes / passing));
  const double hosts = std::min(facts.clients(), accelerators);
  const std::string common = fmt::format(
      "--model {} --hosts \"$CLIENTS\" --client-host-memory-in-gb \"$HOST_MEMORY_GB\" --num-client-hosts {:.0f}",
      nearest.workload, hosts);
  tests.add(
      fmt::format("MLPerf Storage ({}, the workload whose samples are nearest in size)", nearest.workload),
      fmt::format(
          "{:.0f} emulated H100 that pass read {} together or more. FILES is what datasize says. Passed: the run is "
          "valid, and AU is at least {:.0f} %.",
          accelerators, humane(accelerators * passing, "B/s", 3), 100.0 * nearest.au_threshold),
      "sh",
      fmt::format("mlpstorage training datasize {0} --max-accelerators {1:.0f} --accelerator-type h100\n"
                  "mlpstorage training datagen --model {2} --hosts \"$CLIENTS\" --num-processes {1:.0f} --data-dir "
                  "/mnt/target/mlperf --param dataset.num_files_train=\"$FILES\"\n"
                  "mlpstorage training run {0} --num-accelerators {1:.0f} --accelerator-type h100 --data-dir "
                  "/mnt/target/mlperf --results-dir results --param dataset.num_files_train=\"$FILES\"\n",
                  common, accelerators, nearest.workload));
}

}  // namespace

TenderSection acceptance_section(const TenderFacts& facts) {
  TenderSection section{"acceptance", "Acceptance tests", {}};
  section.blocks.push_back(words_block(
      "All tests run on the installed system, from the clients that will train, with caches of clients dropped "
      "before each. Put the mount of the store, or its endpoint, in the place of /mnt/target or ENDPOINT. A test is "
      "passed when every bar is met in three runs of three."));
  TestList tests(section.blocks);
  if (!facts.is_object_store()) add_fio(facts, tests);
  add_elbencho(facts, tests);
  add_mdtest(facts, tests);
  add_mlperf(facts, tests);
  return section;
}

}  // namespace headrace::reports
