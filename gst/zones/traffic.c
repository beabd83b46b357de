/* gst-cca: what rules measure of tracks: speeds on the ground, flows, queues, crowds
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "traffic.h"

#include "array.h"
#include "onground.h"

/* A track moves against a way if it does so for a second, within 60° of the opposite direction, and faster than this:
 * m/s on the ground, else heights of its box in a second. */
#define WRONG_NS 1000000000u
#define WRONG_COSINE (-0.5)
#define WRONG_SPEED 1.0
#define WRONG_HEIGHTS 0.2

#define N_DIRECTIONS 32        /* in which a queue's length is looked for: 0.12 % too short at most */
#define MEASURE_NS 1000000000u /* measures change so often, and with events; so retained messages are few */
#define LEAST_OF_WINDOW 0.25   /* that must have passed before a flow is told */

/* Sums over a part of a window of time. */
typedef struct
{
  double speeds, weights;  /* a sum of weighted speeds, and of their weights */
  double occupied, passed; /* seconds */
  uint64_t events;
} Slot;

#define N_SLOTS 60

/* Sums over a window of time, which is made of slots; the oldest is emptied when time reaches it. */
typedef struct
{
  Slot slots[N_SLOTS];
  uint64_t in_slot; /* time in the slot that fills, ns */
  unsigned slot;
} Meter;

typedef struct
{
  uint64_t id;
  bool seen; /* so far: box and time are known */
  GstCcaBox box;
  uint64_t time; /* when it was last seen */
  GstCcaOnGround ground;
} Track;

/* What a rule knows of a track. */
typedef struct
{
  bool slow, wrong; /* since */
  uint64_t slow_since, wrong_since;
  bool told_stop, told_wrong;
  bool crossed; /* a line: when and where, last */
  uint64_t crossed_at;
  bool grounded;
  double crossed_place[2];
  bool on; /* a line: it stands there */
} Watch;

/* The last crossing of a line in a direction. */
typedef struct
{
  bool any;
  uint64_t time;
  double speed; /* -1: not known */
} Passage;

typedef struct
{
  Meter meter;
  GstCcaRulesMeasures measures;
  bool measured, due; /* ever; before its time */
  uint64_t measured_at;
  Passage last[2]; /* to the left, to the right */
  bool crowd, was_over;
  uint64_t crowd_since; /* that the zone has held too many or, with the crowd on, has not */
} Rule;

typedef struct
{
  Track *tracks;
  Watch *watches; /* tracks × rules */
  size_t n, room_tracks, room_watches;
} Crowd;

struct GstCcaTraffic
{
  bool grounded;
  GstCcaGroundPicture ground;
  GstCcaGroundCamera camera;
  double camera_width, camera_height; /* of the picture that it was found for, pixels */
  GstCcaRulesSizeClass size_classes[GST_CCA_RULES_MAX_SIZE_CLASSES];
  size_t n_size_classes;
  size_t n_rules;
  Rule *rules;
  Crowd now, last;
  bool started;
  uint64_t time, passed; /* since the frame before */
  GstCcaRulesGroundTrack *on_ground;
  size_t n_on_ground, room_on_ground;
  GstCcaRulesEvent *events;
  size_t n_events, room_events;
  bool out_of_memory;
};

/* --- Life -------------------------------------------------------------------------------------------- */

bool
gst_cca_traffic_is_needed (const GstCcaRulesParams *params)
{
  bool needed = params->ground != NULL;

  for (size_t i = 0; i < params->n_rules; i++) {
    const GstCcaRulesRule *rule = &params->rules[i];

    needed = needed || rule->window != GST_CCA_RULES_NEVER || rule->one_way || rule->crowded != GST_CCA_RULES_NEVER
             || rule->allowed != 0 || rule->from != GST_CCA_RULES_NO_RULE;
  }
  return needed;
}

GstCcaTraffic *
gst_cca_traffic_new (const GstCcaRulesParams *params)
{
  GstCcaTraffic *traffic = calloc (1, sizeof *traffic);

  if (traffic == NULL)
    return NULL;
  traffic->n_rules = params->n_rules;
  traffic->rules = calloc (params->n_rules + 1, sizeof *traffic->rules);
  if (traffic->rules == NULL) {
    free (traffic);
    return NULL;
  }
  traffic->grounded = params->ground != NULL;
  if (traffic->grounded)
    traffic->ground = (GstCcaGroundPicture) { *params->ground, params->ground_width, params->ground_height };
  memcpy (traffic->size_classes, params->size_classes, sizeof traffic->size_classes);
  traffic->n_size_classes = traffic->grounded ? params->n_size_classes : 0;
  return traffic;
}

