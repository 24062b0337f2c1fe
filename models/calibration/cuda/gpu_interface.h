/* The small C interface behind which the probes of GPUs lie, in a library of their own (libheadrace_cuda.so). The
 * program loads it at run time and never links CUDA. Another library with these functions serves as well: the tests
 * have one. */
#ifndef HEADRACE_GPU_INTERFACE_H
#define HEADRACE_GPU_INTERFACE_H

#include <stddef.h>

#define HEADRACE_GPU_INTERFACE 4

#ifdef __cplusplus
extern "C" {
#endif

enum { HEADRACE_GPU_OK = 0, HEADRACE_GPU_SKIPPED = 1, HEADRACE_GPU_FAILED = 2 };

/* What is measured. Amounts: bytes for copies, device memory, resize and all-reduce; launches; floating point
 * operations for matrix products. */
enum {
  HEADRACE_GPU_COPY = 0,       /* between host and device */
  HEADRACE_GPU_LAUNCH = 1,     /* of an empty kernel, one after the other */
  HEADRACE_GPU_HBM = 2,        /* copy within the device: bytes read and written */
  HEADRACE_GPU_GEMM = 3,       /* bf16 matrix product with 32-bit sums */
  HEADRACE_GPU_RESIZE = 4,     /* shrinks and normalizes pictures of bytes: bytes read and written */
  HEADRACE_GPU_ALL_REDUCE = 5, /* over all GPUs: bytes of each buffer */
  HEADRACE_GPU_DIRECT = 6      /* reads of a file into the GPU by cuFile: bytes read */
};
enum { HEADRACE_GPU_TO_DEVICE = 0, HEADRACE_GPU_TO_HOST = 1 };
enum { HEADRACE_GPU_PINNED = 0, HEADRACE_GPU_PAGEABLE = 1, HEADRACE_GPU_REGISTERED = 2 };
/* Which way the bytes of a read by cuFile took, by the counters of nvidia-fs: asked for is not taken. */
enum {
  HEADRACE_GPU_PATH_NONE = 0,      /* no such read */
  HEADRACE_GPU_PATH_DIRECT = 1,    /* from the device into the GPU */
  HEADRACE_GPU_PATH_COMPAT = 2,    /* through memory of the host */
  HEADRACE_GPU_PATH_UNVERIFIED = 3 /* nothing counts them here */
};

typedef struct headrace_gpu_arm {
  int kind;
  int direction;
  int memory;               /* of direct reads: registered, or else not */
  int streams;              /* of direct reads: threads */
  int opposite;             /* copies in the other direction run at the same time */
  int busy;                 /* a kernel keeps the processors of the GPU at work */
  unsigned long long bytes; /* of one copy or read; of the matrix: its side */
  const char* file;         /* that direct reads read; null otherwise */
  unsigned long long file_bytes;
} headrace_gpu_arm;

typedef struct headrace_gpu_window {
  double amount;
  double seconds;
  int path; /* of direct reads */
} headrace_gpu_window;

typedef struct headrace_gpu_info {
  char name[128];
  double memory_bytes;
  int processors; /* streaming multiprocessors */
  int clock_khz;  /* highest; 0: not told */
  int driver;     /* version, as CUDA writes it: 13000 */
  int runtime;
  char bus[32]; /* place on the PCI bus, as CUDA writes it; empty: not told */
} headrace_gpu_info;

typedef struct headrace_gpu_session headrace_gpu_session;

/* HEADRACE_GPU_INTERFACE of the library. */
int headrace_gpu_interface(void);
/* All others return HEADRACE_GPU_OK, or a code with a message of at most `size` bytes. */
int headrace_gpu_count(int* count, char* message, size_t size);
int headrace_gpu_describe(int gpu, headrace_gpu_info* info, char* message, size_t size);
int headrace_gpu_open(int gpu, headrace_gpu_session** session, char* message, size_t size);
int headrace_gpu_measure(headrace_gpu_session* session, const headrace_gpu_arm* arm, double seconds,
                         headrace_gpu_window* window, char* message, size_t size);
/* A step of training: `bytes` go from pinned memory of the host to the device, then a kernel keeps the processors of
 * the GPU at work for `seconds`. Returns when it has ended; the calling thread sleeps meanwhile. */
int headrace_gpu_step(headrace_gpu_session* session, unsigned long long bytes, double seconds, char* message,
                      size_t size);
void headrace_gpu_close(headrace_gpu_session* session);

#ifdef __cplusplus
}
#endif

#endif
