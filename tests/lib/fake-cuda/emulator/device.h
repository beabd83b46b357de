/* gst-cca: CUDA's device side for the host's compiler, as far as the kernels use it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Included before a file of kernels. The threads of a block take turns on one thread of the host: they change over
 * where they wait for each other, at barriers and at what the lanes of a warp do together. Atomic operations are plain
 * ones therefore. What is shared is static, and holds what the last block left there.
 */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define __device__
#define __global__
#define __host__
#define __shared__ static
#define __launch_bounds__(...)

struct uint2
{
  uint32_t x, y;
};
struct alignas (16) uint4
{
  uint32_t x, y, z, w;
};
struct alignas (16) ulonglong2
{
  unsigned long long x, y;
};

inline uint2
make_uint2 (uint32_t x, uint32_t y)
{
  return { x, y };
}
inline uint4
make_uint4 (uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
  return { x, y, z, w };
}
inline ulonglong2
make_ulonglong2 (unsigned long long x, unsigned long long y)
{
  return { x, y };
}

/* --- Threads ----------------------------------------------------------------------------------------- */

struct Place
{
  uint32_t x, y, z;
};
extern Place threadIdx, blockIdx, blockDim, gridDim;
extern uint32_t emulator_current; /* index of the running thread in its block */

/* Operations of the lanes of a warp, and their result in each lane. */
enum class Together : uint8_t
{
  MEET,     /* nothing */
  COLLECT,  /* a mask of the lanes whose value is not 0 */
  MATCH,    /* a mask of the lanes that have the same value */
  EXCHANGE, /* the value of the lane `from`, or its own if that lane is absent */
  ADD,      /* the sum, bitwise or, or maximum of all values, which have 32 bits */
  OR,
  MAX,
};

/* Waits until all lanes of `mask` have arrived or ended. */
uint64_t emulator_meet (uint32_t mask, Together what, uint64_t value = 0, uint32_t from = 0);
/* Waits until all threads of the block have arrived or ended. Returns whether all that arrived gave true. */
bool emulator_barrier (bool value = true);

inline uint32_t
emulator_lane ()
{
  return emulator_current % 32;
}

inline void
__syncthreads ()
{
  emulator_barrier ();
}
inline int
__syncthreads_and (int predicate)
{
  return emulator_barrier (predicate != 0);
}
inline void
__syncwarp (uint32_t mask = 0xffffffff)
{
  emulator_meet (mask, Together::MEET);
}
inline void
__threadfence ()
{
}

template <typename T>
inline T
emulator_exchange (uint32_t mask, T value, uint32_t from)
{
  uint64_t bits = 0;
  T result;

  static_assert (sizeof value <= sizeof bits, "a value fits");
  memcpy (&bits, &value, sizeof value);
  bits = emulator_meet (mask, Together::EXCHANGE, bits, from);
  memcpy (&result, &bits, sizeof result);
  return result;
}

template <typename T>
inline T
__shfl_sync (uint32_t mask, T value, uint32_t lane)
{
  return emulator_exchange (mask, value, lane % 32);
}

template <typename T>
inline T
__shfl_up_sync (uint32_t mask, T value, uint32_t by)
{
  return emulator_exchange (mask, value, emulator_lane () >= by ? emulator_lane () - by : emulator_lane ());
}

template <typename T>
inline T
__shfl_down_sync (uint32_t mask, T value, uint32_t by)
{
  return emulator_exchange (mask, value, emulator_lane () + by < 32 ? emulator_lane () + by : emulator_lane ());
}

template <typename T>
inline T
__shfl_xor_sync (uint32_t mask, T value, uint32_t by)
{
  return emulator_exchange (mask, value, (emulator_lane () ^ by) % 32);
}

inline uint32_t
__match_any_sync (uint32_t mask, uint32_t value)
{
  return (uint32_t) emulator_meet (mask, Together::MATCH, value);
}

inline uint32_t
__ballot_sync (uint32_t mask, bool value)
{
  return (uint32_t) emulator_meet (mask, Together::COLLECT, value);
}

inline bool
__any_sync (uint32_t mask, bool value)
{
  return __ballot_sync (mask, value) != 0;
}

inline uint32_t
__reduce_add_sync (uint32_t mask, uint32_t value)
{
  return (uint32_t) emulator_meet (mask, Together::ADD, value);
}

inline uint32_t
__reduce_or_sync (uint32_t mask, uint32_t value)
{
  return (uint32_t) emulator_meet (mask, Together::OR, value);
}

inline uint32_t
__reduce_max_sync (uint32_t mask, uint32_t value)
{
  return (uint32_t) emulator_meet (mask, Together::MAX, value);
}

/* --- Memory ------------------------------------------------------------------------------------------ */

template <typename T>
inline T
__ldcg (const T *p)
{
  return *(const volatile T *) p;
}
template <>
inline uint4
__ldcg (const uint4 *p)
{
  return *p;
}
template <typename T>
inline void
__stcg (T *p, T value)
{
  *p = value;
}
template <typename T>
inline void
__stcs (T *p, T value)
{
  *p = value;
}

