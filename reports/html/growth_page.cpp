#include "reports/html/growth_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "reports/growth_json.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"
#include "reports/room_text.hpp"

namespace headrace::reports {
namespace {

using GrowthCells = std::vector<std::vector<std::string>>;

/// A date that no line breaks.
std::string whole_date(const std::string& date) { return "<time>" + escaped(date) + "</time>"; }

std::string day_of(const Document& dates, const char* key) {
  const Document& day = at(dates, key);
  return day.is_string() ? whole_date(day.get<std::string>()) : "after the horizon";
}

std::string dollars(const Document& value) {
  return value.is_number() ? spelled_number(value, round_usd(value.get<double>())) : std::string("&ndash;");
}

std::string costs_table(const Document& document) {
  GrowthCells rows;
  for (const GrowthCost& cost : growth_costs(document))
    rows.push_back({escaped(cost.what), cost.expected, cost.as_stated, cost.drawn});
  std::string notes;
  for (const std::string& sentence : {capacity_sentence(document), buying_sentence(document)})
    if (!sentence.empty()) notes += fmt::format("{}{}", notes.empty() ? "" : " ", escaped(sentence));
  return html_table(
             fmt::format("Until {}", text_at(document, "horizon")),
             {{cost_heading(document, "cost")}, {"expected", true}, {"as stated", true}, {"80 % of draws", true}},
             rows) +
         (notes.empty() ? notes : fmt::format("<p>{}</p>", notes));
}

std::string growth_head(const Document& document) {
  const Document* first = nullptr;
  for (const Document& layer : at(document, "layers")) {
    if (!at(layer, "quarters_to_full").is_number()) continue;
    if (first == nullptr || number_at(layer, "quarters_to_full") < number_at(*first, "quarters_to_full"))
      first = &layer;
  }
  const std::string line = first == nullptr
                               ? fmt::format("No layer becomes full before {}", text_at(document, "horizon"))
                               : fmt::format("First to become full: {}, {}", text_at(*first, "resource"),
                                             text_at(at(*first, "full"), "as_stated"));
  return verdict_box(first == nullptr ? "good" : "unsure", line, moments_sentence(document)) + costs_table(document);
}

std::string dates_section(const Document& document) {
  GrowthCells rows;
  for (const Document& layer : at(document, "layers")) {
    const Document& full = at(layer, "full");
    rows.push_back({escaped(text_at(layer, "layer")), escaped(text_at(layer, "resource")), day_of(full, "as_stated"),
                    day_of(full, "p10"), day_of(full, "p90"), share(at(full, "share_of_draws"))});
  }
  return html_table("When each layer is full if nothing is bought",
                    {{"layer"},
                     {kFullestHeading},
                     {"as stated"},
                     {"10 % of draws"},
                     {"90 % of draws"},
                     {"draws that reach it", true}},
                    rows);
}

std::string layer_chart(const Document& layer, double full) {
  Plot plot;
  plot.title = fmt::format("{}: demand over what there is", text_at(layer, "layer"));
  const Document& quarters = at(layer, "quarters");
  plot.x.label = "first day of a quarter, year and month";
  constexpr std::size_t kMostDates = 5;
  std::size_t stride = 1;
  while (quarters.size() > kMostDates * stride) stride = stride == 1 ? 2 : stride + 2;
  constexpr std::size_t kYearAndMonth = 7;
  for (std::size_t q = 0; q < quarters.size(); q += stride)
    plot.x.ticks.push_back({number_at(quarters[q], "quarter"), text_at(quarters[q], "date").substr(0, kYearAndMonth)});
  plot.y = {.label = "demand over capacity, percent", .from_zero = true};
  PlotSeries course{text_at(layer, "layer") + ", as stated (band: p10 to p90 of the draws)", {}};
  PlotSeries limit{"full", {}};
  limit.dashed = true;
  for (const Document& quarter : at(layer, "quarters")) {
    const Document& busy = at(quarter, "busy_share");
    const double q = number_at(quarter, "quarter");
    course.points.push_back({q, 100.0 * number_at(busy, "as_stated"), 100.0 * number_at(busy, "p10"),
                             100.0 * number_at(busy, "p90"), text_at(quarter, "date")});
    limit.points.push_back({q, 100.0 * full});
  }
  plot.series = {course, limit};
  return plot_drawing(plot);
}

std::string charts_section(const Document& document) {
  std::string html;
  GrowthCells rows;
  for (const Document& layer : at(document, "layers")) {
    html += layer_chart(layer, number_at(document, "full_busy_share"));
    for (const Document& quarter : at(layer, "quarters")) {
      const Document& busy = at(quarter, "busy_share");
      rows.push_back({escaped(text_at(layer, "layer")), whole_date(text_at(quarter, "date")),
                      share(at(busy, "as_stated")), share(at(busy, "p10")), share(at(busy, "p90"))});
    }
  }
  return "<div class=\"plots\">" + html + "</div><details><summary>Figures of the charts</summary>" +
         html_table("Busy shares",
                    {{"layer"},
                     {"quarter that begins"},
                     {"as stated", true},
                     {"10 % of draws", true},
                     {"90 % of draws", true}},
                    rows) +
         "</details>";
}

/// "metadata servers" of "/stores/0/metadata/servers", "power" of "/stores/0/purchase/power": what is behind the place
/// in its list.
std::string last_words_of(const std::string& pointer) {
  std::size_t begin = 0;
  for (std::size_t at = pointer.find('/'); at != std::string::npos; at = pointer.find('/', at + 1))
    if (at + 1 < pointer.size() && pointer[at + 1] >= '0' && pointer[at + 1] <= '9') begin = at + 1;
  const std::size_t slash = pointer.find('/', begin);
  std::string text = pointer.substr(begin == 0 || slash == std::string::npos ? 0 : slash + 1);
  constexpr std::string_view kBought = "purchase/";  // as is everything here
  if (text.starts_with(kBought)) text.erase(0, kBought.size());
  std::replace(text.begin(), text.end(), '/', ' ');
  return text;
}

std::string additions_text(const Document& item) {
  std::string text;
  for (const Document& one : at(item, "adds"))
    text += fmt::format("{}{} +{}", text.empty() ? "" : "<br>",
                        escaped(words(last_words_of(text_at(one, "parameter")))), share(at(one, "share")));
  return text;
}

std::string orders_section(const Document& document) {
  GrowthCells rows;
  for (const Document& item : at(document, "buy_list"))
    rows.push_back({escaped(text_at(item, "name")), count(at(item, "steps")), additions_text(item),
                    at(item, "late").is_boolean() && at(item, "late").get<bool>() ? "today, late"
                                                                                  : whole_date(text_at(item, "order")),
                    item.contains("arrives") ? day_of(item, "arrives") : std::string("&ndash;"),
                    day_of(at(item, "needed"), "as_stated"),
                    day_of(at(item, "needed"), "p10") + " to " + day_of(at(item, "needed"), "p90"),
                    number(at(item, "lead_time_s"), "s", 3), dollars(at(item, "price_usd")),
                    at(item, "price_as_of").is_string() ? whole_date(text_at(item, "price_as_of")) : "&ndash;"});
  if (rows.empty()) return {};
  return html_table("Orders by date",
                    {{"what"},
                     {"steps", true},
                     {"a step adds, of today's"},
                     {"order"},
                     {"serves from"},
                     {"needed as stated"},
                     {"80 % of draws"},
                     {"lead time", true},
                     {"price at the order", true},
                     {"price as of"}},
                    rows);
}

std::string as_bought_section(const Document& document) {
  std::vector<models::RoomFacts> rooms;
  for (const Document& one : at(document, "as_bought")) rooms.push_back(room_in(one));
  const auto any = [&](std::string (*text)(const models::RoomFacts&)) {
    return std::any_of(rooms.begin(), rooms.end(), [text](const auto& room) { return !text(room).empty(); });
  };
  std::vector<TableColumn> columns{{"quarter that begins"}, {"GPUs that wait", true}, {"80 % of draws", true}};
  std::vector<std::string (*)(const models::RoomFacts&)> shown;
  const auto add = [&](const char* head, std::string (*text)(const models::RoomFacts&)) {
    if (!any(text)) return;
    columns.push_back({head, true});
    shown.push_back(text);
  };
  add("power of owned machines and stores", power_text);
  add("rack units of owned machines and stores", rack_units_text);
  add("drive writes a day, in capacities", drive_writes_text);
  GrowthCells rows;
  for (std::size_t q = 0; q < rooms.size(); ++q) {
    const Document& one = at(document, "as_bought")[q];
    const bool drawn = one.contains("drawn_waiting_gpus");
    const auto end = [&](const char* key) { return number(at(at(one, "drawn_waiting_gpus"), key), "", 3); };
    rows.push_back({whole_date(text_at(one, "date")), number(at(one, "waiting_gpus"), "", 3),
                    drawn ? number_span(end("p10"), end("p90")) : std::string("&ndash;")});
    for (const auto text : shown) rows.back().push_back(text(rooms[q]));
  }
  if (rows.empty()) return {};
  return html_table("As stated, with what is bought and has come by then", columns, rows);
}

std::string regret_section(const Document& document) {
  GrowthCells rows;
  for (const Document& row : at(document, "regret"))
    rows.push_back({escaped(text_at(row, "name")), at(row, "shift_quarters").dump(), dollars(at(row, "cost_usd")),
                    dollars(at(row, "over_on_time_usd")), dollars(at(row, "regret_usd")),
                    row.contains("cheapest") && at(row, "cheapest").get<bool>() ? "cheapest" : ""});
  if (rows.empty()) return {};
  return html_table(
      "Expected over the draws, in dollars of the start, all others as ordered. Regret: above the best moment of each "
      "draw",
      {{"all orders of"},
       {"quarters after the stated need", true},
       {"cost of the schedule", true},
       {"over on time", true},
       {"regret", true},
       {"on average"}},
      rows);
}

std::string simulated_span(const Document& run) {
  const double mean = at(run, "simulated_idle_fraction").get<double>();
  const double half = at(run, "half_width").get<double>();
  return number_span(share(std::max(0.0, mean - half)), share(std::min(1.0, mean + half)));
}

std::string knees_section(const Document& document) {
  GrowthCells rows;
  for (const Document& run : at(document, "simulated_quarters"))
    rows.push_back({whole_date(text_at(run, "date")), escaped(text_at(run, "layers")),
                    share(at(run, "expected_idle_fraction")), share(at(run, "simulated_idle_fraction")),
                    simulated_span(run)});
  if (rows.empty()) return "<p>No quarter was simulated: all figures are flow bounds.</p>";
  return html_table(
      "Quarters in which a layer of the path becomes full if nothing is bought; a full capacity is not simulated, and "
      "all others are flow "
      "bounds",
      {{"quarter that begins"},
       {"layers"},
       {"idle by busy shares", true},
       {"idle simulated", true},
       {"95 % interval", true}},
      rows);
}

}  // namespace

std::string growth_page(const Document& document, const PageFacts& facts) {
  Page page;
  page.title = facts.title.empty() ? text_at(document, "title") : facts.title;
  page.head = growth_head(document) + command_block(facts.command);
  page.sections = {{"dates", "When what is full", dates_section(document)},
                   {"orders", "What to order when", orders_section(document)},
                   {"courses", "Demand over what there is, by quarter", charts_section(document)},
                   {"bought", "With what is bought", as_bought_section(document)},
                   {"regret", "Buying early or late", regret_section(document)},
                   {"simulated", "Simulated quarters", knees_section(document)}};
  return html_page(page);
}

}  // namespace headrace::reports
