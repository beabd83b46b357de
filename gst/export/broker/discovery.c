/* gst-cca: tells Home Assistant, by its MQTT discovery, which sensors a camera has
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "discovery.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* A sensor of a camera, a zone or a line: strings that Home Assistant's documentation defines. NULL: not set. */
typedef struct
{
  const gchar *component, *object; /* object: the last part of its id */
  const gchar *name;               /* behind the rule's name, if it belongs to a rule */
  const gchar *value;              /* template */
  const gchar *device_class, *state_class;
  gboolean is_diagnostic;
  const gchar *const *options; /* values of the device class "enum" */
  const gchar *unit;
  gboolean is_fraction;  /* one digit behind the point says enough */
  const gchar *known_by; /* the counters' member that must have been there */
} Sensor;

#define MEMBER(name) "{{ value_json['" name "'] }}"
/* Without the member "None", which is Home Assistant's word for an unknown state. */
#define MEMBER_IF_THERE(name) "{{ value_json.get('" name "') }}"
#define ON_IF(condition) "{{ 'ON' if " condition " else 'OFF' }}"

/* The states of ccacamera. */
static const gchar *const HEALTH[] = { "well",   "covered", "blinded", "defocused", "moved",
                                       "frozen", "dark",    "lost",    NULL };

static const Sensor OF_TRACKS[] = {
  { "sensor", "objects", "Objects", MEMBER ("objects"), .state_class = "measurement" },
  { "binary_sensor", "motion", "Motion", ON_IF ("value_json['motion']"), .device_class = "motion" },
};
static const Sensor OF_HEALTH[] = {
  { "sensor", "health", "Camera health", MEMBER ("health"), .device_class = "enum", .is_diagnostic = TRUE,
    .options = HEALTH },
  { "binary_sensor", "problem", "Camera problem", ON_IF ("value_json['health'] != 'well'"), .device_class = "problem",
    .is_diagnostic = TRUE },
};
static const Sensor OF_ZONE[] = {
  { "binary_sensor", "occupied", "occupied", ON_IF ("value_json['occupancy'] > 0"), .device_class = "occupancy" },
  { "sensor", "inside", "inside", MEMBER ("occupancy"), .state_class = "measurement" },
  { "sensor", "entered", "entered", MEMBER ("n-in"), .state_class = "total_increasing" },
  { "sensor", "left", "left", MEMBER ("n-out"), .state_class = "total_increasing" },
};
static const Sensor OF_LINE[] = {
  { "sensor", "forward", "forward", MEMBER ("n-in"), .state_class = "total_increasing" },
  { "sensor", "backward", "backward", MEMBER ("n-out"), .state_class = "total_increasing" },
};

/* Of zones and lines where the rules have metres or a window. A measure is absent while it is not known. */
#define MEASURE(member) .value = MEMBER_IF_THERE (member), .known_by = member

static const Sensor MEASURES[] = {
  { "sensor", "speed", "speed", MEASURE ("speed"), .device_class = "speed", .state_class = "measurement", .unit = "m/s",
    .is_fraction = TRUE },
  { "sensor", "flow", "flow", MEASURE ("flow"), .state_class = "measurement", .unit = "1/min", .is_fraction = TRUE },
  { "sensor", "queue", "queue", MEASURE ("queue"), .state_class = "measurement" },
  { "sensor", "queue_length", "queue length", MEASURE ("queue-length"), .device_class = "distance",
    .state_class = "measurement", .unit = "m", .is_fraction = TRUE },
};

typedef struct
{
  gchar *name, *type;
  guint measures; /* bit i: MEASURES[i] has been known */
} Rule;

typedef struct
{
  gboolean has_tracks, has_health;
  GPtrArray *rules;   /* of Rule */
  GHashTable *topics; /* a set: of the messages that were told */
} Camera;

struct _GstCcaBrokerDiscovery
{
  GstCcaBrokerDiscoveryOptions options;
  GHashTable *cameras; /* by name */
};

