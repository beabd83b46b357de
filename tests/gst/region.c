/* gst-cca: where in the frame the elements look: files of regions and of sensitivities
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../test-folder.h"
#include "element-test.h"

#include <cairo.h>
#include <string.h>

enum
{
  WIDTH = 97,
  HEIGHT = 61,
};

/* Writes a file of the folder; returns its path, to be freed. */
static gchar *
write_file (const gchar *name, const gchar *content, gsize length)
{
  gchar *path = g_build_filename (test_folder (), name, NULL);

  g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
  return path;
}

static gchar *
write_text (const gchar *name, const gchar *text)
{
  return write_file (name, text, strlen (text));
}

/* --- Images ------------------------------------------------------------------------------------------ */

typedef guint8 Grey (guint x, guint y, guint width, guint height);

static guint8
grey_disc (guint x, guint y, guint width, guint height)
{
  const gint dx = (gint) (2 * x + 1 - width), dy = (gint) (2 * y + 1 - height);

  return dx * dx + dy * dy < (gint) (height * height) ? 255 : 0;
}

/* Every level, on both sides of where inside begins. */
static guint8
grey_ramp (guint x, guint y, guint width, guint height)
{
  return (guint8) ((x + y) * 255 / (width + height - 2));
}

static gchar *
write_pgm (const gchar *name, const gchar *header, Grey *grey, guint width, guint height, guint white)
{
  GString *file = g_string_new (header);
  gchar *path;

  for (guint i = 0; i < width * height; i++)
    g_string_append_c (file, (gchar) (grey (i % width, i / width, width, height) * white / 255));
  path = write_file (name, file->str, file->len);
  g_string_free (file, TRUE);
  return path;
}

static gchar *
write_png (const gchar *name, cairo_format_t format, Grey *grey, guint width, guint height)
{
  cairo_surface_t *surface = cairo_image_surface_create (format, (int) width, (int) height);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  guint8 *data = cairo_image_surface_get_data (surface);
  gchar *path = g_build_filename (test_folder (), name, NULL);

  for (guint i = 0; i < width * height; i++) {
    const guint32 g = grey (i % width, i / width, width, height);

    /* Opaque, or white as far as it is not transparent. */
    ((guint32 *) (void *) (data + i / width * stride))[i % width] =
        (format == CAIRO_FORMAT_ARGB32 ? g << 24 : 0xffu << 24) | g * 0x010101;
  }
  cairo_surface_mark_dirty (surface);
  g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy (surface);
  return path;
}

/* --- Expected results -------------------------------------------------------------------------------- */

typedef gboolean Inside (guint x, guint y, guint width, guint height);

/* libcca with the region that the element should have. */
static TestReference *
reference_with (Inside *inside, guint width, guint height)
{
  g_autofree guint8 *mask = g_malloc (width * height);
  const CcaImage image = { .data = mask, .pitch = (ptrdiff_t) width, .width = width, .height = height };
  CcaParams params = test_threshold_params ();
  TestReference *reference;

  params.threshold = 60;
  reference = test_reference_new (width, height, &params, CCA_OUTPUT_NONE);
  for (guint i = 0; i < width * height; i++)
    mask[i] = inside (i % width, i / width, width, height);
  g_assert_cmpint (cca_plan_set_region (reference->plan, &image), ==, CCA_OK);
  return reference;
}

static void
check_frame (GstHarness *harness, TestReference *reference, guint seed)
{
  const GstVideoInfo info = test_video_info ("GRAY8", reference->width, reference->height);
  g_autoptr (GstBuffer) buffer = test_pass (harness, test_frame (&info, seed));

  test_reference_run (reference, seed);
  test_assert_meta (buffer, reference);
}

/* An element with that region from the start; the value has no spaces. */
static GstHarness *
harness_with (const gchar *region, guint width, guint height)
{
  g_autofree gchar *launch = g_strdup_printf ("cca foreground=threshold threshold=60 region=%s", region);
  GstHarness *harness = test_harness (launch, test_caps ("GRAY8", width, height, NULL));

  return harness;
}

