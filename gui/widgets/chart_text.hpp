// Figures of a chart as text.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <string>

#include "scenarios/units.hpp"

namespace headrace::gui {

inline QString text_of(double value) { return QString::fromStdString(scenarios::print_number(value)); }

/// A cell of CSV (RFC 4180).
inline QString csv_cell(const std::string& text) {
  QString quoted = QString::fromStdString(text);
  if (!quoted.contains(QRegularExpression("[\",\r\n]"))) return quoted;
  return '"' + quoted.replace('"', "\"\"") + '"';
}

}  // namespace headrace::gui
