/* gst-cca: the events of a frame as ONVIF's event stream
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstccaonvifdocument.h"

#include "gstccatimes.h"

#define TOPIC_DIALECT "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete"
#define INSIDE "tns1:RuleEngine/FieldDetector/ObjectsInside"
#define LOITERING "tns1:RuleEngine/LoiteringDetector/ObjectIsLoitering"
#define CROSSED "tns1:RuleEngine/LineDetector/Crossed"
#define ABANDONED "tns1:RuleEngine/ObjectAbandoned"
#define REMOVED "tns1:RuleEngine/ObjectRemoved"
#define MOTION "tns1:RuleEngine/MotionRegionDetector/Motion"
#define COUNTER "tns1:RuleEngine/CountAggregation/Counter"
#define OCCUPANCY "tns1:RuleEngine/CountAggregation/OccupancyCounter"
/* The standard has no topics for these. */
#define WRONG_WAY "tns1:RuleEngine/cca:WrongWay"
#define STOPPED "tns1:RuleEngine/cca:ObjectStopped"
#define SECTION "tns1:RuleEngine/cca:SectionPassed"
#define CROWD "tns1:RuleEngine/cca:Crowd"
#define SCENE_CHANGE "tns1:VideoSource/GlobalSceneChange/AnalyticsService"
/* The imaging service reports faults of the camera itself. The standard has no topic for a frozen picture. */
#define TAMPERED "tns1:VideoSource/GlobalSceneChange/ImagingService"
#define BLURRY "tns1:VideoSource/ImageTooBlurry/ImagingService"
#define BRIGHT "tns1:VideoSource/ImageTooBright/ImagingService"
#define DARK "tns1:VideoSource/ImageTooDark/ImagingService"
#define SIGNAL_LOSS "tns1:VideoSource/SignalLoss"
#define FROZEN "tns1:VideoSource/cca:PictureFrozen"

/* The operations on a property. NULL stands for an event that is none. */
#define INITIALIZED "Initialized"
#define CHANGED "Changed"
#define DELETED "Deleted"

/* Values that all notifications of a frame share. */
typedef struct
{
  GstCcaOnvifXml *xml;
  const gchar *camera, *analysis;
  GstClockTime utc;
  const gchar *utc_text;
} Writer;

/* --- Notifications ----------------------------------------------------------------------------------- */

static void
write_item (const Writer *writer, const gchar *name, const gchar *value)
{
  gst_cca_onvif_xml_open (writer->xml, "tt:SimpleItem");
  gst_cca_onvif_xml_text (writer->xml, "Name", name);
  gst_cca_onvif_xml_text (writer->xml, "Value", value);
  gst_cca_onvif_xml_close (writer->xml);
}

static void
write_integer (const Writer *writer, const gchar *name, guint64 value)
{
  g_autofree gchar *text = g_strdup_printf ("%" G_GUINT64_FORMAT, value);

  write_item (writer, name, text);
}

static void
write_bool (const Writer *writer, const gchar *name, gboolean value)
{
  write_item (writer, name, value ? "true" : "false");
}

/* The standard's type of counts has 32 bits. */
static void
write_count (const Writer *writer, guint64 value)
{
  write_integer (writer, "Count", MIN (value, G_MAXINT32));
}

static void
write_object (const Writer *writer, guint64 track_id)
{
  if (track_id > 0)
    write_integer (writer, "ObjectId", track_id);
}

/* The standard has speeds in metres per second. */
static void
write_speed (const Writer *writer, const GstCcaEvent *event)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  if (event->measured & GST_CCA_MEASURE_SPEED)
    write_item (writer, "cca:Speed", g_ascii_formatd (text, sizeof text, "%.9g", event->speed));
}

/* Begins a notification, up to its source. */
static void
open_notification (const Writer *writer, const gchar *topic, const gchar *operation)
{
  gst_cca_onvif_xml_open (writer->xml, "wsnt:NotificationMessage");
  gst_cca_onvif_xml_open (writer->xml, "wsnt:Topic");
  gst_cca_onvif_xml_text (writer->xml, "Dialect", TOPIC_DIALECT);
  gst_cca_onvif_xml_content (writer->xml, topic);
  gst_cca_onvif_xml_close (writer->xml);
  gst_cca_onvif_xml_open (writer->xml, "wsnt:Message");
  gst_cca_onvif_xml_open (writer->xml, "tt:Message");
  gst_cca_onvif_xml_text (writer->xml, "UtcTime", writer->utc_text);
  if (operation)
    gst_cca_onvif_xml_text (writer->xml, "PropertyOperation", operation);
  gst_cca_onvif_xml_open (writer->xml, "tt:Source");
}

