/* gst-cca: the base of the elements that find components
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccabase.h"

#include "gstccaformat.h"
#include "gstccaluma.h"
#include "gstccapost.h"
#include "gstccaproperties.h"
#include "gstccatimes.h"

G_STATIC_ASSERT (GST_CCA_HOLD_MOST <= CCA_MAX_HELD);

G_DEFINE_ABSTRACT_TYPE (GstCcaBase, gst_cca_base, GST_TYPE_BASE_TRANSFORM)

/* --- Properties -------------------------------------------------------------------------------------- */

static GstStructure *
make_stats (gpointer object)
{
  const GstCcaBase *self = object;
  GstStructure *stats =
      gst_structure_new ("cca-stats", "frames", G_TYPE_UINT64, self->n_frames, "components", G_TYPE_UINT64,
                         self->n_components, "iterations", G_TYPE_UINT64, self->n_iterations, NULL);

  for (guint i = 0; i < CCA_N_STAGES; i++) {
    g_autofree gchar *name = g_strconcat (cca_stage_name (i), "-time", NULL);

    gst_structure_set (stats, name, G_TYPE_UINT64, self->n_frames ? self->stage_ns[i] / self->n_frames : 0, NULL);
  }
  if (self->algorithm)
    gst_structure_set (stats, "algorithm", G_TYPE_STRING, self->algorithm, "min-area", G_TYPE_UINT64, self->min_area,
                       NULL);
  if (self->context)
    gst_structure_set (stats, "backend", G_TYPE_STRING, cca_context_description (self->context), NULL);
  return stats;
}

#define AT(field) G_STRUCT_OFFSET (GstCcaBase, field)

static const GstCcaProperty list[] = {
  { "stats", .type = G_TYPE_BOXED, .make = make_stats,
    .blurb = "Since the start: frames, components, iterations, mean time of each stage per frame in ns (…-time), "
             "algorithm, min-area and backend in use" },
  { "absorb-time", AT (absorb_time), G_TYPE_UINT64, 0, G_MAXUINT64, 60 * GST_SECOND,
    .blurb = "How long an object that ccatrack follows stands still before the background model learns it, ns "
             "(foreground=motion, motion-model=samples); 0 = as if it was not followed, within seconds" },
};
static const GstCcaProperties properties = { GST_CCA_PLACES_LAST_PROP + 1, G_N_ELEMENTS (list), list,
                                             GST_CCA_PROPERTY_PLAYING };

/* Of elements on a GPU. */
static const GstCcaProperty cuda_list[] = {
  { "cuda-device-id", AT (device_id), G_TYPE_INT, (guint64) -1, G_MAXINT, (guint64) -1,
    .blurb = "CUDA device to work on; -1 = the device of the frames" },
};
static const GstCcaProperties cuda_properties = { GST_CCA_BASE_LAST_PROP, 1, cuda_list,
                                                  (GParamFlags) (G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY) };

G_STATIC_ASSERT (GST_CCA_PLACES_LAST_PROP + G_N_ELEMENTS (list) < GST_CCA_BASE_LAST_PROP);

/* --- Failures ---------------------------------------------------------------------------------------- */

/* Posts the calling thread's last failure of libcca. */
static void
post_cca_error (GstCcaBase *self, CcaStatus status)
{
  g_autofree gchar *text = gst_cca_settings_error_text (cca_last_error ());
  GQuark domain = GST_RESOURCE_ERROR;
  gint code = GST_RESOURCE_ERROR_FAILED;

  self->device_failed = status == CCA_ERROR_DEVICE;
  if (self->device_failed)
    gst_cca_cuda_lose (&self->cuda);
  if (status == CCA_ERROR_INVALID || status == CCA_ERROR_UNSUPPORTED) {
    domain = GST_LIBRARY_ERROR;
    code = GST_LIBRARY_ERROR_SETTINGS;
  } else if (status == CCA_ERROR_UNAVAILABLE) {
    code = GST_RESOURCE_ERROR_NOT_FOUND;
  } else if (status == CCA_ERROR_MEMORY) {
    code = GST_RESOURCE_ERROR_NO_SPACE_LEFT;
  }
  gst_cca_post (self, GST_MESSAGE_ERROR, domain, code, "%s", text);
}

