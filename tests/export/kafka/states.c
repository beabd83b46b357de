/* gst-cca: ccakafkasink in a pipeline that changes its state at any moment
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The brokers are librdkafka's own, in the process.
 */
#include <gst/gst.h>

#include "../../add-tests.h"

#define MOCK "options=options,test.mock.num.brokers=1"
/* No one listens there. */
#define NOBODY "bootstrap-servers=127.0.0.1:9 drain-timeout=0"
#define TIMEOUT (20 * GST_SECOND)

static GstElement *
make_pipeline (const gchar *source, const gchar *sink)
{
  g_autofree gchar *text = g_strdup_printf ("%s ! ccakafkasink name=sink key=\"\" %s", source, sink);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (text, &error);

  g_assert_no_error (error);
  return pipeline;
}

static guint64
count_of (GstElement *pipeline, const gchar *field)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstStructure) stats = NULL;
  guint64 count = 0;

  g_object_get (sink, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, field, &count));
  return count;
}

static void
finish (GstElement *pipeline)
{
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_NULL), ==, GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pipeline);
}

/* Any two states follow each other, before a buffer came and after. */
static void
test_changes (gconstpointer data)
{
  static const GstState states[] = { GST_STATE_PLAYING, GST_STATE_NULL,   GST_STATE_PAUSED,  GST_STATE_PLAYING,
                                     GST_STATE_PAUSED,  GST_STATE_READY,  GST_STATE_PLAYING, GST_STATE_READY,
                                     GST_STATE_NULL,    GST_STATE_PAUSED, GST_STATE_READY };
  GstElement *pipeline = make_pipeline ("fakesrc is-live=true do-timestamp=true format=time sizetype=fixed sizemax=100 "
                                        "filltype=pattern ! identity sleep-time=1000",
                                        data);

  for (guint i = 0; i < 4 * G_N_ELEMENTS (states); i++) {
    g_assert_cmpint (gst_element_set_state (pipeline, states[i % G_N_ELEMENTS (states)]), !=, GST_STATE_CHANGE_FAILURE);
    g_usleep (i % 4 * 5000);
  }
  finish (pipeline);
}

/* A closed client is made anew; records before and after are counted apart. */
static void
test_restart (void)
{
  GstElement *pipeline = make_pipeline ("fakesrc num-buffers=100 sizetype=fixed sizemax=100 filltype=pattern", MOCK);
  GstBus *bus = gst_element_get_bus (pipeline);

  for (guint i = 0; i < 3; i++) {
    GstMessage *message;

    g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PLAYING), !=, GST_STATE_CHANGE_FAILURE);
    message = gst_bus_timed_pop_filtered (bus, TIMEOUT, GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    g_assert_nonnull (message);
    g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
    gst_message_unref (message);
    g_assert_cmpuint (count_of (pipeline, "sent"), ==, 100);
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  gst_object_unref (bus);
  finish (pipeline);
}

CASES_MAIN_AFTER (gst_init (&argc, &argv))
{
  g_test_add_data_func ("/kafka/states/brokers", MOCK, test_changes);
  g_test_add_data_func ("/kafka/states/nobody", NOBODY, test_changes);
  g_test_add_func ("/kafka/states/restart", test_restart);
}
