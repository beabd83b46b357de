/* gst-cca: ccaonvif: objects, where they are, and how they end
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../../test-folder.h"
#include "onvif-test.h"

#include <libxml/parser.h>

#include <locale.h>
#include <math.h>

#define FRAME "/tt:MetadataStream/tt:VideoAnalytics/tt:Frame"
#define OBJECT FRAME "/tt:Object"
#define SHAPE "/tt:Appearance/tt:Shape"

/* A document that keeps to the schema, with a place for something wrong. */
static xmlDoc *
document_with (const gchar *time, const gchar *id, const gchar *left, const gchar *centre)
{
  g_autofree gchar *text = g_strdup_printf (
      "<tt:MetadataStream xmlns:tt=\"http://www.onvif.org/ver10/schema\"><tt:VideoAnalytics><tt:Frame%s>"
      "<tt:Object ObjectId=\"%s\"><tt:Appearance><tt:Shape><tt:BoundingBox left=\"%s\" top=\"0\" right=\"0\" "
      "bottom=\"0\"/>%s</tt:Shape></tt:Appearance>"
      "</tt:Object></tt:Frame></tt:VideoAnalytics></tt:MetadataStream>",
      time, id, left, centre);
  xmlDoc *document = xmlReadMemory (text, (int) strlen (text), NULL, NULL, XML_PARSE_NONET);

  g_assert_nonnull (document);
  return document;
}

/* The other tests would see nothing if the schemas took anything. */
static void
test_schema (void)
{
  static const struct
  {
    const gchar *time, *id, *left, *centre;
  } cases[] = {
    { " UtcTime=\"2026-11-23T09:00:00Z\"", "1", "0.5", "<tt:CenterOfGravity x=\"0\" y=\"0\"/>" },
    { "", "1", "0.5", "<tt:CenterOfGravity x=\"0\" y=\"0\"/>" },
    { " UtcTime=\"9 o'clock\"", "1", "0.5", "<tt:CenterOfGravity x=\"0\" y=\"0\"/>" },
    { " UtcTime=\"2026-11-23T09:00:00Z\"", "a", "0.5", "<tt:CenterOfGravity x=\"0\" y=\"0\"/>" },
    { " UtcTime=\"2026-11-23T09:00:00Z\"", "1", "0,5", "<tt:CenterOfGravity x=\"0\" y=\"0\"/>" },
    { " UtcTime=\"2026-11-23T09:00:00Z\"", "1", "0.5", "" },
    { " UtcTime=\"2026-11-23T09:00:00Z\"", "1", "0.5",
      "<tt:CenterOfGravity x=\"0\"/>" }, /* only the old one takes it */
  };

  if (onvif_skip_without_schema ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    xmlDoc *document = document_with (cases[i].time, cases[i].id, cases[i].left, cases[i].centre);
    g_autofree gchar *fault = onvif_find_fault (document);

    g_assert_cmpint (fault != NULL, ==, i > 0);
    xmlFreeDoc (document);
  }
}

/* --- Where objects are ------------------------------------------------------------------------------- */

/* A coordinate as a receiver of single precision computes it, in pixels. */
static gdouble
pixels_of (xmlDoc *document, const gchar *object, const gchar *what, gboolean vertical, guint size)
{
  const gchar *axis = vertical ? "y" : "x";
  const gfloat value = (gfloat) onvif_number (document, "%s" SHAPE "/%s", object, what);
  const gfloat scale = (gfloat) onvif_number (document, FRAME "/tt:Transformation/tt:Scale/@%s", axis);
  const gfloat translate = (gfloat) onvif_number (document, FRAME "/tt:Transformation/tt:Translate/@%s", axis);
  const gdouble normalized = (gdouble) scale * value + translate;

  g_assert_cmpfloat (normalized, >=, -1.0 - 1e-6);
  g_assert_cmpfloat (normalized, <=, 1.0 + 1e-6);
  /* Upwards in ONVIF, downwards in our metas. */
  return (vertical ? 1.0 - normalized : 1.0 + normalized) / 2.0 * size;
}