/* Ends the source; items that follow are data. */
static void
open_data (const Writer *writer)
{
  gst_cca_onvif_xml_close (writer->xml);
  gst_cca_onvif_xml_open (writer->xml, "tt:Data");
}

static void
close_notification (const Writer *writer)
{
  for (guint i = 0; i < 4; i++)
    gst_cca_onvif_xml_close (writer->xml);
}

static void
open_rule (const Writer *writer, const gchar *topic, const gchar *operation, const gchar *rule)
{
  open_notification (writer, topic, operation);
  write_item (writer, "VideoSourceConfigurationToken", writer->camera);
  write_item (writer, "VideoAnalyticsConfigurationToken", writer->analysis);
  write_item (writer, "Rule", rule);
  open_data (writer);
}

/* --- Properties -------------------------------------------------------------------------------------- */

/* track_id: whose coming or going changed it; 0 if none's. */
static void
write_zone (const Writer *writer, const gchar *operation, const gchar *rule, guint occupancy, guint64 track_id)
{
  open_rule (writer, INSIDE, operation, rule);
  write_bool (writer, "IsInside", occupancy > 0);
  write_object (writer, track_id);
  close_notification (writer);
  open_rule (writer, OCCUPANCY, operation, rule);
  write_count (writer, occupancy);
  close_notification (writer);
}

static void
write_line (const Writer *writer, const gchar *operation, const gchar *rule, guint64 n_in, guint64 n_out)
{
  open_rule (writer, COUNTER, operation, rule);
  write_count (writer, n_out > G_MAXUINT64 - n_in ? G_MAXUINT64 : n_in + n_out);
  write_integer (writer, "cca:Forward", n_in);
  write_integer (writer, "cca:Backward", n_out);
  close_notification (writer);
}

static void
write_initial (const Writer *writer, const GstCcaRule *rule)
{
  if (rule->type == GST_CCA_RULE_ZONE)
    write_zone (writer, INITIALIZED, rule->name, rule->occupancy, 0);
  else
    write_line (writer, INITIALIZED, rule->name, rule->n_in, rule->n_out);
}

static void
write_deleted (const Writer *writer, const gchar *rule, GstCcaRuleType type)
{
  static const gchar *const of_zones[] = { INSIDE, OCCUPANCY, NULL }, *const of_lines[] = { COUNTER, NULL };
  const gchar *const *topics = type == GST_CCA_RULE_ZONE ? of_zones : of_lines;

  for (; *topics; topics++) {
    open_rule (writer, *topics, DELETED, rule);
    close_notification (writer);
  }
}

static void
write_scene_change (const Writer *writer, gboolean changed)
{
  open_notification (writer, SCENE_CHANGE, NULL);
  write_item (writer, "VideoSource", writer->camera);
  write_item (writer, "RuleName", writer->analysis);
  open_data (writer);
  write_bool (writer, "State", changed);
  close_notification (writer);
}

/* --- The camera -------------------------------------------------------------------------------------- */

static gboolean
is_trouble_of (const gchar *health, const gchar *const *troubles)
{
  return health && g_strv_contains (troubles, health);
}

static void
write_camera_property (const Writer *writer, const gchar *topic, const gchar *operation, gboolean is_set,
                       const gchar *health)
{
  open_notification (writer, topic, operation);
  write_item (writer, "Source", writer->camera);
  open_data (writer);
  write_bool (writer, "State", is_set);
  write_item (writer, "cca:State", health);
  close_notification (writer);
}

