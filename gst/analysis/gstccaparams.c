/* gst-cca: the parameters of libcca as GObject properties
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaparams.h"

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

typedef enum
{
  FIELD_BOOL,
  FIELD_UINT8,
  FIELD_UINT16,
  FIELD_UINT32,
  FIELD_UINT64,
  FIELD_ENUM,
} FieldType;

/* A property that is a field of CcaParams. Its default is the library's. An area needs no more than 32 bits:
 * CCA_MAX_SIZE squared. */
typedef struct
{
  const gchar *name, *blurb;
  const gchar *member; /* as the library's errors call it */
  gsize offset;
  FieldType type;
  guint min, max;
  GType (*get_enum_type) (void);
} Field;

G_STATIC_ASSERT (sizeof (bool) == 1);
G_STATIC_ASSERT (sizeof (CcaForeground) == sizeof (guint32));
G_STATIC_ASSERT (sizeof (CcaOrder) == sizeof (guint32));
G_STATIC_ASSERT (sizeof (CcaModel) == sizeof (guint32));

#define OFFSET(field) offsetof (CcaParams, field)
#define MEMBER(field) #field, OFFSET (field)

static const Field fields[] = {
  { "connectivity", "Which neighbours of a pixel connect to it", MEMBER (connectivity), FIELD_ENUM, 0, 0,
    gst_cca_connectivity_get_type },
  { "foreground", "Which pixels belong to components; for camera video use motion or threshold", MEMBER (foreground),
    FIELD_ENUM, 0, 0, gst_cca_foreground_get_type },
  { "threshold", "foreground=threshold: pixels above this value, of 255 or, with GRAY16, 65535", MEMBER (threshold),
    FIELD_UINT16, 0, 65535 },
  { "threshold-low", "foreground=range: the lowest value, of 255 or, with GRAY16, 65535", MEMBER (low), FIELD_UINT16, 0,
    65535 },
  { "threshold-high", "foreground=range: the highest value, of 255 or, with GRAY16, 65535", MEMBER (high), FIELD_UINT16,
    0, 65535 },
  { "invert", "Exchange foreground and background; not for foreground=values", MEMBER (invert), FIELD_BOOL },
  { "close-radius",
    "Close gaps of the foreground up to twice this many pixels wide; 0 = off; unless set, 3 for motion-model=samples, "
    "2 with preset=traffic",
    MEMBER (close_radius), FIELD_UINT32, 0, CCA_MAX_CLOSE_RADIUS },
  { "min-area",
    "Drop components of fewer pixels; 0 = no limit; unless set, a 1000th of the frame for motion-model=samples",
    MEMBER (min_area), FIELD_UINT64, 0, G_MAXUINT },
  { "max-area", "Drop components of more pixels; 0 = no limit", MEMBER (max_area), FIELD_UINT64, 0, G_MAXUINT },
  { "min-width", "Drop components whose bounding box is narrower, pixels; 0 = no limit", MEMBER (min_width),
    FIELD_UINT32, 0, CCA_MAX_SIZE },
  { "max-width", "Drop components whose bounding box is wider, pixels; 0 = no limit", MEMBER (max_width), FIELD_UINT32,
    0, CCA_MAX_SIZE },
  { "min-height", "Drop components whose bounding box is lower, pixels; 0 = no limit", MEMBER (min_height),
    FIELD_UINT32, 0, CCA_MAX_SIZE },
  { "max-height", "Drop components whose bounding box is higher, pixels; 0 = no limit", MEMBER (max_height),
    FIELD_UINT32, 0, CCA_MAX_SIZE },
  { "max-components", "Components stored per frame; the count stays exact", MEMBER (max_components), FIELD_UINT32, 1,
    CCA_MAX_COMPONENTS },
  { "order", "Order of the stored components; labels do not depend on it", MEMBER (order), FIELD_ENUM, 0, 0,
    gst_cca_order_get_type },
  { "covariance", "Measure second central moments too", MEMBER (covariance), FIELD_BOOL },
  { "overlaps", "Find how many pixels each component shares with each of the last frame's", MEMBER (overlaps),
    FIELD_BOOL },
  { "shape", "Measure the perimeters and Euler numbers of the stored components", MEMBER (shape), FIELD_BOOL },
  { "intensity", "Measure the mean, least and largest value of the stored components' pixels", MEMBER (intensity),
    FIELD_BOOL },
  { "motion-model", "foreground=motion: the background model; unless set, sigma-delta for GRAY16",
    MEMBER (motion.model), FIELD_ENUM, 0, 0, gst_cca_model_get_type },
  { "motion-learning",
    "foreground=motion: frames at the start that only train the background model; unless set, 8 for "
    "motion-model=samples",
    MEMBER (motion.learning), FIELD_UINT32, 1, G_MAXUINT },
  { "motion-period", "motion-model=sigma-delta: frames per grey level that the background moves towards the picture",
    MEMBER (motion.period), FIELD_UINT32, 1, G_MAXUINT },
  { "motion-amplification",
    "motion-model=sigma-delta: the spread moves towards this multiple of the difference from the background",
    MEMBER (motion.amplification), FIELD_UINT8, 1, 16 },
  { "motion-min",
    "motion-model=sigma-delta: the least spread, of 255 or, with GRAY16, 65535, where a grey level is a 16th of it; at "
    "most motion-max",
    MEMBER (motion.v_min), FIELD_UINT16, 1, 65535 },
  { "motion-max", "motion-model=sigma-delta: the largest spread, of 255 or, with GRAY16, 65535", MEMBER (motion.v_max),
    FIELD_UINT16, 1, 65535 },
  { "motion-tolerance",
    "motion-model=samples: least difference from the samples that makes a pixel foreground, grey levels; the model "
    "raises it in noise",
    MEMBER (motion.tolerance), FIELD_UINT8, 1, 64 },
  { "motion-shadows",
    "motion-model=samples: keep shadows as foreground; otherwise the model finds them by chroma and removes them",
    MEMBER (motion.keep_shadows), FIELD_BOOL },
  { "n-threads", "Maximum number of threads; a frame uses only as many as save time", MEMBER (n_threads), FIELD_UINT32,
    1, CCA_MAX_THREADS },
};