/* --- Context: from READY on -------------------------------------------------------------------------- */

static void
free_context (GstCcaBase *self)
{
  CcaContext *context;

  GST_OBJECT_LOCK (self);
  context = self->context;
  self->context = NULL;
  GST_OBJECT_UNLOCK (self);
  cca_context_free (context);
}

static void
close_context (GstCcaBase *self)
{
  free_context (self);
  gst_cca_cuda_close (&self->cuda);
}

/* Posts the reason for having no context, and an alternative. */
static void
post_no_context (GstCcaBase *self, const CcaContextOptions *options)
{
  GstCcaBaseClass *klass = GST_CCA_BASE_GET_CLASS (self);
  GString *text = g_string_new (NULL);

  if (options->device >= 0)
    g_string_append_printf (text, "cuda-device-id=%d: ", options->device);
  g_string_append (text, cca_last_error ());
  if (klass->backend->twin_prefix)
    g_string_append_printf (text, "; use \"%s%s\" instead", klass->backend->twin_prefix, klass->kind);
  gst_cca_post (self, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND, "%s", text->str);
  g_string_free (text, TRUE);
}

/* In the context that cuda has, if any. */
static gboolean
make_context (GstCcaBase *self)
{
  GstCcaBaseClass *klass = GST_CCA_BASE_GET_CLASS (self);
  const GstCcaBackend *backend = klass->backend;
  CcaContextOptions options;
  CcaContext *context;

  cca_context_options_init (&options);
  options.backend = backend->backend;
  options.device = self->context_device_id;
  options.native = gst_cca_cuda_native (&self->cuda);
  if (cca_context_new (&options, &context) != CCA_OK) {
    post_no_context (self, &options);
    return FALSE;
  }
  self->device_failed = FALSE;
  GST_OBJECT_LOCK (self);
  self->context = context;
  GST_OBJECT_UNLOCK (self);
  GST_CAT_INFO_OBJECT (klass->category, self, "working on %s", cca_context_description (context));
  return TRUE;
}

static gboolean
open_context (GstCcaBase *self)
{
  GST_OBJECT_LOCK (self);
  self->context_device_id = self->device_id;
  GST_OBJECT_UNLOCK (self);
  if (GST_CCA_BASE_GET_CLASS (self)->backend->backend == CCA_BACKEND_CUDA)
    gst_cca_cuda_open (&self->cuda, self->context_device_id);
  if (make_context (self))
    return TRUE;
  gst_cca_cuda_close (&self->cuda);
  return FALSE;
}

static void
gst_cca_base_set_context (GstElement *element, GstContext *context)
{
  GstCcaBase *self = GST_CCA_BASE (element);
  gint device;

  GST_OBJECT_LOCK (self);
  device = self->device_id;
  GST_OBJECT_UNLOCK (self);
  gst_cca_cuda_set_context (&self->cuda, context, device);
  GST_ELEMENT_CLASS (gst_cca_base_parent_class)->set_context (element, context);
}

static gboolean
gst_cca_base_query (GstBaseTransform *transform, GstPadDirection direction, GstQuery *query)
{
  GstCcaBase *self = GST_CCA_BASE (transform);

  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT && gst_cca_cuda_answer_query (&self->cuda, query))
    return TRUE;
  return GST_BASE_TRANSFORM_CLASS (gst_cca_base_parent_class)->query (transform, direction, query);
}

static GstStateChangeReturn
gst_cca_base_change_state (GstElement *element, GstStateChange transition)
{
  GstCcaBase *self = GST_CCA_BASE (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !open_context (self))
    return GST_STATE_CHANGE_FAILURE;
  result = GST_ELEMENT_CLASS (gst_cca_base_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL
      || (transition == GST_STATE_CHANGE_NULL_TO_READY && result == GST_STATE_CHANGE_FAILURE))
    close_context (self);
  return result;
}

/* --- Plan: from the first caps to the stop ----------------------------------------------------------- */

