// The one folder that a calibration writes to, and the file that its probes read.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace headrace::models::calibration {

/// The calibration cannot go on; says what to do.
class CalibrationError : public std::runtime_error {
 public:
  CalibrationError(const std::string& what, std::string fix) : std::runtime_error(what), fix_(std::move(fix)) {}
  const std::string& fix() const { return fix_; }

 private:
  std::string fix_;
};

/// Throws CalibrationError unless there is such a folder.
void check_folder(const std::string& folder);

/// A file descriptor that is closed with the object.
class OpenFile {
 public:
  OpenFile() = default;
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  OpenFile& operator=(OpenFile&& other) noexcept;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

/// A new folder inside `folder`, removed with everything in it by the destructor.
class Scratch {
 public:
  explicit Scratch(const std::string& folder);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  /// Throws CalibrationError when somebody removed the folder.
  void check_is_there() const;

 private:
  std::string path_;
};

/// Bytes that this user may still write below `folder`.
std::uint64_t free_bytes(const std::string& folder);

/// Share of the bytes of a file that are holes or were never written: reading them costs no device anything.
/// Negative: the file system does not say.
double unwritten_share(int file, std::uint64_t bytes);

/// Share of the pages in [offset, offset + bytes) that lie in the page cache; negative when it cannot be known.
double resident_share(int file, std::uint64_t offset, std::uint64_t bytes);

/// Asks the kernel to forget the file's pages, after writing what is dirty.
void drop_pages(int file);

}  // namespace headrace::models::calibration
