// How far a scenario lies from the cases that the simulator has been held against.
#pragma once

#include <string_view>

#include "models/outcome/outcome.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// What no measurement covers where drives or redundancy limit the requests of a store.
inline constexpr std::string_view kDrivesNotValidated =
    "requests of a store by its drives, their positioning, redundancy and rebuilds: formulas only";

/// What no measurement covers where loads share a store, and where its capacity or its load changes over time.
inline constexpr std::string_view kSharingNotValidated =
    "jobs and background load that share a store: closed forms and limits only";
inline constexpr std::string_view kCapacityNotValidated =
    "capacity that changes over time: states of time, closed forms only";
inline constexpr std::string_view kGoodputNotValidated = "goodput curves of the transport: closed forms only";
inline constexpr std::string_view kCollectivesNotValidated =
    "collectives on the links that carry ingest: closed forms only";
inline constexpr std::string_view kWritesNotValidated = "checkpoint writes that compete with reads: closed forms only";
inline constexpr std::string_view kStreamsNotValidated = "streams of new data: closed forms only";

/// Share of the time in which checkpoints are written from which on stores have no time between saves.
inline constexpr double kAlwaysWriting = 0.99;

/// The nearest group of validated cases and the dimensions in which the path lies outside all of them.
EvidenceReport evidence_for(const IngestPath& path);

/// What measurements say of the parts that a path does not know: saves by so many ranks and, where they are `loaded`
/// after failures, loads; a listing of so many keys.
void add_checkpoint_evidence(double ranks, bool loaded, EvidenceReport& report);
void add_listing_evidence(double keys, EvidenceReport& report);

/// Of a cluster: nearest case and extrapolation of the job that lies farthest out, and everything in use by any of
/// them.
void add_evidence(const EvidenceReport& job, EvidenceReport& cluster);

/// Whether the evidence says of `part` that no measurement covers it.
bool is_not_validated(const EvidenceReport& report, std::string_view part);

}  // namespace headrace::models
