// The answer of a range query of Prometheus (/api/v1/query_range, result type "matrix"). Traps: values are texts, "NaN"
// and "+Inf" among them; a counter is no rate, and starts again at 0 when its program does; gaps are simply missing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Parameter;

/// Sum of all series, by time in seconds.
using Series = std::map<double, double>;

bool is_counter(const std::string& name) {
  return name.ends_with("_total") || name.ends_with("_sum") || name.ends_with("_count");
}

/// Values of one series; no numbers are left out and told.
Series values_of(Reading& in, const Node& result) {
  Series out;
  const Node* values = in.member(result, "values", Node::Type::array, true);
  if (values == nullptr) return out;
  std::size_t left_out = 0;
  for (const Node& pair : values->items) {
    if (!pair.is(Node::Type::array) || pair.items.size() != 2 || !pair.items[0].is(Node::Type::number) ||
        !pair.items[1].is(Node::Type::string)) {
      in.refuse("E0201", pair.place, "a point is [time, \"value\"]", "is it the answer of /api/v1/query_range?");
      return out;
    }
    const auto time = in.number_in(pair.items[0].text, pair.items[0].place, "a time", {0.0, 1e11, true});
    if (!time) return out;
    const std::string& text = pair.items[1].text;
    if (text == "NaN") {
      ++left_out;
      continue;
    }
    const auto value = in.number_in(text, pair.items[1].place, "a value", {-1e18, 1e18, true});
    if (!value) return out;
    if (!out.empty() && *time <= out.rbegin()->first) {
      in.refuse("E0140", pair.items[0].place, "times do not rise", "is the file damaged or edited?");
      return out;
    }
    out[*time] = *value;
  }
  if (left_out > 0) in.note(fmt::format("skipped {} values that are NaN", left_out));
  return out;
}

/// Increases per second; a fall is a restart, after which the counter began at 0.
Series rate_of(Reading& in, const Series& counter) {
  Series out;
  double last_time = 0.0;
  double last = 0.0;
  bool first = true;
  for (const auto& [time, value] : counter) {
    if (!first) {
      if (value < last) in.note("a counter decreased: its program was restarted");
      out[time] = (value < last ? value : value - last) / (time - last_time);
    }
    first = false;
    last_time = time;
    last = value;
  }
  return out;
}

struct Query {
  Series total;
  std::string name;
  std::size_t series = 0;
  double step_s = 0.0;
};

Query read_query(Reading& in, const Node& data) {
  Query q;
  const Node* results = in.member(data, "result", Node::Type::array, true);
  if (results == nullptr) return q;
  for (const Node& result : results->items) {
    const Node* metric = in.member(result, "metric", Node::Type::object, false);
    const std::string name = metric == nullptr ? "" : in.word(*metric, "__name__");
    Series values = values_of(in, result);
    if (in.failed()) return q;
    if (is_counter(name)) values = rate_of(in, values);
    for (const auto& [time, value] : values) q.total[time] += value;
    if (!name.empty()) q.name = name;
    ++q.series;
  }
  return q;
}

double quantile(std::vector<double> sorted, double p) {
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1))];
}

/// Times above and below a level, as an alternating process.
struct Alternation {
  double on_s = 0.0, off_s = 0.0;
  double active = 0.0, resting = 0.0;  ///< mean values
  std::size_t bursts = 0;
};

Alternation alternation_of(const std::vector<double>& values, double step_s, double level) {
  Alternation a;
  double on = 0.0, off = 0.0;
  bool active = false;
  for (const double value : values) {
    if (value > level) {
      if (!active) ++a.bursts;
      on += 1.0;
      a.active += value;
    } else {
      off += 1.0;
      a.resting += value;
    }
    active = value > level;
  }
  if (a.bursts == 0 || off == 0.0) return a;
  a.active /= on;
  a.resting /= off;
  a.on_s = step_s * on / static_cast<double>(a.bursts);
  a.off_s = step_s * off / static_cast<double>(a.bursts);
  return a;
}

void add_steady(Reading& in, const std::string& name, double value, const std::string& text,
                const std::vector<std::string>& flags, bool write) {
  in.layer["background"].push_back(
      {{"name", name}, {"store", in.options().store}, {"direction", write ? "write" : "read"}});
  in.add(name + ".bandwidth", "B/s", value, join_pointer("/background", name) + "/bandwidth", text, flags);
}

