/* gst-cca: YACCLAB's macros by which an algorithm makes itself known
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef YACCLAB_REGISTER_H
#define YACCLAB_REGISTER_H

#define REGISTER_LABELING(algorithm)                                                                                   \
  namespace {                                                                                                          \
  const struct algorithm##_adder                                                                                       \
  {                                                                                                                    \
    algorithm##_adder () { yacclab_add (#algorithm, new algorithm); }                                                  \
  } algorithm##_added;                                                                                                 \
  }

#define REGISTER_KERNELS(algorithm, ...)
#define BLOCKSIZE_KERNEL(kernel, ...)

#endif
