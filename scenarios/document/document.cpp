#include "scenarios/document/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "scenarios/document/file_kind.hpp"

namespace headrace::scenarios {

const Member* Node::find_member(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}
const Node* Node::find(std::string_view key) const {
  const Member* member = find_member(key);
  return member == nullptr ? nullptr : &member->value;
}
Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

Node make_object(const Place& place) {
  Node node;
  node.type = Node::Type::object;
  node.place = place;
  return node;
}

Node make_string(std::string text, const Place& place) {
  Node node;
  node.type = Node::Type::string;
  node.text = std::move(text);
  node.place = place;
  return node;
}

std::string_view type_name(Node::Type type) {
  constexpr std::string_view names[] = {"null", "true or false", "a number", "a string", "a list", "an object"};
  return names[static_cast<std::size_t>(type)];
}

bool is_remark(std::string_view key) { return key == "$schema" || key.substr(0, 2) == "//"; }

namespace {

/// Input iterator over a text that tells how far the reader has come; nlohmann's SAX interface has no positions.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

bool is_number_char(char c) {
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

/// Builds the tree. After each token `count` is the offset of its end, for numbers one look-ahead character further.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const Sources& sources, std::uint32_t source, const std::size_t& count, Diagnostics& diagnostics)
      : sources_(sources), text_(sources[source].text), source_(source), count_(count), diagnostics_(diagnostics) {}

  bool null() override { return scalar(literal(Node::Type::null, 4)); }
  bool boolean(bool value) override {
    Node node = literal(Node::Type::boolean, value ? 4 : 5);
    node.boolean = value;
    return scalar(std::move(node));
  }
  bool number_integer(std::int64_t) override { return number(); }
  bool number_unsigned(std::uint64_t) override { return number(); }
  bool number_float(double, const std::string&) override { return number(); }
  bool string(std::string& value) override { return scalar(make_string(value, string_place())); }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Node::Type::object); }
  bool start_array(std::size_t) override { return open(Node::Type::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override;
  bool parse_error(std::size_t, const std::string& last_token, const nlohmann::detail::exception& error) override;

  Node root;

 private:
  struct Frame {
    Node node;
    std::set<std::string, std::less<>> keys;
    std::string key;
    Place key_place;
    bool duplicate = false;
  };

  Place place(std::size_t begin, std::size_t end) const { return {source_, begin, end}; }
  /// The string token that ends here. Every quote inside is escaped and nothing escapes the opening quote, so the first
  /// quote before the end with an even number of backslashes before it opens the string.
  Place string_place() const {
    std::size_t at = count_ - 1;
    while (at > 0) {
      --at;
      if (text_[at] != '"') continue;
      std::size_t slashes = 0;
      while (slashes < at && text_[at - 1 - slashes] == '\\') ++slashes;
      if (slashes % 2 == 0) break;
    }
    return place(at, count_);
  }
  Node literal(Node::Type type, std::size_t length) const {
    Node node;
    node.type = type;
    node.place = place(count_ - length, count_);
    return node;
  }
  bool number() {
    std::size_t end = count_;
    if (end > 0 && !is_number_char(text_[end - 1])) --end;  // the character that ended the number
    std::size_t begin = end;
    while (begin > 0 && is_number_char(text_[begin - 1])) --begin;
    Node node;
    node.type = Node::Type::number;
    node.place = place(begin, end);
    node.text = std::string(text_.substr(begin, end - begin));
    std::from_chars(node.text.data(), node.text.data() + node.text.size(), node.number);
    return scalar(std::move(node));
  }
  bool open(Node::Type type) {
    if (frames_.size() >= kDeepest) {
      complain("E0106", fmt::format("nested more than {} levels deep", kDeepest), place(count_ - 1, count_), "");
      return false;
    }
    Frame frame;
    frame.node.type = type;
    frame.node.place = place(count_ - 1, count_);
    last_end_ = count_;
    frames_.push_back(std::move(frame));
    return true;
  }
  bool close() {
    Node node = std::move(frames_.back().node);
    node.place.end = count_;
    frames_.pop_back();
    return scalar(std::move(node));
  }
  bool scalar(Node node) {
    last_end_ = node.place.end;
    if (frames_.empty()) {
      root = std::move(node);
      return true;
    }
    Frame& top = frames_.back();
    if (top.node.is(Node::Type::array)) {
      top.node.items.push_back(std::move(node));
    } else if (!top.duplicate) {
      top.node.members.push_back({top.key, top.key_place, std::move(node)});
    }
    return true;
  }
  void complain(std::string code, std::string message, const Place& where, std::string help) {
    Diagnostic d;
    d.code = std::move(code);
    d.message = std::move(message);
    d.where = excerpt_at(sources_, where);
    d.help = std::move(help);
    diagnostics_.add(std::move(d));
  }
  std::string pointer() const;
  void complain_at_end();
  std::size_t bad_token() const;
  bool has_open(Node::Type type) const {
    return std::any_of(frames_.begin(), frames_.end(), [type](const Frame& frame) { return frame.node.is(type); });
  }
  void complain_about_unclosed(const Place& where, std::string help);
  bool found_unclosed(std::size_t at, char previous, std::string_view what);
  bool found_end_without_begin(std::size_t at, char previous);
  bool found_key_in_list(std::size_t at, char previous, std::string_view what);
  void complain_about_syntax(std::size_t at, std::string_view what);

  const Sources& sources_;
  std::string_view text_;
  std::uint32_t source_;
  const std::size_t& count_;
  std::size_t last_end_ = 0;  ///< end of the last good key, value or bracket
  Diagnostics& diagnostics_;
  std::vector<Frame> frames_;
};

std::string TreeBuilder::pointer() const {
  std::string out;
  for (const Frame& frame : frames_) {
    const bool list = frame.node.is(Node::Type::array);
    out = join_pointer(out, list ? std::to_string(frame.node.items.size()) : frame.key);
  }
  return out;
}

bool TreeBuilder::key(std::string& value) {
  Frame& top = frames_.back();
  top.key = value;
  top.key_place = string_place();
  last_end_ = count_;
  top.duplicate = !top.keys.insert(value).second;
  if (top.duplicate && !is_remark(value) && diagnostics_.is_full()) {
    diagnostics_.count_one();
  } else if (top.duplicate && !is_remark(value)) {
    Diagnostic d;
    d.code = "E0108";
    d.message = fmt::format("duplicate key '{}' in the same object", value);
    d.pointer = pointer();
    d.where = excerpt_at(sources_, top.key_place);
    d.help = "keep one of them";
    if (const Member* first = top.node.find_member(value)) {
      d.related = "first here";
      d.related_where = excerpt_at(sources_, first->key_place);
    }
    diagnostics_.add(std::move(d));
  }
  if (top.duplicate && is_remark(value)) top.duplicate = false;
  return true;
}

/// What closes the brackets that are open at the end of a text, the innermost first: "]}". Empty where the text ends in
/// a string, or its brackets do not match.
std::string closing_brackets(std::string_view text) {
  std::string open;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '{' || c == '[') open += c == '{' ? '}' : ']';
    if (c != '}' && c != ']') continue;
    if (open.empty() || open.back() != c) return {};
    open.pop_back();
  }
  if (in_string) return {};
  return {open.rbegin(), open.rend()};
}

