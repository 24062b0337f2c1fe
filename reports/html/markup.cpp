#include "reports/html/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/document.hpp"
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

std::string prose_html(std::string_view prose) {
  const std::string text = escaped(prose);
  std::string html;
  std::size_t done = 0;
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", done)) {
    const std::size_t end = std::min(text.find_first_of(" =\n", at), text.size());
    html += text.substr(done, at - done) + "<span class=\"option\">" + text.substr(at, end - at) + "</span>";
    done = end;
  }
  return html + text.substr(done);
}

std::string command_html(std::string_view command) { return "<code>" + prose_html(command) + "</code>"; }

namespace {

double as_double(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// Decimals that show so many digits that count of a number below 1.
int digits_behind_point(double magnitude, int digits) {
  constexpr int kMost = 12;
  if (!std::isfinite(magnitude)) return 0;
  return std::min(kMost, digits - 1 - static_cast<int>(std::floor(std::log10(magnitude))));
}

/// An end of an interval around `mean`: as the amount, below a dollar with a digit or two more, which tell the ends
/// apart.
std::string money_end(double usd, double mean) {
  constexpr int kDigits = 4;
  if (!std::isfinite(usd) || std::abs(mean) >= 1.0 || mean == 0.0) return humane(usd, "USD");
  return fmt::format("{}${:.{}f}", usd < 0.0 ? "-" : "", std::abs(usd), digits_behind_point(std::abs(mean), kDigits));
}

std::string css_string(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "'";
}

std::string data(const Json& value, std::string_view text) {
  return fmt::format("<data value=\"{}\">{}</data>", value.dump(), escaped(text));
}

}  // namespace

std::string spelled_number(const Json& value, std::string_view text) {
  return value.is_number() ? data(value, text) : std::string("unknown");
}

std::string count(const Json& value) {
  if (!value.is_number()) return "unknown";
  std::string digits = fmt::format("{:.0f}", std::abs(as_double(value)));
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return data(value, as_double(value) <= -0.5 ? "-" + digits : digits);
}

std::string verdict_box(std::string_view mood, std::string_view line, std::string_view meaning) {
  return fmt::format("<div class=\"verdict {}\"><strong>{}</strong>{}</div>", mood, escaped(line), prose_html(meaning));
}

std::string note_behind(std::string_view head_html, std::string_view text_html) {
  return fmt::format("<details><summary>{}</summary><p>{}</p></details>", head_html, text_html);
}

std::string number(const Json& value, std::string_view unit, int digits) {
  if (!value.is_number()) return "unknown";
  return data(value, shown_figure(as_double(value), unit, digits));
}

std::string bill_line_amount(const Json& line) {
  return spelled_number(at(line, "usd"), bill_line(number_at(line, "quantity"), number_at(line, "usd")));
}

std::string bill_amount(const Json& usd) { return spelled_number(usd, exact_money(as_double(usd))); }

std::string share(const Json& value) {
  if (!value.is_number()) return "unknown";
  return data(value, percent(as_double(value), 2));
}

std::string number_span(const std::string& low, const std::string& high) {
  const auto shown = [](const std::string& marked) { return marked.substr(marked.find('>') + 1); };
  return shown(low) == shown(high) ? low : fmt::format("{} to {}", low, high);
}

std::string interval(const Json& ends, const Json& mean, std::string_view unit) {
  if (!ends.is_array() || ends.size() != 2) return "&ndash;";
  const Scale scale = humane_scale(as_double(mean), unit);
  const auto end = [&](const Json& value) {
    constexpr double kRounding = 1e-12;  // of a share: what sums of doubles leave of zero
    const double shown = unit == "1" && std::abs(as_double(value)) < kRounding ? 0.0 : as_double(value) * scale.factor;
    return data(value, unit == "USD" ? money_end(shown, as_double(mean)) : humane_number(shown));
  };
  const std::string after = scale.prefix || scale.unit.empty() ? "" : " " + escaped(scale.unit);
  return number_span(end(ends[0]), end(ends[1])) + after;
}

std::string open_table(std::string_view caption, const std::vector<TableColumn>& columns, std::string_view attributes) {
  std::string labels;
  std::string heads;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    labels += fmt::format("--h{}:{};", i + 1, css_string(columns[i].head));
    heads += fmt::format("<th scope=\"col\"{}>{}</th>", columns[i].number ? " class=\"number\"" : "",
                         escaped(columns[i].head));
  }
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{2}\"><table{0}{1} style=\"{3}\">"
      "<caption>{2}</caption><thead><tr>{4}</tr></thead><tbody>",
      attributes.empty() ? "" : " ", attributes, escaped(caption), escaped(labels), heads);
}

std::string html_table(std::string_view caption, const std::vector<TableColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, std::string_view attributes) {
  std::string html = open_table(caption, columns, attributes);
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
