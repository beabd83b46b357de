/* gst-cca: what cca-bench measures: engines and the jobs they are given
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An engine is whatever can label or measure masks: libcca on a backend, or a peer to compare with. run() starts the
 * work on one image, wait() ends when its result is there; nothing else is measured. Engines that work at once do all
 * in run().
 */
#pragma once

#include <glib.h>

#include "bench-memory.h"

G_BEGIN_DECLS

#define BENCH_ERROR (bench_error_quark ())
GQuark bench_error_quark (void);

typedef enum
{
  BENCH_ERROR_USAGE,    /* an impossible argument */
  BENCH_ERROR_INPUT,    /* an input that cannot be read */
  BENCH_ERROR_ENGINE,   /* an engine that fails */
  BENCH_ERROR_MISMATCH, /* engines that disagree */
  BENCH_ERROR_OUTPUT    /* a report that cannot be written */
} BenchError;

typedef enum
{
  BENCH_ANALYSIS, /* components only */
  BENCH_LABELS    /* components, and an image of 32-bit labels */
} BenchTask;

/* "analysis", "labels". */
const char *bench_task_name (BenchTask task);

/* What an engine shall do with the masks of a case. All pointers outlive the engine's state. */
typedef struct
{
  guint width, height;
  guint connectivity; /* 4 or 8 */
  BenchTask task;
  const CcaAlgorithm *algorithm; /* NULL for peers */
  const char *peer;              /* its name; NULL for algorithms */
  CcaIsa isa;
  CcaFormat format; /* that the masks are converted to before anything is timed; GRAY8 for peers */
  guint n_threads;
  guint max_components;         /* of which more than the number is wanted */
  gboolean stages;              /* the stages are timed */
  gboolean overlaps;            /* with the last image; algorithms only */
  gboolean shapes, intensities; /* are measured; algorithms only */
  const BenchMemory *memory;    /* of inputs and outputs */
  guint n_masks;                /* distinct ones; input i is mask i % n_masks */
  guint n_inputs;
  guint8 *const *inputs; /* masks, 0 or 255, width bytes a row */
  guint n_outputs;
  guint32 *const *outputs; /* room for labels, width * 4 bytes a row; none where no contender writes labels */
} BenchJob;

typedef struct
{
  /* Returns the engine's state, or NULL and an error. */
  gpointer (*open) (const BenchJob *job, GError **error);
  gboolean (*run) (gpointer state, guint input, guint output, GError **error);
  gboolean (*wait) (gpointer state, guint32 *n_components, GError **error);
  /* The time of each stage of the last image, ns, CCA_N_STAGES of them; NULL where the engine does not say. */
  const guint64 *(*stages) (gpointer state);
  /* Iterations of the last image (CcaMeasurement); NULL where the engine does not say. */
  guint32 (*iterations) (gpointer state);
  /* Bytes of working space in use, or NULL where the engine does not say. */
  gsize (*memory) (gpointer state);
  /* What it runs on, in words; lives with the state. */
  const char *(*device) (gpointer state);
  void (*close) (gpointer state);
} BenchEngine;

/* libcca; job.algorithm says which algorithm and backend. */
extern const BenchEngine bench_engine_cca;

/* Other libraries' functions to compare with. */
typedef struct
{
  const char *name;
  const char *description;
  BenchTask task;
  CcaMemory memory;              /* where it takes its images from */
  guint connectivity;            /* the only one that it knows, 4 or 8; 0: both */
  gboolean counts;               /* the components as we do, so that the numbers must be equal */
  const char *(*missing) (void); /* NULL: it is there; else gives NULL, or the reason why it is not */
  const BenchEngine *engine;
} BenchPeer;

/* All peers of this build, ended by NULL. */
extern const BenchPeer *const bench_peers[];

/* NULL, or why a peer is not there. */
const char *bench_peer_missing (const BenchPeer *peer);

G_END_DECLS
