#include <fmt/format.h>

#include "reports/html/markup.hpp"
#include "reports/html/page.hpp"
#include "reports/tender/tender.hpp"

namespace headrace::reports {
namespace {

std::string html_block(const TenderBlock& block) {
  switch (block.kind) {
    case TenderBlock::Kind::words:
      return fmt::format("<p>{}</p>\n", escaped(block.text));
    case TenderBlock::Kind::code:
      return fmt::format("<pre><code>{}</code></pre>\n", escaped(block.text));
    case TenderBlock::Kind::table:
      break;
  }
  std::vector<TableColumn> columns;
  for (const std::string& head : block.head) columns.push_back({head});
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : block.rows) {
    rows.emplace_back();
    for (const std::string& cell : row) rows.back().push_back(escaped(cell));
  }
  return html_table(block.text, columns, rows);
}

}  // namespace

std::string tender_page(const Tender& tender) {
  Page page;
  page.title = tender.title;
  page.head = fmt::format("<p>{}</p>", escaped(tender.summary));
  for (const TenderSection& section : tender.sections) {
    std::string body;
    for (const TenderBlock& block : section.blocks) body += html_block(block);
    page.sections.push_back({section.id, section.title, std::move(body)});
  }
  return html_page(page);
}

}  // namespace headrace::reports
