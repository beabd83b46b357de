/* gst-cca: ccatrack and ccazones on objects that other elements detected
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "track-test.h"

#include <gst/cca/gstccaeventmeta.h>
#ifdef HAVE_GST_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#define LINE                                                                                                           \
  "ccazones rules={\\\"lines\\\":[{\\\"name\\\":\\\"gate\\\",\\\"points\\\":[[320,0],[320,360]]}],\\\"zones\\\":[{"    \
  "\\\"name\\\":\\\"door\\\",\\\"points\\\":[[350,0],[450,0],[450,360],[350,360]]}]}"

#define CLASS_LINE(name, classes) "{\\\"name\\\":\\\"" name "\\\",\\\"points\\\":[[320,0],[320,360]]" classes "}"
#define CLASS_LINES                                                                                                    \
  "ccazones rules={\\\"lines\\\":[" CLASS_LINE ("all", "") "," CLASS_LINE (                                            \
      "vehicles", ",\\\"classes\\\":[\\\"car\\\",\\\"truck\\\"]") "," CLASS_LINE ("people", ",\\\"classes\\\":["       \
                                                                                            "\\\"person\\\"]") "]}"

/* How a test gives boxes to the elements. */
typedef enum
{
  OWN,
  ROI,
  ANALYTICS,
} Carrier;

typedef struct
{
  gint x, y, width, height;
  const gchar *type;
  gint track_id; /* 0: none */
} Box;

static void
add_region (GstBuffer *buffer, const Box *box)
{
  GstVideoRegionOfInterestMeta *roi =
      gst_buffer_add_video_region_of_interest_meta (buffer, box->type, box->x, box->y, box->width, box->height);

  if (box->track_id > 0)
    gst_video_region_of_interest_meta_add_param (
        roi, gst_structure_new ("object_id", "id", G_TYPE_INT, box->track_id, NULL));
}

#ifdef HAVE_GST_ANALYTICS
static void
add_detection (GstBuffer *buffer, const Box *box)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsTrackingMtd tracking;
  GstAnalyticsODMtd detection;

  if (!meta)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  gst_analytics_relation_meta_add_od_mtd (meta, g_quark_from_string (box->type), box->x, box->y, box->width,
                                          box->height, 0.9f, &detection);
  if (box->track_id == 0)
    return;
  gst_analytics_relation_meta_add_tracking_mtd (meta, (guint64) box->track_id - 1, 0, &tracking);
  gst_analytics_relation_meta_set_relation (meta, GST_ANALYTICS_REL_TYPE_RELATE_TO, detection.id, tracking.id);
}
#endif

static GstBuffer *
frame_with (Stream *stream, Carrier carrier, const Box *boxes, guint n)
{
  GstBuffer *buffer = bare_frame (stream);

  for (guint i = 0; i < n; i++)
    switch (carrier) {
      case OWN: add_box (stream, boxes[i].x, boxes[i].y, (guint) boxes[i].width, (guint) boxes[i].height); break;
      case ROI: add_region (buffer, &boxes[i]); break;
      case ANALYTICS:
#ifdef HAVE_GST_ANALYTICS
        add_detection (buffer, &boxes[i]);
#endif
        break;
    }
  if (carrier == OWN)
    add_analysis (stream, buffer, stream->id);
  return buffer;
}

static GstBuffer *
pass_boxes (Stream *stream, Carrier carrier, const Box *boxes, guint n)
{
  return test_pass (stream->harness, frame_with (stream, carrier, boxes, n));
}

#ifndef HAVE_GST_ANALYTICS
static void
test_no_analytics (void)
{
  g_test_skip ("built without GstAnalytics, which GStreamer has from 1.24 on");
}
#endif

/* --- The same boxes ------------------------------------------------------------------------------------ */

