// headrace-gui: what-if exploration on the desktop.
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFont>
#include <QLineEdit>
#include <QMessageBox>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <string_view>

#include "gui/presenter/program_options.hpp"
#include "gui/widgets/campaign_pane.hpp"
#include "gui/widgets/compare_pane.hpp"
#include "gui/widgets/decision_panes.hpp"
#include "gui/widgets/gallery.hpp"
#include "gui/widgets/growth_pane.hpp"
#include "gui/widgets/inputs_pane.hpp"
#include "gui/widgets/main_window.hpp"
#include "gui/widgets/maps_pane.hpp"
#include "gui/widgets/measured_pane.hpp"
#include "gui/widgets/offers_pane.hpp"
#include "gui/widgets/path_picture.hpp"
#include "gui/widgets/plan_pane.hpp"
#include "gui/widgets/start_wizard.hpp"
#include "gui/widgets/station_card.hpp"
#include "gui/widgets/sweep_pane.hpp"

namespace {

using headrace::gui::MainWindow;

struct Shot {
  QString scenario;
  QString target;
  QString pane;
  QString verification;
  QString site;
};

void run_until(const std::function<bool()>& done) {
  constexpr int kLongest_ms = 120000;
  QElapsedTimer clock;
  clock.start();
  while (!done() && clock.elapsed() < kLongest_ms) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
}

void rest(int rest_ms) {
  QElapsedTimer clock;
  clock.start();
  while (clock.elapsed() < rest_ms) QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
}

/// Fills a pane as a user would, and waits until it is.
bool fill_pane(MainWindow& window, const Shot& shot) {
  if (shot.pane == "compare") {
    window.pin_baseline();
    window.set_value("/jobs/0/loader/workers", "5", 0);
    window.compare_pane().start();
  }
  if (!window.show_pane(shot.pane)) return false;
  headrace::gui::DecisionPanes& decisions = window.decisions();
  rest(50);
  if (shot.pane == "plan") window.plan_pane().start();
  if (shot.pane == "sweep") window.sweep_pane().start();
  if (shot.pane == "offers") {
    decisions.offers().set_draws(8);
    decisions.offers().start();
  }
  if (shot.pane == "growth") decisions.growth().start();
  if (shot.pane == "campaign") decisions.campaign().start();
  if (shot.pane == "measured" && !shot.verification.isEmpty() && !window.measured_pane().open(shot.verification))
    return false;
  run_until([&window, &decisions] {
    const auto tasks = decisions.tasks();
    return std::none_of(tasks.begin(), tasks.end(), [](const auto* task) { return task->is_running(); }) &&
           !window.plan_pane().task().is_running() && !window.sweep_pane().task().is_running() &&
           !window.compare_pane().task().is_running() && !window.maps_pane().maps_task().is_running() &&
           !window.maps_pane().depths_task().is_running() && !window.study().is_running() && window.curves_are_ready();
  });
  return true;
}

/// Opens, waits for the simulation, draws the window into a file. 0, 2 for bad input.
int take_screenshot(MainWindow& window, const Shot& shot) {
  bool done = false;
  QObject::connect(&window.study(), &headrace::gui::LiveStudy::answered, &window,
                   [&done](const headrace::gui::StudyAnswer& answer) { done = answer.last; });
  if (!window.open(shot.scenario) || (!shot.site.isEmpty() && !window.lay_over(shot.site))) {
    std::fprintf(stderr, "%s\n", qPrintable(window.last_complaint()));
    return 2;
  }
  window.show();
  run_until([&done] { return done; });
  run_until([&window] { return window.curves_are_ready(); });
  QWidget* drawn = &window;
  headrace::gui::StartWizard wizard(&window);
  std::unique_ptr<headrace::gui::Gallery> gallery;  // it reads all scenarios
  if (shot.pane == "start") {
    wizard.field("gpus")->setText("1024 x H100-SXM5-80GB");
    wizard.field("data")->setText("500 TB, 4.5M objects, shards");
    wizard.fill_done();
    wizard.show();
    drawn = &wizard;
  } else if (shot.pane == "gallery") {
    gallery = std::make_unique<headrace::gui::Gallery>(&window);
    gallery->show();
    drawn = gallery.get();
  } else if (shot.pane == "station") {
    window.path_picture().choose(0);
    drawn = &window.station_card();
  } else if (!shot.pane.isEmpty() && !fill_pane(window, shot)) {
    std::fprintf(stderr, "error: --pane %s: %s\n", qPrintable(shot.pane),
                 window.last_complaint().isEmpty() ? "there is no such pane" : qPrintable(window.last_complaint()));
    return 2;
  }
  constexpr int kDrawn_ms = 300;
  rest(kDrawn_ms);
  if (drawn->grab().save(shot.target)) return 0;
  std::fprintf(stderr, "error: cannot write %s\n", qPrintable(shot.target));
  return 2;
}

/// False after a complaint.
bool apply_size(MainWindow& window, const QString& size) {
  const QStringList parts = size.split('x');
  if (parts.size() != 2 || parts[0].toInt() < 400 || parts[1].toInt() < 300) {
    std::fprintf(stderr, "error: --size %s: give WIDTHxHEIGHT, at least 400x300\n", qPrintable(size));
    return false;
  }
  window.resize(parts[0].toInt(), parts[1].toInt());
  return true;
}

/// False after a complaint.
bool apply_letters(const QString& points) {
  constexpr double kSmallest = 6.0;
  constexpr double kLargest = 30.0;
  const double size = points.toDouble();
  if (!(size >= kSmallest) || size > kLargest) {
    std::fprintf(stderr, "error: --letters %s: give 6 to 30 points\n", qPrintable(points));
    return false;
  }
  QFont font = QApplication::font();
  font.setPointSizeF(size);
  QApplication::setFont(font);
  return true;
}

/// What a window left behind that ended without asking; true when it is open again.
bool offer_restore(MainWindow& window) {
  if (!window.has_autosave()) return false;
  const auto answer = QMessageBox::question(&window, "Headrace", "The last session has unsaved changes. Open them?");
  return answer == QMessageBox::Yes && window.restore_autosave();
}

/// Help and pictures need no display, and a machine that has none answers them too.
void do_without_display([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
#ifdef Q_OS_LINUX
  const bool has_display = qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
                           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
  if (has_display) return;
  const bool needs_none = std::any_of(argv + 1, argv + argc, [](std::string_view argument) {
    return argument == "-h" || argument == "-v" || argument == "--version" || argument.starts_with("--help") ||
           argument.starts_with("--screenshot");
  });
  if (needs_none) qputenv("QT_QPA_PLATFORM", "offscreen");
#endif
}

int write_man_page(const char* file) {
  std::ofstream out(file);
  out << headrace::gui::gui_man_page(HEADRACE_VERSION);
  return out.flush() ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--man-page") return write_man_page(argv[2]);  // for the package
  do_without_display(argc, argv);
  QApplication application(argc, argv);
  QCoreApplication::setApplicationName("headrace");
  QCoreApplication::setOrganizationName("headrace");
  QCoreApplication::setApplicationVersion(HEADRACE_VERSION);
  QApplication::setStyle("Fusion");
  QCommandLineParser parser;
  const headrace::gui::ProgramOptions options = headrace::gui::program_options();
  describe_program(parser, options);
  parser.process(application);
  if (parser.isSet(options.letters) && !apply_letters(parser.value(options.letters))) return 2;
  MainWindow window(!parser.isSet(options.screenshot));
  if (parser.isSet(options.theme)) {
    if (!headrace::gui::theme_named(parser.value(options.theme), QApplication::palette())) {
      std::fprintf(stderr, "error: --theme %s: give light, dark or system\n", qPrintable(parser.value(options.theme)));
      return 2;
    }
    window.set_theme(parser.value(options.theme));
  }
  if (parser.isSet(options.size) && !apply_size(window, parser.value(options.size))) return 2;
  const QStringList given = parser.positionalArguments();
  const QString scenario = given.isEmpty() ? QString("image-node") : given.first();
  if (parser.isSet(options.screenshot))
    return take_screenshot(window, {scenario, parser.value(options.screenshot), parser.value(options.pane),
                                    parser.value(options.verification), parser.value(options.site)});
  window.show();
  if (given.isEmpty() && offer_restore(window)) return QApplication::exec();
  if (!window.open(scenario) && !given.isEmpty()) window.open("image-node");
  if (given.isEmpty() && window.is_first_time())  // something solved stands behind it, whatever is chosen
    QTimer::singleShot(0, &window, &MainWindow::show_gallery);
  if (parser.isSet(options.site)) window.lay_over(parser.value(options.site));
  if (parser.isSet(options.verification) && window.measured_pane().open(parser.value(options.verification)))
    window.show_pane("measured");
  return QApplication::exec();
}
