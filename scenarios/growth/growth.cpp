#include "scenarios/growth/growth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "models/answer/flow_bound.hpp"
#include "models/base/purposes.hpp"
#include "models/base/task_pool.hpp"
#include "models/outcome/price_warnings.hpp"
#include "models/study/study.hpp"
#include "sim/sobol.hpp"

namespace headrace::scenarios {
namespace {

using models::Layer;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostKnees = 3;
constexpr std::uint64_t kKneeSteps = 400;

/// Nearest rank of a sorted copy.
double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(p * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

RangedFigure ranged(double nominal, const std::vector<double>& draws) {
  return {nominal, quantile(draws, 0.1), quantile(draws, 0.9)};
}

/// What one draw says.
struct DrawnCourse {
  std::array<std::vector<double>, models::kLayerCount> share;  ///< by quarter
  std::array<double, models::kLayerCount> full{};
  std::vector<double> waiting_gpus;
  std::vector<PurchaseStage> stages;
  double doing_nothing_usd = 0.0;
};

DrawnCourse drawn(Course& course) {
  DrawnCourse one;
  for (unsigned q = 0; q <= course.quarters(); ++q) {
    const QuarterLoad& load = course.load_at(q, course.nothing());
    for (std::size_t l = 0; l < models::kLayerCount; ++l) one.share[l].push_back(load.share[l]);
    one.waiting_gpus.push_back(load.waiting_gpus);
  }
  for (std::size_t l = 0; l < models::kLayerCount; ++l)
    one.full[l] = course.full_at(static_cast<Layer>(l)).value_or(kNever);
  one.stages = course.just_in_time();
  one.doing_nothing_usd = course.doing_nothing_usd();
  return one;
}

std::vector<CourseDraw> draws_of(const models::Growth& growth, std::size_t inputs, const GrowthOptions& options) {
  const std::size_t trends = growth.trends.size();
  const std::size_t swaps = growth.swaps.size();
  const std::size_t prices = growth.purchases.size();
  const sim::SobolPoints points(options.draws, std::max<std::size_t>(1, trends + swaps + prices + inputs),
                                {options.seed, 0, models::kDrawInputs, 0});
  std::vector<CourseDraw> draws(options.draws);
  for (std::size_t d = 0; d < draws.size(); ++d) {
    std::size_t axis = 0;
    const auto take = [&points, &axis, d](std::vector<double>& into, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) into.push_back(points.at(d, axis++));
    };
    draws[d].nominal = false;
    take(draws[d].trends, trends);
    take(draws[d].swaps, swaps);
    take(draws[d].prices, prices);
    take(draws[d].inputs, inputs);
  }
  return draws;
}

class Projection {
 public:
  Projection(GrowthPart part, const std::vector<models::UncertainInput>& inputs, const GrowthOptions& options)
      : part_(std::move(part)), inputs_(inputs), options_(options), nominal_(part_, inputs_, {}) {}

  GrowthAnswer answer() {
    stated_ = drawn(nominal_);
    for (CourseDraw& draw : draws_of(part_.growth, inputs_.size(), options_))
      courses_.emplace_back(part_, inputs_, std::move(draw));
    all_.resize(courses_.size());
    models::TaskPool(options_.threads).run(courses_.size(), [&](std::size_t d) {
      if (options_.cancelled && options_.cancelled()) return;
      all_[d] = drawn(courses_[d]);
    });
    if (options_.cancelled && options_.cancelled())
      std::erase_if(all_, [](const auto& d) { return d.share[0].empty(); });
    GrowthAnswer answer;
    answer.seed = options_.seed;
    answer.draws = all_.size();
    answer.inputs = inputs_.size();
    answer.growth = part_.growth;
    if (all_.empty()) return answer;
    for (unsigned q = 0; q <= nominal_.quarters(); ++q) answer.dates.push_back(date_after(part_.growth.start, q));
    add_layers(answer);
    OrderMoments moments(courses_, stated_.stages, part_.growth.purchases.size(), options_.threads, options_.cancelled);
    shifts_ = moments.cheapest();
    schedule_ = shifted(stated_.stages, shifts_);
    answer.on_time_expected_usd = moments.expected_usd(moments.on_time());
    answer.buying_expected_usd = moments.expected_usd(shifts_);
    add_buy_list(answer);
    add_regret(moments, answer);
    answer.buying_usd = nominal_.cost_usd(schedule_);
    answer.buying_draws_usd = ranged(answer.buying_usd, moments.costs_usd(shifts_));
    if (const auto quarters = nominal_.payback_quarters(schedule_)) answer.payback = date(*quarters);
    answer.doing_nothing_usd =
        ranged(stated_.doing_nothing_usd, over([](const DrawnCourse& d) { return d.doing_nothing_usd; }));
    for (const DrawnCourse& one : all_)
      answer.doing_nothing_expected_usd += one.doing_nothing_usd / static_cast<double>(all_.size());
    for (unsigned q = 0; q <= nominal_.quarters(); ++q)
      answer.waiting_gpus.push_back(
          ranged(stated_.waiting_gpus[q], over([q](const DrawnCourse& d) { return d.waiting_gpus[q]; })));
    add_as_bought(answer);
    add_notes(answer);
    if (options_.simulate) add_knees(answer);
    return answer;
  }

