// Goodput of a transport as a curve: what a node's NIC brings of its rate, against the bytes of a request and the
// connections that carry them.
//
// A request costs a part that does not depend on its size, so that small ones cannot fill a link (R. W. Hockney, The
// communication challenge for MPP, Parallel Computing 20(3), 1994: r(m) = r_inf m / (m + m_half)). One connection
// carries what its window allows, so that few of them cannot either, and many may hinder each other. Both curves are
// given by measured points. Between points the time of a request is a straight line in its bytes, and what all
// connections bring one in their number: laws like the two above are met exactly. Below the first point a request takes
// as long as the smallest one, and a connection brings as much as those measured; above the last one shares stay as
// they are.
#pragma once

#include "models/path/ingest_path.hpp"
#include "models/spec/transport.hpp"

namespace headrace::models {

/// Share of the transport's goodput that requests of so many bytes reach; 1 without a curve.
double goodput_of_requests(const Transport& transport, double request_bytes);
/// The same for so many connections of a node.
double goodput_of_connections(const Transport& transport, double connections);

/// Lowers what a node's NIC brings of a job's requests. It is a limit of the end points: leaves and spine keep theirs.
void resolve_goodput(IngestPath& path, const Transport& transport);

}  // namespace headrace::models
