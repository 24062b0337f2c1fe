#include "reports/tender/tender.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "reports/tender/tender_facts.hpp"

namespace headrace::reports {
namespace {

using Rows = std::vector<std::vector<std::string>>;

TenderBlock table_block(std::string caption, std::vector<std::string> head, Rows rows) {
  TenderBlock block{TenderBlock::Kind::table, std::move(caption)};
  block.head = std::move(head);
  block.rows = std::move(rows);
  return block;
}

std::string figure_text(double value, const std::string& unit) {
  return unit == "1/s" ? humane_number(value, 3) + "/s" : humane(value, unit, 3);
}

/// Whole.
std::string count_text(double value) { return humane_number(std::ceil(value - 1e-9), 1); }

/// Name of a figure with what it is measured at.
std::string figure_name(const TenderFacts& facts, const Document& figure) {
  std::string name = text_at(figure, "name");
  if (text_at(figure, "figure") == "read_requests_per_s")
    name += fmt::format(" of {}", humane(number_at(facts.workload(), "request_bytes"), "B", 3));
  return name;
}

std::string bound_text(const Document& figure, double value) {
  return (text_at(figure, "better") == "less" ? "at most " : "at least ") + figure_text(value, text_at(figure, "unit"));
}

TenderSection requirements_section(const TenderFacts& facts) {
  TenderSection section{"requirements", "Requirements", {}};
  Rows rows;
  std::vector<std::string> not_required;
  for (const Document& figure : at(facts.document, "figures")) {
    if (!at(figure, "asked").is_number()) {
      not_required.push_back(fmt::format("{} ({})", text_at(figure, "name"), text_at(figure, "why_not")));
      continue;
    }
    rows.push_back({figure_name(facts, figure), bound_text(figure, number_at(figure, "asked")),
                    figure_text(number_at(figure, "least"), text_at(figure, "unit")),
                    figure_text(number_at(figure, "alone"), text_at(figure, "unit"))});
  }
  const Document& capacity = at(facts.document, "capacity");
  rows.push_back({"usable capacity", "at least " + humane(number_at(capacity, "asked"), "B", 3),
                  humane(number_at(capacity, "least"), "B", 3), ""});
  rows.push_back({"clients at once", "at least " + count_text(facts.clients()), count_text(facts.clients()), ""});
  rows.push_back({"connections at once", "at least " + count_text(number_at(facts.workload(), "connections")), "", ""});
  section.blocks.push_back(words_block(fmt::format(
      "All figures are asked for together and at the same time. Asked is what is needed together, with a margin of {}. "
      "Needed alone is the least of a figure while all others are ample: it is not enough here.",
      percent(number_at(facts.document, "margin"), 0))));
  section.blocks.push_back(table_block("What the store must deliver",
                                       {"figure", "asked", "needed together", "needed alone"}, std::move(rows)));
  for (const std::string& one : not_required) section.blocks.push_back(words_block("Not required: " + one + "."));
  return section;
}

TenderSection profile_section(const TenderFacts& facts) {
  TenderSection section{"workload", "Workload", {}};
  Rows rows, sizes, data;
  const Document& jobs = at(facts.workload(), "jobs");
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Document& job = element_at(jobs, i);
    const std::string name = facts.job(text_at(job, "job"));
    rows.push_back({name, count_text(number_at(job, "gpus")), count_text(number_at(job, "clients")),
                    count_text(number_at(job, "connections")), humane(number_at(job, "read_bytes_per_s"), "B/s", 3),
                    figure_text(number_at(job, "read_requests_per_s"), "1/s"),
                    figure_text(number_at(job, "metadata_operations_per_s"), "1/s")});
    const Document& law = at(job, "request_bytes");
    sizes.push_back({name, text_at(job, "order")});
    for (const char* key : {"mean", "p10", "p50", "p90", "p99"})
      sizes.back().push_back(humane(number_at(law, key), "B", 3));
    data.push_back({facts.dataset(i), humane(number_at(job, "dataset_bytes"), "B", 3),
                    count_text(number_at(job, "files")), humane(number_at(job, "file_bytes"), "B", 3)});
  }
  section.blocks.push_back(words_block("What the jobs ask of the store while no GPU waits for data."));
  section.blocks.push_back(table_block(
      "Load", {"job", "GPUs", "clients", "connections", "reads", "read requests", "files opened"}, std::move(rows)));
  section.blocks.push_back(
      table_block("Sizes of read requests", {"job", "order", "mean", "p10", "p50", "p90", "p99"}, std::move(sizes)));
  const double read = number_at(facts.workload(), "read_bytes_per_s");
  const double written = number_at(facts.workload(), "write_bytes_per_s");
  section.blocks.push_back(words_block(
      written > 0.0
          ? fmt::format("Mix over time: {} of the bytes are read ({}), {} are written ({}, by checkpoints, in "
                        "bursts).",
                        percent(read / (read + written)), humane(read, "B/s", 3), percent(written / (read + written)),
                        humane(written, "B/s", 3))
          : "Mix: all bytes are read; no checkpoints are written to it."));
  section.blocks.push_back(table_block("Datasets", {"dataset", "bytes", "files", "mean file"}, std::move(data)));
  for (const Document& job : jobs)
    if (const Document& checkpoint = at(job, "checkpoint"); checkpoint.is_object())
      section.blocks.push_back(words_block(
          fmt::format("Checkpoints of {}: {} every {} from {} writers in {} files, {} kept.",
                      facts.job(text_at(job, "job")), humane(number_at(checkpoint, "bytes"), "B", 3),
                      humane(number_at(checkpoint, "interval_s"), "s", 3), count_text(number_at(checkpoint, "writers")),
                      count_text(number_at(checkpoint, "files")), count_text(number_at(checkpoint, "kept")))));
  return section;
}

/// From what the jobs must reach down to the store.
TenderSection layers_section(const TenderFacts& facts) {
  TenderSection section{"layers", "Limits, layer by layer", {}};
  Rows rows;
  for (const Document& limit : at(facts.document, "limits")) rows.push_back({"training", facts.limit(limit), "given"});
  for (const Document& job : at(facts.workload(), "jobs"))
    rows.push_back({"job",
                    fmt::format("{}: {}", facts.job(text_at(job, "job")),
                                humane_number(number_at(job, "samples_per_s"), 3) + " samples/s"),
                    "GPUs that never wait"});
  const double read = facts.asked("read_bytes_per_s").value_or(number_at(facts.workload(), "read_bytes_per_s"));
  rows.push_back({"client", humane(read / facts.clients(), "B/s", 3) + " of reads each", "reads over clients"});
  if (const auto connection = facts.asked("connection_bytes_per_s"))
    rows.push_back({"connection", "at least " + humane(*connection, "B/s", 3), "simulated"});
  rows.push_back({"fabric", humane(read, "B/s", 3) + " between store and clients", "the store's reads"});
  for (const Document& figure : at(facts.document, "figures"))
    if (at(figure, "asked").is_number() && text_at(figure, "figure") != "connection_bytes_per_s")
      rows.push_back({"store", figure_name(facts, figure) + ": " + bound_text(figure, number_at(figure, "asked")),
                      "simulated, with the margin"});
  section.blocks.push_back(
      table_block("From the training down to the store", {"layer", "limit", "from"}, std::move(rows)));
  return section;
}

TenderSection sure_section(const TenderFacts& facts) {
  TenderSection section{"sure", "How sure", {}};
  const bool sure = at(facts.document, "sure").is_boolean() && at(facts.document, "sure").get<bool>();
  section.blocks.push_back(words_block(
      sure
          ? "Simulated with all figures as needed together, the jobs meet every limit; with 5 % less of all of them "
            "they "
            "do not, and with 5 % less of what is needed of one figure alone they do not either. 95 % intervals decide."
          : "Some answers are not decided: an interval of the simulation lies on both sides of a limit."));
  if (const Document& confidence = at(facts.document, "confidence"); confidence.is_object())
    section.blocks.push_back(words_block(requirements_confidence_line(confidence, true) +
                                         " The error of the models comes on top of the intervals: keep it apart from "
                                         "what the limits allow."));
  std::string room;
  for (const Document& figure : at(facts.document, "figures"))
    if (const std::string less = text_at(figure, "less_of_it_together"); !less.empty() && less != "fail")
      room += (room.empty() ? "" : ", ") + text_at(figure, "name");
  if (!room.empty())
    section.blocks.push_back(words_block(
        fmt::format("Of the joint set, 5 % less of one figure, all others as needed, breaks no limit for certain: {}. "
                    "The same with 5 % less of all does.",
                    room)));
  for (const Document& curve : at(facts.document, "trade_curves")) {
    Rows rows;
    for (const Document& point : at(curve, "points"))
      rows.push_back(
          {"at most " + humane(element_at(point, 0).get<double>(), "s", 3),
           "at least " + figure_text(element_at(point, 1).get<double>(),
                                     text_at(curve, "up").find("bytes") != std::string::npos ? "B/s" : "1/s")});
    std::string name = text_at(curve, "up");
    for (const Document& figure : at(facts.document, "figures"))
      if (text_at(figure, "figure") == name) name = text_at(figure, "name");
    const std::string caption =
        fmt::format("As good as each other, all other figures ample, without the margin: latency against {}", name);
    section.blocks.push_back(table_block(caption, {"latency, 99th percentile", name}, std::move(rows)));
  }
  return section;
}

TenderSection scoring_section(const TenderFacts& facts) {
  TenderSection section{"scoring", "Scoring sheet", {}};
  std::vector<std::string> figures;
  Rows rows;
  for (const Document& figure : at(facts.document, "figures"))
    if (at(figure, "asked").is_number())
      rows.push_back({figure_name(facts, figure), bound_text(figure, number_at(figure, "asked"))});
  rows.push_back({"usable capacity", "at least " + humane(number_at(at(facts.document, "capacity"), "asked"), "B", 3)});
  const std::size_t weight = 100 / rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].push_back(std::to_string(i == 0 ? 100 - weight * (rows.size() - 1) : weight));
    rows[i].insert(rows[i].end(), {"", "", "", ""});
  }
  section.blocks.push_back(words_block(
      "Each asked figure must be reached. Points of a figure: its weight where the measured value reaches what is "
      "asked, nothing otherwise. Offers of equal points are ranked by total cost. Evidence: measured on the offered "
      "system, measured on another, or a data sheet; what is not measured is measured in the acceptance tests. Change "
      "the weights before the tender goes out."));
  section.blocks.push_back(table_block(
      "Points", {"figure", "asked", "weight", "offered", "measured", "evidence", "points"}, std::move(rows)));
  return section;
}

}  // namespace

Tender tender_of(const Document& requirements, const Redaction& redaction) {
  const TenderFacts facts{requirements, redaction};
  Tender tender;
  tender.title = facts.title();
  std::string limits;
  for (const Document& limit : at(requirements, "limits")) limits += (limits.empty() ? "" : "; ") + facts.limit(limit);
  tender.summary = fmt::format("What {} must deliver so that training meets its limits: {}.", facts.store(), limits);
  tender.sections = {requirements_section(facts), profile_section(facts),    layers_section(facts),
                     sure_section(facts),         acceptance_section(facts), scoring_section(facts)};
  return tender;
}

}  // namespace headrace::reports