void
gst_cca_traffic_free (GstCcaTraffic *traffic)
{
  if (traffic == NULL)
    return;
  free (traffic->rules);
  free (traffic->now.tracks);
  free (traffic->now.watches);
  free (traffic->last.tracks);
  free (traffic->last.watches);
  free (traffic->on_ground);
  free (traffic->events);
  free (traffic);
}

static bool
crowd_reserve (Crowd *crowd, size_t n, size_t n_rules)
{
  return GST_CCA_RESERVE (crowd->tracks, crowd->room_tracks, n)
         && GST_CCA_RESERVE (crowd->watches, crowd->room_watches, n * n_rules + 1);
}

bool
gst_cca_traffic_reserve (GstCcaTraffic *traffic, size_t n_tracks)
{
  return crowd_reserve (&traffic->last, n_tracks, traffic->n_rules)
         && GST_CCA_RESERVE (traffic->on_ground, traffic->room_on_ground, n_tracks);
}

/* --- Events ------------------------------------------------------------------------------------------ */

static void
tell (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, const GstCcaRulesEvent *event)
{
  if (frame->silent)
    return;
  if (GST_CCA_RESERVE (traffic->events, traffic->room_events, traffic->n_events + 1))
    traffic->events[traffic->n_events++] = *event;
  else
    traffic->out_of_memory = true;
}

static void
set_speed (GstCcaRulesEvent *event, double speed)
{
  if (speed < 0.0)
    return;
  event->speed = speed;
  event->known |= GST_CCA_RULES_SPEED;
}

static void
tell_track (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, GstCcaRulesEventType type, size_t rule,
            const Track *track, int direction, uint64_t dwell)
{
  GstCcaRulesEvent event = {
    .type = type,
    .rule = rule,
    .track = track->id,
    .direction = direction,
    .dwell = dwell,
    .size_class = track->ground.size_class,
  };

  event.position = gst_cca_place_anchor (frame->rules[rule].place, &track->box);
  set_speed (&event, track->ground.speed);
  tell (traffic, frame, &event);
}

/* --- Means over a window ------------------------------------------------------------------------------ */

/* Lets time pass in a window of so many ns, in which the place was occupied or not. */
static void
meter_pass (Meter *meter, uint64_t window, uint64_t ns, bool occupied)
{
  const uint64_t length = window / N_SLOTS > 0 ? window / N_SLOTS : 1;

  if (ns / length > N_SLOTS) { /* all slots are too old */
    memset (meter, 0, sizeof *meter);
    ns = length * N_SLOTS - 1;
  }
  while (ns > 0) {
    const uint64_t left = length - meter->in_slot, step = ns < left ? ns : left;
    Slot *slot = &meter->slots[meter->slot];

    slot->passed += step / 1e9;
    slot->occupied += occupied ? step / 1e9 : 0.0;
    ns -= step;
    meter->in_slot += step;
    if (meter->in_slot < length)
      continue;
    meter->in_slot = 0;
    meter->slot = (meter->slot + 1) % N_SLOTS;
    meter->slots[meter->slot] = (Slot) { 0 };
  }
}

static void
meter_add_speed (Meter *meter, double speed, double weight)
{
  meter->slots[meter->slot].speeds += speed * weight;
  meter->slots[meter->slot].weights += weight;
}

static void
meter_add_event (Meter *meter)
{
  meter->slots[meter->slot].events++;
}

static Slot
meter_sum (const Meter *meter)
{
  Slot sum = { 0 };

  for (unsigned i = 0; i < N_SLOTS; i++) {
    const Slot *slot = &meter->slots[i];

    sum.speeds += slot->speeds;
    sum.weights += slot->weights;
    sum.occupied += slot->occupied;
    sum.passed += slot->passed;
    sum.events += slot->events;
  }
  return sum;
}

/* --- Tracks ------------------------------------------------------------------------------------------ */

static GstCcaGroundView
ground_of (const GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame)
{
  return (GstCcaGroundView) { &traffic->ground,        traffic->camera, traffic->size_classes,
                              traffic->n_size_classes, frame->width,    frame->height };
}