/// The text ended inside something: show what was left open.
void TreeBuilder::complain_at_end() {
  if (frames_.empty()) {
    complain("E0105", "the file ends in the middle of a value", place(text_.size(), text_.size()), "is it complete?");
    return;
  }
  const Frame& top = frames_.back();
  const bool list = top.node.is(Node::Type::array);
  const std::string closing = closing_brackets(text_);
  complain("E0105", fmt::format("the file ends inside the {} that begins here", list ? "list" : "object"),
           top.node.place,
           closing.size() > 1 ? fmt::format("close it and what is around it with '{}'; is the file complete?", closing)
                              : fmt::format("close it with '{}'; is the file complete?", list ? ']' : '}'));
}

/// Start of the token that the reader stopped in: what follows the last good token, separators aside.
std::size_t TreeBuilder::bad_token() const {
  std::size_t at = last_end_;
  while (at + 1 < count_ && std::string_view(" \t\r\n,:").find(text_[at]) != std::string_view::npos) ++at;
  return at;
}

/// The innermost object or list should have ended before `where`.
void TreeBuilder::complain_about_unclosed(const Place& where, std::string help) {
  const Node& open = frames_.back().node;
  const std::string_view kind = open.is(Node::Type::array) ? "list" : "object";
  Diagnostic d;
  d.code = "E0105";
  d.message = fmt::format("the {} that begins at line {} is not closed", kind,
                          sources_.line_of(source_, open.place.begin).number);
  d.where = excerpt_at(sources_, where);
  d.related = fmt::format("the {} begins here", kind);
  d.related_where = excerpt_at(sources_, open.place);
  d.help = std::move(help);
  diagnostics_.add(std::move(d));
}

