// The questions of headrace init --ask as a form, with a first answer while it is filled in.
#pragma once

#include <QDialog>
#include <map>
#include <string>

#include "scenarios/document/questionnaire.hpp"

class QLabel;
class QLineEdit;
class QPushButton;

namespace headrace::gui {

class StartWizard : public QDialog {
  Q_OBJECT

 public:
  explicit StartWizard(QWidget* parent = nullptr);
  QLineEdit* field(const std::string& key) const { return fields_.at(key); }
  /// The scenario of the answers as a file; empty while one of them cannot be read.
  const std::string& text() const { return text_; }
  /// Reads all fields, as leaving each would.
  void fill_done();
  QString first_answer() const;
  QString complaint(const std::string& key) const;

 private:
  void check(const std::string& key);
  void draft();

  scenarios::Catalogue catalogue_ = scenarios::Catalogue::shipped();
  std::map<std::string, QLineEdit*> fields_;
  std::map<std::string, QLabel*> complaints_;
  QLabel* answer_;
  QPushButton* create_;
  std::string text_;
};

}  // namespace headrace::gui
