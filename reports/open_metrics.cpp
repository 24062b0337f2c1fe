#include "reports/open_metrics.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/outcome/outcome_metrics.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using namespace nlohmann::literals;

/// Backslash, quote and line break are escaped in label values and help texts.
std::string label(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

class OpenMetricsText {
 public:
  explicit OpenMetricsText(const Json& outcome) {
    scenario_ = fmt::format("scenario=\"{}\"", label(outcome.value("/scenario/title"_json_pointer, std::string())));
  }

  void family(std::string_view name, std::string_view help) {
    text_ += fmt::format("# TYPE headrace_{0} gauge\n# HELP headrace_{0} {1}\n", name, label(help));
  }
  void sample(std::string_view name, std::string_view labels, const Json& value) {
    if (!value.is_number()) return;
    text_ +=
        fmt::format("headrace_{}{{{}{}{}}} {}\n", name, scenario_, labels.empty() ? "" : ",", labels, value.dump());
  }
  std::string end() { return text_ + "# EOF\n"; }

 private:
  std::string scenario_;
  std::string text_;
};

void add_metrics(const Json& metrics, OpenMetricsText& text) {
  for (const auto& [name, metric] : metrics.items()) {
    const models::MetricDescription* description = models::find_metric(name);
    text.family(name, description != nullptr ? description->meaning : std::string_view("A metric of the outcome."));
    text.sample(name, "of=\"mean\"", metric.value("mean", Json()));
    const Json ci95 = metric.value("ci95", Json());
    if (ci95.is_array() && ci95.size() == 2) {
      text.sample(name, "of=\"ci95_low\"", ci95[0]);
      text.sample(name, "of=\"ci95_high\"", ci95[1]);
    }
    for (const char* quantile : {"p50", "p90", "p99", "p999"})
      if (metric.contains(quantile)) text.sample(name, fmt::format("of=\"{}\"", quantile), metric[quantile]);
  }
}

void add_shares(const Json& outcome, const char* key, std::string_view help, OpenMetricsText& text) {
  const Json shares = outcome.value(key, Json::object());
  if (shares.empty()) return;
  const std::string name = fmt::format("{}_share", key);
  text.family(name, help);
  for (const auto& [stage, share] : shares.items())
    text.sample(name, fmt::format("stage=\"{}\"", label(stage)),
                share.is_object() ? share.value("mean", Json()) : share);
}

}  // namespace

std::string open_metrics(const Json& outcome) {
  OpenMetricsText text(outcome);
  add_metrics(outcome.value("metrics", Json::object()), text);
  add_shares(outcome, "gpu_states", "Share of elapsed GPU time by state.", text);
  add_shares(outcome, "blame", "Share of GPU time that waits for a stage.", text);
  add_shares(outcome, "relief", "Share of GPU time won if a stage were infinitely fast.", text);
  const Json stations = outcome.value("stations", Json::array());
  if (!stations.empty())
    text.family("station_utilization", "Demand over capacity of a resource in the measured window.");
  for (const Json& station : stations)
    text.sample("station_utilization", fmt::format("station=\"{}\"", label(station.value("name", std::string()))),
                station.value("utilization", Json()));
  return text.end();
}

}  // namespace headrace::reports