static void
assert_place (xmlDoc *document, const gchar *object, guint width, guint height, const GstCcaComponent *place)
{
  const gdouble epsilon = 1e-6 * MAX (width, height) + 1e-6;

  g_assert_cmpfloat_with_epsilon (pixels_of (document, object, "tt:BoundingBox/@left", FALSE, width), place->x,
                                  epsilon);
  g_assert_cmpfloat_with_epsilon (pixels_of (document, object, "tt:BoundingBox/@right", FALSE, width),
                                  place->x + place->width, epsilon);
  g_assert_cmpfloat_with_epsilon (pixels_of (document, object, "tt:BoundingBox/@top", TRUE, height), place->y, epsilon);
  g_assert_cmpfloat_with_epsilon (pixels_of (document, object, "tt:BoundingBox/@bottom", TRUE, height),
                                  place->y + place->height, epsilon);
  g_assert_cmpfloat_with_epsilon (pixels_of (document, object, "tt:CenterOfGravity/@x", FALSE, width) - 0.5,
                                  place->centroid_x, epsilon);
  g_assert_cmpfloat_with_epsilon (pixels_of (document, object, "tt:CenterOfGravity/@y", TRUE, height) - 0.5,
                                  place->centroid_y, epsilon);
  g_assert_cmpfloat (onvif_number (document, "%s" SHAPE "/tt:BoundingBox/@top", object), >,
                     onvif_number (document, "%s" SHAPE "/tt:BoundingBox/@bottom", object));
}

static GstCcaTrack
track_of (guint64 id, const GstCcaComponent *place)
{
  return (GstCcaTrack) {
    .track_id = id,
    .label = place->label,
    .x = place->x,
    .y = place->y,
    .width = place->width,
    .height = place->height,
    .area = place->area,
    .centroid_x = place->centroid_x,
    .centroid_y = place->centroid_y,
    .age = 1,
  };
}

/* Boxes in the corners, of the whole frame, and in between; as tracks and as components. */
static void
check_geometry (GstHarness *harness, guint width, guint height)
{
  const guint w = (width + 2) / 3, h = (height + 2) / 3;
  const GstCcaComponent places[] = {
    { 1, 0, 0, w, h, 1, (w - 1) / 2.0, (h - 1) / 2.0 },
    { 2, width - w, height - h, w, h, 1, width - 0.5 - w / 2.0, height - 0.5 - h / 2.0 },
    { 3, 0, 0, width, height, 1, (width - 1) / 2.0, (height - 1) / 2.0 },
    { 4, width / 2, height / 2, 1, 1, 1, width / 2, height / 2 },
    { 5, width / 3, height / 4, 1, 1, 1, width / 3 + 1.0 / 3, height / 4 + 1.0 / 7 },
  };
  GstCcaTrack tracks[G_N_ELEMENTS (places)];

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    tracks[i] = track_of (100 + i, &places[i]);
  for (guint tracked = 0; tracked < 2; tracked++) {
    GstBuffer *frame = onvif_frame (0);
    xmlDoc *document;

    gst_buffer_add_cca_meta (frame, ID, width, height, G_N_ELEMENTS (places), places, G_N_ELEMENTS (places));
    if (tracked)
      gst_buffer_add_cca_track_meta (frame, ID, width, height, tracks, G_N_ELEMENTS (tracks));
    document = onvif_pass (harness, frame);
    g_assert_cmpfloat (onvif_number (document, "count(" OBJECT ")"), ==, G_N_ELEMENTS (places));
    g_assert_cmpfloat (onvif_number (document, FRAME "/tt:Transformation/tt:Translate/@x"), ==, -1.0);
    g_assert_cmpfloat (onvif_number (document, FRAME "/tt:Transformation/tt:Translate/@y"), ==, -1.0);
    for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
      g_autofree gchar *object = g_strdup_printf (OBJECT "[%u]", i + 1);

      assert_place (document, object, width, height, &places[i]);
    }
    xmlFreeDoc (document);
  }
}

static void
test_geometry (void)
{
  static const guint sizes[][2] = { { 1, 1 },     { 3, 7 },       { 17, 1 },      { 641, 479 },
                                    { 768, 576 }, { 1919, 1079 }, { 7681, 4321 }, { 16383, 16381 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GstHarness) harness = test_harness ("ccaonvif", test_caps ("GRAY8", sizes[i][0], sizes[i][1], NULL));

    check_geometry (harness, sizes[i][0], sizes[i][1]);
  }
}