static void
rule_free (Rule *rule)
{
  g_free (rule->name);
  g_free (rule->type);
  g_free (rule);
}

static void
camera_free (Camera *camera)
{
  g_ptr_array_unref (camera->rules);
  g_hash_table_unref (camera->topics);
  g_free (camera);
}

GstCcaBrokerDiscovery *
gst_cca_broker_discovery_new (const GstCcaBrokerDiscoveryOptions *options)
{
  GstCcaBrokerDiscovery *self = g_new (GstCcaBrokerDiscovery, 1);

  self->options = *options;
  self->cameras = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) camera_free);
  return self;
}

void
gst_cca_broker_discovery_free (GstCcaBrokerDiscovery *self)
{
  if (!self)
    return;
  g_hash_table_unref (self->cameras);
  g_free (self);
}

/* --- Cameras ----------------------------------------------------------------------------------------- */

static gchar *
valid (gchar *text)
{
  gchar *made = g_utf8_make_valid (text ? text : "", -1);

  g_free (text);
  return made;
}

static guint
read_measures (const GArray *counters)
{
  guint measures = 0;

  for (guint i = 0; i < G_N_ELEMENTS (MEASURES); i++)
    if (gst_cca_slices_find (counters, MEASURES[i].known_by).text)
      measures |= 1u << i;
  return measures;
}

static GPtrArray *
read_rules (const GstCcaBrokerLine *line)
{
  g_autoptr (GPtrArray) counts = gst_cca_broker_line_objects (line, "counts");
  GPtrArray *rules = g_ptr_array_new_with_free_func ((GDestroyNotify) rule_free);

  for (guint i = 0; i < counts->len; i++) {
    Rule *rule = g_new (Rule, 1);

    rule->name = valid (gst_cca_slices_string (counts->pdata[i], "name"));
    rule->type = valid (gst_cca_slices_string (counts->pdata[i], "type"));
    rule->measures = read_measures (counts->pdata[i]);
    g_ptr_array_add (rules, rule);
  }
  return rules;
}

static guint
rule_hash (gconstpointer rule)
{
  return g_str_hash (((const Rule *) rule)->name);
}

static gboolean
is_same (gconstpointer a, gconstpointer b)
{
  const Rule *rule = a, *other = b;

  return strcmp (rule->name, other->name) == 0 && strcmp (rule->type, other->type) == 0;
}

/* Returns whether rules are others than the known ones, or have measures that those had not. */
static gboolean
are_new (const GPtrArray *rules, const GPtrArray *known)
{
  if (rules->len != known->len)
    return TRUE;
  for (guint i = 0; i < rules->len; i++) {
    const Rule *rule = rules->pdata[i], *other = known->pdata[i];

    if (!is_same (rule, other) || (rule->measures & ~other->measures) != 0)
      return TRUE;
  }
  return FALSE;
}

/* Rules keep the measures that they had: one that is not known now will be again. */
static void
keep_measures (GPtrArray *rules, const GPtrArray *known)
{
  g_autoptr (GHashTable) set = g_hash_table_new (rule_hash, is_same);

  for (guint i = 0; i < known->len; i++)
    g_hash_table_add (set, known->pdata[i]);
  for (guint i = 0; i < rules->len; i++) {
    Rule *rule = rules->pdata[i];
    const Rule *before = g_hash_table_lookup (set, rule);

    if (before)
      rule->measures |= before->measures;
  }
}

/* Updates the camera by a line, and returns whether anything is new. Members that the line lacks keep their values. */
static gboolean
update (Camera *camera, const GstCcaBrokerLine *line, gboolean has_health)
{
  g_autofree gchar *tracks = gst_cca_broker_line_json (line, "n-tracks");
  g_autofree gchar *counts = gst_cca_broker_line_json (line, "counts");
  g_autoptr (GPtrArray) rules = counts ? read_rules (line) : NULL;
  gboolean is_new = (tracks && !camera->has_tracks) || has_health != camera->has_health;

  camera->has_tracks |= tracks != NULL;
  camera->has_health = has_health;
  if (rules && are_new (rules, camera->rules)) {
    keep_measures (rules, camera->rules);
    g_ptr_array_unref (camera->rules);
    camera->rules = g_steal_pointer (&rules);
    is_new = TRUE;
  }
  return is_new;
}

