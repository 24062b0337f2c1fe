// A window with a scenario in it, and coarse looks so that an answer does not take long.
#pragma once

#include <memory>
#include <string>

#include "gui/widgets/main_window.hpp"
#include "tests/catch.hpp"
#include "tests/gui/application.hpp"

namespace headrace::testing {

inline const QString kWorkers = "/jobs/0/loader/workers";

struct Opened {
  explicit Opened(const char* scenario = "image-node") {
    application();
    window = std::make_unique<gui::MainWindow>(false);
    window->study().set_precision(0.1);
    REQUIRE(window->open(scenario));
    window->show();
  }
  std::string value(const QString& pointer) const { return *window->document()->value_at(pointer.toStdString()); }

  std::unique_ptr<gui::MainWindow> window;
};

}  // namespace headrace::testing
