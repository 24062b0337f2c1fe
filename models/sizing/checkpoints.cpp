// How often to save, what a failure costs, and what nodes that can be taken away are worth.
#include <array>

#include "models/interruptions/interruptions.hpp"
#include "models/sizing/sizing.hpp"
#include "models/twins/checkpoint_interval.hpp"
#include "models/twins/cost.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kFails = "jobs/checkpoint, and faults/node_mtbf or faults/spot";

constexpr std::array kCheckpointsFigures = {
    SizingDescription{"young_interval_s", "s", "sqrt(2 C M)", "Work between two checkpoints, first order.",
                      "J. W. Young, CACM 17(9), 1974", kFails},
    SizingDescription{"daly_interval_s", "s", "sqrt(2 C M) (1 + sqrt(C/(2M))/3 + C/(18 M)) - C",
                      "The same, higher order.", "J. T. Daly, FGCS 22(3), 2006, equation 37", kFails},
    SizingDescription{"best_interval_s", "s", "M (1 + W0(-e^(-C/M - 1)))",
                      "The interval that loses the least time, exactly.",
                      "J. T. Daly, FGCS 22(3), 2006, by Lambert's W", kFails, true},
    SizingDescription{"training_share", "1", "tau / (M e^(R/M) (e^((tau + C)/M) - 1))",
                      "Share of time that becomes work which lasts, at the interval in use.",
                      "J. T. Daly, FGCS 22(3), 2006", kFails},
    SizingDescription{
        "recovery_s", "s", "R + tau / 2",
        "What one failure costs on average: detection, rescheduling, reading back, and the work since the "
        "last checkpoint.",
        "models/checkpoint", kFails},
    SizingDescription{"spot_cost_ratio", "", "(1 - d) / training share",
                      "Cost of a useful hour on spot nodes over that on others that never fail.", "definition",
                      "jobs/checkpoint and faults/spot with a discount"},
};

void fill_checkpoints(const SizingCase& c, SizingSheetWriter& sheet) {
  const auto stops = interruptions_of(c.scenario, c.path, c.metric("time_to_first_step_s"));
  if (!stops || !(stops->mtbf_s > 0.0)) return;
  const twins::CheckpointCosts costs{stops->stall_s, stops->mtbf_s, stops->restart_s};
  const SizingInput stall{"C", "checkpoint_stall_s", stops->stall_s, "s"};
  const SizingInput mtbf{"M", "job_mtbf_s", stops->mtbf_s, "s"};
  const SizingInput restart{"R", "restart_s", stops->restart_s, "s"};
  const SizingInput tau{"tau", c.job_key + "/checkpoint/interval", stops->interval_s, "s"};
  sheet.add("young_interval_s", twins::young_interval_s(costs), {stall, mtbf});
  sheet.add("daly_interval_s", twins::daly_interval_s(costs), {stall, mtbf});
  sheet.add("best_interval_s", twins::optimal_interval_s(costs), {stall, mtbf});
  sheet.add("training_share", stops->training, {tau, mtbf, restart, stall});
  sheet.add("recovery_s", stops->restart_s + stops->interval_s / 2.0, {restart, tau});
  const auto& spot = c.scenario.faults->spot;
  if (spot && spot->discount > 0.0)
    sheet.add("spot_cost_ratio", twins::spot_cost_ratio(spot->discount, stops->training),
              {{"d", "/faults/spot/discount", spot->discount, "1"},
               {"training share", "training_share", stops->training, "1"}});
}

}  // namespace

const SizingRoom kCheckpointsRoom{"checkpoints", "Checkpoints and failures", kCheckpointsFigures, fill_checkpoints};

}  // namespace headrace::models