/* Property ids: first the properties that are more than a field, then the fields. */
enum
{
  PROP_ALGORITHM = 1,
  PROP_PRESET,
  PROP_DENOISE,
  PROP_COVERAGE,
  PROP_LEARNING_TIME,
  PROP_PERIOD_TIME,
  PROP_FIRST_FIELD,
};

G_STATIC_ASSERT (PROP_FIRST_FIELD + G_N_ELEMENTS (fields) - 1 <= GST_CCA_SETTINGS_LAST_PROP);

static guint
field_get (const Field *field, const CcaParams *params)
{
  const guint8 *place = (const guint8 *) params + field->offset;
  guint16 u16;
  guint32 u32;
  guint64 u64;

  switch (field->type) {
    case FIELD_BOOL:
    case FIELD_UINT8: return *place;
    case FIELD_UINT16: memcpy (&u16, place, sizeof u16); return u16;
    case FIELD_UINT64: memcpy (&u64, place, sizeof u64); return (guint) u64;
    default: memcpy (&u32, place, sizeof u32); return u32;
  }
}

static void
field_set (const Field *field, CcaParams *params, guint value)
{
  guint8 *place = (guint8 *) params + field->offset;
  const guint16 u16 = (guint16) value;
  const guint32 u32 = value;
  const guint64 u64 = value;

  switch (field->type) {
    case FIELD_BOOL:
    case FIELD_UINT8: *place = (guint8) value; break;
    case FIELD_UINT16: memcpy (place, &u16, sizeof u16); break;
    case FIELD_UINT64: memcpy (place, &u64, sizeof u64); break;
    default: memcpy (place, &u32, sizeof u32); break;
  }
}

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
gst_cca_settings_install_properties (GObjectClass *klass, CcaBackend backend, GType algorithm_type)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;
  GstCcaSettings settings;

  gst_cca_settings_init (&settings);
  g_object_class_install_property (
      klass, PROP_ALGORITHM,
      g_param_spec_enum ("algorithm", "algorithm", "How components are found", algorithm_type, 0, flags));
  g_object_class_install_property (
      klass, PROP_PRESET,
      g_param_spec_enum ("preset", "preset",
                         "What the camera sees: foreground=motion and what goes with it; properties that are set win",
                         gst_cca_preset_get_type (), PRESET_NONE, flags));
  g_object_class_install_property (klass, PROP_DENOISE,
                                   g_param_spec_boolean ("denoise", "denoise",
                                                         "Clean the foreground by a 3x3 majority filter; unless set, "
                                                         "on for foreground=motion only; not for foreground=values",
                                                         FALSE, flags));
  g_object_class_install_property (
      klass, PROP_COVERAGE,
      g_param_spec_boolean ("coverage", "coverage",
                            "Count the foreground of small cells, by which ccatrack tells objects apart that touch; "
                            "unless set, on for foreground=motion only; not for foreground=values",
                            FALSE, flags));
  g_object_class_install_property (
      klass, PROP_LEARNING_TIME,
      g_param_spec_uint64 ("motion-learning-time", "motion-learning-time",
                           "foreground=motion: motion-learning as a time, ns, by the frame rate of the caps; with 0, "
                           "or caps without a rate, motion-learning applies",
                           0, G_MAXUINT64, 0, flags));
  g_object_class_install_property (
      klass, PROP_PERIOD_TIME,
      g_param_spec_uint64 ("motion-period-time", "motion-period-time",
                           "motion-model=sigma-delta: motion-period as a time, ns, by the frame rate of the caps; with "
                           "0, or caps without a rate, motion-period applies",
                           0, G_MAXUINT64, 0, flags));
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    const Field *field = &fields[i];
    const guint value = field_get (field, &settings.params);
    GParamSpec *pspec;

    if (field->offset == OFFSET (n_threads) && backend != CCA_BACKEND_CPU)
      continue;
    if (field->type == FIELD_ENUM)
      pspec = g_param_spec_enum (field->name, field->name, field->blurb, field->get_enum_type (), (gint) value, flags);
    else if (field->type == FIELD_BOOL)
      pspec = g_param_spec_boolean (field->name, field->name, field->blurb, (gboolean) value, flags);
    else
      pspec = g_param_spec_uint (field->name, field->name, field->blurb, field->min, field->max, value, flags);
    g_object_class_install_property (klass, PROP_FIRST_FIELD + i, pspec);
  }
}