static void
drop_plan (GstCcaBase *self)
{
  cca_result_free (self->result);
  self->result = NULL;
  cca_plan_free (self->plan);
  self->plan = NULL;
  gst_cca_places_forget_plan (&self->places);
  GST_OBJECT_LOCK (self);
  self->algorithm = NULL;
  GST_OBJECT_UNLOCK (self);
}

/* Without a recipient of components, the plan finds neither components nor overlaps. */
static CcaParams
resolve (const GstCcaBase *self, const GstCcaSettings *settings, gboolean with_components)
{
  CcaParams params = gst_cca_settings_resolve (settings, &self->info);

  gst_cca_format_set_params (&self->info, &params);
  if (!with_components) {
    params.max_components = 0;
    params.overlaps = false;
    params.coverage_cell = 0;
  }
  return params;
}

static gboolean
uses_samples (const CcaParams *params)
{
  return params->foreground == CCA_FOREGROUND_MOTION && params->motion.model == CCA_MODEL_SAMPLES;
}

/* Gives the plan these parameters, and makes it where there is none. */
static CcaStatus
use_params (GstCcaBase *self, const CcaParams *params)
{
  CcaStatus status;

  if (self->plan)
    return cca_plan_set_params (self->plan, params);
  status = cca_plan_new (self->context, (guint32) GST_VIDEO_INFO_WIDTH (&self->info),
                         (guint32) GST_VIDEO_INFO_HEIGHT (&self->info), params, self->output, &self->plan);
  if (status == CCA_OK)
    status = cca_result_new (self->plan, &self->result);
  if (status != CCA_OK)
    drop_plan (self);
  return status;
}

/* Invalid intermediate settings, as between two calls that set properties, must not stop the stream; keeps the last
 * valid ones. */
static CcaStatus
restore_settings (GstCcaBase *self, gboolean with_components)
{
  g_autofree gchar *text = gst_cca_settings_error_text (cca_last_error ());
  CcaStatus status;

  self->params = resolve (self, &self->used_settings, with_components);
  status = use_params (self, &self->params);
  if (status == CCA_OK)
    gst_cca_post (self, GST_MESSAGE_WARNING, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
                  "%s; keeping the previous settings", text);
  return status;
}

/* Applies changed properties to the plan. */
static CcaStatus
update_plan (GstCcaBase *self)
{
  GstCcaSettings settings;
  gboolean changed, with_components, sensitivity;
  CcaStatus status;

  GST_OBJECT_LOCK (self);
  changed = self->settings_changed;
  self->settings_changed = FALSE;
  settings = self->settings;
  sensitivity = gst_cca_places_has_sensitivity (&self->places);
  with_components = gst_cca_publisher_wants_components (&self->publisher);
  GST_OBJECT_UNLOCK (self);
  if (!changed && self->plan)
    return CCA_OK;

  self->params = resolve (self, &settings, with_components);
  status = use_params (self, &self->params);
  if (status == CCA_OK) {
    self->used_settings = settings;
    gst_cca_hints_see_settings (&self->hints, GST_ELEMENT (self), &settings, &self->params, sensitivity);
  } else if (self->has_used_settings) {
    status = restore_settings (self, with_components);
  }
  if (status != CCA_OK)
    return status;
  self->has_used_settings = TRUE;
  GST_OBJECT_LOCK (self);
  self->algorithm = cca_plan_algorithm (self->plan)->name;
  self->min_area = self->params.min_area;
  self->holds = uses_samples (&self->params);
  GST_OBJECT_UNLOCK (self);
  GST_CAT_DEBUG_OBJECT (GST_CCA_BASE_GET_CLASS (self)->category, self,
                        "algorithm %s, min-area %" G_GUINT64_FORMAT " for %dx%d, %" G_GSIZE_FORMAT " bytes",
                        self->algorithm, self->min_area, GST_VIDEO_INFO_WIDTH (&self->info),
                        GST_VIDEO_INFO_HEIGHT (&self->info), cca_plan_memory (self->plan));
  return CCA_OK;
}

static gboolean
make_plan (GstCcaBase *self, CcaOutput output)
{
  CcaStatus status;

  drop_plan (self);
  self->output = output;
  status = update_plan (self);
  /* Caps may be tried again and again; one error is enough. */
  if (status != CCA_OK && !self->refused)
    post_cca_error (self, status);
  self->refused = status != CCA_OK;
  return status == CCA_OK;
}

