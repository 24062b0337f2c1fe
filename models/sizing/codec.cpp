// Up to which link compression pays, given the cores that open it again.
#include <array>

#include "models/sizing/sizing.hpp"
#include "models/twins/host_path.hpp"
#include "models/twins/preprocessing.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kCodec = "datasets/codec with ratio and decompress, and cluster/pools/host/cores";

constexpr std::array kCodecFigures = {
    SizingDescription{"codec_break_even_bytes_per_s", "B/s", "H V",
                      "Link of a node below which compression pays when fetching and decompressing overlap.",
                      "rates of a pipeline", kCodec, true},
    SizingDescription{"codec_serial_break_even_bytes_per_s", "B/s", "H V (1 - 1/r)",
                      "The same where a batch is fetched first and decompressed then.", "S/(r B) + S/(H V) < S/B",
                      kCodec},
    SizingDescription{"codec_plain_s", "s", "S / B", "Fetching a batch of a node uncompressed.", "definition", kCodec},
    SizingDescription{"codec_pipelined_s", "s", "max(S / (r B), S / (H V))",
                      "Fetching and decompressing it side by side.", "rates of a pipeline", kCodec},
    SizingDescription{"codec_serial_s", "s", "S / (r B) + S / (H V)", "Fetching and then decompressing it.",
                      "definition", kCodec},
};

void fill_codec(const SizingCase& c, SizingSheetWriter& sheet) {
  const Codec& codec = c.dataset.codec;
  if (!codec.decompress_bytes_per_s || !c.pool.host.cores) return;
  const double decompress = *codec.decompress_bytes_per_s;
  const auto cores = static_cast<double>(*c.pool.host.cores);
  const double link = c.node_link_bytes_per_s();
  const SizingInput h{"H", c.pool_key + "/host/cores", cores, ""};
  const SizingInput v{"V", c.dataset_key + "/codec/decompress", decompress, "B/s"};
  const SizingInput r{"r", c.dataset_key + "/codec/ratio", codec.ratio, ""};
  const twins::CodecBreakEven even = twins::codec_break_even(codec.ratio, decompress, cores);
  sheet.add("codec_break_even_bytes_per_s", even.pipelined_bytes_per_s, {h, v});
  sheet.add("codec_serial_break_even_bytes_per_s", even.serial_bytes_per_s, {h, v, r});
  if (!(link > 0.0)) return;
  const double raw = c.loaders_per_node() * c.path.batch_samples * c.path.mean_sample_bytes() * codec.ratio;
  const twins::DecompressTimes times = twins::fetch_and_decompress(raw, codec.ratio, link, decompress, cores);
  const SizingInput s{"S", c.dataset_key + "/sample_bytes", raw, "B"};
  const SizingInput b{"B", c.node_link_key(), link, "B/s"};
  sheet.add("codec_plain_s", times.plain_s, {s, b});
  sheet.add("codec_pipelined_s", times.pipelined_s, {s, r, b, h, v});
  sheet.add("codec_serial_s", times.serial_s, {s, r, b, h, v});
}

}  // namespace

const SizingRoom kCodecRoom{"codec", "Whether compression pays", kCodecFigures, fill_codec};

}  // namespace headrace::models
