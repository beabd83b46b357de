/* gst-cca: what is known of a frame, as a line of JSON
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#ifndef GST_CCA_JSON_LINE_H
#define GST_CCA_JSON_LINE_H

#include "gstccascene.h"
#include "gstccatimes.h"
#include "gstccautc.h"

G_BEGIN_DECLS

/* What of the metas is written. */
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
  const GstCcaMeta *components;  /* or NULL */
  const GstCcaTrackMeta *tracks; /* or NULL */
  const GPtrArray *rules;        /* of const GstCcaEventMeta: one of each ccazones */
} GstCcaJsonFrame;

/* Returns whether the frame must not get lost: it has events, or is of another scene. */
gboolean gst_cca_json_frame_is_eventful (const GstCcaJsonFrame *frame);

/* Makes room for those parts of the line on a frame. Returns FALSE if memory is exhausted. */
gboolean gst_cca_json_line_reserve (GString *line, const gchar *camera, const GstCcaJsonFrame *frame, guint parts);

/* Sets a text with room for it to the line on a frame, with '\n' at its end. The file ccajson.schema.json says what is
 * in it. Items with numbers that are not finite, which no element of ours makes, are left out. */
void gst_cca_json_line_write (GString *line, const gchar *camera, const GstCcaMessageTimes *times, const GstCcaUtc *utc,
                              const GstCcaJsonFrame *frame, guint parts);

G_END_DECLS

#endif
