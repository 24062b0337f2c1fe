// What the window claims is true while it computes: one answer at a time, that of the program, however long it takes.
#include <QChart>
#include <QPushButton>
#include <QSlider>
#include <QValueAxis>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <thread>

#include "gui/widgets/answer_banner.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/next_card.hpp"
#include "gui/widgets/slider_row.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "models/outcome/confidence.hpp"
#include "models/study/followed_study.hpp"
#include "reports/humane.hpp"
#include "reports/known_evidence.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"
#include "tests/gui/application.hpp"
#include "tests/gui/opened.hpp"
#include "tests/gui/opened_document.hpp"

namespace headrace::gui {
namespace {

using testing::Folder;
using testing::kWorkers;
using testing::Opened;
using testing::wait_until;
using Json = nlohmann::ordered_json;

constexpr const char* kBlame = "Waits of the GPUs by stage";
constexpr const char* kIdleCurve = "GPU idle over the dragged parameter";
constexpr const char* kRateCurve = "Throughput over workers";

models::StudyOptions so_many(std::uint64_t steps) {
  models::StudyOptions options;
  options.steps = steps;
  return options;
}

bool has_answer(const MainWindow& window) { return window.phase() == Phase::answer; }

/// Loaders of all pools: what a simulated step costs.
double size_of(const models::Scenario& scenario) {
  double gpus = 0.0;
  for (const models::Pool& pool : scenario.cluster.pools)
    gpus += static_cast<double>(pool.nodes) * static_cast<double>(pool.gpus_per_node);
  return gpus;
}

/// Verdict, grade and step time of every shipped scenario of at most so many GPUs, by the window's study and by the
/// command line. Returns how many were compared.
int compare_with_program(double most_gpus, const models::StudyOptions& options, const std::string& arguments,
                         int longest_ms) {
  testing::application();
  LiveStudy study;
  study.set_options(options);
  StudyAnswer answer;
  QObject::connect(&study, &LiveStudy::answered, [&](const StudyAnswer& told) { answer = told; });
  int compared = 0;
  for (const scenarios::EmbeddedText& shipped : scenarios::embedded_scenarios()) {
    const std::string name(shipped.name);
    const auto document = ScenarioDocument::open(name);
    if (!document || size_of(document->scenario()) > most_gpus) continue;
    INFO(name);
    answer = {};
    study.request(std::make_shared<const models::Scenario>(document->scenario()));
    REQUIRE(wait_until([&] { return answer.last; }, longest_ms));
    const auto program = testing::run("simulate --json " + arguments + " " + name);
    if (!answer.outcome) {
      CHECK(program.status == 2);  // both refuse it
      continue;
    }
    models::Outcome ours = *answer.outcome;
    const models::Confidence confidence = reports::add_known_evidence(ours, document->loaded());
    const Json theirs = Json::parse(program.out);
    CHECK(theirs["verdict"] == models::kVerdictNames[static_cast<std::size_t>(ours.verdict)]);
    CHECK(theirs["metrics"]["step_time_s"]["mean"] == ours.find("step_time_s")->mean);
    const auto grade = static_cast<std::size_t>(confidence.grade);
    CHECK(theirs["confidence"]["grade"] == models::kConfidenceGradeNames[grade]);
    const std::string words = reports::words(models::kConfidenceGradeNames[grade]);
    CHECK(banner_of(ours, Phase::answer, nullptr, false, confidence).confidence.find("Confidence: " + words) == 0);
    ++compared;
  }
  return compared;
}

TEST_CASE("window and program give the same verdict and confidence for the shipped scenarios of some nodes",
          "[long_4]") {
  CHECK(compare_with_program(64.0, so_many(32), "--steps 32", 60000) >= 20);
}

TEST_CASE("window and program give the same verdict for every shipped scenario, under load", "[.nightly]") {
  const std::jthread load([](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
  });
  CHECK(compare_with_program(1e9, {}, "", 3600000) >= 40);  // to the precision of the program
}

TEST_CASE("a followed study tells its looks, ends with the answer of simulate and can be run on", "[long_3]") {
  const models::Scenario scenario = opened("image-node").with("/jobs/0/loader/workers", "4")->scenario();
  models::StudyOptions options;
  options.precision = 0.0005;
  models::FollowedStudy study(scenario, options);
  std::vector<std::uint64_t> looks;
  const models::Outcome followed = study.run([&](const models::Outcome& so_far) {
    looks.push_back(so_far.steps);
    CHECK(so_far.relief.empty());
  });
  const models::Outcome plain = models::simulate(scenario, options);
  REQUIRE(followed.metrics.size() == plain.metrics.size());
  for (std::size_t i = 0; i < plain.metrics.size(); ++i) CHECK(followed.metrics[i].mean == plain.metrics[i].mean);
  CHECK(followed.steps == plain.steps);
  REQUIRE(!looks.empty());
  for (std::size_t i = 1; i < looks.size(); ++i) CHECK(looks[i] > looks[i - 1]);
  CHECK(looks.back() < followed.steps);
  CHECK(study.run_on(2 * followed.steps).steps == 2 * followed.steps);
}

TEST_CASE("a bound blames nobody: what needs the simulation waits for it, in its place") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(window.set_value(kWorkers, "2", 0));
  REQUIRE(window.phase() == Phase::bound);
  CHECK(!blame_known(*window.outcome()));
  CHECK(!window.chart(kBlame)->csv().contains("decode"));
  CHECK(!window.chart(kBlame)->accessibleDescription().contains("do not wait"));
  CHECK(window.chart(kBlame)->accessibleDescription().contains("Simulating"));
  CHECK(window.banner().confidence().startsWith("Simulating"));
  CHECK(window.next_card().steps().empty());
  REQUIRE(wait_until([&] { return has_answer(window); }));
  CHECK(blame_known(*window.outcome()));
  CHECK(window.chart(kBlame)->csv().contains("decode"));
  CHECK(window.banner().confidence().startsWith("Confidence: "));
  REQUIRE(window.set_value(kWorkers, "3", 0));  // the last answer is none of this scenario
  CHECK(window.chart(kBlame)->is_pending());
  window.study().stop();
  REQUIRE(wait_until([&] { return window.banner().confidence().startsWith("Not simulated"); }, 2000));
}

TEST_CASE("a look is shown as what is known so far, and never as the verdict") {
  models::Outcome look;
  look.verdict = models::Verdict::ingest_bound;
  look.steps = 2048;
  look.metrics.push_back({"step_time_s", 0.1, models::Interval{0.09, 0.11}, {}, models::AnswerKind::simulated});
  look.metrics.push_back({"gpu_idle_fraction", 0.3, models::Interval{0.28, 0.32}, {}, models::AnswerKind::simulated});
  const Banner so_far = banner_of(look, Phase::so_far, nullptr, true);
  CHECK(so_far.verdict.find("ingest-bound") == std::string::npos);
  CHECK(so_far.meaning.find("28.0 % to 32.0 %") != std::string::npos);
  CHECK(so_far.mood == Dashboard::Mood::unsure);
  CHECK(banner_of(look, Phase::so_far, nullptr, false).verdict.find("Stopped") == 0);
  CHECK(banner_of(look, Phase::answer, nullptr, false).verdict.find("ingest-bound") != std::string::npos);
}

TEST_CASE("no curve of another scenario is drawn under the mark of this one") {
  Opened opened;
  MainWindow& window = *opened.window;
  Chart* idle = window.chart(kIdleCurve);
  Chart* rate = window.chart(kRateCurve);
  REQUIRE(wait_until([&] { return idle->csv().contains("closed form") && rate->csv().contains("closed form"); }));
  REQUIRE(window.set_value("/stores/0/bandwidth", "3 GB/s", 0));
  for (const Chart* chart : {idle, rate}) {
    CHECK(chart->is_pending());
    CHECK(chart->csv().isEmpty());
  }
  REQUIRE(wait_until([&] { return rate->csv().contains("closed form"); }));
  const QString curve = rate->csv();
  REQUIRE(window.set_value(kWorkers, "6", 1));  // its own parameter: the curve still holds
  CHECK(!rate->is_pending());
  CHECK(rate->csv().contains("closed form"));
}

TEST_CASE("an answer that decides nothing offers a longer run, which goes on, and the better answer stays") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().set_options(so_many(32));
  REQUIRE(window.set_value(kWorkers, "5", 0));
  REQUIRE(wait_until([&] { return has_answer(window); }));
  REQUIRE(window.outcome()->verdict == models::Verdict::inconclusive);
  QPushButton* longer = window.banner().longer_button();
  REQUIRE(longer->isVisibleTo(&window));
  const std::uint64_t steps = window.outcome()->steps;
  longer->click();
  REQUIRE(wait_until([&] { return window.outcome()->steps > steps; }));
  const std::uint64_t more = window.outcome()->steps;
  int answered = 0;
  QObject::connect(&window.study(), &LiveStudy::answered, [&](const StudyAnswer& answer) {
    if (answer.last) ++answered;
  });
  window.study().request(std::make_shared<const models::Scenario>(window.document()->scenario()));
  REQUIRE(wait_until([&] { return answered == 1; }));
  CHECK(window.outcome()->steps == more);
}

