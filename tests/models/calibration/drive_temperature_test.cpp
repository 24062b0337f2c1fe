// Temperatures of drives on machines that are made of files.
#include "models/calibration/drive_temperature.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "models/calibration/arms.hpp"
#include "models/calibration/calibrate.hpp"
#include "models/calibration/scratch.hpp"
#include "tests/catch.hpp"

namespace headrace::models::calibration {
namespace {

namespace fs = std::filesystem;

/// A tree like /sys that goes away with the object.
class FakeSys {
 public:
  FakeSys() : scratch_(fs::temp_directory_path().string()) { fs::create_directories(root() / "dev/block"); }
  fs::path root() const { return scratch_.path("sys"); }
  HostPlaces places() const {
    HostPlaces places;
    places.sys = root().string();
    return places;
  }
  void file(const std::string& name, const std::string& text) const {
    fs::create_directories((root() / name).parent_path());
    std::ofstream(root() / name) << text << '\n';
  }
  void link(const std::string& name, const std::string& to) const {
    fs::create_directories((root() / name).parent_path());
    fs::create_directory_symlink(root() / to, root() / name);
  }
  /// A drive of nvme whose sensor hangs at its controller, as "259:N".
  void nvme(int number, int millicelsius, int warning) const {
    const std::string controller = "devices/pci/nvme/nvme" + std::to_string(number);
    const std::string disk = controller + "/nvme" + std::to_string(number) + "n1";
    file(controller + "/hwmon3/temp1_input", std::to_string(millicelsius));
    if (warning > 0) file(controller + "/hwmon3/temp1_max", std::to_string(warning));
    file(disk + "/stat", "0 0 0 0 0 0 0");
    link(disk + "/device", controller);
    link("dev/block/259:" + std::to_string(number), disk);
  }