G_STATIC_ASSERT (G_N_ELEMENTS (fields) <= 64);

static gboolean
is_set (const GstCcaSettings *settings, gsize offset)
{
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (fields[i].offset == offset)
      return (settings->fields_set >> i & 1) != 0;
  return FALSE;
}

static CcaForeground
effective_foreground (const GstCcaSettings *settings)
{
  return settings->preset != PRESET_NONE && !is_set (settings, OFFSET (foreground)) ? CCA_FOREGROUND_MOTION
                                                                                    : settings->params.foreground;
}

/* The most cells in a row; smaller ones say no more of where objects are. */
#define MOST_COLUMNS 256

static gboolean
effective_coverage (const GstCcaSettings *settings)
{
  return settings->coverage_is_set ? settings->coverage : effective_foreground (settings) == CCA_FOREGROUND_MOTION;
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
  return settings->denoise_is_set ? settings->params.denoise : effective_foreground (settings) == CCA_FOREGROUND_MOTION;
}

/* Defaults of the background model of samples, measured on real scenes of 320x240 to 1024x576
 * (docs/foreground.md): the part of the frame that the least component has, the frames that it learns from, and the
 * closing, of which roads need less than people. */
#define SAMPLES_LEAST_PART 1000
#define SAMPLES_LEARNING 8
#define SAMPLES_CLOSE_RADIUS 3
#define TRAFFIC_CLOSE_RADIUS 2

/* Chooses the defaults of foreground=motion for properties that are not set. */
static void
choose_motion (const GstCcaSettings *settings, const GstVideoInfo *info, CcaParams *params)
{
  const GstVideoFormat format = GST_VIDEO_INFO_FORMAT (info);

  if (!is_set (settings, OFFSET (motion.model))
      && (format == GST_VIDEO_FORMAT_GRAY16_LE || format == GST_VIDEO_FORMAT_GRAY16_BE))
    params->motion.model = CCA_MODEL_SIGMA_DELTA;
  if (params->motion.model != CCA_MODEL_SAMPLES)
    return;
  if (!is_set (settings, OFFSET (close_radius)))
    params->close_radius = settings->preset == PRESET_TRAFFIC ? TRAFFIC_CLOSE_RADIUS : SAMPLES_CLOSE_RADIUS;
  if (!is_set (settings, OFFSET (motion.learning)))
    params->motion.learning = SAMPLES_LEARNING;
  if (!is_set (settings, OFFSET (min_area))) {
    const guint64 area = (guint64) GST_VIDEO_INFO_WIDTH (info) * (guint64) GST_VIDEO_INFO_HEIGHT (info);

    params->min_area = area / SAMPLES_LEAST_PART;
    if (params->max_area > 0)
      params->min_area = MIN (params->min_area, params->max_area);
  }
}

static void
set_algorithm (GstCcaSettings *settings, const GValue *value)
{
  GEnumClass *klass = g_type_class_ref (G_VALUE_TYPE (value));

  settings->params.algorithm = g_enum_get_value (klass, g_value_get_enum (value))->value_nick;
  g_type_class_unref (klass);
}