static gboolean
gst_cca_base_set_caps (GstBaseTransform *transform, GstCaps *caps, GstCaps *source_caps)
{
  GstCcaBase *self = GST_CCA_BASE (transform);
  GstCcaBaseClass *klass = GST_CCA_BASE_GET_CLASS (self);
  CcaOutput output = CCA_OUTPUT_NONE;
  GstVideoInfo info;
  gboolean same_size;

  /* Labels of 32 bits are no picture, although their caps are RGBA's. */
  if (!gst_video_info_from_caps (&info, caps)
      || gst_structure_has_field (gst_caps_get_structure (caps, 0), "label-format")) {
    GST_CAT_ERROR_OBJECT (klass->category, self, "no video that can be analysed: %" GST_PTR_FORMAT, caps);
    return FALSE;
  }
  if (klass->set_output_caps && !klass->set_output_caps (self, source_caps, &output))
    return FALSE;
  same_size = self->plan && GST_VIDEO_INFO_WIDTH (&info) == GST_VIDEO_INFO_WIDTH (&self->info)
              && GST_VIDEO_INFO_HEIGHT (&info) == GST_VIDEO_INFO_HEIGHT (&self->info);
  self->info = info;
  self->cuda.nvmm = gst_cca_format_is_nvmm (caps, 0);
  GST_OBJECT_LOCK (self);
  self->settings_changed = TRUE; /* the caps set some of them, too */
  GST_OBJECT_UNLOCK (self);
  /* A new frame rate or format is no reason to learn the background again. */
  return (same_size && output == self->output) || make_plan (self, output);
}

static gboolean
gst_cca_base_start (GstBaseTransform *transform)
{
  GstCcaBase *self = GST_CCA_BASE (transform);
  gboolean reopen;

  if (!gst_cca_properties_check (&gst_cca_publisher_properties, &self->publisher, self))
    return FALSE;
  GST_OBJECT_LOCK (self);
  self->n_frames = self->n_components = self->n_iterations = 0;
  for (guint i = 0; i < CCA_N_STAGES; i++)
    self->stage_ns[i] = 0;
  self->settings.distance = GST_CCA_DISTANCE_UNKNOWN;
  reopen = self->device_failed || self->device_id != self->context_device_id;
  gst_cca_publisher_start (&self->publisher);
  GST_OBJECT_UNLOCK (self);
  self->warned_foreign = FALSE;
  self->hints = (GstCcaHints) { 0 };
  self->refused = self->has_used_settings = FALSE;
  if (!gst_cca_places_start (&self->places, GST_ELEMENT (self)))
    return FALSE;
  if (!reopen)
    return TRUE;
  close_context (self);
  return open_context (self);
}

/* Drops the objects that trackers hold: another timeline begins. */
static void
forget_hold (GstCcaBase *self)
{
  GST_OBJECT_LOCK (self);
  self->hold.n = 0;
  GST_OBJECT_UNLOCK (self);
}

static gboolean
gst_cca_base_stop (GstBaseTransform *transform)
{
  GstCcaBase *self = GST_CCA_BASE (transform);

  drop_plan (self);
  forget_hold (self);
  gst_cca_publisher_stop (&self->publisher);
  return TRUE;
}

static gboolean
gst_cca_base_sink_event (GstBaseTransform *transform, GstEvent *event)
{
  GstCcaBase *self = GST_CCA_BASE (transform);

  if (self->plan && gst_cca_begins_timeline (event, &transform->segment)) {
    cca_plan_reset (self->plan);
    forget_hold (self);
    gst_cca_publisher_restart (&self->publisher);
  }
  return GST_BASE_TRANSFORM_CLASS (gst_cca_base_parent_class)->sink_event (transform, event);
}