 private:
  template <class Figure>
  std::vector<double> over(const Figure& figure) const {
    std::vector<double> values;
    for (const DrawnCourse& one : all_) values.push_back(figure(one));
    return values;
  }

  std::optional<std::string> date(double quarters) const {
    if (!(quarters < kNever)) return std::nullopt;
    return date_after(part_.growth.start, quarters);
  }

  /// Dates after the horizon are none: the forecast ends there.
  RangedDate ranged_date(double nominal, std::vector<double> draws) const {
    for (double& quarter : draws)
      if (quarter > nominal_.quarters()) quarter = kNever;
    if (nominal > nominal_.quarters()) nominal = kNever;
    const auto reached = std::count_if(draws.begin(), draws.end(), [](double t) { return t < kNever; });
    return {date(nominal), date(quantile(draws, 0.1)), date(quantile(draws, 0.9)),
            static_cast<double>(reached) / static_cast<double>(draws.size())};
  }

  void add_layers(GrowthAnswer& answer) {
    for (std::size_t l = 0; l < models::kLayerCount; ++l) {
      const std::vector<double>& course = stated_.share[l];
      if (*std::max_element(course.begin(), course.end()) <= 0.0) continue;
      LayerForecast layer;
      layer.layer = static_cast<Layer>(l);
      const double full = stated_.full[l];
      if (full < kNever) layer.quarters_to_full = full;
      const unsigned shown = full < kNever ? static_cast<unsigned>(std::ceil(full)) : nominal_.quarters();
      layer.resource = nominal_.load_at(shown, nominal_.nothing()).name[l];
      layer.resource_today = nominal_.load_at(0, nominal_.nothing()).name[l];
      layer.full = ranged_date(full, over([l](const DrawnCourse& d) { return d.full[l]; }));
      for (unsigned q = 0; q <= nominal_.quarters(); ++q)
        layer.course.push_back({q, ranged(course[q], over([l, q](const DrawnCourse& d) { return d.share[l][q]; }))});
      answer.layers.push_back(std::move(layer));
    }
  }

  /// When a draw needs stage number `stage` of a purchase.
  static double needed(const DrawnCourse& one, std::size_t purchase, std::size_t stage) {
    for (const PurchaseStage& each : one.stages)
      if (each.purchase == purchase && stage-- == 0) return each.needed;
    return kNever;
  }

