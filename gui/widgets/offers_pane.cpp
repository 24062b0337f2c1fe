#include "gui/widgets/offers_pane.hpp"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "gui/widgets/page_file.hpp"
#include "gui/widgets/pane_parts.hpp"
#include "gui/widgets/qt_text.hpp"
#include "scenarios/document/embedded_texts.hpp"

namespace headrace::gui {
namespace {

constexpr const char* kNoRanking =
    "Which offer for the store costs least per useful GPU hour? Every job runs on every offer, normal and degraded, "
    "over the ranges of claims and inputs. Press Rank the offers.";

QString shipped_offers() {
  QStringList names;
  for (const scenarios::EmbeddedText& offer : scenarios::embedded_offers()) names.append(q(offer.name));
  return names.join(", ");
}

/// A row per figure and a column per offer, headed by rank and name: so all figures fit into a small window.
std::vector<std::vector<std::string>> side_by_side(const OffersAnswer& answer) {
  constexpr std::size_t kFirstFigure = 2;
  std::vector<std::vector<std::string>> turned;
  for (std::size_t figure = kFirstFigure; figure < answer.header.size(); ++figure) {
    turned.push_back({answer.header[figure]});
    for (const std::vector<std::string>& offer : answer.rows) turned.back().push_back(offer[figure]);
  }
  return turned;
}

std::vector<std::string> heads_of(const OffersAnswer& answer) {
  std::vector<std::string> heads{""};
  for (const std::vector<std::string>& offer : answer.rows) heads.push_back(offer[0] + ". " + offer[1]);
  return heads;
}

QString list_html(const QString& head, const std::vector<std::string>& lines) {
  QString html = "<b>" + head + "</b><ul style=\"margin: 2px 0 6px -22px\">";
  for (const std::string& line : lines) html += "<li>" + q(line).toHtmlEscaped() + "</li>";
  return html + "</ul>";
}

QString decides_html(const OffersAnswer& answer) {
  if (answer.bakeoff == nullptr) return {};
  QString html = answer.decides.empty() ? QString("<p>No claim changes the cost of its offer within its range.</p>")
                                        : list_html("What decides: measure it in the proof of concept", answer.decides);
  if (!answer.beside.empty()) html += list_html("Beside the first", answer.beside);
  return html;
}

}  // namespace

OffersPane::OffersPane(Document document, QWidget* parent) : QWidget(parent), document_(std::move(document)) {
  setAccessibleName("Offers");
  offers_ = new QLineEdit(shipped_offers(), this);
  offers_->setAccessibleName("Offers to rank");
  offers_->setToolTip("Shipped offers by name, or files of offers, separated by commas");
  auto* files = new QPushButton("Add &files ...", this);
  store_ = new QComboBox(this);
  store_->setAccessibleName("Store that the offers replace");
  draws_ = new QComboBox(this);
  draws_->setAccessibleName("Points of the ranges");
  for (const int draws : {8, 16, 32, 64, 128, 256, 512}) draws_->addItem(QString("%1 draws").arg(draws), draws);
  draws_->setCurrentIndex(2);
  auto* bar = new TaskBar("Rank the offers", task_, this);
  memo_ = new QPushButton("&Memo ...", this);
  memo_->setToolTip("One page for those who pay: the question, the options, cost, risk, and what would change it");
  memo_->setEnabled(false);
  auto* copy = new QPushButton("Copy command", this);
  auto* tender = new TaskBar("Tender ...", tender_task_, this);
  tender->start_button()->setToolTip(
      "What a store must deliver for this scenario: requirements, workload, acceptance tests, scoring sheet");
  headline_ = make_label(this, "Ranking");
  QFont bold = headline_->font();
  bold.setBold(true);
  headline_->setFont(bold);
  costs_ = new Chart("Cost of a useful GPU hour", this);
  best_ = new Chart("Best in so many of the draws", this);
  table_ = make_small_table(this, "Offers by rank");
  basis_ = make_label(this, "What the costs count");
  decides_ = make_label(this, "What decides");

  auto* wishes = new QHBoxLayout;
  wishes->addWidget(offers_, 1);
  wishes->addWidget(files);
  wishes->addWidget(new QLabel("for", this));
  wishes->addWidget(store_);
  wishes->addWidget(draws_);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(bar, 1);
  buttons->addWidget(memo_);
  buttons->addWidget(copy);
  auto* across = new QHBoxLayout;
  across->addWidget(costs_, 1);
  across->addWidget(best_, 1);
  QVBoxLayout* inside = scrolled(this);
  inside->addWidget(headline_);
  inside->addWidget(basis_);
  inside->addWidget(table_);
  inside->addLayout(across);
  inside->addWidget(decides_);
  inside->addWidget(tender);
  inside->addStretch(1);
  auto* layout = static_cast<QVBoxLayout*>(this->layout());
  layout->insertLayout(0, wishes);
  layout->insertLayout(1, buttons);
  costs_->show_nothing("Nothing is ranked yet.");
  best_->show_nothing("Nothing is ranked yet.");
  headline_->setText(kNoRanking);

  connect(bar, &TaskBar::start_wanted, this, &OffersPane::start);
  connect(files, &QPushButton::clicked, this, &OffersPane::add_files);
  connect(memo_, &QPushButton::clicked, this, &OffersPane::ask_memo);
  connect(tender, &TaskBar::start_wanted, this, &OffersPane::ask_tender);
  connect(copy, &QPushButton::clicked, this, [this] {
    if (const ScenarioDocument* now = document_()) QApplication::clipboard()->setText(q(offers_command(*now, wish())));
  });
}

void OffersPane::set_offers(const QStringList& offers) { offers_->setText(offers.join(", ")); }

void OffersPane::set_draws(std::size_t draws) { draws_->setCurrentIndex(draws_->findData(static_cast<int>(draws))); }

void OffersPane::add_files() {
  const QStringList paths =
      QFileDialog::getOpenFileNames(this, "Files of offers", {}, "Offers (*.json);;All files (*)");
  if (paths.isEmpty()) return;
  const QString now = offers_->text().trimmed();
  set_offers((now.isEmpty() ? QStringList() : QStringList{now}) + paths);
}

OffersWish OffersPane::wish() const {
  OffersWish wish;
  for (const QString& offer : offers_->text().split(',', Qt::SkipEmptyParts))
    if (!offer.trimmed().isEmpty()) wish.offers.push_back(offer.trimmed().toStdString());
  wish.replaces = store_->currentData().toString().toStdString();
  wish.draws = static_cast<std::size_t>(draws_->currentData().toInt());
  return wish;
}

void OffersPane::start() {
  const ScenarioDocument* now = document_();
  if (now == nullptr) return;
  task_.start([this, document = *now, wish = wish()](const BackgroundTask::Context& context) -> std::function<void()> {
    auto answer = std::make_shared<OffersAnswer>(run_offers(document, wish, context.stop, context.tell));
    return [this, answer] {
      answer_ = std::move(*answer);
      show_answer();
    };
  });
}

void OffersPane::reset(const ScenarioDocument& document) {
  task_.stop();
  tender_task_.stop();
  answer_ = {};
  store_->clear();
  store_->addItem("the first job's store", QString());
  for (const models::Store& store : document.scenario().stores)
    if (store.is_shared()) store_->addItem(q(store.name), q(store.name));
  show_answer();
}

void OffersPane::show_document(const ScenarioDocument& document) {
  if (answer_.bakeoff == nullptr || answer_.bakeoff->scenario_sha256 == document.loaded().sha256) return;
  headline_->setText(q(answer_.headline) + " The scenario has changed since: rank again.");
}

void OffersPane::show_answer() {
  memo_->setEnabled(answer_.bakeoff != nullptr);
  fill_table(*table_, heads_of(answer_), side_by_side(answer_));
  table_->horizontalHeader()->setSectionsClickable(false);  // figures have no order but their own
  table_->horizontalHeader()->setSortIndicatorShown(false);
  fit_height(*table_);
  table_->setVisible(!answer_.rows.empty());
  for (QLabel* label : {basis_, decides_}) label->setVisible(answer_.bakeoff != nullptr);
  QStringList said;
  for (const std::string& warning : answer_.warnings) said.append(q(warning) + ".");
  basis_->setText((said << q(answer_.basis)).join("\n"));
  decides_->setText(decides_html(answer_));
  if (answer_.bakeoff == nullptr) {
    headline_->setText(answer_.error.empty() ? QString(kNoRanking) : q(answer_.error));
    costs_->show_nothing("Nothing is ranked yet.");
    best_->show_nothing("Nothing is ranked yet.");
    return;
  }
  headline_->setText(q(answer_.headline));
  for (Chart* chart : {costs_, best_}) chart->setMinimumHeight(Chart::floating_height(answer_.costs.size()));
  costs_->show_floating(answer_.costs, "USD/h", false);  // longer titles are cut beside long names
  best_->show_bars(answer_.best, "%", true);
}

bool OffersPane::write_memo_to(const QString& path) {
  if (answer_.bakeoff == nullptr) return false;
  const QString wrong = write_page(memo_html(*answer_.bakeoff), path);
  if (!wrong.isEmpty()) Q_EMIT complained(wrong);
  return wrong.isEmpty();
}

void OffersPane::ask_memo() {
  const QString path = QFileDialog::getSaveFileName(this, "Write the memo", "memo.html", "HTML (*.html)");
  if (!path.isEmpty()) write_memo_to(path);
}

void OffersPane::ask_tender() {
  const QString path = QFileDialog::getSaveFileName(this, "Write the tender", "tender.html", "HTML (*.html)");
  if (!path.isEmpty()) write_tender_to(path);
}

void OffersPane::write_tender_to(const QString& path) {
  const ScenarioDocument* now = document_();
  if (now == nullptr) return;
  tender_task_.start([this, document = *now, path](const BackgroundTask::Context& context) -> std::function<void()> {
    auto paper = std::make_shared<Paper>(tender_paper(document, context.stop, context.tell));
    return [this, paper, path] {
      const QString wrong = paper->error.empty() ? write_page(paper->html, path) : q(paper->error);
      if (!wrong.isEmpty()) Q_EMIT complained(wrong);
    };
  });
}

}  // namespace headrace::gui
