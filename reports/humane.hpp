// Numbers as people say them: "3.18 GB/s", "341 ms", "$12.40". Only for text; documents carry SI numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headrace::reports {

/// A factor and the unit name that goes with it; chosen once for a value and used for its interval too.
struct Scale {
  double factor = 1.0;  ///< shown number = value * factor
  std::string unit;     ///< shown after the number, may be empty
  bool prefix = false;  ///< the unit stands before the number ("$")
};

/// The scale that shows `value`, given in the machine unit `unit` ("s", "B/s", "b/s", "B", "1", "USD", "1/s", "%"),
/// with one to three digits before the point where the unit has prefixes. "1" is shown in percent. Unknown units stay
/// as they are.
Scale humane_scale(double value, std::string_view unit);

/// `value` with about `digits` significant digits and never an exponent between 1e-4 and 1e9: "0.323", "12,800".
std::string humane_number(double value, int digits = 4);

/// Value and unit in one: humane(0.3234, "s") is "323.4 ms". Not-a-number and infinity are said in words.
/// Money: cents below $1,000 ("$41.16"), then five digits that count ("$373,630"), from a million up four
/// ("$17.65 M", "$1.2 B").
std::string humane(double value, std::string_view unit, int digits = 4);

/// As `humane`, but a share too small to matter reads "<0.001 %".
std::string shown_figure(double value, std::string_view unit, int digits = 4);

/// To the cent, for lines that must add up to their sum as they are shown: "$17,650,483.20"; of
/// less than a cent as `humane`.
std::string exact_money(double usd);
/// What a line of a bill costs; "free or not stated" where something is used that costs nothing.
std::string bill_line(double quantity, double usd);

/// A share of 1 as percent with `decimals` digits: "97.3 %". A share too small to show but not zero reads "<0.1 %".
std::string percent(double share, int decimals = 1);

/// "12.1 % to 12.9 %"; one text where both ends read the same: an interval without content says nothing more.
std::string span_text(const std::string& low, const std::string& high, std::string_view between = " to ");

/// With a capital first letter, to begin a sentence.
std::string capital(std::string text);

/// "1 point", "2 points": a count with the noun in its number.
std::string counted(std::uint64_t count, std::string_view noun);

/// A duration or size over another: "2.01 times", with two decimals below 10.
std::string factor_text(double factor);

/// The label of a metric: "GPU idle time" for "gpu_idle_fraction". Of any other name its words, without the unit
/// that its value shows.
std::string spoken_name(std::string_view name);

/// Heading of intervals of a simulation: they hold its noise, not what is uncertain of the inputs.
inline constexpr std::string_view kNoiseInterval = "95 % interval (simulation noise)";

/// Underscores as blanks.
std::string words(std::string_view name);

}  // namespace headrace::reports
