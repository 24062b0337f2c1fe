// Decoders of the libraries that were found when this was built.
#include "models/calibration/codec_probes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#ifdef HEADRACE_HAS_LZ4
#include <lz4.h>
#endif
#ifdef HEADRACE_HAS_ZSTD
#include <zstd.h>
#endif
#ifdef HEADRACE_HAS_ZLIB
#include <zlib.h>
#endif
#ifdef HEADRACE_HAS_CRYPTO
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>

#include "models/calibration/run_time_function.hpp"
#endif
#ifdef HEADRACE_HAS_JPEG
#include <csetjmp>

#include <jpeglib.h>
#endif

namespace headrace::models::calibration {
namespace {

using Bytes = std::vector<unsigned char>;

/// Text of few words: compresses to about a third, as logs and tokens do.
[[maybe_unused]] Bytes sample_text(std::size_t size) {
  static constexpr const char* kWords[] = {"batch", "node", "reads", "shard", "token", "image", "worker", "queue",
                                           "0.5",   "17",   "label", "epoch", "store", "first", "byte",   "wait"};
  Bytes text;
  text.reserve(size + 16);
  std::uint64_t state = 88172645463325252U;
  while (text.size() < size) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const char* word = kWords[state >> 60];
    text.insert(text.end(), word, word + std::strlen(word));
    text.push_back(static_cast<unsigned char>((state & 7U) == 0 ? '0' + (state >> 8) % 10 : ' '));
  }
  text.resize(size);
  return text;
}

[[maybe_unused]] constexpr std::size_t kCodecBlockBytes = std::size_t{256} << 10;

#ifdef HEADRACE_HAS_LZ4
void add_lz4(std::vector<CodecWork>& all) {
  const Bytes text = sample_text(kCodecBlockBytes);
  Bytes packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(kCodecBlockBytes))));
  const auto* from = static_cast<const char*>(static_cast<const void*>(text.data()));
  auto* to = static_cast<char*>(static_cast<void*>(packed.data()));
  const int size = LZ4_compress_default(from, to, static_cast<int>(kCodecBlockBytes), static_cast<int>(packed.size()));
  if (size <= 0) return;
  packed.resize(static_cast<std::size_t>(size));
  all.push_back({"lz4", [packed](unsigned) {
                   thread_local std::vector<char> out(kCodecBlockBytes);
                   const auto* in = static_cast<const char*>(static_cast<const void*>(packed.data()));
                   const int n = LZ4_decompress_safe(in, out.data(), static_cast<int>(packed.size()),
                                                     static_cast<int>(kCodecBlockBytes));
                   return static_cast<double>(std::max(n, 0));
                 }});
}
#endif

#ifdef HEADRACE_HAS_ZSTD
void add_zstd(std::vector<CodecWork>& all) {
  const Bytes text = sample_text(kCodecBlockBytes);
  Bytes packed(ZSTD_compressBound(kCodecBlockBytes));
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3);
  if (ZSTD_isError(size) != 0) return;
  packed.resize(size);
  all.push_back({"zstd", [packed](unsigned) {
                   thread_local Bytes out(kCodecBlockBytes);
                   const std::size_t n = ZSTD_decompress(out.data(), out.size(), packed.data(), packed.size());
                   return ZSTD_isError(n) != 0 ? 0.0 : static_cast<double>(n);
                 }});
}
#endif

#ifdef HEADRACE_HAS_ZLIB
void add_gzip(std::vector<CodecWork>& all) {
  const Bytes text = sample_text(kCodecBlockBytes);
  uLongf size = compressBound(kCodecBlockBytes);
  Bytes packed(size);
  if (compress2(packed.data(), &size, text.data(), kCodecBlockBytes, 6) != Z_OK) return;
  packed.resize(size);
  all.push_back({"gzip", [packed](unsigned) {
                   thread_local Bytes out(kCodecBlockBytes);
                   uLongf n = out.size();
                   const int result = uncompress(out.data(), &n, packed.data(), packed.size());
                   return result == Z_OK ? static_cast<double>(n) : 0.0;
                 }});
}
#endif

