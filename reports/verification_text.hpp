// The closed loop as a table and a small plot: what was predicted for a real pipeline, and what it did.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/verification/verify.hpp"
#include "models/verification/verify_torch.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// The points that would run, with the time it takes.
std::string verify_plan_text(const models::verification::VerifyRequest& request, unsigned cores, const Style& style);
nlohmann::ordered_json verify_plan_json(const models::verification::VerifyRequest& request, unsigned cores);

/// The same of a PyTorch loader.
std::string torch_plan_text(const models::verification::TorchVerifyRequest& request, unsigned cores,
                            const Style& style);
nlohmann::ordered_json torch_plan_json(const models::verification::TorchVerifyRequest& request, unsigned cores);

std::string verification_text(const models::verification::Verification& verification, const Style& style);

/// The same for one job that ran.
std::string measured_job_text(const std::string& title, const models::verification::VerifiedPoint& point,
                              const Style& style);

}  // namespace headrace::reports
