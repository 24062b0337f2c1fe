#include "scenarios/results/shared_file_system.hpp"

#include <sys/vfs.h>

#include <array>
#include <filesystem>

namespace headrace::scenarios {
namespace {

struct FileSystem {
  std::uint64_t magic;
  std::string_view name;
};

constexpr std::array<FileSystem, 16> kShared = {{{0x6969, "NFS"},
                                                 {0x517B, "SMB"},
                                                 {0xFF534D42, "CIFS"},
                                                 {0xFE534D42, "SMB2"},
                                                 {0x0BD00BD0, "Lustre"},
                                                 {0x47504653, "GPFS"},
                                                 {0x19830326, "BeeGFS"},
                                                 {0x00C36400, "Ceph"},
                                                 {0xAAD7AAEA, "PanFS"},
                                                 {0x20030528, "OrangeFS"},
                                                 {0x7461636F, "OCFS2"},
                                                 {0x01161970, "GFS2"},
                                                 {0x5346414F, "AFS"},
                                                 {0x01021997, "9P"},
                                                 {0x786F4256, "vboxsf"},
                                                 {0x65735546, "FUSE"}}};

}  // namespace

std::string_view shared_file_system_name(std::uint64_t magic) {
  for (const FileSystem& kind : kShared)
    if (kind.magic == magic) return kind.name;
  return {};
}

std::string_view shared_file_system_of(const std::string& path) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
  if (error) folder = ".";
  struct statfs about = {};
  if (::statfs(folder.c_str(), &about) != 0) return {};
  return shared_file_system_name(static_cast<std::uint32_t>(about.f_type));
}

}  // namespace headrace::scenarios
