/* gst-cca: the objects of a frame as ONVIF's scene description
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaonvifdocument.h"

#include <math.h>

#include "gst/common/gstccaclass.h"

/* --- Objects ----------------------------------------------------------------------------------------- */

/* Writes an element with the attributes x and y. */
static void
write_vector (GstCcaOnvifXml *xml, const gchar *name, gdouble x, gdouble y)
{
  gst_cca_onvif_xml_open (xml, name);
  gst_cca_onvif_xml_number (xml, "x", x);
  gst_cca_onvif_xml_number (xml, "y", y);
  gst_cca_onvif_xml_close (xml);
}

/* Leads from pixels, upwards from the lower left corner, to -1…1 across the frame. */
static void
write_transformation (GstCcaOnvifXml *xml, guint width, guint height)
{
  gst_cca_onvif_xml_open (xml, "tt:Transformation");
  write_vector (xml, "tt:Translate", -1.0, -1.0);
  write_vector (xml, "tt:Scale", 2.0 / MAX (width, 1), 2.0 / MAX (height, 1));
  gst_cca_onvif_xml_close (xml);
}

/* What detectors call objects, as most of those trained on COCO do, and the classes of ONVIF's schema: tt:ClassType,
 * which it deprecates and spells so, and tt:ObjectType, which clients of Profile M read. */
typedef struct
{
  const gchar *name, *class_type, *object_type; /* object_type: NULL: there is none */
} Class;

static const Class classes[] = {
  { "person", "Human", "Human" },
  { "pedestrian", "Human", "Human" },
  { "human", "Human", "Human" },
  { "rider", "Human", "Human" },
  { "car", "Vehical", "Vehicle" },
  { "truck", "Vehical", "Vehicle" },
  { "bus", "Vehical", "Vehicle" },
  { "van", "Vehical", "Vehicle" },
  { "train", "Vehical", "Vehicle" },
  { "vehicle", "Vehical", "Vehicle" },
  { "motorcycle", "Vehical", "Bike" },
  { "motorbike", "Vehical", "Bike" },
  { "bicycle", "Vehical", "Bicycle" },
  { "license plate", "Other", "LicensePlate" },
  { "license_plate", "Other", "LicensePlate" },
  { "face", "Face", "HumanFace" },
  { "animal", "Animal", "Animal" },
  { "cat", "Animal", "Animal" },
  { "dog", "Animal", "Animal" },
  { "bird", "Animal", "Animal" },
  { "horse", "Animal", "Animal" },
  { "sheep", "Animal", "Animal" },
  { "cow", "Animal", "Animal" },
  { "bear", "Animal", "Animal" },
};

static Class
class_of (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_ascii_strcasecmp (name, classes[i].name) == 0)
      return classes[i];
  return (Class) { name, "Other", NULL };
}

static void
write_class (GstCcaOnvifXml *xml, GQuark type)
{
  const Class class = class_of (g_quark_to_string (type));

  gst_cca_onvif_xml_open (xml, "tt:Class");
  gst_cca_onvif_xml_open (xml, "tt:ClassCandidate");
  gst_cca_onvif_xml_open (xml, "tt:Type");
  gst_cca_onvif_xml_content (xml, class.class_type);
  gst_cca_onvif_xml_close (xml);
  gst_cca_onvif_xml_open (xml, "tt:Likelihood");
  gst_cca_onvif_xml_content (xml, "1");
  gst_cca_onvif_xml_close (xml);
  gst_cca_onvif_xml_close (xml);
  if (class.object_type) {
    gst_cca_onvif_xml_open (xml, "tt:Type");
    gst_cca_onvif_xml_text (xml, "Likelihood", "1");
    gst_cca_onvif_xml_content (xml, class.object_type);
    gst_cca_onvif_xml_close (xml);
  }
  gst_cca_onvif_xml_close (xml);
}

/* Writes where an object is, and its class if that is not 0; all but the frame's height as in the metas. Centroids are
 * those of pixels with centres at integers, half a pixel from the edges that boxes refer to. */
