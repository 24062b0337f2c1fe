#include "models/spec/worker_contention.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(WorkerContention& c, Visitor& v) {
  v.fraction("sigma", c.sigma,
             {.low = 0,
              .high = 0.5,
              .evidence = Evidence::assumed,
              .meaning = "Serial part of CPU work: it takes 1 + sigma (b - 1) + kappa b (b - 1) times as long when b "
                         "workers of a node are busy at once",
              .source = "N. J. Gunther, Guerrilla Capacity Planning, 2007; the presets are fits of SPDL's curves"});
  v.number("kappa", c.kappa,
           {.low = 0,
            .high = 0.02,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "What each pair of workers costs in that law: throughput falls beyond sqrt((1 - sigma) / kappa) "
                       "workers; 0: it never falls"});
  v.number("kappa_per_byte", c.kappa_per_byte,
           {.low = 0,
            .high = 1e-9,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Added to kappa for each byte of a decoded batch (1/B), where processes hand batches over; 0: "
                       "threads of one process"});
  v.fraction("exponent", c.exponent,
             {.low = 0,
              .high = 0.5,
              .evidence = Evidence::assumed,
              .meaning = "beta, the older law, which cannot fall: CPU work takes b^beta times as long when b workers "
                         "compute at once (at most the cores); a bare number under contention means this",
              .source = "0.35 on 8 virtual CPUs of a Xeon E5-2630 v3: A. Isenko et al., SIGMOD 2022, ImageNet"});
  v.constraint("one law", !(c.exponent > 0.0) || !c.has_scaling(),
               "the exponent and sigma, kappa are two laws for the same slowdown; remove one of them, or set exponent "
               "to 0",
               {"exponent", "sigma", "kappa", "kappa_per_byte"});
}

}  // namespace headrace::models
