// One import under way: the text with its places, complaints, and the figures found so far. It also holds the two
// checks that every importer makes: bytes against operations, and Little's law.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/document.hpp"
#include "scenarios/importers/import_options.hpp"

namespace headrace::scenarios {

/// Figures that must agree may differ by this much.
inline constexpr double kAgreement = 0.05;

inline constexpr double kMiB = 1048576.0;

/// Whole text as a finite number, no blanks, nothing after it.
std::optional<double> decimal(std::string_view text);

/// The words of a line, which blanks part.
std::vector<std::string_view> words_of(std::string_view line);

/// The columns of a line, empty ones included.
std::vector<std::string_view> columns_of(std::string_view line, char separator);

/// Limits of a figure; `required`: its absence is a complaint.
struct Limits {
  double min = 0.0;
  double max = 1e18;
  bool required = false;
};

/// One line of a text, and where it stands.
struct Line {
  std::string_view text;
  Place place;
};

class Reading {
 public:
  /// A byte-order mark before the text, which spreadsheets and editors write, is no part of it.
  Reading(std::string format, const std::string& file, const std::string& text, const ImportOptions& options);

  const ImportOptions& options() const { return options_; }
  std::string_view text() const { return sources_[source_].text; }
  const Sources& sources() const { return sources_; }
  std::uint32_t source() const { return source_; }
  const std::string& file() const { return file_; }

  Diagnostics& diagnostics() { return diagnostics_; }
  bool failed() const { return !diagnostics_.empty(); }
  void refuse(std::string_view code, const Place& place, std::string message, std::string help);
  /// E0141.
  void not_this(const Place& place, std::string message, std::string help);
  /// Said once, however often it is found.
  void note(const std::string& text);
  /// A note where the last line has no end, for formats that do not tell by themselves where they end.
  void note_open_end();

  Place whole() const { return {source_, 0, 0}; }
  Place place(std::size_t begin, std::size_t end) const { return {source_, begin, end}; }

  /// The JSON objects of the text, one after the other; what stands between them (warnings of the tool) is skipped. A
  /// text without any is a complaint.
  std::vector<Node> objects();

  std::vector<Line> lines() const;

  // Members of JSON objects. A wrong type or a value outside of the limits is a complaint.
  const Node* member(const Node& object, std::string_view key, Node::Type type, bool required);
  std::optional<double> number(const Node& object, std::string_view key, const Limits& limits = {});
  /// Text, or the spelling of a number; empty: not there.
  std::string word(const Node& object, std::string_view key);

  /// A number in a text; nullopt and a complaint that names `what` otherwise.
  std::optional<double> number_in(std::string_view text, const Place& place, std::string_view what,
                                  const Limits& limits = {});

  // Checks. A contradiction is E0140.

  /// Two ways to the same figure; `slack` is what rounding in the file explains.
  void agree(const Place& place, std::string_view what, double stated, double computed, double slack = 0.0);
  /// Little's law N = X R: more under way than there were places for is a contradiction; less sets the flag
  /// depth_not_kept. `rate_high` is for tools that tell two rates, of the time when all worked and of all the time.
  void little(const Place& place, std::string_view what, double places, double rate_low, double rate_high,
              double latency_s, std::vector<std::string>& flags);

  models::calibration::Calibration record;
  nlohmann::ordered_json layer = nlohmann::ordered_json::object();
  std::string table;  ///< instead of record and layer
  std::vector<std::string> notes;

  /// A figure. It counts as noisy, since the file does not tell what else the machine did, until it has an interval.
  models::calibration::Parameter& add(std::string name, std::string unit, double value, std::string target,
                                      std::string provenance, std::vector<std::string> flags = {});
  /// Of a file that one machine wrote: rates of the store are what that client got.
  void doubt_rates_of_one_client();
  /// 95 % interval of a mean of `count` values; with fewer than 3, the figure stays a point.
  static void set_interval(models::calibration::Parameter& parameter, double deviation, std::size_t count);
  /// Quantiles of values, as a table; the value becomes their mean.
  static void set_table(models::calibration::Parameter& parameter, std::vector<double> values);

  std::string store_target(std::string_view key) const;
  std::string pool_target(std::string_view key) const;
  /// Empty without --job.
  std::string job_target(std::string_view key) const;
  std::string dataset_target(std::string_view key) const;

 private:
  std::optional<Node> parse(std::size_t begin, std::size_t end);

  const ImportOptions& options_;
  Sources sources_;
  std::uint32_t source_ = kNoSource;
  std::string file_;
  Diagnostics diagnostics_;
};

/// "128 KiB".
std::string size_text(double bytes);

/// Adds a flag once.
void add_flag(std::vector<std::string>& flags, std::string_view flag);

/// "YYYY-MM-DD" of seconds since 1970, UTC; empty where it is no plausible time.
std::string date_of(double seconds);

}  // namespace headrace::scenarios
