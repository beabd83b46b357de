/* gst-cca: the fuzzer's entry point
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Decodes bytes into an image and parameters, runs them on every target of the registry and compares with the oracle.
 * Says what differs and aborts where something does. Always 0. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#endif
