// Decisions in the window: offers side by side, growth by quarter, the hours that a campaign loses, memo and tender.
// All of them say what the program says.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTableWidget>
#include <QTest>
#include <QUrl>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "gui/widgets/campaign_pane.hpp"
#include "gui/widgets/decision_panes.hpp"
#include "gui/widgets/growth_pane.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/offers_pane.hpp"
#include "gui/widgets/page_file.hpp"
#include "gui/widgets/plan_pane.hpp"
#include "reports/humane.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"
#include "tests/golden.hpp"
#include "tests/gui/application.hpp"
#include "tests/gui/opened.hpp"

namespace headrace::gui {
namespace {

using testing::Folder;
using testing::Opened;
using testing::wait_until;

bool finished(BackgroundTask& task) {
  return wait_until([&task] { return !task.is_running(); }, 120000);
}

std::string cell(const QTableWidget& table, int row, int column) {
  return table.item(row, column)->text().toStdString();
}

/// Pages that were shown, instead of the browser.
struct Viewed {
  Viewed() {
    set_page_viewer([this](const QUrl& page) { pages.push_back(page.toLocalFile().toStdString()); });
  }
  ~Viewed() {
    set_page_viewer([](const QUrl&) {});
  }
  std::vector<std::string> pages;
};

TEST_CASE("offers are ranked side by side as the program ranks them, and the memo is its page", "[long_4]") {
  Opened opened("vision-cluster-offers");
  MainWindow& window = *opened.window;
  window.study().stop();
  REQUIRE(window.show_pane("offers"));
  OffersPane& pane = window.decisions().offers();
  CHECK(pane.wish().offers == std::vector<std::string>{"offer-a", "offer-b", "offer-c"});
  pane.set_offers({"offer-a", "offer-b"});
  pane.set_draws(8);
  const Folder folder;
  CHECK(!pane.write_memo_to(QString::fromStdString(folder.path("none.html"))));  // nothing is ranked yet
  pane.start();
  REQUIRE(finished(pane.task()));
  INFO(pane.answer().error);
  const auto program = testing::run("bakeoff vision-cluster-offers --offers offer-a offer-b --draws 8 --json");
  REQUIRE(program.status == 0);
  CHECK(pane.answer().json == program.out);
  const auto document = nlohmann::json::parse(program.out);
  const auto* table = pane.findChild<QTableWidget*>();
  REQUIRE(table != nullptr);
  REQUIRE(table->columnCount() == 4);  // figures, two offers, and doing nothing
  CHECK(cell(*table, 0, 0) == "$ per useful GPU h");
  for (int row = 0; row < 3; ++row) {
    const auto& contender = document["contenders"][static_cast<std::size_t>(row)];
    const std::string head = table->horizontalHeaderItem(row + 1)->text().replace('\n', ' ').toStdString();
    CHECK(head == std::to_string(row + 1) + ". " + contender["name"].get<std::string>());
    CHECK(cell(*table, 0, row + 1) == reports::humane(contender["usd_expected"].get<double>(), "USD"));
    const FloatingBar& bar = pane.answer().costs[static_cast<std::size_t>(row)];
    CHECK(bar.middle == contender["usd_expected"].get<double>());
    CHECK(bar.from == contender["usd_low"].get<double>());
    CHECK(pane.answer().best[static_cast<std::size_t>(row)].value == contender["best_probability"].get<double>());
  }
  CHECK(!pane.answer().decides.empty());
  CHECK(pane.charts()[0]->csv().contains("USD/h"));
  CHECK(pane.charts()[1]->csv().startsWith("name,%"));

  const Viewed viewed;
  const std::string memo = folder.path("memo.html");
  REQUIRE(pane.write_memo_to(QString::fromStdString(memo)));
  CHECK(viewed.pages == std::vector<std::string>{memo});
  const auto page = testing::run("report '" + folder.write("offers.json", program.out) + "' --memo");
  REQUIRE(page.status == 0);
  CHECK(testing::file_text(memo) == page.out);

  REQUIRE(window.set_value("/jobs/0/loader/workers", "11", 0));
  bool told = false;
  for (const QLabel* label : pane.findChildren<QLabel*>()) told = told || label->text().contains("rank again");
  CHECK(told);
}

TEST_CASE("the pane of offers shows the warnings of a ranking, and whose mean lies outside its range") {
  scenarios::Bakeoff bakeoff;
  bakeoff.contenders.emplace_back();
  bakeoff.contenders.back().rank = 1;
  bakeoff.contenders.back().name = "A";
  bakeoff.contenders.back().usd_low = 1.0;
  bakeoff.contenders.back().usd_high = 2.0;
  bakeoff.contenders.back().usd_expected = 3.0;
  bakeoff.warnings.push_back({"GPUs have no price", "state it"});
  const OffersAnswer answer = shown(bakeoff);
  CHECK(answer.warnings == std::vector<std::string>{"Warning: GPUs have no price; state it"});
  REQUIRE(answer.beside.size() == 1);
  CHECK(answer.beside.front().starts_with("The mean of A lies above its p10 to p90"));
}

TEST_CASE("offers that cannot be read are refused in the words of the program, and a ranking stops at once") {
  Opened opened("vision-cluster-offers");
  OffersPane& pane = opened.window->decisions().offers();
  pane.set_offers({"offer-z"});
  pane.start();
  REQUIRE(finished(pane.task()));
  CHECK(pane.answer().error.find("offer-z") != std::string::npos);
  pane.set_offers({"offer-a", "offer-b", "offer-c"});
  pane.set_draws(128);
  pane.start();
  REQUIRE(wait_until([&] { return pane.task().is_running(); }));
  wait_until([] { return false; }, 100);
  QPushButton* stop = nullptr;
  for (QPushButton* button : pane.findChildren<QPushButton*>())
    if (button->accessibleName() == "Stop: Rank the offers") stop = button;
  REQUIRE(stop != nullptr);
  QElapsedTimer clock;
  clock.start();
  stop->click();
  CHECK(clock.elapsed() < 100);
  CHECK(!pane.task().is_running());
  CHECK(pane.answer().bakeoff == nullptr);
}

TEST_CASE("a slider over the quarters shows how full each layer is then, and what is bought by then", "[long_3]") {
  Opened opened("growing-fleet");
  MainWindow& window = *opened.window;
  window.study().stop();
  REQUIRE(window.show_pane("growth"));
  GrowthPane& pane = window.decisions().growth();
  pane.set_simulate(false);
  CHECK(!pane.slider()->isEnabled());
  pane.start();
  REQUIRE(finished(pane.task()));
  INFO(pane.forecast().error);
  const auto program = testing::run("growth growing-fleet --simulate off --json");
  REQUIRE(program.status == 0);
  CHECK(pane.forecast().json == program.out);
  const auto document = nlohmann::json::parse(program.out);
  REQUIRE(pane.slider()->isEnabled());
  for (const int quarter : {0, 5, pane.slider()->maximum()}) {
    pane.slider()->setValue(quarter);
    const auto& layers = document["layers"];
    REQUIRE(pane.layers()->rowCount() == static_cast<int>(layers.size()));
    for (int row = 0; row < pane.layers()->rowCount(); ++row) {
      const auto& layer = layers[static_cast<std::size_t>(row)];
      const auto& then = layer["quarters"][static_cast<std::size_t>(quarter)];
      CHECK(cell(*pane.layers(), row, 0) == layer["layer"].get<std::string>());
      CHECK(std::abs(std::stod(cell(*pane.layers(), row, 1)) - 100.0 * then["busy_share"]["as_stated"].get<double>()) <=
            0.51);
    }
    const std::string date = layers[0]["quarters"][static_cast<std::size_t>(quarter)]["date"];
    REQUIRE(pane.orders()->rowCount() == static_cast<int>(document["buy_list"].size()));
    for (int row = 0; row < pane.orders()->rowCount(); ++row) {
      const auto& item = document["buy_list"][static_cast<std::size_t>(row)];
      const std::string state = cell(*pane.orders(), row, 0);
      INFO(date << " " << item.dump());
      if (item["arrives"].is_string() && item["arrives"].get<std::string>() <= date)
        CHECK(state == "in use");
      else
        CHECK(state == (item["order"].get<std::string>() <= date ? "ordered" : "to be ordered"));
    }
    CHECK(pane.chart()->csv().contains("store"));
  }
}

TEST_CASE("a scenario without growth says so, and says which has one") {
  Opened opened;
  GrowthPane& pane = opened.window->decisions().growth();
  pane.start();
  QString said;
  for (const QLabel* label : pane.findChildren<QLabel*>()) said += label->text() + "\n";
  CHECK(said.contains("growing-fleet has one"));
  CHECK(!said.contains("error["));  // which is how the program says it
  CHECK(!pane.slider()->isEnabled());
  const Opened growing("growing-fleet");
  for (const QLabel* label : growing.window->decisions().growth().findChildren<QLabel*>())
    CHECK(!label->text().contains("states no growth"));
}

TEST_CASE("the hours that a campaign loses stand by cause, as the program counts them", "[long_1]") {
  for (const char* scenario : {"llm-pretraining-90-days", "shared-pool-campaign"}) {
    Opened opened(scenario);
    MainWindow& window = *opened.window;
    window.study().stop();
    REQUIRE(window.show_pane("campaign"));
    CampaignPane& pane = window.decisions().campaign();
    pane.set_replications(8);
    pane.start();
    REQUIRE(finished(pane.task()));
    INFO(pane.answer().error);
    const auto program = testing::run(std::string("campaign ") + scenario + " --replications 8 --json");
    REQUIRE(program.status == 0);
    CHECK(pane.answer().json == program.out);
    const auto document = nlohmann::json::parse(program.out);
    REQUIRE(pane.answer().losses.size() <= document["losses"].size());
    REQUIRE(!pane.answer().losses.empty());
    const std::vector<Share>& bars = pane.answer().losses;
    const bool summed = bars.back().name.ends_with(" others");
    const std::size_t own = bars.size() - (summed ? 1 : 0);
    for (std::size_t i = 0; i < own; ++i)
      CHECK(bars[i].value == document["losses"][i]["gpu_hours"]["mean"].get<double>());
    double others = 0.0;
    for (std::size_t i = own; i < document["losses"].size(); ++i)
      others += document["losses"][i]["gpu_hours"]["mean"].get<double>();
    CHECK(std::abs((summed ? bars.back().value : 0.0) - others) <= 1e-9 * bars.front().value);
    CHECK(bars.size() <= 7);
    CHECK(pane.causes()->rowCount() == static_cast<int>(document["losses"].size()));
    CHECK(pane.chart()->csv().contains("GPU hours"));
  }
}

TEST_CASE("the tender of a scenario is the page that the program writes", "[long_3]") {
  Opened opened;
  REQUIRE(opened.window->apply({{"/cluster/pools/0/nodes", "1"}, {"/cluster/pools/0/gpus_per_node", "1"}}, "small"));
  opened.window->study().stop();
  OffersPane& pane = opened.window->decisions().offers();
  const Folder folder;
  const Viewed viewed;
  const std::string path = folder.path("tender.html");
  QString complaint;
  QObject::connect(&pane, &OffersPane::complained, [&](const QString& text) { complaint = text; });
  opened.window->hide();
  pane.write_tender_to(QString::fromStdString(path));
  REQUIRE(finished(pane.tender_task()));
  const auto required = testing::run(
      "plan image-node --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=1 --require --json");
  const auto page = testing::run("report '" + folder.write("required.json", required.out) + "' --rfp");
  INFO(complaint.toStdString() << page.err);
  REQUIRE(page.status == 0);
  CHECK(testing::file_text(path) == page.out);
  CHECK(viewed.pages == std::vector<std::string>{path});
}

TEST_CASE("a decision is named as its slider is, and the memo of a plan is the program's page", "[long_1]") {
  Opened opened;
  MainWindow& window = *opened.window;
  window.study().stop();
  const ScenarioDocument& document = *window.document();
  CHECK(decision_of(document, "loader workers=4,5") == "/jobs/0/loader/workers=4,5");
  CHECK(decision_of(document, "/jobs/0/loader/workers=4") == "/jobs/0/loader/workers=4");
  CHECK(decision_of(document, "nothing=4") == "nothing=4");
  PlanPane& pane = window.plan_pane();
  auto* field = pane.findChildren<QLineEdit*>().first();
  CHECK(!field->placeholderText().contains('/'));
  field->setText("loader workers=4,7");
  CHECK(plan_command(document, pane.wish()).find("--inputs") ==
        std::string::npos);  // over their ranges, as the program
  pane.findChildren<QComboBox*>().last()->setCurrentIndex(1);
  CHECK(plan_command(document, pane.wish()).ends_with(" --inputs nominal"));
  pane.start();
  REQUIRE(finished(pane.task()));
  INFO(pane.answer().error);
  REQUIRE(pane.answer().memo);
  CHECK(plan_command(document, pane.wish()).find("/jobs/0/loader/workers=4,7") != std::string::npos);
  const Folder folder;
  const auto plan = testing::run(
      "plan image-node --set /objective/minimize=cost_per_epoch --set /objective/against=none "
      "--decide /jobs/0/loader/workers=4,7 --inputs nominal --json");
  const auto memo = testing::run("report '" + folder.write("plan.json", plan.out) + "' --memo");
  INFO(memo.err);
  REQUIRE(memo.status == 0);
  CHECK(*pane.answer().memo == memo.out);
}

}  // namespace
}  // namespace headrace::gui