static void
write_appearance (GstCcaOnvifXml *xml, gdouble frame_height, gdouble x, gdouble y, gdouble width, gdouble height,
                  gdouble centroid_x, gdouble centroid_y, GQuark type)
{
  gst_cca_onvif_xml_open (xml, "tt:Appearance");
  gst_cca_onvif_xml_open (xml, "tt:Shape");
  gst_cca_onvif_xml_open (xml, "tt:BoundingBox");
  gst_cca_onvif_xml_number (xml, "left", x);
  gst_cca_onvif_xml_number (xml, "top", frame_height - y);
  gst_cca_onvif_xml_number (xml, "right", x + width);
  gst_cca_onvif_xml_number (xml, "bottom", frame_height - (y + height));
  gst_cca_onvif_xml_close (xml);
  write_vector (xml, "tt:CenterOfGravity", centroid_x + 0.5, frame_height - (centroid_y + 0.5));
  gst_cca_onvif_xml_close (xml);
  if (type != 0)
    write_class (xml, type);
  gst_cca_onvif_xml_close (xml);
}

/* Whether an event says that something was removed from where the track is. */
static gboolean
is_removed (const GstCcaMetas *scene, guint64 track_id)
{
  const GstCcaEventMeta *meta;
  gpointer state = NULL;

  while ((meta = gst_cca_metas_iterate_events (scene, &state)))
    for (guint i = 0; i < meta->n_events; i++)
      if (meta->events[i].type == GST_CCA_EVENT_REMOVED && meta->events[i].track_id == track_id)
        return TRUE;
  return FALSE;
}

static const gchar *
state_name (GstCcaTrackState state)
{
  switch (state) {
    case GST_CCA_TRACK_STATE_MERGED: return "merged";
    case GST_CCA_TRACK_STATE_COASTING: return "coasting";
    default: return "confirmed";
  }
}

/* Returns where a track is on the ground, by the first rules that say so; or NULL. */
static const GstCcaGroundTrack *
find_on_ground (const GstCcaMetas *scene, guint64 track_id)
{
  const GstCcaGroundTrack *track = NULL;
  const GstCcaEventMeta *meta;
  gpointer state = NULL;

  while (!track && (meta = gst_cca_metas_iterate_events (scene, &state)))
    track = gst_cca_event_meta_find_ground_track (meta, track_id);
  return track;
}

static void
write_ground (GstCcaOnvifXml *xml, const GstCcaGroundTrack *track)
{
  gst_cca_onvif_xml_open (xml, "cca:Ground");
  gst_cca_onvif_xml_number (xml, "x", track->x);
  gst_cca_onvif_xml_number (xml, "y", track->y);
  if (track->measured & GST_CCA_MEASURE_HEADING)
    gst_cca_onvif_xml_number (xml, "heading", track->heading);
  if (track->size_class != 0)
    gst_cca_onvif_xml_text (xml, "size-class", g_quark_to_string (track->size_class));
  gst_cca_onvif_xml_close (xml);
}

/* ONVIF's speed is in metres per second, and stands behind the extension since version 20.12 of the schema; earlier
 * ones have none. A velocity in pixels and a place on the ground have elements of our own. */
static void
write_behaviour (GstCcaOnvifXml *xml, const GstCcaTrack *track, const GstCcaGroundTrack *on_ground, gboolean removed)
{
  gst_cca_onvif_xml_open (xml, "tt:Behaviour");
  if (removed) {
    gst_cca_onvif_xml_open (xml, "tt:Removed");
    gst_cca_onvif_xml_close (xml);
  }
  gst_cca_onvif_xml_open (xml, "tt:Extension");
  gst_cca_onvif_xml_open (xml, "cca:Track");
  gst_cca_onvif_xml_text (xml, "state", state_name (track->state));
  gst_cca_onvif_xml_integer (xml, "age", track->age);
  if (track->object_type != 0)
    gst_cca_onvif_xml_text (xml, "class", g_quark_to_string (track->object_type));
  gst_cca_onvif_xml_close (xml);
  /* 0 - 0 is no negative zero. */
  write_vector (xml, "cca:Velocity", track->velocity_x, 0.0 - track->velocity_y);
  if (on_ground)
    write_ground (xml, on_ground);
  gst_cca_onvif_xml_close (xml);
  if (on_ground && (on_ground->measured & GST_CCA_MEASURE_SPEED) && isfinite (on_ground->speed)) {
    gchar speed[G_ASCII_DTOSTR_BUF_SIZE];

    gst_cca_onvif_xml_open (xml, "tt:Speed");
    gst_cca_onvif_xml_content (xml, g_ascii_formatd (speed, sizeof speed, "%.9g", on_ground->speed));
    gst_cca_onvif_xml_close (xml);
  }
  gst_cca_onvif_xml_close (xml);
}

