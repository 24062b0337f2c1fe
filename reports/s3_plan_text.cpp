#include "reports/s3_plan_text.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "reports/humane.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using namespace models::calibration;
using Json = nlohmann::ordered_json;

std::string price_text(const S3Prices& prices, const S3Plan& plan) {
  if (plan.usd)
    return fmt::format(
        "price at most ${:.4f} ({}; egress as to the internet, within a region it is mostly free: "
        "--s3-price-egress $0/GB)",
        *plan.usd, prices.source.empty() ? "as given" : prices.source);
  std::string missing;
  const auto look = [&missing](const std::optional<double>& price, const char* option) {
    if (!price) missing.append(missing.empty() ? "" : ", ").append(option);
  };
  look(prices.get_usd, "--s3-price-get");
  look(prices.put_usd, "--s3-price-put");
  look(prices.list_usd, "--s3-price-list");
  look(prices.egress_usd_per_byte, "--s3-price-egress");
  return "price not known: the catalogue has none for this host; where it charges, give " + missing;
}

}  // namespace

std::string s3_plan_text(const S3Request& request, const S3Plan& plan, const Style& style) {
  std::vector<std::vector<std::string>> rows{{"probe", "block", "connections", "requests"}};
  const auto add = [&rows](S3Kind kind, std::uint64_t block, unsigned connections, std::uint64_t requests) {
    rows.push_back({s3_kind_name(kind), block > 0 ? humane(static_cast<double>(block), "B") : "",
                    std::to_string(connections), std::to_string(requests)});
  };
  add(S3Kind::put, plan.objects.bytes, 1, plan.objects.count);
  for (const S3Arm& arm : plan.arms)
    add(arm.kind, arm.block_bytes, arm.connections, std::uint64_t{plan.rounds} * arm.requests);
  const S3Counts& most = plan.most;
  return style.bold(fmt::format("Probes of {}, budget {}", request.target.place(), request.budget)) + "\n" +
         table({kLeft, kRight, kRight, kRight}, rows) +
         fmt::format("  together at most {} GET, {} PUT, {} LIST, {} DELETE; {} down, {} up; {}\n", most.gets,
                     most.puts, most.lists, most.deletes, humane(most.down_bytes, "B"), humane(most.up_bytes, "B"),
                     humane(plan.most_s, "s", 2)) +
         "  " + wrapped(price_text(request.prices, plan), style.width, 2) + "\n" +
         fmt::format("  {} objects of its own in one folder below {}, deleted at the end\n", plan.objects.count,
                     request.target.place());
}

Json s3_plan_json(const S3Request& request, const S3Plan& plan) {
  Json probes = Json::array();
  for (const S3Arm& arm : plan.arms)
    probes.push_back({{"name", s3_kind_name(arm.kind)},
                      {"block_bytes", arm.block_bytes},
                      {"connections", arm.connections},
                      {"requests", std::uint64_t{plan.rounds} * arm.requests}});
  const auto known = [](const std::optional<double>& price) { return price ? Json(*price) : Json(nullptr); };
  const S3Prices& prices = request.prices;
  return {
      {"s3", request.target.place()},
      {"budget", request.budget},
      {"planned_s", plan.most_s},
      {"requests",
       {{"get", plan.most.gets}, {"put", plan.most.puts}, {"list", plan.most.lists}, {"delete", plan.most.deletes}}},
      {"down_bytes", plan.most.down_bytes},
      {"up_bytes", plan.most.up_bytes},
      {"prices",
       {{"get_usd", known(prices.get_usd)},
        {"put_usd", known(prices.put_usd)},
        {"list_usd", known(prices.list_usd)},
        {"egress_usd_per_byte", known(prices.egress_usd_per_byte)},
        {"source", prices.source}}},
      {"usd", known(plan.usd)},
      {"probes", std::move(probes)}};
}

}  // namespace headrace::reports
