// A YAML file as the importers see it: typed reads with places, errors collected, and a memory of which keys were read.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/diagnostic.hpp"

namespace headrace::scenarios {

class YamlView {
 public:
  YamlView(std::string file_name, std::string text);

  /// Parses the text; false and a complaint when it is no YAML mapping.
  bool parse();

  bool has(const std::string& path) const;
  bool has_map(const std::string& path) const;

  /// Values at a dotted path ("reader.batch_size"); nullopt when the key is absent or null. A value of another type or
  /// outside [min, max] is a complaint. Reading a key marks it used.
  std::optional<double> number(const std::string& path, double min, double max);
  std::optional<std::uint64_t> count(const std::string& path, std::uint64_t min, std::uint64_t max);
  std::optional<std::string> word(const std::string& path);
  std::optional<bool> flag(const std::string& path);

  /// Marks a key used without reading it.
  void use(const std::string& path) { used_.insert(path); }

  /// Complains (E0203) about keys that are not among `known`, dotted paths; "section.*" allows everything below it.
  void refuse_unknown(std::span<const std::string_view> known);

  void complain(std::string code, std::string message, std::string help, const std::string& path = {});
  Diagnostics& diagnostics() { return diagnostics_; }

  /// Dotted paths and lines of all scalars and lists that nobody read, in the order of the file.
  std::vector<std::pair<std::string, int>> unused() const;

 private:
  YAML::Node at(const std::string& path) const;
  Place place_of(const YAML::Mark& mark) const;
  void refuse_unknown_in(const YAML::Node& node, const std::string& prefix, std::span<const std::string_view> known);
  void collect_unused(const YAML::Node& node, const std::string& prefix,
                      std::vector<std::pair<std::string, int>>& list) const;

  Sources sources_;
  std::uint32_t source_ = kNoSource;
  YAML::Node root_;
  Diagnostics diagnostics_;
  std::set<std::string> used_;
};

}  // namespace headrace::scenarios
