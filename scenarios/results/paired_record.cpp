#include "scenarios/results/paired_record.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>

namespace headrace::scenarios {
namespace {

using RecordJson = nlohmann::json;

// What of each part is kept, in its order, told once: the writer and the reader visit the same description. A part with
// one value is that value, others are lists.

template <class V>
void keep(models::Interval& interval, V& v) {
  v(interval.low, interval.high);
}
template <class V>
void keep(models::Metric& m, V& v) {
  v(m.name, m.mean, m.ci95, m.kind);
}
template <class V>
void keep(models::LedgerLine& l, V& v) {
  v(l.usd, l.by_time);
}
template <class V>
void keep(models::WindowReport& w, V& v) {
  v(w.weight);
}
template <class V>
void keep(models::ReplicationReport& r, V& v) {
  v(r.window, r.replication, r.steps, r.warm_up_steps, r.step_time_s, r.gpu_utilization, r.gpu_idle_fraction, r.job,
    r.series.batch_steps, r.series.duration_s, r.series.wait_s, r.series.compute_s);
}
template <class V>
void keep(models::JobReport& j, V& v) {
  v(j.name, j.metrics, j.ledger, j.windows, j.copies, j.nodes, j.gpus);
}
template <class V>
void keep(models::StallReport& s, V& v) {
  v(s.stalled_steps, s.delay_s, s.delay_ci95);
}

/// The record itself has names.
template <class V>
void keep_outcome(models::Outcome& o, const V& v) {
  v("seed", o.seed);
  v("steps", o.steps);
  v("metrics", o.metrics);
  v("ledger", o.ledger);
  v("windows", o.windows);
  v("runs", o.replications);
  v("jobs", o.jobs);
  v("stalls", o.rare_stalls);
}

template <class T>
constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

template <class T>
RecordJson written(std::optional<T>& value);
template <class T>
RecordJson written(std::vector<T>& values);

struct PartWriter {
  template <class... Ts>
  void operator()(Ts&... values);
  RecordJson json;
};

template <class T>
RecordJson written(T& value) {
  if constexpr (kIsPlain<T>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else {
    PartWriter writer;
    keep(value, writer);
    return std::move(writer.json);
  }
}
template <class T>
RecordJson written(std::optional<T>& value) {
  return value ? written(*value) : RecordJson();
}
template <class T>
RecordJson written(std::vector<T>& values) {
  if constexpr (kIsPlain<T>) return values;
  RecordJson list = RecordJson::array();
  for (T& value : values) list.push_back(written(value));
  return list;
}
template <class... Ts>
void PartWriter::operator()(Ts&... values) {
  if constexpr (sizeof...(values) == 1) {
    json = (written(values), ...);
  } else {
    json = RecordJson::array();
    (json.push_back(written(values)), ...);
  }
}

template <class T>
void read_into(std::optional<T>& value, const RecordJson& json);
template <class T>
void read_into(std::vector<T>& values, const RecordJson& json);

struct PartReader {
  template <class... Ts>
  void operator()(Ts&... values);
  const RecordJson& json;
};

template <class T>
void read_into(T& value, const RecordJson& json) {
  if constexpr (kIsPlain<T>) {
    value = json.get<T>();
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(json.get<int>());
  } else {
    PartReader reader{json};
    keep(value, reader);
  }
}
template <class T>
void read_into(std::optional<T>& value, const RecordJson& json) {
  if (json.is_null()) return value.reset();
  read_into(value.emplace(), json);
}
template <class T>
void read_into(std::vector<T>& values, const RecordJson& json) {
  if (!json.is_array()) throw std::runtime_error("a stored run cannot be read: a list is missing");
  values.clear();
  for (const RecordJson& item : json) read_into(values.emplace_back(), item);
}
template <class... Ts>
void PartReader::operator()(Ts&... values) {
  if constexpr (sizeof...(values) == 1) {
    (read_into(values, json), ...);
  } else {
    std::size_t next = 0;
    (read_into(values, json.at(next++)), ...);
  }
}

}  // namespace

std::string paired_record(const models::Outcome& outcome) {
  RecordJson json = RecordJson::object();
  // The description is of an outcome that may be written to; nothing writes here.
  keep_outcome(const_cast<models::Outcome&>(outcome),
               [&json](const char* key, auto& value) { json[key] = written(value); });
  std::string bytes;
  RecordJson::to_cbor(json, bytes);
  return bytes;
}

models::Outcome outcome_of_paired_record(std::string_view bytes) {
  try {
    const RecordJson json = RecordJson::from_cbor(bytes.begin(), bytes.end());
    models::Outcome outcome;
    keep_outcome(outcome, [&json](const char* key, auto& value) { read_into(value, json.at(key)); });
    return outcome;
  } catch (const RecordJson::exception& error) {
    throw std::runtime_error(std::string("a stored run cannot be read: ") + error.what());
  }
}

}  // namespace headrace::scenarios
