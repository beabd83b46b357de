/* gst-cca: the parameters of libcca as GObject properties
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaparams.h"

#include "gstccaproperties.h"

#include <string.h>

GType gst_cca_connectivity_get_type (void);
G_DEFINE_ENUM_TYPE (GstCcaConnectivity, gst_cca_connectivity, { 4, "Pixels that share an edge", "4" },
                    { 8, "Pixels that share an edge or a corner", "8" })

GType gst_cca_foreground_get_type (void);
G_DEFINE_ENUM_TYPE (
    GstCcaForeground, gst_cca_foreground,
    { CCA_FOREGROUND_NONZERO,
      "Above black: 0, or 16 in limited-range luma. For masks; in camera video nearly every pixel is above black",
      "nonzero" },
    { CCA_FOREGROUND_THRESHOLD, "Above threshold", "threshold" },
    { CCA_FOREGROUND_RANGE, "From threshold-low to threshold-high, both inclusive", "range" },
    { CCA_FOREGROUND_VALUES, "Not 0; only neighbours of equal value connect", "values" },
    { CCA_FOREGROUND_MOTION, "Different from a background model", "motion" })

GType gst_cca_model_get_type (void);
G_DEFINE_ENUM_TYPE (
    GstCcaMotionModel, gst_cca_model,
    { CCA_MODEL_SIGMA_DELTA, "A grey level and its spread for each pixel: fast", "sigma-delta" },
    { CCA_MODEL_SAMPLES,
      "Samples of each pixel's past: follows changes of light and a shaking camera, removes shadows and ghosts; 8-bit "
      "formats, best with chroma (NV12, I420, …)",
      "samples" })

GType gst_cca_order_get_type (void);
G_DEFINE_ENUM_TYPE (GstCcaOrder, gst_cca_order,
                    { CCA_ORDER_RASTER, "By label: raster order of the first pixels", "raster" },
                    { CCA_ORDER_AREA, "Largest first, equal areas by label", "area" })

/* The values of `preset`. */
typedef enum
{
  PRESET_NONE,
  PRESET_PEOPLE,
  PRESET_TRAFFIC,
  PRESET_INDOOR,
} Preset;

GType gst_cca_preset_get_type (void);
G_DEFINE_ENUM_TYPE (GstCcaPreset, gst_cca_preset, { PRESET_NONE, "No preset", "none" },
                    { PRESET_PEOPLE, "People outdoors", "people" }, { PRESET_TRAFFIC, "Vehicles on roads", "traffic" },
                    { PRESET_INDOOR, "People indoors", "indoor" })

/* Properties whose defaults depend on others, or that only some settings heed. */
enum
{
  SET_FOREGROUND,
  SET_DENOISE,
  SET_COVERAGE,
  SET_CLOSE_RADIUS,
  SET_MIN_AREA,
  SET_MODEL,
  SET_LEARNING,
  SET_PERIOD,
  SET_AMPLIFICATION,
  SET_V_MIN,
  SET_V_MAX,
  SET_TOLERANCE,
  SET_SHADOWS,
  N_SET,
};

G_STATIC_ASSERT (N_SET == GST_CCA_SETTINGS_N_SET);
G_STATIC_ASSERT (sizeof (CcaForeground) == sizeof (guint) && sizeof (CcaOrder) == sizeof (guint)
                 && sizeof (CcaModel) == sizeof (guint));

#define AT(field) G_STRUCT_OFFSET (GstCcaSettings, field)

/* A parameter: its place, and the size that the library gives it. */
#define PARAM(field) AT (params.field), .size = sizeof ((CcaParams *) NULL)->field

/* Notes that the property was set. */
#define NOTE(name) .changed = AT (is_set[SET_##name])

