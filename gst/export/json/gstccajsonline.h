/* gst-cca: the metas of a frame as a line of JSON, and the changes since the last line
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstccajsonmark.h"
#include "gstccaconverter.h"
#include "gstccatimes.h"

/* Parts of the metas. */
typedef enum
{
  GST_CCA_JSON_COMPONENTS = 1 << 0,
  GST_CCA_JSON_TRACKS = 1 << 1,
  GST_CCA_JSON_EVENTS = 1 << 2,
  GST_CCA_JSON_COUNTS = 1 << 3,
  GST_CCA_JSON_POINTS = 1 << 4, /* of the rules, with their counts */
} GstCcaJsonParts;

#define GST_TYPE_CCA_JSON_PARTS (gst_cca_json_parts_get_type ())
GType gst_cca_json_parts_get_type (void);

/* A frame. The metas are of one analysis and of one size. */
typedef struct
{
  const gchar *id;               /* of the analysis; NULL: not known */
  guint width, height;           /* of the frame that the coordinates refer to */
  gboolean stale, scene_change;  /* as the metas say */
  const gchar *camera_state;     /* NULL: the camera is well, and was in the last line */
  gboolean camera_changed;       /* since the last line */
  const GstCcaMeta *components;  /* or NULL */
  const GstCcaTrackMeta *tracks; /* or NULL */
  const GPtrArray *rules;        /* of const GstCcaEventMeta: one of each ccazones */
} GstCcaJsonFrame;

/* Returns whether the frame must not get lost: it has events, is of another scene, or the camera's state changed. */
gboolean gst_cca_json_frame_is_eventful (const GstCcaJsonFrame *frame);

/* Sets a text to the line on a frame, with '\n' at its end, and *members to the places of its members.
 * ccajson.schema.json specifies the line. Skips items with numbers that are not finite, which no element of ours makes.
 */
void gst_cca_json_line_write (GString *line, GstCcaJsonMembers *members, const gchar *camera,
                              const GstCcaMessageTimes *times, const GstCcaUtc *utc, const GstCcaJsonFrame *frame,
                              guint parts);

/* --- Changes ----------------------------------------------------------------------------------------- */

/* The contents of the last line. */
typedef struct
{
  gboolean any; /* whether there was one */
  gchar *id;
  guint width, height;
  guint n_components;
  GArray *tracks;   /* their ids and states */
  GArray *counters; /* of the rules */
} GstCcaJsonChanges;

void gst_cca_json_changes_init (GstCcaJsonChanges *changes);
void gst_cca_json_changes_clear (GstCcaJsonChanges *changes);

/* Forgets the last line: the next frame is new. */
void gst_cca_json_changes_forget (GstCcaJsonChanges *changes);

/* Returns whether the parts of a frame that are written differ from the last line in more than where things are: in the
 * analysis or the frame's size, in tracks that began, ended or changed their state, or in counters; where no tracks are
 * written, in the number of components. */
gboolean gst_cca_json_changes_has_news (const GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame, guint parts);

/* Makes a frame that of the last line. */
void gst_cca_json_changes_remember (GstCcaJsonChanges *changes, const GstCcaJsonFrame *frame);
