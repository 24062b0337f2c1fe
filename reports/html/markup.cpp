#include "reports/html/markup.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "reports/humane.hpp"

namespace headrace::reports {

using Json = nlohmann::ordered_json;

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

namespace {

double as_double(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string data(const Json& value, std::string_view text) {
  return fmt::format("<data value=\"{}\">{}</data>", value.dump(), escaped(text));
}

}  // namespace

std::string number(const Json& value, std::string_view unit, int digits) {
  if (!value.is_number()) return "unknown";
  return data(value, humane(as_double(value), unit, digits));
}

std::string share(const Json& value) {
  if (!value.is_number()) return "unknown";
  return data(value, percent(as_double(value), 2));
}

std::string interval(const Json& ends, const Json& mean, std::string_view unit) {
  if (!ends.is_array() || ends.size() != 2) return "&ndash;";
  const Scale scale = humane_scale(as_double(mean), unit);
  const auto end = [&](const Json& value) {
    return data(value,
                fmt::format("{}{}", scale.prefix ? scale.unit : "", humane_number(as_double(value) * scale.factor)));
  };
  const std::string after = scale.prefix || scale.unit.empty() ? "" : " " + escaped(scale.unit);
  return fmt::format("{} to {}{}", end(ends[0]), end(ends[1]), after);
}

std::string html_table(std::string_view caption, const std::vector<TableColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, std::string_view attributes) {
  std::string html = fmt::format("<div class=\"scroll\"><table{}{}><caption>{}</caption><thead><tr>",
                                 attributes.empty() ? "" : " ", attributes, escaped(caption));
  for (const TableColumn& column : columns)
    html += fmt::format("<th scope=\"col\"{}>{}</th>", column.number ? " class=\"number\"" : "", escaped(column.head));
  html += "</tr></thead><tbody>";
  for (const std::vector<std::string>& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string_view kind = i < columns.size() && columns[i].number ? " class=\"number\"" : "";
      html += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", row[i]) : fmt::format("<td{}>{}</td>", kind, row[i]);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace headrace::reports