/* Objects that walk past each other on six paths, in both directions, at speeds of their own; some turn. */
static guint
street (guint frame, Box boxes[8])
{
  guint n = 0;

  for (gint i = 0; i < 6; i++) {
    const gint begin = 7 * i, speed = 4 + i, age = (gint) frame - begin;
    const gint way = i == 4 && age > 70 ? 140 - age : age; /* turns */
    const gint x = i % 2 == 0 ? 10 + speed * way : 600 - speed * way;

    if (age >= 0 && x > -20 && x < 640 - 5)
      boxes[n++] =
          (Box) { MAX (x, 0), 5 + 58 * i, x < 0 ? 28 + x : MIN (28, 640 - x), 46, i % 3 ? "person" : "car", 0 };
  }
  return n;
}

static void
assert_same_tracks (GstBuffer *one, GstBuffer *other)
{
  const GstCcaTrackMeta *a = gst_buffer_get_cca_track_meta (one), *b = gst_buffer_get_cca_track_meta (other);

  g_assert_nonnull (a);
  g_assert_nonnull (b);
  g_assert_cmpuint (a->n_tracks, ==, b->n_tracks);
  for (guint i = 0; i < a->n_tracks; i++) {
    g_assert_cmpuint (a->tracks[i].track_id, ==, b->tracks[i].track_id);
    g_assert_cmpint (a->tracks[i].state, ==, b->tracks[i].state);
    g_assert_cmpuint (a->tracks[i].x, ==, b->tracks[i].x);
    g_assert_cmpuint (a->tracks[i].y, ==, b->tracks[i].y);
    g_assert_cmpuint (a->tracks[i].width, ==, b->tracks[i].width);
    g_assert_cmpuint (a->tracks[i].height, ==, b->tracks[i].height);
    g_assert_cmpuint (a->tracks[i].area, ==, b->tracks[i].area);
    g_assert_cmpuint (a->tracks[i].object_type, ==, 0);
    g_assert_cmpuint (b->tracks[i].object_type, !=, 0);
  }
}

static void
test_equal (gconstpointer data)
{
  const Carrier carrier = GPOINTER_TO_INT (data);
  Stream own, foreign;
  guint64 n_crossed = 0;

  if (test_skip_without_element ("ccazones"))
    return;
  own = stream_new ("ccatrack ! " LINE);
  foreign = stream_new ("ccatrack ! " LINE);
  for (guint frame = 0; frame < 200; frame++) {
    Box boxes[8];
    const guint n = street (frame, boxes);
    g_autoptr (GstBuffer) a = pass_boxes (&own, OWN, boxes, n), b = pass_boxes (&foreign, carrier, boxes, n);

    assert_same_tracks (a, b);
    n_crossed = test_assert_same_counts (a, b);
    g_assert_cmpstr (gst_buffer_get_cca_track_meta (b)->id, ==, carrier == ROI ? "roi" : "analytics");
    g_assert_cmpstr (gst_buffer_get_cca_event_meta (b)->id, ==, carrier == ROI ? "roi" : "analytics");
  }
  /* Five walk through; the sixth crosses and, as it turns, crosses back. */
  g_assert_cmpuint (n_crossed, ==, 7);
  stream_free (&own);
  stream_free (&foreign);
}

/* --- Classes ------------------------------------------------------------------------------------------- */

static GstCcaTrack
pass_one (Stream *stream, Carrier carrier, gint x, const gchar *type)
{
  g_autoptr (GstBuffer) buffer = pass_boxes (stream, carrier, &(Box) { x, 100, 40, 80, type, 0 }, 1);
  GstCcaTrack track = { 0 };

  if (n_tracks (buffer) > 0)
    track = gst_buffer_get_cca_track_meta (buffer)->tracks[0];
  return track;
}

