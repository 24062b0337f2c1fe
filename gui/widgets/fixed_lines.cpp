#include "gui/widgets/fixed_lines.hpp"

#include <QPainter>
#include <QTextLayout>
#include <QTextLine>

namespace headrace::gui {
namespace {

constexpr QChar kCut(0x2026);

/// Behind a whole sentence where one ends in the line, else between words: half a sentence may hide what a number is
/// of.
QString cut_to_width(const QString& text, const QFontMetrics& metrics, int width) {
  constexpr qsizetype kShortest = 4;  // of a sentence: "1. " is the number of a list
  if (metrics.horizontalAdvance(text) <= width) return text;
  for (qsizetype end = text.lastIndexOf(". "); end > kShortest; end = text.lastIndexOf(". ", end - 1)) {
    const QString whole = text.left(end + 2) + kCut;
    if (metrics.horizontalAdvance(whole) <= width) return whole;
  }
  for (qsizetype end = text.lastIndexOf(' '); end > 0; end = text.lastIndexOf(' ', end - 1)) {
    const QString shorter = text.left(end) + ' ' + kCut;
    if (metrics.horizontalAdvance(shorter) <= width) return shorter;
  }
  return metrics.elidedText(text, Qt::ElideRight, width);
}

}  // namespace

FixedLines::FixedLines(int lines, const QString& accessible, QWidget* parent) : QLabel(parent), lines_(lines) {
  setAccessibleName(accessible);
  setObjectName(accessible);
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void FixedLines::show_text(const QString& text, const QString& detail) {
  setText(text);
  setToolTip(detail.isEmpty() ? text : text + "\n" + detail);
  update();
}

void FixedLines::set_lines(int lines) {
  if (lines == lines_) return;
  lines_ = lines;
  updateGeometry();
  update();
}

int FixedLines::needed_lines(int width) const {
  int lines = 0;
  QTextLayout layout(text(), font());
  layout.beginLayout();
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(width);
    ++lines;
  }
  layout.endLayout();
  return lines;
}

QSize FixedLines::sizeHint() const { return {200, lines_ * QFontMetrics(font()).lineSpacing() + 2}; }

QStringList FixedLines::written() const {
  const QFontMetrics metrics(font());
  QStringList lines;
  QTextLayout layout(text(), font());
  layout.beginLayout();
  while (lines.size() < lines_) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(width());
    const QString rest = text().mid(line.textStart());
    const bool last = lines.size() + 1 == lines_;
    lines.append(last ? cut_to_width(rest, metrics, width()) : rest.left(line.textLength()).trimmed());
  }
  layout.endLayout();
  return lines;
}

bool FixedLines::is_cut() const {
  const QStringList lines = written();
  return !lines.isEmpty() && lines.back().endsWith(kCut);
}

void FixedLines::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::WindowText));
  const QFontMetrics metrics(font());
  int top = 1;
  for (const QString& line : written()) {
    painter.drawText(QPointF(0.0, top + metrics.ascent()), line);
    top += metrics.lineSpacing();
  }
}

}  // namespace headrace::gui
