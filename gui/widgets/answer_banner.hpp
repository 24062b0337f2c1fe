// The first thing to read: verdict, meaning, confidence, and in a place of their own the warnings.
#pragma once

#include <QWidget>

#include "gui/presenter/banner.hpp"
#include "gui/widgets/theme.hpp"

class QPushButton;
class QToolButton;

namespace headrace::gui {

class FixedLines;

class AnswerBanner : public QWidget {
  Q_OBJECT

 public:
  explicit AnswerBanner(QWidget* parent = nullptr);

  /// `longer`: whether to offer a longer run.
  void show_banner(const Banner& banner, bool longer);
  /// Empty: the scenario has no thresholds.
  void show_thresholds(const QString& text);
  void set_theme(const Theme& theme);
  QString verdict() const;
  QString confidence() const;
  QString warnings() const { return warnings_.join('\n'); }
  QPushButton* longer_button() const { return longer_; }

 Q_SIGNALS:
  void longer_wanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void read_all();
  QStringList everything() const;
  /// What the verdict does not need of their common height goes to the meaning.
  void share_lines();

  QWidget* answer_;  ///< verdict and meaning: as high as both with all of their lines
  FixedLines* verdict_;
  FixedLines* meaning_;
  FixedLines* confidence_;
  FixedLines* warning_;
  FixedLines* thresholds_;
  QPushButton* longer_;
  QToolButton* read_;
  QStringList warnings_;
  Dashboard::Mood mood_ = Dashboard::Mood::unsure;
  Theme theme_ = Theme::of(false);
};

}  // namespace headrace::gui