/// A closing bracket of the other kind, a key of the object around a list, or the next object of the list around an
/// object. `previous` is the last character before it that is no blank.
bool TreeBuilder::found_unclosed(std::size_t at, char previous, std::string_view what) {
  if (frames_.empty() || at >= text_.size()) return false;
  const Frame& top = frames_.back();
  const bool list = top.node.is(Node::Type::array);
  const bool key_alone = previous == ':' || what.find("expected ':'") != std::string_view::npos;
  if (text_[at] == (list ? '}' : ']') && !key_alone) {
    const bool other_is_open = has_open(list ? Node::Type::object : Node::Type::array);
    if (!list && !other_is_open && found_end_without_begin(at, previous)) return true;
    const bool comma = previous == ',';
    const std::string_view where = other_is_open ? (comma ? "in place of the comma before this" : "before this")
                                   : comma       ? "in place of the comma and this"
                                                 : "in place of this";
    complain_about_unclosed(place(at, at + 1), fmt::format("write '{}' {}", list ? ']' : '}', where));
    return true;
  }
  if (list) return found_key_in_list(at, previous, what);
  const bool in_list = frames_.size() > 1 && frames_[frames_.size() - 2].node.is(Node::Type::array);
  if (text_[at] != '{' || !in_list || key_alone || previous == '{') return false;
  complain_about_unclosed(place(at, at + 1),
                          previous == ',' ? "write '}' before the comma in front of this" : "write '},' before this");
  return true;
}

/// A ']' behind an object, where the outer object goes on: its '[' is missing.
bool TreeBuilder::found_end_without_begin(std::size_t at, char previous) {
  const std::string& key = frames_.back().key;
  const std::size_t next = text_.find_first_not_of(" \t\r\n", at + 1);
  const bool goes_on = next != std::string_view::npos && text_[next] == ',';
  if (key.empty() || previous != '}' || !goes_on) return false;
  complain("E0105", "']' without a '[' before it", place(at, at + 1),
           fmt::format("write '[' before the value of '{}', or take this ']' out", key));
  return true;
}

/// A string and ':' inside a list; with a comma before it the string has been read as an element.
bool TreeBuilder::found_key_in_list(std::size_t at, char previous, std::string_view what) {
  const std::vector<Node>& items = frames_.back().node.items;
  if (items.empty()) return false;
  const std::size_t next = text_.find_first_not_of(" \t\r\n", count_);
  const bool as_element = text_[at] == ':' && previous == '"' && items.back().is(Node::Type::string);
  const bool without_comma = text_[at] == '"' && what.find("expected ']'") != std::string_view::npos &&
                             next != std::string_view::npos && text_[next] == ':';
  if (!as_element && !without_comma) return false;
  const Place key = as_element ? items.back().place : place(at, count_);
  if (!has_open(Node::Type::object) || (as_element && items.size() == 1))
    complain("E0105", "a list has no keys", key, "write keys and their values between '{' and '}'");
  else
    complain_about_unclosed(key,
                            as_element ? "write ']' before the comma in front of this key" : "write '],' before this");
  return true;
}

