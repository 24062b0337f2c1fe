// The sizing sheet of a scenario: figures that a formula gives, room by room, each with the formula, what went into it
// and where the formula comes from. What a figure lacks is told instead of guessed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::models {

/// One figure, told once.
struct SizingDescription {
  std::string_view name;
  std::string_view unit;  ///< "s", "B", "B/s", "b/s", "USD", "1" (a share), "" (a number)
  std::string_view formula;
  std::string_view meaning;
  std::string_view source;
  std::string_view needs;  ///< what to give where it is missing
  bool headline = false;   ///< shown beside the bound, not only on the sheet itself
};

/// One symbol of a formula.
struct SizingInput {
  std::string symbol;
  std::string from;  ///< JSON pointer of the scenario, or the name of a metric or of another figure
  double value = 0.0;
  std::string unit;
};

struct SizingFigure {
  std::string_view room;
  std::string job;
  const SizingDescription* description = nullptr;  ///< static
  double value = 0.0;
  std::vector<SizingInput> inputs;
};

/// A figure that the scenario does not say enough for.
struct SizingGap {
  std::string_view room;
  std::string job;
  const SizingDescription* description = nullptr;  ///< static
};

struct SizingSheet {
  std::vector<SizingFigure> figures;
  std::vector<SizingGap> missing;

  const SizingFigure* find(std::string_view name) const {
    for (const SizingFigure& figure : figures)
      if (figure.description->name == name) return &figure;
    return nullptr;
  }
};

}  // namespace headrace::models
