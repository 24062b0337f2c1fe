// The one QApplication of the tests: without a display, and with settings of its own.
#pragma once

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <functional>

namespace headrace::testing {

inline QApplication& application() {
  static int argc = 1;
  static char name[] = "tests_gui";
  static char* argv[] = {name, nullptr};
  static QApplication* instance = [] {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR")) qputenv("XDG_RUNTIME_DIR", QDir::tempPath().toUtf8());
    auto* made = new QApplication(argc, argv);
    QApplication::setStyle("Fusion");
    return made;
  }();
  return *instance;
}

/// Lets events run until the condition holds; false after `longest_ms`.
inline bool wait_until(const std::function<bool()>& condition, int longest_ms = 30000) {
  QElapsedTimer clock;
  clock.start();
  while (!condition() && clock.elapsed() < longest_ms) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  return condition();
}

}  // namespace headrace::testing