/// What stands where while a slider is dragged.
struct Frame {
  QRect place;
  QRectF plot;
  const QChart* drawn;
  std::optional<View> view;
  std::vector<double> ticks;  ///< of all axes of numbers: ends, number and distance
};

std::vector<double> ticks_of(const Chart& chart) {
  std::vector<double> ticks;
  for (const QAbstractAxis* any : chart.frame()->axes())
    if (const auto* axis = qobject_cast<const QValueAxis*>(any))
      for (const double one : {axis->min(), axis->max(), static_cast<double>(axis->tickCount()), axis->tickInterval()})
        ticks.push_back(one);
  return ticks;
}

TEST_CASE("a drag moves no axis, no chart and no line of words", "[long_4]") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.resize(1280, 800);
  REQUIRE(window.apply({{kWorkers.toStdString(), "3"}, {"/prices/gpu_hour", "$2/h"}}, "few workers"));
  REQUIRE(wait_until([&] { return has_answer(window) && window.curves_are_ready(); }));
  QCoreApplication::processEvents();
  const auto frame_of = [&](const char* title) {
    const Chart* chart = window.chart(title);
    return Frame{QRect(chart->mapTo(&window, QPoint()), chart->size()), chart->plot_area(), chart->frame(),
                 chart->in_view(), ticks_of(*chart)};
  };
  const char* const titles[] = {kIdleCurve, kRateCurve,        "GPU time by state", "Utilization of each station",
                                kBlame,     "Cost of an epoch"};
  std::vector<Frame> before;
  for (const char* title : titles) before.push_back(frame_of(title));
  QSlider* slider = window.row(kWorkers)->slider();
  slider->setSliderDown(true);
  QImage axes;
  int captured = 0;
  for (int tick = 150; tick < 900; tick += 75) {
    slider->setValue(tick);
    wait_until([] { return false; }, 40);  // curves, looks and warnings come and go
    for (std::size_t i = 0; i < std::size(titles); ++i) {
      INFO(titles[i] << " at tick " << tick);
      const Frame now = frame_of(titles[i]);
      CHECK(now.place == before[i].place);
      CHECK(now.plot == before[i].plot);
      CHECK(now.drawn == before[i].drawn);
      CHECK(now.view == before[i].view);
      CHECK(now.ticks == before[i].ticks);
    }
    const Chart* chart = window.chart(kIdleCurve);
    if (chart->is_pending()) continue;
    const QImage strip =
        chart->surface()
            ->grab(QRect(0, 0, static_cast<int>(chart->plot_area().left()) - 2, chart->surface()->height()))
            .toImage();
    if (captured++ > 0) CHECK(strip == axes);  // ticks and titles to the pixel
    axes = strip;
  }
  slider->setSliderDown(false);
  CHECK(captured >= 5);
}

