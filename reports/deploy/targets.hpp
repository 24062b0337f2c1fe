// One function for each target of deployment.hpp.
#pragma once

#include "reports/deploy/facts.hpp"
#include "reports/deploy/snippet.hpp"

namespace headrace::reports {

void emit_torch(const DeployFacts& facts, Snippet& out);
void emit_tf_data(const DeployFacts& facts, Snippet& out);
void emit_dali(const DeployFacts& facts, Snippet& out);
void emit_gcsfuse(const DeployFacts& facts, Snippet& out);
void emit_juicefs(const DeployFacts& facts, Snippet& out);
void emit_mountpoint(const DeployFacts& facts, Snippet& out);
void emit_alluxio(const DeployFacts& facts, Snippet& out);
void emit_slurm(const DeployFacts& facts, Snippet& out);

}  // namespace headrace::reports