/* A track has the class that most frames say, and another one only after many that say so. */
static void
test_class (gconstpointer data)
{
  const Carrier carrier = GPOINTER_TO_INT (data);
  GstCcaTrack track = { 0 };
  guint64 first;
  gint x = 20;
  g_auto (Stream) stream = stream_new ("ccatrack");

  for (guint i = 0; i < 10; i++, x += 4)
    track = pass_one (&stream, carrier, x, i % 4 == 1 ? "truck" : "car");
  first = track.track_id;
  g_assert_cmpstr (g_quark_to_string (track.object_type), ==, "car");
  for (guint i = 0; i < 3; i++, x += 4)
    track = pass_one (&stream, carrier, x, "truck");
  g_assert_cmpstr (g_quark_to_string (track.object_type), ==, "car");
  for (guint i = 0; i < 20; i++, x += 4)
    track = pass_one (&stream, carrier, x, "truck");
  g_assert_cmpstr (g_quark_to_string (track.object_type), ==, "truck");
  g_assert_cmpuint (track.track_id, ==, first);
}

static void
test_message (void)
{
  g_auto (Stream) stream = stream_new ("ccatrack confirm-frames=1");
  const GstStructure *structure, *track;
  g_autoptr (GstMessage) message = NULL;

  pass_one (&stream, ROI, 100, "bicycle");
  structure = test_pop_structure (stream.harness, "cca-tracks", &message);
  track = gst_value_get_structure (gst_value_list_get_value (gst_structure_get_value (structure, "tracks"), 0));
  g_assert_cmpstr (gst_structure_get_string (track, "class"), ==, "bicycle");
}

/* A rider and the bicycle are two objects whose boxes overlap; a face is one in the box of a person. Components that
 * lay so would be parts of one object, and a rider whom the detector misses would be in the bicycle's component. */
static void
test_whole (gconstpointer data)
{
  const Carrier carrier = GPOINTER_TO_INT (data);
  g_auto (Stream) stream = stream_new ("ccatrack");

  for (gint i = 0; i < 60; i++) {
    const gint x = 40 + 6 * i, walk = 500 - 3 * i;
    const Box boxes[] = {
      { x, 100, 40, 90, "person", 0 },
      { x - 20, 140, 80, 60, "bicycle", 0 },
      { walk, 230, 40, 110, "person", 0 },
      { walk + 12, 234, 16, 20, "face", 0 },
    };
    const guint n_missed = i >= 30 && i < 34;
    g_autoptr (GstBuffer) buffer = pass_boxes (&stream, carrier, boxes + n_missed, G_N_ELEMENTS (boxes) - n_missed);

    if (n_missed > 0)
      g_assert_cmpint (need_track (buffer, 1)->state, ==, GST_CCA_TRACK_STATE_COASTING);
    if (i >= 2) {
      g_assert_cmpuint (n_tracks (buffer), ==, 4);
      for (guint id = 1 + n_missed; id <= 4; id++) {
        const GstCcaTrack *track = need_track (buffer, id);

        g_assert_cmpint (track->state, ==, GST_CCA_TRACK_STATE_CONFIRMED);
        g_assert_cmpstr (g_quark_to_string (track->object_type), ==, boxes[id - 1].type);
        g_assert_cmpuint (track->width, ==, (guint) boxes[id - 1].width);
      }
    }
  }
}

/* --- Sources ------------------------------------------------------------------------------------------- */

static void
assert_source (GstBuffer *buffer, const gchar *id, guint n)
{
  g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_CCA_TRACK_META_API_TYPE), ==, id ? 1 : 0);
  if (id) {
    g_assert_cmpstr (gst_buffer_get_cca_track_meta (buffer)->id, ==, id);
    g_assert_cmpuint (n_tracks (buffer), ==, n);
  }
  gst_buffer_unref (buffer);
}

/* Passes a component at the left and a detection at the right. */
static GstBuffer *
pass_both (Stream *stream, Carrier carrier)
{
  GstBuffer *buffer = frame_with (stream, carrier, &(Box) { 400, 100, 40, 80, "person", 0 }, 1);

  add_box (stream, 100, 100, 30, 60);
  add_analysis (stream, buffer, "cca0");
  return test_pass (stream->harness, buffer);
}

