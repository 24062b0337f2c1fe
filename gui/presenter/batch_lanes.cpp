#include "gui/presenter/batch_lanes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "reports/document.hpp"

namespace headrace::gui {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kUs = 1e-6;
constexpr std::array<std::string_view, kWaitLooks> kWaits = {"wait for the own batch", "wait for a peer's batch"};

/// Process and thread of an event.
using Track = std::pair<std::int64_t, std::int64_t>;

Track track_of(const Json& event) {
  return {event.value("pid", std::int64_t{-1}), event.value("tid", std::int64_t{-1})};
}

class LanesOfTrace {
 public:
  LanesOfTrace(const Json& trace, std::size_t most_gpus) {
    for (const std::string_view wait : kWaits) lanes_.looks.emplace_back(wait);
    const Json& events = reports::at(trace, "traceEvents");
    name_lanes(events, most_gpus);
    for (const Json& event : events)
      if (event.value("ph", std::string()) == "X") add(event);
    for (Lane& lane : lanes_.lanes)
      std::stable_sort(lane.bars.begin(), lane.bars.end(),
                       [](const LaneBar& x, const LaneBar& y) { return x.begin_s < y.begin_s; });
  }

  BatchLanes made(std::size_t pieces) && {
    lanes_.waiting.assign(pieces, 0.0);
    double gpus = 0.0;
    double begun_s = 0.0;
    for (const Lane& lane : lanes_.lanes) {
      if (!lane.gpu) continue;
      gpus += 1.0;
      for (const LaneBar& bar : lane.bars) {
        if (bar.look < kWaitLooks) spread(bar);
        if (bar.text.starts_with("start up")) begun_s = std::max(begun_s, bar.end_s);
      }
    }
    if (gpus > 0.0 && pieces > 0 && lanes_.end_s > 0.0) {
      for (double& share : lanes_.waiting) share /= gpus * lanes_.piece_s();
      lanes_.first = std::min(pieces - 1, static_cast<std::size_t>(begun_s / lanes_.piece_s()) + 1);
    }
    return std::move(lanes_);
  }

 private:
  void name_lanes(const Json& events, std::size_t most_gpus) {
    std::map<std::int64_t, std::string> processes;
    std::set<std::pair<std::int64_t, std::string>> shown;  // GPUs; those of workers are named before them
    for (const Json& event : events) {
      if (event.value("ph", std::string()) != "M") continue;
      const std::string name = reports::text_at(reports::at(event, "args"), "name");
      const Track track = track_of(event);
      if (event.value("name", std::string()) == "process_name") {
        processes[track.first] = name;
        continue;
      }
      if (!name.starts_with("GPU ")) continue;
      const std::size_t comma = name.find(", worker ");
      const bool gpu = comma == std::string::npos;
      const std::pair<std::int64_t, std::string> owner(track.first, name.substr(0, comma));
      if (gpu && shown.size() < most_gpus) shown.insert(owner);
      if (!shown.contains(owner)) continue;
      places_[track] = lanes_.lanes.size();
      lanes_.lanes.push_back({processes[track.first] + ": " + name, gpu, {}});
    }
    sort_lanes();
  }

  /// Workers are named as they are met: each GPU first, its workers in their order behind it.
  void sort_lanes() {
    std::map<Track, std::size_t> sorted;
    std::vector<Lane> lanes;
    for (const auto& [track, place] : places_) {
      sorted[track] = lanes.size();
      lanes.push_back(std::move(lanes_.lanes[place]));
    }
    places_ = std::move(sorted);
    lanes_.lanes = std::move(lanes);
  }

  void add(const Json& event) {
    const auto place = places_.find(track_of(event));
    if (place == places_.end()) return;
    const std::string name = event.value("name", std::string());
    const double begin_s = kUs * event.value("ts", 0.0);
    LaneBar bar{begin_s, begin_s + kUs * event.value("dur", 0.0), 0, name};
    lanes_.end_s = std::max(lanes_.end_s, bar.end_s);
    Lane& lane = lanes_.lanes[place->second];
    if (!lane.gpu && name.starts_with("batch ")) {  // around its stages: it names what follows
      batch_ = name;
      const Json& step = reports::at(reports::at(event, "args"), "step");
      if (step.is_number()) batch_ += ", step " + step.dump();
      return;
    }
    const Json& step = reports::at(reports::at(event, "args"), "step");
    bar.text = lane.gpu ? name + (step.is_number() ? ", step " + step.dump() : std::string()) : name + ", " + batch_;
    bar.look = look_of(name);
    lane.bars.push_back(std::move(bar));
  }

  std::size_t look_of(const std::string& name) {
    const auto found = std::find(lanes_.looks.begin(), lanes_.looks.end(), name);
    if (found != lanes_.looks.end()) return static_cast<std::size_t>(found - lanes_.looks.begin());
    lanes_.looks.push_back(name);
    return lanes_.looks.size() - 1;
  }

  void spread(const LaneBar& bar) {
    const double piece_s = lanes_.piece_s();
    if (!(piece_s > 0.0)) return;
    for (auto piece = static_cast<std::size_t>(bar.begin_s / piece_s); piece < lanes_.waiting.size(); ++piece) {
      const double from = std::max(bar.begin_s, static_cast<double>(piece) * piece_s);
      const double to = std::min(bar.end_s, static_cast<double>(piece + 1) * piece_s);
      if (!(to > from)) break;
      lanes_.waiting[piece] += to - from;
    }
  }

  BatchLanes lanes_;
  std::map<Track, std::size_t> places_;
  std::string batch_;
};

}  // namespace

BatchLanes batch_lanes(const Json& trace, std::size_t most_gpus, std::size_t pieces) {
  return LanesOfTrace(trace, most_gpus).made(pieces);
}

std::size_t worst_stretch(const BatchLanes& lanes, std::size_t length) {
  const std::size_t count = lanes.waiting.size();
  if (length == 0 || count <= length) return 0;
  std::size_t worst = std::min(lanes.first, count - length);
  double most = -1.0;
  for (std::size_t i = worst; i + length <= count; ++i) {
    const auto begin = lanes.waiting.begin() + static_cast<std::ptrdiff_t>(i);
    const double sum = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(length), 0.0);
    constexpr double kRounding = 1e-9;
    if (sum > most + kRounding) most = sum, worst = i;
  }
  return worst;
}

}  // namespace headrace::gui