/* The text is like the standard's examples. */
static void
test_text (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("start-utc=" START_UTC);
  GstCcaTrack track = onvif_track (7, 20, 40);
  xmlDoc *document;

  track.velocity_x = 12.5;
  track.velocity_y = 3.0;
  document = onvif_pass (harness, onvif_tracks (1234567890, &track, 1));
  onvif_assert_string (document, "2026-11-23T09:00:01.234567Z", FRAME "/@UtcTime");
  onvif_assert_string (document, ID, FRAME "/@Source");
  onvif_assert_string (document, "0.00625", FRAME "/tt:Transformation/tt:Scale/@x");
  onvif_assert_string (document, "0.01", FRAME "/tt:Transformation/tt:Scale/@y");
  onvif_assert_string (document, "7", OBJECT "/@ObjectId");
  onvif_assert_string (document, "20", OBJECT SHAPE "/tt:BoundingBox/@left");
  onvif_assert_string (document, "160", OBJECT SHAPE "/tt:BoundingBox/@top");
  onvif_assert_string (document, "30", OBJECT SHAPE "/tt:BoundingBox/@right");
  onvif_assert_string (document, "140", OBJECT SHAPE "/tt:BoundingBox/@bottom");
  onvif_assert_string (document, "25", OBJECT SHAPE "/tt:CenterOfGravity/@x");
  onvif_assert_string (document, "150", OBJECT SHAPE "/tt:CenterOfGravity/@y");
  onvif_assert_string (document, "12.5", OBJECT "/tt:Behaviour/tt:Extension/cca:Velocity/@x");
  onvif_assert_string (document, "-3", OBJECT "/tt:Behaviour/tt:Extension/cca:Velocity/@y");
  onvif_assert_string (document, "10", OBJECT "/tt:Behaviour/tt:Extension/cca:Track/@age");
  g_assert_cmpfloat (onvif_number (document, "count(//tt:Event)"), ==, 0);
  xmlFreeDoc (document);
}

/* Compiles a locale whose decimal point is a comma into a folder; returns whether the process is in it. */
static gboolean
enter_comma_locale (const gchar *folder)
{
  g_autofree gchar *source = g_build_filename (folder, "source", NULL),
                   *compiled = g_build_filename (folder, "comma", NULL);
  const gchar *argv[] = { "localedef", "-c", "-i", source, compiled, NULL };

  g_assert_true (g_file_set_contents (source,
                                      "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\n"
                                      "END LC_NUMERIC\nLC_CTYPE\ncopy \"POSIX\"\nEND LC_CTYPE\n",
                                      -1, NULL));
  /* Its exit status tells of the other categories. */
  if (!g_spawn_sync (NULL, (gchar **) argv, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                     NULL, NULL, NULL))
    return FALSE;
  g_setenv ("LOCPATH", folder, TRUE);
  return setlocale (LC_NUMERIC, "comma") != NULL;
}

static void
test_locale (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autofree gchar *number = NULL;

  if (enter_comma_locale (folder)) {
    number = g_strdup_printf ("%.1f", 0.5);
    g_assert_cmpstr (number, ==, "0,5");
    test_text ();
    test_geometry ();
  } else
    g_test_skip ("localedef cannot make a locale with a decimal comma");
  setlocale (LC_NUMERIC, "C");
  g_unsetenv ("LOCPATH");
}

/* --- Objects ----------------------------------------------------------------------------------------- */

/* Objects are called by their tracks, not by their labels or places in the list. */
static void
test_identities (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  GstCcaTrack tracks[] = { onvif_track (3, 0, 0), onvif_track (900, 50, 50), onvif_track (G_MAXUINT32, 90, 60),
                           onvif_track (G_MAXUINT64, 200, 100) };
  xmlDoc *document;

  for (guint i = 0; i < 3; i++) {
    tracks[0].label = 4 - i;
    document = onvif_pass (harness, onvif_tracks (i, tracks + i, 4 - i));
    g_assert_cmpfloat (onvif_number (document, "count(" OBJECT ")"), ==, 4 - i);
    onvif_assert_string (document, "18446744073709551615", OBJECT "[%u]/@ObjectId", 4 - i);
    g_assert_cmpfloat (onvif_number (document, "count(" OBJECT "[@ObjectId = 900])"), ==, i < 2);
    xmlFreeDoc (document);
  }
}

