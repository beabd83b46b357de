/* gst-cca: the sizes that ccatrack has learned, kept in a file from run to run
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccatracksizes.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "gstccapost.h"

#define GROUP "sizes"
#define FORMAT 1
#define COMMENT " Sizes of objects that ccatrack has learned (sizes-location); remove the file to learn them anew"

/* Beyond all frames and objects, and far from what sums could not hold. */
#define LARGEST_VALUE 1e6
#define LARGEST_SIDE 65535

#define SILHOUETTE_POINTS 288
G_STATIC_ASSERT (SILHOUETTE_POINTS == GST_CCA_SILHOUETTE_POINTS);

/* The lists of numbers, each a member of the samples; the last one may be missing, as before it was written. */
static const struct
{
  const gchar *key;
  gsize offset;
} lists[] = {
  { "rows", offsetof (GstCcaSizeSample, foot) },      { "widths", offsetof (GstCcaSizeSample, width) },
  { "heights", offsetof (GstCcaSizeSample, height) }, { "filled", offsetof (GstCcaSizeSample, filled) },
  { "columns", offsetof (GstCcaSizeSample, x) },
};

/* Says what is wrong with a key, unless an error is set. */
static void
set_invalid (GError **error, const gchar *key, const gchar *what)
{
  if (!*error)
    g_set_error (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE, "%s in [" GROUP "] %s", key, what);
}

/* --- Reading ----------------------------------------------------------------------------------------- */

static gboolean
read_side (GKeyFile *file, const gchar *key, guint *side, GError **error)
{
  const guint64 value = g_key_file_get_uint64 (file, GROUP, key, error);

  if (value < 1 || value > LARGEST_SIDE)
    set_invalid (error, key, "must be from 1 to 65535");
  *side = (guint) value;
  return !*error;
}

/* Reads a list into a member of the samples. The first list says how many there are. */
static gboolean
read_list (GKeyFile *file, guint index, GstCcaSizeSample *samples, gsize *n, GError **error)
{
  const gchar *key = lists[index].key;
  g_autofree gdouble *values = NULL;
  gsize length = 0;

  values = g_key_file_get_double_list (file, GROUP, key, &length, error);
  if (index == 0)
    *n = length;
  if (!values || length != *n || length > GST_CCA_SIZES_SAMPLES)
    set_invalid (error, key, "must have as many values as rows, 1 to " G_STRINGIFY (GST_CCA_SIZES_SAMPLES));
  for (gsize i = 0; i < length && !*error; i++) {
    if (!(values[i] > 0.0 && values[i] <= LARGEST_VALUE))
      set_invalid (error, key, "must be numbers above 0 and at most 1000000");
    else
      G_STRUCT_MEMBER (gdouble, &samples[i], lists[index].offset) = values[i];
  }
  return !*error;
}

/* The tracker counts ids from 1 upwards, so these objects get the last ones. */
static gboolean
read_objects (GKeyFile *file, GstCcaSizeSample *samples, gsize n, GError **error)
{
  g_autofree gint *values = NULL;
  gsize length = 0;

  values = g_key_file_get_integer_list (file, GROUP, "objects", &length, error);
  if (!values || length != n)
    set_invalid (error, "objects", "must have as many values as rows");
  for (gsize i = 0; i < n && !*error; i++) {
    if (values[i] < 1)
      set_invalid (error, "objects", "must be numbers from 1");
    else
      samples[i].id = G_MAXUINT64 - (guint) values[i];
  }
  return !*error;
}

/* A silhouette is base64, or empty where a sample has none. */
static gboolean
read_silhouettes (GKeyFile *file, GstCcaSizeSample *samples, gsize n, GError **error)
{
  g_auto (GStrv) values = NULL;
  gsize length = 0;

  values = g_key_file_get_string_list (file, GROUP, "silhouettes", &length, error);
  if (!values || length != n)
    set_invalid (error, "silhouettes", "must have as many values as rows");
  for (gsize i = 0; i < n && !*error; i++) {
    gsize size = 0;
    g_autofree guchar *points = *values[i] ? g_base64_decode (values[i], &size) : NULL;

    if (points && size != sizeof samples[i].silhouette)
      set_invalid (error, "silhouettes", "must be empty or base64 of " G_STRINGIFY (SILHOUETTE_POINTS) " bytes each");
    else if (points)
      memcpy (samples[i].silhouette, points, size);
    samples[i].has_silhouette = points != NULL;
  }
  return !*error;
}

