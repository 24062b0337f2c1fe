// The probes of GPUs (gpu_interface.h). Each call of CUDA is checked; what fails is named with the words of CUDA.
// Copies are timed by the clock of the host from the first enqueue to the end of all streams, so that what a loader pays
// for launching them is part of it.
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "models/calibration/cuda/gpu_interface.h"

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#define HEADRACE_WITH_CUBLAS
#endif
#if __has_include(<nccl.h>)
#include <nccl.h>
#define HEADRACE_WITH_NCCL
#endif

namespace {

/// A failure with its message, or a reason why something cannot be measured here.
struct Trouble {
  int code;
  std::string message;
};

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw Trouble{HEADRACE_GPU_FAILED, std::string(what) + ": " + cudaGetErrorName(error) + ", " + cudaGetErrorString(error)};
}
#define CHECK_CUDA(call) check((call), #call)

[[noreturn]] void skip(const std::string& reason) { throw Trouble{HEADRACE_GPU_SKIPPED, reason}; }

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Stream {
 public:
  Stream() { CHECK_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }
  void wait() const { CHECK_CUDA(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) : bytes_(bytes) { CHECK_CUDA(cudaMalloc(&data_, bytes)); }
  ~DeviceMemory() { cudaFree(data_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  void* get() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

class HostMemory {
 public:
  HostMemory(std::size_t bytes, int kind) : kind_(kind) {
    if (kind == HEADRACE_GPU_PINNED) {
      CHECK_CUDA(cudaMallocHost(&data_, bytes));
    } else {
      data_ = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
      if (data_ == nullptr) throw Trouble{HEADRACE_GPU_FAILED, "there is not enough memory of the host"};
    }
    std::memset(data_, 0x5a, bytes);
    if (kind == HEADRACE_GPU_REGISTERED) {
      const cudaError_t error = cudaHostRegister(data_, bytes, cudaHostRegisterDefault);
      if (error != cudaSuccess) {
        std::free(data_);
        check(error, "cudaHostRegister");
      }
    }
  }
  ~HostMemory() {
    if (kind_ == HEADRACE_GPU_PINNED) {
      cudaFreeHost(data_);
      return;
    }
    if (kind_ == HEADRACE_GPU_REGISTERED) cudaHostUnregister(data_);
    std::free(data_);
  }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  void* get() const { return data_; }

 private:
  int kind_;
  void* data_ = nullptr;
};

__global__ void nothing() {}

/// Keeps the processors at work until `stop`, a number in the GPU's own memory, is set, at most for about `cycles`
/// cycles. Looks at memory of the host would go over the link whose copies are measured, and take most of it.
__global__ void keep_busy(const volatile int* stop, long long cycles) {
  const long long begin = clock64();
  float x = static_cast<float>(threadIdx.x);
  while (*stop == 0 && clock64() - begin < cycles)
    for (int i = 0; i < 256; ++i) x = x * 1.0000001f + 0.5f;
  if (x == 12345.678f) printf("%f", x);
}

/// Keeps the processors at work for a time by the clock of the GPU.
__global__ void compute_for(unsigned long long nanoseconds) {
  unsigned long long begin = 0;
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  float x = static_cast<float>(threadIdx.x);
  do {
    for (int i = 0; i < 64; ++i) x = x * 1.0000001f + 0.5f;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
  if (x == 12345.678f) printf("%f", x);
}

/// Pictures of side x side x 3 bytes to half their side, as normalized floats: the mean of four neighbours.
__global__ void resize(const unsigned char* in, float* out, int side, long long pictures) {
  const int half = side / 2;
  const long long total = pictures * half * half * 3;
  for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < total;
       i += static_cast<long long>(gridDim.x) * blockDim.x) {
    const int channel = static_cast<int>(i % 3);
    const long long pixel = i / 3;
    const int x = static_cast<int>(pixel % half);
    const int y = static_cast<int>(pixel / half % half);
    const long long picture = pixel / half / half;
    const unsigned char* at = in + ((picture * side + 2 * y) * side + 2 * x) * 3 + channel;
    const float sum = static_cast<float>(at[0]) + at[3] + at[3 * side] + at[3 * side + 3];
    out[i] = (sum * 0.25f / 255.0f - 0.45f) / 0.225f;
  }
}

/// Numbers of bf16 all over -1 to 1. Products of zeros, or of one number throughout, draw less power than those of a
/// training, and so run at higher clocks.
__global__ void scatter(unsigned short* out, unsigned long long count, unsigned seed) {
  for (unsigned long long i = blockIdx.x * static_cast<unsigned long long>(blockDim.x) + threadIdx.x; i < count;
       i += static_cast<unsigned long long>(gridDim.x) * blockDim.x) {
    unsigned bits = static_cast<unsigned>(i) * 2654435761U + seed;
    bits = (bits ^ (bits >> 16)) * 0x85ebca6bU;
    bits = (bits ^ (bits >> 13)) * 0xc2b2ae35U;
    const float number = static_cast<float>(static_cast<int>(bits ^ (bits >> 16))) / 2147483648.0f;
    out[i] = static_cast<unsigned short>(__float_as_uint(number) >> 16);  // bf16 is the upper half of a float
  }
}

/// A kernel that runs beside what is measured, until the object goes away.
class BusyKernel {
 public:
  BusyKernel(int processors, bool wanted) {
    if (!wanted) return;
    stop_ = std::make_unique<DeviceMemory>(sizeof(int));
    CHECK_CUDA(cudaMemset(stop_->get(), 0, sizeof(int)));
    set_ = std::make_unique<HostMemory>(sizeof(int), HEADRACE_GPU_PINNED);
    stream_ = std::make_unique<Stream>();
    stopping_ = std::make_unique<Stream>();
    constexpr long long kMostCycles = 20'000'000'000LL;  // about ten seconds, should the host forget it
    keep_busy<<<processors, 256, 0, stream_->get()>>>(static_cast<int*>(stop_->get()), kMostCycles);
    CHECK_CUDA(cudaGetLastError());
  }
  ~BusyKernel() {
    if (!stream_) return;
    cudaMemcpyAsync(stop_->get(), set_->get(), sizeof(int), cudaMemcpyHostToDevice, stopping_->get());
    cudaStreamSynchronize(stream_->get());
  }

 private:
  std::unique_ptr<DeviceMemory> stop_;
  std::unique_ptr<HostMemory> set_;  ///< of bytes that are no zeros
  std::unique_ptr<Stream> stream_, stopping_;
};

/// Repeats rounds of work for a time: `round` enqueues and waits, and returns its amount. Two rounds, or as many as
/// `warm_up_s` holds, go before.
template <class Round>
headrace_gpu_window repeat(double seconds, const Round& round, double warm_up_s = 0.0) {
  const double start = now_s();
  round();
  do round();
  while (now_s() - start < warm_up_s);
  headrace_gpu_window window{0.0, 0.0, HEADRACE_GPU_PATH_NONE};
  const double begin = now_s();
  do {
    window.amount += round();
    window.seconds = now_s() - begin;
  } while (window.seconds < seconds);
  return window;
}

/// What steps of training with batches of one size need.
class StepBuffers {
 public:
  explicit StepBuffers(std::size_t bytes)
      : bytes_(bytes), host_(bytes, HEADRACE_GPU_PINNED), device_(bytes) {
    // The thread sleeps while it waits: one that polls would take a core from the workers.
    CHECK_CUDA(cudaEventCreateWithFlags(&done_, cudaEventBlockingSync | cudaEventDisableTiming));
  }
  ~StepBuffers() { cudaEventDestroy(done_); }
  StepBuffers(const StepBuffers&) = delete;
  StepBuffers& operator=(const StepBuffers&) = delete;

  std::size_t bytes() const { return bytes_; }
  void step(int processors, double seconds) const {
    CHECK_CUDA(cudaMemcpyAsync(device_.get(), host_.get(), bytes_, cudaMemcpyHostToDevice, stream_.get()));
    compute_for<<<processors, 256, 0, stream_.get()>>>(static_cast<unsigned long long>(1e9 * seconds));
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaEventRecord(done_, stream_.get()));
    CHECK_CUDA(cudaEventSynchronize(done_));
  }

 private:
  std::size_t bytes_;
  HostMemory host_;
  DeviceMemory device_;
  Stream stream_;
  cudaEvent_t done_ = nullptr;
};

}  // namespace

struct headrace_gpu_session {
  int gpu = 0;
  int processors = 1;
  std::unique_ptr<StepBuffers> step;
};

namespace {

/// One way of a copy: buffers and streams.
struct Way {
  Way(const headrace_gpu_arm& arm, int to) : direction(to), memory(arm.bytes, arm.memory) {
    const int count = std::max(1, arm.streams);
    for (int i = 0; i < count; ++i) {
      streams.push_back(std::make_unique<Stream>());
      device.push_back(std::make_unique<DeviceMemory>(arm.bytes));
    }
  }
  void enqueue(std::size_t i, std::size_t bytes) const {
    void* to = direction == HEADRACE_GPU_TO_DEVICE ? device[i]->get() : memory.get();
    const void* from = direction == HEADRACE_GPU_TO_DEVICE ? memory.get() : device[i]->get();
    const cudaMemcpyKind kind = direction == HEADRACE_GPU_TO_DEVICE ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    CHECK_CUDA(cudaMemcpyAsync(to, from, bytes, kind, streams[i]->get()));
  }
  void wait() const {
    for (const auto& stream : streams) stream->wait();
  }
  int direction;
  HostMemory memory;
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<DeviceMemory>> device;
};

headrace_gpu_window copies(const headrace_gpu_session& session, const headrace_gpu_arm& arm, double seconds) {
  const Way way(arm, arm.direction);
  std::unique_ptr<Way> other;
  if (arm.opposite != 0) other = std::make_unique<Way>(arm, 1 - arm.direction);
  const BusyKernel busy(session.processors, arm.busy != 0);
  // Enough copies in a round that its end costs nothing beside them, few enough that a round is short.
  const std::size_t rounds = std::clamp<std::size_t>((std::size_t{64} << 20) / arm.bytes, 1, 64);
  return repeat(seconds, [&] {
    for (std::size_t r = 0; r < rounds; ++r)
      for (std::size_t i = 0; i < way.streams.size(); ++i) {
        way.enqueue(i, arm.bytes);
        if (other) other->enqueue(i, arm.bytes);
      }
    way.wait();
    if (other) other->wait();
    return static_cast<double>(rounds * way.streams.size() * arm.bytes);
  });
}

headrace_gpu_window launches(double seconds) {
  const Stream stream;
  return repeat(seconds, [&] {
    constexpr int kLaunches = 100;
    for (int i = 0; i < kLaunches; ++i) {
      nothing<<<1, 1, 0, stream.get()>>>();
      stream.wait();
    }
    CHECK_CUDA(cudaGetLastError());
    return static_cast<double>(kLaunches);
  });
}

headrace_gpu_window device_copies(const headrace_gpu_arm& arm, double seconds) {
  const DeviceMemory from(arm.bytes);
  const DeviceMemory to(arm.bytes);
  const Stream stream;
  return repeat(seconds, [&] {
    constexpr int kCopies = 10;
    for (int i = 0; i < kCopies; ++i)
      CHECK_CUDA(cudaMemcpyAsync(to.get(), from.get(), arm.bytes, cudaMemcpyDeviceToDevice, stream.get()));
    stream.wait();
    return 2.0 * kCopies * static_cast<double>(arm.bytes);
  });
}

headrace_gpu_window resizes(const headrace_gpu_session& session, const headrace_gpu_arm& arm, double seconds) {
  constexpr int kSide = 512;
  constexpr std::size_t kPicture = std::size_t{kSide} * kSide * 3;
  const std::size_t pictures = std::max<std::size_t>(1, arm.bytes / kPicture);
  const DeviceMemory in(pictures * kPicture);
  const DeviceMemory out(pictures * kPicture / 4 * sizeof(float));
  const Stream stream;
  CHECK_CUDA(cudaMemsetAsync(in.get(), 0x5a, in.bytes(), stream.get()));
  return repeat(seconds, [&] {
    resize<<<session.processors * 8, 256, 0, stream.get()>>>(static_cast<const unsigned char*>(in.get()),
                                                              static_cast<float*>(out.get()), kSide,
                                                              static_cast<long long>(pictures));
    CHECK_CUDA(cudaGetLastError());
    stream.wait();
    return static_cast<double>(in.bytes() + out.bytes());
  });
}

/// A library that is loaded when it is first needed.
void* library(std::initializer_list<const char*> names, const char* what) {
  for (const char* name : names)
    if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return handle;
  skip(std::string(what) + " is not there: " + dlerror());
}

template <class Function>
Function function(void* handle, const char* name) {
  void* symbol = dlsym(handle, name);
  if (symbol == nullptr) skip(std::string("the library lacks ") + name);
  return reinterpret_cast<Function>(symbol);
}

#ifdef HEADRACE_WITH_CUBLAS
void check_blas(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Trouble{HEADRACE_GPU_FAILED, std::string(what) + ": status " + std::to_string(static_cast<int>(status))};
}

/// The calls of cuBLAS that are needed.
struct Blas {
  void* handle = library({"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"}, "cuBLAS");
  decltype(&cublasCreate_v2) create = function<decltype(&cublasCreate_v2)>(handle, "cublasCreate_v2");
  decltype(&cublasDestroy_v2) destroy = function<decltype(&cublasDestroy_v2)>(handle, "cublasDestroy_v2");
  decltype(&cublasSetStream_v2) set_stream = function<decltype(&cublasSetStream_v2)>(handle, "cublasSetStream_v2");
  using Gemm = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                  const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                                  cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);
  Gemm gemm = function<Gemm>(handle, "cublasGemmEx");
};

struct BlasContext {
  explicit BlasContext(const Blas& all) : blas(all) { check_blas(blas.create(&context), "cublasCreate"); }
  ~BlasContext() { blas.destroy(context); }
  BlasContext(const BlasContext&) = delete;
  BlasContext& operator=(const BlasContext&) = delete;
  const Blas& blas;
  cublasHandle_t context = nullptr;
};

/// Windows that products go on before they are timed: a GPU that was idle runs faster than its power limit lets it for
/// long.
constexpr double kPowerSettles = 5.0;

headrace_gpu_window products(const headrace_gpu_session& session, const headrace_gpu_arm& arm, double seconds) {
  static const Blas blas;
  const int n = static_cast<int>(arm.bytes);
  const std::size_t bytes = std::size_t(n) * n * 2;
  const DeviceMemory a(bytes);
  const DeviceMemory b(bytes);
  const DeviceMemory c(bytes);
  const Stream stream;
  for (const DeviceMemory* memory : {&a, &b})
    scatter<<<session.processors * 8, 256, 0, stream.get()>>>(static_cast<unsigned short*>(memory->get()), bytes / 2,
                                                              memory == &a ? 1U : 2U);
  CHECK_CUDA(cudaGetLastError());
  const BlasContext context(blas);
  check_blas(blas.set_stream(context.context, stream.get()), "cublasSetStream");
  const float one = 1.0f;
  const float zero = 0.0f;
  return repeat(seconds, [&] {
    constexpr int kProducts = 10;
    for (int i = 0; i < kProducts; ++i)
      check_blas(blas.gemm(context.context, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a.get(), CUDA_R_16BF, n, b.get(),
                           CUDA_R_16BF, n, &zero, c.get(), CUDA_R_16BF, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                 "cublasGemmEx");
    stream.wait();
    return kProducts * 2.0 * n * n * n;
  }, kPowerSettles * seconds);
}
#else
headrace_gpu_window products(const headrace_gpu_session&, const headrace_gpu_arm&, double) {
  skip("built without the header of cuBLAS");
}
#endif

#ifdef HEADRACE_WITH_NCCL
void check_nccl(ncclResult_t result, const char* what) {
  if (result != ncclSuccess)
    throw Trouble{HEADRACE_GPU_FAILED, std::string(what) + ": result " + std::to_string(static_cast<int>(result))};
}

/// The calls of NCCL that are needed.
struct Nccl {
  void* handle = library({"libnccl.so.2", "libnccl.so"}, "NCCL");
  decltype(&ncclCommInitAll) init_all = function<decltype(&ncclCommInitAll)>(handle, "ncclCommInitAll");
  decltype(&ncclCommDestroy) destroy = function<decltype(&ncclCommDestroy)>(handle, "ncclCommDestroy");
  decltype(&ncclGroupStart) group_start = function<decltype(&ncclGroupStart)>(handle, "ncclGroupStart");
  decltype(&ncclGroupEnd) group_end = function<decltype(&ncclGroupEnd)>(handle, "ncclGroupEnd");
  decltype(&ncclAllReduce) all_reduce = function<decltype(&ncclAllReduce)>(handle, "ncclAllReduce");
};

/// What one GPU brings to an all-reduce.
struct Rank {
  Rank(int gpu, std::size_t bytes) : device(gpu) {
    CHECK_CUDA(cudaSetDevice(gpu));
    stream = std::make_unique<Stream>();
    buffer = std::make_unique<DeviceMemory>(bytes);
  }
  int device;
  std::unique_ptr<Stream> stream;
  std::unique_ptr<DeviceMemory> buffer;
};

/// Communicators of all GPUs.
struct Ring {
  Ring(const Nccl& all, int gpus) : nccl(all), comms(static_cast<std::size_t>(gpus)) {
    check_nccl(nccl.init_all(comms.data(), gpus, nullptr), "ncclCommInitAll");
  }
  ~Ring() {
    for (ncclComm_t comm : comms) nccl.destroy(comm);
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  const Nccl& nccl;
  std::vector<ncclComm_t> comms;
};

headrace_gpu_window all_reduces(const headrace_gpu_session& session, const headrace_gpu_arm& arm, double seconds) {
  int gpus = 0;
  CHECK_CUDA(cudaGetDeviceCount(&gpus));
  if (gpus < 2) skip("an all-reduce needs two GPUs");
  static const Nccl nccl;
  std::vector<std::unique_ptr<Rank>> ranks;
  for (int i = 0; i < gpus; ++i) ranks.push_back(std::make_unique<Rank>(i, arm.bytes));
  const Ring ring(nccl, gpus);
  const headrace_gpu_window window = repeat(seconds, [&] {
    check_nccl(nccl.group_start(), "ncclGroupStart");
    for (std::size_t i = 0; i < ranks.size(); ++i)
      check_nccl(nccl.all_reduce(ranks[i]->buffer->get(), ranks[i]->buffer->get(), arm.bytes / 2, ncclBfloat16, ncclSum,
                                 ring.comms[i], ranks[i]->stream->get()),
                 "ncclAllReduce");
    check_nccl(nccl.group_end(), "ncclGroupEnd");
    for (const auto& rank : ranks) rank->stream->wait();
    return static_cast<double>(arm.bytes);
  });
  CHECK_CUDA(cudaSetDevice(session.gpu));
  return window;
}
#else
headrace_gpu_window all_reduces(const headrace_gpu_session&, const headrace_gpu_arm&, double) {
  skip("built without the header of NCCL");
}
#endif

/// What is used of cuFile, whose header toolkits do not always hold; the same since its version 1.0.
struct CuFileStatus {
  int error;
  int cuda;
};
struct CuFileDescription {
  int type;
  union {
    int descriptor;
    void* handle;
  } file;
  const void* operations;
};
constexpr int kCuFileDescriptor = 1;  // CU_FILE_HANDLE_TYPE_OPAQUE_FD

void check_cufile(CuFileStatus status, const char* what) {
  if (status.error != 0)
    skip(std::string(what) + ": error " + std::to_string(status.error) + " of cuFile, " + std::to_string(status.cuda) +
         " of CUDA");
}

/// The calls of cuFile that are needed.
struct CuFile {
  CuFile() { check_cufile(open(), "cuFileDriverOpen"); }
  void* handle = library({"libcufile.so.0", "libcufile.so"}, "cuFile");
  using Open = CuFileStatus (*)();
  using Register = CuFileStatus (*)(void**, CuFileDescription*);
  using Deregister = void (*)(void*);
  using RegisterBuffer = CuFileStatus (*)(const void*, std::size_t, int);
  using DeregisterBuffer = CuFileStatus (*)(const void*);
  using Read = ssize_t (*)(void*, void*, std::size_t, off_t, off_t);
  Open open = function<Open>(handle, "cuFileDriverOpen");
  Register add = function<Register>(handle, "cuFileHandleRegister");
  Deregister remove = function<Deregister>(handle, "cuFileHandleDeregister");
  RegisterBuffer add_buffer = function<RegisterBuffer>(handle, "cuFileBufRegister");
  DeregisterBuffer remove_buffer = function<DeregisterBuffer>(handle, "cuFileBufDeregister");
  Read read = function<Read>(handle, "cuFileRead");
};

/// A file that cuFile reads.
class DirectFile {
 public:
  DirectFile(const CuFile& cufile, const char* name) : cufile_(cufile) {
    descriptor_ = ::open(name, O_RDONLY | O_DIRECT | O_CLOEXEC);
    // Without direct I/O there is only the way through the host.
    if (descriptor_ < 0) descriptor_ = ::open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw Trouble{HEADRACE_GPU_FAILED, std::string(name) + ": " + std::strerror(errno)};
    CuFileDescription description{};
    description.type = kCuFileDescriptor;
    description.file.descriptor = descriptor_;
    const CuFileStatus status = cufile_.add(&handle_, &description);
    if (status.error == 0) return;
    ::close(descriptor_);
    check_cufile(status, "cuFileHandleRegister");
  }
  ~DirectFile() {
    cufile_.remove(handle_);
    ::close(descriptor_);
  }
  DirectFile(const DirectFile&) = delete;
  DirectFile& operator=(const DirectFile&) = delete;
  void* get() const { return handle_; }

 private:
  const CuFile& cufile_;
  int descriptor_ = -1;
  void* handle_ = nullptr;
};

/// Memory of the GPU, known to cuFile beforehand where `registered`.
class DirectMemory {
 public:
  DirectMemory(const CuFile& cufile, std::size_t bytes, bool registered) : cufile_(cufile), memory_(bytes) {
    if (!registered) return;
    check_cufile(cufile_.add_buffer(memory_.get(), bytes, 0), "cuFileBufRegister");
    registered_ = true;
  }
  ~DirectMemory() {
    if (registered_) cufile_.remove_buffer(memory_.get());
  }
  DirectMemory(const DirectMemory&) = delete;
  DirectMemory& operator=(const DirectMemory&) = delete;
  void* get() const { return memory_.get(); }

 private:
  const CuFile& cufile_;
  DeviceMemory memory_;
  bool registered_ = false;
};

/// Reads that went through nvidia-fs since it was loaded; -1: it is not there, or does not count.
long long direct_reads_so_far() {
  std::ifstream stats("/proc/driver/nvidia-fs/stats");
  bool counts = false;
  for (std::string line; std::getline(stats, line);) {
    if (line.rfind("IO stats:", 0) == 0) counts = line.rfind("IO stats: Enabled", 0) == 0;
    const std::size_t number = line.find("n=");
    if (counts && line.rfind("Reads", 0) == 0 && number != std::string::npos)
      return std::strtoll(line.c_str() + number + 2, nullptr, 10);
  }
  return -1;
}

/// Reads at places that are all over the file until the time is over; at least two.
double read_until(const CuFile& cufile, const DirectFile& file, const DirectMemory& memory, const headrace_gpu_arm& arm,
                  unsigned thread, double end_s) {
  const unsigned long long blocks = std::max<unsigned long long>(1, arm.file_bytes / arm.bytes);
  double bytes = 0.0;
  for (unsigned long long i = 0; i < 2 || now_s() < end_s; ++i) {
    const unsigned long long block = (i * 7919 + thread * 104729ULL) % blocks;
    const ssize_t got = cufile.read(file.get(), memory.get(), arm.bytes, static_cast<off_t>(block * arm.bytes), 0);
    if (got != static_cast<ssize_t>(arm.bytes))
      throw Trouble{HEADRACE_GPU_FAILED, "cuFileRead: " + (got == -1 ? std::string(std::strerror(errno))
                                                                      : "result " + std::to_string(got))};
    bytes += static_cast<double>(got);
  }
  return bytes;
}

headrace_gpu_window direct_reads(const headrace_gpu_session& session, const headrace_gpu_arm& arm, double seconds) {
  if (arm.file == nullptr || arm.file_bytes < arm.bytes) skip("there is no file that is large enough");
  static const CuFile cufile;
  const DirectFile file(cufile, arm.file);
  const auto threads = static_cast<unsigned>(std::max(1, arm.streams));
  std::vector<std::unique_ptr<DirectMemory>> memory;
  for (unsigned i = 0; i < threads; ++i)
    memory.push_back(std::make_unique<DirectMemory>(cufile, arm.bytes, arm.memory == HEADRACE_GPU_REGISTERED));
  std::vector<double> bytes(threads, 0.0);
  std::mutex mutex;
  std::exception_ptr failure;
  const long long before = direct_reads_so_far();
  const double begin = now_s();
  std::vector<std::thread> all;
  for (unsigned i = 0; i < threads; ++i)
    all.emplace_back([&, i] {
      try {
        CHECK_CUDA(cudaSetDevice(session.gpu));
        bytes[i] = read_until(cufile, file, *memory[i], arm, i, begin + seconds);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        failure = std::current_exception();
      }
    });
  for (std::thread& thread : all) thread.join();
  if (failure) std::rethrow_exception(failure);
  headrace_gpu_window window{0.0, now_s() - begin, HEADRACE_GPU_PATH_UNVERIFIED};
  for (const double amount : bytes) window.amount += amount;
  const long long after = direct_reads_so_far();
  if (before >= 0 && after >= 0) window.path = after > before ? HEADRACE_GPU_PATH_DIRECT : HEADRACE_GPU_PATH_COMPAT;
  return window;
}

headrace_gpu_window measure(const headrace_gpu_session& session, const headrace_gpu_arm& arm, double seconds) {
  CHECK_CUDA(cudaSetDevice(session.gpu));
  if (arm.bytes == 0 && arm.kind != HEADRACE_GPU_LAUNCH) throw Trouble{HEADRACE_GPU_FAILED, "an arm without a size"};
  switch (arm.kind) {
    case HEADRACE_GPU_COPY: return copies(session, arm, seconds);
    case HEADRACE_GPU_LAUNCH: return launches(seconds);
    case HEADRACE_GPU_HBM: return device_copies(arm, seconds);
    case HEADRACE_GPU_GEMM: return products(session, arm, seconds);
    case HEADRACE_GPU_RESIZE: return resizes(session, arm, seconds);
    case HEADRACE_GPU_ALL_REDUCE: return all_reduces(session, arm, seconds);
    case HEADRACE_GPU_DIRECT: return direct_reads(session, arm, seconds);
    default: skip("unknown to this library");
  }
}

/// Runs what may fail and turns its trouble into a code and a message.
template <class Call>
int guarded(char* message, std::size_t size, const Call& call) {
  try {
    call();
    return HEADRACE_GPU_OK;
  } catch (const Trouble& trouble) {
    std::snprintf(message, size, "%s", trouble.message.c_str());
    return trouble.code;
  } catch (const std::exception& error) {
    std::snprintf(message, size, "%s", error.what());
    return HEADRACE_GPU_FAILED;
  }
}

}  // namespace

extern "C" {

int headrace_gpu_interface(void) { return HEADRACE_GPU_INTERFACE; }

int headrace_gpu_count(int* count, char* message, size_t size) {
  return guarded(message, size, [&] { CHECK_CUDA(cudaGetDeviceCount(count)); });
}

int headrace_gpu_describe(int gpu, headrace_gpu_info* info, char* message, size_t size) {
  return guarded(message, size, [&] {
    cudaDeviceProp properties{};
    CHECK_CUDA(cudaGetDeviceProperties(&properties, gpu));
    std::snprintf(info->name, sizeof info->name, "%.*s", static_cast<int>(sizeof info->name) - 1, properties.name);
    info->memory_bytes = static_cast<double>(properties.totalGlobalMem);
    info->processors = properties.multiProcessorCount;
    int clock_khz = 0;
    if (cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, gpu) != cudaSuccess) clock_khz = 0;
    info->clock_khz = clock_khz;
    if (cudaDeviceGetPCIBusId(info->bus, sizeof info->bus, gpu) != cudaSuccess) info->bus[0] = '\0';
    CHECK_CUDA(cudaDriverGetVersion(&info->driver));
    CHECK_CUDA(cudaRuntimeGetVersion(&info->runtime));
  });
}

int headrace_gpu_open(int gpu, headrace_gpu_session** session, char* message, size_t size) {
  return guarded(message, size, [&] {
    CHECK_CUDA(cudaSetDevice(gpu));
    auto made = std::make_unique<headrace_gpu_session>();
    made->gpu = gpu;
    CHECK_CUDA(cudaDeviceGetAttribute(&made->processors, cudaDevAttrMultiProcessorCount, gpu));
    CHECK_CUDA(cudaFree(nullptr));  // makes the context
    *session = made.release();
  });
}

int headrace_gpu_measure(headrace_gpu_session* session, const headrace_gpu_arm* arm, double seconds,
                         headrace_gpu_window* window, char* message, size_t size) {
  return guarded(message, size, [&] { *window = measure(*session, *arm, seconds); });
}

int headrace_gpu_step(headrace_gpu_session* session, unsigned long long bytes, double seconds, char* message,
                      size_t size) {
  return guarded(message, size, [&] {
    CHECK_CUDA(cudaSetDevice(session->gpu));
    if (!session->step || session->step->bytes() != bytes) session->step = std::make_unique<StepBuffers>(bytes);
    session->step->step(session->processors, seconds);
  });
}

void headrace_gpu_close(headrace_gpu_session* session) { delete session; }

}  // extern "C"