/* Without tracks an object has no identity: its counterpart in the last frame is unknown. */
static void
test_components (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  const GstCcaComponent components[] = { { 1, 3, 4, 10, 20, 150, 7, 13 }, { 2, 40, 30, 5, 6, 12, 42, 32 } };
  GstBuffer *frame = onvif_frame (0);
  xmlDoc *document;

  gst_buffer_add_cca_meta (frame, ID, 320, 200, 5, components, 2);
  document = onvif_pass (harness, frame);
  g_assert_cmpfloat (onvif_number (document, "count(" OBJECT ")"), ==, 2);
  g_assert_cmpfloat (onvif_number (document, "count(" OBJECT "/@*)"), ==, 0);
  g_assert_cmpfloat (onvif_number (document, "count(" OBJECT SHAPE ")"), ==, 2);
  g_assert_cmpfloat (onvif_number (document, "count(//tt:Behaviour)"), ==, 0);
  xmlFreeDoc (document);

  /* Nothing found is worth a document, too; so is that nothing is tracked. */
  for (guint tracked = 0; tracked < 2; tracked++) {
    frame = onvif_frame (1);
    gst_buffer_add_cca_meta (frame, ID, 320, 200, 2 * tracked, components, 2 * tracked);
    if (tracked)
      gst_buffer_add_cca_track_meta (frame, ID, 320, 200, NULL, 0);
    document = onvif_pass (harness, frame);
    g_assert_cmpfloat (onvif_number (document, "count(" FRAME ")"), ==, 1);
    g_assert_cmpfloat (onvif_number (document, "count(" OBJECT ")"), ==, 0);
    xmlFreeDoc (document);
  }
}

/* An object that was not detected has no shape. */
static void
test_states (void)
{
  static const struct
  {
    GstCcaTrackState state;
    const gchar *name;
    guint n_shapes;
  } states[] = { { GST_CCA_TRACK_STATE_CONFIRMED, "confirmed", 1 },
                 { GST_CCA_TRACK_STATE_MERGED, "merged", 1 },
                 { GST_CCA_TRACK_STATE_COASTING, "coasting", 0 } };
  g_autoptr (GstHarness) harness = onvif_harness ("");

  for (guint i = 0; i < G_N_ELEMENTS (states); i++) {
    GstCcaTrack track = onvif_track (7, 50, 50);
    xmlDoc *document;

    track.state = states[i].state;
    document = onvif_pass (harness, onvif_tracks (i, &track, 1));
    onvif_assert_string (document, "7", OBJECT "/@ObjectId");
    onvif_assert_string (document, states[i].name, OBJECT "/tt:Behaviour/tt:Extension/cca:Track/@state");
    g_assert_cmpfloat (onvif_number (document, "count(" OBJECT SHAPE ")"), ==, states[i].n_shapes);
    xmlFreeDoc (document);
  }
}

/* Documents keep to the schema for any metas of other elements. */
static void
test_extremes (void)
{
  static const gdouble numbers[] = { 0.0, -0.0, 1e-300, -1e300, NAN, INFINITY, -INFINITY };
  g_autoptr (GstHarness) harness = onvif_harness ("");
  xmlDoc *document;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    GstCcaTrack track = onvif_track (i, 0, 0);

    track.centroid_x = track.centroid_y = track.velocity_x = track.velocity_y = numbers[i];
    document = onvif_pass (harness, onvif_tracks (i, &track, 1));
    if (isfinite (numbers[i]))
      g_assert_cmpfloat_with_epsilon (onvif_number (document, "//cca:Velocity/@x"), numbers[i],
                                      fabs (numbers[i]) * 1e-8 + 1e-9);
    xmlFreeDoc (document);
  }
  for (guint i = 0; i < 2; i++) {
    const guint size = i ? G_MAXUINT : 0;
    const GstCcaComponent component = { G_MAXUINT, size, size, size, size, G_MAXUINT64, size, size };
    GstBuffer *frame = onvif_frame (i ? GST_CLOCK_TIME_NONE : 0);

    gst_buffer_add_cca_meta (frame, "", size, size, 1, &component, 1);
    document = onvif_pass (harness, frame);
    g_assert_true (isfinite (onvif_number (document, FRAME "/tt:Transformation/tt:Scale/@x")));
    onvif_assert_string (document, "", FRAME "/@Source");
    if (i)
      onvif_assert_string (document, "8.58993459e+09", OBJECT SHAPE "/tt:BoundingBox/@right");
    xmlFreeDoc (document);
  }
}

