// A whole hour in the window: runs that are stopped and begun again, edits that are all undone, what is copied, limits
// of plans, lists that are filled, jobs that ran.
#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QTableWidget>
#include <QTest>
#include <QUndoView>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "gui/presenter/bundle.hpp"
#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/measured_job.hpp"
#include "gui/presenter/measured_view.hpp"
#include "gui/presenter/parameter_sheet.hpp"
#include "gui/presenter/plan_limits.hpp"
#include "gui/presenter/structure_edits.hpp"
#include "gui/presenter/swings.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/measured_pane.hpp"
#include "gui/widgets/plan_limits_dialog.hpp"
#include "gui/widgets/plan_pane.hpp"
#include "gui/widgets/sweep_pane.hpp"
#include "models/study/study.hpp"
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
using Clock = std::chrono::steady_clock;

TEST_CASE("a simulation of 10,000 GPUs stops at once, wherever it is") {
  testing::application();
  LiveStudy study;
  study.set_precision(1e-5);
  const auto scenario = std::make_shared<const models::Scenario>(opened("imagenet-1250-nodes").scenario());
  double best_s = 1e9;  // other programs may take the processor away: the quickest of the stops counts
  for (const int after_ms : {30, 250, 700}) {
    study.request(scenario);
    REQUIRE(wait_until([&] { return study.is_running(); }));
    wait_until([] { return false; }, after_ms);
    const Clock::time_point begin = Clock::now();
    study.stop();
    study.wait_until_idle();
    best_s = std::min(best_s, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  CHECK(best_s < 0.2);  // a stop that waits for the next length of the study takes seconds
}

TEST_CASE("a run may be stopped by whoever is told that it starts") {
  testing::application();
  LiveStudy study;
  const auto scenario = std::make_shared<const models::Scenario>(opened("dataloader-50ms").scenario());
  int answers = 0;
  QObject::connect(&study, &LiveStudy::answered, [&](const StudyAnswer&) { ++answers; });
  auto stopping = QObject::connect(&study, &LiveStudy::started, [&] { study.stop(); });
  bool stopped = false;
  QObject::connect(&study, &LiveStudy::stopped, [&] { stopped = true; });
  study.request(scenario);
  REQUIRE(wait_until([&] { return stopped; }));
  CHECK(!study.is_busy());
  study.wait_until_idle();
  CHECK(answers == 0);
  QObject::disconnect(stopping);
  study.request(scenario);
  CHECK(wait_until([&] { return answers > 0; }));
}

TEST_CASE("whatever was stopped before, a run gives what a fresh window gives", "[long_3]") {
  Opened fresh;
  std::shared_ptr<const models::Outcome> expected;
  QObject::connect(&fresh.window->study(), &LiveStudy::answered,
                   [&](const StudyAnswer& answer) { expected = answer.outcome; });
  REQUIRE(fresh.window->set_value(kWorkers, "4", 0));
  REQUIRE(wait_until([&] { return expected != nullptr; }));

  Opened used;
  std::shared_ptr<const models::Outcome> got;
  QObject::connect(&used.window->study(), &LiveStudy::answered,
                   [&](const StudyAnswer& answer) { got = answer.outcome; });
  std::uint32_t random = 7;
  for (int i = 0; i < 30; ++i) {
    random = random * 1664525U + 1013904223U;
    switch ((random >> 16U) % 4U) {
      case 0:
        used.window->study().stop();
        break;
      case 1:
        used.window->set_value(kWorkers, QString::number(3 + (random >> 20U) % 6U), 0);
        break;
      case 2:
        used.window->undo_stack().undo();
        break;
      default:
        wait_until([] { return false; }, static_cast<int>((random >> 20U) % 90U));
    }
  }
  used.window->study().stop();
  used.window->set_value(kWorkers, "4", 0);
  got.reset();
  used.window->study().request(std::make_shared<const models::Scenario>(used.window->document()->scenario()));
  REQUIRE(wait_until([&] { return got != nullptr; }));
  REQUIRE(got->metrics.size() == expected->metrics.size());
  for (std::size_t i = 0; i < got->metrics.size(); ++i) CHECK(got->metrics[i].mean == expected->metrics[i].mean);
}

TEST_CASE("all edits together are undone to the byte, and the history names each") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  const std::string before = window.document()->text();
  const auto* history = window.findChild<QUndoView*>();
  REQUIRE(history != nullptr);
  REQUIRE(window.set_value(kWorkers, "5", 0));
  REQUIRE(window.add_like("/stores/0"));
  REQUIRE(window.set_value("/stores/1/bandwidth", "7 GB/s", 0));
  REQUIRE(window.remove_element("/stores/1"));
  REQUIRE(window.mark_measured("/stores/0/bandwidth"));
  REQUIRE(window.add_section("/prices/resources"));
  REQUIRE(window.remove_element("/prices/resources"));
  REQUIRE(window.add_element("/background"));
  REQUIRE(window.apply({{"/slo/gpu_idle_fraction", "< 3 %"}}, "threshold"));
  CHECK(window.undo_stack().count() == 9);
  CHECK(history->model()->rowCount() == 10);  // the first one is the scenario as it was opened
  CHECK(history->model()->index(1, 0).data().toString().contains("workers"));
  while (window.undo_stack().canUndo()) window.undo_stack().undo();
  CHECK(window.document()->text() == before);
  CHECK(!window.isWindowModified());
}

TEST_CASE("the copied command line answers with the JSON that the window shares") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  REQUIRE(window.set_value(kWorkers, "5", 0));
  REQUIRE(window.set_value("/stores/0/bandwidth", "31 GB/s", 0));
  const std::string command = window.command().toStdString();
  const auto run =
      testing::run("simulate --steps 512 --json " + command.substr(std::string("headrace simulate ").size()));
  REQUIRE(!run.out.empty());
  models::StudyOptions options;
  options.steps = 512;
  const models::Outcome ours = models::simulate(window.document()->scenario(), options);
  for (const BundledFile& file : bundle_of(*window.document(), ours))
    if (file.name == "outcome.json") CHECK(file.text == run.out);
}

