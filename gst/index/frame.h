/* gst-cca: a frame as an index keeps it
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Coordinates are in pixels, times in ns. All of it is kept exactly.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GST_CCA_INDEX_NEVER UINT64_MAX /* a time that is not known */

typedef enum
{
  GST_CCA_INDEX_UTC_NONE,
  GST_CCA_INDEX_UTC_NTP,
  GST_CCA_INDEX_UTC_UNIX,
  GST_CCA_INDEX_UTC_START,
  GST_CCA_INDEX_UTC_CLOCK
} GstCcaIndexUtcSource;
#define GST_CCA_INDEX_LAST_UTC_SOURCE GST_CCA_INDEX_UTC_CLOCK

/* Values that many frames share. */
typedef struct
{
  const char *caps;          /* of the video; never NULL */
  const char *id;            /* of the analysis; never NULL */
  double rate, applied_rate; /* the segment's */
  uint64_t base, offset, start, time;
  GstCcaIndexUtcSource utc_source;
  uint32_t components_size[2], tracks_size[2]; /* the frame that each list is for: width, height */
} GstCcaIndexContext;

/* Without padding, so that memcmp() compares all bits. */
typedef struct
{
  uint32_t x, y, width, height;
  uint64_t area;
  double centroid[2];
} GstCcaIndexPlace;

typedef struct
{
  uint32_t label;
  GstCcaIndexPlace place;
  double covariance[3];
} GstCcaIndexComponent;

#define GST_CCA_INDEX_LAST_STATE 2

typedef struct
{
  uint64_t id;
  uint32_t state; /* 0…GST_CCA_INDEX_LAST_STATE */
  uint32_t label;
  GstCcaIndexPlace place;
  double velocity[2];
  uint32_t age;
  const char *kind; /* its class by a detector, or NULL */
} GstCcaIndexTrack;

/* Where the foreground was for a while: cells row by row, a byte each, 1 for foreground. */
typedef struct
{
  uint32_t side, columns, rows; /* side in pixels; columns 0: not known */
  const uint8_t *cells;
} GstCcaIndexCells;

typedef struct
{
  GstCcaIndexContext context;
  uint64_t pts, duration;
  uint64_t utc; /* since 1970; GST_CCA_INDEX_NEVER without a source */
  bool has_components, components_stale, scene_change, learning;
  uint32_t n_found; /* components, at least as many as are listed */
  const GstCcaIndexComponent *components;
  size_t n_components;
  bool has_tracks, tracks_stale;
  const GstCcaIndexTrack *tracks; /* by ascending id */
  size_t n_tracks;
  bool has_cells; /* the foreground since the last frame that has it */
  GstCcaIndexCells cells;
} GstCcaIndexFrame;
