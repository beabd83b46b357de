/* gst-cca: the event cca-hold, by which a tracker names boxes that an analysis must not learn
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "track-test.h"

#include <math.h>

enum
{
  YARD_WIDTH = 600,
  YARD_HEIGHT = 60, /* too low for a shift of the camera */
  SIDE = 30,
  LEARNING = 4,
  SETTLED = LEARNING + 12, /* by then the model has learned what stood still since learning */
};

#define ANALYSIS                                                                                                       \
  "cca foreground=motion motion-model=samples motion-learning=4 min-area=100 post-messages=false id=yard "

/* A frame of the yard with a square whose left side is at x; negative: without. */
static GstBuffer *
yard_frame (gint x, gint side, GstClockTime time)
{
  const GstVideoInfo info = test_video_info ("I420", YARD_WIDTH, YARD_HEIGHT);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
  GstMapInfo map;

  gst_buffer_memset (buffer, 0, 128, gst_buffer_get_size (buffer));
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gint j = 0; j < YARD_HEIGHT; j++)
    for (gint i = 0; i < YARD_WIDTH; i++)
      map.data[j * GST_VIDEO_INFO_PLANE_STRIDE (&info, 0) + i] =
          x >= 0 && i >= x && i < x + side && j >= 10 && j < 10 + side ? 210 : 90;
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = time;
  return buffer;
}

/* Passes a frame, and returns how many components it has. */
static guint
pass_yard (GstHarness *harness, gint x, gint side, GstClockTime time)
{
  g_autoptr (GstBuffer) buffer = test_pass (harness, yard_frame (x, side, time));
  const guint n = gst_buffer_get_cca_meta (buffer)->n_components;

  return n;
}

static GstEvent *
hold_event (const gchar *id, guint width, guint64 running_time, guint x, guint64 still)
{
  GstStructure *structure =
      gst_structure_new ("cca-hold", "id", G_TYPE_STRING, id, "width", G_TYPE_UINT, width, "height", G_TYPE_UINT,
                         YARD_HEIGHT, "running-time", G_TYPE_UINT64, running_time, NULL);
  GValue boxes = G_VALUE_INIT, box = G_VALUE_INIT;

  g_value_init (&box, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&box, gst_structure_new ("box", "x", G_TYPE_UINT, x, "y", G_TYPE_UINT, 10, "width", G_TYPE_UINT,
                                               SIDE, "height", G_TYPE_UINT, SIDE, "still", G_TYPE_UINT64, still, NULL));
  gst_value_array_init (&boxes, 1);
  gst_value_array_append_and_take_value (&boxes, &box);
  gst_structure_take_value (structure, "boxes", &boxes);
  return gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, structure);
}

/* --- The analysis ------------------------------------------------------------------------------------ */

typedef struct
{
  const gchar *name, *properties, *id; /* id: NULL sends no event */
  guint width, x;
  guint64 still;
  GstClockTime frame;
  gboolean once; /* the event comes behind the first frame with the square only */
  gboolean kept; /* the square is still found when it has settled */
} Case;

static const Case cases[] = {
  { "nothing", "", NULL, 0, 0, 0, FRAME, FALSE, FALSE },
  { "square", "", "yard", YARD_WIDTH, 64, 0, FRAME, FALSE, TRUE },
  { "elsewhere", "", "yard", YARD_WIDTH, 150, 0, FRAME, FALSE, FALSE },
  { "outside", "", "yard", YARD_WIDTH, YARD_WIDTH - 20, 0, FRAME, FALSE, FALSE },
  { "other-id", "", "garden", YARD_WIDTH, 64, 0, FRAME, FALSE, FALSE },
  { "other-size", "", "yard", YARD_WIDTH + 1, 64, 0, FRAME, FALSE, FALSE },
  { "still", "", "yard", YARD_WIDTH, 64, 59 * GST_SECOND, FRAME, FALSE, TRUE },
  { "too-long", "", "yard", YARD_WIDTH, 64, 60 * GST_SECOND, FRAME, FALSE, FALSE },
  { "absorb-time", "absorb-time=1000000000", "yard", YARD_WIDTH, 64, 2 * GST_SECOND, FRAME, FALSE, FALSE },
  { "none", "absorb-time=0", "yard", YARD_WIDTH, 64, 0, FRAME, FALSE, FALSE },
  { "once", "", "yard", YARD_WIDTH, 64, 0, FRAME, TRUE, TRUE },
  { "stale", "", "yard", YARD_WIDTH, 64, 0, 100 * GST_MSECOND, TRUE, FALSE },
};

