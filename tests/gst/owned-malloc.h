/* gst-cca: for programs that replace malloc
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * OWNED_MALLOC is 0 where AddressSanitizer takes that place itself. Else a program defines malloc and its kin as
 * INTERPOSED, and passes requests on to those of libc.
 */
#pragma once

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define OWNED_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OWNED_MALLOC 0
#endif
#endif
#ifndef OWNED_MALLOC
#define OWNED_MALLOC 1
#endif

#define INTERPOSED __attribute__ ((visibility ("default")))

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *block, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);
extern void __libc_free (void *block);
