#include <fmt/format.h>

#include "scenarios/bakeoff/offer.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/file_kind.hpp"
#include "scenarios/document/shipped_names.hpp"
#include "scenarios/document/site_file.hpp"

namespace headrace::scenarios {
namespace {

Diagnostic offer_complaint(const char* code, std::string message, const Excerpt& where, std::string help) {
  Diagnostic d;
  d.code = code;
  d.message = std::move(message);
  d.where = where;
  d.help = std::move(help);
  return d;
}

/// A file as written, or a shipped offer of that name.
std::optional<Source> offer_text(const std::string& path, Diagnostics& diagnostics) {
  for (const EmbeddedText& shipped : embedded_offers())
    if (path == shipped.name)
      return Source{SourceKind::file, fmt::format("shipped:{}.json", path), std::string(shipped.text), 0};
  std::optional<std::string> text = read_text_or_propose(path, embedded_offers(), "offer", diagnostics);
  if (!text) return std::nullopt;
  return Source{SourceKind::file, path, std::move(*text), 0};
}

/// The store of a measured layer: the only one, or the one with the offer's name.
const Node* measured_store(const Node& layer, const std::string& name) {
  const Node* stores = layer.find("stores");
  if (stores == nullptr || stores->items.empty()) return nullptr;
  for (const Node& store : stores->items)
    if (const Node* own = store.find("name"); own != nullptr && own->text == name) return &store;
  return stores->items.size() == 1 ? &stores->items.front() : nullptr;
}

/// Every figure that was measured has evidence "measured", whether it was claimed or not.
void mark_claim(const std::string& key, const std::string& file, Offer& offer) {
  std::erase_if(offer.claims,
                [&](const Claim& claim) { return claim.parameter == key || claim.parameter.starts_with(key + "/"); });
  offer.claims.push_back({key, models::Evidence::measured, "as measured", file, "", ""});
}

void lay_measured(const std::string& path, LoadedOffer& loaded, Diagnostics& diagnostics) {
  std::optional<std::string> text = read_text(path, diagnostics);
  if (!text) return;
  const std::uint32_t source = loaded.sources.add({SourceKind::file, path, std::move(*text), 0});
  const std::optional<Node> layer = parse_document(loaded.sources, source, diagnostics);
  if (!layer) return;
  const Node* store = measured_store(*layer, loaded.offer.name);
  if (store == nullptr)
    return diagnostics.add(offer_complaint(
        "E0550", fmt::format("no figure of a store was measured for offer '{}'", loaded.offer.name),
        excerpt_at(loaded.sources, layer->place),
        "give a layer of headrace import or calibrate whose stores have one element, or one with the offer's name"));
  Node figures = *store;
  std::erase_if(figures.members, [](const Member& m) { return m.key == "name" || is_remark(m.key); });
  lay_over(loaded.store, figures);
  for (const Member& figure : figures.members) mark_claim(figure.key, path, loaded.offer);
}

Node object_of(Node* node) { return node != nullptr ? *node : make_object(); }

}  // namespace

tl::expected<LoadedOffer, Diagnostics> load_offer(const std::string& path, const std::string& measured) {
  LoadedOffer loaded;
  Diagnostics diagnostics;
  std::optional<Source> text = offer_text(path, diagnostics);
  if (!text) return tl::unexpected(std::move(diagnostics));
  const std::uint32_t source = loaded.sources.add(std::move(*text));
  std::optional<Node> root = parse_document(loaded.sources, source, diagnostics);
  if (!root || !diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  const Node* kind = root->find("kind");
  if (auto other = complaint_about_kind(*root, loaded.sources, "an offer", {FileType::offer})) {
    if (other->message.starts_with("this is a scenario")) other->help = "scenarios stand before --offers";
    diagnostics.add(std::move(*other));
    return tl::unexpected(std::move(diagnostics));
  }
  if (kind == nullptr || kind->text != "offer") {
    diagnostics.add(offer_complaint("E0131", fmt::format("'{}' does not say that it is an offer", path),
                                    excerpt_at(loaded.sources, kind == nullptr ? root->place : kind->place),
                                    "write \"kind\": \"offer\"; scenarios stand before --offers"));
    return tl::unexpected(std::move(diagnostics));
  }
  const auto describe_fresh = [&loaded](models::Visitor& visitor) {
    loaded.offer = Offer{};
    describe(loaded.offer, visitor);
  };
  parse_record(*root, loaded.sources, Catalogue::shipped(), Names::keep, describe_fresh, diagnostics);
  for (const char* key : {"store", "degraded"})
    if (const Node* node = root->find(key); node != nullptr && !node->is(Node::Type::object))
      diagnostics.add(offer_complaint("E0201", fmt::format("'{}' of an offer is an object of claims", key),
                                      excerpt_at(loaded.sources, node->place), "write {\"bandwidth\": \"40 GB/s\"}"));
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  loaded.place = root->place;
  loaded.store = object_of(root->find("store"));
  loaded.degraded = object_of(root->find("degraded"));
  const Node* claims = root->find("claims");
  loaded.claims = claims != nullptr ? claims->place : root->place;
  if (!measured.empty()) lay_measured(measured, loaded, diagnostics);
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return loaded;
}

namespace {

void shift_sources(Node& node, std::uint32_t by) {
  const auto shift = [by](Place& place) {
    if (place.known()) place.source += by;
  };
  shift(node.place);
  for (Node& item : node.items) shift_sources(item, by);
  for (Member& member : node.members) {
    shift(member.key_place);
    shift_sources(member.value, by);
  }
}

}  // namespace

tl::expected<LoadedScenario, Diagnostics> with_offer(const LoadedScenario& base, std::size_t store,
                                                     const LoadedOffer& offer, bool degraded,
                                                     const Catalogue& catalogue) {
  Composition composition = base.composition;
  composition.sources = std::make_shared<Sources>(*base.composition.sources);
  const auto first = static_cast<std::uint32_t>(composition.sources->size());
  for (std::uint32_t i = 0; i < offer.sources.size(); ++i) composition.sources->add(offer.sources[i]);
  Node value = offer.store;
  if (degraded) lay_over(value, offer.degraded);
  shift_sources(value, first);
  std::erase_if(value.members, [](const Member& m) { return m.key == "name"; });
  const Place place = value.place;
  value.members.insert(value.members.begin(), {"name", place, make_string(base.value.stores[store].name, place)});
  Setting setting{fmt::format("/stores/{}", store), place, std::move(value)};
  auto loaded = load_variant<models::Scenario>(composition, {&setting, 1}, catalogue);
  return loaded;
}

}  // namespace headrace::scenarios