/* A document of as many objects as an analysis stores by default. */
static void
test_many (void)
{
  enum
  {
    N = 4096
  };
  g_autoptr (GstHarness) harness = onvif_harness ("");
  g_autofree GstCcaTrack *tracks = g_new (GstCcaTrack, N);
  xmlDoc *document;

  for (guint i = 0; i < N; i++)
    tracks[i] = onvif_track (i + 1, i % 310, i / 310);
  document = onvif_pass (harness, onvif_tracks (0, tracks, N));
  g_assert_cmpfloat (onvif_number (document, "count(" OBJECT ")"), ==, N);
  xmlFreeDoc (document);
  document = onvif_pass (harness, onvif_tracks (0, tracks, N / 2));
  g_assert_cmpfloat (onvif_number (document, "count(//tt:Delete)"), ==, N / 2);
  xmlFreeDoc (document);
}

/* --- How objects end --------------------------------------------------------------------------------- */

static void
assert_deleted (xmlDoc *document, const gchar *ids)
{
  g_autoptr (GString) found = g_string_new (NULL);
  const guint n = (guint) onvif_number (document, "count(" FRAME "/tt:ObjectTree/tt:Delete)");

  for (guint i = 1; i <= n; i++) {
    g_autofree gchar *id = onvif_string (document, FRAME "/tt:ObjectTree/tt:Delete[%u]/@ObjectId", i);

    g_string_append_printf (found, "%s%s", i > 1 ? " " : "", id);
  }
  g_assert_cmpstr (found->str, ==, ids);
  g_assert_cmpfloat (onvif_number (document, "count(//tt:ObjectTree)"), ==, n > 0);
  xmlFreeDoc (document);
}

static void
test_ends (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  const GstCcaTrack tracks[] = { onvif_track (2, 0, 0), onvif_track (5, 50, 50), onvif_track (9, 90, 60) };
  GstBuffer *frame;

  assert_deleted (onvif_pass (harness, onvif_tracks (0, tracks, 3)), "");
  assert_deleted (onvif_pass (harness, onvif_tracks (1, tracks + 1, 1)), "2 9");
  /* Told once. */
  assert_deleted (onvif_pass (harness, onvif_tracks (2, tracks + 1, 1)), "");
  /* A frame that the tracker did not see tells nothing of tracks. */
  frame = onvif_frame (3);
  gst_buffer_add_cca_meta (frame, ID, 320, 200, 0, NULL, 0);
  assert_deleted (onvif_pass (harness, frame), "");
  assert_deleted (onvif_pass (harness, onvif_tracks (4, NULL, 0)), "5");
}

/* Of tracks that no document has shown, none tells the end. */
static void
test_ends_between_documents (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("interval=100000000");
  const GstCcaTrack tracks[] = { onvif_track (2, 0, 0), onvif_track (5, 50, 50), onvif_track (9, 90, 60) };

  assert_deleted (onvif_pass (harness, onvif_tracks (0, tracks, 1)), "");
  onvif_pass_gap (harness, onvif_tracks (40 * GST_MSECOND, tracks, 2));
  onvif_pass_gap (harness, onvif_tracks (80 * GST_MSECOND, tracks + 1, 1));
  assert_deleted (onvif_pass (harness, onvif_tracks (120 * GST_MSECOND, tracks + 2, 1)), "2");
}