void TreeBuilder::complain_about_syntax(std::size_t at, std::string_view what) {
  const std::string_view rest = text_.substr(std::min(at, text_.size()));
  std::size_t length = 1;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (!rest.empty() && rest.front() == '"') length = std::max<std::size_t>(1, count_ - at);
  while (!rest.empty() && is_letter(rest.front()) && length < rest.size() && is_letter(rest[length])) ++length;
  const Place where = place(at, at + length);
  const auto starts = [&rest](std::string_view s) { return rest.substr(0, s.size()) == s; };
  const std::size_t before = at == 0 ? std::string_view::npos : text_.find_last_not_of(" \t\r\n", at - 1);
  const char previous = before == std::string_view::npos ? '\0' : text_[before];
  if (found_unclosed(at, previous, what)) return;
  if ((starts("}") || starts("]")) && previous == ',') {
    complain("E0105", "a comma before the closing bracket", place(before, before + 1), "remove the comma");
  } else if (starts(",") && (previous == ',' || previous == '[' || previous == '{')) {
    const std::string closing = closing_brackets(text_);
    complain("E0105", previous == ',' ? "one comma too many" : "a comma with nothing before it", where,
             closing.empty() ? std::string("remove this comma")
                             : fmt::format("remove this comma, and write '{}' at the end of the file", closing));
  } else if (starts("/") || starts("#")) {
    complain("E0105", "JSON has no comments", where, "write the remark as a key: \"//\": \"...\"");
  } else if (starts("'")) {
    complain("E0105", "strings need double quotes", where, "replace ' by \"");
  } else if (starts("NaN") || starts("nan") || starts("Inf") || starts("inf") || starts("-Inf") || starts("-inf")) {
    complain("E0107", "NaN and infinity are not numbers in JSON", where, "write a finite number");
  } else if (what.find("expected end of input") != std::string_view::npos) {
    complain("E0105", "more text after the end of the value", where, "a file has one JSON value");
  } else if ((starts("}") || starts("]") || starts(",")) &&
             (previous == ':' || what.find("expected ':'") != std::string_view::npos)) {
    complain("E0105", "a value is missing before this", where, "write the value of the key, or remove the key");
  } else if (what.find("expected '}'") != std::string_view::npos ||
             what.find("expected ']'") != std::string_view::npos) {
    const bool list = what.find("expected ']'") != std::string_view::npos;
    complain("E0105", fmt::format("expected ',' or '{}'", list ? ']' : '}'), where, "is a comma missing before this?");
  } else if (what.find("control character") != std::string_view::npos) {
    complain("E0105", "a line break or control character inside a string", where,
             "close the string with \" or write \\n");
  } else {
    const std::size_t expected = what.rfind("expected ");
    const bool known = expected != std::string_view::npos && what.substr(expected - 2, 2) != "un";
    complain("E0105", known ? fmt::format("not valid JSON: {}", what.substr(expected)) : "not valid JSON here", where,
             where.begin == 0 ? "a scenario is a JSON object, {\"cluster\": ...}: headrace init writes one" : "");
  }
}

bool TreeBuilder::parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
  const std::string_view what = error.what();
  const std::string_view tail = text_.substr(std::min(bad_token(), text_.size()));
  const auto begins = [&tail](std::string_view word) { return !tail.empty() && word.substr(0, tail.size()) == tail; };
  if (what.find("out_of_range.406") != std::string_view::npos) {
    std::size_t end = count_;
    if (end > 0 && !is_number_char(text_[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_number_char(text_[begin - 1])) --begin;
    complain("E0107", fmt::format("{} is too large for a number", text_.substr(begin, end - begin)), place(begin, end),
             "the largest number is about 1.8e308");
  } else if (what.find("UTF-8") != std::string_view::npos || what.find("invalid BOM") != std::string_view::npos) {
    complain("E0109", "the file is not UTF-8 here", place(count_ == 0 ? 0 : count_ - 1, count_), "save it as UTF-8");
  } else if (what.find("end of input; expected") != std::string_view::npos ||
             what.find("missing closing quote") != std::string_view::npos || begins("true") || begins("false") ||
             begins("null")) {
    complain_at_end();
  } else {
    complain_about_syntax(bad_token(), what);
  }
  return false;
}

}  // namespace

