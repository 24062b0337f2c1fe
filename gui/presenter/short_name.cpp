#include "gui/presenter/short_name.hpp"

#include <vector>

#include "reports/humane.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::gui {

std::string short_name(const std::string& pointer) {
  const auto tokens = scenarios::pointer_tokens(pointer).value_or(std::vector<std::string>{});
  std::string text;
  for (std::size_t i = tokens.size() > 2 ? tokens.size() - 2 : 0; i < tokens.size(); ++i) {
    if (tokens[i].find_first_not_of("0123456789") == std::string::npos && i > 0) {
      text = tokens[i - 1] + " " + tokens[i];
      continue;
    }
    if (tokens[i].starts_with(text)) text.clear();  // "step step time" is the step time
    text += (text.empty() ? "" : " ") + reports::words(tokens[i]);
  }
  return text;
}

}  // namespace headrace::gui
