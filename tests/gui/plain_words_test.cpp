// What a first reader of the window must not read twice: whose figure it is, what two figures of one name are, what
// stands in the place of a figure that is not there.
#include <QCategoryAxis>
#include <QChart>
#include <QComboBox>
#include <QLabel>
#include <QTableWidget>
#include <algorithm>
#include <memory>
#include <set>

#include "gui/presenter/banner.hpp"
#include "gui/presenter/campaign_run.hpp"
#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/difference_steps.hpp"
#include "gui/presenter/growth_run.hpp"
#include "gui/presenter/kept_run.hpp"
#include "gui/presenter/offers_run.hpp"
#include "gui/presenter/parameter_sheet.hpp"
#include "gui/presenter/parameter_tree.hpp"
#include "gui/presenter/short_name.hpp"
#include "gui/widgets/chart.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/decision_panes.hpp"
#include "gui/widgets/evidence_badge.hpp"
#include "gui/widgets/growth_pane.hpp"
#include "gui/widgets/heat_view.hpp"
#include "gui/widgets/letters.hpp"
#include "gui/widgets/linked_maps.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/path_picture.hpp"
#include "gui/widgets/slider_row.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "reports/figure_table.hpp"
#include "tests/catch.hpp"
#include "tests/gui/application.hpp"
#include "tests/gui/opened.hpp"
#include "tests/gui/opened_document.hpp"

namespace headrace::gui {
namespace {

using testing::kWorkers;
using testing::Opened;
using testing::wait_until;

const MetricRow* row_named(const Dashboard& board, const std::string& name) {
  const auto found =
      std::find_if(board.metrics.begin(), board.metrics.end(), [&](const MetricRow& row) { return row.name == name; });
  return found == board.metrics.end() ? nullptr : &*found;
}

bool has_label(const QWidget& in, const QString& words) {
  const auto labels = in.findChildren<QLabel*>();
  return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) { return label->text().contains(words); });
}

TEST_CASE("each of several jobs has its own step in figures, cards and steps between runs, and none has their mean") {
  const ScenarioDocument document = opened("shared-store");
  const models::Outcome outcome = *closed_form(document).outcome;
  REQUIRE(reports::has_several_jobs(outcome));
  const Dashboard board = dashboard(outcome, &outcome);
  for (const models::JobReport& job : outcome.jobs) {
    INFO(job.name);
    const MetricRow* step = row_named(board, job.name + ": step time");
    REQUIRE(step != nullptr);
    CHECK(step->change == "0 %");  // against the same job of the baseline
    CHECK(row_named(board, job.name + ": epoch time") != nullptr);
    const Parts parts = parts_of(outcome, Total::step_time, job.name);
    CHECK(parts.total == models::mean_in(job.metrics, "step_time_s"));
    double sum = 0.0;
    for (const Share& part : parts.parts) sum += part.value;
    CHECK(sum == Approx(parts.total));
  }
  CHECK(parts_of(outcome, Total::step_time, "no such job").parts.empty());
  CHECK(row_named(board, "all GPUs: GPU idle time") != nullptr);
  for (const char* mixed : {"step time", "samples per second", "epoch time", "GPU idle time"})
    CHECK(row_named(board, mixed) == nullptr);
  const RunCardText card = run_card({document, outcome, 1}, true, document);
  CHECK(std::none_of(card.figures.begin(), card.figures.end(),
                     [](const auto& figure) { return figure.first == "step time"; }));
  CHECK(std::any_of(card.figures.begin(), card.figures.end(),
                    [&](const auto& figure) { return figure.first == outcome.jobs.front().name + ": step time"; }));
}

TEST_CASE("the banner says of several jobs how well the step of each is known, and which one queues") {
  models::Outcome run;
  run.steps = 100;
  run.metrics.push_back({"step_time_s", 2.0, models::Interval{1.99, 2.01}, {}, models::AnswerKind::simulated});
  for (const auto& [name, half] : {std::pair{"a", 0.01}, {"b", 0.1}}) {
    models::JobReport job;
    job.name = name;
    job.gpus = 8;
    job.metrics.push_back(
        {"step_time_s", 1.0, models::Interval{1.0 - half, 1.0 + half}, {}, models::AnswerKind::simulated});
    run.jobs.push_back(std::move(job));
  }
  CHECK(dashboard(run, nullptr).how_sure == "simulated, 100 steps, each step time known to 10.0 % at 95 %");
  models::Outcome bound = run;
  CHECK(disagreement(bound, run).empty());
  bound.jobs[1].metrics[0] = {"step_time_s", 0.5, {}, {}, models::AnswerKind::bound};
  CHECK(disagreement(bound, run).find("of job 'b'") != std::string::npos);
}

