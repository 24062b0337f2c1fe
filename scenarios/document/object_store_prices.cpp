#include "scenarios/document/object_store_prices.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

/// Hosts by their ends, and the entries with their prices.
constexpr std::array<std::pair<const char*, const char*>, 4> kProviders = {{
    {".amazonaws.com", "s3-standard"},
    {".amazonaws.com.cn", "s3-standard"},
    {"storage.googleapis.com", "gcs-standard"},
    {".r2.cloudflarestorage.com", "cloudflare-r2"},
}};

std::optional<double> figure(const Node& prices, const char* key, models::Unit unit) {
  const Node* node = prices.find(key);
  if (node == nullptr || !node->is(Node::Type::string)) return std::nullopt;
  const auto value = parse_quantity(node->text, unit);
  return value ? std::optional(*value) : std::nullopt;
}

}  // namespace

models::calibration::S3Prices object_store_prices(const Catalogue& catalogue, const std::string& host) {
  models::calibration::S3Prices prices;
  for (const auto& [end, name] : kProviders) {
    if (!host.ends_with(end)) continue;
    Sources sources;
    const std::optional<Node> entry = catalogue.entry("store", name, sources);
    const Node* price = entry ? entry->find("price") : nullptr;
    if (price == nullptr) return prices;
    prices.get_usd = figure(*price, "request", models::Unit::usd_per_request);
    // Providers charge writing as listing.
    prices.put_usd = prices.list_usd = figure(*price, "list", models::Unit::usd_per_request);
    prices.egress_usd_per_byte = figure(*price, "egress", models::Unit::usd_per_byte);
    const Node* request = price->find("request");
    prices.source =
        fmt::format("catalogue, {}{}", name, request == nullptr || request->as_of.empty() ? "" : ", " + request->as_of);
    return prices;
  }
  return prices;
}

}  // namespace headrace::scenarios
