/* gst-cca: properties that a thread changes and reads while others play
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The pipelines must go on without an error; tests/tsan.sh also looks for races.
 */
#include "element-test.h"

#define ROUNDS 60u

#define SOURCE "videotestsrc pattern=ball ! video/x-raw,format=I420,width=160,height=120,framerate=30/1 ! "

typedef struct
{
  const gchar *name, *text;
} Case;

/* Besides, each element that reads metas has a case. */
static const Case cases[] = {
  { "analysis", SOURCE "cca foreground=motion n-threads=2 ! ccatrack ! fakesink" },
  { "labels", SOURCE "ccl foreground=threshold output=mask ! fakesink" },
  { "camera", SOURCE "ccacamera ! fakesink" },
  { "combiner", "ccacombiner name=c ! fakesink " SOURCE "tee name=t t. ! queue ! c.sink "
                "t. ! queue ! cca foreground=threshold ! c.meta" },
};

/* Sets a value beside the default, or the default; texts, which may name files, stay as they are. */
static void
set_other (GObject *element, GParamSpec *spec, guint round)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, spec->value_type);
  g_param_value_set_default (spec, &value);
  if (G_IS_PARAM_SPEC_STRING (spec))
    g_object_get_property (element, spec->name, &value);
  else if (round % 2 == 0)
    ;
  else if (G_IS_PARAM_SPEC_BOOLEAN (spec))
    g_value_set_boolean (&value, !g_value_get_boolean (&value));
  else if (G_IS_PARAM_SPEC_ENUM (spec)) {
    const GEnumClass *values = G_PARAM_SPEC_ENUM (spec)->enum_class;

    g_value_set_enum (&value, values->values[round / 2 % values->n_values].value);
  } else if (G_IS_PARAM_SPEC_UINT (spec))
    g_value_set_uint (&value, g_value_get_uint (&value) + 1);
  else if (G_IS_PARAM_SPEC_UINT64 (spec))
    g_value_set_uint64 (&value, g_value_get_uint64 (&value) + 1);
  g_param_value_validate (spec, &value);
  g_object_set_property (element, spec->name, &value);
}

/* Returns how many properties there were. */
static guint
disturb (GObject *element, guint round)
{
  guint n_specs, n_changed = 0;
  g_autofree GParamSpec **specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n_specs);

  for (guint i = 0; i < n_specs; i++) {
    const GParamFlags changes = G_PARAM_WRITABLE | GST_PARAM_MUTABLE_PLAYING;

    if ((specs[i]->flags & changes) == changes) {
      set_other (element, specs[i], round);
      n_changed++;
    }
    if (specs[i]->flags & G_PARAM_READABLE) {
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, specs[i]->value_type);
      g_object_get_property (element, specs[i]->name, &value);
    }
  }
  return n_changed;
}

static gboolean
is_ours (GstElement *element)
{
  const gchar *name = GST_OBJECT_NAME (gst_element_get_factory (element));

  return g_str_has_prefix (name, "cca") || g_str_has_prefix (name, "ccl");
}

/* --- Frames that each element gets --------------------------------------------------------------------- */

static GQuark n_frames_quark;

static GstPadProbeReturn
count_frame (GstPad *pad, GstPadProbeInfo *info, gpointer n_frames)
{
  g_atomic_int_inc ((gint *) n_frames);
  return GST_PAD_PROBE_OK;
}

static void
count_frames (GstElement *element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  gint *n_frames = g_new0 (gint, 1);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_frame, n_frames, NULL);
  g_object_set_qdata_full (G_OBJECT (element), n_frames_quark, n_frames, g_free);
}

static gint
frames_of (GstElement *element)
{
  return g_atomic_int_get ((gint *) g_object_get_qdata (G_OBJECT (element), n_frames_quark));
}

/* Waits until an element has had some more frames. The test's own limit of time ends a wait that is in vain. */
static void
wait_frames (GstElement *element, GstBus *bus, gint n)
{
  const gint n_wanted = frames_of (element) + n;

  while (frames_of (element) < n_wanted) {
    GstMessage *const message = gst_bus_timed_pop_filtered (bus, GST_MSECOND, GST_MESSAGE_ERROR);
    g_autoptr (GError) error = NULL;

    if (message)
      gst_message_parse_error (message, &error, NULL);
    g_assert_no_error (error);
  }
}

/* --- Cases --------------------------------------------------------------------------------------------- */

static void
test_changes (gconstpointer text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (text, &error);
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GList) ours = NULL;
  guint n_changed = 0;

  g_assert_no_error (error);
  for (GList *at = GST_BIN (pipeline)->children; at; at = at->next)
    if (is_ours (at->data)) {
      ours = g_list_prepend (ours, at->data);
      count_frames (at->data);
    } else if (g_str_equal (GST_OBJECT_NAME (gst_element_get_factory (at->data)), "fakesink"))
      g_object_set (at->data, "async", FALSE, NULL);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint round = 0; round < ROUNDS; round++) {
    for (GList *at = ours; at; at = at->next)
      n_changed += disturb (at->data, round);
    for (GList *at = ours; at; at = at->next)
      wait_frames (at->data, bus, 2);
  }
  g_assert_cmpuint (n_changed, >=, ROUNDS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static void
add_test (const gchar *name, const gchar *text)
{
  g_autofree gchar *path = g_strconcat ("/changes/", name, NULL);

  g_test_add_data_func_full (path, g_strdup (text), test_changes, g_free);
}

int
main (int argc, char **argv)
{
  g_auto (GStrv) elements = test_elements ();

  gst_init (&argc, &argv);
  n_frames_quark = g_quark_from_static_string ("n-frames");
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    add_test (cases[i].name, cases[i].text);
  for (gchar **element = elements; *element; element++)
    if (test_element_reads_metas (*element)) {
      g_autofree gchar *launch = test_element_launch (*element);
      g_autofree gchar *text =
          g_strdup_printf (SOURCE "cca foreground=threshold ! ccatrack ! queue ! %s ! fakesink", launch);

      add_test (*element, text);
    }
  return g_test_run ();
}
