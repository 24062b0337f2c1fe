#include "sim/fcfs_servers.hpp"

#include <vector>

#include "sim/fcfs_station.hpp"
#include "sim/random_stream.hpp"
#include "sim/simulation.hpp"
#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

struct Job {
  TimeNs arrival = 0;
  TimeNs service_ns = 0;
};

std::vector<Job> random_jobs(std::size_t count) {
  std::vector<Job> jobs;
  TimeNs now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const UniformPair u = uniform_pair({11, 0, Purpose{3}, 0}, i);
    now += static_cast<TimeNs>(u.first * 7.0);  // several jobs share an instant
    jobs.push_back({now, static_cast<TimeNs>(u.second * 60.0)});
  }
  return jobs;
}

Process visit(Simulation& simulation, FcfsStation& station, Job job, TimeNs& end) {
  co_await simulation.delay(job.arrival);
  co_await station.serve(job.service_ns);
  end = simulation.now();
}

}  // namespace

TEST_CASE("booked ends are those of a first-come station") {
  const std::uint32_t servers = GENERATE(1U, 2U, 7U);
  const std::vector<Job> jobs = random_jobs(2000);
  Simulation simulation;
  FcfsStation station(simulation, servers);
  std::vector<TimeNs> ends(jobs.size(), 0);
  for (std::size_t i = 0; i < jobs.size(); ++i) simulation.spawn(visit(simulation, station, jobs[i], ends[i]));
  simulation.run();
  FcfsServers booked(servers);
  for (std::size_t i = 0; i < jobs.size(); ++i) REQUIRE(booked.book(jobs[i].arrival, jobs[i].service_ns) == ends[i]);
}

TEST_CASE("a server that is free starts at once and a service without end keeps it") {
  FcfsServers server(1);
  CHECK(server.book(5, 10) == 15);
  CHECK(server.book(6, 1) == 16);
  CHECK(server.book(100, 0) == 100);
  CHECK(server.book(100, kNever) == kNever);
  CHECK(server.book(200, 1) == kNever);
  CHECK_THROWS(server.book(0, -1));
  CHECK_THROWS(FcfsServers(0));
}