static void
find_camera (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame)
{
  const double width = traffic->ground.width > 0.0 ? traffic->ground.width : frame->width;
  const double height = traffic->ground.height > 0.0 ? traffic->ground.height : frame->height;

  if (!traffic->grounded || (width == traffic->camera_width && height == traffic->camera_height))
    return;
  traffic->camera = gst_cca_ground_camera (&traffic->ground.ground, width, height);
  traffic->camera_width = width;
  traffic->camera_height = height;
}

static void
follow_on_ground (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, Track *track, const GstCcaObject *seen,
                  double passed)
{
  const GstCcaGroundView view = ground_of (traffic, frame);

  if (traffic->grounded
      && gst_cca_on_ground_follow (&track->ground, &view, seen, passed, &traffic->on_ground[traffic->n_on_ground]))
    traffic->n_on_ground++;
}

/* --- Zones ------------------------------------------------------------------------------------------- */

/* Returns whether a track moves against the way of a zone. */
static bool
moves_against (const GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, const GstCcaRulesRule *rule,
               const Track *track, const GstCcaObject *seen)
{
  const GstCcaGroundView view = ground_of (traffic, frame);
  double ends[2][2], way[2], scale[2], velocity[2] = { seen->velocity[0], seen->velocity[1] };
  double least = WRONG_HEIGHTS * (seen->box.max[1] - seen->box.min[1]);
  bool on_ground = traffic->grounded;

  for (int i = 0; i < 2; i++) {
    const GstCcaPosition end = { rule->way[i].x * frame->scale_x, rule->way[i].y * frame->scale_y };
    double image[2];

    ends[i][0] = end.x, ends[i][1] = end.y;
    if (!traffic->grounded)
      continue;
    gst_cca_on_ground_to_picture (&view, end, image, scale);
    on_ground = gst_cca_ground_place (&traffic->ground.ground, image, ends[i], NULL) && on_ground;
  }
  if (traffic->grounded && (!on_ground || track->ground.speed < 0.0))
    return false;
  if (on_ground) {
    velocity[0] = track->ground.motion.state[2], velocity[1] = track->ground.motion.state[3];
    least = WRONG_SPEED;
  }
  way[0] = ends[1][0] - ends[0][0], way[1] = ends[1][1] - ends[0][1];
  return gst_cca_length (velocity[0], velocity[1]) > least
         && velocity[0] * way[0] + velocity[1] * way[1]
                < WRONG_COSINE * gst_cca_length (velocity[0], velocity[1]) * gst_cca_length (way[0], way[1]);
}

static void
watch_zone (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, size_t index, const Track *track, Watch *watch,
            const GstCcaObject *seen, double passed, bool inside)
{
  const GstCcaRulesRule *rule = &frame->rules[index].place->params;
  const bool slow = inside && track->ground.speed >= 0.0 && track->ground.speed < rule->stop_speed;
  const bool wrong = inside && rule->one_way && moves_against (traffic, frame, rule, track, seen);

  if (inside && track->ground.speed >= 0.0)
    meter_add_speed (&traffic->rules[index].meter, track->ground.speed, passed);
  if (!slow)
    watch->told_stop = false;
  else if (!watch->slow)
    watch->slow_since = frame->time;
  watch->slow = slow;
  if (slow && !watch->told_stop && frame->time - watch->slow_since >= rule->stopped) {
    watch->told_stop = true;
    tell_track (traffic, frame, GST_CCA_RULES_STOPPED, index, track, 0, frame->time - watch->slow_since);
  }
  if (!inside)
    watch->told_wrong = false;
  if (wrong && !watch->wrong)
    watch->wrong_since = frame->time;
  watch->wrong = wrong;
  if (wrong && !watch->told_wrong && frame->time - watch->wrong_since >= WRONG_NS) {
    watch->told_wrong = true;
    tell_track (traffic, frame, GST_CCA_RULES_WRONG_WAY, index, track, 0, GST_CCA_RULES_NEVER);
  }
}

/* --- Lines ------------------------------------------------------------------------------------------- */

