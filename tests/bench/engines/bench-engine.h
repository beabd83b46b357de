/* gst-cca: the engines that cca-bench measures, and their jobs
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An engine can label or measure masks: libcca on a backend, or a peer to compare with. run() starts the
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

/* Returns "analysis" or "labels". */
const char *bench_task_name (BenchTask task);

/* An engine's job on the masks of a case. All pointers outlive the engine's state. */
typedef struct
{
  guint width, height;
  guint connectivity; /* 4 or 8 */
  BenchTask task;
  const CcaAlgorithm *algorithm; /* NULL for peers */
  const char *peer;              /* its name; NULL for algorithms */
  CcaIsa isa;
  CcaFormat format; /* of the inputs, converted before the timing; GRAY8 for peers */
  guint n_threads;
  guint max_components;         /* components to measure; others are only counted */
  gboolean stages;              /* time the stages */
  gboolean overlaps;            /* find overlaps with the last image; algorithms only */
  gboolean shapes, intensities; /* measure them; algorithms only */
  const BenchMemory *memory;    /* of inputs and outputs */
  guint n_masks;                /* distinct ones; input i is mask i % n_masks */
  guint n_inputs;
  guint8 *const *inputs; /* masks, 0 or 255, width bytes a row */
  guint n_outputs;
  guint32 *const *outputs; /* room for labels, width * 4 bytes a row; none if no contender writes labels */
} BenchJob;

typedef struct
{
  /* Returns the engine's state, or NULL and an error. */
  gpointer (*open) (const BenchJob *job, GError **error);
  gboolean (*run) (gpointer state, guint input, guint output, GError **error);
  gboolean (*wait) (gpointer state, guint32 *n_components, GError **error);
  /* Returns the time of each stage of the last image, ns, CCA_N_STAGES of them; NULL if unknown. */
  const guint64 *(*stages) (gpointer state);
  /* Returns the iterations of the last image (CcaMeasurement); NULL if unknown. */
  guint32 (*iterations) (gpointer state);
  /* Returns the bytes of workspace in use; NULL if unknown. */
  gsize (*memory) (gpointer state);
  /* Returns the name of its device, valid with the state. */
  const char *(*device) (gpointer state);
  void (*close) (gpointer state);
} BenchEngine;

/* libcca; job.algorithm chooses algorithm and backend. */
extern const BenchEngine bench_engine_cca;

/* Other libraries' functions to compare with. */
typedef struct
{
  const char *name;
  const char *description;
  BenchTask task;
  CcaMemory memory;              /* memory of its images */
  guint connectivity;            /* the only one it supports, 4 or 8; 0: both */
  gboolean counts;               /* counts components, so that its number must equal libcca's */
  const char *(*missing) (void); /* returns why the peer is unavailable, or NULL; may itself be NULL */
  const BenchEngine *engine;
} BenchPeer;

/* All peers of this build, ended by NULL. */
extern const BenchPeer *const bench_peers[];

/* Returns why a peer is unavailable, or NULL. */
const char *bench_peer_missing (const BenchPeer *peer);

G_END_DECLS