static gboolean
gst_cca_base_src_event (GstBaseTransform *transform, GstEvent *event)
{
  GstCcaBase *self = GST_CCA_BASE (transform);
  gboolean is_ours, holds;

  GST_OBJECT_LOCK (self);
  is_ours = gst_cca_hold_read (&self->hold, event, gst_cca_publisher_id (&self->publisher, GST_OBJECT (self)));
  holds = self->holds;
  if (is_ours && gst_cca_settings_see_objects (&self->settings, self->hold.object_part))
    self->settings_changed = TRUE;
  GST_OBJECT_UNLOCK (self);
  if (!is_ours)
    return GST_BASE_TRANSFORM_CLASS (gst_cca_base_parent_class)->src_event (transform, event);
  gst_event_unref (event);
  return holds;
}

/* --- Memory ------------------------------------------------------------------------------------------ */

static void
warn_foreign (GstCcaBase *self, GstBuffer *buffer)
{
  const gint device = gst_cca_cuda_device_of (&self->cuda, buffer);

  if (self->warned_foreign)
    return;
  self->warned_foreign = TRUE;
  gst_cca_post_detail (self, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                       g_strdup ("each frame is copied through system memory"),
                       "Frames are on CUDA device %d, but cuda-device-id is %d; set it to %d, or to -1", device,
                       self->context_device_id, device);
}

/* Moves to the device of the frames, unless the user chose another. */
static void
gst_cca_base_before_transform (GstBaseTransform *transform, GstBuffer *buffer)
{
  GstCcaBase *self = GST_CCA_BASE (transform);

  if (GST_CCA_BASE_GET_CLASS (self)->backend->backend != CCA_BACKEND_CUDA
      || !gst_cca_cuda_is_foreign (&self->cuda, buffer))
    return;
  if (self->context_device_id >= 0 && gst_cca_cuda_device_of (&self->cuda, buffer) != self->context_device_id) {
    if (!self->cuda.nvmm) /* cannot be copied; an error follows */
      warn_foreign (self, buffer);
    return;
  }
  drop_plan (self);
  free_context (self);
  gst_cca_cuda_follow (&self->cuda, buffer);
  if (make_context (self) && GST_VIDEO_INFO_FORMAT (&self->info) != GST_VIDEO_FORMAT_UNKNOWN)
    make_plan (self, self->output);
  /* The pools belong to the old context. */
  gst_base_transform_reconfigure_src (transform);
}

/* Its blocks come again and again. */
static GstBufferPool *
make_system_pool (GstCaps *caps, guint *size)
{
  GstBufferPool *pool;
  GstStructure *config;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps))
    return NULL;
  *size = (guint) GST_VIDEO_INFO_SIZE (&info);
  pool = gst_video_buffer_pool_new ();
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, *size, 0, 0);
  gst_buffer_pool_set_config (pool, config);
  return pool;
}

gboolean
gst_cca_base_propose_pool (GstCcaBase *self, GstQuery *query)
{
  const gboolean has_entry = gst_query_get_n_allocation_pools (query) > 0;
  g_autoptr (GstBufferPool) pool = NULL;
  guint size, least = 0, most = 0;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  if (has_entry)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &least, &most);
  if (!caps || GST_CCA_BASE_GET_CLASS (self)->backend->backend != CCA_BACKEND_CUDA || pool
      || gst_cca_format_is_nvmm (caps, 0))
    return FALSE;
  pool = gst_cca_format_memory (caps, 0) == CCA_MEMORY_DEVICE ? gst_cca_cuda_pool_new (&self->cuda, caps, &size)
                                                              : make_system_pool (caps, &size);
  if (!pool)
    return FALSE;
  if (has_entry)
    gst_query_set_nth_allocation_pool (query, 0, pool, size, least, most);
  else
    gst_query_add_allocation_pool (query, pool, size, least, most);
  return TRUE;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static void
count_frame (GstCcaBase *self, const CcaMeasurement *measurement)
{
  GST_OBJECT_LOCK (self);
  self->n_frames++;
  self->n_components += measurement->n_components;
  self->n_iterations += measurement->n_iterations;
  for (guint i = 0; i < CCA_N_STAGES; i++)
    self->stage_ns[i] += measurement->stage_ns[i];
  GST_OBJECT_UNLOCK (self);
}