TEST_CASE("saving under another name keeps baseline, kept runs, undo and sweep, and Save writes there") {
  Opened opened;
  MainWindow& window = *opened.window;
  const Folder folder;
  window.study().stop();
  window.pin_baseline();
  REQUIRE(window.set_value(kWorkers, "5", 0));
  SweepPane& sweep = window.sweep_pane();
  sweep.set_level(scenarios::AnswerLevel::bound);
  sweep.set_axis(0, kWorkers, "4, 8");
  sweep.set_axis(1, "", "");
  sweep.start();
  REQUIRE(wait_until([&] { return !sweep.task().is_running(); }));
  const QString path = QString::fromStdString(folder.path("mine.json"));
  REQUIRE(window.save_to(path));
  CHECK(!window.isWindowModified());
  CHECK(window.compare_pane().baseline() != nullptr);
  CHECK(window.compare_pane().runs().size() == 1);
  CHECK(window.undo_stack().count() == 1);
  CHECK(sweep.answer().points.size() == 2);
  window.undo_stack().undo();
  CHECK(window.isWindowModified());
  window.undo_stack().redo();
  CHECK(!window.isWindowModified());
  REQUIRE(window.set_value(kWorkers, "6", 0));
  window.save();
  CHECK(!window.isWindowModified());
  const auto saved = ScenarioDocument::open(path.toStdString());
  REQUIRE(saved);
  CHECK(saved->value_at(kWorkers.toStdString()) == "6");
}

