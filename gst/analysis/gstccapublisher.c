/* gst-cca: publishes results as metas and messages; advice on settings that do little
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccapublisher.h"

#include "gstccaforeign.h"
#include "gstccapost.h"
#include "gstccatimes.h"

#include <gst/cca/gstccameta.h>
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#define COMPONENT_TYPE "cca-component"

/* A measurement's lists become the meta's by plain copies. */
G_STATIC_ASSERT (sizeof (GstCcaComponent) == sizeof (CcaComponent));
G_STATIC_ASSERT (offsetof (GstCcaComponent, label) == offsetof (CcaComponent, label));
G_STATIC_ASSERT (offsetof (GstCcaComponent, x) == offsetof (CcaComponent, x));
G_STATIC_ASSERT (offsetof (GstCcaComponent, height) == offsetof (CcaComponent, height));
G_STATIC_ASSERT (offsetof (GstCcaComponent, area) == offsetof (CcaComponent, area));
G_STATIC_ASSERT (offsetof (GstCcaComponent, centroid_x) == offsetof (CcaComponent, centroid_x));
G_STATIC_ASSERT (offsetof (GstCcaComponent, cov_yy) == offsetof (CcaComponent, cov_yy));
G_STATIC_ASSERT (sizeof (GstCcaOverlap) == sizeof (CcaOverlap));
G_STATIC_ASSERT (offsetof (GstCcaOverlap, before) == offsetof (CcaOverlap, before));
G_STATIC_ASSERT (offsetof (GstCcaOverlap, now) == offsetof (CcaOverlap, now));
G_STATIC_ASSERT (offsetof (GstCcaOverlap, pixels) == offsetof (CcaOverlap, pixels));
G_STATIC_ASSERT (sizeof (GstCcaShape) == sizeof (CcaShape));
G_STATIC_ASSERT (offsetof (GstCcaShape, perimeter) == offsetof (CcaShape, perimeter));
G_STATIC_ASSERT (offsetof (GstCcaShape, perimeter_crofton) == offsetof (CcaShape, perimeter_crofton));
G_STATIC_ASSERT (offsetof (GstCcaShape, euler_number) == offsetof (CcaShape, euler_number));
G_STATIC_ASSERT (sizeof (GstCcaIntensity) == sizeof (CcaIntensity));
G_STATIC_ASSERT (offsetof (GstCcaIntensity, mean) == offsetof (CcaIntensity, mean));
G_STATIC_ASSERT (offsetof (GstCcaIntensity, min) == offsetof (CcaIntensity, min));
G_STATIC_ASSERT (offsetof (GstCcaIntensity, max) == offsetof (CcaIntensity, max));

/* --- Pool -------------------------------------------------------------------------------------------- */

/* GStreamer's own allocator of system memory ends the process when memory is exhausted. */
typedef struct
{
  GstBufferPool parent;
  gsize size;
} GstCcaPool;

typedef GstBufferPoolClass GstCcaPoolClass;

static GType gst_cca_pool_get_type (void);
G_DEFINE_TYPE (GstCcaPool, gst_cca_pool, GST_TYPE_BUFFER_POOL)

static GstFlowReturn
gst_cca_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer, GstBufferPoolAcquireParams *params)
{
  const gsize size = ((GstCcaPool *) pool)->size;
  gpointer block = g_try_malloc (size);

  if (!block)
    return GST_FLOW_ERROR;
  *buffer = gst_buffer_new_wrapped_full ((GstMemoryFlags) 0, block, size, 0, size, block, g_free);
  return GST_FLOW_OK;
}

static void
gst_cca_pool_class_init (GstCcaPoolClass *klass)
{
  klass->alloc_buffer = gst_cca_pool_alloc_buffer;
}

static void
gst_cca_pool_init (GstCcaPool *pool)
{
}

/* --- Storage ----------------------------------------------------------------------------------------- */

static void
storage_clear (GstCcaStorage *storage)
{
  if (storage->pool)
    gst_buffer_pool_set_active (storage->pool, FALSE);
  gst_clear_object (&storage->pool);
  storage->capacity = 0;
}