/* Returns the part of a way after which it last crosses a line, or -1 if it does not. */
static double
crossing_part (const GstCcaPosition *points, size_t n, GstCcaPosition from, GstCcaPosition to)
{
  double last = -1.0;

  for (size_t i = 0; i + 1 < n; i++) {
    const double a = gst_cca_turn (points[i], points[i + 1], from), b = gst_cca_turn (points[i], points[i + 1], to);
    const double c = gst_cca_turn (from, to, points[i]), d = gst_cca_turn (from, to, points[i + 1]);

    if (a != b && (a < 0.0) != (b < 0.0) && (c < 0.0) != (d < 0.0))
      last = gst_cca_max (last, a / (a - b));
  }
  return last;
}

/* Notes when and where a track was on a line. */
static void
watch_line (const GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, size_t index, const Track *track,
            Watch *watch, const GstCcaObject *seen)
{
  const GstCcaPlace *place = frame->rules[index].place;
  double part, back;

  if (!track->seen)
    return;
  part = crossing_part (place->points, place->n_points, gst_cca_place_anchor (place, &track->box),
                        gst_cca_place_anchor (place, &seen->box));
  if (part < 0.0)
    return;
  back = (1.0 - part) * (double) (frame->time - track->time);
  watch->crossed = true;
  watch->crossed_at = frame->time - (uint64_t) back;
  watch->grounded = traffic->grounded && track->ground.speed >= 0.0;
  for (int i = 0; i < 2 && watch->grounded; i++)
    watch->crossed_place[i] = track->ground.motion.state[i] - track->ground.motion.state[2 + i] * back / 1e9;
}

/* Returns whether a track that the line is for stands on it. */
static bool
is_on_line (const GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, size_t index, const Track *track,
            const GstCcaObject *seen)
{
  const GstCcaPlace *place = frame->rules[index].place;
  const GstCcaGroundView view = ground_of (traffic, frame);
  GstCcaObject object = *seen;
  GstCcaPosition rear, front;

  if (object.kind == 0)
    object.kind = track->ground.size_class;
  return gst_cca_on_ground_ends (&track->ground, &view, &rear, &front)
         && crossing_part (place->points, place->n_points, rear, front) >= 0.0 && gst_cca_place_admits (place, &object);
}

/* Notes which tracks stand on a line; one that is not seen stays where it was. Returns whether there are any. */
static bool
watch_occupied (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, size_t index)
{
  bool occupied = false;

  for (size_t i = 0; i < frame->n_tracks; i++) {
    Watch *watch = &traffic->now.watches[i * traffic->n_rules + index];

    if (frame->tracks[i].state != GST_CCA_OBJECT_COASTING)
      watch->on = is_on_line (traffic, frame, index, &traffic->now.tracks[i], &frame->tracks[i]);
    occupied = occupied || watch->on;
  }
  return occupied;
}

static void
pass_section (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, const GstCcaRulesEvent *crossing, Watch *watches)
{
  const GstCcaRulesRule *rule = &frame->rules[crossing->rule].place->params;
  const Watch *end = &watches[crossing->rule];
  Watch *begin;
  GstCcaRulesEvent event = *crossing;
  double distance = rule->distance;

  if (rule->from == GST_CCA_RULES_NO_RULE)
    return;
  begin = &watches[rule->from];
  if (!begin->crossed || !end->crossed || end->crossed_at == begin->crossed_at
      || end->crossed_at - begin->crossed_at > UINT64_MAX / 2)
    return;
  if (distance == 0.0 && begin->grounded && end->grounded)
    distance = gst_cca_length (end->crossed_place[0] - begin->crossed_place[0],
                               end->crossed_place[1] - begin->crossed_place[1]);
  begin->crossed = false;
  if (distance == 0.0)
    return;
  event.type = GST_CCA_RULES_SECTION;
  event.known = 0;
  event.dwell = end->crossed_at - begin->crossed_at;
  set_speed (&event, distance / ((double) event.dwell / 1e9));
  tell (traffic, frame, &event);
}

