// What the free-text columns of a results table declare: read rates of drives, speeds of network cards.
#pragma once

#include <string_view>

namespace headrace::scenarios {

/// Read rate of the data drives in one machine, bytes/s: "Localhost: 1x 7680GiB SSD NVMe [...] rd 7,000 MB/s". A number
/// without a unit is GB/s below 100, MB/s from there. Drives of the operating system, or of metadata and no data, do
/// not count. 0 where no rate stands.
double declared_drive_bytes_per_s(std::string_view media);

/// Network cards of one client, bytes/s: "client: 2x48c EPYC; NIC 2x200 | backend: ...; NIC 2x200", in Gb/s. The
/// slowest kind of client counts. 0 where none stands.
double declared_client_nic_bytes_per_s(std::string_view nodes);

}  // namespace headrace::scenarios