static Camera *
camera_of (GstCcaBrokerDiscovery *self, const gchar *name)
{
  Camera *camera = g_hash_table_lookup (self->cameras, name);

  if (!camera) {
    camera = g_new0 (Camera, 1);
    camera->rules = g_ptr_array_new_with_free_func ((GDestroyNotify) rule_free);
    camera->topics = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_insert (self->cameras, g_strdup (name), camera);
  }
  return camera;
}

/* --- Messages ---------------------------------------------------------------------------------------- */

/* Returns a name as a part of an id, which may have [a-zA-Z0-9_-]. Different names have different ids. */
static gchar *
id_of (const gchar *name)
{
  g_autofree gchar *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, name, -1);
  GString *id = g_string_new (NULL);
  gboolean is_same = name[0] != '\0';

  for (const gchar *c = name; *c; c = g_utf8_next_char (c)) {
    const gboolean may_stay = g_ascii_isalnum (*c) || *c == '-';

    g_string_append_c (id, may_stay ? *c : '_');
    is_same &= may_stay;
  }
  if (!is_same)
    g_string_append_printf (id, "-%.8s", hash);
  return g_string_free (id, FALSE);
}

/* Shared by the sensors of a line's camera. */
typedef struct
{
  const GstCcaBrokerDiscoveryOptions *options;
  const gchar *camera, *camera_id;
  const gchar *status; /* topic */
  GHashTable *topics;  /* of the messages that are told now */
  GstCcaBrokerRetained *retained;
  GPtrArray *messages;
} Telling;

static void
add (JsonBuilder *builder, const gchar *name, const gchar *value)
{
  if (!value)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_list (JsonBuilder *builder, const gchar *name, const gchar *const *values)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (; *values; values++)
    json_builder_add_string_value (builder, *values);
  json_builder_end_array (builder);
}

static void
add_device (JsonBuilder *builder, const Telling *telling)
{
  g_autofree gchar *id = g_strconcat ("gst-cca_", telling->camera_id, NULL);
  const gchar *const ids[] = { id, NULL };

  json_builder_set_member_name (builder, "device");
  json_builder_begin_object (builder);
  add_list (builder, "identifiers", ids);
  add (builder, "name", telling->camera);
  add (builder, "manufacturer", "gst-cca");
  add (builder, "model", "Video analysis");
  add (builder, "sw_version", telling->options->version);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "origin");
  json_builder_begin_object (builder);
  add (builder, "name", "gst-cca");
  add (builder, "sw_version", telling->options->version);
  json_builder_end_object (builder);
}

static gchar *
config_of (const Telling *telling, const Sensor *sensor, const gchar *rule, const gchar *object, const gchar *state)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree gchar *name = rule ? g_strdup_printf ("%s %s", rule, sensor->name) : g_strdup (sensor->name);
  g_autofree gchar *unique_id = g_strdup_printf ("gst-cca_%s_%s", telling->camera_id, object);

  json_builder_begin_object (builder);
  add (builder, "name", name);
  add (builder, "unique_id", unique_id);
  add (builder, "state_topic", state);
  add (builder, "value_template", sensor->value);
  add (builder, "device_class", sensor->device_class);
  add (builder, "state_class", sensor->state_class);
  add (builder, "unit_of_measurement", sensor->unit);
  if (sensor->is_fraction) {
    json_builder_set_member_name (builder, "suggested_display_precision");
    json_builder_add_int_value (builder, 1);
  }
  add (builder, "entity_category", sensor->is_diagnostic ? "diagnostic" : NULL);
  if (sensor->options)
    add_list (builder, "options", sensor->options);
  add (builder, "availability_topic", telling->status);
  add_device (builder, telling);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

