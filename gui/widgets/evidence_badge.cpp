#include "gui/widgets/evidence_badge.hpp"

#include "gui/presenter/parameter_tree.hpp"

namespace headrace::gui {

namespace {

/// Known from elsewhere than a measurement of this system.
const QStringList kOfOthers{"published", "datasheet", "read", "computed"};

}  // namespace

QColor evidence_colour(const QString& evidence, const Theme& theme) {
  if (evidence == "measured") return theme.good;
  if (kOfOthers.contains(evidence)) return theme.ink;
  return evidence == "assumed" ? theme.unsure : theme.faint;
}

QString evidence_mark(const QString& evidence) {
  if (evidence.isEmpty() || evidence == "decided") return {};
  if (evidence == "measured") return QString::fromUtf8("\xE2\x97\x8F");        // filled circle
  if (kOfOthers.contains(evidence)) return QString::fromUtf8("\xE2\x97\x90");  // half
  return QString::fromUtf8("\xE2\x97\x8B");                                    // empty
}

QString evidence_legend() {
  return QString("%1 measured  %2 %3  %4 assumed, unmarked: decided")
      .arg(evidence_mark("measured"), evidence_mark(kOfOthers.front()), kOfOthers.join(", "), evidence_mark("assumed"));
}

QString evidence_text(const QString& evidence) {
  const QString mark = evidence_mark(evidence);
  return mark.isEmpty() ? evidence : mark + " " + evidence;
}

void EvidenceBadge::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const QString evidence = index.siblingAtColumn(0).data(ParameterTree::kEvidenceRole).toString();
  if (evidence.isEmpty()) return;
  option->text = evidence_text(evidence);
  option->palette.setColor(QPalette::Text, evidence_colour(evidence, theme_));
}

}  // namespace headrace::gui