/* Frames under a region (taken) are libcca's under that mask, in two sizes. */
static void
check_region (gchar *region, Inside *inside)
{
  g_autoptr (TestReference) reference = reference_with (inside, WIDTH, HEIGHT),
                            wide = reference_with (inside, 131, HEIGHT);
  g_autoptr (GstHarness) harness = harness_with (region, WIDTH, HEIGHT);

  check_frame (harness, reference, 1);
  check_frame (harness, reference, 2);
  gst_harness_set_src_caps (harness, test_caps ("GRAY8", 131, HEIGHT, NULL));
  check_frame (harness, wide, 3);
  test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  g_free (region);
}

static gboolean
inside_disc (guint x, guint y, guint width, guint height)
{
  return grey_disc (x, y, width, height) >= 128;
}

static gboolean
inside_ramp (guint x, guint y, guint width, guint height)
{
  return grey_ramp (x, y, width, height) >= 128;
}

/* The disc as an image of 40x30 shows it, scaled. */
static gboolean
inside_coarse_disc (guint x, guint y, guint width, guint height)
{
  return grey_disc ((2 * x + 1) * 40 / (2 * width), (2 * y + 1) * 30 / (2 * height), 40, 30) >= 128;
}

static gboolean
inside_all (guint x, guint y, guint width, guint height)
{
  return TRUE;
}

/* An image has a size of its own and is scaled to that of the frames. */
static void
test_images (void)
{
  check_region (write_pgm ("coarse.pgm", "P5\n40 30\n255\n", grey_disc, 40, 30, 255), inside_coarse_disc);
  check_region (write_pgm ("comment.pgm", "P5 # white inside\n#\n 40\t30 1\n", grey_disc, 40, 30, 1),
                inside_coarse_disc);
  check_region (write_png ("coarse.png", CAIRO_FORMAT_RGB24, grey_disc, 40, 30), inside_coarse_disc);
  check_region (write_png ("transparent.png", CAIRO_FORMAT_ARGB32, grey_disc, 40, 30), inside_coarse_disc);
  check_region (write_pgm ("white.pgm", "P5 1 1 255\n", grey_disc, 1, 1, 255), inside_all);
}

/* Inside begins in the middle of the grey levels. */
static void
test_levels (void)
{
  gchar *paths[] = { write_pgm ("ramp.pgm", "P5 97 61 255\n", grey_ramp, WIDTH, HEIGHT, 255),
                     write_png ("ramp.png", CAIRO_FORMAT_RGB24, grey_ramp, WIDTH, HEIGHT) };
  g_autoptr (TestReference) reference = reference_with (inside_ramp, WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    GstHarness *harness = harness_with (paths[i], WIDTH, HEIGHT);

    check_frame (harness, reference, i);
    test_harness_free (harness);
    g_free (paths[i]);
  }
}

/* --- Polygons ---------------------------------------------------------------------------------------- */

static gboolean
inside_box (guint x, guint y, guint width, guint height)
{
  return x >= 10 && x < 60 && y >= 5 && y < 40;
}

static gboolean
inside_box_with_hole (guint x, guint y, guint width, guint height)
{
  return inside_box (x, y, width, height) && !(x >= 20 && x < 30 && y >= 10 && y < 20);
}

static gboolean
outside_hole (guint x, guint y, guint width, guint height)
{
  return !(x >= 20 && x < 30 && y >= 10 && y < 20);
}

static gboolean
inside_left_half (guint x, guint y, guint width, guint height)
{
  return 2 * x + 1 < width;
}

#define BOX "{\"points\":[[10,5],[60,5],[60,40],[10,40]]}"
#define HOLE "{\"points\":[[20,10],[30,10],[30,20],[20,20]],\"exclude\":true}"
#define LEFT_HALF "{\"points\":[[0,0],[0.5,0],[0.5,1],[0,1]]}"

static void
test_polygons (void)
{
  if (test_skip_without_element ("ccazones"))
    return;
  check_region (g_strdup ("{\"region\":[" BOX "]}"), inside_box);
  check_region (g_strdup ("{\"region\":[" BOX "," HOLE "]}"), inside_box_with_hole);
  check_region (g_strdup ("{\"region\":[" HOLE "," BOX "]}"), inside_box_with_hole);
  check_region (g_strdup ("{\"region\":[" HOLE "]}"), outside_hole);
  check_region (g_strdup ("{\"units\":\"relative\",\"region\":[" LEFT_HALF "]}"), inside_left_half);
  check_region (g_strdup ("{\"width\":2,\"height\":10,\"region\":[{\"points\":[[0,0],[1,0],[1,10],[0,10]]}]}"),
                inside_left_half);
  /* A file, which serves ccazones, too. */
  check_region (write_text ("zones.json", " \n{ \"zones\": [{ \"name\": \"all\" }], \"region\": [" BOX "] }"),
                inside_box);
}