/* Components of our own come first; a stream that had some stays with them. */
static void
test_auto (void)
{
  const Box box = { 400, 100, 40, 80, "person", 0 };
  g_auto (Stream) stream = stream_new ("ccatrack confirm-frames=1");

  assert_source (pass_boxes (&stream, ROI, NULL, 0), NULL, 0);
  assert_source (pass_boxes (&stream, ROI, &box, 1), "roi", 1);
  assert_source (pass_both (&stream, ROI), "cca0", 1);
  assert_source (pass_boxes (&stream, ROI, &box, 1), NULL, 0);
  assert_source (pass_both (&stream, ROI), "cca0", 1);
#ifdef HAVE_GST_ANALYTICS
  assert_source (pass_boxes (&stream, ANALYTICS, &box, 1), NULL, 0);
#endif
}

/* Some detectors attach each object as both. */
static void
test_both (void)
{
#ifdef HAVE_GST_ANALYTICS
  const Box box = { 400, 100, 40, 80, "person", 0 };
  Stream stream = stream_new ("ccatrack confirm-frames=1");

  for (guint i = 0; i < 5; i++) {
    GstBuffer *buffer = frame_with (&stream, ROI, &box, 1);

    add_detection (buffer, &box);
    assert_source (test_pass (stream.harness, buffer), "analytics", 1);
  }
  stream_free (&stream);
#else
  test_no_analytics ();
#endif
}

static void
test_chosen (gconstpointer data)
{
  const Carrier carrier = GPOINTER_TO_INT (data);
  const gchar *nick = carrier == ROI ? "roi" : "analytics";
  g_autofree gchar *launch = g_strdup_printf ("ccatrack confirm-frames=1 detections=%s", nick);
  g_auto (Stream) stream = stream_new (launch);

  assert_source (pass_both (&stream, carrier), nick, 1);
  assert_source (pass_boxes (&stream, carrier, NULL, 0), nick, 1); /* it coasts */
  g_object_set (stream.harness->element, "id", "yard", NULL);
  assert_source (pass_both (&stream, carrier), "yard", 1);
  g_object_set (stream.harness->element, "id", NULL, NULL);
  gst_util_set_object_arg (G_OBJECT (stream.harness->element), "detections", "components");
  assert_source (pass_both (&stream, carrier), "cca0", 1);
  assert_source (pass_boxes (&stream, carrier, &(Box) { 400, 100, 40, 80, "person", 0 }, 1), NULL, 0);
}

/* Metas that our elements attach for others are not detections, with and without our own meta beside them. */
static void
test_own_metas (void)
{
  const gchar *emit;
  GstBuffer *buffer;
  Stream stream;

#ifdef HAVE_GST_ANALYTICS
  emit = "cca+roi+analytics";
#else
  emit = "cca+roi";
#endif
  for (guint own = 0; own < 2; own++) {
    const gchar *flags = own ? emit : strchr (emit, '+') + 1;
    g_autofree gchar *launch = g_strdup_printf ("cca foreground=threshold emit=%s ! ccatrack confirm-frames=1", flags);

    stream = stream_new (launch);
    buffer = test_pass_frame (stream.harness, 5);
    g_assert_cmpuint (gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), >, 2);
    if (own)
      g_assert_cmpuint (n_tracks (buffer), ==, gst_buffer_get_cca_meta (buffer)->n_stored);
    else
      g_assert_null (gst_buffer_get_cca_track_meta (buffer));
    gst_buffer_unref (buffer);
    stream_free (&stream);
  }
}