static const GstCcaProperty fields[] = {
  { "preset", AT (preset), G_TYPE_ENUM, .get_type = gst_cca_preset_get_type,
    .blurb = "What the camera sees: foreground=motion and what goes with it; properties that are set win" },
  { "denoise", .type = G_TYPE_BOOLEAN, .offset = PARAM (denoise), NOTE (DENOISE),
    .blurb = "Clean the foreground by a 3x3 majority filter; unless set, on for foreground=motion only; not for "
             "foreground=values" },
  { "coverage", AT (coverage), G_TYPE_BOOLEAN, NOTE (COVERAGE),
    .blurb = "Count the foreground of small cells, by which ccatrack tells objects apart that touch; unless set, on "
             "for foreground=motion only; not for foreground=values" },
  { "motion-learning-time", AT (learning_time), G_TYPE_UINT64, 0, G_MAXUINT64,
    .blurb = "foreground=motion: motion-learning as a time, ns, by the frame rate of the caps; with 0, or caps without "
             "a rate, motion-learning applies" },
  { "motion-period-time", AT (period_time), G_TYPE_UINT64, 0, G_MAXUINT64,
    .blurb = "motion-model=sigma-delta: motion-period as a time, ns, by the frame rate of the caps; with 0, or caps "
             "without a rate, motion-period applies" },
  { "connectivity", .type = G_TYPE_ENUM, .offset = PARAM (connectivity), .get_type = gst_cca_connectivity_get_type,
    .blurb = "Which neighbours of a pixel connect to it" },
  { "foreground", .type = G_TYPE_ENUM, .offset = PARAM (foreground), .get_type = gst_cca_foreground_get_type,
    NOTE (FOREGROUND), .blurb = "Which pixels belong to components; for camera video use motion or threshold" },
  { "threshold", .type = G_TYPE_UINT, .offset = PARAM (threshold), .most = 65535,
    .blurb = "foreground=threshold: pixels above this value, of 255 or, with GRAY16, 65535" },
  { "threshold-low", .type = G_TYPE_UINT, .offset = PARAM (low), .most = 65535,
    .blurb = "foreground=range: the lowest value, of 255 or, with GRAY16, 65535" },
  { "threshold-high", .type = G_TYPE_UINT, .offset = PARAM (high), .most = 65535,
    .blurb = "foreground=range: the highest value, of 255 or, with GRAY16, 65535" },
  { "invert", .type = G_TYPE_BOOLEAN, .offset = PARAM (invert),
    .blurb = "Exchange foreground and background; not for foreground=values" },
  { "close-radius", .type = G_TYPE_UINT, .offset = PARAM (close_radius), .most = CCA_MAX_CLOSE_RADIUS,
    NOTE (CLOSE_RADIUS),
    .blurb = "Close gaps of the foreground up to twice this many pixels wide; 0 = off; unless set, 3 for "
             "motion-model=samples" },
  { "min-area", .type = G_TYPE_UINT, .offset = PARAM (min_area), .most = G_MAXUINT, NOTE (MIN_AREA),
    .blurb = "Drop components of fewer pixels; 0 = no limit; unless set, a 1000th of the frame for "
             "motion-model=samples, a 4000th where ccatrack sees small objects or preset=traffic expects them" },
  { "max-area", .type = G_TYPE_UINT, .offset = PARAM (max_area), .most = G_MAXUINT,
    .blurb = "Drop components of more pixels; 0 = no limit" },
  { "min-width", .type = G_TYPE_UINT, .offset = PARAM (min_width), .most = CCA_MAX_SIZE,
    .blurb = "Drop components whose bounding box is narrower, pixels; 0 = no limit" },
  { "max-width", .type = G_TYPE_UINT, .offset = PARAM (max_width), .most = CCA_MAX_SIZE,
    .blurb = "Drop components whose bounding box is wider, pixels; 0 = no limit" },
  { "min-height", .type = G_TYPE_UINT, .offset = PARAM (min_height), .most = CCA_MAX_SIZE,
    .blurb = "Drop components whose bounding box is lower, pixels; 0 = no limit" },
  { "max-height", .type = G_TYPE_UINT, .offset = PARAM (max_height), .most = CCA_MAX_SIZE,
    .blurb = "Drop components whose bounding box is higher, pixels; 0 = no limit" },
  { "max-components", .type = G_TYPE_UINT, .offset = PARAM (max_components), .least = 1, .most = CCA_MAX_COMPONENTS,
    .blurb = "Components stored per frame; the count stays exact" },
  { "order", .type = G_TYPE_ENUM, .offset = PARAM (order), .get_type = gst_cca_order_get_type,
    .blurb = "Order of the stored components; labels do not depend on it" },
  { "covariance", .type = G_TYPE_BOOLEAN, .offset = PARAM (covariance), .blurb = "Measure second central moments too" },
  { "overlaps", .type = G_TYPE_BOOLEAN, .offset = PARAM (overlaps),
    .blurb = "Find how many pixels each component shares with each of the last frame's" },
  { "shape", .type = G_TYPE_BOOLEAN, .offset = PARAM (shape),
    .blurb = "Measure the perimeters and Euler numbers of the stored components" },
  { "intensity", .type = G_TYPE_BOOLEAN, .offset = PARAM (intensity),
    .blurb = "Measure the mean, least and largest value of the stored components' pixels" },
  { "motion-model", .type = G_TYPE_ENUM, .offset = PARAM (motion.model), .get_type = gst_cca_model_get_type,
    NOTE (MODEL), .blurb = "foreground=motion: the background model; unless set, sigma-delta for GRAY16" },
  { "motion-learning", .type = G_TYPE_UINT, .offset = PARAM (motion.learning), .least = 1, .most = G_MAXUINT,
    NOTE (LEARNING),
    .blurb = "foreground=motion: frames at the start that only train the background model; unless set, 8 for "
             "motion-model=samples" },
  { "motion-period", .type = G_TYPE_UINT, .offset = PARAM (motion.period), .least = 1, .most = G_MAXUINT, NOTE (PERIOD),
    .blurb = "motion-model=sigma-delta: frames per grey level that the background moves towards the picture" },
  { "motion-amplification", .type = G_TYPE_UINT, .offset = PARAM (motion.amplification), .least = 1, .most = 16,
    NOTE (AMPLIFICATION),
    .blurb = "motion-model=sigma-delta: the spread moves towards this multiple of the difference from the background" },
  { "motion-min", .type = G_TYPE_UINT, .offset = PARAM (motion.v_min), .least = 1, .most = 65535, NOTE (V_MIN),
    .blurb = "motion-model=sigma-delta: the least spread, of 255 or, with GRAY16, 65535, where a grey level is a 16th "
             "of it; at most motion-max" },
  { "motion-max", .type = G_TYPE_UINT, .offset = PARAM (motion.v_max), .least = 1, .most = 65535, NOTE (V_MAX),
    .blurb = "motion-model=sigma-delta: the largest spread, of 255 or, with GRAY16, 65535" },
  { "motion-tolerance", .type = G_TYPE_UINT, .offset = PARAM (motion.tolerance), .least = 1, .most = 64,
    NOTE (TOLERANCE),
    .blurb = "motion-model=samples: the mask shows only what differs more from the samples, grey levels; the model's "
             "own threshold rises in noise" },
  { "motion-shadows", .type = G_TYPE_BOOLEAN, .offset = PARAM (motion.keep_shadows), NOTE (SHADOWS),
    .blurb =
        "motion-model=samples: keep shadows as foreground; otherwise the model finds them by chroma and removes them" },
};

