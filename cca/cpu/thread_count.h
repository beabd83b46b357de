/* gst-cca: the number of threads for a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Whether another thread helps depends on the frame and on the machine: between the frames of a live stream threads
 * sleep, and if the system wakes them late, the frame is finished before they start. So this times the frames of a
 * stream on one thread and on several, and keeps the faster; now and then it tries the other for a few frames.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Last times kept; their median ignores a single late frame. */
#define CCA_N_FRAME_TIMES 3

typedef struct
{
  uint64_t work_ns;                        /* work of the last frame, all threads together; at first the maximum */
  uint64_t frame_ns[2][CCA_N_FRAME_TIMES]; /* last times on one thread, and on several; ring buffers */
  uint32_t n_timed[2];
  bool prefers_several;
  bool tries_other;  /* in the present phase */
  uint32_t n_left;   /* frames of the present phase */
  uint32_t interval; /* frames between two trials */
} CcaThreadCount;

/* Starts with several threads. */
void cca_thread_count_init (CcaThreadCount *self);

/* Returns the number of threads, 1…most, for the next frame. */
uint32_t cca_thread_count_choose (const CcaThreadCount *self, uint32_t most);

/* Records a frame: the threads that it used, of `most`; its duration; and the work of all threads together. */
void cca_thread_count_add (CcaThreadCount *self, uint32_t n_threads, uint32_t most, uint64_t frame_ns,
                           uint64_t work_ns);