static void
test_analysis (gconstpointer data)
{
  const Case *c = data;
  g_autofree gchar *launch = g_strconcat (ANALYSIS, c->properties, NULL);
  g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("I420", YARD_WIDTH, YARD_HEIGHT, NULL));
  const gboolean taken = c->id && g_str_equal (c->id, "yard");

  for (guint t = 0; t < SETTLED + 4; t++) {
    const guint n = pass_yard (harness, t < LEARNING ? -1 : 64, SIDE, t * c->frame);

    if (t >= LEARNING && t < SETTLED)
      g_assert_cmpuint (n, ==, 1);
    if (t > SETTLED)
      g_assert_cmpuint (n, ==, c->kept);
    if (c->id && t >= LEARNING && (t == LEARNING || !c->once))
      g_assert_true (
          gst_harness_push_upstream_event (harness, hold_event (c->id, c->width, t * c->frame, c->x, c->still)));
  }
  /* An event for another analysis is passed upstream. */
  for (GstEvent *event; (event = gst_harness_try_pull_upstream_event (harness)); gst_event_unref (event))
    g_assert_false (taken && GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM);
}

/* A model that does not learn by samples refuses the event, and so does an analysis without one. */
static void
test_refused (void)
{
  static const gchar *const launches[] = {
    "cca id=yard post-messages=false", "cca id=yard post-messages=false foreground=motion motion-model=sigma-delta"
  };

  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    g_autoptr (GstHarness) harness = test_harness (launches[i], test_caps ("I420", YARD_WIDTH, YARD_HEIGHT, NULL));

    pass_yard (harness, -1, SIDE, 0);
    g_assert_false (gst_harness_push_upstream_event (harness, hold_event ("yard", YARD_WIDTH, 0, 64, 0)));
  }
}

/* Returns the area below which the analysis drops components. */
static guint64
least_area (GstHarness *harness)
{
  g_autoptr (GstElement) analysis = gst_harness_find_element (harness, "cca");
  g_autoptr (GstStructure) stats = NULL;
  guint64 area;

  g_object_get (analysis, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, "min-area", &area));
  return area;
}

/* Where a typical object has less than a 200th of the frame, a 4000th is enough for a component, unless the user has
 * said what is. */
static void
test_object_size (void)
{
  static const struct
  {
    const gchar *properties;
    gdouble area; /* of the object, pixels; negative: the event does not tell */
    guint n;
  } sizes[] = {
    { "", -1, 0 },
    { "", 0, 0 },
    { "", YARD_WIDTH * YARD_HEIGHT / 200.0 - 1, 1 },
    { "", YARD_WIDTH * YARD_HEIGHT / 200.0, 0 },
    { "", NAN, 0 },
    { "min-area=36", YARD_WIDTH * YARD_HEIGHT / 200.0 - 1, 0 },
    { "preset=traffic", 0, 1 },
    { "preset=traffic", YARD_WIDTH * YARD_HEIGHT / 200.0, 0 },
  };
  const gint side = 3; /* the mask adds a pixel on every side: 21 of 36,000 pixels */

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree gchar *launch =
        g_strconcat ("cca foreground=motion motion-learning=4 denoise=false post-messages=false id=yard ",
                     sizes[i].properties, NULL);
    g_autoptr (GstHarness) harness = test_harness (launch, test_caps ("I420", YARD_WIDTH, YARD_HEIGHT, NULL));
    GstEvent *event = hold_event ("yard", YARD_WIDTH, 0, 64, 0);

    for (guint t = 0; t < LEARNING; t++)
      g_assert_cmpuint (pass_yard (harness, -1, side, t * FRAME), ==, 0);
    if (sizes[i].area >= 0 || isnan (sizes[i].area))
      gst_structure_set (gst_event_writable_structure (event), "object-area", G_TYPE_DOUBLE, sizes[i].area, NULL);
    g_assert_true (gst_harness_push_upstream_event (harness, event));
    g_assert_cmpuint (pass_yard (harness, 64, side, LEARNING * FRAME), ==, sizes[i].n);
    g_assert_cmpuint (least_area (harness), ==, YARD_WIDTH * YARD_HEIGHT / (sizes[i].n ? 4000 : 1000));
    /* What is far may come near. */
    g_assert_true (gst_harness_push_upstream_event (harness, hold_event ("yard", YARD_WIDTH, 0, 64, 0)));
    g_assert_cmpuint (pass_yard (harness, 64, side, (LEARNING + 1) * FRAME), ==,
                      g_str_equal (sizes[i].properties, "preset=traffic"));
  }
}

/* --- The tracker ------------------------------------------------------------------------------------- */

/* Returns the boxes of the only event of the kind since the last call, which the caller frees with the event, or NULL
 * without an event. */