static void
tell (const Telling *telling, const Sensor *sensors, guint n, const gchar *rule, const gchar *state)
{
  g_autofree gchar *rule_id = rule ? id_of (rule) : NULL;

  for (guint i = 0; i < n; i++) {
    g_autofree gchar *object =
        rule ? g_strdup_printf ("%s_%s", rule_id, sensors[i].object) : g_strdup (sensors[i].object);
    g_autofree gchar *topic = g_strdup_printf ("%s/%s/%s/%s/config", telling->options->prefix, sensors[i].component,
                                               telling->camera_id, object);
    g_autofree gchar *text = config_of (telling, &sensors[i], rule, object, state);

    if (!gst_cca_broker_retained_says (telling->retained, topic, text))
      gst_cca_broker_retained_add (telling->retained, topic, text, g_bytes_new (text, strlen (text)),
                                   GST_CCA_BROKER_NO_TIME, telling->messages);
    g_hash_table_add (telling->topics, g_steal_pointer (&topic));
  }
}

static void
tell_rules (const Telling *telling, const Camera *camera, const GstCcaBrokerLine *line)
{
  for (guint i = 0; i < camera->rules->len; i++) {
    const Rule *rule = camera->rules->pdata[i];
    g_autofree gchar *state =
        gst_cca_broker_line_expand (line, telling->options->counts, rule->name, telling->options->is_topic_char);

    if (strcmp (rule->type, "line") == 0)
      tell (telling, OF_LINE, G_N_ELEMENTS (OF_LINE), rule->name, state);
    else
      tell (telling, OF_ZONE, G_N_ELEMENTS (OF_ZONE), rule->name, state);
    for (guint k = 0; k < G_N_ELEMENTS (MEASURES); k++)
      if (rule->measures & 1u << k)
        tell (telling, &MEASURES[k], 1, rule->name, state);
  }
}

/* Takes the topics of the sensors that exist now, and removes the messages of those that have gone. */
static void
replace_topics (Camera *camera, GHashTable *topics, GstCcaBrokerRetained *retained, GPtrArray *messages)
{
  GHashTableIter iter;
  gpointer topic;

  g_hash_table_iter_init (&iter, camera->topics);
  while (g_hash_table_iter_next (&iter, &topic, NULL))
    if (!g_hash_table_contains (topics, topic))
      gst_cca_broker_retained_remove (retained, topic, messages);
  g_hash_table_unref (camera->topics);
  camera->topics = topics;
}

void
gst_cca_broker_discovery_tell (GstCcaBrokerDiscovery *self, const GstCcaBrokerLine *line, const gchar *status,
                               gboolean has_health, GstCcaBrokerRetained *retained, GPtrArray *messages)
{
  const GstCcaBrokerDiscoveryOptions *options = &self->options;
  g_autofree gchar *name = valid (gst_cca_broker_line_text (line, "camera"));
  g_autofree gchar *state = NULL, *id = NULL;
  Camera *camera = camera_of (self, name);
  Telling telling;

  if (!update (camera, line, has_health))
    return;
  state = gst_cca_broker_line_expand (line, options->state, NULL, options->is_topic_char);
  id = id_of (name);
  telling = (Telling) {
    .options = options,
    .camera = name[0] ? name : "Camera",
    .status = status,
    .camera_id = id,
    .topics = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .retained = retained,
    .messages = messages,
  };
  if (camera->has_tracks)
    tell (&telling, OF_TRACKS, G_N_ELEMENTS (OF_TRACKS), NULL, state);
  if (camera->has_health)
    tell (&telling, OF_HEALTH, G_N_ELEMENTS (OF_HEALTH), NULL, state);
  tell_rules (&telling, camera, line);
  replace_topics (camera, telling.topics, retained, messages);
}