/* The least room of a pool's buffers, in components. */
#define FEW_COMPONENTS 256

/* A frame with longer lists than any before gets a pool of larger buffers; those under way return to the old one. */
static gboolean
reserve (GstCcaStorage *storage, gsize bytes)
{
  gsize capacity = MAX (storage->capacity, FEW_COMPONENTS * sizeof (GstCcaComponent));
  GstStructure *config;

  if (storage->pool && bytes <= storage->capacity)
    return TRUE;
  while (capacity < bytes)
    capacity *= 2;
  storage_clear (storage);
  storage->pool = gst_object_ref_sink (g_object_new (gst_cca_pool_get_type (), NULL));
  ((GstCcaPool *) storage->pool)->size = capacity;
  config = gst_buffer_pool_get_config (storage->pool);
  gst_buffer_pool_config_set_params (config, NULL, (guint) MIN (capacity, G_MAXUINT), 0, 0);
  if (!gst_buffer_pool_set_config (storage->pool, config) || !gst_buffer_pool_set_active (storage->pool, TRUE)) {
    storage_clear (storage);
    return FALSE;
  }
  storage->capacity = capacity;
  return TRUE;
}

/* Copies a list behind those that the buffer has, which end at *end. */
static gboolean
append (GstBuffer *lists, gsize *end, gconstpointer list, gsize size)
{
  const gsize start = *end;

  *end += size;
  return size == 0 || gst_buffer_fill (lists, start, list, size) == size;
}

/* Returns a copy of a measurement's lists, right behind each other, in the order of GstCcaMeta's storage; NULL if
 * memory is exhausted. Lists that are not known have no bytes. */
static GstBuffer *
store (GstCcaStorage *storage, const CcaMeasurement *measurement)
{
  const gsize components = measurement->n_stored * sizeof (GstCcaComponent);
  const gsize overlaps = measurement->n_stored_overlaps * sizeof (GstCcaOverlap);
  const gsize shapes = measurement->shapes ? measurement->n_stored * sizeof (GstCcaShape) : 0;
  const gsize intensities = measurement->intensities ? measurement->n_stored * sizeof (GstCcaIntensity) : 0;
  const gsize cells = measurement->coverage ? (gsize) measurement->coverage_columns * measurement->coverage_rows : 0;
  GstBuffer *lists;
  gsize end = 0;

  if (!reserve (storage, components + overlaps + shapes + intensities + 4 * cells)
      || gst_buffer_pool_acquire_buffer (storage->pool, &lists, NULL) != GST_FLOW_OK)
    return NULL;
  if (!append (lists, &end, measurement->components, components)
      || !append (lists, &end, measurement->overlaps, overlaps) || !append (lists, &end, measurement->shapes, shapes)
      || !append (lists, &end, measurement->intensities, intensities)
      || !append (lists, &end, measurement->coverage, cells) || !append (lists, &end, measurement->colours, 3 * cells))
    gst_clear_buffer (&lists);
  return lists;
}

/* --- Metas ------------------------------------------------------------------------------------------- */

G_DEFINE_FLAGS_TYPE (GstCcaEmit, gst_cca_emit, { GST_CCA_EMIT_CCA, "GstCcaMeta with all components", "cca" },
                     { GST_CCA_EMIT_ROI, "GstVideoRegionOfInterestMeta per component", "roi" },
                     { GST_CCA_EMIT_ANALYTICS,
                       "GstAnalyticsRelationMeta with an object detection per component (GStreamer >= 1.24)",
                       "analytics" })

/* The type tells analyses apart where the id does not come along: videoconvert and videoscale drop the parameters of a
 * region of interest, and an object detection has none. */
/* Makes the identity of an element. id is its property, or NULL. */
static void
identity_init (GstCcaIdentity *identity, const gchar *id, const gchar *element_name)
{
  g_autofree gchar *type = id ? g_strconcat (COMPONENT_TYPE "/", id, NULL) : g_strdup (COMPONENT_TYPE);

  identity->id = g_ref_string_new (id ? id : element_name);
  identity->component_type = g_quark_from_string (type);
}

