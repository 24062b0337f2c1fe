// headrace bakeoff in the window: offers side by side by what a useful GPU hour costs, and the papers of the decision.
#pragma once

#include <QWidget>
#include <functional>

#include "gui/presenter/background_task.hpp"
#include "gui/presenter/decision_papers.hpp"
#include "gui/presenter/offers_run.hpp"
#include "gui/widgets/chart.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace headrace::gui {

class OffersPane : public QWidget {
  Q_OBJECT

 public:
  using Document = std::function<const ScenarioDocument*()>;
  explicit OffersPane(Document document, QWidget* parent = nullptr);

  void start();
  BackgroundTask& task() { return task_; }
  BackgroundTask& tender_task() { return tender_task_; }
  const OffersAnswer& answer() const { return answer_; }
  std::vector<Chart*> charts() const { return {costs_, best_}; }
  OffersWish wish() const;
  /// What is ranked: shipped offers by name, files by path.
  void set_offers(const QStringList& offers);
  void set_draws(std::size_t draws);
  /// Another scenario: no answer yet.
  void reset(const ScenarioDocument& document);
  /// The present one: whether the ranking is still of it.
  void show_document(const ScenarioDocument& document);
  /// The page of the ranking; false without one, or after a complaint.
  bool write_memo_to(const QString& path);
  /// What the store must deliver, found in the background and then written.
  void write_tender_to(const QString& path);

 Q_SIGNALS:
  void complained(const QString& text);

 private:
  void add_files();
  void show_answer();
  void ask_memo();
  void ask_tender();

  Document document_;
  BackgroundTask task_;
  BackgroundTask tender_task_;
  OffersAnswer answer_;
  QLineEdit* offers_;
  QComboBox* store_;
  QComboBox* draws_;
  QLabel* headline_;
  Chart* costs_;
  Chart* best_;
  QTableWidget* table_;
  QLabel* basis_;
  QLabel* decides_;
  QPushButton* memo_;
};

}  // namespace headrace::gui