/* Of the CPU. */
static const GstCcaProperty threads[] = {
  { "n-threads", .type = G_TYPE_UINT, .offset = PARAM (n_threads), .least = 1, .most = CCA_MAX_THREADS,
    .blurb = "Maximum number of threads; a frame uses only as many as save time" },
};

#define PROP_ALGORITHM 1

static const GstCcaProperties properties = { PROP_ALGORITHM + 1, G_N_ELEMENTS (fields), fields,
                                             GST_CCA_PROPERTY_PLAYING };
static const GstCcaProperties thread_properties = { PROP_ALGORITHM + 1 + G_N_ELEMENTS (fields), 1, threads,
                                                    GST_CCA_PROPERTY_PLAYING };

G_STATIC_ASSERT (PROP_ALGORITHM + 1 + G_N_ELEMENTS (fields) <= GST_CCA_SETTINGS_LAST_PROP);

GType
gst_cca_algorithm_type_new (const gchar *type_name, CcaBackend backend, guint capabilities)
{
  const CcaAlgorithm *const *algorithms = cca_algorithms (backend);
  GArray *values = g_array_new (TRUE, FALSE, sizeof (GEnumValue));
  const GEnumValue automatic = { 0, "The fastest for the frame size and the parameters", "auto" };

  g_array_append_val (values, automatic);
  for (gint i = 0; algorithms[i]; i++) {
    GEnumValue value = { i + 1, NULL, algorithms[i]->name };

    if ((algorithms[i]->capabilities & capabilities) != capabilities)
      continue;
    value.value_name = g_strdup_printf ("%s (%s)", algorithms[i]->description, algorithms[i]->source);
    g_array_append_val (values, value);
  }
  /* The type keeps the values and their names for good. */
  return g_enum_register_static (type_name, (GEnumValue *) (void *) g_array_free (values, FALSE));
}

