// headrace-gui: what-if exploration on the desktop.
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QTimer>
#include <cstdio>

#include "gui/widgets/main_window.hpp"

namespace {

/// Opens, waits for the simulation, draws the window into a file. 0, 2 for bad input.
int take_screenshot(headrace::gui::MainWindow& window, const QString& scenario, const QString& target) {
  constexpr int kLongest_ms = 60000;
  if (!window.open(scenario)) {
    std::fprintf(stderr, "%s\n", qPrintable(window.last_complaint()));
    return 2;
  }
  window.show();
  bool done = false;
  QObject::connect(&window.study(), &headrace::gui::LiveStudy::answered, &window,
                   [&done](const headrace::gui::StudyAnswer& answer) { done = answer.last; });
  QElapsedTimer clock;
  clock.start();
  while (!done && clock.elapsed() < kLongest_ms) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 100);
  constexpr int kDrawn_ms = 300;  // the curves follow the answer
  clock.restart();
  while (clock.elapsed() < kDrawn_ms) QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
  if (window.grab().save(target)) return 0;
  std::fprintf(stderr, "error: cannot write %s\n", qPrintable(target));
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  QCoreApplication::setApplicationName("headrace");
  QCoreApplication::setOrganizationName("headrace");
  QCoreApplication::setApplicationVersion(HEADRACE_VERSION);
  QApplication::setStyle("Fusion");
  QCommandLineParser parser;
  parser.setApplicationDescription("What-if exploration of AI training data ingest.");
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument("scenario", "a scenario file, or the name of a shipped one (default image-node)");
  const QCommandLineOption screenshot("screenshot", "draw the solved window into a PNG file and end", "FILE");
  const QCommandLineOption theme("theme", "light, dark or system", "THEME");
  const QCommandLineOption size("size", "of the window, in pixels", "WxH");
  parser.addOptions({screenshot, theme, size});
  parser.process(application);
  headrace::gui::MainWindow window(!parser.isSet(screenshot));
  if (parser.isSet(theme)) {
    if (!headrace::gui::theme_named(parser.value(theme), QApplication::palette())) {
      std::fprintf(stderr, "error: --theme %s: give light, dark or system\n", qPrintable(parser.value(theme)));
      return 2;
    }
    window.set_theme(parser.value(theme));
  }
  if (parser.isSet(size)) {
    const QStringList parts = parser.value(size).split('x');
    if (parts.size() != 2 || parts[0].toInt() < 400 || parts[1].toInt() < 300) {
      std::fprintf(stderr, "error: --size %s: give WIDTHxHEIGHT, at least 400x300\n", qPrintable(parser.value(size)));
      return 2;
    }
    window.resize(parts[0].toInt(), parts[1].toInt());
  }
  const QStringList given = parser.positionalArguments();
  const QString scenario = given.isEmpty() ? QString("image-node") : given.first();
  if (parser.isSet(screenshot)) return take_screenshot(window, scenario, parser.value(screenshot));
  window.show();
  if (!window.open(scenario) && !given.isEmpty()) window.open("image-node");
  return QApplication::exec();
}