/// Bursts where the load changes between two levels that lie far apart, else its mean.
void add_background(Reading& in, const Query& q, const std::vector<double>& values, const std::string& text) {
  const std::string name = in.options().name.empty() ? "prometheus" : in.options().name;
  const bool write = q.name.find("writ") != std::string::npos || q.name.find("transmit") != std::string::npos;
  const double low = quantile(values, 0.1);
  const double high = quantile(values, 0.95);
  double sum = 0.0;
  for (const double value : values) sum += value;
  const double mean = sum / static_cast<double>(values.size());
  if (mean <= 0.0) return in.not_this(in.whole(), "the load is 0 all the time", "there is nothing to replay");
  const Alternation a = alternation_of(values, q.step_s, 0.5 * (low + high));
  const bool bursts = a.bursts >= 2 && a.active > 2.0 * a.resting && a.off_s > 0.0;
  std::vector<std::string> flags = {"direction_assumed"};
  if (q.name.find("writ") != std::string::npos || q.name.find("read") != std::string::npos) flags.clear();
  if (!bursts) {
    add_steady(in, name, mean, text, flags, write);
    return;
  }
  if (a.resting > 0.01 * mean) add_steady(in, name + "-steady", a.resting, text + ": between bursts", flags, write);
  add_steady(in, name, a.active - a.resting, text + fmt::format(": {} bursts above what is always there", a.bursts),
             flags, write);
  const std::string at = join_pointer("/background", name) + "/bursts";
  Parameter& on = in.add(name + ".bursts.on", "s", a.on_s, at + "/on", text, {"two_levels"});
  const double spread = 1.0 / std::sqrt(static_cast<double>(a.bursts));
  on.low = a.on_s * std::exp(-1.96 * spread);  // exponential times, mean of so many
  on.high = a.on_s * std::exp(1.96 * spread);
  const double off_s = a.off_s;
  Parameter& off = in.add(name + ".bursts.off", "s", off_s, at + "/off", text, {"two_levels"});
  off.low = off_s * std::exp(-1.96 * spread);
  off.high = off_s * std::exp(1.96 * spread);
}

void add_step_time(Reading& in, std::vector<double> values, const std::string& text) {
  std::erase_if(values, [](double v) { return v <= 0.0; });
  if (values.empty()) return in.not_this(in.whole(), "no step time is above 0", "the query must give seconds per step");
  Parameter& p = in.add("job.step_time", "s", 0.0, in.job_target("step/step_time"), text,
                        {"averaged_over_steps", "includes_waits"});
  Reading::set_table(p, std::move(values));
  in.note("a step time of a running job includes its waits for data: headrace import kineto separates them");
}

}  // namespace

void import_prometheus(Reading& in) {
  in.record.imported->tool = "Prometheus";
  const std::vector<Node> objects = in.objects();
  if (in.failed()) return;
  const Node& root = objects.front();
  if (in.word(root, "status") == "error")
    return in.not_this(root.place, "the query failed: " + in.word(root, "error"), "");
  const Node* data = root.find("data");
  if (in.failed()) return;
  if (data == nullptr || !data->is(Node::Type::object) || in.word(*data, "resultType") != "matrix")
    return in.not_this(root.place, "this is not a range of values (resultType \"matrix\")",
                       "ask /api/v1/query_range with start, end and step");
  const Query found = read_query(in, *data);
  if (in.failed()) return;
  if (found.total.size() < 3)
    return in.not_this(data->place, "fewer than 3 points", "ask for a longer range or a shorter step");
  Query q = found;
  const double first = q.total.begin()->first;
  const double last = q.total.rbegin()->first;
  q.step_s = (last - first) / static_cast<double>(q.total.size() - 1);
  std::vector<double> values;
  for (const auto& [time, value] : q.total) {
    if (value < 0.0)
      return in.refuse("E0207", data->place, fmt::format("the value {:g} at {:.0f} is negative", value, time),
                       "loads and times are at least 0");
    values.push_back(value);
  }
  in.record.date = date_of(first);
  const std::string text = fmt::format("{} of {} series, {} points of {:.4g} s", q.name.empty() ? "sum" : q.name,
                                       q.series, values.size(), q.step_s);
  if (in.options().meaning == "step-time")
    add_step_time(in, values, text);
  else
    add_background(in, q, values, text);
}

}  // namespace headrace::scenarios
