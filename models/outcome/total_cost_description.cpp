#include "models/describe/describe.hpp"
#include "models/outcome/total_cost.hpp"

namespace headrace::models {

void describe(CashFlow& f, Visitor& v) {
  v.number("end_years", f.end_years, {.meaning = "End of the period; 0: what is paid at the start"});
  v.number("capital_usd", f.capital, {.meaning = "Bought, less what is sold"});
  v.number("lease_usd", f.lease, {.meaning = "Parts of leased capital"});
  v.number("rent_usd", f.rent, {.meaning = "Rented machines and contracts of stores"});
  v.number("support_usd", f.support, {.meaning = "Support of what is owned"});
  v.number("energy_usd", f.energy, {.meaning = "Electric energy, with that of the site"});
  v.number("space_usd", f.space, {.meaning = "Rack units"});
  v.number("staff_usd", f.staff, {.meaning = "Staff"});
  v.number("storage_usd", f.storage, {.meaning = "Storage, requests and egress that are paid by use"});
  v.number("migration_usd", f.migration, {.meaning = "One-time cost of moving data and jobs"});
  v.number("total_usd", f.total, {.meaning = "All of these"});
  v.number("present_value_usd", f.present_value, {.meaning = "The total, discounted to the start"});
  v.number("useful_gpu_hours", f.useful_gpu_hours,
           {.meaning = "GPU hours of training progress, in the time in which machines are used"});
}

void describe(InvestmentReturn& r, Visitor& v) {
  v.number("saves_usd_per_year", r.saves_usd_per_year, {.meaning = "Waiting that the investment removes, per year"});
  v.number("payback_years", r.payback_years, {.meaning = "Capital over what it saves, without interest"});
  v.number("net_present_value_usd", r.net_present_value_usd,
           {.meaning = "Present value of what it saves, less its capital"});
}

void describe(Confidence& c, Visitor& v) {
  static constexpr ChoiceName<ConfidenceGrade> kGrades[] = {
      {ConfidenceGrade::measured_here, kConfidenceGradeNames[0]},
      {ConfidenceGrade::near_measurements, kConfidenceGradeNames[1]},
      {ConfidenceGrade::extrapolated, kConfidenceGradeNames[2]},
      {ConfidenceGrade::assumed, kConfidenceGradeNames[3]}};
  v.choice("grade", c.grade, kGrades, {.meaning = "How far the answer can be trusted"});
  v.text("reason", c.reason, {.meaning = "Why it has this grade"});
  v.flag("may_change_verdict", c.may_change_verdict,
         {.meaning = "What the evidence leaves open is enough to turn the verdict"});
}

void describe(TotalCostAnswer& a, Visitor& v) {
  v.number("horizon_years", a.horizon_years, {.meaning = "Time over which costs are added up"});
  v.number("discount_rate", a.discount_rate, {.meaning = "Interest per year by which later payments count less"});
  v.number("gpus", a.gpus, {.meaning = "GPUs of all jobs"});
  v.number("used_fraction", a.used_fraction, {.meaning = "Share of the time in which machines are used"});
  v.number("goodput_fraction", a.goodput_fraction, {.meaning = "Share of the time that is training progress"});
  v.number("gpu_idle_fraction", a.gpu_idle_fraction, {.meaning = "Share of GPU time spent waiting for data"});
  v.number("total_usd", a.total_usd, {.meaning = "All payments, not discounted"});
  v.number("present_value_usd", a.present_value_usd, {.meaning = "All payments, discounted to the start"});
  v.number("useful_gpu_hours", a.useful_gpu_hours,
           {.meaning = "GPU hours of training progress, in the time in which machines are used"});
  v.number("usd_per_useful_gpu_hour", a.usd_per_useful_gpu_hour,
           {.meaning = "Present value of the payments over that of the useful GPU hours"});
  v.number("idle_usd_per_year", a.idle_usd_per_year, {.meaning = "Cost of GPUs that wait for data, per year"});
  v.number("doing_nothing_usd", a.doing_nothing_usd, {.meaning = "Present value of it over the horizon"});
  v.number("site_power_w", a.room.site_power_w, {.meaning = "Power of what is owned, with that of the site, in W"});
  v.number("rack_units", a.room.rack_units, {.meaning = "Rack units of what is owned"});
  v.quantity("node_drive_writes_per_day", a.room.node_drive_writes_per_day, Unit::one,
             {.meaning = "Capacities of a node's drives written per day", .rule = "none, or no capacity is stated"});
  v.quantity("store_drive_writes_per_day", a.room.store_drive_writes_per_day, Unit::one,
             {.meaning = "Capacities of a store written per day, of the store that is written most",
              .rule = "none, or no capacity is stated"});
  v.optional_record("investment", a.investment, {.meaning = "Money against waiting (prices/investment)"});
  v.list("cash_flow", a.cash_flow, {.meaning = "Payments by year or quarter"});
}

void describe(GainOverNothing& g, Visitor& v) {
  v.number("usd_per_useful_gpu_hour", g.usd_per_hour, {.meaning = "What a useful GPU hour costs without the change"});
  v.number("doing_nothing_usd", g.gained_usd,
           {.meaning = "Present value of the useful GPU hours gained: the cost of doing nothing"});
  v.number("net_present_value_usd", g.net_present_value_usd,
           {.meaning = "Present value of these hours and of the payments saved"});
  v.quantity("payback_years", g.payback_years, Unit::one,
             {.meaning = "Time until these have paid back what more is paid", .rule = "not within the horizon"});
}

}  // namespace headrace::models
