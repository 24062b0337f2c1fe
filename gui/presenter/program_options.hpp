// The command line of headrace-gui, told once: for the parser, for --help and for the manual page.
#pragma once

#include <QCommandLineOption>
#include <QList>
#include <string>

class QCommandLineParser;

namespace headrace::gui {

struct ProgramOptions {
  QCommandLineOption screenshot;
  QCommandLineOption pane;
  QCommandLineOption verification;
  QCommandLineOption site;
  QCommandLineOption theme;
  QCommandLineOption size;
  QCommandLineOption letters;

  QList<QCommandLineOption> all() const { return {screenshot, pane, verification, site, theme, size, letters}; }
};

ProgramOptions program_options();
void describe_program(QCommandLineParser& parser, const ProgramOptions& options);

/// In the macros of man(7), section 1.
std::string gui_man_page(const std::string& version);

}  // namespace headrace::gui