#ifdef HEADRACE_HAS_CRYPTO
/// libcrypto is opened here: to load it with the program takes a quarter of every start.
void add_sha256(std::vector<CodecWork>& all) {
  static void* const library =
      ::dlopen(fmt::format("libcrypto.so.{}", OPENSSL_SHLIB_VERSION).c_str(), RTLD_NOW | RTLD_LOCAL);
  auto* const digest_of = run_time_function<decltype(EVP_Digest)>(library, "EVP_Digest");
  auto* const sha256 = run_time_function<decltype(EVP_sha256)>(library, "EVP_sha256");
  if (digest_of == nullptr || sha256 == nullptr) return;
  all.push_back({"sha256", [digest_of, sha256, text = sample_text(kCodecBlockBytes)](unsigned) {
                   unsigned char digest[EVP_MAX_MD_SIZE];
                   unsigned length = 0;
                   const int good = digest_of(text.data(), text.size(), digest, &length, sha256(), nullptr);
                   return good == 1 ? static_cast<double>(text.size()) : 0.0;
                 }});
}
#endif

#ifdef HEADRACE_HAS_JPEG
/// libjpeg ends the program on an error unless it can jump back.
struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf back;
};

[[noreturn]] void leave(j_common_ptr info) {
  auto* errors = static_cast<JpegErrors*>(static_cast<void*>(info->err));
  std::longjmp(errors->back, 1);  // NOLINT: the only way that libjpeg offers
}

/// A picture with slopes and grain, so that its size is that of a photograph: 512 x 512, quality 85.
Bytes sample_picture(unsigned side) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* out = nullptr;
  unsigned long size = 0;  // NOLINT: the type of libjpeg
  jpeg_mem_dest(&info, &out, &size);
  info.image_width = side;
  info.image_height = side;
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 85, TRUE);
  jpeg_start_compress(&info, TRUE);
  Bytes row(std::size_t{side} * 3);
  std::uint32_t grain = 12345;
  for (unsigned y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < row.size(); ++x) {
      grain = grain * 1664525U + 1013904223U;
      row[x] = static_cast<unsigned char>((x / 6 + y / 2 + (grain >> 28)) & 0xffU);
    }
    JSAMPROW rows[1] = {row.data()};
    jpeg_write_scanlines(&info, rows, 1);
  }
  jpeg_finish_compress(&info);
  Bytes picture(out, out + size);
  jpeg_destroy_compress(&info);
  std::free(out);  // NOLINT: libjpeg allocated it
  return picture;
}

double decode_picture(const Bytes& picture, Bytes& row) {
  jpeg_decompress_struct info{};
  JpegErrors errors{};
  info.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = leave;
  if (setjmp(errors.back) != 0) {  // NOLINT: see above
    jpeg_destroy_decompress(&info);
    return 0.0;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, picture.data(), picture.size());
  jpeg_read_header(&info, TRUE);
  jpeg_start_decompress(&info);
  row.resize(std::size_t{info.output_width} * static_cast<std::size_t>(info.output_components));
  const double bytes = static_cast<double>(row.size()) * static_cast<double>(info.output_height);
  while (info.output_scanline < info.output_height) {
    JSAMPROW rows[1] = {row.data()};
    jpeg_read_scanlines(&info, rows, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return bytes;
}

void add_jpeg(std::vector<CodecWork>& all) {
  all.push_back({"jpeg", [picture = sample_picture(512)](unsigned) {
                   thread_local Bytes row;
                   return decode_picture(picture, row);
                 }});
}
#endif

}  // namespace

std::vector<CodecWork> codec_works() {
  std::vector<CodecWork> all;
#ifdef HEADRACE_HAS_CRYPTO
  add_sha256(all);
#endif
#ifdef HEADRACE_HAS_LZ4
  add_lz4(all);
#endif
#ifdef HEADRACE_HAS_ZSTD
  add_zstd(all);
#endif
#ifdef HEADRACE_HAS_ZLIB
  add_gzip(all);
#endif
#ifdef HEADRACE_HAS_JPEG
  add_jpeg(all);
#endif
  return all;
}

}  // namespace headrace::models::calibration
