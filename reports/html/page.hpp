// One self-contained HTML file: style, sections, navigation. Nothing in it asks for anything outside the file.
#pragma once

#include <string>
#include <vector>

namespace headrace::reports {

struct PageSection {
  std::string id;     ///< of the anchor
  std::string title;  ///< as text
  std::string body;   ///< as HTML
};

struct Page {
  std::string title;                  ///< as text
  std::string head;                   ///< first screen, as HTML
  std::vector<PageSection> sections;  ///< those with an empty body are left out
  std::string script;                 ///< JavaScript for comfort; the page must be whole without it
  bool web_assembly = false;          ///< whether the script compiles a program that the page carries
};

/// What a page says beside its document.
struct PageFacts {
  std::string title;    ///< empty: what the document offers
  std::string command;  ///< that gave the document; empty: unknown
};

/// The command as it can be typed again; nothing where it is not known.
std::string command_block(const std::string& command);

std::string html_page(const Page& page);

}  // namespace headrace::reports