TEST_CASE("where a run is too short, the window names its key and no flag of the command line") {
  models::Outcome run;
  run.verdict = models::Verdict::inconclusive;
  run.stopped_by = "max_steps";
  run.steps = 64;
  run.metrics.push_back({"step_time_s", 1.0, models::Interval{0.9, 1.1}, {}, models::AnswerKind::simulated});
  run.metrics.push_back({"gpu_idle_fraction", 0.01, models::Interval{0.0, 0.02}, {}, models::AnswerKind::simulated});
  run.warnings.push_back({"no interval", "", "run longer: --steps, --max-wall, --precision"});
  run.warnings.push_back({"not enough data; run longer (--steps, --max-wall) or reduce the noise", "", ""});
  const Banner banner = banner_of(run, Phase::answer, nullptr, false);
  INFO(banner.meaning);
  CHECK(banner.meaning.find("Run it longer (Shift+F5).") != std::string::npos);
  CHECK(banner.meaning.find("--") == std::string::npos);
  REQUIRE(banner.warnings.size() == 2);
  CHECK(banner.warnings[0] == "no interval; run longer (Shift+F5)");
  CHECK(banner.warnings[1] == "not enough data; run longer (Shift+F5) or reduce the noise");
}

TEST_CASE("the headline of the window names a parameter by its words") {
  models::Outcome run;
  run.verdict = models::Verdict::fed;
  run.metrics.push_back({"gpu_idle_fraction", 0.0, {}, {}, models::AnswerKind::simulated});
  run.evidence.assumed =
      "open over the data-sheet range of /cluster/pools/0/host/contention/kappa, 0.0021 to 0.017 at 5 GB/s";
  const Banner banner = banner_of(run, Phase::answer, nullptr, false);
  const std::string& verdict = banner.verdict;
  INFO(verdict);
  CHECK(banner.mood == Dashboard::Mood::unsure);  // that it holds at the scenario's values alone is no green light
  CHECK(verdict.find("range of contention kappa, 0.0021 to 0.017 at 5 GB/s") != std::string::npos);
}

TEST_CASE("curves and maps of several jobs are of the job whose workers they vary") {
  Opened opened("shared-store");
  MainWindow& window = *opened.window;
  window.study().stop();
  const Chart* rates = window.chart("Throughput over workers");
  REQUIRE(wait_until([&] { return !rates->csv().isEmpty(); }, 120000));
  CHECK(rates->csv().section("\r\n", 0, 0).contains("images-128-gpus: samples"));
  window.pin_baseline();
  REQUIRE(window.set_value("/stores/0/bandwidth", "50 GB/s", 0));
  REQUIRE(window.show_pane("compare"));
  QCoreApplication::processEvents();
  ComparePane& pane = window.compare_pane();
  CHECK(pane.total()->itemText(0) == "step time of images-128-gpus");
  CHECK(pane.total()->itemText(pane.total()->count() - 1) == "cost of an epoch");
  for (const QTableWidget* table : pane.findChildren<QTableWidget*>())
    if (table->accessibleName() == "Saved runs")
      for (int row = 0; row < table->rowCount(); ++row) CHECK(table->item(row, 0)->text() != "step time");
}

TEST_CASE("a comparison says of which pair of runs its differences are, and its chart from which run to which") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(wait_until([&] { return window.outcome() != nullptr; }));
  window.pin_baseline();
  REQUIRE(window.set_value(kWorkers, "4", 0));
  window.study().stop();
  ComparePane& pane = window.compare_pane();
  CHECK(pane.chart()->title() == "From run 1 to now: step time");
  CompareWish wish;
  wish.steps = 512;
  pane.set_wish(wish);
  REQUIRE(window.show_pane("compare"));
  pane.start();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  CHECK(pane.deltas().basis == "Of a pair of runs of 512 steps with the same random numbers: not those of the cards.");
  CHECK(has_label(pane, QString::fromStdString(pane.deltas().basis)));
}

TEST_CASE("the two goodputs of a campaign have names, and the pane says why they differ", "[long_1]") {
  CampaignWish wish;
  wish.replications = 4;
  const CampaignAnswer answer =
      run_campaign_of(opened("llm-pretraining-90-days"), wish, {}, [](double, const std::string&) {});
  REQUIRE(answer.error.empty());
  std::set<std::string> names;
  for (const auto& row : answer.figures) names.insert(row.front());
  CHECK(names.count("goodput of the campaign") == 1);
  CHECK(names.count("goodput of steady work") == 1);
  CHECK(names.count("goodput") == 0);
  CHECK(answer.headline.find("goodput of the campaign") != std::string::npos);
  CHECK(answer.basis.find("steady work: goodput 95.54 %") != std::string::npos);
}

