// Lines of a configuration, each under the figure that it follows from. Every target writes comments with '#'.
#pragma once

#include <string>
#include <vector>

namespace headrace::reports {

class Snippet {
 public:
  /// Spaces before the lines that follow.
  void indent(int spaces) { indent_ = spaces; }
  /// A line as it is.
  void line(const std::string& code);
  void comment(const std::string& text);
  /// A line under its reason.
  void setting(const std::string& code, const std::string& why) {
    comment(why);
    line(code);
  }
  /// What the target has no word for; told at the end.
  void cannot(const std::string& what) { not_expressed_.push_back(what); }
  std::string text() const;

 private:
  int indent_ = 0;
  std::string lines_;
  std::vector<std::string> not_expressed_;
};

}  // namespace headrace::reports