/* Tells the properties that another state of the camera changes or, if clients know none, all. */
static void
write_camera (const Writer *writer, const gchar *known, const gchar *health)
{
  static const struct
  {
    const gchar *topic, *troubles[3];
  } properties[] = {
    { TAMPERED, { "covered", "moved" } }, { BLURRY, { "defocused" } }, { BRIGHT, { "blinded" } }, { DARK, { "dark" } },
    { SIGNAL_LOSS, { "lost" } },          { FROZEN, { "frozen" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++) {
    const gboolean is_set = is_trouble_of (health, properties[i].troubles);

    if (!known || is_set || is_trouble_of (known, properties[i].troubles))
      write_camera_property (writer, properties[i].topic, known ? CHANGED : INITIALIZED, is_set, health);
  }
}

/* --- Events ------------------------------------------------------------------------------------------ */

static void
write_crossing (const Writer *writer, const GstCcaEvent *event)
{
  open_rule (writer, CROSSED, NULL, event->rule);
  write_object (writer, event->track_id);
  /* As the standard calls the sides to which objects go. */
  if (event->direction != GST_CCA_DIRECTION_NONE)
    write_item (writer, "cca:Direction", event->direction == GST_CCA_DIRECTION_FORWARD ? "Right" : "Left");
  write_speed (writer, event);
  close_notification (writer);
  write_line (writer, CHANGED, event->rule, event->n_in, event->n_out);
}

static void
write_loitering (const Writer *writer, const GstCcaEvent *event)
{
  open_rule (writer, LOITERING, CHANGED, event->rule);
  write_object (writer, event->track_id);
  if (event->dwell <= writer->utc) {
    g_autofree gchar *since = gst_cca_utc_to_string (writer->utc - event->dwell);

    write_item (writer, "Since", since);
  }
  close_notification (writer);
}

static void
write_object_event (const Writer *writer, const gchar *topic, const GstCcaEvent *event)
{
  open_rule (writer, topic, NULL, event->rule);
  write_object (writer, event->track_id);
  close_notification (writer);
}

static void
write_object_speed (const Writer *writer, const gchar *topic, const GstCcaEvent *event)
{
  open_rule (writer, topic, NULL, event->rule);
  write_object (writer, event->track_id);
  write_speed (writer, event);
  close_notification (writer);
}

static void
write_crowd (const Writer *writer, const GstCcaEvent *event)
{
  open_rule (writer, CROWD, CHANGED, event->rule);
  write_bool (writer, "State", event->type == GST_CCA_EVENT_CROWD_ON);
  write_count (writer, event->occupancy);
  close_notification (writer);
}

static void
write_motion (const Writer *writer, const GstCcaEvent *event)
{
  open_rule (writer, MOTION, CHANGED, event->rule);
  write_bool (writer, "State", event->type == GST_CCA_EVENT_MOTION_ON);
  close_notification (writer);
}

static void
write_event (const Writer *writer, const GstCcaEvent *event)
{
  switch (event->type) {
    case GST_CCA_EVENT_ENTER:
    case GST_CCA_EVENT_LEAVE: write_zone (writer, CHANGED, event->rule, event->occupancy, event->track_id); break;
    case GST_CCA_EVENT_DWELL: write_loitering (writer, event); break;
    case GST_CCA_EVENT_CROSS: write_crossing (writer, event); break;
    case GST_CCA_EVENT_LEFT: write_object_event (writer, ABANDONED, event); break;
    case GST_CCA_EVENT_REMOVED: write_object_event (writer, REMOVED, event); break;
    case GST_CCA_EVENT_MOTION_ON:
    case GST_CCA_EVENT_MOTION_OFF: write_motion (writer, event); break;
    case GST_CCA_EVENT_WRONG_WAY: write_object_speed (writer, WRONG_WAY, event); break;
    case GST_CCA_EVENT_STOPPED: write_object_speed (writer, STOPPED, event); break;
    case GST_CCA_EVENT_SECTION: write_object_speed (writer, SECTION, event); break;
    case GST_CCA_EVENT_CROWD_ON:
    case GST_CCA_EVENT_CROWD_OFF: write_crowd (writer, event); break;
  }
}

/* --- States ------------------------------------------------------------------------------------------ */

typedef struct
{
  gchar *name;
  GstCcaRuleType type;
} Rule;

static void
clear_rule (gpointer rule)
{
  g_free (((Rule *) rule)->name);
}

void
gst_cca_onvif_states_init (GstCcaOnvifStates *states)
{
  states->rules = g_array_new (FALSE, FALSE, sizeof (Rule));
  g_array_set_clear_func (states->rules, clear_rule);
  states->scene_changed = FALSE;
  states->camera = NULL;
}

void
gst_cca_onvif_states_clear (GstCcaOnvifStates *states)
{
  g_array_unref (states->rules);
}

void
gst_cca_onvif_states_forget (GstCcaOnvifStates *states)
{
  g_array_set_size (states->rules, 0);
  states->camera = NULL;
}

static gboolean
is_same_rule (const Rule *a, const GstCcaRule *b)
{
  return a->type == b->type && g_str_equal (a->name, b->name);
}

static gboolean
is_told (const GstCcaOnvifStates *states, const GstCcaRule *rule)
{
  for (guint i = 0; i < states->rules->len; i++)
    if (is_same_rule (&g_array_index (states->rules, Rule, i), rule))
      return TRUE;
  return FALSE;
}

static gboolean
is_in_scene (const GstCcaMetas *scene, const Rule *rule)
{
  const GstCcaEventMeta *meta;
  gpointer state = NULL;

  while ((meta = gst_cca_metas_iterate_events (scene, &state)))
    for (guint i = 0; i < meta->n_rules; i++)
      if (is_same_rule (rule, &meta->rules[i]))
        return TRUE;
  return FALSE;
}

/* Whether clients know exactly these rules, in this order. */
static gboolean
are_rules_told (const GstCcaOnvifStates *states, const GstCcaMetas *scene)
{
  const GstCcaEventMeta *meta;
  gpointer state = NULL;
  guint n = 0;

  while ((meta = gst_cca_metas_iterate_events (scene, &state)))
    for (guint i = 0; i < meta->n_rules; i++, n++)
      if (n >= states->rules->len || !is_same_rule (&g_array_index (states->rules, Rule, n), &meta->rules[i]))
        return FALSE;
  return n == states->rules->len;
}

static gboolean
has_events (const GstCcaMetas *scene)
{
  const GstCcaEventMeta *meta;
  gpointer state = NULL;

  while ((meta = gst_cca_metas_iterate_events (scene, &state)))
    if (meta->n_events > 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_health_told (const GstCcaOnvifStates *states, const gchar *health)
{
  return !health || g_strcmp0 (health, states->camera) == 0;
}

gboolean
gst_cca_onvif_has_events (const GstCcaOnvifStates *states, const GstCcaMetas *scene, const gchar *health)
{
  return !is_health_told (states, health) || gst_cca_metas_is_change (scene) != states->scene_changed
         || has_events (scene) || (scene->events && !are_rules_told (states, scene));
}

/* Deletes the properties of rules that are gone, and initialises those of new ones. */
static void
write_rules (const Writer *writer, const GstCcaOnvifStates *states, const GstCcaMetas *scene)
{
  const GstCcaEventMeta *meta;
  gpointer state = NULL;

  for (guint i = 0; i < states->rules->len; i++) {
    const Rule *rule = &g_array_index (states->rules, Rule, i);

    if (!is_in_scene (scene, rule))
      write_deleted (writer, rule->name, rule->type);
  }
  while ((meta = gst_cca_metas_iterate_events (scene, &state)))
    for (guint i = 0; i < meta->n_rules; i++)
      if (!is_told (states, &meta->rules[i]))
        write_initial (writer, &meta->rules[i]);
}

static void
remember_rules (GstCcaOnvifStates *states, const GstCcaMetas *scene)
{
  const GstCcaEventMeta *meta;
  gpointer state = NULL;

  g_array_set_size (states->rules, 0);
  while ((meta = gst_cca_metas_iterate_events (scene, &state)))
    for (guint i = 0; i < meta->n_rules; i++) {
      const Rule rule = { g_strdup (meta->rules[i].name), meta->rules[i].type };

      g_array_append_val (states->rules, rule);
    }
}

static void
write_events (const Writer *writer, const GstCcaMetas *scene)
{
  const GstCcaEventMeta *meta;
  gpointer state = NULL;

  while ((meta = gst_cca_metas_iterate_events (scene, &state)))
    for (guint i = 0; i < meta->n_events; i++)
      write_event (writer, &meta->events[i]);
}

void
gst_cca_onvif_write_events (GstCcaOnvifXml *xml, GstCcaOnvifStates *states, const GstCcaMetas *scene,
                            const gchar *health, const gchar *camera, GstClockTime utc)
{
  g_autofree gchar *utc_text = gst_cca_utc_to_string (utc);
  const Writer writer = { xml, camera, scene->id, utc, utc_text };
  const gboolean changed = gst_cca_metas_is_change (scene);

  if (!gst_cca_onvif_has_events (states, scene, health))
    return;
  gst_cca_onvif_xml_open (xml, "tt:Event");
  if (!is_health_told (states, health)) {
    write_camera (&writer, states->camera, health);
    states->camera = health;
  }
  if (scene->events && !are_rules_told (states, scene)) {
    write_rules (&writer, states, scene);
    remember_rules (states, scene);
  }
  if (changed != states->scene_changed)
    write_scene_change (&writer, changed);
  states->scene_changed = changed;
  write_events (&writer, scene);
  gst_cca_onvif_xml_close (xml);
}