  void add_buy_list(GrowthAnswer& answer) {
    std::vector<std::size_t> stages(part_.growth.purchases.size(), 0);
    std::vector<double> order_at;
    for (const PurchaseStage& stage : stated_.stages) {
      const std::size_t p = stage.purchase;
      const models::GrowthPurchase& about = part_.growth.purchases[p];
      const std::size_t number = stages[p]++;
      const double lead = lead_quarters(about);
      const double arrives = std::max(lead, stage.needed + shifts_[p]);
      // Quarters are not equally long, days are: what serves on a day was ordered the lead time before it.
      const auto lead_days = static_cast<std::int64_t>(std::llround(about.lead_time_s / 86400.0));
      const bool at_once = arrives <= lead;
      const std::string& start = part_.growth.start;
      const std::string serves = at_once ? days_after(start, lead_days) : date_after(start, arrives);
      BuyListItem item{
          p,
          1,
          ranged_date(stage.needed, over([p, number](const DrawnCourse& d) { return needed(d, p, number); })),
          at_once ? start : days_after(serves, -lead_days),
          arrives < nominal_.quarters() ? std::optional(serves) : std::nullopt,
          stage.needed < lead,
          nominal_.price_usd(p, arrives - lead)};
      const auto same = std::find_if(answer.buy_list.begin(), answer.buy_list.end(), [&item](const BuyListItem& other) {
        return other.purchase == item.purchase && other.needed.nominal == item.needed.nominal &&
               other.order == item.order;
      });
      if (same != answer.buy_list.end()) {
        ++same->steps;
        same->price_usd += item.price_usd;
        continue;
      }
      answer.buy_list.push_back(std::move(item));
    }
    std::stable_sort(answer.buy_list.begin(), answer.buy_list.end(),
                     [](const BuyListItem& a, const BuyListItem& b) { return a.order < b.order; });
    add_unrelieved(stages, answer);
  }

  /// Layers that stay full though everything is bought that the scenario offers.
  void add_unrelieved(const std::vector<std::size_t>& stages, GrowthAnswer& answer) {
    Bought bought;
    for (const std::size_t count : stages) bought.push_back(static_cast<unsigned>(count));
    const QuarterLoad& end = nominal_.load_at(nominal_.quarters(), bought);
    for (std::size_t l = 0; l < models::kLayerCount; ++l) {
      if (stated_.full[l] == kNever || !nominal_.is_full(static_cast<Layer>(l), end.share[l])) continue;
      const bool offered = std::any_of(part_.growth.purchases.begin(), part_.growth.purchases.end(),
                                       [l](const auto& one) { return static_cast<std::size_t>(one.relieves) == l; });
      answer.notes.push_back(fmt::format(
          "the layer {} stays full: {}", models::kLayerNames[l],
          offered ? "what is offered for it adds nothing that it lacks" : "the scenario offers no purchase for it"));
    }
  }

  void add_regret(OrderMoments& moments, GrowthAnswer& answer) {
    for (std::size_t p = 0; p < part_.growth.purchases.size(); ++p) {
      if (!moments.is_bought(p)) continue;
      Shifts shifts = shifts_;
      const auto at = [&](int shift) {
        shifts[p] = shift;
        return shifts;
      };
      double best_usd = 0.0;
      for (std::size_t d = 0; d < courses_.size(); ++d) {
        double least = kNever;
        for (const int shift : kOrderShifts) least = std::min(least, moments.costs_usd(at(shift))[d]);
        best_usd += least / static_cast<double>(courses_.size());
      }
      const double on_time_usd = moments.expected_usd(at(0));
      for (const int shift : kOrderShifts) {
        const double usd = moments.expected_usd(at(shift));
        answer.regret.push_back({p, shift, usd, usd - on_time_usd, std::max(0.0, usd - best_usd), shift == shifts_[p]});
      }
    }
  }

  void add_notes(GrowthAnswer& answer) {
    constexpr auto kGpus = static_cast<std::size_t>(Layer::gpus);
    if (const double full = stated_.full[kGpus]; full < kNever)
      answer.notes.push_back(fmt::format(
          "from {} on, jobs ask for more {} than there are: those that do not fit do not run, and what their delay "
          "costs "
          "is not in the dollars",
          *date(full), nominal_.load_at(static_cast<unsigned>(std::ceil(full)), nominal_.nothing()).name[kGpus]));
    for (const models::Warning& warning : models::price_warnings(part_.generations.back().value))
      answer.notes.push_back(warning.seen + ": " + warning.fix);
  }

