#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/tender/tender.hpp"

namespace headrace::reports {
namespace {

std::string markdown_cell(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += fmt::format(" {} |", markdown_cell(cell));
  return line + "\n";
}

std::string markdown_block(const TenderBlock& block) {
  switch (block.kind) {
    case TenderBlock::Kind::words:
      return block.text + "\n\n";
    case TenderBlock::Kind::code:
      return fmt::format("```{}\n{}```\n\n", block.language, block.text);
    case TenderBlock::Kind::table:
      break;
  }
  std::string text = fmt::format("**{}**\n\n{}|", block.text, markdown_row(block.head));
  for (std::size_t i = 0; i < block.head.size(); ++i) text += "---|";
  text += "\n";
  for (const auto& row : block.rows) text += markdown_row(row);
  return text + "\n";
}

}  // namespace

std::string tender_markdown(const Tender& tender) {
  std::string text = fmt::format("# {}\n\n{}\n\n", tender.title, tender.summary);
  for (const TenderSection& section : tender.sections) {
    text += fmt::format("## {}\n\n", section.title);
    for (const TenderBlock& block : section.blocks) text += markdown_block(block);
  }
  text.pop_back();  // one newline at the end
  return text;
}

}  // namespace headrace::reports