static void
get_algorithm (const GstCcaSettings *settings, GValue *value)
{
  GEnumClass *klass = g_type_class_ref (G_VALUE_TYPE (value));

  g_value_set_enum (value, g_enum_get_value_by_nick (klass, settings->params.algorithm)->value);
  g_type_class_unref (klass);
}

static void
set_field (GstCcaSettings *settings, guint index, const GValue *value)
{
  const Field *field = &fields[index];

  field_set (field, &settings->params,
             field->type == FIELD_ENUM   ? (guint) g_value_get_enum (value)
             : field->type == FIELD_BOOL ? (guint) g_value_get_boolean (value)
                                         : g_value_get_uint (value));
  settings->fields_set |= G_GUINT64_CONSTANT (1) << index;
}

static void
get_field (const GstCcaSettings *settings, guint index, GValue *value)
{
  const Field *field = &fields[index];

  if (field->offset == OFFSET (foreground))
    g_value_set_enum (value, effective_foreground (settings));
  else if (field->type == FIELD_ENUM)
    g_value_set_enum (value, (gint) field_get (field, &settings->params));
  else if (field->type == FIELD_BOOL)
    g_value_set_boolean (value, field_get (field, &settings->params) != 0);
  else
    g_value_set_uint (value, field_get (field, &settings->params));
}

void
gst_cca_settings_set_property (GstCcaSettings *settings, guint prop_id, const GValue *value)
{
  switch (prop_id) {
    case PROP_ALGORITHM: set_algorithm (settings, value); break;
    case PROP_PRESET: settings->preset = (guint) g_value_get_enum (value); break;
    case PROP_DENOISE:
      settings->params.denoise = g_value_get_boolean (value);
      settings->denoise_is_set = TRUE;
      break;
    case PROP_COVERAGE:
      settings->coverage = g_value_get_boolean (value);
      settings->coverage_is_set = TRUE;
      break;
    case PROP_LEARNING_TIME: settings->learning_time = g_value_get_uint64 (value); break;
    case PROP_PERIOD_TIME: settings->period_time = g_value_get_uint64 (value); break;
    default: set_field (settings, prop_id - PROP_FIRST_FIELD, value);
  }
}

void
gst_cca_settings_get_property (const GstCcaSettings *settings, guint prop_id, GValue *value)
{
  switch (prop_id) {
    case PROP_ALGORITHM: get_algorithm (settings, value); break;
    case PROP_PRESET: g_value_set_enum (value, (gint) settings->preset); break;
    case PROP_DENOISE: g_value_set_boolean (value, effective_denoise (settings)); break;
    case PROP_COVERAGE: g_value_set_boolean (value, effective_coverage (settings)); break;
    case PROP_LEARNING_TIME: g_value_set_uint64 (value, settings->learning_time); break;
    case PROP_PERIOD_TIME: g_value_set_uint64 (value, settings->period_time); break;
    default: get_field (settings, prop_id - PROP_FIRST_FIELD, value);
  }
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
  gsize offset;
  CcaModel model;
} model_fields[] = {
  { OFFSET (motion.period), CCA_MODEL_SIGMA_DELTA }, { OFFSET (motion.amplification), CCA_MODEL_SIGMA_DELTA },
  { OFFSET (motion.v_min), CCA_MODEL_SIGMA_DELTA },  { OFFSET (motion.v_max), CCA_MODEL_SIGMA_DELTA },
  { OFFSET (motion.tolerance), CCA_MODEL_SAMPLES },  { OFFSET (motion.keep_shadows), CCA_MODEL_SAMPLES },
};

static gchar *
ignored_by_model (const GstCcaSettings *settings, CcaModel model, gboolean sensitivity)
{
  const gboolean samples = model == CCA_MODEL_SAMPLES;
  const gchar *names[G_N_ELEMENTS (model_fields) + 3];
  g_autofree gchar *list = NULL;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (model_fields); i++)
    for (guint j = 0; j < G_N_ELEMENTS (fields); j++)
      if (model_fields[i].model != model && fields[j].offset == model_fields[i].offset
          && is_set (settings, fields[j].offset))
        names[n++] = fields[j].name;
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
  if (settings->denoise_is_set && params->denoise)
    names[n++] = "denoise";
  if (params->close_radius > 0)
    names[n++] = "close-radius";
  if (settings->coverage_is_set && settings->coverage)
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
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    if (g_str_equal (word, fields[i].member))
      return fields[i].name;
  }
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