void
gst_cca_settings_init (GstCcaSettings *settings)
{
  *settings = (GstCcaSettings) { 0 };
  cca_params_init (&settings->params);
  settings->params.motion.model = CCA_MODEL_SAMPLES;
}

void
gst_cca_settings_install_properties (GObjectClass *klass, gssize offset, CcaBackend backend, GType algorithm_type)
{
  GstCcaSettings settings;

  gst_cca_settings_init (&settings);
  gst_cca_properties_install_defaults (&properties, klass, offset, &settings);
  if (backend == CCA_BACKEND_CPU)
    gst_cca_properties_install_defaults (&thread_properties, klass, offset, &settings);
  g_object_class_install_property (klass, PROP_ALGORITHM,
                                   g_param_spec_enum ("algorithm", "algorithm", "How components are found",
                                                      algorithm_type, 0,
                                                      GST_CCA_PROPERTY_PLAYING | G_PARAM_STATIC_STRINGS));
}

static CcaForeground
effective_foreground (const GstCcaSettings *settings)
{
  return settings->preset != PRESET_NONE && !settings->is_set[SET_FOREGROUND] ? CCA_FOREGROUND_MOTION
                                                                              : settings->params.foreground;
}

/* The most cells in a row; smaller ones say no more of where objects are. */
#define MOST_COLUMNS 256

static gboolean
effective_coverage (const GstCcaSettings *settings)
{
  return settings->is_set[SET_COVERAGE] ? settings->coverage : effective_foreground (settings) == CCA_FOREGROUND_MOTION;
}

/* Returns the side of the cells for frames of a width. */
static guint32
coverage_cell (guint32 width)
{
  guint32 cell = 2;

  while (cell < CCA_MAX_COVERAGE_CELL && (width + cell - 1) / cell > MOST_COLUMNS)
    cell *= 2;
  return cell;
}

static gboolean
effective_denoise (const GstCcaSettings *settings)
{
  return settings->is_set[SET_DENOISE] ? settings->params.denoise
                                       : effective_foreground (settings) == CCA_FOREGROUND_MOTION;
}

/* Defaults of the background model of samples, measured on real scenes of 320x240 to 1024x576
 * (docs/foreground.md): the part of the frame that the least component has where objects are near, and far away; the
 * frames that it learns from; and the closing. */
#define NEAR_LEAST_PART 1000
#define FAR_LEAST_PART 4000
#define SAMPLES_LEARNING 8
#define SAMPLES_CLOSE_RADIUS 3

/* Objects are far away where the box of a typical one that moves is a smaller part of the frame. */
#define FAR_OBJECT_PART (1.0 / 200.0)

gboolean
gst_cca_settings_see_objects (GstCcaSettings *settings, gdouble part)
{
  const GstCcaDistance before = settings->distance;

  settings->distance = part <= 0.0              ? GST_CCA_DISTANCE_UNKNOWN
                       : part < FAR_OBJECT_PART ? GST_CCA_DISTANCE_FAR
                                                : GST_CCA_DISTANCE_NEAR;
  return settings->distance != before;
}

/* Vehicles come from far away; a tracker knows better. */
static gboolean
are_far (const GstCcaSettings *settings)
{
  return settings->distance == GST_CCA_DISTANCE_FAR
         || (settings->distance == GST_CCA_DISTANCE_UNKNOWN && settings->preset == PRESET_TRAFFIC);
}

