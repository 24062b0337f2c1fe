// Puts a scenario together from layered files, "extends" and overrides, and remembers where each value came from.
// Later wins: extended files, then the file itself, then the next file given, then --set from left to right.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "scenarios/document/canonical_text.hpp"
#include "scenarios/document/catalogue.hpp"
#include "scenarios/document/parse_visitor.hpp"
#include "scenarios/document/print_visitor.hpp"

namespace headrace::scenarios {

struct Origin {
  enum class Kind : std::uint8_t { default_value, file, override_argument, catalogue };
  Kind kind = Kind::default_value;
  std::string name;  ///< file, "--set", or catalogue section with its version
  int line = 0;
  int column = 0;
  int layer = 0;                                     ///< which of the given files, 0 first
  std::string as_of;                                 ///< date and source of a catalogue figure
  std::string text;                                  ///< the value as it was written
  std::shared_ptr<const FigureKnowledge> knowledge;  ///< of a catalogue figure

  /// Whether it stands in a scenario that the program carries.
  bool is_shipped() const { return kind == Kind::file && name.starts_with("shipped:"); }
  /// "cluster.json:4:5", "--set /a=1", "catalogue gpu (...), 2023; vendor page" or "default".
  std::string print() const;
};

struct LoadOptions {
  /// Folders in which files named by "extends" and on the command line are looked for when they are not found as
  /// written;
  /// ".json" may be left out.
  std::vector<std::string> search_path;
  /// Scenarios known by name, looked at last; nullptr: the shipped ones.
  const std::vector<EmbeddedText>* shipped = nullptr;
  /// Texts by path that stand for files: a scenario inside another document is composed from its place there.
  const std::map<std::string, std::string>* texts = nullptr;
  const Catalogue* catalogue = nullptr;    ///< nullptr: the shipped one
  PlaceOfKey elsewhere = {};               ///< for the fix of an unknown key
  std::span<const std::string> slos = {};  ///< thresholds of the flag --slo, laid over all
};

/// A layer whose figures were held against the machine itself (`headrace verify`).
struct VerifiedLayer {
  std::string file;
  std::string date;
  std::uint64_t points = 0;
  double idle_error_points = 0.0;
  double idle_error_largest = 0.0;
};

/// The document of a load: as composed, and with catalogue figures in place.
struct Composition {
  std::shared_ptr<Sources> sources = std::make_shared<Sources>();
  Node document;
  Node inlined;
  std::string catalogue_version;
  std::vector<VerifiedLayer> verified;
  std::vector<std::string> notes;   ///< what the reader should know: "unet3d.json replaces job 'train'"
  std::vector<std::string> inputs;  ///< the given files, as Origin::name has them

  /// Origin of the value at a pointer into the full shape; a part of a short form has the origin of the short form.
  Origin origin_of(std::string_view pointer) const;
};

/// Reads, layers, overrides and resolves. `describe_fresh` is called several times and must describe a new record each
/// time; the last one holds the result.
tl::expected<Composition, Diagnostics> compose(std::span<const std::string> paths,
                                               std::span<const std::string> overrides, const LoadOptions& options,
                                               const DescribeFunction& describe_fresh);

/// A value for the place that a JSON pointer names, as --set puts it there; both remember where they are written.
struct Setting {
  std::string pointer;
  Place pointer_place;
  Node value;
};

/// The composition with some values set in it, resolved anew; places are those of `base.sources`, which the result
/// keeps. Adds E0302 for a path that leads nowhere, and every complaint about the result.
tl::expected<Composition, Diagnostics> vary(const Composition& base, std::span<const Setting> settings,
                                            const Catalogue& catalogue, const DescribeFunction& describe_fresh);

/// A resolved record of type T.
template <class T>
struct Loaded {
  T value;
  Composition composition;
  nlohmann::ordered_json resolved;  ///< every parameter, with units
  std::string sha256;               ///< fingerprint of the resolved record

  Origin origin_of(std::string_view pointer) const { return composition.origin_of(pointer); }
};

/// A T as `composes` puts it together from the function that describes it.
template <class T, class Composes>
tl::expected<Loaded<T>, Diagnostics> load_by(const Composes& composes) {
  Loaded<T> loaded;
  const auto describe_fresh = [&loaded](models::Visitor& visitor) {
    loaded.value = T{};
    describe(loaded.value, visitor);
  };
  auto composed = composes(describe_fresh);
  if (!composed) return tl::unexpected(std::move(composed.error()));
  loaded.composition = std::move(*composed);
  const auto describe_value = [&loaded](models::Visitor& visitor) { describe(loaded.value, visitor); };
  loaded.resolved = print_record(describe_value);
  loaded.sha256 = fingerprint(describe_value);
  return loaded;
}

/// Loads a T that has a description: see compose().
template <class T>
tl::expected<Loaded<T>, Diagnostics> load(std::span<const std::string> paths,
                                          std::span<const std::string> overrides = {},
                                          const LoadOptions& options = {}) {
  return load_by<T>([&](const DescribeFunction& fresh) { return compose(paths, overrides, options, fresh); });
}

/// A record with some values set in it: see vary().
template <class T>
tl::expected<Loaded<T>, Diagnostics> load_variant(const Composition& base, std::span<const Setting> settings,
                                                  const Catalogue& catalogue) {
  return load_by<T>([&](const DescribeFunction& fresh) { return vary(base, settings, catalogue, fresh); });
}

}  // namespace headrace::scenarios
