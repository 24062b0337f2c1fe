// The questions of headrace init --ask as a form, with a picture of the cluster and a first answer while it is filled
// in.
#pragma once

#include <QDialog>
#include <map>
#include <string>

#include "scenarios/document/questionnaire.hpp"

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace headrace::gui {

class ScenarioDocument;

class StartWizard : public QDialog {
  Q_OBJECT

 public:
  explicit StartWizard(QWidget* parent = nullptr);
  ~StartWizard() override;
  QLineEdit* field(const std::string& key) const;
  /// Its answers to pick from; another one can be written.
  QComboBox* choice(const std::string& key) const { return choices_.at(key); }
  /// The scenario of the answers as a file; empty while one of them cannot be read.
  const std::string& text() const { return text_; }
  /// Reads all fields, as leaving each would.
  void fill_done();
  QString first_answer() const;
  QString complaint(const std::string& key) const;
  /// What the picture shows.
  QString picture_words() const;

 private:
  void add_question(const scenarios::Question& question, QGridLayout& grid, int row);
  void check(const std::string& key);
  void draft();
  void draw(const ScenarioDocument* document);

  scenarios::Catalogue catalogue_ = scenarios::Catalogue::shipped();
  std::map<std::string, QComboBox*> choices_;
  std::map<std::string, QLabel*> complaints_;
  QLabel* picture_;
  QLabel* answer_;
  QPushButton* create_;
  std::string text_;
};

}  // namespace headrace::gui