/* Chooses the defaults of foreground=motion for properties that are not set. */
static void
choose_motion (const GstCcaSettings *settings, const GstVideoInfo *info, CcaParams *params)
{
  const GstVideoFormat format = GST_VIDEO_INFO_FORMAT (info);

  if (!settings->is_set[SET_MODEL] && (format == GST_VIDEO_FORMAT_GRAY16_LE || format == GST_VIDEO_FORMAT_GRAY16_BE))
    params->motion.model = CCA_MODEL_SIGMA_DELTA;
  if (params->motion.model != CCA_MODEL_SAMPLES)
    return;
  if (!settings->is_set[SET_CLOSE_RADIUS])
    params->close_radius = SAMPLES_CLOSE_RADIUS;
  if (!settings->is_set[SET_LEARNING])
    params->motion.learning = SAMPLES_LEARNING;
  if (!settings->is_set[SET_MIN_AREA]) {
    const guint64 area = (guint64) GST_VIDEO_INFO_WIDTH (info) * (guint64) GST_VIDEO_INFO_HEIGHT (info);

    params->min_area = area / (are_far (settings) ? FAR_LEAST_PART : NEAR_LEAST_PART);
    if (params->max_area > 0)
      params->min_area = MIN (params->min_area, params->max_area);
  }
}

gboolean
gst_cca_settings_set_algorithm (GstCcaSettings *settings, guint prop_id, const GValue *value)
{
  g_autoptr (GEnumClass) klass = NULL;

  if (prop_id != PROP_ALGORITHM)
    return FALSE;
  klass = g_type_class_ref (G_VALUE_TYPE (value));
  settings->params.algorithm = g_enum_get_value (klass, g_value_get_enum (value))->value_nick;
  return TRUE;
}

gboolean
gst_cca_settings_get_effective (const GstCcaSettings *settings, GParamSpec *spec, GValue *value)
{
  if (g_str_equal (spec->name, "algorithm")) {
    g_autoptr (GEnumClass) klass = g_type_class_ref (G_VALUE_TYPE (value));

    g_value_set_enum (value, g_enum_get_value_by_nick (klass, settings->params.algorithm)->value);
  } else if (g_str_equal (spec->name, "foreground"))
    g_value_set_enum (value, effective_foreground (settings));
  else if (g_str_equal (spec->name, "denoise"))
    g_value_set_boolean (value, effective_denoise (settings));
  else if (g_str_equal (spec->name, "coverage"))
    g_value_set_boolean (value, effective_coverage (settings));
  else
    return FALSE;
  return TRUE;
}

/* On a GPU, stages are timed in one of this many frames; `stats` has the means of these. */
#define STAGE_INTERVAL 64

/* The frames of a time, rounded; frames itself where the time is 0 or the frame rate is not known. */
static guint32
frames_of (guint64 time, const GstVideoInfo *info, guint32 frames)
{
  const gint rate = GST_VIDEO_INFO_FPS_N (info), scale = GST_VIDEO_INFO_FPS_D (info);

  if (time == 0 || rate <= 0 || scale <= 0)
    return frames;
  return (guint32) CLAMP (gst_util_uint64_scale_round (time, (guint64) rate, (guint64) scale * GST_SECOND), 1,
                          G_MAXUINT32);
}

CcaParams
gst_cca_settings_resolve (const GstCcaSettings *settings, const GstVideoInfo *info)
{
  CcaParams params = settings->params;

  params.foreground = effective_foreground (settings);
  if (params.foreground == CCA_FOREGROUND_MOTION)
    choose_motion (settings, info, &params);
  params.motion.learning = frames_of (settings->learning_time, info, params.motion.learning);
  params.motion.period = frames_of (settings->period_time, info, params.motion.period);

  params.denoise = effective_denoise (settings);
  if (effective_coverage (settings) && params.foreground != CCA_FOREGROUND_VALUES)
    params.coverage_cell = coverage_cell ((guint32) GST_VIDEO_INFO_WIDTH (info));
  params.stage_interval = STAGE_INTERVAL;
  return params;
}

