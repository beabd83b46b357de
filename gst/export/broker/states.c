/* gst-cca: the states of a camera and of its zones and lines, as messages that a broker retains
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "states.h"

#include <string.h>

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

/* --- Counters ---------------------------------------------------------------------------------------- */

void
gst_cca_broker_counters_tell (const GstCcaBrokerLine *line, GstCcaBrokerTopics topics, GstCcaBrokerRetained *retained,
                              GPtrArray *messages)
{
  g_autoptr (GPtrArray) rules = gst_cca_broker_line_objects (line, "counts");

  for (guint i = 0; i < rules->len; i++) {
    g_autofree gchar *name = gst_cca_slices_string (rules->pdata[i], "name");
    g_autofree gchar *topic = gst_cca_broker_line_expand (line, topics.topic, name, topics.is_topic_char);
    g_autofree gchar *text = gst_cca_slices_join (rules->pdata[i], "points");

    if (!gst_cca_broker_retained_says (retained, topic, text))
      gst_cca_broker_retained_add (retained, topic, text, gst_cca_broker_line_with (line, rules->pdata[i], text),
                                   gst_cca_broker_line_utc (line), messages);
  }
}

/* --- Cameras ----------------------------------------------------------------------------------------- */

#define MOVING_SPEED 0.1                /* of the box's longer side, per second */
#define MOTION_HOLD (2 * NS_PER_SECOND) /* how long motion lasts after that */

typedef struct
{
  GString *names; /* the members of its messages that name it */
  gchar *objects; /* their number as the line has it, or NULL: unknown */
  gboolean moves;
  guint64 moved; /* when an object moved last, ns */
} Camera;

struct _GstCcaBrokerCameras
{
  GHashTable *cameras; /* by their topics */
  gchar *health;       /* or NULL */
};

static void
camera_free (Camera *camera)
{
  g_string_free (camera->names, TRUE);
  g_free (camera->objects);
  g_free (camera);
}

GstCcaBrokerCameras *
gst_cca_broker_cameras_new (void)
{
  GstCcaBrokerCameras *self = g_new0 (GstCcaBrokerCameras, 1);

  self->cameras = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) camera_free);
  return self;
}

void
gst_cca_broker_cameras_free (GstCcaBrokerCameras *self)
{
  g_hash_table_unref (self->cameras);
  g_free (self->health);
  g_free (self);
}

void
gst_cca_broker_cameras_forget (GstCcaBrokerCameras *self)
{
  g_hash_table_remove_all (self->cameras);
  g_clear_pointer (&self->health, g_free);
}

gboolean
gst_cca_broker_cameras_know_health (const GstCcaBrokerCameras *self)
{
  return self->health != NULL;
}

static gdouble
number (const GArray *members, const gchar *name)
{
  g_autofree gchar *text = gst_cca_slice_text (gst_cca_slices_find (members, name));

  return text ? g_ascii_strtod (text, NULL) : 0;
}

static gboolean
moves (const GArray *track)
{
  const gdouble x = number (track, "velocity-x"), y = number (track, "velocity-y");
  const gdouble width = number (track, "width"), height = number (track, "height");
  const gdouble least = MOVING_SPEED * MAX (MAX (width, height), 1);

  return x * x + y * y >= least * least;
}

static gboolean
any_moves (const GstCcaBrokerLine *line)
{
  g_autoptr (GPtrArray) tracks = gst_cca_broker_line_objects (line, "tracks");

  for (guint i = 0; i < tracks->len; i++) {
    g_autofree gchar *state = gst_cca_slices_string (tracks->pdata[i], "state");

    /* A predicted box is no evidence of motion. */
    if (g_strcmp0 (state, "coasting") != 0 && moves (tracks->pdata[i]))
      return TRUE;
  }
  return FALSE;
}

/* A line without a time, or with an earlier one, ends motion at once. */
static void
follow_motion (Camera *camera, const GstCcaBrokerLine *line)
{
  g_autofree gchar *text = gst_cca_broker_line_json (line, "timestamp");
  const guint64 now = text ? g_ascii_strtoull (text, NULL, 10) : 0;

  if (any_moves (line)) {
    camera->moves = TRUE;
    camera->moved = now;
  } else if (!text || now < camera->moved || now - camera->moved >= MOTION_HOLD) {
    camera->moves = FALSE;
  }
}

static void
add_name (GString *names, const GstCcaBrokerLine *line, const gchar *member)
{
  g_autofree gchar *text = gst_cca_broker_line_json (line, member);

  if (text)
    g_string_append_printf (names, "\"%s\":%s,", member, text);
}

static Camera *
camera_of (GstCcaBrokerCameras *self, const GstCcaBrokerLine *line, const gchar *topic)
{
  Camera *camera = g_hash_table_lookup (self->cameras, topic);

  if (!camera) {
    camera = g_new0 (Camera, 1);
    camera->names = g_string_new (NULL);
    add_name (camera->names, line, "camera");
    add_name (camera->names, line, "id");
    g_hash_table_insert (self->cameras, g_strdup (topic), camera);
  }
  return camera;
}

static void
tell (const GstCcaBrokerCameras *self, const Camera *camera, const gchar *topic, guint64 utc,
      GstCcaBrokerRetained *retained, GPtrArray *messages)
{
  g_autoptr (GString) text = g_string_new ("{");

  g_string_append (text, camera->names->str);
  if (camera->objects)
    g_string_append_printf (text, "\"objects\":%s,\"motion\":%s,", camera->objects, camera->moves ? "true" : "false");
  if (self->health)
    g_string_append_printf (text, "\"health\":\"%s\",", self->health);
  if (!camera->objects && !self->health)
    return;
  text->str[text->len - 1] = '}'; /* instead of the comma */
  if (!gst_cca_broker_retained_says (retained, topic, text->str))
    gst_cca_broker_retained_add (retained, topic, text->str, g_bytes_new (text->str, text->len), utc, messages);
}

void
gst_cca_broker_cameras_tell (GstCcaBrokerCameras *self, const GstCcaBrokerLine *line, GstCcaBrokerTopics topics,
                             GstCcaBrokerRetained *retained, GPtrArray *messages)
{
  g_autofree gchar *topic = gst_cca_broker_line_expand (line, topics.topic, NULL, topics.is_topic_char);
  Camera *camera = camera_of (self, line, topic);
  gchar *objects = gst_cca_broker_line_json (line, "n-tracks");

  if (objects) {
    g_free (camera->objects);
    camera->objects = objects;
    follow_motion (camera, line);
  }
  tell (self, camera, topic, gst_cca_broker_line_utc (line), retained, messages);
}

void
gst_cca_broker_cameras_set_health (GstCcaBrokerCameras *self, const gchar *health, GstCcaBrokerRetained *retained,
                                   GPtrArray *messages)
{
  GHashTableIter iter;
  gpointer topic, camera;

  g_free (self->health);
  self->health = g_strdup (health);
  g_hash_table_iter_init (&iter, self->cameras);
  while (g_hash_table_iter_next (&iter, &topic, &camera))
    tell (self, camera, topic, GST_CCA_BROKER_NO_TIME, retained, messages);
}