/* Adds the measures to a crossing that the rules told, and tells the events that follow. */
static void
measure_crossing (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, GstCcaRulesEvent *event, const Track *track,
                  Watch *watches)
{
  const GstCcaRulesRule *rule = &frame->rules[event->rule].place->params;
  Rule *line = &traffic->rules[event->rule];
  Passage *last = &line->last[event->direction > 0];
  Watch *watch = &watches[event->rule];
  const uint64_t time = watch->crossed ? watch->crossed_at : frame->time;

  set_speed (event, track->ground.speed);
  meter_add_event (&line->meter);
  if (track->ground.speed >= 0.0)
    meter_add_speed (&line->meter, track->ground.speed, 1.0);
  if (rule->window != GST_CCA_RULES_NEVER && last->any && time - last->time <= UINT64_MAX / 2) {
    event->headway = time - last->time;
    event->known |= GST_CCA_RULES_HEADWAY;
    event->known |= last->speed >= 0.0 ? GST_CCA_RULES_GAP : 0;
    event->gap = gst_cca_max (last->speed, 0.0) * (double) event->headway / 1e9;
  }
  *last = (Passage) { true, time, track->ground.speed };
  if (rule->allowed != 0 && event->direction != rule->allowed)
    tell_track (traffic, frame, GST_CCA_RULES_WRONG_WAY, event->rule, track, event->direction, GST_CCA_RULES_NEVER);
  pass_section (traffic, frame, event, watches);
}

/* --- Rules ------------------------------------------------------------------------------------------- */

static void
pass_time (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, size_t index)
{
  const GstCcaRulesRule *params = &frame->rules[index].place->params;

  if (params->window != GST_CCA_RULES_NEVER)
    meter_pass (&traffic->rules[index].meter, params->window, traffic->passed,
                params->kind == GST_CCA_RULES_ZONE ? frame->rules[index].occupancy > 0
                                                   : watch_occupied (traffic, frame, index));
}

static void
watch_crowd (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, size_t index)
{
  const GstCcaPlace *place = frame->rules[index].place;
  Rule *rule = &traffic->rules[index];
  const bool over = frame->rules[index].occupancy > place->params.crowd;
  GstCcaRulesEvent event = { .rule = index, .dwell = GST_CCA_RULES_NEVER };

  if (place->params.crowded == GST_CCA_RULES_NEVER)
    return;
  if (over != rule->was_over || frame->silent)
    rule->crowd_since = frame->time;
  rule->was_over = over;
  if (frame->silent || over == rule->crowd || frame->time - rule->crowd_since < place->params.crowded)
    return;
  rule->crowd = over;
  event.type = over ? GST_CCA_RULES_CROWD_ON : GST_CCA_RULES_CROWD_OFF;
  event.position = gst_cca_box_center (&place->bounds);
  tell (traffic, frame, &event);
}

/* Counts the tracks in a zone that wait, and measures from the first to the last. */
static void
measure_queue (const GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, size_t index,
               GstCcaRulesMeasures *measures)
{
  const double limit = frame->rules[index].place->params.queue_speed;
  double least[N_DIRECTIONS], most[N_DIRECTIONS];

  for (int k = 0; k < N_DIRECTIONS; k++)
    least[k] = INFINITY, most[k] = -INFINITY;
  for (size_t i = 0; i < frame->n_tracks; i++) {
    const Track *track = &traffic->now.tracks[i];

    if (!(track->ground.speed >= 0.0 && track->ground.speed < limit) || !frame->is_inside (frame->inside, i, index))
      continue;
    measures->queue++;
    for (int k = 0; k < N_DIRECTIONS; k++) {
      const double angle = k * 3.14159265358979323846 / N_DIRECTIONS;
      const double at = track->ground.motion.state[0] * cos (angle) + track->ground.motion.state[1] * sin (angle);

      least[k] = gst_cca_min (least[k], at);
      most[k] = gst_cca_max (most[k], at);
    }
  }
  for (int k = 0; k < N_DIRECTIONS && measures->queue > 0; k++)
    measures->queue_length = gst_cca_max (measures->queue_length, most[k] - least[k]);
  measures->known |= GST_CCA_RULES_QUEUE;
}