TEST_CASE("a layout that was changed is put back") {
  Opened opened;
  MainWindow& window = *opened.window;
  auto* dock = window.findChild<QDockWidget*>("scenario");
  auto* history = window.findChild<QDockWidget*>("history");
  REQUIRE((dock != nullptr && history != nullptr));
  CHECK(dock->isVisible());
  CHECK(!history->isVisible());
  dock->hide();
  history->show();
  window.addDockWidget(Qt::RightDockWidgetArea, dock);
  for (QAction* action : window.findChildren<QAction*>())
    if (action->text() == "Reset the layout") action->trigger();
  CHECK(dock->isVisible());
  CHECK(!history->isVisible());
  CHECK(window.dockWidgetArea(dock) == Qt::LeftDockWidgetArea);
}

TEST_CASE("a first element of an empty list is one that the scenario accepts") {
  const ScenarioDocument checkpointed = opened("llama3-405b-checkpoints");
  const std::vector<std::string> lists = open_lists(checkpointed);
  const std::string tiers = "/jobs/0/checkpoint/tiers";
  REQUIRE(std::find(lists.begin(), lists.end(), tiers) != lists.end());
  const auto edit = added_element(checkpointed, tiers);
  REQUIRE(edit);
  const auto tiered = checkpointed.with(edit->pointer, edit->value);
  if (!tiered) FAIL(print_text(tiered.error()));
  CHECK(tiered->loaded().resolved.at(Json::json_pointer(tiers)).size() == 1);
  const auto two = added_element(checkpointed, "/stores");
  REQUIRE(two);
  CHECK(Json::parse(two->value).size() == checkpointed.scenario().stores.size() + 1);
  const std::vector<std::string> plain = open_lists(opened("image-node"));
  CHECK(std::find(plain.begin(), plain.end(), tiers) == plain.end());  // there is no checkpoint to have tiers
  CHECK(!added_element(checkpointed, "/no/such/list"));
}

