// Sections that the pages of campaigns of one job and of many share.
#pragma once

#include <string>
#include <string_view>

#include "reports/document.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// The mean of a figure, and its interval.
std::string figure_cell_html(const Document& figure, std::string_view unit);
std::string ends_cell_html(const Document& figure, std::string_view unit);

/// The first lines of the page: what is useful, for how long, what takes most, and how sure the speeds are.
std::string campaign_verdict(const Document& document, const std::string& line);
std::string campaign_tile(std::string_view label, const std::string& value, const std::string& below);

std::string useful_price_tile(const Document& document);

/// Lost hours by cause; `sum` is what they and the useful hours sum to, in words.
std::string losses_section(const Document& document, std::string_view sum);
std::string campaign_cost_section(const Document& document);
std::string campaign_warnings_section(const Document& document);
std::string campaign_repeat_section(const Document& document, const std::string& command);

}  // namespace headrace::reports