/* Passes the objects that trackers hold to the plan. */
static CcaStatus
hold_objects (GstCcaBase *self, GstBuffer *buffer)
{
  const GstClockTime running_time = gst_cca_message_times (&GST_BASE_TRANSFORM (self)->segment, buffer).running_time;
  GstCcaHoldBox boxes[GST_CCA_HOLD_MOST];
  CcaRectangle rectangles[GST_CCA_HOLD_MOST];
  guint n;

  GST_OBJECT_LOCK (self);
  n = gst_cca_hold_boxes (&self->hold, (guint) GST_VIDEO_INFO_WIDTH (&self->info),
                          (guint) GST_VIDEO_INFO_HEIGHT (&self->info), running_time, self->absorb_time, boxes);
  GST_OBJECT_UNLOCK (self);
  for (guint i = 0; i < n; i++)
    rectangles[i] = (CcaRectangle) { boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height };
  return cca_plan_hold (self->plan, rectangles, n);
}

GstFlowReturn
gst_cca_base_analyse (GstCcaBase *self, GstBuffer *buffer, const CcaImage *output, gpointer stream,
                      CcaMeasurement *measurement)
{
  GError *error = NULL;
  GstCcaLuma luma;
  CcaStatus status;

  if (self->device_failed)
    return GST_FLOW_ERROR; /* one error is enough */
  if (!self->plan)
    return self->context ? GST_FLOW_NOT_NEGOTIATED : GST_FLOW_ERROR;
  status = update_plan (self);
  if (status != CCA_OK) {
    post_cca_error (self, status);
    return GST_FLOW_ERROR;
  }
  if (!gst_cca_places_update (&self->places, GST_ELEMENT (self), self->plan, &self->info))
    return GST_FLOW_ERROR;
  if (!gst_cca_luma_map (&luma, buffer, &self->info, uses_samples (&self->params), &self->cuda, &error)) {
    gst_cca_post (self, GST_MESSAGE_ERROR, error->domain, error->code, "%s", error->message);
    g_error_free (error);
    return GST_FLOW_ERROR;
  }
  status = hold_objects (self, buffer);
  if (status == CCA_OK)
    status = cca_plan_run (self->plan, &luma.image, output, stream, self->result);
  if (status == CCA_OK)
    status = cca_result_wait (self->result, measurement);
  gst_cca_luma_unmap (&luma);
  if (status != CCA_OK) {
    post_cca_error (self, status);
    return GST_FLOW_ERROR;
  }
  count_frame (self, measurement);
  gst_cca_hints_see_components (&self->hints, GST_ELEMENT (self), &self->params, &self->info, measurement);
  GST_CAT_LOG_OBJECT (GST_CCA_BASE_GET_CLASS (self)->category, self, "%u components", measurement->n_components);
  return GST_FLOW_OK;
}

GstFlowReturn
gst_cca_base_publish (GstCcaBase *self, GstBuffer *buffer, const CcaMeasurement *measurement)
{
  return gst_cca_publisher_publish (&self->publisher, GST_BASE_TRANSFORM (self), buffer, &self->info,
                                    self->params.covariance, measurement);
}

/* --- Object ------------------------------------------------------------------------------------------ */

static void
gst_cca_base_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GstCcaBase *self = GST_CCA_BASE (object);
  gboolean done;

  GST_OBJECT_LOCK (self);
  done = gst_cca_settings_set_algorithm (&self->settings, prop_id, value);
  GST_OBJECT_UNLOCK (self);
  if (!done)
    gst_cca_property_set (object, prop_id, value, pspec);
  GST_OBJECT_LOCK (self);
  self->settings_changed = TRUE;
  GST_OBJECT_UNLOCK (self);
}

static void
gst_cca_base_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GstCcaBase *self = GST_CCA_BASE (object);
  gboolean done = TRUE;

  GST_OBJECT_LOCK (self);
  if (g_str_equal (pspec->name, "id"))
    g_value_set_string (value, gst_cca_publisher_id (&self->publisher, GST_OBJECT (self)));
  else
    done = gst_cca_settings_get_effective (&self->settings, pspec, value);
  GST_OBJECT_UNLOCK (self);
  if (!done)
    gst_cca_property_get (object, prop_id, value, pspec);
}

