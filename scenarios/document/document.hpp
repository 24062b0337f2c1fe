// A JSON file as an ordered tree in which every key and value knows its place. Structs are resolved from it; saving it
// keeps unknown keys, remarks and order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/diagnostic.hpp"
#include "scenarios/document/source.hpp"

namespace headrace::scenarios {

struct Member;

/// How well a catalogue figure is known, beside its value.
struct FigureKnowledge {
  std::string evidence;  ///< "read", "computed" or "assumed"
  std::string low;       ///< plausible range, spelled like the figure; empty: none
  std::string high;
  bool one_client = false;  ///< a benchmark on one machine measured it
};

/// One JSON value.
struct Node {
  enum class Type : std::uint8_t { null, boolean, number, string, array, object };
  Type type = Type::null;
  bool boolean = false;
  double number = 0.0;
  std::string text;  ///< string: its value; number: its spelling
  std::vector<Node> items;
  std::vector<Member> members;
  Place place;
  /// Origin of a catalogue figure ("2023-10-18; vendor page"); empty elsewhere.
  std::string as_of;
  std::shared_ptr<const FigureKnowledge> knowledge;  ///< of a catalogue figure
  /// Set where the schema expects one of several alternatives: a layer that picks another one replaces the value.
  bool variant = false;
  /// A bare number that was brought into the record for which it stands: a layer that states the record replaces it.
  bool bare = false;

  bool is(Type t) const { return type == t; }
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  const Member* find_member(std::string_view key) const;
};

struct Member {
  std::string key;
  Place key_place;
  Node value;
};

Node make_object(const Place& place = {});
Node make_string(std::string text, const Place& place = {});

/// "an object", "a list", ... for messages.
std::string_view type_name(Node::Type type);

inline constexpr std::size_t kDeepest = 64;
inline constexpr std::uint64_t kLargestFileBytes = 16'000'000;

/// Parses one source. Adds E0103, E0105 to E0109 and returns nullopt on a syntax error; duplicate keys are complaints
/// too, but the tree (with the first of them) is still returned.
std::optional<Node> parse_document(const Sources& sources, std::uint32_t source, Diagnostics& diagnostics);

/// Reads a file ("-" is standard input) of at most `most` bytes. Adds E0101, E0102, E0104 and returns nullopt when it
/// cannot be read.
std::optional<std::string> read_text(const std::string& path, Diagnostics& diagnostics,
                                     std::uint64_t most = kLargestFileBytes);

/// JSON text, indented by two, order kept. Short lists and objects stay on one line.
std::string print_json(const Node& node);

/// Splits "/a/b~1c" into its tokens; nullopt when it is no JSON pointer (RFC 6901).
std::optional<std::vector<std::string>> pointer_tokens(std::string_view pointer);

/// Appends a token with ~ and / escaped.
std::string join_pointer(std::string_view pointer, std::string_view token);

/// The value at a pointer, or nullptr.
const Node* find_at(const Node& root, std::string_view pointer);

/// Keys for the reader only: "$schema" and everything that starts with "//".
bool is_remark(std::string_view key);

}  // namespace headrace::scenarios
