// Edits that change what the scenario has: another pool, store, job, dataset, tier; one less; a figure that was
// measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/presenter/scenario_document.hpp"

namespace headrace::gui {

/// The list and the place in it that a pointer leads through last: "/cluster/pools", 0 of
/// "/cluster/pools/0/nic/bandwidth".
struct ListPlace {
  std::string list;
  std::size_t index = 0;
};
std::optional<ListPlace> list_of(const ScenarioDocument& document, const std::string& pointer);

/// One more like the element there, with a name of its own: the whole list as one edit. nullopt where there is no list
/// of objects.
std::optional<Edit> one_more(const ScenarioDocument& document, const ListPlace& place);

/// Lists that may take an element, whether they have one or not: "/stores", "/jobs/0/checkpoint/tiers".
std::vector<std::string> open_lists(const ScenarioDocument& document);

/// A first element of a list that has none: what the description requires of it, with names of what the scenario has,
/// the first that it accepts. nullopt where none is.
std::optional<Edit> first_element(const ScenarioDocument& document, const std::string& list);

/// Records that the scenario may state and does not, where it has what they belong to: "/prices/resources",
/// "/jobs/0/checkpoint".
std::vector<std::string> open_sections(const ScenarioDocument& document);

/// Such a record with what its description requires; nullopt where none is accepted.
std::optional<Edit> first_section(const ScenarioDocument& document, const std::string& section);

/// One more element at the end of a list, or its first.
std::optional<Edit> added_element(const ScenarioDocument& document, const std::string& list);

/// Edits that add one more like the element there. A job that finds no free node in its pool gets a pool of its own,
/// like that one. nullopt where no edit of that kind is accepted.
std::optional<std::vector<Edit>> added_like(const ScenarioDocument& document, const ListPlace& place);

/// The list with the element before the one that it follows; nullopt for the first.
std::optional<Edit> moved_up(const ScenarioDocument& document, const ListPlace& place);

/// The scenario without a record that it may leave out, "/faults"; nullopt where the pointer is not one, or not there.
std::optional<Edit> without_section(const ScenarioDocument& document, const std::string& pointer);

/// The list without the element. Whether something else needs it shows when the edit is tried.
std::optional<Edit> one_less(const ScenarioDocument& document, const ListPlace& place);

/// The figure at the pointer, or the law that it is part of, stated as measured in `input_ranges`, so that ranges of
/// inputs leave it alone; the document with it, or complaints.
tl::expected<ScenarioDocument, scenarios::Diagnostics> marked_measured(const ScenarioDocument& document,
                                                                       const std::string& pointer);

}  // namespace headrace::gui
