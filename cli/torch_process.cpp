#include "cli/torch_process.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/run_command.hpp"
#include "scenarios/document/embedded_texts.hpp"

namespace headrace::cli {
namespace {

using models::calibration::CalibrationError;
using models::verification::FrameDecoder;
using models::verification::TorchAnswer;
using models::verification::TorchRun;

constexpr int kNoTorch = 3;  // exit status of the script

nlohmann::json run_json(const TorchRun& run) {
  return {{"workers", run.workers},
          {"prefetch", run.prefetch},
          {"batch", run.batch},
          {"steps", run.steps},
          {"first", run.first},
          {"step_s", run.step_s},
          {"sleep_s", run.sleep_s},
          {"sleep_cv", run.sleep_cv},
          {"frame_bytes", run.frame_bytes},
          {"seed", run.seed},
          {"decoder", run.decoder == FrameDecoder::jpeg ? "jpeg" : "zlib"}};
}

TorchAnswer answer_of(const nlohmann::json& line) {
  TorchAnswer answer;
  answer.step_s = line.at("step_s");
  answer.wait_s = line.at("wait_s");
  answer.late_s = line.at("late_s");
  answer.sample_s = line.at("sample_s");
  answer.collate_s = line.at("collate_s");
  answer.start_s = line.at("start_s");
  answer.steps = line.at("steps");
  return answer;
}

void write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    throw CalibrationError(fmt::format("'{}' cannot be written", path), "TMPDIR names the folder for temporary files");
}

/// The last line that says something: what Python raised.
std::string last_line(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last;
}

[[noreturn]] void complain(const std::string& python, const CommandResult& result) {
  const std::string last = last_line(result.errors);
  if (result.status == 127 || result.status == 126)
    throw CalibrationError(fmt::format("there is no Python '{}' that starts: {}", python, last),
                           "install Python 3 with torch, or name yours: --python /path/to/python3");
  if (result.status == kNoTorch)
    throw CalibrationError(fmt::format("'{}' has no PyTorch to measure: {}", python, last),
                           fmt::format("{} -m pip install torch (Debian: apt-get install python3-torch, for "
                                       "/usr/bin/python3), or name a Python that has it: --python /path/to/python3",
                                       python));
  throw CalibrationError(
      fmt::format("the loader of '{}' failed (status {}): {}", python, result.status, last),
      "headrace verify --print-script > torch_loader.py prints what was run; its first lines say how to run it alone");
}

}  // namespace

std::string_view torch_script() { return scenarios::embedded_scripts().front().text; }

TorchProcess::TorchProcess(std::string python, std::stop_token stop)
    : python_(std::move(python)), stop_(std::move(stop)), folder_(std::filesystem::temp_directory_path().string()) {
  write_file(folder_.path("torch_loader.py"), torch_script());
}

std::vector<std::string> TorchProcess::lines_of(const std::vector<TorchRun>& runs) {
  nlohmann::json list = nlohmann::json::array();
  for (const TorchRun& run : runs) list.push_back(run_json(run));
  const std::string file = folder_.path("runs.json");
  write_file(file, list.dump());
  const CommandResult result = run_command({python_, folder_.path("torch_loader.py"), file}, stop_);
  if (result.status != 0 && !stop_.stop_requested()) complain(python_, result);
  std::vector<std::string> lines;
  std::istringstream text(result.output);
  for (std::string line; std::getline(text, line);)
    if (!line.empty() && line.front() == '{') lines.push_back(line);  // a library may print something of its own
  return lines;
}

TorchVersions TorchProcess::versions() {
  const std::vector<std::string> lines = lines_of({});
  const nlohmann::json head = lines.empty() ? nlohmann::json() : nlohmann::json::parse(lines.front(), nullptr, false);
  if (!head.is_object() || !head.contains("torch")) {
    if (stop_.stop_requested()) return {};
    throw CalibrationError(fmt::format("'{}' did not run the script", python_),
                           "name a Python 3 with torch: --python /path/to/python3");
  }
  TorchVersions versions{fmt::format("torch {}, Python {}", head.value("torch", ""), head.value("python", "")), false};
  const auto pil = head.find("pil");
  versions.has_pil = pil != head.end() && pil->is_string();
  if (versions.has_pil) versions.text += ", PIL " + pil->get<std::string>();
  return versions;
}

std::vector<TorchAnswer> TorchProcess::answers(const std::vector<TorchRun>& runs) {
  std::vector<TorchAnswer> answers;
  const std::vector<std::string> lines = lines_of(runs);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const nlohmann::json line = nlohmann::json::parse(lines[i], nullptr, false);
    if (line.is_discarded()) break;  // cut off by a stop
    answers.push_back(answer_of(line));
  }
  return answers;
}

}  // namespace headrace::cli