static void
test_missing_analytics (void)
{
#ifdef HAVE_GST_ANALYTICS
  g_test_skip ("built with GstAnalytics");
#else
  Stream stream = stream_new ("ccatrack detections=analytics");

  assert_source (pass_boxes (&stream, ROI, &(Box) { 400, 100, 40, 80, "person", 0 }, 1), "analytics", 0);
  test_assert_warning (stream.harness, "*detections=analytics*lacks GstAnalytics*");
  stream_free (&stream);
#endif
}

/* A detector that looks at every fourth frame: the tracks of the others are not lost. */
static void
test_interval (gconstpointer data)
{
  const Carrier carrier = GPOINTER_TO_INT (data);
  g_auto (Stream) stream = stream_new ("ccatrack detection-interval=4");

  for (gint i = 0; i < 40; i++) {
    const Box box = { 20 + 5 * i, 100, 40, 80, "person", 0 };
    GstBuffer *buffer = pass_boxes (&stream, carrier, &box, i % 4 == 0);

    if (i % 4 != 0)
      assert_source (buffer, NULL, 0);
    else if (i < 8)
      assert_source (buffer, carrier == ROI ? "roi" : "analytics", 0);
    else {
      g_assert_cmpuint (need_track (buffer, 1)->x, ==, (guint) box.x);
      gst_buffer_unref (buffer);
    }
  }
  /* The detector finds nothing any more: the fourth frame without boxes shows it, and the track coasts. */
  for (guint i = 0; i < 8; i++)
    if (i % 4 == 0)
      assert_source (pass_boxes (&stream, carrier, NULL, 0), carrier == ROI ? "roi" : "analytics", 1);
    else
      assert_source (pass_boxes (&stream, carrier, NULL, 0), NULL, 0);
}

/* Parts of boxes outside the frame do not count. */
static void
test_outside (gconstpointer data)
{
  const Carrier carrier = GPOINTER_TO_INT (data);
  const Box boxes[] = {
    { WIDTH - 20, 100, 40, 80, "person", 0 },
    { WIDTH, 100, 40, 80, "person", 0 },
    { 100, 100, 0, 80, "person", 0 },
    { -10, HEIGHT - 5, 40, 80, "person", 0 },
  };
  const guint n = carrier == ROI ? 3 : 4; /* regions have no negative places */
  const GstCcaTrack *tracks;
  g_autoptr (GstBuffer) buffer = NULL;
  Stream stream;

  stream = stream_new ("ccatrack confirm-frames=1");
  buffer = pass_boxes (&stream, carrier, boxes, n);
  tracks = gst_buffer_get_cca_track_meta (buffer)->tracks;
  g_assert_cmpuint (n_tracks (buffer), ==, n - 2);
  g_assert_cmpuint (tracks[0].x, ==, WIDTH - 20);
  g_assert_cmpuint (tracks[0].width, ==, 20);
  if (carrier == ANALYTICS) {
    g_assert_cmpuint (tracks[1].x, ==, 0);
    g_assert_cmpuint (tracks[1].width, ==, 30);
    g_assert_cmpuint (tracks[1].height, ==, 5);
  }
  stream_free (&stream);
}

/* Rules may be for objects of some classes. */
static void
test_rules (void)
{
  Stream stream;
  guint n = 0;

  if (test_skip_without_element ("ccazones"))
    return;
  stream = stream_new ("ccatrack ! " CLASS_LINES);
  for (gint i = 0; i < 40; i++) {
    const Box boxes[] = { { 600 - 15 * i, 200, 40, 80, "car", 0 },
                          { 20 + 15 * i, 100, 40, 80, "person", 0 },
                          { 600 - 15 * i, 10, 40, 80, "truck", 0 } };
    g_autoptr (GstBuffer) buffer = pass_boxes (&stream, ROI, boxes, G_N_ELEMENTS (boxes));
    const GstCcaEventMeta *meta = gst_buffer_get_cca_event_meta (buffer);

    for (guint k = 0; i == 39 && k < meta->n_rules; k++, n++) {
      const GstCcaRule *rule = &meta->rules[k];

      g_assert_cmpuint (rule->n_in + rule->n_out, ==, rule->name[0] == 'a' ? 3 : rule->name[0] == 'v' ? 2 : 1);
    }
  }
  g_assert_cmpuint (n, ==, 3);
  stream_free (&stream);
}