static const GValue *
pull_boxes (GstHarness *harness, GstEvent **event)
{
  const GstStructure *structure;

  while ((*event = gst_harness_try_pull_upstream_event (harness))) {
    structure = gst_event_get_structure (*event);
    if (structure && gst_structure_has_name (structure, "cca-hold"))
      break;
    gst_event_unref (*event);
  }
  if (!*event)
    return NULL;
  g_assert_cmpstr (gst_structure_get_string (structure, "id"), ==, "cca0");
  g_assert_cmpuint (test_get_uint (structure, "width"), ==, WIDTH);
  g_assert_cmpuint (test_get_uint (structure, "height"), ==, HEIGHT);
  return gst_structure_get_value (structure, "boxes");
}

/* An object that came in is held wherever it is, one that was always there is not. One event with no boxes ends it. */
static void
test_tracker (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack max-age-time=0");
  guint n_events = 0;

  for (guint t = 0; t < 60; t++) {
    const gint x = t < 20 ? 100 + 5 * (gint) t : 200;
    const GValue *boxes;
    g_autoptr (GstEvent) event = NULL;

    add_box (&stream, 500, 100, 30, 60);
    if (t < 50)
      add_box (&stream, x, 100, 30, 60);
    pass_and_drop (&stream);
    boxes = pull_boxes (stream.harness, &event);
    if (!boxes) {
      g_assert_true (t < 10 || t > 50);
      continue;
    }
    n_events++;
    if (t == 50) {
      g_assert_cmpuint (gst_value_array_get_size (boxes), ==, 0);
    } else {
      const GstStructure *box = gst_value_get_structure (gst_value_array_get_value (boxes, 0));
      guint64 still;

      g_assert_cmpuint (t, <, 50);
      g_assert_cmpuint (gst_value_array_get_size (boxes), ==, 1);
      g_assert_cmpuint (test_get_uint (box, "x"), ==, x);
      g_assert_cmpuint (test_get_uint (box, "y"), ==, 100);
      g_assert_cmpuint (test_get_uint (box, "width"), ==, 30);
      g_assert_cmpuint (test_get_uint (box, "height"), ==, 60);
      g_assert_true (gst_structure_get_uint64 (box, "still", &still));
      g_assert_cmpuint (still, <, 10 * FRAME + (t < 20 ? 0 : (t - 19) * FRAME));
      if (t >= 20)
        g_assert_cmpuint (still, >=, (t - 20) * FRAME);
    }
  }
  g_assert_cmpuint (n_events, >, 35);
}

/* The tracker says how large a typical object is once three have moved. */
static void
test_tracker_size (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack");

  for (guint t = 0; t < 40; t++) {
    g_autoptr (GstEvent) event = NULL;
    gdouble area;

    for (guint i = 0; i < 3; i++)
      add_box (&stream, 50 + 5 * (gint) (i < 2 ? t : MAX (t, 20)), 10 + 80 * (gint) i, 30, 60);
    pass_and_drop (&stream);
    if (!pull_boxes (stream.harness, &event)) {
      g_assert_cmpuint (t, <, 10);
      continue;
    }
    g_assert_true (gst_structure_get_double (gst_event_get_structure (event), "object-area", &area));
    if (t < 20)
      g_assert_cmpfloat (area, ==, 0);
    if (t > 30)
      g_assert_cmpfloat_with_epsilon (area, 30 * 60, 1e-6);
  }
}

/* --- Both -------------------------------------------------------------------------------------------- */

/* A square that comes and stands is found after the time at which it was learned otherwise, in one thread and through
 * an element that has another analysis. */
static void
test_both (void)
{
  static const struct
  {
    const gchar *launch;
    guint kept;
  } pipelines[] = {
    { ANALYSIS "! ccatrack", 1 },
    { ANALYSIS "! cca id=other foreground=threshold post-messages=false ! ccatrack id=yard", 1 },
    { ANALYSIS "absorb-time=0 ! ccatrack", 0 },
    { ANALYSIS "! identity", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    g_autoptr (GstHarness) harness =
        test_harness (pipelines[i].launch, test_caps ("I420", YARD_WIDTH, YARD_HEIGHT, NULL));

    for (guint t = 0; t < SETTLED + 10; t++) {
      g_autoptr (GstBuffer) buffer = test_pass (
          harness, yard_frame (t < LEARNING ? -1 : MIN (40 + 10 * ((gint) t - LEARNING), 60), SIDE, t * FRAME));
      const GstCcaMeta *meta = gst_buffer_get_cca_meta_by_id (buffer, "yard");

      if (t >= LEARNING && t < SETTLED)
        g_assert_cmpuint (meta->n_components, ==, 1);
      if (t > SETTLED)
        g_assert_cmpuint (meta->n_components, ==, pipelines[i].kept);
    }
  }
}

GST_CASES_MAIN ()
{
  ADD_ROWS ("/hold/analysis", cases, test_analysis);
  ADD_TESTS ("/hold", test_refused, test_object_size, test_tracker, test_tracker_size, test_both);
}
