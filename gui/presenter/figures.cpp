#include "gui/presenter/figures.hpp"

#include <nlohmann/json.hpp>

namespace headrace::gui {
namespace {

using Json = nlohmann::ordered_json;

std::string csv_cell(const std::string& text) {
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void add_line(std::string& text, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(cells[i]);
  text += "\r\n";
}

Json cell_json(const std::string& text) {
  Json number = Json::parse(text, nullptr, false);
  return number.is_number() ? number : Json(text);
}

}  // namespace

Figures Figures::within(const View& view) const {
  Figures part;
  part.header = header;
  for (const FigureRow& row : rows)
    if (!row.at || view.holds(row.at->first, row.at->second)) part.rows.push_back(row);
  return part;
}

std::string csv_of(const Figures& figures) {
  std::string text;
  if (figures.header.empty()) return text;
  add_line(text, figures.header);
  for (const FigureRow& row : figures.rows) add_line(text, row.cells);
  return text;
}

std::string json_of(const Figures& figures) {
  Json all = Json::array();
  for (const FigureRow& row : figures.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < figures.header.size() && i < row.cells.size(); ++i)
      object[figures.header[i]] = cell_json(row.cells[i]);
    all.push_back(std::move(object));
  }
  return all.dump(2) + "\n";
}

}  // namespace headrace::gui
