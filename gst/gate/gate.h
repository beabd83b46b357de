/* gst-cca: which frames of a video are worth a detector's time
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A gate opens with a frame in which something moves, and closes when nothing has moved for the time `hold`. Frames of
 * the time `pre_roll` before it opened pass, too: the caller keeps them. While objects stand in the picture, a closed
 * gate lets a frame pass now and then (keep_alive). It starts open: the detector sees the scene once.
 *
 * A track moves when it begins, and when its centre has left the place where it last moved by a part of its longer
 * side. So noise in its outline does not count, and slow objects do.
 *
 * Times are in ns. Equal input gives equal output. One thread at a time; gates are independent. Plain C.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "box.h"

typedef struct
{
  uint64_t hold;       /* the gate stays open for this time after the last motion */
  uint64_t keep_alive; /* interval of frames that pass a closed gate with objects in the picture; 0: none */
  double step;         /* a track that left its place by this part of its longer side moves; 0…1 */
} GstCcaGateParams;

typedef struct
{
  uint64_t id;
  GstCcaBox box;
  bool seen; /* false: its box is predicted */
} GstCcaGateTrack;

typedef struct
{
  uint64_t time;                 /* never goes back; only differences count, so it may overflow */
  const GstCcaGateTrack *tracks; /* by ascending id */
  size_t n_tracks;
  bool moves;  /* something moves whatever the tracks do */
  bool stands; /* something is in the picture besides tracks */
} GstCcaGateFrame;

typedef enum
{
  GST_CCA_GATE_DROP,
  GST_CCA_GATE_PASS,
  GST_CCA_GATE_KEEP_ALIVE, /* passes though the gate is closed */
} GstCcaGateDecision;

typedef struct GstCcaMotionGate GstCcaMotionGate;

/* Returns an open gate, which the caller frees; NULL if memory is exhausted. */
GstCcaMotionGate *gst_cca_motion_gate_new (void);
void gst_cca_motion_gate_free (GstCcaMotionGate *gate); /* NULL is allowed */

/* Opens the gate and forgets all tracks, for another timeline. */
void gst_cca_motion_gate_reset (GstCcaMotionGate *gate);

/* Takes a frame and sets *decision. If it is GST_CCA_GATE_PASS after another one, the gate has opened with this frame,
 * and frames of the pre-roll pass, too. Returns FALSE if memory is exhausted: then the gate is as before the frame. */
bool gst_cca_motion_gate_run (GstCcaMotionGate *gate, const GstCcaGateParams *params, const GstCcaGateFrame *frame,
                              GstCcaGateDecision *decision);

/* Returns whether a track of the last frame, by its place in the list, has moved within `hold`. */
bool gst_cca_motion_gate_track_moves (const GstCcaMotionGate *gate, size_t track);

/* --- Tiles -------------------------------------------------------------------------------------------- */

/* Tiles lie in the frame and cover each box with its margin, as far as the frame has it. Two tiles become one where
 * that has no more pixels than both, and where there would be too many, those whose union wastes the least. Equal input
 * gives equal output. Plain C. */
#define GST_CCA_TILES_MOST 64

typedef struct
{
  uint32_t x, y, width, height; /* pixels */
} GstCcaTile;

typedef struct
{
  uint32_t width, height;         /* of the frame, pixels; at least 1 */
  double margin;                  /* round each box, as a part of its longer side; at least 0 */
  uint32_t min_width, min_height; /* of a tile, pixels, as far as the frame has them */
  double aspect;                  /* a tile's width over its height; 0: any. A tile that would not fit has another */
  uint32_t multiple;              /* sides are multiples of it, as far as the frame has them; at least 1 */
  uint32_t most;                  /* tiles, 1…GST_CCA_TILES_MOST */
} GstCcaTilesParams;

/* Covers n boxes, of which those outside the frame do not count. Returns the number of tiles. */
size_t gst_cca_tiles_cover (const GstCcaTilesParams *params, const GstCcaBox *boxes, size_t n,
                            GstCcaTile tiles[GST_CCA_TILES_MOST]);