static void
measure_rule (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, size_t index)
{
  const GstCcaRulesRule *params = &frame->rules[index].place->params;
  const bool zone = params->kind == GST_CCA_RULES_ZONE;
  Rule *rule = &traffic->rules[index];
  GstCcaRulesMeasures measures = { 0 };
  Slot sum;

  if (params->window == GST_CCA_RULES_NEVER
      || (rule->measured && !rule->due && frame->time - rule->measured_at < MEASURE_NS))
    return;
  rule->measured = true;
  rule->due = false;
  rule->measured_at = frame->time;
  sum = meter_sum (&rule->meter);
  if (sum.weights > 0.0) {
    measures.speed = sum.speeds / sum.weights;
    measures.known |= GST_CCA_RULES_SPEED;
  }
  if (measures.known && params->free_speed > 0.0) {
    measures.congestion = gst_cca_max (1.0 - measures.speed / params->free_speed, 0.0);
    measures.known |= GST_CCA_RULES_CONGESTION;
  }
  if (sum.passed >= LEAST_OF_WINDOW * (double) params->window / 1e9 && sum.passed > 0.0) {
    measures.flow = (double) sum.events * 60.0 / sum.passed;
    measures.occupied = sum.occupied / sum.passed;
    measures.known |= GST_CCA_RULES_FLOW | (zone || traffic->grounded ? GST_CCA_RULES_OCCUPIED : 0);
  }
  if (zone && traffic->grounded)
    measure_queue (traffic, frame, index, &measures);
  rule->measures = measures;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

/* Lists the frame's tracks with their state. */
static void
take_tracks (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame)
{
  const Crowd old = traffic->now;
  const size_t n_rules = traffic->n_rules;
  Crowd *now = &traffic->now;
  size_t next = 0;

  *now = traffic->last;
  traffic->last = old;
  for (size_t i = 0; i < frame->n_tracks; i++) {
    Watch *watches = &now->watches[i * n_rules];

    while (next < old.n && old.tracks[next].id < frame->tracks[i].id)
      next++;
    if (next < old.n && old.tracks[next].id == frame->tracks[i].id) {
      now->tracks[i] = old.tracks[next];
      memcpy (watches, &old.watches[next * n_rules], n_rules * sizeof *watches);
    } else {
      now->tracks[i] = (Track) { .id = frame->tracks[i].id, .ground = { .speed = -1.0, .heading = -1.0 } };
      memset (watches, 0, n_rules * sizeof *watches);
    }
  }
  now->n = frame->n_tracks;
}

static void
follow (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, size_t index, double passed)
{
  const GstCcaObject *seen = &frame->tracks[index];
  Track *track = &traffic->now.tracks[index];

  if (seen->state == GST_CCA_OBJECT_COASTING)
    return;
  for (size_t i = 0; i < traffic->n_rules; i++) {
    Watch *watch = &traffic->now.watches[index * traffic->n_rules + i];

    if (frame->rules[i].place->params.kind == GST_CCA_RULES_LINE)
      watch_line (traffic, frame, i, track, watch, seen);
    else
      watch_zone (traffic, frame, i, track, watch, seen, passed, frame->is_inside (frame->inside, index, i));
  }
  track->box = seen->box;
  track->time = frame->time;
  track->seen = true;
}

/* Returns the first track of a crowd, from one on, whose id is at least so large. */
static size_t
find_track (const Crowd *crowd, size_t from, uint64_t id)
{
  while (from < crowd->n && crowd->tracks[from].id < id)
    from++;
  return from;
}

static bool
is_track (const Crowd *crowd, size_t at, uint64_t id)
{
  return at < crowd->n && crowd->tracks[at].id == id;
}

/* Adds the measures to the events of the rules. Tracks that ended with this frame are among the last. */
static void
measure_events (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame)
{
  const Crowd *now = &traffic->now, *last = &traffic->last;
  size_t at = 0, before = 0;
  uint64_t id = 0;

  for (size_t i = 0; i < frame->n_events; i++) {
    GstCcaRulesEvent *event = &frame->events[i];

    traffic->rules[event->rule].due = true;
    if (event->type == GST_CCA_RULES_ENTER)
      meter_add_event (&traffic->rules[event->rule].meter);
    at = find_track (now, event->track < id ? 0 : at, event->track);
    before = find_track (last, event->track < id ? 0 : before, event->track);
    id = event->track;
    if (is_track (now, at, id))
      event->size_class = now->tracks[at].ground.size_class;
    else if (is_track (last, before, id))
      event->size_class = last->tracks[before].ground.size_class;
    if (event->type == GST_CCA_RULES_CROSS && is_track (now, at, id))
      measure_crossing (traffic, frame, event, &now->tracks[at], &now->watches[at * traffic->n_rules]);
  }
}

void
gst_cca_traffic_begin (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame)
{
  traffic->passed = traffic->started ? frame->time - traffic->time : 0;
  traffic->started = true;
  traffic->time = frame->time;
  traffic->n_on_ground = 0;
  take_tracks (traffic, frame);
  find_camera (traffic, frame);
  for (size_t i = 0; i < frame->n_tracks; i++)
    follow_on_ground (traffic, frame, &traffic->now.tracks[i], &frame->tracks[i], (double) traffic->passed / 1e9);
}

uint32_t
gst_cca_traffic_size_class (const GstCcaTraffic *traffic, size_t track)
{
  return traffic->now.tracks[track].ground.size_class;
}

bool
gst_cca_traffic_run (GstCcaTraffic *traffic, const GstCcaTrafficFrame *frame, const GstCcaRulesEvent **events,
                     size_t *n_events)
{
  traffic->n_events = 0;
  traffic->out_of_memory = false;
  for (size_t i = 0; i < traffic->n_rules; i++)
    pass_time (traffic, frame, i);
  for (size_t i = 0; i < frame->n_tracks; i++)
    follow (traffic, frame, i, (double) traffic->passed / 1e9);
  measure_events (traffic, frame);
  for (size_t i = 0; i < traffic->n_rules; i++) {
    watch_crowd (traffic, frame, i);
    measure_rule (traffic, frame, i);
  }
  *events = traffic->events;
  *n_events = traffic->n_events;
  return !traffic->out_of_memory;
}

void
gst_cca_traffic_forget (GstCcaTraffic *traffic)
{
  traffic->started = false;
  traffic->now.n = traffic->n_on_ground = 0;
  for (size_t i = 0; i < traffic->n_rules; i++) {
    Rule *rule = &traffic->rules[i];

    rule->last[0].any = rule->last[1].any = false;
    rule->measures.queue = 0;
    rule->measures.queue_length = 0.0;
    rule->due = true;
    rule->was_over = rule->crowd;
  }
}

/* --- Another's knowledge ----------------------------------------------------------------------------- */

static bool
have_same_sizes (const GstCcaTraffic *a, const GstCcaTraffic *b)
{
  if (a->n_size_classes != b->n_size_classes)
    return false;
  for (size_t i = 0; i < a->n_size_classes; i++)
    if (a->size_classes[i].kind != b->size_classes[i].kind
        || a->size_classes[i].max_area != b->size_classes[i].max_area)
      return false;
  return true;
}

bool
gst_cca_traffic_adopt (GstCcaTraffic *traffic, const GstCcaTraffic *old)
{
  const bool same = traffic->grounded == old->grounded && traffic->ground.width == old->ground.width
                    && traffic->ground.height == old->ground.height
                    && memcmp (&traffic->ground.ground, &old->ground.ground, sizeof traffic->ground.ground) == 0;

  if (!crowd_reserve (&traffic->now, old->now.n, traffic->n_rules))
    return false;
  traffic->started = old->started;
  traffic->time = old->time;
  traffic->now.n = old->now.n;
  memset (traffic->now.watches, 0, (old->now.n * traffic->n_rules + 1) * sizeof *traffic->now.watches);
  for (size_t i = 0; i < old->now.n; i++) {
    Track *track = &traffic->now.tracks[i];

    *track = old->now.tracks[i];
    if (!same || !have_same_sizes (traffic, old)) {
      memset (track->ground.n_areas, 0, sizeof track->ground.n_areas);
      track->ground.size_class = 0;
    }
    if (same)
      continue;
    track->ground.motion = (GstCcaGroundMotion) { 0 };
    track->ground.footprint = (GstCcaFootprint) { 0 };
    track->ground.speed = track->ground.heading = -1.0;
  }
  return true;
}

void
gst_cca_traffic_adopt_rule (GstCcaTraffic *traffic, size_t rule, const GstCcaTraffic *old, size_t from)
{
  traffic->rules[rule] = old->rules[from];
  for (size_t i = 0; i < traffic->now.n; i++)
    traffic->now.watches[i * traffic->n_rules + rule] = old->now.watches[i * old->n_rules + from];
}

const GstCcaRulesMeasures *
gst_cca_traffic_measures (const GstCcaTraffic *traffic, size_t rule)
{
  return &traffic->rules[rule].measures;
}

const GstCcaRulesGroundTrack *
gst_cca_traffic_tracks (const GstCcaTraffic *traffic, size_t *n)
{
  *n = traffic->n_on_ground;
  return traffic->on_ground;
}