/* --- Objects that are tracked already ------------------------------------------------------------------ */

static guint64
crossed (GstBuffer *buffer)
{
  const GstCcaEventMeta *meta = gst_buffer_get_cca_event_meta (buffer);

  for (guint i = 0; meta && i < meta->n_rules; i++)
    if (meta->rules[i].type == GST_CCA_RULE_LINE)
      return meta->rules[i].n_in + meta->rules[i].n_out;
  return 0;
}

/* ccazones reads the ids of another tracker, and others behind it see the tracks, too. */
static void
test_tracked (gconstpointer data)
{
  const Carrier carrier = GPOINTER_TO_INT (data);
  GstBuffer *buffer;
  Stream stream;

  if (test_skip_without_element ("ccazones"))
    return;
  stream = stream_new (LINE);
  assert_source (pass_boxes (&stream, carrier, NULL, 0), NULL, 0);
  for (gint i = 0; i < 40; i++) {
    const Box boxes[] = { { 600 - 15 * i, 200, 40, 80, "car", 7000 },
                          { 20 + 15 * i, 100, 40, 80, "person", 31 },
                          { 10, 10, 20, 20, "dog", 0 } };

    buffer = pass_boxes (&stream, carrier, boxes, G_N_ELEMENTS (boxes));
    g_assert_cmpuint (n_tracks (buffer), ==, 2);
    g_assert_cmpstr (g_quark_to_string (need_track (buffer, 31)->object_type), ==, "person");
    g_assert_cmpstr (g_quark_to_string (need_track (buffer, 7000)->object_type), ==, "car");
    g_assert_cmpuint (need_track (buffer, 31)->x, ==, (guint) boxes[1].x);
    if (i == 39)
      g_assert_cmpuint (crossed (buffer), ==, 2);
    gst_buffer_unref (buffer);
  }
  assert_source (pass_boxes (&stream, carrier, NULL, 0), carrier == ROI ? "roi" : "analytics", 0);
  stream_free (&stream);
}

static void
test_untracked (gconstpointer data)
{
  const Carrier carrier = GPOINTER_TO_INT (data);
  Stream stream;

  if (test_skip_without_element ("ccazones"))
    return;
  stream = stream_new (LINE);
  assert_source (pass_boxes (&stream, carrier, &(Box) { 20, 100, 40, 80, "person", 0 }, 1), NULL, 0);
  test_assert_warning (stream.harness, "*carry detections, but no tracks: put ccatrack before ccazones*");
  stream_free (&stream);
}

GST_CASES_MAIN ()
{
  static const struct
  {
    const gchar *name;
    GTestDataFunc function;
  } of_carriers[] = {
    { "equal", test_equal },     { "class", test_class },         { "whole", test_whole },
    { "chosen", test_chosen },   { "interval", test_interval },   { "outside", test_outside },
    { "tracked", test_tracked }, { "untracked", test_untracked },
  };

  for (guint i = 0; i < G_N_ELEMENTS (of_carriers); i++) {
    g_autofree gchar *group = g_strconcat ("/detections/", of_carriers[i].name, NULL);

    add_case (group, "roi", GINT_TO_POINTER (ROI), of_carriers[i].function);
#ifdef HAVE_GST_ANALYTICS
    add_case (group, "analytics", GINT_TO_POINTER (ANALYTICS), of_carriers[i].function);
#endif
  }
#ifndef HAVE_GST_ANALYTICS
  ADD_TESTS ("/detections", test_no_analytics);
#endif
  ADD_TESTS ("/detections", test_message, test_rules, test_auto, test_both, test_own_metas, test_missing_analytics);
}
