#include "gui/widgets/fixed_lines.hpp"

#include <QPainter>
#include <QTextLayout>
#include <QTextLine>

namespace headrace::gui {

FixedLines::FixedLines(int lines, const QString& accessible, QWidget* parent) : QLabel(parent), lines_(lines) {
  setAccessibleName(accessible);
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void FixedLines::show_text(const QString& text, const QString& detail) {
  setText(text);
  setToolTip(detail.isEmpty() ? text : text + "\n" + detail);
  update();
}

QSize FixedLines::sizeHint() const { return {200, lines_ * QFontMetrics(font()).lineSpacing() + 2}; }

void FixedLines::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::WindowText));
  const QFontMetrics metrics(font());
  QTextLayout layout(text(), font());
  layout.beginLayout();
  for (int number = 0; number < lines_; ++number) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(width());
    const qsizetype from = line.textStart();
    const bool last = number + 1 == lines_;
    const QString words = last ? metrics.elidedText(text().mid(from), Qt::ElideRight, width())
                               : text().mid(from, line.textLength()).trimmed();
    painter.drawText(QPointF(0.0, number * metrics.lineSpacing() + metrics.ascent() + 1), words);
  }
  layout.endLayout();
}

}  // namespace headrace::gui