std::optional<Node> parse_document(const Sources& sources, std::uint32_t source, Diagnostics& diagnostics) {
  const std::string& text = sources[source].text;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos || text == "\xEF\xBB\xBF") {
    Diagnostic d;
    d.code = "E0103";
    d.message = "the file is empty";
    d.where.file = sources[source].name;
    d.help = "headrace init prints a scenario to start from";
    diagnostics.add(std::move(d));
    return std::nullopt;
  }
  if (const FileKind* kind = sources[source].kind == SourceKind::file ? kind_of_text(text) : nullptr) {
    Diagnostic d;
    d.code = "E0131";
    d.message = fmt::format("this is {}, not JSON", kind->what);
    d.where.file = sources[source].name;
    d.help = std::string(kind->use);
    diagnostics.add(std::move(d));
    return std::nullopt;
  }
  std::size_t count = 0;
  TreeBuilder builder(sources, source, count, diagnostics);
  const CountingIterator begin(text.data(), &count);
  const CountingIterator end(text.data() + text.size(), &count);
  if (!nlohmann::json::sax_parse(begin, end, &builder)) return std::nullopt;
  return std::move(builder.root);
}

std::optional<std::vector<std::string>> pointer_tokens(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (pointer.empty()) return tokens;
  if (pointer.front() != '/') return std::nullopt;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer[i] == '~') {
      if (i + 1 >= pointer.size() || (pointer[i + 1] != '0' && pointer[i + 1] != '1')) return std::nullopt;
      tokens.back() += pointer[++i] == '0' ? '~' : '/';
    } else {
      tokens.back() += pointer[i];
    }
  }
  return tokens;
}

std::string join_pointer(std::string_view pointer, std::string_view token) {
  std::string out = fmt::format("{}/", pointer);
  for (const char c : token) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

const Node* find_at(const Node& root, std::string_view pointer) {
  const auto tokens = pointer_tokens(pointer);
  if (!tokens) return nullptr;
  const Node* at = &root;
  for (const std::string& token : *tokens) {
    if (at->is(Node::Type::array)) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
      if (error != std::errc() || end != token.data() + token.size() || index >= at->items.size()) return nullptr;
      at = &at->items[index];
    } else if ((at = at->find(token)) == nullptr) {
      return nullptr;
    }
  }
  return at;
}

namespace {

std::string json_quoted(std::string_view text) { return nlohmann::json(std::string(text)).dump(); }

std::string print_flat(const Node& node) {
  switch (node.type) {
    case Node::Type::null:
      return "null";
    case Node::Type::boolean:
      return node.boolean ? "true" : "false";
    case Node::Type::number:
      return node.text;
    case Node::Type::string:
      return json_quoted(node.text);
    case Node::Type::array: {
      std::string out;
      for (const Node& item : node.items) out += (out.empty() ? "" : ", ") + print_flat(item);
      return "[" + out + "]";
    }
    case Node::Type::object:
      break;
  }
  std::string out;
  for (const Member& member : node.members) {
    out += (out.empty() ? "" : ", ") + json_quoted(member.key) + ": " + print_flat(member.value);
  }
  return "{" + out + "}";
}

bool has_children_with_children(const Node& node) {
  const auto nested = [](const Node& n) { return n.is(Node::Type::array) || n.is(Node::Type::object); };
  return std::any_of(node.items.begin(), node.items.end(), nested) ||
         std::any_of(node.members.begin(), node.members.end(), [&](const Member& m) { return nested(m.value); });
}

void print_into(const Node& node, std::size_t indent, std::string& out) {
  constexpr std::size_t widest = 100;
  if (!node.is(Node::Type::array) && !node.is(Node::Type::object)) {
    out += print_flat(node);
    return;
  }
  if (!has_children_with_children(node)) {
    const std::string flat = print_flat(node);
    if (flat.size() + indent <= widest) {
      out += flat;
      return;
    }
  }
  const bool list = node.is(Node::Type::array);
  const std::string pad(indent + 2, ' ');
  out += list ? "[" : "{";
  bool first = true;
  const auto next = [&] {
    out += first ? "\n" : ",\n";
    out += pad;
    first = false;
  };
  for (const Node& item : node.items) {
    next();
    print_into(item, indent + 2, out);
  }
  for (const Member& member : node.members) {
    next();
    out += json_quoted(member.key) + ": ";
    print_into(member.value, indent + 2, out);
  }
  out += "\n" + std::string(indent, ' ') + (list ? "]" : "}");
}

}  // namespace

std::string print_json(const Node& node) {
  std::string out;
  print_into(node, 0, out);
  return out + "\n";
}

}  // namespace headrace::scenarios
