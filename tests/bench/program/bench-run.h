/* gst-cca: the method of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * All contenders of a case take turns, image by image, so that whatever drifts in the machine hits them alike. Each
 * goes round a ring of inputs and one of outputs, each larger than the last-level cache, from its own starting
 * point: an image comes back to the same or another contender only after all others. Before anything is timed every
 * contender does every distinct image, and all that count components must find the same number.
 */
#pragma once

#include "bench-case.h"
#include "bench-engine.h"

typedef struct
{
  const char *name; /* of the algorithm or peer; static */
  BenchTask task;
  const BenchEngine *engine;
  gboolean counts;               /* counts components: the number must equal that of the others */
  const CcaAlgorithm *algorithm; /* NULL for peers */
  guint connectivity;            /* the only one that a peer supports; 0: both */
  CcaIsa isa;
  CcaFormat format; /* of its images */
  guint n_threads;
  guint max_components; /* peers measure all */
} BenchContender;

/* A footprint. */
#define BENCH_TWICE_THE_CACHE G_MAXSIZE

typedef struct
{
  guint iterations; /* images timed for each contender; rounded up so that each distinct mask has the same share */
  guint warm_up;    /* rounds of all contenders before the timing */
  guint lead; /* untimed images of a contender right before each timed one: its predecessors on the ring, as in a stream
               */
  gsize footprint;   /* least bytes of the ring of inputs and of that of outputs; 0: one image each */
  double patience;   /* ns, warm-up included, after which a contender stops at the last distinct mask; 0: no limit */
  guint64 ahead;     /* ns of device work before each image, so that all of the image is enqueued by then */
  gboolean stages;   /* time the stages, which slows the GPU down */
  gboolean overlaps; /* algorithms also find overlaps with the last image */
  gboolean shapes, intensities; /* algorithms also measure them */
  gboolean signs;               /* a kernel for profilers before and after each timed image */
  gboolean check_labels;        /* compare all labels before the timing, not only the numbers of components */
  const BenchMemory *memory;
} BenchMethod;

/* One contender's times for one image, ns, and other results. Times are by the clock of the memory's device if it has
 * one, else by the host's. */
typedef struct
{
  char *device;
  guint iterations;
  guint preempted; /* times disturbed by other work on the machine */
  double min, p10, median, p90, mean;
  double call; /* the median by the host's clock, from the call to the result */
  gboolean has_stages;
  double stages[CCA_N_STAGES]; /* medians */
  double n_components;         /* mean over the masks */
  guint32 n_iterations;        /* CcaMeasurement.n_iterations, maximum over images; 0: none, or unknown */
  gsize memory;                /* 0: unknown */
  char *digest;                /* of the labels of all masks (bench-digest.h); NULL: none */
} BenchSummary;

/* Runs a case; summaries has room for one for each contender, to be cleared by bench_summary_clear(). */
gboolean bench_run (const BenchCase *self, guint connectivity, const BenchContender *contenders, guint n_contenders,
                    const BenchMethod *method, BenchSummary *summaries, GError **error);

void bench_summary_clear (BenchSummary *summary);
