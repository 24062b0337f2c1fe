#include "reports/deploy/snippet.hpp"

#include <fmt/format.h>

#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

constexpr int kWidth = 100;

/// `hanging`: spaces before the second line and those after it.
std::string as_comment(const std::string& text, int indent, int hanging) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string lines = margin + "# ";
  for (const char c : wrapped(text, kWidth - indent - 2, hanging)) {
    lines += c;
    if (c == '\n') lines += margin + "# ";
  }
  return lines + "\n";
}

}  // namespace

void Snippet::line(const std::string& code) {
  if (!code.empty()) lines_ += std::string(static_cast<std::size_t>(indent_), ' ') + code;
  lines_ += "\n";
}

void Snippet::comment(const std::string& text) { lines_ += as_comment(text, indent_, 0); }

std::string Snippet::text() const {
  std::string all = lines_;
  if (not_expressed_.empty()) return all;
  all += "\n# Not expressed here:\n";
  for (const std::string& what : not_expressed_) all += as_comment(fmt::format("- {}", what), 0, 2);
  return all;
}

}  // namespace headrace::reports
