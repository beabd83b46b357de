/* gst-cca: the base of the elements that find components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstccacuda.h"
#include "gstccahold.h"
#include "gstccaplaces.h"
#include "gstccapublisher.h"

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

/* A backend as a family of elements. */
typedef struct
{
  CcaBackend backend;
  const gchar *element_prefix; /* the elements' names are this and their kind, "cca" or "ccl" */
  const gchar *type_prefix;    /* the same for their types */
  const gchar *place;          /* where the work is done: "on the CPU" */
  const gchar *twin_prefix;    /* of the elements that do the same and work everywhere, or NULL */
} GstCcaBackend;

#define GST_TYPE_CCA_BASE (gst_cca_base_get_type ())
#define GST_CCA_BASE(object) ((GstCcaBase *) (object))
#define GST_CCA_BASE_CLASS(klass) ((GstCcaBaseClass *) (klass))
#define GST_CCA_BASE_GET_CLASS(object) (G_TYPE_INSTANCE_GET_CLASS ((object), GST_TYPE_CCA_BASE, GstCcaBaseClass))

/* Ids above this one are free for a subclass's own properties. */
#define GST_CCA_BASE_LAST_PROP 64

typedef struct
{
  GstBaseTransform parent;

  /*< private >*/
  /* Under the object lock: properties and the counters behind `stats`. */
  GstCcaSettings settings;
  gboolean settings_changed;
  gint device_id;
  guint64 absorb_time; /* ns */
  GstCcaHold hold;
  gboolean holds; /* the plan has a model that heeds it */
  guint64 n_frames, n_components, n_iterations, stage_ns[CCA_N_STAGES];
  const gchar *algorithm; /* in use, or NULL: none */
  guint64 min_area;       /* in use */
  CcaContext *context;    /* changed by the streaming thread, or where nothing streams */
  GstCcaCuda cuda;        /* the context's */

  GstCcaPublisher publisher;
  GstCcaPlaces places;

  /* Of the streaming thread. */
  gint context_device_id;
  gboolean device_failed; /* the context must be made anew */
  gboolean warned_foreign;
  GstCcaHints hints;
  GstVideoInfo info;
  GstCcaSettings used_settings; /* the last that were accepted since the start, if any */
  gboolean has_used_settings;
  CcaParams params; /* the plan's, of used_settings */
  CcaOutput output; /* the plan's */
  CcaPlan *plan;
  CcaResult *result;
  gboolean refused; /* the settings, with an error, since the start */
} GstCcaBase;

typedef struct
{
  GstBaseTransformClass parent_class;

  const GstCcaBackend *backend;
  const gchar *kind;
  GstDebugCategory *category;

  /* Takes new source caps and says which output image they ask for. Not set: none. */
  gboolean (*set_output_caps) (GstCcaBase *self, GstCaps *caps, CcaOutput *output);
} GstCcaBaseClass;

GType gst_cca_base_get_type (void);

/* Registers a subclass over a backend: an element named element_prefix + kind. class_init() gets the backend as its
 * data and calls gst_cca_base_class_setup(); init may be NULL. */
gboolean gst_cca_base_register (GstPlugin *plugin, const GstCcaBackend *backend, const gchar *kind,
                                const gchar *type_name, GClassInitFunc class_init, guint instance_size,
                                GInstanceInitFunc init);

/* Makes the class one of a backend, of algorithms with these capabilities (CcaCapabilities). */
void gst_cca_base_class_setup (GstCcaBaseClass *klass, const GstCcaBackend *backend, const gchar *kind,
                               guint capabilities);

/* Measures a buffer of the negotiated caps and paints output, which may be NULL; on a stream of gst_cca_cuda_stream()
 * for them. All work is done on return. The measurement is valid until the next call. Posts failures. */
GstFlowReturn gst_cca_base_analyse (GstCcaBase *self, GstBuffer *buffer, const CcaImage *output, gpointer stream,
                                    CcaMeasurement *measurement);

/* Offers upstream, for a GPU, a pool of the memory that the caps say, unless that is NVMM or the query has a pool; with
 * the number of buffers that an entry without a pool asks for. Returns whether it did. */
gboolean gst_cca_base_propose_pool (GstCcaBase *self, GstQuery *query);

/* Attaches metas to a writable buffer and posts the message, as the properties ask. */
GstFlowReturn gst_cca_base_publish (GstCcaBase *self, GstBuffer *buffer, const CcaMeasurement *measurement);

/* The elements. */
gboolean gst_cca_register (GstPlugin *plugin, const GstCcaBackend *backend);
gboolean gst_ccl_register (GstPlugin *plugin, const GstCcaBackend *backend);