TEST_CASE("every part that a scenario may have can be added, and taken away again") {
  for (const char* name : {"image-node", "llama3-405b-checkpoints", "cloud-cluster"}) {
    const ScenarioDocument document = opened(name);
    const std::vector<std::string> sections = open_sections(document);
    REQUIRE(std::find(sections.begin(), sections.end(), "/prices/resources") != sections.end());
    std::size_t added = 0;
    for (const std::string& section : sections) {
      INFO(name << " " << section);
      const auto edit = first_section(document, section);
      if (!edit) continue;  // what else it needs, the scenario does not have
      ++added;
      const auto with = document.with(edit->pointer, edit->value);
      REQUIRE(with);
      CHECK(with->loaded().resolved.contains(Json::json_pointer(section)));
      const auto away = without_section(*with, section);
      REQUIRE(away);
      const auto without = with->with(away->pointer, away->value);
      REQUIRE(without);
      CHECK(without->loaded().resolved == document.loaded().resolved);
    }
    CHECK(2 * added > sections.size());
  }
  const ScenarioDocument plain = opened("image-node");
  CHECK(!first_section(plain, "/no/such/part"));
  CHECK(!without_section(plain, "/stores/0"));
  CHECK(!without_section(plain, "/fabric"));  // always there
}

TEST_CASE("limits of a plan are stated, changed and taken back outside of the tree") {
  const ScenarioDocument plain = opened("image-node");
  PlanLimits limits = plan_limits(plain);
  CHECK(limits_text(limits) == "none");
  REQUIRE(limits.limits.size() >= 6);
  CHECK(limit_edits(plain, limits).empty());
  testing::application();
  PlanLimitsDialog dialog(limits);
  REQUIRE(dialog.field("idle") != nullptr);
  dialog.field("idle")->setText("5 %");
  dialog.set_event("cold_cache", true, "slowdown", "1.5");
  const auto edits = limit_edits(plain, dialog.limits());
  CHECK(edits.size() == 2);
  const auto limited = plain.with(edits);
  if (!limited) FAIL(print_text(limited.error()));
  REQUIRE(limited->scenario().subject_to);
  CHECK(limited->scenario().subject_to->idle_fraction == 0.05);
  REQUIRE(limited->scenario().must_hold_under.size() == 1);
  CHECK(limited->scenario().must_hold_under[0].event == models::PlanEvent::cold_cache);
  CHECK(limited->scenario().must_hold_under[0].slowdown == 1.5);
  CHECK(limits_text(plan_limits(*limited)) == "idle 5 %; under cold cache: slowdown 1.5");
  PlanLimitsDialog again(plan_limits(*limited));
  CHECK(limit_edits(*limited, again.limits()).empty());
  again.field("idle")->clear();
  again.set_event("cold_cache", false, "slowdown", "1.5");
  const auto back = limited->with(limit_edits(*limited, again.limits()));
  if (!back) FAIL(print_text(back.error()));
  CHECK(!back->scenario().subject_to->idle_fraction);
  CHECK(back->scenario().must_hold_under.empty());
}

TEST_CASE("more than three parameters are swept, as points to choose from") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  SweepPane& pane = window.sweep_pane();
  pane.set_level(scenarios::AnswerLevel::bound);
  pane.set_axis(0, kWorkers, "4, 8");
  pane.set_axis(1, "/jobs/0/loader/prefetch", "2, 3");
  pane.set_axis(2, "/stores/0/bandwidth", "20 GB/s, 40 GB/s");
  pane.set_axis(3, "/cluster/pools/0/nic/bandwidth", "10 GB/s");
  CHECK(pane.wish().axes.size() == 4);
  pane.start();
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  INFO(pane.answer().error);
  REQUIRE(pane.answer().points.size() == 8);
  CHECK(pane.chart()->csv().startsWith("group,\"epoch time"));
  Q_EMIT pane.chart()->point_chosen(0);
  CHECK(opened.value("/stores/0/bandwidth") == "20 GB/s");
}

TEST_CASE("a tornado is the flow bound with one figure at its ends, the largest first") {
  const ScenarioDocument document = *opened("image-node").with("/jobs/0/loader/workers", "4");
  const auto ranges = bound_with_ranges(document);
  REQUIRE(ranges);
  const std::vector<Swing> all = swings(document, *ranges, "step_time_s");
  REQUIRE(!all.empty());
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1].size() >= all[i].size());
  const Swing& first = all.front();
  std::string pointer = first.parameter;
  for (const ParameterValue& value : parameter_sheet(document))
    if (value.is_number() && (value.pointer == pointer || value.pointer.starts_with(pointer + "/"))) {
      pointer = value.pointer;
      break;
    }
  const auto there = document.with(pointer, first.to);
  REQUIRE(there);
  const double now = closed_form(document).outcome->find("step_time_s")->mean;
  CHECK(closed_form(*there).outcome->find("step_time_s")->mean / now - 1.0 == Approx(first.at_high).margin(1e-9));
  CHECK(swings(document, models::Outcome{}, "step_time_s").empty());
  std::stop_source stopped;
  stopped.request_stop();
  CHECK(swings(document, *ranges, "step_time_s", stopped.get_token()).empty());

  Opened opened;
  REQUIRE(opened.window->set_value(kWorkers, "4", 0));
  Chart* tornado = opened.window->chart("Step time with each figure at its ends");
  REQUIRE(wait_until([&] { return !tornado->figures().rows.empty(); }));
  CHECK(tornado->figures().rows.size() == all.size());
}

