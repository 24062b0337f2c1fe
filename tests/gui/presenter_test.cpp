#include <QAbstractItemModelTester>
#include <nlohmann/json.hpp>

#include "gui/presenter/closed_form.hpp"
#include "gui/presenter/dashboard.hpp"
#include "gui/presenter/parameter_tree.hpp"
#include "models/answer/flow_bound.hpp"
#include "reports/slider_scale.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/units.hpp"
#include "tests/catch.hpp"
#include "tests/gui/application.hpp"
#include "tests/gui/opened_document.hpp"

namespace headrace::gui {
namespace {

const ParameterValue& at(const std::vector<ParameterValue>& sheet, const std::string& pointer) {
  const auto found =
      std::find_if(sheet.begin(), sheet.end(), [&](const ParameterValue& value) { return value.pointer == pointer; });
  REQUIRE(found != sheet.end());
  return *found;
}

TEST_CASE("every parameter of every shipped scenario has a tooltip that names it") {
  int whole = 0;
  for (const scenarios::EmbeddedText& shipped : scenarios::embedded_scenarios()) {
    const auto document = ScenarioDocument::open(std::string(shipped.name));
    if (!document) continue;  // a part of others
    ++whole;
    for (const ParameterValue& value : parameter_sheet(*document)) {
      CHECK(tooltip(value).find(value.pointer) != std::string::npos);
      CHECK(!value.origin.empty());
      if (!value.is_number() || !value.can_slide()) continue;
      const auto number = number_of(value, value.value);
      INFO(value.pointer << " is " << value.value);
      if (!number) continue;  // "auto" and its like
      const auto back = number_of(value, spelled(value, *number));
      REQUIRE(back);
      CHECK(*back == *number);
    }
  }
  CHECK(whole >= 40);
}

TEST_CASE("a slider steps in ratios where the description says so, and through every value it can show") {
  const auto sheet = parameter_sheet(opened("image-node"));
  const ParameterValue& bandwidth = at(sheet, "/stores/0/bandwidth");
  const double now = number_of(bandwidth, bandwidth.value).value();
  const reports::SliderScale scale(bandwidth, now);
  CHECK(scale.is_logarithmic());
  CHECK(scale.value_at(0) == scale.low());
  CHECK(scale.value_at(reports::SliderScale::kTicks) == scale.high());
  double last = -1.0;
  for (int tick = 0; tick <= reports::SliderScale::kTicks; ++tick) {
    CHECK(scale.value_at(tick) >= last);
    last = scale.value_at(tick);
  }
  CHECK(std::abs(scale.tick_of(scale.value_at(400)) - 400) <= 2);
  const ParameterValue& workers = at(sheet, "/jobs/0/loader/workers");
  const reports::SliderScale whole(workers, 4.0);
  CHECK(whole.value_at(333) == std::round(whole.value_at(333)));
  const reports::SliderScale wide(workers, 5000.0);
  CHECK(wide.high() == 20000.0);  // what is there today is beyond what is plausible, so that this is no end
}

TEST_CASE("the tree is a sound model, finds its parameters and asks before it changes one") {
  testing::application();
  ParameterTree tree;
  const QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::Fatal);
  tree.show(parameter_sheet(opened("image-node")));
  const QModelIndex name = tree.index_of("/jobs/0/loader/workers");
  REQUIRE(name.isValid());
  const QModelIndex value = name.siblingAtColumn(ParameterTree::kValue);
  const QString before = value.data().toString();
  QString asked;
  QObject::connect(&tree, &ParameterTree::edited,
                   [&](const QString& pointer, const QString& text) { asked = pointer + "=" + text; });
  CHECK(tree.setData(value, "12", Qt::EditRole));
  CHECK(asked == "/jobs/0/loader/workers=12");
  CHECK(value.data().toString() == before);
  CHECK(!tree.setData(value, before, Qt::EditRole));
  int changes = 0;
  QObject::connect(&tree, &ParameterTree::dataChanged, [&] { ++changes; });
  tree.show(parameter_sheet(*opened("image-node").with("/jobs/0/loader/workers", "12")));
  CHECK(changes == 1);
  CHECK(tree.index_of("/jobs/0/loader/workers").siblingAtColumn(ParameterTree::kValue).data() == "12");
  tree.show(parameter_sheet(opened("tiered-cache")));
  CHECK(!tree.index_of("/jobs/0/nothing").isValid());
}

TEST_CASE("curves are the flow bound at each value, and fall with more workers") {
  const auto document = opened("image-node");
  const auto sheet = parameter_sheet(document);
  const Curve curve = bound_curve(document, at(sheet, "/jobs/0/loader/workers"), "gpu_idle_fraction", 9);
  REQUIRE(curve.x.size() >= 5);
  for (std::size_t i = 1; i < curve.x.size(); ++i) CHECK(curve.y[i] <= curve.y[i - 1]);
  CHECK(curve.y.front() > curve.y.back());
  const auto there = document.with("/jobs/0/loader/workers", scenarios::print_number(curve.x[1]));
  REQUIRE(there);
  CHECK(closed_form(*there).outcome->find("gpu_idle_fraction")->mean == curve.y[1]);
}

TEST_CASE("the dashboard shows the outcome's own numbers, and changes against a baseline") {
  const auto document = opened("imagenet-1250-nodes");
  const models::Outcome now = models::flow_bound(document.scenario());
  const auto slower = document.with("/jobs/0/loader/workers", "3");
  REQUIRE(slower);
  const models::Outcome then = models::flow_bound(slower->scenario());
  const Dashboard board = dashboard(then, &now);
  REQUIRE(!board.metrics.empty());
  CHECK(board.metrics.front().metric == "step_time_s");
  CHECK(board.metrics.front().change.front() == '+');
  CHECK(board.mood == Dashboard::Mood::bad);
  CHECK(dashboard(now, nullptr).metrics.front().change.empty());
  for (std::size_t i = 1; i < board.stations.size(); ++i) CHECK(board.stations[i].value <= board.stations[i - 1].value);
}

TEST_CASE("a simulated step below the bound is called a fault, one far above it is called queueing") {
  models::Outcome bound;
  bound.metrics.push_back({"step_time_s", 1.0, {}, {}, models::AnswerKind::bound});
  models::Outcome run;
  run.metrics.push_back({"step_time_s", 1.0, models::Interval{0.99, 1.01}, {}, models::AnswerKind::simulated});
  CHECK(disagreement(bound, run).empty());
  run.metrics[0] = {"step_time_s", 0.9, models::Interval{0.89, 0.91}, {}, models::AnswerKind::simulated};
  CHECK(disagreement(bound, run).find("do not trust") != std::string::npos);
  run.metrics[0] = {"step_time_s", 1.5, models::Interval{1.45, 1.55}, {}, models::AnswerKind::simulated};
  CHECK(disagreement(bound, run).find("50 %") != std::string::npos);
}

}  // namespace
}  // namespace headrace::gui