scenarios::Contender contender(std::uint64_t rank, const char* name, double usd, double capital_usd) {
  scenarios::Contender one;
  one.rank = rank;
  one.name = name;
  one.usd_expected = one.usd_low = one.usd_high = one.usd_as_claimed = usd;
  one.capital_usd = capital_usd;
  one.answer.horizon_years = 3.0;
  return one;
}

TEST_CASE("no cell of a price is empty, doing nothing has one cost, and the window names its own choice of draws") {
  scenarios::Bakeoff bakeoff;
  bakeoff.draws = 8;
  bakeoff.contenders = {contender(1, "Managed", 3.4, 0.0), contender(2, "Bought", 3.5, 1.05e6),
                        contender(3, "doing nothing", 5.0, 0.0)};
  bakeoff.contenders[0].gain = models::GainOverNothing{};
  bakeoff.contenders[0].gain->gained_usd = 5.2e6;
  bakeoff.contenders[1].more_than_first_low_usd = -0.1;
  bakeoff.contenders[1].more_than_first_high_usd = 0.3;
  bakeoff.contenders[0].answer.cash_flow.emplace_back();
  bakeoff.contenders[0].answer.cash_flow.back().storage = 1.41e6;
  bakeoff.contenders[2].nothing = true;
  const OffersAnswer answer = shown(bakeoff);
  const auto column = [&](const char* head) {
    return static_cast<std::size_t>(std::find(answer.header.begin(), answer.header.end(), head) -
                                    answer.header.begin());
  };
  REQUIRE(column("wins below") < answer.header.size());
  for (const auto& row : answer.rows)
    for (const char* head : {"price", "wins below"}) CHECK(!row[column(head)].empty());
  CHECK(answer.rows[0][column("price")] == "$1.41 M by use");
  CHECK(answer.rows[1][column("price")] == "$1.05 M");
  CHECK(answer.headline.find("--") == std::string::npos);
  CHECK(answer.headline.find("(choose 32 draws)") != std::string::npos);
  CHECK(answer.headline.find("Doing nothing costs") == std::string::npos);
  CHECK(answer.basis.find("one steady epoch") != std::string::npos);
}

TEST_CASE("the input that a step computes is not called as the figure that the step takes") {
  const ScenarioDocument document = opened("image-node");
  const std::string pointer = "/jobs/0/step/step_time";
  CHECK(place_name(document, pointer) == "compute time");
  CHECK(short_name(pointer) == "compute time");
  CHECK(place_name(opened("shared-store"), pointer) == "job 'images-128-gpus': compute time");
  testing::application();
  ParameterTree tree;
  tree.show(parameter_sheet(document));
  CHECK(tree.index_of(pointer).data().toString() == "compute time");
}

TEST_CASE("what is stated without evidence is assumed where it is drawn, else decided, by the same mark everywhere") {
  for (const char* scenario : {"image-node", "shared-store", "llm-pretraining-90-days", "growing-fleet"}) {
    const ScenarioDocument document = opened(scenario);
    for (const ParameterValue& value : parameter_sheet(document)) {
      INFO(scenario << " " << value.pointer);
      CHECK(value.evidence != "stated");
      if (value.pointer == "/title" || value.pointer.ends_with("/name")) CHECK(value.evidence.empty());
      if (value.pointer.ends_with("/loader/workers") || value.pointer.ends_with("/nodes"))
        CHECK((value.evidence == "decided" || value.evidence == "assumed"));
    }
  }
  CHECK(evidence_text("decided") == "decided");
  CHECK(evidence_text("assumed") == QString::fromUtf8("\xE2\x97\x8B assumed"));
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  REQUIRE(window.row(kWorkers) != nullptr);
  CHECK(has_label(*window.row(kWorkers), "decided"));
  CHECK(!has_label(*window.row(kWorkers), evidence_mark("assumed")));
  CHECK(has_label(*window.row("/stores/0/bandwidth"), evidence_text("assumed")));
}

