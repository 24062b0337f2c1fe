#include "scenarios/measured_runs/measurements.hpp"

#include <cmath>

#include "scenarios/importers/workload_figures.hpp"
#include "scenarios/measured_runs/declared_limits.hpp"
#include "tests/catch.hpp"

namespace headrace::scenarios {
namespace {

tl::expected<Measurements, Diagnostics> read(const std::string& text, const std::string& filter = "") {
  return read_measurements("t.csv", text, filter, shipped_workload_figures());
}

void refused(const std::string& text, const std::string& filter, const std::string& code, int line) {
  const auto result = read(text, filter);
  INFO(text << " from " << filter);
  REQUIRE_FALSE(result.has_value());
  const Diagnostic first = result.error().sorted().front();
  CHECK(first.code == code);
  CHECK(first.where.line == line);
}

const std::string kTable =
    "system,workload,accelerator,accelerators,au_percent\n"
    "x,unet3d,a100,4,95\n"
    "x,unet3d,H100,2,94\n"
    "x,unet3d,h100,3,91\n"
    "y,resnet50,h100,9,92\n";

std::string chosen(const std::string& filter, const std::string& text = kTable) {
  const auto result = read(text, filter);
  REQUIRE(result.has_value());
  std::string roles;
  for (const models::MeasuredRun& run : result->runs) roles += run.calibrates ? 'c' : 'p';
  return roles;
}

}  // namespace

TEST_CASE("a row that no hardware can give is named and calibrates nothing") {
  const std::string head = "workload,accelerator,accelerators,hosts,au_percent,samples_per_s,record_bytes,nodes\n";
  const auto missing = [&](const std::string& row) {
    const auto result = read(head + row);
    REQUIRE(result.has_value());
    return result->runs.front().missing;
  };
  // 2 H100 with unet3d at 95 % take 5.7 GB/s; one card of 100 Gb/s carries 12.5 GB/s
  CHECK(missing("unet3d,h100,2,1,95,40,,client: 1x64c x; NIC 1x100\n").empty());
  CHECK(missing("unet3d,h100,200,1,95,4000,,client: 1x64c x; NIC 1x100\n").find("network") != std::string::npos);
  CHECK(missing("unet3d,h100,2,1,95,40,14660062800,\n").empty());
  CHECK(missing("unet3d,h100,2,1,95,40,146600628000,\n").find("record_length_B") != std::string::npos);
  CHECK(missing("unet3d,h100,2,1,95,40000,,\n").find("at most 43.34") != std::string::npos);
}

TEST_CASE("systems that differ in size only are one kind, and series are found by it") {
  const std::string table =
      "version,submitter,system,storage_description,client_cpu_model,nodes,workload,accelerator,accelerators,au_"
      "percent,"
      "AU_threshold_pct\n"
      "v3.0,s,small,\"P, 20 GB/s\",C,client: 1x64c; NIC 1x100,unet3d,h100,4,95,90\n"
      "v3.0,s,large,\"P, 90 GB/s\",C,client: 1x64c; NIC 1x100,unet3d,h100,40,92,90\n"
      "v1.0,s,other,\"P, 90 GB/s\",C,client: 1x64c; NIC 2x200,unet3d,h100,10,92,80\n";
  const auto result = read(table, "smallest");
  REQUIRE(result.has_value());
  const std::vector<models::MeasuredRun>& runs = result->runs;
  CHECK(runs[0].kind == runs[1].kind);
  CHECK(runs[0].kind != runs[2].kind);
  CHECK(runs[0].calibrates);
  CHECK_FALSE(runs[1].calibrates);
  CHECK(runs[2].calibrates);
  CHECK_FALSE(runs[0].hands_over);
  CHECK(runs[2].hands_over);
  CHECK(runs[2].figures.au_threshold == Approx(0.8));
}

TEST_CASE("a history of five columns is enough: the rest comes from the workload's figures") {
  const auto result = read(kTable);
  REQUIRE(result.has_value());
  REQUIRE(result->runs.size() == 4);
  const models::MeasuredRun& run = result->runs[1];
  CHECK(run.missing.empty());
  CHECK(run.figures.accelerator == "h100");
  CHECK(run.figures.computation_time_s == 0.323);
  CHECK(run.figures.batch_size == 7);
  CHECK(run.figures.au_threshold == 0.9);
  CHECK(run.figures.workers_hold_batches);
  CHECK_FALSE(result->runs[3].figures.workers_hold_batches);
  CHECK(run.accelerators == 2);
  CHECK(run.hosts == 1);
  CHECK(run.read_threads == 4);
  CHECK(run.steps == 500);
  CHECK(run.line == 3);
  CHECK_FALSE(run.published);
  CHECK(*run.au_percent == 94.0);
}

TEST_CASE("the columns of the results table override the figures") {
  const auto result = read(
      "division,workload,accelerator,num_accelerators,num_client_hosts,samples_per_s,read_threads,batch_size,"
      "computation_time_s,record_length_B,num_files_train,samples_per_file,client_mem_GB,media,network,nodes,extra\n"
      "closed,unet3d,h100,4,2,16,48,5,0.5,1e8,1000,2,10,Localhost: 1x 7680GiB SSD [x] rd 10000 MB/s,,client: NIC "
      "2x200,1\n"
      "open,unet3d,h100,4,1,16,48,5,0.5,1e8,1000,2,10,Localhost: 1x 7680GiB SSD [x] rd 10000 MB/s,client: TCP,,1\n");
  REQUIRE(result.has_value());
  const models::MeasuredRun& run = result->runs[0];
  CHECK(run.published);
  CHECK(run.steps == 100);
  CHECK(run.read_threads == 48);
  CHECK(run.figures.batch_bytes() == 5e8);
  CHECK(*run.au_percent == Approx(100.0 * 16.0 / 40.0));
  CHECK(run.storage_bytes_per_s == 20e9);
  CHECK(run.client_nic_bytes_per_s == 100e9);
  CHECK(run.page_cache_hits == Approx(0.05 + 0.95 * std::log(0.95)));
  CHECK(result->runs[1].storage_bytes_per_s == 0.0);  // behind a network the number of machines is not known
  CHECK(result->unused_columns == std::vector<std::string>{"extra"});
}

TEST_CASE("a row below its threshold is no published result, whatever its division") {
  const auto result = read(
      "division,workload,accelerator,accelerators,samples_per_s,au_percent\n"
      "closed,unet3d,h100,20,,91\nclosed,unet3d,h100,24,,80.5\nopen,unet3d,h100,4,50,\nclosed,unet3d,h100,4,80,\n");
  REQUIRE(result.has_value());
  CHECK(result->runs[0].published);
  CHECK_FALSE(result->runs[1].published);
  CHECK(result->runs[2].published);  // samples/s hold the first step too: they tell no AU that near
  CHECK(result->runs[3].published);
}

TEST_CASE("filters pick the rows that calibrate") {
  CHECK(chosen("") == "pppp");
  CHECK(chosen("accelerator=a100") == "cppp");
  CHECK(chosen("accelerator=H100") == "pccc");
  CHECK(chosen("accelerator=h100,workload=unet3d") == "pccp");
  CHECK(chosen("num_accelerators=9") == "pppc");
  CHECK(chosen("smallest") == "ccpc");
  const std::string roles =
      "workload,accelerator,num_accelerators,samples_per_s,role\nunet3d,h100,2,40,Calibrate\nunet3d,h100,3,60,\n";
  CHECK(chosen("", roles) == "cp");
  CHECK(chosen("role", roles) == "cp");
  CHECK(chosen("role=calibrate", roles) == "cp");
  CHECK(chosen("smallest", roles) == "cp");
}

TEST_CASE("a row that lacks a fact says which") {
  const std::string head = "workload,accelerator,num_accelerators,num_client_hosts,samples_per_s,num_files_train\n";
  const auto missing = [&](const std::string& row) { return read(head + row + "\n").value().runs.front().missing; };
  CHECK(missing("unet3d,h100,2,1,40,") == "");
  CHECK(missing(",h100,2,1,40,") == "the workload is missing");
  CHECK(missing("unet3d,h100,,1,40,") == "num_accelerators is missing");
  CHECK(missing("unet3d,h100,2,3,40,") == "fewer accelerators than hosts");
  CHECK(missing("unet3d,tpu,2,1,40,") == "the computation time of unet3d on tpu is not known");
  CHECK(missing("mine,h100,2,1,40,") == "the computation time of mine on h100 is not known");
  CHECK(missing("unet3d,h100,2,1,40,27").find("fewer than two steps") != std::string::npos);
  CHECK(missing("unet3d,h100,2,1,40,28") == "");
}

TEST_CASE("an accelerator may be written with the X of its maker or without") {
  const std::string head = "workload,accelerator,num_accelerators,samples_per_s,computation_time_s\n";
  const auto figures = [&](const std::string& row) { return read(head + row + "\n").value().runs.front().figures; };
  for (const std::string name : {"MI355", "mi355", "MI355X", "mi355x"}) {
    INFO(name);
    CHECK(figures("retinanet," + name + ",8,,").computation_time_s == 0.0634);
    CHECK(figures("retinanet," + name + ",8,,").batch_size == 32);
    CHECK(figures("retinanet," + name + ",8,,").accelerator == "mi355");  // one series
    CHECK(figures("flux," + name + ",8,,0.5").computation_time_s == 0.5);
  }
  CHECK(figures("retinanet,mi300x,8,,").computation_time_s == 0.0);
  CHECK(figures("retinanet,b200x,8,,").computation_time_s == 0.04755);
  CHECK(figures("retinanet,x,8,,").computation_time_s == 0.0);
}

TEST_CASE("one odd cell costs its row, not the table") {
  const std::string head = "workload,accelerator,num_accelerators,num_client_hosts,AU_pct_mean,client_mem_GB\n";
  const auto run = [&](const std::string& row) { return read(head + row + "\n").value().runs.front(); };
  for (const char* nothing : {"n/a", "N/A", "na", "NaN", "-", ""}) {
    INFO(nothing);
    CHECK_FALSE(run(std::string("unet3d,h100,2,1,") + nothing + ",64").au_percent.has_value());
    CHECK(run(std::string("unet3d,h100,2,1,") + nothing + ",64").missing == "");
    CHECK(run(std::string("unet3d,h100,") + nothing + ",1,90,64").missing == "num_accelerators is missing");
  }
  CHECK(run("unet3d,h100,0,1,90,64").missing == "num_accelerators is 0, outside 1 to 1e+15");
  CHECK(run("unet3d,h100,-3,1,90,64").missing == "num_accelerators is -3, outside 1 to 1e+15");
  CHECK(run("unet3d,h100,2.5,1,90,64").missing == "num_accelerators is 2.5, not a whole number");
  CHECK(run("unet3d,h100,2,1,120,64").missing == "AU_pct_mean is 120, outside 1e-06 to 101");
  CHECK(run("unet3d,h100,2,1,inf,64").missing == "AU_pct_mean is inf, outside 1e-06 to 101");
  CHECK(run("unet3d,h100,2,1,90,0").missing == "client_mem_GB is 0, outside 0.001 to 1e+09");
}

TEST_CASE("the smallest row of a series that can tell something calibrates") {
  const std::string head = "workload,accelerator,num_accelerators,AU_pct_mean\n";
  CHECK(chosen("smallest", head + "unet3d,h100,0,95\nunet3d,h100,2,n/a\nunet3d,h100,3,94\nunet3d,h100,4,93\n") ==
        "ppcp");
  CHECK(chosen("smallest", head + "unet3d,h100,0,95\n") == "c");
}

TEST_CASE("errors have a code and a place") {
  const std::string head = "workload,accelerator,num_accelerators,AU_pct_mean\n";
  refused("workload,accelerator\nunet3d,h100\n", "", "E0202", 1);
  refused("workload,accelerator,num_accelerators\nunet3d,h100,2\n", "", "E0202", 1);
  refused(head + "unet3d,h100,2,90\nunet3d,h100,x,90\n", "", "E0201", 3);
  refused(head + "unet3d,h100,2,\"9,0\"\n", "", "E0201", 2);
  refused(head + "unet3d,h100,2\n", "", "E0110", 2);
  refused(kTable, "acelerator=a100", "E0211", 0);
  refused(kTable, "accelerator=b200", "E0211", 0);
  refused(kTable, "largest", "E0211", 0);
  refused(kTable, "role", "E0211", 0);
  refused("workload,accelerator,num_accelerators,samples_per_s,role\nunet3d,h100,2,40,maybe\n", "", "E0208", 2);
}

TEST_CASE("declared limits are read from the words of the table") {
  CHECK(declared_drive_bytes_per_s("Localhost: 1x 30720GiB SSD NVMe [Device Under Test] rd 6800 MB/s") == 6.8e9);
  CHECK(declared_drive_bytes_per_s("backend: 2x 1490GiB NVMe SSD  [metadata] rd 5.3 | backend: 10x 7000GiB NVMe SSD  "
                                   "[data] rd 14") == 140e9);
  CHECK(declared_drive_bytes_per_s("target: 16x 15360GiB SSD [bulk of user data] rd 7000") == 112e9);
  CHECK(declared_drive_bytes_per_s("a: 2x 1GiB [data] rd 3 GB/s") == 6e9);
  CHECK(declared_drive_bytes_per_s("client: 1x 20GiB [Holds the OS] rd 7000") == 0.0);
  CHECK(declared_drive_bytes_per_s("data-1: 2x 7500GiB SSD NVMe [Holds the bulk user data]") == 0.0);
  CHECK(declared_drive_bytes_per_s("") == 0.0);
  CHECK(declared_client_nic_bytes_per_s("client: 2x48c EPYC; NIC 2x200 | backend: 2x32c; NIC 2x100") == 50e9);
  CHECK(declared_client_nic_bytes_per_s("Client: 1x32c; NIC 2x200+1x100 | client - b: ; NIC 1x100") == 12.5e9);
  CHECK(declared_client_nic_bytes_per_s("metadata: NIC 1xup to 12.5gbps | client: NIC 1xfast") == 0.0);
}

TEST_CASE("rates of drives as people write them") {
  const auto rate = [](const std::string& words) {
    return declared_drive_bytes_per_s("local: 4x 2TB [data] " + words);
  };
  CHECK(rate("rd 550") == 2.2e9);  // SATA, MB/s
  CHECK(rate("rd 7000") == 28e9);
  CHECK(rate("rd 14") == 56e9);
  CHECK(rate("rd 7,000 MB/s") == 28e9);
  CHECK(rate("rd 7,000") == 28e9);
  CHECK(rate("rd 6.8 GiB/s") == Approx(4 * 6.8 * 1073741824.0));
  CHECK(rate("rd 6800 MiB/s, wr 3 GB/s") == Approx(4 * 6800.0 * 1048576.0));
  CHECK(rate("rd 0.55GB/s") == 2.2e9);
  CHECK(rate("rd 150 GB/s") == 600e9);
  CHECK(rate("rd 80 MB/s") == 0.32e9);
  CHECK(declared_drive_bytes_per_s("a: 1x 1TB [data and metadata] rd 7000") == 7e9);
  CHECK(declared_drive_bytes_per_s("a: 1x 1TB [metadata, data] rd 7000") == 7e9);
  CHECK(declared_drive_bytes_per_s("metadata server: 1x 1TB [metadata] rd 7000") == 0.0);
}

TEST_CASE("figures of workloads: the shipped ones, and files of one's own") {
  CHECK(shipped_workload_figures().size() >= 15);
  const auto own = read_workload_figures(
      "w.json", R"j({"training": [{"workload": "Mine", "accelerator": "X1", "computation_time_s": 0.2, "batch_size": 8,
      "record_length_bytes": 1e6, "framework": "tensorflow", "au_threshold": "0.85 (recalled)"}, {"workload": "none"}]})j");
  REQUIRE(own.has_value());
  REQUIRE(own->size() == 1);
  CHECK(own->front().workload == "mine");
  CHECK(own->front().accelerator == "x1");
  CHECK(own->front().au_threshold == 0.85);
  CHECK_FALSE(own->front().workers_hold_batches);
  const auto code = [](const std::string& text) {
    return read_workload_figures("w.json", text).error().sorted()[0].code;
  };
  CHECK(code("{") == "E0105");
  CHECK(code("{}") == "E0202");
  CHECK(code(R"({"training": [{"batch_size": "8"}]})") == "E0201");
  CHECK(code(R"({"training": [{"computation_time_s": -1}]})") == "E0207");
}

}  // namespace headrace::scenarios
