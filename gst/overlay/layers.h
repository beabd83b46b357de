/* gst-cca: which metas of a frame are drawn, and where
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccameta.h>
#include <gst/cca/gstccatrackmeta.h>

#include "layout.h"

/* Where the measured frame of a meta lies in the view. */
typedef struct
{
  guint width, height; /* of the measured frame */
  GstVideoRectangle content;
} GstCcaFit;

typedef struct
{
  const GstCcaMeta *meta;
  GstCcaFit fit;
} GstCcaComponentLayer;

typedef struct
{
  const GstCcaTrackMeta *meta;
  GstCcaFit fit;
} GstCcaTrackLayer;

typedef struct
{
  const GstCcaEventMeta *meta;
  GstCcaFit fit;
} GstCcaRuleLayer;

/* The metas of a frame that are drawn, valid as long as its buffer. */
typedef struct
{
  GArray *components;   /* of GstCcaComponentLayer */
  GArray *tracks;       /* of GstCcaTrackLayer */
  GArray *rules;        /* of GstCcaRuleLayer */
  GArray *crops;        /* of GstCcaExtent */
  const gchar *trouble; /* of the camera, set by the caller; NULL: it is well */

  gboolean without_source; /* the frame has analyses, but not the one asked for */
  struct
  {
    const gchar *id; /* of a meta that cannot be mapped to the frame, or NULL */
    guint width, height;
  } unplaced;
} GstCcaLayers;

void gst_cca_layers_init (GstCcaLayers *layers);
void gst_cca_layers_clear (GstCcaLayers *layers);

/* Lists the metas of a buffer with the id `source`, or all if it is NULL, and the crops, which have no id. The frame
 * has that size. Returns FALSE if there are none. */
gboolean gst_cca_layers_collect (GstCcaLayers *layers, GstBuffer *buffer, guint width, guint height,
                                 const gchar *source);

/* Returns the tracks of an analysis among the layers, or NULL. */
const GstCcaTrackLayer *gst_cca_layers_find_tracks (const GstCcaLayers *layers, const gchar *id);

/* Returns a track of an analysis on the ground, by the first rules that know it; or NULL. */
const GstCcaGroundTrack *gst_cca_layers_find_ground_track (const GstCcaLayers *layers, const gchar *id,
                                                           guint64 track_id);

/* Returns the view of whole frames. The two fields of an interlaced frame have chroma lines of their own. */
GstCcaView gst_cca_view_of_frames (const GstVideoInfo *info);

/* Return positions in the view of positions in the measured frame, in pixels from pixel edges. */
gdouble gst_cca_fit_x (const GstCcaFit *fit, gdouble x);
gdouble gst_cca_fit_y (const GstCcaFit *fit, gdouble y);

/* Return where an object is in the view. */
GstCcaExtent gst_cca_fit_component (const GstCcaFit *fit, const GstCcaComponent *component);
GstCcaExtent gst_cca_fit_track (const GstCcaFit *fit, const GstCcaTrack *track);

/* Returns the middle of an extent's lower edge: where a person stands. */
GstCcaVertex gst_cca_extent_foot (const GstCcaExtent *extent);
