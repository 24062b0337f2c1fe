// Kept runs as cards. A click on one, or Return, makes it the baseline; its button removes it.
#pragma once

#include <QFrame>
#include <vector>

#include "gui/presenter/kept_run.hpp"

class QGridLayout;
class QPushButton;

namespace headrace::gui {

class RunCard : public QFrame {
  Q_OBJECT

 public:
  RunCard(const RunCardText& text, bool is_baseline, QWidget* parent);
  QString text() const { return text_; }
  QPushButton* remove_button() const { return remove_; }

 Q_SIGNALS:
  void chosen();
  void removed();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString text_;
  QPushButton* remove_;
};

/// As many cards beside each other as have room.
class RunCards : public QWidget {
  Q_OBJECT

 public:
  explicit RunCards(QWidget* parent = nullptr);
  /// `baseline`: -1: none.
  void show_cards(const std::vector<RunCardText>& texts, int baseline);
  const std::vector<RunCard*>& cards() const { return cards_; }

 Q_SIGNALS:
  void chosen(int run);
  void removed(int run);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  int columns() const;
  void place_cards();

  std::vector<RunCard*> cards_;
  QGridLayout* grid_;
  int placed_columns_ = 0;
};

}  // namespace headrace::gui
