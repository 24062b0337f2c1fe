#include "reports/campaign_export.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::reports {
namespace {

struct CampaignKey {
  const char* key;
  const char* unit;
  const char* label;
};

constexpr CampaignKey kCampaignFigures[] = {{"goodput", "1", "goodput"},
                                            {"gpu_hours", "h", "GPU hours held"},
                                            {"useful_gpu_hours", "h", "useful GPU hours"},
                                            {"elapsed_s", "s", "from beginning to end"},
                                            {"closed_s", "s", "without nodes"},
                                            {"failures", "", "failures"},
                                            {"reclaims", "", "spot nodes taken with notice"},
                                            {"restart_p50_s", "s", "restart, median"},
                                            {"restart_p99_s", "s", "restart, p99"},
                                            {"epochs", "", "epochs trained"},
                                            {"cost_usd", "USD", "cost"},
                                            {"cost_per_useful_gpu_hour_usd", "USD", "cost per useful GPU hour"}};

std::string figure_cell(const Document& value) {
  return value.is_number() ? scenarios::print_number(value.get<double>()) : std::string();
}

std::vector<std::string> row_of(const char* kind, const std::string& name, const char* unit, const Document& figure) {
  const Document& ends = at(figure, "ci95");
  const bool known = ends.is_array() && ends.size() == 2;
  return {kind,
          name,
          unit,
          figure_cell(at(figure, "mean")),
          known ? figure_cell(ends[0]) : "",
          known ? figure_cell(ends[1]) : ""};
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string shown(const Document& figure, std::string_view unit) {
  if (!figure.is_object()) return "-";
  const auto value = [&](double number) {
    return unit == "h" ? humane_number(number, 5) + " h" : humane(number, unit);
  };
  const std::optional<Ends> ends = interval_ends_at(figure, "ci95");
  const std::string range = ends ? fmt::format(" ({} to {})", value(ends->low), value(ends->high)) : "";
  return value(number_at(figure, "mean")) + range;
}

constexpr CampaignKey kFleetFigures[] = {{"goodput", "1", "goodput"},
                                         {"useful_share", "1", "useful share of all GPU hours"},
                                         {"gpu_hours", "h", "GPU hours of the pools"},
                                         {"held_gpu_hours", "h", "GPU hours held"},
                                         {"useful_gpu_hours", "h", "useful GPU hours"},
                                         {"elapsed_s", "s", "from beginning to end"},
                                         {"cost_usd", "USD", "cost"},
                                         {"cost_per_useful_gpu_hour_usd", "USD", "cost per useful GPU hour"}};

constexpr CampaignKey kFleetClassFigures[] = {{"arrived", "", "jobs"},
                                              {"started", "", "started"},
                                              {"finished", "", "done"},
                                              {"preemptions", "", "preempted"},
                                              {"failures", "", "failures"},
                                              {"gpu_hours", "h", "GPU hours held"},
                                              {"useful_gpu_hours", "h", "useful GPU hours"},
                                              {"goodput", "1", "goodput"}};

constexpr const char* kFleetTimes[] = {"wait", "completion"};
constexpr const char* kFleetTimeFigures[] = {"mean_s", "p50_s", "p99_s"};

std::string loss_table(const Document& losses) {
  std::string text = "\n" + markdown_row({"GPU hours lost to", "share", "hours"}) + "|---|---:|---:|\n";
  for (const Document& loss : losses)
    text += markdown_row(
        {text_at(loss, "meaning"), percent(number_at(loss, "share"), 2), shown(at(loss, "gpu_hours"), "h")});
  return text;
}

/// Cost, warnings and what repeats the campaign.
std::string end_of_markdown(const Document& document) {
  std::string text = "\n" + markdown_row({"cost", "USD"}) + "|---|---:|\n";
  for (const Document& line : at(document, "ledger"))
    text += markdown_row({text_at(line, "item"), exact_money(number_at(line, "usd"))});
  for (const Document& warning : at(document, "warnings"))
    text += fmt::format("\n> {}: {}\n", text_at(warning, "seen"), text_at(warning, "fix"));
  return text + fmt::format("\nSeed {}, {} replications, models {}.\n", at(document, "seed").dump(),
                            at(document, "replications").dump(), text_at(document, "model_version"));
}

template <std::size_t N>
std::string head_of_markdown(const Document& document, const CampaignKey (&figures)[N]) {
  const std::string title = text_at(at(document, "scenario"), "title");
  std::string text = fmt::format("## Campaign: {}\n\n", title.empty() ? "scenario" : title);
  text += markdown_row({"figure", "mean (95 % interval)"}) + "|---|---:|\n";
  for (const CampaignKey& key : figures)
    if (at(document, key.key).is_object()) text += markdown_row({key.label, shown(at(document, key.key), key.unit)});
  return text;
}

std::string sure_paragraph(const Document& document) {
  const std::string sure = steady_confidence_line(at(document, "confidence"));
  return sure.empty() ? sure : "\n" + sure + "\n";
}

}  // namespace

std::vector<std::vector<std::string>> campaign_rows(const Document& document) {
  std::vector<std::vector<std::string>> rows{{"kind", "name", "unit", "mean", "ci95 low", "ci95 high"}};
  for (const CampaignKey& key : kCampaignFigures)
    if (at(document, key.key).is_object()) rows.push_back(row_of("figure", key.key, key.unit, at(document, key.key)));
  for (const char* key : {"cold_first_step_s", "warm_first_step_s", "closed_form_goodput"})
    rows.push_back(
        {"figure", key, std::string(key).ends_with("_s") ? "s" : "1", figure_cell(at(document, key)), "", ""});
  for (const Document& loss : at(document, "losses"))
    rows.push_back(row_of("lost", text_at(loss, "cause"), "h", at(loss, "gpu_hours")));
  for (const Document& line : at(document, "ledger"))
    rows.push_back({"cost", text_at(line, "item"), "USD", figure_cell(at(line, "usd")), "", ""});
  return rows;
}

std::string campaign_markdown(const Document& document) {
  return head_of_markdown(document, kCampaignFigures) + loss_table(at(document, "losses")) + sure_paragraph(document) +
         end_of_markdown(document);
}

std::vector<std::vector<std::string>> fleet_rows(const Document& document) {
  std::vector<std::vector<std::string>> rows{{"kind", "name", "unit", "mean", "ci95 low", "ci95 high"}};
  for (const CampaignKey& key : kFleetFigures)
    rows.push_back(row_of("figure", key.key, key.unit, at(document, key.key)));
  for (const Document& pool : at(document, "pools"))
    for (const char* key : {"used", "queued", "idle"})
      rows.push_back(row_of("pool", text_at(pool, "name") + "/" + key, "1", at(pool, key)));
  for (const Document& one : at(document, "classes")) {
    const std::string name = text_at(one, "name") + "/";
    for (const CampaignKey& key : kFleetClassFigures)
      rows.push_back(row_of("job", name + key.key, key.unit, at(one, key.key)));
    for (const char* time : kFleetTimes)
      for (const char* key : kFleetTimeFigures)
        if (at(at(one, time), key).is_object())
          rows.push_back(row_of("job", name + time + "_" + key, "s", at(at(one, time), key)));
  }
  for (const Document& loss : at(document, "losses"))
    rows.push_back(row_of("lost", text_at(loss, "cause"), "h", at(loss, "gpu_hours")));
  for (const Document& line : at(document, "ledger"))
    rows.push_back({"cost", text_at(line, "item"), "USD", figure_cell(at(line, "usd")), "", ""});
  return rows;
}

std::string fleet_markdown(const Document& document) {
  std::string text = head_of_markdown(document, kFleetFigures);
  text += "\n" + markdown_row({"pool", "used", "free while jobs wait", "free"}) + "|---|---:|---:|---:|\n";
  for (const Document& pool : at(document, "pools"))
    text += markdown_row({text_at(pool, "name"), shown(at(pool, "used"), "1"), shown(at(pool, "queued"), "1"),
                          shown(at(pool, "idle"), "1")});
  text += "\n" + markdown_row({"job", "done", "wait", "wait, p99", "completion", "preempted", "goodput"}) +
          "|---|---:|---:|---:|---:|---:|---:|\n";
  for (const Document& one : at(document, "classes"))
    text +=
        markdown_row({text_at(one, "name"), shown(at(one, "finished"), ""), shown(at(at(one, "wait"), "mean_s"), "s"),
                      shown(at(at(one, "wait"), "p99_s"), "s"), shown(at(at(one, "completion"), "mean_s"), "s"),
                      shown(at(one, "preemptions"), ""), shown(at(one, "goodput"), "1")});
  return text + loss_table(at(document, "losses")) + sure_paragraph(document) + end_of_markdown(document);
}

}  // namespace headrace::reports