/* After a flush the tracker begins anew, and never uses an identity again. */
static void
test_ends_with_flush (void)
{
  g_autoptr (GstHarness) harness = onvif_harness ("");
  const GstCcaTrack before = onvif_track (2, 0, 0), after = onvif_track (3, 0, 0);

  assert_deleted (onvif_pass (harness, onvif_tracks (0, &before, 1)), "");
  test_push_flush (harness);
  assert_deleted (onvif_pass (harness, onvif_tracks (0, &after, 1)), "2");
  /* A start begins anew altogether. */
  gst_element_set_state (harness->element, GST_STATE_NULL);
  gst_element_set_state (harness->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps (harness, test_caps ("GRAY8", 320, 200, NULL));
  assert_deleted (onvif_pass (harness, onvif_tracks (0, NULL, 0)), "");
}

/* ONVIF has few classes; the detector's own class is written beside them. */
static void
test_class (void)
{
  static const gchar *const types[][3] = {
    { "person", "Human", "Human" },
    { "Car", "Vehical", "Vehicle" },
    { "motorcycle", "Vehical", "Bike" },
    { "bicycle", "Vehical", "Bicycle" },
    { "dog", "Animal", "Animal" },
    { "face", "Face", "HumanFace" },
    { "license plate", "Other", "LicensePlate" },
    { "traffic light", "Other", "" },
    { NULL, "", "" },
  };
  g_autoptr (GstHarness) harness = onvif_harness ("start-utc=" START_UTC);

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    GstCcaTrack track = onvif_track (7, 20, 40);
    xmlDoc *document;

    track.object_type = g_quark_from_string (types[i][0]);
    document = onvif_pass (harness, onvif_tracks (i * GST_SECOND, &track, 1));
    onvif_assert_string (document, types[i][1], OBJECT "/tt:Appearance/tt:Class/tt:ClassCandidate/tt:Type");
    onvif_assert_string (document, types[i][0] ? "1" : "", OBJECT "//tt:Likelihood");
    onvif_assert_string (document, types[i][2], OBJECT "/tt:Appearance/tt:Class/tt:Type");
    onvif_assert_string (document, types[i][2][0] ? "1" : "", OBJECT "/tt:Appearance/tt:Class/tt:Type/@Likelihood");
    onvif_assert_string (document, types[i][0] ? types[i][0] : "",
                         OBJECT "/tt:Behaviour/tt:Extension/cca:Track/@class");
    xmlFreeDoc (document);
  }
}

/* With a calibrated ground, an object has its speed in metres and the class of its size. */
static void
test_ground (void)
{
  const GstCcaGroundTrack on_ground[] = {
    { 3, GST_CCA_MEASURE_SPEED | GST_CCA_MEASURE_HEADING, -1.5, 40, 13.75, 350.5, 6 },
    { 4, 0, 2, 50, 0, 0, 6, g_quark_from_static_string ("car") },
  };
  const GstCcaTrack tracks[] = { onvif_track (3, 10, 10), onvif_track (4, 100, 10), onvif_track (5, 200, 10) };
  g_autoptr (GstHarness) harness = onvif_harness ("");
  GstBuffer *frame = onvif_tracks (0, tracks, G_N_ELEMENTS (tracks));
  xmlDoc *document;

  g_assert_true (gst_cca_event_meta_set_ground_tracks (
      gst_buffer_add_cca_event_meta (frame, ID, 320, 200, NULL, 0, NULL, 0), on_ground, G_N_ELEMENTS (on_ground)));
  document = onvif_pass (harness, frame);
  onvif_assert_string (document, "13.75",
                       "//tt:Object[@ObjectId=3]/tt:Behaviour/tt:Extension/following-sibling::tt:Speed");
  onvif_assert_string (document, "-1.5 40 350.5",
                       "concat (//tt:Object[@ObjectId=3]//cca:Ground/@x, ' ', //tt:Object[@ObjectId=3]//cca:Ground/@y, "
                       "' ', //tt:Object[@ObjectId=3]//cca:Ground/@heading)");
  g_assert_cmpfloat (onvif_number (document, "count (//tt:Speed)"), ==, 1);
  g_assert_cmpfloat (onvif_number (document, "count (//cca:Ground)"), ==, 2);
  g_assert_cmpfloat (onvif_number (document, "count (//cca:Ground/@heading)"), ==, 1);
  g_assert_cmpfloat (onvif_number (document, "count (//tt:Class)"), ==, 1);
  onvif_assert_string (document, "Vehicle", "//tt:Object[@ObjectId=4]/tt:Appearance/tt:Class/tt:Type");
  onvif_assert_string (document, "car", "//tt:Object[@ObjectId=4]//cca:Ground/@size-class");
  g_assert_cmpfloat (onvif_number (document, "count (//@size-class)"), ==, 1);
  xmlFreeDoc (document);
}

int
main (int argc, char **argv)
{
  onvif_init (&argc, &argv);
  ADD_TESTS ("/onvif", test_schema, test_geometry, test_text, test_locale, test_identities, test_components,
             test_states, test_class, test_extremes, test_ground, test_many, test_ends, test_ends_between_documents,
             test_ends_with_flush);
  return onvif_run ();
}
