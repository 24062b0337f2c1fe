// Words in as many lines as were agreed on: what stands below never moves. What has no room is cut between words, so
// that no number loses digits, and whole in the tooltip.
#pragma once

#include <QLabel>

namespace headrace::gui {

class FixedLines : public QLabel {
  Q_OBJECT

 public:
  FixedLines(int lines, const QString& accessible, QWidget* parent = nullptr);
  /// `detail`: for the tooltip, under the whole text.
  void show_text(const QString& text, const QString& detail = {});
  /// Takes another number of lines, and as much height.
  void set_lines(int lines);
  /// Lines that the whole text needs at this width.
  int needed_lines(int width) const;
  /// Line by line as it is drawn.
  QStringList written() const;
  /// Whether some of the text has no room.
  bool is_cut() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int lines_;
};

}  // namespace headrace::gui