std::string steps_csv(double step_s, double wait_s) {
  std::string text = "step,step_time_s,load_wait_s\n";
  for (int i = 0; i < 80; ++i)
    text += std::to_string(i) + "," + std::to_string(step_s * (1.0 + 0.001 * (i % 7 - 3))) + "," +
            std::to_string(wait_s) + "\n";
  return text;
}

TEST_CASE("a job that ran is held against the open scenario, with the answer of the command line") {
  const Folder folder;
  const std::string csv = folder.write("steps.csv", steps_csv(0.4, 0.05));
  models::StudyOptions options;
  const auto ours = held_against(opened("image-node"), csv, options);
  REQUIRE(ours);
  CHECK(testing::run("verify --measured " + csv + " --json image-node").out == *ours);
  options.steps = 512;
  const auto missing = held_against(opened("image-node"), folder.path("nowhere.csv"), options);
  REQUIRE(!missing);
  const auto bad = held_against(opened("image-node"), folder.write("bad.csv", "step,step_time_s\n1,2\n"), options);
  REQUIRE(!bad);
  CHECK(bad.error().find("load_wait_s") != std::string::npos);

  Opened opened;
  opened.window->study().stop();
  MeasuredPane& pane = opened.window->measured_pane();
  pane.set_study(options);
  pane.hold_against(QString::fromStdString(csv));
  REQUIRE(wait_until([&] { return !pane.task().is_running(); }));
  CHECK(pane.chart()->figures().rows.size() == 1);
  CHECK(pane.headline().contains("1 point:"));
}

TEST_CASE("the baseline lies dashed beside the curve, and runs that were kept stand side by side") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.pin_baseline();
  REQUIRE(window.set_value("/stores/0/bandwidth", "20 GB/s", 0));
  Chart* chart = window.chart("GPU idle over the dragged parameter");
  CHECK(wait_until([&] { return chart->csv().contains("closed form of the baseline"); }));
  window.pin_baseline();
  QTableWidget* runs = nullptr;
  for (QTableWidget* table : window.compare_pane().findChildren<QTableWidget*>())
    if (table->accessibleName() == "Saved runs") runs = table;
  REQUIRE(runs != nullptr);
  REQUIRE(runs->columnCount() == 3);
  CHECK(runs->item(0, 1)->text() == "as it was opened");
  CHECK(runs->item(0, 2)->text().contains("20 GB/s"));
  Q_EMIT runs->cellActivated(2, 1);
  CHECK(opened.value("/stores/0/bandwidth") == "40 GB/s");
}

TEST_CASE("the status bar tells how the figure under the mouse comes about") {
  Opened opened;
  const auto* table = opened.window->findChild<QTableWidget*>("figures-table");
  REQUIRE(table != nullptr);
  CHECK(table->hasMouseTracking());
  for (int row = 0; row < table->rowCount(); ++row) CHECK(table->item(row, 0)->statusTip().contains('='));
}

}  // namespace

TEST_CASE("a tornado knows figures that are shares, too") {
  const ScenarioDocument document = opened("llama3-405b-checkpoints");
  const auto ranges = bound_with_ranges(document);
  REQUIRE(ranges);
  const std::vector<Swing> all = swings(document, *ranges, "step_time_s");
  const auto mfu = std::find_if(all.begin(), all.end(),
                                [](const Swing& one) { return one.parameter == "/jobs/0/step/arithmetic/mfu"; });
  REQUIRE(mfu != all.end());
  CHECK(mfu->at_low == Approx(0.298).margin(0.01));  // 31.1 % in place of 40.4 %
  CHECK(mfu->at_high == Approx(-0.199).margin(0.01));
}
}  // namespace headrace::gui
