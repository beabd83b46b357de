/* gst-cca: the number of threads for a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "cca/cpu/thread_count.h"

/* Work that makes another thread worthwhile: several times the cost of waking it. */
#define NS_A_THREAD 75000

/* Frames of a trial of one thread, and of one of several. Only the last of them count: the first meet cold caches,
 * sleeping threads, and a scheduler that has not spread the threads yet. */
static const uint32_t trial_frames[2] = { CCA_N_FRAME_TIMES + 1, 5 * CCA_N_FRAME_TIMES };

/* Frames between two trials. Each trial that changes nothing doubles the interval. */
#define FEWEST_FRAMES 32
#define MOST_FRAMES 512

void
cca_thread_count_init (CcaThreadCount *self)
{
  *self = (CcaThreadCount) {
    .work_ns = UINT64_MAX, .prefers_several = true, .n_left = trial_frames[true], .interval = FEWEST_FRAMES
  };
}

/* Returns how many threads would have been worthwhile in the last frame. Its time reflects size, content, mode and
 * instruction set. */
static uint32_t
worthwhile_threads (const CcaThreadCount *self, uint32_t most)
{
  const uint64_t n = self->work_ns / NS_A_THREAD;

  if (n >= most)
    return most;
  return n > 0 ? (uint32_t) n : 1;
}

uint32_t
cca_thread_count_choose (const CcaThreadCount *self, uint32_t most)
{
  return self->prefers_several != self->tries_other ? worthwhile_threads (self, most) : 1;
}

static uint64_t
median_ns (const CcaThreadCount *self, bool several)
{
  const uint64_t *times = self->frame_ns[several];
  const uint64_t low = times[0] < times[1] ? times[0] : times[1], high = times[0] < times[1] ? times[1] : times[0];

  return times[2] < low ? low : times[2] > high ? high : times[2];
}

/* Returns whether several threads save a tenth of a frame's time or more. */
static bool
several_pay (const CcaThreadCount *self)
{
  return median_ns (self, true) / 9 < median_ns (self, false) / 10;
}

static void
end_phase (CcaThreadCount *self)
{
  if (self->tries_other) {
    const bool preferred = self->prefers_several;

    self->prefers_several = several_pay (self);
    self->interval = self->prefers_several != preferred ? FEWEST_FRAMES
                     : self->interval < MOST_FRAMES     ? 2 * self->interval
                                                        : MOST_FRAMES;
  }
  self->tries_other = !self->tries_other;
  self->n_left = self->tries_other ? trial_frames[!self->prefers_several] : self->interval;
}

void
cca_thread_count_add (CcaThreadCount *self, uint32_t n_threads, uint32_t most, uint64_t frame_ns, uint64_t work_ns)
{
  const bool several = n_threads > 1;

  self->work_ns = work_ns;
  if (worthwhile_threads (self, most) == 1)
    return; /* too little work for a choice */
  self->frame_ns[several][self->n_timed[several]++ % CCA_N_FRAME_TIMES] = frame_ns;
  if (--self->n_left == 0)
    end_phase (self);
}
