#include "gui/widgets/state_colours.hpp"

#include <array>

namespace headrace::gui {
namespace {

struct Pair {
  const char* light;
  const char* dark;
};

// By models::GpuState: what reports/html/gpu_time_section.cpp takes from the style sheet.
constexpr std::array<Pair, models::kGpuStateCount> kStateColours = {{{"#009e73", "#2fc295"},
                                                                     {"#d55e00", "#f0803c"},
                                                                     {"#e69f00", "#f0b429"},
                                                                     {"#56b4e9", "#8accf2"},
                                                                     {"#cc79a7", "#dd9cc0"},
                                                                     {"#565d66", "#a4abb3"},
                                                                     {"#0072b2", "#4aa8dc"},
                                                                     {"#7b4f2c", "#bd9468"},
                                                                     {"#5b3a8c", "#ab8ee6"}}};

// By models::Stage. Each is at least 30 units of CIELAB away from the others, from those of states and from the ground.
constexpr std::array<Pair, models::kStageCount> kStageColours = {{{"#55dddd", "#66ffff"},    // cache
                                                                  {"#000033", "#115599"},    // peer
                                                                  {"#001111", "#005555"},    // shared cache
                                                                  {"#440022", "#664455"},    // metadata
                                                                  {"#003300", "#664400"},    // throttle
                                                                  {"#aa99ff", "#ffdd88"},    // request
                                                                  {"#887700", "#888800"},    // transfer
                                                                  {"#990066", "#ff7788"},    // decode
                                                                  {"#ccccbb", "#990033"},    // lock
                                                                  {"#ffaa88", "#ffffdd"},    // copy
                                                                  {"#bb3344", "#882277"},    // protocol
                                                                  {"#337711", "#335500"},    // memory
                                                                  {"#778855", "#66aa44"},    // transport
                                                                  {"#aacc55", "#ddff88"}}};  // receive

QColor in_theme(const Pair& pair, const Theme& theme) { return {theme.dark ? pair.dark : pair.light}; }

}  // namespace

QColor colour_of(models::GpuState state, const Theme& theme) {
  return in_theme(kStateColours.at(models::index(state)), theme);
}

QColor colour_of(models::Stage stage, const Theme& theme) {
  const std::size_t place = models::index(stage);
  return place < kStageColours.size() ? in_theme(kStageColours.at(place), theme) : theme.faint;
}

}  // namespace headrace::gui