static void
identity_clear (GstCcaIdentity *identity)
{
  g_clear_pointer (&identity->id, g_ref_string_release);
}

static gboolean
add_cca_meta (GstCcaStorage *storage, GstBuffer *buffer, GRefString *id, guint width, guint height,
              const CcaMeasurement *measurement)
{
  const gboolean empty =
      measurement->n_stored == 0 && measurement->n_stored_overlaps == 0 && measurement->coverage == NULL;
  GstBuffer *lists = NULL;
  const GstCcaMeta *old;
  GstCcaMeta *meta;

  if (!empty && !(lists = store (storage, measurement)))
    return FALSE;
  while ((old = gst_buffer_get_cca_meta_by_id (buffer, id)))
    gst_buffer_remove_meta (buffer, (GstMeta *) &old->meta);
  meta = gst_buffer_add_cca_meta_take (buffer, g_ref_string_acquire (id), width, height, measurement->n_components,
                                       lists, measurement->n_stored);
  if (meta) {
    meta->scene_change = measurement->scene_change;
    meta->learning = measurement->learning;
  }
  if (meta && measurement->overlaps
      && !gst_cca_meta_set_stored_overlaps (meta, measurement->n_overlaps, measurement->n_stored_overlaps))
    return FALSE;
  if (meta && measurement->shapes && !gst_cca_meta_set_stored_shapes (meta))
    return FALSE;
  if (meta && measurement->intensities && !gst_cca_meta_set_stored_intensities (meta))
    return FALSE;
  if (meta && measurement->coverage)
    return gst_cca_meta_set_stored_coverage (meta, measurement->coverage_cell)
           && gst_cca_meta_set_stored_cell_colours (meta);
  return meta != NULL;
}