 private:
  Scratch scratch_;
};

/// "MAJOR:MINOR" of the folder for temporary files; empty where no device is behind it.
std::string own_device() {
  struct stat info {};
  ::stat(fs::temp_directory_path().c_str(), &info);
  if (major(info.st_dev) == 0) return "";
  return std::to_string(major(info.st_dev)) + ":" + std::to_string(minor(info.st_dev));
}

Calibration calibrated(const FakeSys& sys, std::vector<std::string> only) {
  CalibrationRequest request;
  request.path = fs::temp_directory_path().string();
  request.only = std::move(only);
  request.file_bytes = 1 << 20;
  request.window_s = 0.01;
  request.accept_noisy = true;
  request.places = sys.places();
  return calibrate(request, {}, nullptr);
}

std::string fact(const Calibration& record, const std::string& key) {
  for (const HostFact& one : record.host)
    if (one.key == key) return one.value;
  return "(none)";
}

}  // namespace

TEST_CASE("the temperature of a drive is read where its driver puts it") {
  const FakeSys sys;
  sys.nvme(0, 38850, 81800);
  sys.file("devices/pci/nvme/nvme0/nvme0n1/nvme0n1p2/partition", "2");
  sys.link("dev/block/259:9", "devices/pci/nvme/nvme0/nvme0n1/nvme0n1p2");
  // SATA: drivetemp, in a folder between; it tells no warning but a critical temperature.
  sys.file("devices/ata/0:0:0:0/hwmon/hwmon1/temp1_input", "31000");
  sys.file("devices/ata/0:0:0:0/hwmon/hwmon1/temp1_crit", "60000");
  sys.link("devices/ata/block/sda/device", "devices/ata/0:0:0:0");
  sys.link("dev/block/8:0", "devices/ata/block/sda");
  // A mapped device over a partition and a disk.
  sys.link("devices/virtual/block/dm-0/slaves/nvme0n1p2", "devices/pci/nvme/nvme0/nvme0n1/nvme0n1p2");
  sys.link("devices/virtual/block/dm-0/slaves/sda", "devices/ata/block/sda");
  sys.link("dev/block/253:0", "devices/virtual/block/dm-0");
  // Two paths: the controllers lie beside the drive. The hotter one counts, and its limit is none.
  sys.file("devices/subsystem/nvme5/hwmon4/temp1_input", "40000");
  sys.file("devices/subsystem/nvme6/hwmon5/temp1_input", "41000");
  sys.file("devices/subsystem/nvme6/hwmon5/temp1_max", "65261850");
  sys.link("devices/subsystem/nvme5n1/device", "devices/subsystem");
  sys.link("dev/block/259:5", "devices/subsystem/nvme5n1");
  // Older kernels: at the PCI device of the controller.
  sys.file("devices/pci7/hwmon/hwmon7/temp1_input", "45000");
  sys.link("devices/pci7/nvme7/device", "devices/pci7");
  sys.link("devices/pci7/nvme7/nvme7n1/device", "devices/pci7/nvme7");
  sys.link("dev/block/259:7", "devices/pci7/nvme7/nvme7n1");
  const auto text = [&sys](const char* device) { return temperature_text(drive_temperatures(sys.places(), device)); };
  CHECK(text("259:0") == "nvme0n1 38.9 C of 81.8 C");
  CHECK(text("259:9") == text("259:0"));
  CHECK(text("8:0") == "sda 31.0 C of 60.0 C");
  CHECK(text("253:0") == "nvme0n1 38.9 C of 81.8 C, sda 31.0 C of 60.0 C");
  CHECK(text("259:5") == "nvme5n1 41.0 C of unknown");
  CHECK(text("259:7") == "nvme7n1 45.0 C of unknown");
  CHECK(text("254:0") == "unknown");
  CHECK(text("") == "unknown");
}

TEST_CASE("a drive is hot from its warning on, or when it says so") {
  const FakeSys sys;
  sys.nvme(0, 81849, 81850);
  sys.nvme(1, 81850, 81850);
  sys.nvme(2, 99000, 0);
  sys.nvme(3, 30000, 81850);
  sys.file("devices/pci/nvme/nvme3/hwmon3/temp1_alarm", "1");
  sys.nvme(4, 30000, 81850);
  sys.file("devices/pci/nvme/nvme4/hwmon3/temp1_input", "no number");
  const auto hot = [&sys](const char* device) { return drive_temperatures(sys.places(), device).at(0).is_hot(); };
  CHECK_FALSE(hot("259:0"));
  CHECK(hot("259:1"));
  CHECK_FALSE(hot("259:2"));
  CHECK(hot("259:3"));
  CHECK(drive_temperatures(sys.places(), "259:4").empty());
}

TEST_CASE("a calibration writes the temperature down, and stops the probes of a hot drive") {
  const std::string device = own_device();
  if (device.empty()) return;  // files lie in memory
  const FakeSys sys;
  sys.nvme(0, 50000, 70000);
  sys.link("dev/block/" + device, "devices/pci/nvme/nvme0/nvme0n1");
  const Calibration cool = calibrated(sys, {"random_read"});
  CHECK(fact(cool, "drive_temperature_start") == "nvme0n1 50.0 C of 70.0 C");
  CHECK(fact(cool, "drive_temperature_end") == "nvme0n1 50.0 C of 70.0 C");
  CHECK(cool.cells.size() > 1);
  sys.file("devices/pci/nvme/nvme0/hwmon3/temp1_input", "70000");
  const Calibration hot = calibrated(sys, {"random_read", "memory", "cpu"});
  CHECK(fact(hot, "drive_temperature_end") == "nvme0n1 70.0 C of 70.0 C");
  CHECK_FALSE(hot.cells.empty());
  for (const Cell& cell : hot.cells) CHECK(cell.probe == "cpu");
  int told = 0;
  for (const Downgrade& d : hot.downgrades) {
    CHECK(d.field != "budget");
    if (d.field != "drive_temperature") continue;
    ++told;
    CHECK(d.value == "nvme0n1 70.0 C of 70.0 C");
    CHECK(d.reason.find("probes of storage stopped") != std::string::npos);
  }
  CHECK(told == 1);
}

TEST_CASE("where a drive tells nothing its temperature is unknown") {
  const FakeSys sys;
  const Calibration record = calibrated(sys, {"write"});
  CHECK(fact(record, "drive_temperature_start") == "unknown");
  CHECK(fact(record, "drive_temperature_end") == "unknown");
  bool told = false;
  for (const Downgrade& d : record.downgrades)
    told = told ||
           (d.field == "contamination" && d.value == "partial" && d.reason.find("temperature") != std::string::npos);
  CHECK(told == !own_device().empty());
}

TEST_CASE("rounds end when it is enough, and what was measured stays") {
  Arm arm;
  arm.cell.probe = "test";
  int windows = 0;
  arm.run = [&windows](const WindowLengths& lengths, std::uint64_t) {
    ++windows;
    ArmWindow window;
    window.length_s = lengths.window_s;
    window.rate_per_s = 100.0;
    return window;
  };
  RoundRule rule;
  rule.least_rounds = 50;
  rule.most_rounds = 50;
  RoundContext context;
  context.enough = [&windows] { return windows >= 4; };
  const std::vector<MeasuredArm> measured = run_rounds({arm}, rule, context);
  CHECK(windows == 4);
  CHECK(measured.at(0).cell.windows.size() == 4);
}

}  // namespace headrace::models::calibration