TEST_CASE("an axis can have dates, which its figures and its crosshair have too") {
  testing::application();
  Chart chart("Demand");
  LineChart lines;
  lines.x_title = "first day of the quarter";
  lines.y_title = "demand over capacity, %";
  for (const char* date : {"2026-10-01", "2027-01-01", "2027-04-01", "2027-07-01", "2027-10-01", "2028-01-01"})
    lines.x_names.emplace_back(date);
  lines.lines.push_back({"store", {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}, {10.0, 20.0, 30.0, 40.0, 50.0, 60.0}, false});
  chart.resize(560, 260);
  chart.show();
  chart.show_lines(lines);
  auto* axis = qobject_cast<QCategoryAxis*>(chart.frame()->axes(Qt::Horizontal).first());
  REQUIRE(axis != nullptr);
  CHECK(axis->categoriesLabels() == QStringList{"2026-10-01", "2027-04-01", "2027-10-01"});
  CHECK(chart.csv().contains("2027-01-01,20,store"));
  REQUIRE(chart.readings().size() == 6);
  CHECK(chart.readings()[1].lines.join('|').contains("2027-01-01"));
  chart.show_lines(lines);  // the frame stays
  CHECK(chart.frame()->axes(Qt::Horizontal).first() == axis);
}

TEST_CASE("a quarter is named by its first day, and a date after the forecast once") {
  scenarios::GrowthAnswer answer;
  answer.dates = {"2026-10-01", "2027-01-01"};
  scenarios::LayerForecast layer;
  layer.course.resize(2);
  answer.layers.push_back(std::move(layer));
  answer.waiting_gpus.resize(2);
  const GrowthQuarter view = growth_at(answer, 1);
  CHECK(view.summary.starts_with("Quarter from 2027-01-01: "));
  CHECK(view.summary.find("\"later\" is after 2027-01-01") != std::string::npos);
  REQUIRE(view.layers.size() == 1);
  CHECK(view.layers[0][4] == "later");
}

TEST_CASE("a map of a sweep frames the scenario as it is, and says what is framed") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  SweepPane& pane = window.sweep_pane();
  REQUIRE(window.show_pane("sweep"));
  pane.set_level(scenarios::AnswerLevel::bound);
  pane.set_axis(0, kWorkers, "4, 7, 8");
  pane.set_axis(1, "/stores/0/bandwidth", "20 GB/s, 40 GB/s");
  pane.start();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  const HeatMap& map = pane.chart()->findChild<HeatView*>()->map();
  CHECK(map.now_x == std::optional<std::size_t>(1));
  CHECK(map.now_y == std::optional<std::size_t>(1));
  CHECK(map.framed == "the scenario now");
  pane.set_axis(0, kWorkers, "4, 8");
  pane.start();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  CHECK(!pane.chart()->findChild<HeatView*>()->map().now_x);  // no point is the scenario
}

TEST_CASE("lengths follow the letters, and are never less than with usual ones") {
  testing::application();
  const auto of_pixels = [](int pixels) {
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    return font;
  };
  CHECK(by_letters(of_pixels(12), 100.0) == 100.0);
  CHECK(by_letters(of_pixels(8), 100.0) == 100.0);
  CHECK(by_letters(of_pixels(18), 100.0) == 150.0);
  CHECK(whole_by_letters(of_pixels(20), 101.0) == 168);
  QFont before = QApplication::font();
  QApplication::setFont(of_pixels(24));
  const Chart large("Demand");
  QApplication::setFont(before);
  CHECK(large.minimumHeight() > Chart("Demand").minimumHeight());
}

TEST_CASE("the title of a chart is whole where the chart is small") {
  testing::application();
  const QString title = "Mean step time of the jobs with each figure at its ends (the axis begins at 100 ms)";
  Chart chart(title);
  chart.resize(260, 240);
  chart.show();
  chart.show_bars({{"one", 1.0, "1"}}, "ms", false);
  QCoreApplication::processEvents();
  const auto labels = chart.findChildren<QLabel*>();
  const auto head =
      std::find_if(labels.begin(), labels.end(), [&](const QLabel* label) { return label->text() == title; });
  REQUIRE(head != labels.end());
  REQUIRE(wait_until([&] { return (*head)->width() <= 260 && (*head)->height() > 0; }, 2000));
  CHECK((*head)->wordWrap());
  CHECK((*head)->heightForWidth((*head)->width()) <= (*head)->height());
}

TEST_CASE("the window explains its data path, and nothing of the explanation is cut in a small window") {
  for (const char* scenario : {"image-node", "shared-store"}) {
    Opened opened(scenario);
    opened.window->study().stop();
    opened.window->resize(1280, 720);
    QCoreApplication::processEvents();
    const PathPicture& picture = opened.window->path_picture();
    CHECK(picture.legend().contains("%: time in use"));
    CHECK(picture.shows_legend());
  }
}

}  // namespace
}  // namespace headrace::gui