static gboolean
remove_roi_of_id (GstBuffer *buffer, GstMeta **meta, gpointer id)
{
  GstStructure *param;

  if ((*meta)->info->api != GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
    return TRUE;
  param = gst_video_region_of_interest_meta_get_param ((GstVideoRegionOfInterestMeta *) *meta, COMPONENT_TYPE);
  if (param && g_strcmp0 (gst_structure_get_string (param, "id"), id) == 0)
    *meta = NULL;
  return TRUE;
}

static void
add_roi_metas (GstBuffer *buffer, const GstCcaIdentity *identity, const CcaMeasurement *measurement)
{
  gst_buffer_foreach_meta (buffer, remove_roi_of_id, identity->id);
  for (guint i = 0; i < measurement->n_stored; i++) {
    const CcaComponent *component = &measurement->components[i];
    GstVideoRegionOfInterestMeta *roi = gst_buffer_add_video_region_of_interest_meta_id (
        buffer, identity->component_type, component->x, component->y, component->width, component->height);

    roi->id = (gint) component->label;
    gst_video_region_of_interest_meta_add_param (
        roi, gst_structure_new (COMPONENT_TYPE, "id", G_TYPE_STRING, identity->id, "label", G_TYPE_UINT,
                                component->label, "area", G_TYPE_UINT64, component->area, "centroid-x", G_TYPE_DOUBLE,
                                component->centroid_x, "centroid-y", G_TYPE_DOUBLE, component->centroid_y, NULL));
  }
}

static gboolean
add_analytics_meta (GstBuffer *buffer, const GstCcaIdentity *identity, const CcaMeasurement *measurement)
{
#ifdef HAVE_GST_ANALYTICS
  const gsize n = measurement->n_stored;
  /* Reserves room for all at once: growing step by step would copy the meta each time. */
  GstAnalyticsRelationMetaInitParams room = { n, 64 * n };
  GstAnalyticsRelationMeta *meta;
  gpointer block;

  if (n == 0)
    return TRUE;
  /* The relation of each detection to each other takes a byte; GStreamer aborts if it gets no such block. */
  block = g_try_malloc (n * (n + 256));
  if (!block)
    return FALSE;
  g_free (block);
  meta = gst_buffer_add_analytics_relation_meta_full (buffer, &room);
  for (guint i = 0; i < measurement->n_stored; i++) {
    const CcaComponent *component = &measurement->components[i];
    GstAnalyticsODMtd detection;

    gst_analytics_relation_meta_add_od_mtd (meta, identity->component_type, (gint) component->x, (gint) component->y,
                                            (gint) component->width, (gint) component->height, 1.0f, &detection);
  }
#endif
  return TRUE;
}

/* Attaches the metas of an analysis for a frame of that size, and replaces the buffer's metas with the same id. Returns
 * FALSE if memory is exhausted. */
static gboolean
emit_metas (GstCcaStorage *storage, GstBuffer *buffer, GstCcaEmit emit, const GstCcaIdentity *identity, guint width,
            guint height, const CcaMeasurement *measurement)
{
  if ((emit & GST_CCA_EMIT_CCA) && !add_cca_meta (storage, buffer, identity->id, width, height, measurement))
    return FALSE;
  if (emit & GST_CCA_EMIT_ROI)
    add_roi_metas (buffer, identity, measurement);
  if ((emit & GST_CCA_EMIT_ANALYTICS) && !add_analytics_meta (buffer, identity, measurement))
    return FALSE;
  return TRUE;
}

/* --- Message: lists ---------------------------------------------------------------------------------- */

#define NAMES(F)                                                                                                       \
  F (cca, "cca")                                                                                                       \
  F (scene_change, "cca-scene-change")                                                                                 \
  F (id, "id")                                                                                                         \
  F (width, "width")                                                                                                   \
  F (height, "height")                                                                                                 \
  F (n_components, "n-components")                                                                                     \
  F (truncated, "truncated")                                                                                           \
  F (components, "components")                                                                                         \
  F (n_overlaps, "n-overlaps")                                                                                         \
  F (overlaps, "overlaps")

GST_CCA_DEFINE_NAMES (NAMES)

static void
message_pools_clear (GstCcaMessagePools *pools)
{
  g_clear_pointer (&pools->components, gst_cca_list_pool_unref);
  g_clear_pointer (&pools->overlaps, gst_cca_list_pool_unref);
}

/* Measurements of components beyond their extent. */
enum
{
  MEASURED_COVARIANCE = 1 << 0,
  MEASURED_SHAPE = 1 << 1,
  MEASURED_INTENSITY = 1 << 2,
};

/* Components of a message, and their measurements. */
typedef struct
{
  const CcaMeasurement *measurement;
  guint measured;
} Components;

static GstStructure *
component_prototype (guint measured)
{
  GstStructure *prototype =
      gst_structure_new ("component", "label", G_TYPE_UINT, 0, "x", G_TYPE_UINT, 0, "y", G_TYPE_UINT, 0, "width",
                         G_TYPE_UINT, 0, "height", G_TYPE_UINT, 0, "area", G_TYPE_UINT64, (guint64) 0, "centroid-x",
                         G_TYPE_DOUBLE, 0.0, "centroid-y", G_TYPE_DOUBLE, 0.0, NULL);

  if (measured & MEASURED_COVARIANCE)
    gst_structure_set (prototype, "covariance-xx", G_TYPE_DOUBLE, 0.0, "covariance-xy", G_TYPE_DOUBLE, 0.0,
                       "covariance-yy", G_TYPE_DOUBLE, 0.0, NULL);
  if (measured & MEASURED_SHAPE)
    gst_structure_set (prototype, "perimeter", G_TYPE_DOUBLE, 0.0, "perimeter-crofton", G_TYPE_DOUBLE, 0.0,
                       "euler-number", G_TYPE_INT, 0, NULL);
  if (measured & MEASURED_INTENSITY)
    gst_structure_set (prototype, "intensity-mean", G_TYPE_DOUBLE, 0.0, "intensity-min", G_TYPE_UINT, 0,
                       "intensity-max", G_TYPE_UINT, 0, NULL);
  return prototype;
}

static void
set_component (GValue *const *fields, gconstpointer items, guint index)
{
  const Components *components = items;
  const CcaComponent *component = &components->measurement->components[index];

  g_value_set_uint (*fields++, component->label);
  g_value_set_uint (*fields++, component->x);
  g_value_set_uint (*fields++, component->y);
  g_value_set_uint (*fields++, component->width);
  g_value_set_uint (*fields++, component->height);
  g_value_set_uint64 (*fields++, component->area);
  g_value_set_double (*fields++, component->centroid_x);
  g_value_set_double (*fields++, component->centroid_y);
  if (components->measured & MEASURED_COVARIANCE) {
    g_value_set_double (*fields++, component->cov_xx);
    g_value_set_double (*fields++, component->cov_xy);
    g_value_set_double (*fields++, component->cov_yy);
  }
  if (components->measured & MEASURED_SHAPE) {
    const CcaShape *shape = &components->measurement->shapes[index];

    g_value_set_double (*fields++, shape->perimeter);
    g_value_set_double (*fields++, shape->perimeter_crofton);
    g_value_set_int (*fields++, shape->euler_number);
  }
  if (components->measured & MEASURED_INTENSITY) {
    const CcaIntensity *intensity = &components->measurement->intensities[index];

    g_value_set_double (*fields++, intensity->mean);
    g_value_set_uint (*fields++, intensity->min);
    g_value_set_uint (*fields++, intensity->max);
  }
}

/* The pool of the last frame if that had the same fields, which seldom change; else a new one. */
static GstCcaListPool *
component_pool (GstCcaMessagePools *pools, guint measured)
{
  if (pools->components && pools->measured != measured)
    g_clear_pointer (&pools->components, gst_cca_list_pool_unref);
  if (!pools->components)
    pools->components = gst_cca_list_pool_new (component_prototype (measured), set_component);
  pools->measured = measured;
  return pools->components;
}

static void
set_overlap (GValue *const *fields, gconstpointer items, guint index)
{
  const CcaOverlap *overlap = (const CcaOverlap *) items + index;

  g_value_set_uint (*fields++, overlap->before);
  g_value_set_uint (*fields++, overlap->now);
  g_value_set_uint64 (*fields++, overlap->pixels);
}

static GstCcaListPool *
overlap_pool (GstCcaMessagePools *pools)
{
  if (!pools->overlaps)
    pools->overlaps = gst_cca_list_pool_new (gst_structure_new ("overlap", "before", G_TYPE_UINT, 0, "now", G_TYPE_UINT,
                                                                0, "pixels", G_TYPE_UINT64, (guint64) 0, NULL),
                                             set_overlap);
  return pools->overlaps;
}

/* --- Message ----------------------------------------------------------------------------------------- */

/* Returns the message with the measurement of the analysis named id for a frame of that size. It lists the first
 * n_listed components and, if they are known, the first n_listed_overlaps overlaps. */
static GstMessage *
message_new (GstCcaMessagePools *pools, GstObject *source, const gchar *id, const GstCcaMessageTimes *times,
             guint width, guint height, gboolean covariance, const CcaMeasurement *measurement, guint n_listed,
             guint n_listed_overlaps)
{
  const Components measured = {
    .measurement = measurement,
    .measured = (covariance ? MEASURED_COVARIANCE : 0) | (measurement->shapes ? MEASURED_SHAPE : 0)
                | (measurement->intensities ? MEASURED_INTENSITY : 0),
  };
  GstCcaList *components, *overlaps = NULL;
  GstStructure *structure;
  GstMessage *message;

  find_names ();
  structure =
      gst_structure_new_id (names.cca, names.id, G_TYPE_STRING, id, names.width, G_TYPE_UINT, width, names.height,
                            G_TYPE_UINT, height, names.n_components, G_TYPE_UINT, measurement->n_components,
                            names.truncated, G_TYPE_BOOLEAN, (gboolean) (n_listed < measurement->n_components), NULL);
  gst_cca_message_times_set (times, structure);
  components =
      gst_cca_list_new (component_pool (pools, measured.measured), structure, names.components, &measured, n_listed);
  if (measurement->overlaps) {
    gst_structure_id_set (structure, names.n_overlaps, G_TYPE_UINT, measurement->n_overlaps, NULL);
    overlaps =
        gst_cca_list_new (overlap_pool (pools), structure, names.overlaps, measurement->overlaps, n_listed_overlaps);
  }
  message = gst_message_new_element (source, structure);
  gst_cca_list_give (components, message);
  if (overlaps)
    gst_cca_list_give (overlaps, message);
  return message;
}

/* The message that the analysis named id found a change of the scene in a frame of that size. */
static GstMessage *
message_new_scene_change (GstObject *source, const gchar *id, const GstCcaMessageTimes *times, guint width,
                          guint height)
{
  GstStructure *structure;

  find_names ();
  structure = gst_structure_new_id (names.scene_change, names.id, G_TYPE_STRING, id, names.width, G_TYPE_UINT, width,
                                    names.height, G_TYPE_UINT, height, NULL);
  gst_cca_message_times_set (times, structure);
  return gst_message_new_element (source, structure);
}

/* --- Properties -------------------------------------------------------------------------------------- */

#define AT(field) G_STRUCT_OFFSET (GstCcaPublisher, field)

static const GstCcaProperty list[] = {
  { "post-messages", AT (post_messages), G_TYPE_BOOLEAN, .value = TRUE,
    .blurb = "Post element messages: \"cca\" that list the components, and \"cca-scene-change\"" },
  { "message-interval", AT (message_interval), G_TYPE_UINT64, 0, G_MAXUINT64, 0,
    .blurb = "Minimum running time between two messages, ns; 0 = a message for every frame" },
  { "message-max-components", AT (message_max_components), G_TYPE_UINT, 0, CCA_MAX_COMPONENTS, 1024,
    .blurb = "Maximum number of components, and of overlaps, in a message; the counts stay exact" },
  { "emit", AT (emit), G_TYPE_FLAGS, .value = GST_CCA_EMIT_CCA, .get_type = gst_cca_emit_get_type,
    .blurb = "Metas that buffers get" },
  { "id", AT (id), G_TYPE_STRING, .is_name = TRUE, .changed = AT (id_changed),
    .blurb = "Names the analysis in metas and messages; unset = the element's name" },
};
const GstCcaProperties gst_cca_publisher_properties = { GST_CCA_SETTINGS_LAST_PROP + 1, G_N_ELEMENTS (list), list,
                                                        GST_CCA_PROPERTY_PLAYING };

G_STATIC_ASSERT (G_N_ELEMENTS (list) <= GST_CCA_PUBLISHER_LAST_PROP - GST_CCA_SETTINGS_LAST_PROP);

void
gst_cca_publisher_init (GstCcaPublisher *self)
{
  gst_cca_properties_init (&gst_cca_publisher_properties, self);
  self->last_message = GST_CLOCK_TIME_NONE;
}

void
gst_cca_publisher_clear (GstCcaPublisher *self)
{
  gst_cca_properties_clear (&gst_cca_publisher_properties, self);
  identity_clear (&self->identity);
}

const gchar *
gst_cca_publisher_id (const GstCcaPublisher *self, GstObject *element)
{
  return self->id ? self->id : GST_OBJECT_NAME (element);
}

/* --- Stream ------------------------------------------------------------------------------------------ */

void
gst_cca_publisher_restart (GstCcaPublisher *self)
{
  self->last_message = GST_CLOCK_TIME_NONE;
}

void
gst_cca_publisher_start (GstCcaPublisher *self)
{
  self->id_changed = TRUE; /* the element's name may be another */
  self->warned_analytics = FALSE;
  gst_cca_publisher_restart (self);
}

void
gst_cca_publisher_stop (GstCcaPublisher *self)
{
  storage_clear (&self->storage);
  message_pools_clear (&self->pools);
}

gboolean
gst_cca_publisher_wants_components (const GstCcaPublisher *self)
{
  return self->emit != 0 || (self->post_messages && self->message_max_components > 0);
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static void
warn_analytics (GstCcaPublisher *self, GstBaseTransform *element)
{
  if (gst_cca_has_analytics () || self->warned_analytics)
    return;
  self->warned_analytics = TRUE;
  gst_cca_post_detail (element, GST_MESSAGE_WARNING, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                       g_strdup ("this build lacks gstreamer-analytics-1.0"),
                       "emit=analytics has no effect; build with GStreamer 1.24 or later");
}

static GstFlowReturn
fail_for_memory (GstBaseTransform *element, guint n)
{
  gst_cca_post (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
                "No memory for the metas of %u components; lower max-components", n);
  return GST_FLOW_ERROR;
}

/* With the object lock held. The caller clears the result. */
static GstCcaIdentity
acquire_identity (GstCcaPublisher *self, GstBaseTransform *element)
{
  if (self->id_changed) {
    identity_clear (&self->identity);
    identity_init (&self->identity, self->id, GST_OBJECT_NAME (element));
    self->id_changed = FALSE;
  }
  g_ref_string_acquire (self->identity.id);
  return self->identity;
}

GstFlowReturn
gst_cca_publisher_publish (GstCcaPublisher *self, GstBaseTransform *element, GstBuffer *buffer,
                           const GstVideoInfo *info, gboolean covariance, const CcaMeasurement *measurement)
{
  const guint width = (guint) GST_VIDEO_INFO_WIDTH (info), height = (guint) GST_VIDEO_INFO_HEIGHT (info);
  const GstCcaMessageTimes times = gst_cca_message_times (&element->segment, buffer);
  GstFlowReturn flow = GST_FLOW_OK;
  GstMessage *message = NULL, *scene_change = NULL;
  GstCcaIdentity identity;
  gboolean post_messages;
  guint64 interval;
  guint n_listed, n_listed_overlaps;
  GstCcaEmit emit;

  GST_OBJECT_LOCK (element);
  identity = acquire_identity (self, element);
  post_messages = self->post_messages;
  interval = self->message_interval;
  n_listed = MIN (self->message_max_components, measurement->n_stored);
  n_listed_overlaps = MIN (self->message_max_components, measurement->n_stored_overlaps);
  emit = self->emit;
  GST_OBJECT_UNLOCK (element);
  if (emit & GST_CCA_EMIT_ANALYTICS)
    warn_analytics (self, element);
  if (!emit_metas (&self->storage, buffer, emit, &identity, width, height, measurement)) {
    flow = fail_for_memory (element, measurement->n_stored);
  } else if (post_messages && gst_cca_message_is_due (&self->last_message, interval, times.running_time)) {
    message = message_new (&self->pools, GST_OBJECT (element), identity.id, &times, width, height, covariance,
                           measurement, n_listed, n_listed_overlaps);
  }
  if (post_messages && measurement->scene_change)
    scene_change = message_new_scene_change (GST_OBJECT (element), identity.id, &times, width, height);
  identity_clear (&identity);
  if (scene_change)
    gst_element_post_message (GST_ELEMENT (element), scene_change);
  if (message)
    gst_element_post_message (GST_ELEMENT (element), message);
  return flow;
}

/* --- Hints ------------------------------------------------------------------------------------------- */

void
gst_cca_hints_see_settings (GstCcaHints *self, GstElement *element, const GstCcaSettings *settings,
                            const CcaParams *used, gboolean sensitivity)
{
  g_autofree gchar *text = gst_cca_settings_without_effect (settings, used, sensitivity);

  if (text && !self->without_effect)
    gst_cca_post (element, GST_MESSAGE_WARNING, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS, "%s", text);
  self->without_effect = text != NULL;
}

void
gst_cca_hints_see_components (GstCcaHints *self, GstElement *element, const CcaParams *params, const GstVideoInfo *info,
                              const CcaMeasurement *measurement)
{
  const guint64 n_pixels = (guint64) GST_VIDEO_INFO_WIDTH (info) * (guint64) GST_VIDEO_INFO_HEIGHT (info);

  if (self->whole_frame || params->foreground != CCA_FOREGROUND_NONZERO || params->invert || measurement->n_stored == 0
      || measurement->components[0].area < n_pixels - n_pixels / 10)
    return;
  self->whole_frame = TRUE;
  gst_cca_post_detail (
      element, GST_MESSAGE_INFO, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
      g_strdup ("foreground=nonzero takes all pixels above black; foreground=threshold needs a threshold"),
      "One component covers nearly the whole frame; for video of a camera set foreground=motion or =threshold");
}
