// How well a value is known, as a badge: a mark and the word in a colour of its own.
#pragma once

#include <QStyledItemDelegate>

#include "gui/widgets/theme.hpp"

namespace headrace::gui {

QColor evidence_colour(const QString& evidence, const Theme& theme);
/// Filled for measured, half for published and data sheets, empty for what is assumed; none for what is decided, which
/// nothing has to show.
QString evidence_mark(const QString& evidence);
/// The mark and the word.
QString evidence_text(const QString& evidence);
/// What the marks stand for, on one line.
QString evidence_legend();

class EvidenceBadge : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void set_theme(const Theme& theme) { theme_ = theme; }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

 private:
  Theme theme_ = Theme::of(false);
};

}  // namespace headrace::gui
