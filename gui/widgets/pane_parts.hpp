// What several panes share: tables of texts, wrapped labels with a name, and the bar that starts, stops and follows a
// task.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "gui/presenter/background_task.hpp"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace headrace::gui {

QLabel* make_label(QWidget* parent, const char* accessible);

QTableWidget* make_table(QWidget* parent, const char* accessible);
/// In smaller letters, for many columns.
QTableWidget* make_small_table(QWidget* parent, const char* accessible);
/// A click on a head sorts, a second one in the other direction, a third one puts the rows back.
void fill_table(QTableWidget& table, const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows);

/// Which of the rows that the table was filled with stands there; -1: none.
int filled_row(const QTableWidget& table, int row);

/// As high as its rows, so that what is around it scrolls and not the table in it.
void fit_height(QTableWidget& table);

/// Gives a pane a column in which everything scrolls, below what is inserted before it; returns the column inside.
QVBoxLayout* scrolled(QWidget* pane);

class TaskBar : public QWidget {
  Q_OBJECT

 public:
  /// What Stop does: the work is dropped, or ends early with what it has.
  enum class Stop { drops, keeps };
  TaskBar(const QString& start_text, BackgroundTask& task, QWidget* parent = nullptr, Stop stop = Stop::drops);
  QPushButton* start_button() const { return start_; }
  QPushButton* stop_button() const { return stop_; }

 Q_SIGNALS:
  void start_wanted();

 private:
  void show_running(bool running, const QString& text);

  QPushButton* start_;
  QPushButton* stop_;
  QProgressBar* progress_;
  QLabel* text_;
};

}  // namespace headrace::gui