template <typename T, typename F>
inline T
emulator_change (T *p, F f)
{
  const T old = *p;

  *p = f (old);
  return old;
}

#define EMULATOR_ATOMIC(name, value)                                                                                   \
  template <typename T, typename V> inline T name (T *p, V v)                                                          \
  {                                                                                                                    \
    const T given = (T) v;                                                                                             \
    return emulator_change (p, [&] (T old) { return (T) (value); });                                                   \
  }
EMULATOR_ATOMIC (atomicAdd, old + given)
EMULATOR_ATOMIC (atomicOr, old | given)
EMULATOR_ATOMIC (atomicExch, ((void) old, given))
EMULATOR_ATOMIC (atomicMin, given < old ? given : old)
EMULATOR_ATOMIC (atomicMax, given > old ? given : old)

template <typename T>
inline T
atomicCAS (T *p, T expected, T value)
{
  return emulator_change (p, [&] (T old) { return old == expected ? value : old; });
}

/* --- Numbers ----------------------------------------------------------------------------------------- */

/* Use the wider of two types, as CUDA's overloads do. */
template <typename A, typename B>
inline auto
min (A a, B b) -> decltype (a + b)
{
  return a < b ? a : b;
}
template <typename A, typename B>
inline auto
max (A a, B b) -> decltype (a + b)
{
  return a > b ? a : b;
}

inline int
__popc (uint32_t v)
{
  return __builtin_popcount (v);
}
inline int
__popcll (unsigned long long v)
{
  return __builtin_popcountll (v);
}
inline int
__ffs (uint32_t v)
{
  return __builtin_ffs ((int) v);
}
inline int
__ffsll (unsigned long long v)
{
  return __builtin_ffsll ((long long) v);
}
inline int
__clz (uint32_t v)
{
  return v ? __builtin_clz (v) : 32;
}
inline int
__clzll (unsigned long long v)
{
  return v ? __builtin_clzll (v) : 64;
}

inline uint32_t
__funnelshift_l (uint32_t low, uint32_t high, uint32_t by)
{
  return (uint32_t) (((uint64_t) high << 32 | low) << (by % 32) >> 32);
}

inline uint32_t
__funnelshift_r (uint32_t low, uint32_t high, uint32_t by)
{
  return (uint32_t) (((uint64_t) high << 32 | low) >> (by % 32));
}

/* Applies f to four bytes. */
template <typename F>
inline uint32_t
emulator_bytes (uint32_t a, uint32_t b, F f)
{
  uint32_t result = 0;

  for (int i = 0; i < 32; i += 8)
    result |= ((uint32_t) f ((int) (a >> i & 255), (int) (b >> i & 255)) & 255) << i;
  return result;
}

#define EMULATOR_BYTES(name, value)                                                                                    \
  inline uint32_t name (uint32_t a4, uint32_t b4)                                                                      \
  {                                                                                                                    \
    return emulator_bytes (a4, b4, [] (int a, int b) { return value; });                                               \
  }
EMULATOR_BYTES (__vabsdiffu4, a > b ? a - b : b - a)
EMULATOR_BYTES (__vaddus4, a + b < 255 ? a + b : 255)
EMULATOR_BYTES (__vsubus4, a > b ? a - b : 0)
EMULATOR_BYTES (__vsub4, a - b)
EMULATOR_BYTES (__vmaxu4, a > b ? a : b)
EMULATOR_BYTES (__vminu4, a < b ? a : b)
EMULATOR_BYTES (__vcmpeq4, a == b ? 255 : 0)
EMULATOR_BYTES (__vcmpne4, a != b ? 255 : 0)
EMULATOR_BYTES (__vcmpgeu4, a >= b ? 255 : 0)
EMULATOR_BYTES (__vcmpleu4, a <= b ? 255 : 0)

/* Return the minima, and the maxima, of two halves. */
inline uint32_t
__vminu2 (uint32_t a, uint32_t b)
{
  return min (a & 0xffff, b & 0xffff) | min (a >> 16, b >> 16) << 16;
}
inline uint32_t
__vmaxu2 (uint32_t a, uint32_t b)
{
  return max (a & 0xffff, b & 0xffff) | max (a >> 16, b >> 16) << 16;
}

/* Returns bytes of b and a: byte i is the one of these eight that digit i of the selector names. */
inline uint32_t
__byte_perm (uint32_t a, uint32_t b, uint32_t selector)
{
  const uint64_t both = (uint64_t) b << 32 | a;
  uint32_t result = 0;

  for (int i = 0; i < 4; i++)
    result |= (uint32_t) (both >> (selector >> 4 * i & 7) * 8 & 255) << 8 * i;
  return result;
}

inline uint32_t
__dp4a (uint32_t a, uint32_t b, uint32_t sum)
{
  for (int i = 0; i < 32; i += 8)
    sum += (a >> i & 255) * (b >> i & 255);
  return sum;
}