static void
gst_cca_base_finalize (GObject *object)
{
  gst_cca_publisher_clear (&GST_CCA_BASE (object)->publisher);
  gst_cca_places_clear (&GST_CCA_BASE (object)->places);
  G_OBJECT_CLASS (gst_cca_base_parent_class)->finalize (object);
}

static void
gst_cca_base_init (GstCcaBase *self)
{
  gst_cca_settings_init (&self->settings);
  self->settings_changed = TRUE;
  gst_cca_publisher_init (&self->publisher);
  gst_cca_properties_init (&properties, self);
  gst_cca_properties_init (&cuda_properties, self);
  gst_cca_cuda_init (&self->cuda, GST_ELEMENT (self));
  /* Skipped frames would silently corrupt the background model. */
  gst_base_transform_set_qos_enabled (GST_BASE_TRANSFORM (self), FALSE);
}

static void
gst_cca_base_class_init (GstCcaBaseClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  gst_cca_properties_install (&gst_cca_publisher_properties, object_class, G_STRUCT_OFFSET (GstCcaBase, publisher));
  gst_cca_properties_install (&gst_cca_places_properties, object_class, G_STRUCT_OFFSET (GstCcaBase, places));
  gst_cca_properties_install (&properties, object_class, 0);
  object_class->set_property = gst_cca_base_set_property;
  object_class->get_property = gst_cca_base_get_property;
  object_class->finalize = gst_cca_base_finalize;
  GST_ELEMENT_CLASS (klass)->change_state = gst_cca_base_change_state;
  GST_ELEMENT_CLASS (klass)->set_context = gst_cca_base_set_context;
  transform_class->set_caps = gst_cca_base_set_caps;
  transform_class->start = gst_cca_base_start;
  transform_class->stop = gst_cca_base_stop;
  transform_class->sink_event = gst_cca_base_sink_event;
  transform_class->src_event = gst_cca_base_src_event;
  transform_class->query = gst_cca_base_query;
  transform_class->before_transform = gst_cca_base_before_transform;
  transform_class->passthrough_on_same_caps = FALSE;

  gst_type_mark_as_plugin_api (GST_TYPE_CCA_BASE, 0);
}

void
gst_cca_base_class_setup (GstCcaBaseClass *klass, const GstCcaBackend *backend, const gchar *kind, guint capabilities)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  g_autofree gchar *name = g_strconcat (backend->element_prefix, kind, NULL);
  g_autofree gchar *type_name = g_strconcat (G_OBJECT_CLASS_NAME (klass), "Algorithm", NULL);
  g_autoptr (GstCaps) caps = gst_cca_format_input_caps (backend->backend);

  if (backend->backend == CCA_BACKEND_CUDA)
    gst_cca_properties_install (&cuda_properties, object_class, 0);
  klass->backend = backend;
  klass->kind = kind;
  GST_DEBUG_CATEGORY_INIT (klass->category, name, 0, "connected components");
  gst_element_class_add_pad_template (GST_ELEMENT_CLASS (klass),
                                      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_cca_settings_install_properties (object_class, G_STRUCT_OFFSET (GstCcaBase, settings), backend->backend,
                                       gst_cca_algorithm_type_new (type_name, backend->backend, capabilities));
  /* GObject clears these in every class. */
  object_class->set_property = gst_cca_base_set_property;
  object_class->get_property = gst_cca_base_get_property;
}

gboolean
gst_cca_base_register (GstPlugin *plugin, const GstCcaBackend *backend, const gchar *kind, const gchar *type_name,
                       GClassInitFunc class_init, guint instance_size, GInstanceInitFunc init)
{
  const GTypeInfo info = {
    .class_size = sizeof (GstCcaBaseClass),
    .class_init = class_init,
    .class_data = backend,
    .instance_size = (guint16) instance_size,
    .instance_init = init,
  };
  g_autofree gchar *element = g_strconcat (backend->element_prefix, kind, NULL);
  g_autofree gchar *type = g_strconcat (backend->type_prefix, type_name, NULL);

  return gst_element_register (plugin, element, GST_RANK_NONE,
                               g_type_register_static (GST_TYPE_CCA_BASE, type, &info, 0));
}