/* --- Errors ------------------------------------------------------------------------------------------ */

typedef struct
{
  const gchar *property, *file, *content;
  gboolean needs_polygons;
  const gchar *text; /* behind the property's name and, where there is a file, the file's */
} Wrong;

#define NESTED_8 "[[[[[[[["
#define NESTED NESTED_8 NESTED_8 NESTED_8 NESTED_8 NESTED_8 NESTED_8 NESTED_8 NESTED_8

static const Wrong wrongs[] = {
  { "region", "none.png", NULL, FALSE, "cannot be read: " },
  { "region", "empty", "", FALSE, "is neither a PNG nor a binary PGM (P5), nor JSON, which begins with {" },
  { "region", "text.pgm", "P2 1 1 255 0", FALSE, "is neither a PNG nor a binary PGM (P5), nor JSON" },
  { "region", "short.png", "\x89PNG\r\n\x1a\n1", FALSE, "cannot read this PNG: the file ends early" },
  { "region", "broken.png", "\x89PNG\r\n\x1a\n1111IHDR1111111111111111", FALSE, "cannot read this PNG: " },
  { "region", "size.pgm", "P5 0 1 255 x", FALSE, "this PGM's header must have a width and a height of 1…32767" },
  { "region", "huge.pgm", "P5 99999999999 1 255 x", FALSE, "this PGM's header must have" },
  { "region", "deep.pgm", "P5 1 1 65535 xx", FALSE, "this PGM's header must have" },
  { "region", "short.pgm", "P5 4 4 255 x", FALSE, "the file ends early: 4x4 pixels need 16 bytes" },
  { "region", "bad.json", "{\n \"region\": [\n", TRUE, "line " },
  { "region", "nested.json", "{ \"region\": " NESTED, TRUE,
    "line 1: more than 64 arrays and objects are in each other" },
  { "region", "none.json", "{ \"zones\": [] }", TRUE, "has no polygons: list them in the member region" },
  { "region", "flat.json", "{ \"region\": [{ \"points\": [[0, 0], [5, 5], [9, 9]] }] }", TRUE,
    "region[0].points: encloses no area" },
  { "region", NULL, "{\"region\":[{\"points\":[[0,0],[9,0]]}]}", TRUE,
    "JSON: region[0].points: must be an array of 3 to 1024 points, and has 2" },
  { "sensitivity", "region.json", "{ \"region\": [] }", FALSE, "is neither a PNG nor a binary PGM (P5)" },
};

/* Returns a value for the property, to be freed, and the text that the error must begin with. */
static gchar *
make_wrong (const Wrong *wrong, gchar **text)
{
  gchar *value = wrong->file == NULL ? g_strdup (wrong->content)
                 : wrong->content    ? write_text (wrong->file, wrong->content)
                                     : g_build_filename (test_folder (), wrong->file, NULL);

  *text = wrong->file ? g_strdup_printf ("%s: %s: %s", wrong->property, value, wrong->text)
                      : g_strdup_printf ("%s: %s", wrong->property, wrong->text);
  return value;
}

static void
assert_begins_with (gchar *text, const gchar *start)
{
  if (!g_str_has_prefix (text, start))
    g_error ("\"%s\" does not begin with \"%s\"", text, start);
  g_free (text);
}

/* Starts an element whose start must fail with one error that begins with a text. */
static void
assert_refuses_to_start (const gchar *property, const gchar *value, const gchar *text)
{
  gchar *error = test_start_error ("cca", property, value);

  g_assert_nonnull (error);
  assert_begins_with (error, text);
}

/* Before the first frame: one error. */
static void
test_wrong_at_start (gconstpointer data)
{
  const Wrong *wrong = data;
  g_autofree gchar *text = NULL, *value = NULL;

  if (wrong->needs_polygons && test_skip_without_element ("ccazones"))
    return;
  value = make_wrong (wrong, &text);
  assert_refuses_to_start (wrong->property, value, text);
}

