// Random123 refuses processors that it was not tried on. WebAssembly has 64-bit integers and products of 128 bits by the
// compiler, as it takes them on this one.
#pragma once

#define __aarch64__ 1
#include_next <Random123/philox.h>
#undef __aarch64__
