#include "cli/man_page.hpp"

#include <fmt/format.h>

#include "cli/command_line.hpp"
#include "cli/exit_code.hpp"
#include "reports/roff.hpp"

namespace headrace::cli {
namespace {

using reports::roff;

std::string verb_text(const VerbInfo& verb) {
  std::string text =
      fmt::format(".SS {}\n.B headrace {}\n{}[\\fIoptions\\fR]\n.PP\n{}.\n", roff(verb.name), roff(verb.name),
                  verb.positional.empty() ? "" : "\\fI" + roff(verb.positional) + "\\fR\n", roff(verb.summary));
  if (!verb.positional_help.empty()) text += fmt::format("Arguments: {}.\n", roff(verb.positional_help));
  for (const FlagInfo& flag : verb.flags) {
    const std::string names = fmt::format("{}", fmt::join(flag.names, ", "));
    text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(names),
                        flag.value.empty() ? "" : " \\fI" + roff(flag.value) + "\\fR", roff(flag.help));
  }
  return text;
}

constexpr const char* kManHead = R"(.ad l
.SH NAME
headrace \- simulate how training data reaches the GPUs of a cluster
.SH SYNOPSIS
.B headrace
.I verb
[\fIarguments\fR] [\fIoptions\fR]
.SH DESCRIPTION
Headrace says whether the GPUs of a training cluster wait for data, where and why, what the remedies gain, and what an
epoch costs. Standard output has only the requested document; messages, warnings and progress go to standard error.
.PP
Later values win: extended files, then the file itself, then the next file on the command line, then
.B \-\-set
from left to right.
.SH VERBS
)";

constexpr const char* kManEnd = R"(.SH ENVIRONMENT
.TP
.B NO_COLOR
no colours on terminals
.TP
.B AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
credentials of
.BR "calibrate \-\-s3" ;
they are never written or shown
.SH EXAMPLES
.TP
.B headrace simulate image\-node
a scenario that comes with the program
.TP
.B headrace init > mine.json
a commented scenario to edit
.TP
.B headrace check mine.json \-\-slo \(aqgpu_idle_fraction < 5 %\(aq
a threshold, with an exit status for scripts
.TP
.B headrace explain gpu_idle_fraction
what a parameter, metric, stage or error means
.SH "SEE ALSO"
.BR headrace\-gui (1)
)";

}  // namespace

std::string man_page() {
  std::string text = fmt::format(".TH HEADRACE 1 \"\" \"headrace {}\" \"User commands\"\n", HEADRACE_VERSION);
  text += kManHead;
  for (const VerbInfo& verb : command_tree()) text += verb_text(verb);
  text += ".SH \"EXIT STATUS\"\n";
  for (const ExitMeaning& exit : kExitMeanings)
    text += fmt::format(".TP\n.B {}\n{}\n", static_cast<int>(exit.code), roff(exit.meaning));
  return text + kManEnd;
}

}  // namespace headrace::cli