/* The properties that only one background model reads. */
static const struct
{
  const gchar *name;
  guint set;
  CcaModel model;
} model_fields[] = {
  { "motion-period", SET_PERIOD, CCA_MODEL_SIGMA_DELTA },
  { "motion-amplification", SET_AMPLIFICATION, CCA_MODEL_SIGMA_DELTA },
  { "motion-min", SET_V_MIN, CCA_MODEL_SIGMA_DELTA },
  { "motion-max", SET_V_MAX, CCA_MODEL_SIGMA_DELTA },
  { "motion-tolerance", SET_TOLERANCE, CCA_MODEL_SAMPLES },
  { "motion-shadows", SET_SHADOWS, CCA_MODEL_SAMPLES },
};

static gchar *
ignored_by_model (const GstCcaSettings *settings, CcaModel model, gboolean sensitivity)
{
  const gboolean samples = model == CCA_MODEL_SAMPLES;
  const gchar *names[G_N_ELEMENTS (model_fields) + 3];
  g_autofree gchar *list = NULL;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (model_fields); i++)
    if (model_fields[i].model != model && settings->is_set[model_fields[i].set])
      names[n++] = model_fields[i].name;
  if (samples && settings->period_time > 0)
    names[n++] = "motion-period-time";
  if (samples && sensitivity)
    names[n++] = "sensitivity";
  names[n] = NULL;
  if (n == 0)
    return NULL;
  list = g_strjoinv (", ", (gchar **) names);
  return samples ? g_strdup_printf ("motion-model=samples ignores %s: set motion-tolerance instead, or choose "
                                    "motion-model=sigma-delta",
                                    list)
                 : g_strdup_printf ("motion-model=sigma-delta ignores %s: set motion-min instead or, with 8-bit "
                                    "formats, choose motion-model=samples",
                                    list);
}

static gchar *
ignored_by_values (const GstCcaSettings *settings)
{
  const CcaParams *params = &settings->params;
  const gchar *names[5];
  g_autofree gchar *list = NULL;
  guint n = 0;

  if (params->invert)
    names[n++] = "invert";
  if (settings->is_set[SET_DENOISE] && params->denoise)
    names[n++] = "denoise";
  if (params->close_radius > 0)
    names[n++] = "close-radius";
  if (settings->is_set[SET_COVERAGE] && settings->coverage)
    names[n++] = "coverage";
  names[n] = NULL;
  if (n == 0)
    return NULL;
  list = g_strjoinv (", ", (gchar **) names);
  return g_strdup_printf ("foreground=values ignores %s: only equal values connect, and 0 is the background", list);
}

gchar *
gst_cca_settings_without_effect (const GstCcaSettings *settings, const CcaParams *used, gboolean sensitivity)
{
  switch (used->foreground) {
    case CCA_FOREGROUND_VALUES: return ignored_by_values (settings);
    case CCA_FOREGROUND_MOTION: return ignored_by_model (settings, used->motion.model, sensitivity);
    default: return NULL;
  }
}

/* The name of a word of the library's: a property's for a member's, else its own. */
static const gchar *
property_name (const gchar *word)
{
  static const gchar *const others[][2] = {
    { "low", "threshold-low" },
    { "high", "threshold-high" },
    { "motion.v_min", "motion-min" },
    { "motion.v_max", "motion-max" },
    { "motion.keep_shadows", "motion-shadows" },
    { "n_threads", "n-threads" },
  };
  gchar name[32];

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_str_equal (word, others[i][0]))
      return others[i][1];
  g_strlcpy (name, word, sizeof name);
  g_strdelimit (name, "_.", '-');
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (g_str_equal (name, fields[i].name))
      return fields[i].name;
  return word;
}

/* No regular expression: it allocates, and the error may be that memory is exhausted. */
gchar *
gst_cca_settings_error_text (const gchar *error)
{
  static const gchar letters[] = G_CSET_a_2_z "_";
  GString *text = g_string_new (NULL), *word = g_string_new (NULL);

  while (*error) {
    gsize length = strspn (error, letters);

    /* A member of a member has a full stop inside. */
    while (length > 0 && error[length] == '.' && strspn (error + length + 1, letters) > 0)
      length += 1 + strspn (error + length + 1, letters);
    g_string_truncate (word, 0);
    g_string_append_len (word, error, length > 0 ? (gssize) length : 1);
    g_string_append (text, property_name (word->str));
    error += word->len;
  }
  g_string_free (word, TRUE);
  return g_string_free (text, FALSE);
}