  void add_as_bought(GrowthAnswer& answer) {
    std::vector<std::vector<double>> waiting(nominal_.quarters() + 1, std::vector<double>(courses_.size()));
    const auto is_cancelled = [this] { return options_.cancelled && options_.cancelled(); };
    models::TaskPool(options_.threads).run(courses_.size(), [&](std::size_t d) {
      if (is_cancelled()) return;
      for (unsigned q = 0; q < waiting.size(); ++q)
        waiting[q][d] = courses_[d].load_at(q, nominal_.bought_by(schedule_, q)).waiting_gpus;
    });
    for (unsigned q = 0; q <= nominal_.quarters(); ++q) {
      const Bought bought = nominal_.bought_by(schedule_, q);
      const models::Scenario scenario = nominal_.scenario_at(q, bought);
      const double stated = nominal_.load_at(q, bought).waiting_gpus;
      answer.as_bought.push_back({q, stated, std::nullopt, room_facts(scenario, flow_bound(scenario))});
      if (!is_cancelled()) answer.as_bought.back().drawn_waiting_gpus = ranged(stated, waiting[q]);
    }
  }

  /// The first quarters in which a layer of the path is full, if nothing is bought.
  void add_knees(GrowthAnswer& answer) {
    std::vector<std::pair<unsigned, std::string>> knees;
    for (const LayerForecast& layer : answer.layers) {
      if (!layer.quarters_to_full || layer.layer == Layer::capacity || layer.layer == Layer::gpus) continue;
      const auto quarter = static_cast<unsigned>(std::ceil(*layer.quarters_to_full));
      knees.emplace_back(quarter, models::kLayerNames[static_cast<std::size_t>(layer.layer)]);
    }
    std::sort(knees.begin(), knees.end());
    for (const auto& [quarter, layer] : knees) {
      if (answer.knees.size() == kMostKnees) break;
      if (!answer.knees.empty() && answer.knees.back().quarter == quarter) {
        answer.knees.back().layer += ", " + layer;
        continue;
      }
      models::StudyOptions study;
      study.seed = options_.seed;
      study.threads = options_.threads;
      study.steps = kKneeSteps;
      study.relief = false;
      study.courses = false;
      study.first_epoch = false;
      study.granularity = models::Granularity{};
      const models::Outcome outcome = simulate(nominal_.scenario_at(quarter, nominal_.nothing()), study);
      const models::Metric* idle = outcome.find("gpu_idle_fraction");
      const QuarterLoad& load = nominal_.load_at(quarter, nominal_.nothing());
      if (idle != nullptr)
        answer.knees.push_back({quarter, layer, load.waiting_for_data / load.gpus, idle->mean,
                                idle->ci95 ? (idle->ci95->high - idle->ci95->low) / 2.0 : 0.0});
    }
  }

  GrowthPart part_;
  const std::vector<models::UncertainInput>& inputs_;
  const GrowthOptions& options_;
  Course nominal_;
  std::vector<Course> courses_;  ///< by draw
  DrawnCourse stated_;
  std::vector<DrawnCourse> all_;
  Shifts shifts_;                        ///< of the cheapest orders
  std::vector<PurchaseStage> schedule_;  ///< as stated, ordered then
};

}  // namespace

namespace {

std::chrono::year_month_day date_of(const std::string& text) {
  using namespace std::chrono;
  return {year(std::stoi(text.substr(0, 4))), month(static_cast<unsigned>(std::stoi(text.substr(5, 2)))),
          day(static_cast<unsigned>(std::stoi(text.substr(8, 2))))};
}

std::string text_of(const std::chrono::year_month_day& date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace

std::string days_after(const std::string& date, std::int64_t days) {
  return text_of(std::chrono::sys_days(date_of(date)) + std::chrono::days(days));
}

std::string date_after(const std::string& start, double quarters) {
  using namespace std::chrono;
  const year_month_day first = date_of(start);
  // The same day three months later, or the last of a shorter month.
  const auto begin_of = [&first](int quarter) {
    const year_month_day day_of = first + months(3 * quarter);
    return sys_days(day_of.ok() ? day_of : day_of.year() / day_of.month() / last);
  };
  const int whole = static_cast<int>(std::floor(quarters));
  const days length = begin_of(whole + 1) - begin_of(whole);
  const double part = (quarters - whole) * static_cast<double>(length.count());
  return text_of(begin_of(whole) + days(std::llround(part)));
}

GrowthAnswer grow(GrowthPart part, const std::vector<models::UncertainInput>& inputs, const GrowthOptions& options) {
  if (options.quarters) part.growth.quarters = *options.quarters;
  return Projection(std::move(part), inputs, options).answer();
}

}  // namespace headrace::scenarios