/* While frames pass: one warning, and the element keeps the last region. */
static void
test_wrong_while_playing (gconstpointer data)
{
  const Wrong *wrong = data;
  g_autofree gchar *path = write_pgm ("disc.pgm", "P5 97 61 255\n", grey_disc, WIDTH, HEIGHT, 255), *text = NULL,
                   *value = NULL;
  gchar *warning;
  g_autoptr (TestReference) disc = NULL, all = NULL;
  g_autoptr (GstHarness) harness = NULL;

  if (wrong->needs_polygons && test_skip_without_element ("ccazones"))
    return;
  value = make_wrong (wrong, &text);
  disc = reference_with (inside_disc, WIDTH, HEIGHT);
  all = reference_with (inside_all, WIDTH, HEIGHT);
  harness = harness_with (path, WIDTH, HEIGHT);
  check_frame (harness, disc, 1);
  g_object_set (harness->element, wrong->property, value, NULL);
  check_frame (harness, disc, 2);
  warning = test_message_text (test_pop_message (harness, GST_MESSAGE_WARNING));
  g_assert_nonnull (strstr (warning, "; keeping the previous "));
  assert_begins_with (warning, text);
  check_frame (harness, disc, 3);
  test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  g_object_set (harness->element, "region", NULL, "sensitivity", NULL, NULL);
  check_frame (harness, all, 4);
  test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

/* --- Images that are broken ------------------------------------------------------------------------- */

/* A change to a PNG of the disc that makes reading fail. */
typedef struct
{
  const gchar *name;
  gsize cut;          /* bytes that are left, or 0 for all */
  gint place;         /* of a byte that changes, from the end if below 0; or 0 */
  guint32 sides;      /* the width and the height, or 0 for the true ones */
  const gchar *error; /* behind the file's name; at the start, unless it depends on the frames */
  gboolean needs_frame;
} Damage;

static const Damage damages[] = {
  { "crc", 0, -13, 0, "cannot read this PNG: IDAT: CRC error", FALSE }, /* in front of IEND's 12 bytes */
  { "data", 0, 60, 0, "cannot read this PNG: IDAT: ", FALSE },
  { "header-crc", 0, 29, 0, "cannot read this PNG: IHDR: CRC error", FALSE },
  { "no-size", 0, 12, 0, "cannot read this PNG: it does not begin with its size", FALSE },
  { "header-alone", 33, 0, 0, "cannot read this PNG: the file ends early", FALSE },
  { "length", 0, 34, 0, "cannot read this PNG: the file ends early", FALSE }, /* of the second chunk: 64 KiB more */
  { "half", 100, 0, 0, "cannot read this PNG: the file ends early", FALSE },
  { "no-pixels", 0, 0, G_MAXUINT32, "cannot read this PNG: its width and height must be 1…32767 pixels", FALSE },
  { "bomb", 0, 0, 20000, "20000x20000 pixels are too many, at most 4194304 are read", TRUE },
};

static gchar *
write_damaged (const Damage *damage)
{
  g_autofree gchar *path = write_png ("whole.png", CAIRO_FORMAT_RGB24, grey_disc, 40, 30), *data = NULL;
  const guint32 sides = GUINT32_TO_BE (damage->sides);
  gsize length;

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  if (damage->place != 0)
    data[damage->place < 0 ? (gssize) length + damage->place : damage->place] ^= 1;
  if (damage->sides != 0) {
    memcpy (data + 16, &sides, 4);
    memcpy (data + 20, &sides, 4);
  }
  return write_file ("damaged.png", data, damage->cut > 0 ? damage->cut : length);
}

static void
test_damaged (gconstpointer data)
{
  const Damage *damage = data;
  g_autofree gchar *path = write_damaged (damage), *expected = g_strdup_printf ("region: %s: %s", path, damage->error);
  g_autofree gchar *good = write_pgm ("disc.pgm", "P5 97 61 255\n", grey_disc, WIDTH, HEIGHT, 255);
  g_autoptr (TestReference) disc = reference_with (inside_disc, WIDTH, HEIGHT);
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  GstHarness *harness;

  if (!damage->needs_frame) {
    assert_refuses_to_start ("region", path, expected);
  } else {
    harness = harness_with (path, WIDTH, HEIGHT);
    g_assert_cmpint (gst_harness_push (harness, test_frame (&info, 1)), ==, GST_FLOW_ERROR);
    assert_begins_with (test_message_text (test_pop_message (harness, GST_MESSAGE_ERROR)), expected);
    test_harness_free (harness);
  }
  harness = harness_with (good, WIDTH, HEIGHT);
  check_frame (harness, disc, 1);
  g_object_set (harness->element, "region", path, NULL);
  check_frame (harness, disc, 2);
  assert_begins_with (test_message_text (test_pop_message (harness, GST_MESSAGE_WARNING)), expected);
  test_harness_free (harness);
}

static guint8
grey_left_half (guint x, guint y, guint width, guint height)
{
  return 2 * x + 1 < width ? 255 : 0;
}

/* An image of more pixels than are read at once goes with frames that are large themselves. */
static void
test_large (void)
{
  g_autofree gchar *path = write_pgm ("large.pgm", "P5 2100 2000 255\n", grey_left_half, 2100, 2000, 255);
  g_autoptr (TestReference) reference = reference_with (inside_left_half, 1100, 1000);
  g_autoptr (GstHarness) harness = harness_with (path, 1100, 1000);

  check_frame (harness, reference, 1);
}

static void
test_endless (void)
{
  assert_refuses_to_start ("region", "/dev/zero", "region: /dev/zero: is too large: more than 67108864 bytes");
}

/* Without the plugin that reads polygons the error names it; images still work. */
static void
test_without_polygons (void)
{
  GstRegistry *registry = gst_registry_get ();
  GstPluginFeature *feature = gst_registry_find_feature (registry, "GstCcaRulesReader", GST_TYPE_DYNAMIC_TYPE_FACTORY);

  if (feature)
    gst_registry_remove_feature (registry, feature);
  assert_refuses_to_start ("region", "{\"region\":[" BOX "]}",
                           "region: JSON: polygons need the plugin ccazones, which is not installed");
  check_region (write_pgm ("coarse.pgm", "P5 40 30 255\n", grey_disc, 40, 30, 255), inside_coarse_disc);
  if (feature)
    gst_registry_add_feature (registry, feature);
  g_clear_object (&feature);
}

/* --- Changes ----------------------------------------------------------------------------------------- */

/* Each change is there with the next frame; the same name again reads the file again. */
static void
test_changes (void)
{
  g_autofree gchar *path = write_pgm ("changes.pgm", "P5 97 61 255\n", grey_disc, WIDTH, HEIGHT, 255), *read = NULL;
  g_autoptr (TestReference) disc = reference_with (inside_disc, WIDTH, HEIGHT),
                            all = reference_with (inside_all, WIDTH, HEIGHT),
                            coarse = reference_with (inside_coarse_disc, WIDTH, HEIGHT);
  g_autoptr (GstHarness) harness =
      test_harness ("cca foreground=threshold threshold=60", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  check_frame (harness, all, 1);
  g_object_set (harness->element, "region", path, NULL);
  g_object_get (harness->element, "region", &read, NULL);
  g_assert_cmpstr (read, ==, path);
  check_frame (harness, disc, 2);
  g_free (write_pgm ("changes.pgm", "P5 40 30 255\n", grey_disc, 40, 30, 255));
  check_frame (harness, disc, 3);
  g_object_set (harness->element, "region", path, NULL);
  check_frame (harness, coarse, 4);
  g_object_set (harness->element, "region", "", NULL);
  check_frame (harness, all, 5);
  /* A value that was set while stopped applies from the first frame on, and after a restart. */
  gst_element_set_state (harness->element, GST_STATE_READY);
  g_object_set (harness->element, "region", path, NULL);
  for (guint i = 0; i < 2; i++) {
    gst_element_set_state (harness->element, GST_STATE_PLAYING);
    gst_harness_set_src_caps (harness, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
    check_frame (harness, coarse, 6 + i);
    gst_element_set_state (harness->element, GST_STATE_READY);
  }
}

/* Outside is background in the picture, too. */
static void
test_picture (void)
{
  g_autofree gchar *path = write_pgm ("picture.pgm", "P5 97 61 255\n", grey_disc, WIDTH, HEIGHT, 255);
  g_autofree gchar *launch =
      g_strdup_printf ("ccl output=mask foreground=nonzero invert=true threshold=0 region=%s", path);
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  g_autoptr (GstBuffer) buffer = test_frame (&info, 1);
  GstVideoFrame frame;

  gst_buffer_memset (buffer, 0, 0, gst_buffer_get_size (buffer));
  buffer = test_pass (harness, buffer);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    const guint x = i % WIDTH, y = i / WIDTH;
    const guint8 *row =
        (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0) + y * (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);

    g_assert_cmpuint (row[x], ==, inside_disc (x, y, WIDTH, HEIGHT) ? 255 : 0);
  }
  gst_video_frame_unmap (&frame);
}

/* --- Sensitivity ------------------------------------------------------------------------------------- */

static const guint8 greys[] = { 0, 1, 8, 9, 32, 64, 100, 128, 200, 255 };

static guint8
grey_bands (guint x, guint y, guint width, guint height)
{
  return greys[x * G_N_ELEMENTS (greys) / width];
}

static void
test_sensitivity (void)
{
  /* The least spread is multiplied by 128 / grey, in sixteenths. */
  static const guint8 factors[] = { 255, 255, 255, 228, 64, 32, 20, 16, 10, 8 };
  g_autofree gchar *path = write_pgm ("bands.pgm", "P5 97 61 255\n", grey_bands, WIDTH, HEIGHT, 255);
  g_autofree gchar *launch =
      g_strdup_printf ("cca foreground=motion motion-model=sigma-delta motion-learning=1 sensitivity=%s", path);
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("GRAY8", WIDTH, HEIGHT, NULL));
  guint8 bytes[WIDTH * HEIGHT];
  const CcaImage image = { .data = bytes, .pitch = WIDTH, .width = WIDTH, .height = HEIGHT };
  g_autoptr (TestReference) reference = NULL;
  CcaParams params;

  cca_params_init (&params);
  params.foreground = CCA_FOREGROUND_MOTION;
  params.denoise = true;
  params.motion.learning = 1;
  reference = test_reference_new (WIDTH, HEIGHT, &params, CCA_OUTPUT_NONE);
  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = factors[i % WIDTH * G_N_ELEMENTS (greys) / WIDTH];
  g_assert_cmpint (cca_plan_set_sensitivity (reference->plan, &image), ==, CCA_OK);
  for (guint i = 0; i < 6; i++)
    check_frame (harness, reference, i);
  /* From now on all places are equal; the model is kept. */
  g_object_set (harness->element, "sensitivity", NULL, NULL);
  g_assert_cmpint (cca_plan_set_sensitivity (reference->plan, NULL), ==, CCA_OK);
  for (guint i = 0; i < 3; i++)
    check_frame (harness, reference, i + 1);
  test_assert_no_message (harness, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

/* The model of samples has no sensitivity by place: a warning, once. */
static void
test_sensitivity_of_samples (void)
{
  const GstVideoInfo info = test_video_info ("GRAY8", WIDTH, HEIGHT);
  g_autofree gchar *path = write_pgm ("bands.pgm", "P5 97 61 255\n", grey_bands, WIDTH, HEIGHT, 255);
  g_autoptr (GstHarness) harness = test_harness ("cca foreground=motion", test_caps ("GRAY8", WIDTH, HEIGHT, NULL));

  gst_buffer_unref (test_pass (harness, test_frame (&info, 0)));
  test_assert_no_message (harness, GST_MESSAGE_WARNING);
  g_object_set (harness->element, "sensitivity", path, NULL);
  for (guint i = 1; i < 3; i++)
    gst_buffer_unref (test_pass (harness, test_frame (&info, i)));
  test_assert_warning (harness, "*motion-model=samples ignores sensitivity: set motion-tolerance instead*");
  test_assert_no_message (harness, GST_MESSAGE_ERROR);
}

GST_CASES_MAIN ()
{
  ADD_TESTS ("/region", test_images, test_levels, test_polygons, test_changes, test_picture, test_sensitivity,
             test_sensitivity_of_samples, test_large, test_endless, test_without_polygons);
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++) {
    const gchar *name = wrongs[i].file ? wrongs[i].file : "value";

    add_case ("/region/wrong-at-start", name, &wrongs[i], test_wrong_at_start);
    add_case ("/region/wrong-while-playing", name, &wrongs[i], test_wrong_while_playing);
  }
  ADD_ROWS ("/region/damaged", damages, test_damaged);
}
