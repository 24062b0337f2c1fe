// The importers, one file each. Each fills the record, the layer or the table of its reading, or complains.
#pragma once

#include "scenarios/importers/reading.hpp"

namespace headrace::scenarios {

// What devices can do.
void import_fio(Reading& in);
void import_elbencho(Reading& in);
void import_nvbandwidth(Reading& in);
void import_gdsio(Reading& in);
void import_kvikio(Reading& in);
void import_ior(Reading& in);
void import_mdtest(Reading& in);
void import_nccl_tests(Reading& in);
void import_warp(Reading& in);

// What a whole run came to.
void import_dlio_summary(Reading& in);

// What a cluster does.
void import_darshan(Reading& in);
void import_prometheus(Reading& in);
void import_sacct(Reading& in);
void import_kineto(Reading& in);
void import_rank_waits(Reading& in);

}  // namespace headrace::scenarios
