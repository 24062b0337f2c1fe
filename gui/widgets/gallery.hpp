// The scenarios that ship, each with a picture of its cluster and with what it shows.
#pragma once

#include <QDialog>
#include <QString>

class QLineEdit;
class QListWidget;
class QPushButton;

namespace headrace::gui {

class Gallery : public QDialog {
  Q_OBJECT

 public:
  explicit Gallery(QWidget* parent = nullptr);

  /// Of the scenario that is chosen; empty: none of those that the search leaves.
  QString chosen() const;
  QLineEdit* search_field() const { return search_; }
  QListWidget* list() const { return list_; }

 private:
  void search(const QString& text);

  QLineEdit* search_;
  QListWidget* list_;
  QPushButton* open_;
};

/// Name of the chosen scenario; empty: none.
QString choose_shipped(QWidget* parent);

}  // namespace headrace::gui