static gboolean
read_samples (GKeyFile *file, GstCcaSizes *sizes, guint *width, guint *height, GError **error)
{
  GstCcaSizeSample samples[GST_CCA_SIZES_SAMPLES] = { 0 };
  gsize n = 0;

  if (g_key_file_get_integer (file, GROUP, "version", error) != FORMAT)
    set_invalid (error, "version", "must be " G_STRINGIFY (FORMAT) ": another gst-cca wrote the file");
  if (*error)
    return FALSE;
  if (!read_side (file, "width", width, error) || !read_side (file, "height", height, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if ((i < G_N_ELEMENTS (lists) - 1 || g_key_file_has_key (file, GROUP, lists[i].key, NULL))
        && !read_list (file, i, samples, &n, error))
      return FALSE;
  for (gsize i = 0; i < n; i++)
    if (samples[i].x == 0.0)
      samples[i].x = *width / 2.0;
  if (!read_objects (file, samples, n, error) || !read_silhouettes (file, samples, n, error))
    return FALSE;
  gst_cca_sizes_set (sizes, samples, n);
  return TRUE;
}

/* Reads the file. Posts an error and returns FALSE if that fails. */
static gboolean
load (GstElement *element, const gchar *location, GstCcaSizes *sizes, guint *width, guint *height)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  if (!g_key_file_load_from_file (file, location, G_KEY_FILE_NONE, &error) && error->domain == G_FILE_ERROR) {
    gst_cca_post_detail (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
                         g_strdup (error->message),
                         "Cannot read sizes from '%s'; make it readable, or set another sizes-location", location);
    return FALSE;
  }
  if (error || !read_samples (file, sizes, width, height, &error)) {
    gst_cca_post_detail (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                         g_strdup (error->message),
                         "'%s' is no file of learned sizes; remove it, or set another sizes-location", location);
    return FALSE;
  }
  return TRUE;
}

/* Posts an error and returns FALSE if a file cannot be made there. */
static gboolean
can_save (GstElement *element, const gchar *location)
{
  g_autofree gchar *folder = g_path_get_dirname (location);

  if (g_access (folder, W_OK) == 0)
    return TRUE;
  gst_cca_post_detail (element, GST_MESSAGE_ERROR, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE,
                       g_strdup_printf ("folder '%s': %s", folder, g_strerror (errno)),
                       "Cannot write sizes to '%s'; create its folder, or set another sizes-location", location);
  return FALSE;
}

gboolean
gst_cca_track_sizes_start (GstCcaTrackSizes *self, GstElement *element, const gchar *location, GstCcaTracker *tracker)
{
  guint width = 0, height = 0;
  GstCcaSizes sizes;

  gst_cca_track_sizes_clear (self);
  if (!location || !*location)
    return TRUE;
  if (g_file_test (location, G_FILE_TEST_EXISTS)) {
    if (!load (element, location, &sizes, &width, &height))
      return FALSE;
    gst_cca_tracker_set_sizes (tracker, &sizes, width, height);
  } else if (!can_save (element, location)) {
    return FALSE;
  }
  *self = (GstCcaTrackSizes) { g_strdup (location), width, height };
  return TRUE;
}

void
gst_cca_track_sizes_see_frame (GstCcaTrackSizes *self, GstElement *element, guint width, guint height)
{
  if (self->width == 0 || (width == self->width && height == self->height))
    return;
  gst_cca_post_detail (element, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                       g_strdup ("its sizes are not used, and it is replaced when the element stops"),
                       "'%s' is for frames of %ux%u pixels, not %ux%u; set a sizes-location for each camera and size",
                       self->location, self->width, self->height, width, height);
  self->width = self->height = 0;
}

/* --- Writing ----------------------------------------------------------------------------------------- */

/* Numbers the objects from 1, in the order in which they come. */
static gint
number_of (const GstCcaSizeSample *samples, const gint *numbers, gsize i, gint *n_objects)
{
  for (gsize k = 0; k < i; k++)
    if (samples[k].id == samples[i].id)
      return numbers[k];
  return ++*n_objects;
}

static void
write_samples (GKeyFile *file, const GstCcaSizes *sizes)
{
  GstCcaSizeSample samples[GST_CCA_SIZES_SAMPLES];
  gint objects[GST_CCA_SIZES_SAMPLES], n_objects = 0;
  gdouble values[GST_CCA_SIZES_SAMPLES];
  gchar *silhouettes[GST_CCA_SIZES_SAMPLES];
  const gsize n = gst_cca_sizes_get (sizes, samples);

  for (guint k = 0; k < G_N_ELEMENTS (lists); k++) {
    for (gsize i = 0; i < n; i++)
      values[i] = G_STRUCT_MEMBER (gdouble, &samples[i], lists[k].offset);
    g_key_file_set_double_list (file, GROUP, lists[k].key, values, n);
  }
  for (gsize i = 0; i < n; i++)
    objects[i] = number_of (samples, objects, i, &n_objects);
  g_key_file_set_integer_list (file, GROUP, "objects", objects, n);
  for (gsize i = 0; i < n; i++)
    silhouettes[i] = samples[i].has_silhouette ? g_base64_encode (samples[i].silhouette, sizeof samples[i].silhouette)
                                               : g_strdup ("");
  g_key_file_set_string_list (file, GROUP, "silhouettes", (const gchar *const *) silhouettes, n);
  for (gsize i = 0; i < n; i++)
    g_free (silhouettes[i]);
}

void
gst_cca_track_sizes_stop (GstCcaTrackSizes *self, GstElement *element, const GstCcaTracker *tracker)
{
  g_autoptr (GKeyFile) file = NULL;
  g_autoptr (GError) error = NULL;
  const GstCcaSizes *sizes;
  guint32 width, height;

  if (!self->location)
    return;
  sizes = gst_cca_tracker_sizes (tracker, &width, &height);
  if (sizes->n == 0)
    return;
  file = g_key_file_new ();
  g_key_file_set_integer (file, GROUP, "version", FORMAT);
  g_key_file_set_uint64 (file, GROUP, "width", width);
  g_key_file_set_uint64 (file, GROUP, "height", height);
  write_samples (file, sizes);
  g_key_file_set_comment (file, NULL, NULL, COMMENT, NULL);
  if (!g_key_file_save_to_file (file, self->location, &error))
    gst_cca_post_detail (element, GST_MESSAGE_WARNING, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
                         g_strdup (error->message), "The learned sizes are lost; check the folder of sizes-location");
}

void
gst_cca_track_sizes_clear (GstCcaTrackSizes *self)
{
  g_free (self->location);
  *self = (GstCcaTrackSizes) { 0 };
}
