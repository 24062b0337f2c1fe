#include "gui/presenter/program_options.hpp"

#include <fmt/format.h>

#include <QCommandLineParser>

#include "reports/roff.hpp"

namespace headrace::gui {
namespace {

constexpr const char* kArgument = "a scenario file, or the name of a shipped one (default image-node)";

constexpr const char* kGuiManHead = R"(.ad l
.SH NAME
headrace\-gui \- explore in a window how training data reaches the GPUs of a cluster
.SH SYNOPSIS
.B headrace\-gui
[\fIoptions\fR] [\fIscenario\fR]
.SH DESCRIPTION
The window shows the parameters of a scenario, sliders for those that matter most, the data path with its bottleneck, and
the answer with its confidence. The answer follows the sliders. Panes plan, sweep, compare and show what was measured.
.PP
F1 shows all keys.
.SH ARGUMENTS
)";

constexpr const char* kGuiManEnd = R"(.SH ENVIRONMENT
.TP
.B QT_QPA_PLATFORM
.I offscreen
draws without a display, for
.B \-\-screenshot
.SH "EXIT STATUS"
.TP
.B 0
ok
.TP
.B 2
bad input or usage
.SH EXAMPLES
.TP
.B headrace\-gui mine.json
opens a scenario
.TP
.B QT_QPA_PLATFORM=offscreen headrace\-gui \-\-screenshot answer.png image\-node
draws the window with its answer into a file
.SH "SEE ALSO"
.BR headrace (1)
)";

}  // namespace

ProgramOptions program_options() {
  return {
      {"screenshot", "draw the window with its answer into a PNG file and exit", "FILE"},
      {"pane",
       "pane of the screenshot: answer, maps, compare, plan, sweep, inputs, measured, offers, growth, campaign, "
       "timeline, or start, gallery, station",
       "PANE"},
      {"verification", "file of headrace verify --json, for the pane measured", "FILE"},
      {"site", "file of headrace calibrate, a layer over the scenario", "FILE"},
      {"theme", "light, dark or system", "THEME"},
      {"size", "size of the window, in pixels", "WxH"},
      {"letters", "size of letters, 6 to 30 points; default: that of the desktop", "POINTS"},
  };
}

void describe_program(QCommandLineParser& parser, const ProgramOptions& options) {
  parser.setApplicationDescription("What-if exploration of AI training data ingest.");
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("scenario", kArgument);
  parser.addOptions(options.all());
}

std::string gui_man_page(const std::string& version) {
  std::string text = fmt::format(".TH HEADRACE\\-GUI 1 \"\" \"headrace {}\" \"User commands\"\n", version);
  text += kGuiManHead;
  text += fmt::format(".TP\n.I scenario\n{}\n.SH OPTIONS\n", reports::roff(kArgument));
  for (const QCommandLineOption& option : program_options().all())
    text +=
        fmt::format(".TP\n\\fB{}\\fR \\fI{}\\fR\n{}\n", reports::roff("--" + option.names().first().toStdString()),
                    reports::roff(option.valueName().toStdString()), reports::roff(option.description().toStdString()));
  text += ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint the options\n";
  text += ".TP\n\\fB\\-v\\fR, \\fB\\-\\-version\\fR\nprint the version\n";
  return text + kGuiManEnd;
}

}  // namespace headrace::gui
