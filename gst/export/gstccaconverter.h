/* gst-cca: base of elements that make a text of each video frame, and the metas that they write
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The base has the properties camera, id, interval, start-utc and stats, and pushes a gap for a frame without text. It
 * is compiled into each plugin, which names its type by GST_CCA_CONVERTER_NAME.
 */
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/cca/gstccaeventmeta.h>
#include <gst/cca/gstccameta.h>
#include <gst/cca/gstccatrackmeta.h>

#include "gstccatimes.h"

#define GST_TYPE_CCA_CONVERTER (gst_cca_converter_get_type ())
#define GST_CCA_CONVERTER(object) ((GstCcaConverter *) (object))
#define GST_CCA_CONVERTER_CLASS(klass) ((GstCcaConverterClass *) (klass))

/* Ids above this one are free for a subclass's own properties. */
#define GST_CCA_CONVERTER_LAST_PROP 16

/* The properties during a frame. */
typedef struct
{
  GRefString *camera;
  GRefString *id; /* of the analysis to write; NULL: the first */
  guint64 interval;
  GstClockTime start_utc; /* or GST_CLOCK_TIME_NONE */

  /*< private >*/
  GRefString *start_utc_text;
  gboolean start_utc_changed;
} GstCcaConverterSettings;

typedef struct
{
  GstBaseTransform parent;

  /* Of the streaming thread. */
  GstClockTime last_text; /* running time of the last text that interval allowed, or GST_CLOCK_TIME_NONE */
  guint warned;           /* the subclass's bits: problems already reported; 0 after a start */
  gboolean watched;       /* ccacamera tells how the camera is */
  const gchar *trouble;   /* of the camera, as ccacamera told it; NULL: it is well */

  /*< private >*/
  GstCcaConverterSettings settings; /* with the rest under the object lock */
  guint64 n_frames, n_texts, n_bytes;
} GstCcaConverter;

/* All functions but finalize() of GObjectClass are called from the streaming thread. */
typedef struct
{
  GstBaseTransformClass parent_class;

  const gchar *stats_name; /* of the structure that `stats` returns */
  const gchar *texts_name; /* of its field with the number of texts */
  const gchar *no_memory;  /* the error if convert() returns FALSE */

  /* Makes the text on a frame, or leaves *text NULL if the frame gets none. The base sets its times. Returns FALSE if
   * memory is exhausted. */
  gboolean (*convert) (GstCcaConverter *self, GstBuffer *frame, const GstCcaMessageTimes *times,
                       const GstCcaConverterSettings *settings, GstBuffer **text);
  /* Forgets the frames so far: the element starts, or another timeline begins. */
  void (*forget) (GstCcaConverter *self, gboolean starts);
} GstCcaConverterClass;

GType gst_cca_converter_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstCcaConverter, gst_object_unref)

/* --- The metas of a frame ---------------------------------------------------------------------------- */

/* The metas of an analysis on a buffer; each is NULL if the buffer has none. Valid as long as the metas. */
typedef struct
{
  GstBuffer *buffer;
  const gchar *id;
  const GstCcaMeta *components;
  const GstCcaTrackMeta *tracks;
  const GstCcaEventMeta *events; /* the first: gst_cca_metas_iterate_events() has all */
} GstCcaMetas;

/* Finds the metas of the analysis named id or, if that is NULL, of the first one that has tracks or, if none has, of
 * the first. Returns FALSE if the buffer has no meta of it. */
gboolean gst_cca_metas_find (GstCcaMetas *scene, GstBuffer *buffer, const gchar *id);

/* Returns the next of the metas of rules, of which each ccazones adds one, or NULL; *state is NULL before the first. */
const GstCcaEventMeta *gst_cca_metas_iterate_events (const GstCcaMetas *scene, gpointer *state);

/* Returns whether an element changed the frame in a way that cannot be followed: coordinates do not fit it. */
gboolean gst_cca_metas_is_stale (const GstCcaMetas *scene);

/* The size of the frame that the coordinates refer to, pixels. */
void gst_cca_metas_get_size (const GstCcaMetas *scene, guint *width, guint *height);

/* Returns whether the analysis took the frame for another scene. */
gboolean gst_cca_metas_is_change (const GstCcaMetas *scene);

/* Returns the ids of the analyses on a buffer for a message, such as "'cca0', 'cca1'"; NULL if there is none. Free it
 * with g_free(). */
gchar *gst_cca_metas_list_ids (GstBuffer *buffer);