TEST_CASE("a file that extends another one is saved whole where that one is not found") {
  Opened opened;
  const Folder folder;
  static_cast<void>(folder.write("base.json", R"({"extends": "image-node", "title": "base"})"));
  const std::string own = folder.write("own.json", R"({"extends": "base.json", "title": "own"})");
  REQUIRE(opened.window->open(QString::fromStdString(own)));
  REQUIRE(opened.window->set_value(kWorkers, "5", 0));
  const Folder elsewhere;
  const std::string path = elsewhere.path("own.json");
  REQUIRE(opened.window->save_to(QString::fromStdString(path)));
  const auto saved = ScenarioDocument::open(path);
  REQUIRE(saved);
  CHECK(saved->loaded().sha256 == opened.window->document()->loaded().sha256);
}

TEST_CASE("what to do next applies with one click, and says so where nothing is worth doing") {
  Opened opened;
  MainWindow& window = *opened.window;
  REQUIRE(wait_until([&] { return has_answer(window); }));
  REQUIRE(window.outcome()->verdict == models::Verdict::fed);
  REQUIRE(wait_until([&] { return window.next_card().text(0).startsWith("Nothing worth doing"); }));
  REQUIRE(window.set_value(kWorkers, "2", 0));
  REQUIRE(wait_until([&] { return !window.next_card().steps().empty(); }));
  const NextStep first = window.next_card().steps().front();
  CHECK(window.next_card().steps().size() <= reports::kMostNextChanges);
  CHECK(first.change == "double the workers of each loader");
  CHECK(window.next_card().text(0).contains("% less time"));
  QPushButton* apply = window.next_card().apply_button(0);
  REQUIRE(apply->isVisibleTo(&window));
  apply->click();
  CHECK(opened.value(kWorkers) == "4");
  window.undo_stack().undo();
  CHECK(opened.value(kWorkers) == "2");
}

}  // namespace
}  // namespace headrace::gui
