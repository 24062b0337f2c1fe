// What a connection over a long link carries, and how many of them fill it.
#include <array>
#include <cmath>

#include "models/base/limits.hpp"
#include "models/path/host_costs.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kWanLink = "fabric/wan or datasets/origin/link";
constexpr std::string_view kMathis = "M. Mathis et al., Computer Communication Review 27(3), 1997";

constexpr std::array kWanFigures = {
    SizingDescription{"wan_window_bytes_per_s", "B/s", "W / RTT", "What one connection carries by its window.",
                      "a window per round trip", kWanLink},
    SizingDescription{"wan_loss_bytes_per_s", "B/s", "sqrt(3/2) MSS / (RTT sqrt(p))",
                      "What one connection carries at a loss of p, by congestion control that halves its window.",
                      kMathis, "loss above 0 in fabric/wan or datasets/origin/link"},
    SizingDescription{"wan_connection_bytes_per_s", "B/s", "min(W / RTT, Mathis)", "What one connection carries.",
                      kMathis, kWanLink, true},
    SizingDescription{"wan_bandwidth_delay_bytes", "B", "C RTT",
                      "Bytes under way when the link is full: the window that "
                      "one connection would need.",
                      "definition", kWanLink},
    SizingDescription{"wan_connections_to_fill", "", "ceil(C / b)", "Connections that fill the link.", "definition",
                      kWanLink, true},
};

/// The window cannot matter.
constexpr double kAnyWindow = 1e30;

void fill_wan(const SizingCase& c, SizingSheetWriter& sheet) {
  const bool from_origin = c.dataset.origin && c.dataset.origin->link;
  if (!from_origin && !c.scenario.fabric.wan) return;
  const WideAreaLink& link = from_origin ? *c.dataset.origin->link : *c.scenario.fabric.wan;
  const std::string key = from_origin ? c.dataset_key + "/origin/link" : std::string("/fabric/wan");
  const bool stated = from_origin && c.dataset.origin->bandwidth_bytes_per_s;
  const double rate = stated ? *c.dataset.origin->bandwidth_bytes_per_s : or_no_limit(c.path.nic_bytes_per_s);
  WideAreaLink lossless = link;
  lossless.loss = 0.0;
  WideAreaLink by_loss = link;
  by_loss.window_bytes = kAnyWindow;
  const double connection = wide_area_bytes_per_s(link);
  const SizingInput w{"W", key + "/window", link.window_bytes, "B"};
  const SizingInput rtt{"RTT", key + "/rtt", link.rtt_s, "s"};
  const SizingInput mss{"MSS", key + "/segment", link.segment_bytes, "B"};
  const SizingInput p{"p", key + "/loss", link.loss, "1"};
  const SizingInput all{"C", stated ? c.dataset_key + "/origin/bandwidth" : c.pool_key + "/nic/bandwidth", rate, "B/s"};
  sheet.add("wan_window_bytes_per_s", wide_area_bytes_per_s(lossless), {w, rtt});
  if (link.loss > 0.0) sheet.add("wan_loss_bytes_per_s", wide_area_bytes_per_s(by_loss), {mss, rtt, p});
  sheet.add("wan_connection_bytes_per_s", connection, {w, rtt, mss, p});
  if (!(rate > 0.0)) return;
  sheet.add("wan_bandwidth_delay_bytes", rate * link.rtt_s, {all, rtt});
  sheet.add("wan_connections_to_fill", std::ceil(rate / connection),
            {all, {"b", "wan_connection_bytes_per_s", connection, "B/s"}});
}

}  // namespace

const SizingRoom kWanRoom{"wan", "Long links", kWanFigures, fill_wan};

}  // namespace headrace::models
