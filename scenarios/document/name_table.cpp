#include "scenarios/document/name_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/document/edit_distance.hpp"

namespace headrace::scenarios {

void NameTable::add(ValueReader& reader, NamedPlace name) {
  const auto [known, is_new] = numbers_.try_emplace({name.kind, name.name}, names_.size());
  if (is_new) return names_.push_back(std::move(name));
  const NamedPlace* other = &names_[known->second];
  reader.complain_about_both("E0212", name.pointer, name.place, other->place,
                             fmt::format("two elements of kind {} have the name '{}'", kind_name(name.kind), name.name),
                             "give each its own name");
}

void NameTable::check(ValueReader& reader) const {
  for (const NamedPlace& reference : references_) {
    if (numbers_.count({reference.kind, reference.name}) > 0 || excused_.count(reference.name) > 0) continue;
    if (reader.is_full()) {
      reader.complain("E0211", reference.pointer, reference.place, {}, {});
      continue;
    }
    std::vector<std::string_view> known;
    for (const NamedPlace& name : names_)
      if (name.kind == reference.kind) known.push_back(name.name);
    std::string help = suggest(reference.name, known);
    if (reader.is_in_layer(reference.place) &&
        (reference.kind == models::Kind::store || reference.kind == models::Kind::pool))
      help += fmt::format("{}headrace import takes the name by --{} {}", help.empty() ? "" : "; ",
                          kind_name(reference.kind), known.size() == 1 ? known.front() : "NAME");
    reader.complain("E0211", reference.pointer, reference.place,
                    fmt::format("there is no {} named '{}'", kind_name(reference.kind), reference.name),
                    std::move(help));
  }
}

}  // namespace headrace::scenarios