/* A shape is where an object was detected: a coasting one has none. */
static void
write_tracks (GstCcaOnvifXml *xml, const GstCcaMetas *scene)
{
  const GstCcaTrackMeta *meta = scene->tracks;

  for (guint i = 0; i < meta->n_tracks; i++) {
    const GstCcaTrack *track = &meta->tracks[i];
    const GstCcaGroundTrack *on_ground = find_on_ground (scene, track->track_id);

    gst_cca_onvif_xml_open (xml, "tt:Object");
    gst_cca_onvif_xml_integer (xml, "ObjectId", track->track_id);
    if (track->state != GST_CCA_TRACK_STATE_COASTING)
      write_appearance (xml, meta->height, track->x, track->y, track->width, track->height, track->centroid_x,
                        track->centroid_y, gst_cca_track_class (track, on_ground));
    write_behaviour (xml, track, on_ground, is_removed (scene, track->track_id));
    gst_cca_onvif_xml_close (xml);
  }
}

static void
write_components (GstCcaOnvifXml *xml, const GstCcaMeta *meta)
{
  for (guint i = 0; i < meta->n_stored; i++) {
    const GstCcaComponent *component = &meta->components[i];

    gst_cca_onvif_xml_open (xml, "tt:Object");
    write_appearance (xml, meta->height, component->x, component->y, component->width, component->height,
                      component->centroid_x, component->centroid_y, 0);
    gst_cca_onvif_xml_close (xml);
  }
}

/* --- Objects that end -------------------------------------------------------------------------------- */

void
gst_cca_onvif_objects_init (GstCcaOnvifObjects *objects)
{
  objects->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  objects->last = g_array_new (FALSE, FALSE, sizeof (guint64));
}

void
gst_cca_onvif_objects_clear (GstCcaOnvifObjects *objects)
{
  g_array_unref (objects->ids);
  g_array_unref (objects->last);
}

void
gst_cca_onvif_objects_forget (GstCcaOnvifObjects *objects)
{
  g_array_set_size (objects->ids, 0);
}

static gint
compare_ids (gconstpointer a, gconstpointer b)
{
  const guint64 id_a = *(const guint64 *) a, id_b = *(const guint64 *) b;

  return id_a < id_b ? -1 : id_a > id_b;
}

/* Lists the tracks of this document, and keeps the list of the last one. */
static void
list_tracks (GstCcaOnvifObjects *objects, const GstCcaTrackMeta *meta)
{
  GArray *now = objects->last;

  objects->last = objects->ids;
  objects->ids = now;
  g_array_set_size (now, 0);
  for (guint i = 0; i < meta->n_tracks; i++)
    g_array_append_val (now, meta->tracks[i].track_id);
  g_array_sort (now, compare_ids);
}

/* Writes which tracks of the last document are not in this one. */
static void
write_ended (GstCcaOnvifXml *xml, const GstCcaOnvifObjects *objects)
{
  const GArray *now = objects->ids;
  gboolean any = FALSE;

  for (guint i = 0, next = 0; i < objects->last->len; i++) {
    const guint64 id = g_array_index (objects->last, guint64, i);

    while (next < now->len && g_array_index (now, guint64, next) < id)
      next++;
    if (next < now->len && g_array_index (now, guint64, next) == id)
      continue;
    if (!any)
      gst_cca_onvif_xml_open (xml, "tt:ObjectTree");
    any = TRUE;
    gst_cca_onvif_xml_open (xml, "tt:Delete");
    gst_cca_onvif_xml_integer (xml, "ObjectId", id);
    gst_cca_onvif_xml_close (xml);
  }
  if (any)
    gst_cca_onvif_xml_close (xml);
}

/* --- Frames ------------------------------------------------------------------------------------------ */

void
gst_cca_onvif_write_scene (GstCcaOnvifXml *xml, GstCcaOnvifObjects *objects, const GstCcaMetas *scene, const gchar *utc)
{
  guint width, height;

  if (scene->tracks)
    list_tracks (objects, scene->tracks);
  gst_cca_metas_get_size (scene, &width, &height);
  gst_cca_onvif_xml_open (xml, "tt:VideoAnalytics");
  gst_cca_onvif_xml_open (xml, "tt:Frame");
  gst_cca_onvif_xml_text (xml, "UtcTime", utc);
  gst_cca_onvif_xml_text (xml, "Source", scene->id);
  write_transformation (xml, width, height);
  if (scene->tracks) {
    write_tracks (xml, scene);
    write_ended (xml, objects);
  } else if (scene->components)
    write_components (xml, scene->components);
  gst_cca_onvif_xml_close (xml);
  gst_cca_onvif_xml_close (xml);
}
