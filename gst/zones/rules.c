/* gst-cca: rules over tracks: zones, lines, and what happens there
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "rules.h"

#include "array.h"
#include "place.h"
#include "traffic.h"

#define COVERAGE_MEMORY_NS 30e9 /* the time constant of the usual coverage */
#define NO_ZONE SIZE_MAX

/* A track that is seen again can have gone the way in between if it was not seen for no longer, and is no farther from
 * where its last velocity leads than this part of its longer side and of the way that it would have gone. */
#define LONGEST_GAP_NS 1000000000u
#define REACH 0.5

typedef struct
{
  GstCcaPlace place;
  GstCcaRulesCounts counts;
  uint32_t occupancy;
  bool motion;
  uint64_t motion_since; /* that the zone has held tracks or, with motion on, none */
  bool was_occupied;
} Rule;

typedef struct
{
  uint64_t id;
  bool placed; /* seen so far: what follows is known */
  bool hidden; /* not seen in the last frame */
  GstCcaBox box;
  double velocity[2];
  uint64_t last_seen;
  size_t zone; /* of those with flows, the one that it entered last; or NO_ZONE */
} Track;

/* What a rule knows of a track. */
typedef struct
{
  bool unknown; /* the rule is newer than the track */
  bool inside;
  bool was_outside; /* before it entered */
  bool dwelt;       /* told */
  bool reported;    /* left or removed, of this stop */
  uint64_t since;   /* inside */
  uint64_t stopped;
  GstCcaPosition stopped_at;
  int32_t crossings; /* to the right less those to the left, since it was last beyond the band */
  int direction;     /* of the crossing that was told last; 0: none */
} Visit;

/* The tracks of a frame, and a visit for each track and rule. */
typedef struct
{
  Track *tracks;
  Visit *visits;
  size_t n, room_tracks, room_visits;
} Crowd;

struct GstCcaRules
{
  GstCcaRulesParams params; /* the rules are below */
  Rule *rules;
  uint64_t *flows; /* from × to */
  uint32_t width, height;
  bool started; /* time and usual are known */
  uint64_t time;
  double usual; /* coverage */
  bool quiet;   /* after a change of the scene */
  uint64_t quiet_since;
  bool silent;            /* this frame neither counts nor tells */
  bool paused;            /* the last frame was */
  Crowd now, last;        /* last: tracks of the last frame while it is worked on */
  GstCcaTraffic *traffic; /* NULL if nothing is measured */
  GstCcaTrafficRule *traffic_rules;
  GstCcaRulesEvent *events;
  size_t n_events, room_events;
  bool out_of_memory;
};

void
gst_cca_rules_rule_init (GstCcaRulesRule *rule, GstCcaRulesKind kind)
{
  *rule = (GstCcaRulesRule) {
    .kind = kind,
    .anchor = GST_CCA_RULES_FOOT,
    .overlap = 0.5,
    .band = -1.0,
    .births = true,
    .flows = true,
    .dwell = GST_CCA_RULES_NEVER,
    .left = GST_CCA_RULES_NEVER,
    .removed = GST_CCA_RULES_NEVER,
    .radius = -1.0,
    .match = 0.5,
    .motion_on = GST_CCA_RULES_NEVER,
    .motion_off = GST_CCA_RULES_NEVER,
    .queue_speed = 5.0 / 3.6,
    .stopped = GST_CCA_RULES_NEVER,
    .stop_speed = 3.0 / 3.6,
    .crowded = GST_CCA_RULES_NEVER,
    .from = GST_CCA_RULES_NO_RULE,
    .window = GST_CCA_RULES_NEVER,
  };
}

/* --- Life -------------------------------------------------------------------------------------------- */

GstCcaRules *
gst_cca_rules_new (const GstCcaRulesParams *params)
{
  const size_t n = params->n_rules;
  GstCcaRules *rules = calloc (1, sizeof *rules);

  if (rules == NULL)
    return NULL;
  rules->params = *params;
  rules->params.rules = NULL;
  rules->params.ground = NULL;
  rules->rules = calloc (n + 1, sizeof *rules->rules);
  rules->flows = calloc (n * n + 1, sizeof *rules->flows);
  if (rules->rules == NULL || rules->flows == NULL) {
    rules->params.n_rules = 0;
    gst_cca_rules_free (rules);
    return NULL;
  }
  for (size_t i = 0; i < n; i++)
    if (!gst_cca_place_init (&rules->rules[i].place, &params->rules[i])) {
      gst_cca_rules_free (rules);
      return NULL;
    }
  if (!gst_cca_traffic_is_needed (params))
    return rules;
  rules->traffic = gst_cca_traffic_new (params);
  rules->traffic_rules = calloc (n + 1, sizeof *rules->traffic_rules);
  if (rules->traffic == NULL || rules->traffic_rules == NULL) {
    gst_cca_rules_free (rules);
    return NULL;
  }
  return rules;
}

static void
crowd_clear (Crowd *crowd)
{
  free (crowd->tracks);
  free (crowd->visits);
}

void
gst_cca_rules_free (GstCcaRules *rules)
{
  if (rules == NULL)
    return;
  for (size_t i = 0; i < rules->params.n_rules; i++)
    gst_cca_place_clear (&rules->rules[i].place);
  free (rules->rules);
  free (rules->flows);
  crowd_clear (&rules->now);
  crowd_clear (&rules->last);
  free (rules->events);
  gst_cca_traffic_free (rules->traffic);
  free (rules->traffic_rules);
  free (rules);
}

/* --- The frame's size ----------------------------------------------------------------------------------- */

/* Returns the rules' units that are a frame's width and height. */
static GstCcaPosition
reference_of (const GstCcaRulesParams *params, uint32_t width, uint32_t height)
{
  return params->relative    ? (GstCcaPosition) { 1.0, 1.0 }
         : params->width > 0 ? (GstCcaPosition) { params->width, params->height }
                             : (GstCcaPosition) { width, height };
}

static void
set_frame_size (GstCcaRules *rules, uint32_t width, uint32_t height)
{
  const GstCcaRulesParams *params = &rules->params;
  const GstCcaPosition reference = reference_of (params, width, height);
  const double grow_x = rules->width > 0 ? (double) width / rules->width : 1.0;
  const double grow_y = rules->height > 0 ? (double) height / rules->height : 1.0;

  if (width == rules->width && height == rules->height)
    return;
  for (size_t i = 0; i < params->n_rules; i++)
    gst_cca_place_scale (&rules->rules[i].place, width / reference.x, height / reference.y, width, height);
  for (size_t i = 0; i < rules->now.n; i++) {
    Track *track = &rules->now.tracks[i];
    GstCcaBox *box = &track->box;

    box->min[0] *= grow_x, box->max[0] *= grow_x;
    box->min[1] *= grow_y, box->max[1] *= grow_y;
    track->velocity[0] *= grow_x, track->velocity[1] *= grow_y;
  }
  for (size_t i = 0; i < rules->now.n * params->n_rules; i++) {
    rules->now.visits[i].stopped_at.x *= grow_x;
    rules->now.visits[i].stopped_at.y *= grow_y;
  }
  rules->width = width;
  rules->height = height;
}

/* --- Events ------------------------------------------------------------------------------------------ */

static void
tell (GstCcaRules *rules, GstCcaRulesEventType type, size_t index, uint64_t track, int direction,
      GstCcaPosition position, uint64_t dwell)
{
  const Rule *rule = &rules->rules[index];

  if (!GST_CCA_RESERVE (rules->events, rules->room_events, rules->n_events + 1)) {
    rules->out_of_memory = true;
    return;
  }
  rules->events[rules->n_events++] =
      (GstCcaRulesEvent) { type, index, track, direction, position, dwell, rule->counts, rule->occupancy, 0 };
}

/* --- Zones ------------------------------------------------------------------------------------------- */

static void
enter (GstCcaRules *rules, size_t index, Track *track, Visit *visit, bool silent)
{
  Rule *rule = &rules->rules[index];

  visit->inside = true;
  visit->dwelt = false;
  visit->since = rules->time;
  rule->occupancy++;
  if (rule->place.params.flows && !gst_cca_place_is_frame (&rule->place)) {
    if (!silent && track->zone != NO_ZONE && track->zone != index)
      rules->flows[track->zone * rules->params.n_rules + index]++;
    track->zone = index;
  }
  if (silent || !(visit->was_outside || rule->place.params.births))
    return;
  rule->counts.n_in++;
  tell (rules, GST_CCA_RULES_ENTER, index, track->id, 0, gst_cca_place_anchor (&rule->place, &track->box), 0);
}

static void
leave (GstCcaRules *rules, size_t index, const Track *track, Visit *visit, bool silent)
{
  Rule *rule = &rules->rules[index];

  visit->inside = false;
  rule->occupancy--;
  if (silent)
    return;
  rule->counts.n_out++;
  tell (rules, GST_CCA_RULES_LEAVE, index, track->id, 0, gst_cca_place_anchor (&rule->place, &track->box),
        rules->time - visit->since);
}

/* Notes whether the track stands still, and reports the events that follow. */
static void
watch_stop (GstCcaRules *rules, size_t index, const GstCcaObject *track, Visit *visit, bool began, bool silent)
{
  const Rule *rule = &rules->rules[index];
  const GstCcaPosition center = gst_cca_box_center (&track->box);
  const bool guards =
      rule->place.params.removed != GST_CCA_RULES_NEVER && gst_cca_place_matches (&rule->place, &track->box);
  const uint64_t dwell = visit->inside ? rules->time - visit->since : GST_CCA_RULES_NEVER;
  uint64_t still;

  if (began || hypot (center.x - visit->stopped_at.x, center.y - visit->stopped_at.y) > rule->place.radius) {
    visit->stopped_at = center;
    visit->stopped = rules->time;
    visit->reported = false;
  }
  if (silent || visit->reported || !gst_cca_place_admits (&rule->place, track))
    return;
  still = rules->time - visit->stopped;
  if (guards && still >= rule->place.params.removed) {
    visit->reported = true;
    tell (rules, GST_CCA_RULES_REMOVED, index, track->id, 0, gst_cca_place_anchor (&rule->place, &track->box), dwell);
  } else if (!guards && visit->inside && (still < dwell ? still : dwell) >= rule->place.params.left) {
    visit->reported = true;
    tell (rules, GST_CCA_RULES_LEFT, index, track->id, 0, gst_cca_place_anchor (&rule->place, &track->box), dwell);
  }
}

static void
watch_zone (GstCcaRules *rules, size_t index, Track *track, Visit *visit, const GstCcaObject *seen, bool began,
            bool silent)
{
  const Rule *rule = &rules->rules[index];
  const bool inside = gst_cca_place_contains (&rule->place, &seen->box, visit->inside);

  if (!visit->inside && inside && gst_cca_place_admits (&rule->place, seen))
    enter (rules, index, track, visit, silent);
  else if (visit->inside && !inside)
    leave (rules, index, track, visit, silent);
  if (!inside)
    visit->was_outside = true;
  if (visit->inside && !visit->dwelt && !silent && rules->time - visit->since >= rule->place.params.dwell) {
    visit->dwelt = true;
    tell (rules, GST_CCA_RULES_DWELL, index, track->id, 0, gst_cca_place_anchor (&rule->place, &seen->box),
          rules->time - visit->since);
  }
  if (rule->place.params.left != GST_CCA_RULES_NEVER || rule->place.params.removed != GST_CCA_RULES_NEVER)
    watch_stop (rules, index, seen, visit, began, silent);
}

static const Track *
find_first_inside (const GstCcaRules *rules, size_t index, uint64_t *since)
{
  for (size_t i = 0; i < rules->now.n; i++) {
    const Visit *visit = &rules->now.visits[i * rules->params.n_rules + index];

    if (visit->inside) {
      *since = visit->since;
      return &rules->now.tracks[i];
    }
  }
  return NULL;
}

/* Tells when motion begins and ends; a silent frame lets the times begin anew. */
static void
watch_motion (GstCcaRules *rules, size_t index)
{
  Rule *rule = &rules->rules[index];
  const bool occupied = rule->occupancy > 0;
  const Track *track;
  uint64_t since = rules->time;

  if (rule->place.params.motion_on == GST_CCA_RULES_NEVER)
    return;
  if (occupied != rule->was_occupied || rules->silent)
    rule->motion_since = rules->time;
  rule->was_occupied = occupied;
  if (rules->silent || occupied == rule->motion
      || rules->time - rule->motion_since < (occupied ? rule->place.params.motion_on : rule->place.params.motion_off))
    return;
  rule->motion = occupied;
  track = find_first_inside (rules, index, &since);
  if (track != NULL)
    tell (rules, GST_CCA_RULES_MOTION_ON, index, track->id, 0, gst_cca_place_anchor (&rule->place, &track->box),
          rules->time - since);
  else
    tell (rules, GST_CCA_RULES_MOTION_OFF, index, 0, 0, gst_cca_box_center (&rule->place.bounds), GST_CCA_RULES_NEVER);
}

/* --- Lines ------------------------------------------------------------------------------------------- */

static bool
has_moved (const GstCcaBox *from, const GstCcaBox *to)
{
  return (from->min[0] != to->min[0]) | (from->max[0] != to->max[0]) | (from->min[1] != to->min[1])
         | (from->max[1] != to->max[1]);
}

static void
watch_line (GstCcaRules *rules, size_t index, const Track *track, Visit *visit, const GstCcaObject *seen, bool began,
            bool silent)
{
  Rule *rule = &rules->rules[index];
  GstCcaPosition anchor;
  int direction;

  if (silent)
    visit->crossings = 0;
  else if (!began && has_moved (&track->box, &seen->box))
    visit->crossings += gst_cca_place_crossings (&rule->place, &track->box, &seen->box);
  if (visit->crossings == 0)
    return;
  direction = visit->crossings > 0 ? 1 : -1;
  anchor = gst_cca_place_anchor (&rule->place, &seen->box);
  if (gst_cca_polyline_distance (rule->place.points, rule->place.n_points, false, anchor)
      <= gst_cca_place_band (&rule->place, &seen->box, direction == -visit->direction))
    return;
  visit->crossings = 0;
  visit->direction = direction;
  if (!gst_cca_place_admits (&rule->place, seen))
    return;
  if (direction > 0)
    rule->counts.n_in++;
  else
    rule->counts.n_out++;
  tell (rules, GST_CCA_RULES_CROSS, index, track->id, direction, anchor, GST_CCA_RULES_NEVER);
}

/* --- Tracks ------------------------------------------------------------------------------------------ */

/* Returns whether a track that was not seen for a while can be the object that is seen now. */
static bool
can_reach (const GstCcaRules *rules, const Track *track, const GstCcaBox *box)
{
  const uint64_t gap = rules->time - track->last_seen;
  const double way[2] = { track->velocity[0] * gap / 1e9, track->velocity[1] * gap / 1e9 };
  const double longer = fmax (track->box.max[0] - track->box.min[0], track->box.max[1] - track->box.min[1]);
  const GstCcaPosition from = gst_cca_box_center (&track->box);
  const GstCcaPosition ends[] = { from, { from.x + way[0], from.y + way[1] } };

  return gap <= LONGEST_GAP_NS
         && gst_cca_polyline_distance (ends, 2, false, gst_cca_box_center (box))
                <= REACH * (longer + gst_cca_length (way[0], way[1]));
}

/* Takes a track for one that ended where it was and began anew, but in zones where it stays. */
static void
end_visit (GstCcaRules *rules, size_t index, const Track *track, Visit *visit, const GstCcaBox *box)
{
  const GstCcaPlace *place = &rules->rules[index].place;

  visit->crossings = 0;
  visit->direction = 0;
  visit->was_outside = false;
  if (visit->inside && !gst_cca_place_contains (place, box, true))
    leave (rules, index, track, visit, rules->silent || !place->params.births);
}

static void
follow (GstCcaRules *rules, Track *track, Visit *visits, const GstCcaObject *seen)
{
  const bool hidden = seen->state == GST_CCA_OBJECT_COASTING;
  const bool jumps = !hidden && track->hidden && track->placed && !can_reach (rules, track, &seen->box);
  const bool began = !track->placed;
  const GstCcaBox before = track->box;
  GstCcaObject object = *seen;

  if (object.kind == 0 && rules->traffic != NULL)
    object.kind = gst_cca_traffic_size_class (rules->traffic, (size_t) (track - rules->now.tracks));
  track->hidden = hidden;
  if (hidden)
    return;
  track->placed = true;
  track->last_seen = rules->time;
  memcpy (track->velocity, seen->velocity, sizeof track->velocity);
  if (jumps && track->zone != NO_ZONE && !gst_cca_place_contains (&rules->rules[track->zone].place, &seen->box, true))
    track->zone = NO_ZONE;
  for (size_t i = 0; i < rules->params.n_rules; i++) {
    Visit *visit = &visits[i];
    const bool silent = rules->silent || visit->unknown;

    track->box = before;
    if (jumps)
      end_visit (rules, i, track, visit, &seen->box);
    if (rules->rules[i].place.params.kind == GST_CCA_RULES_ZONE) {
      track->box = seen->box;
      watch_zone (rules, i, track, visit, &object, began || visit->unknown, silent);
    } else {
      watch_line (rules, i, track, visit, &object, began || jumps, silent);
    }
    visit->unknown = false;
  }
  track->box = seen->box;
}

static void
end_track (GstCcaRules *rules, const Track *track, Visit *visits)
{
  for (size_t i = 0; i < rules->params.n_rules; i++)
    if (visits[i].inside)
      leave (rules, i, track, &visits[i], rules->silent || !rules->rules[i].place.params.births);
}

static bool
crowd_reserve (Crowd *crowd, size_t n, size_t n_rules)
{
  return GST_CCA_RESERVE (crowd->tracks, crowd->room_tracks, n)
         && GST_CCA_RESERVE (crowd->visits, crowd->room_visits, n * n_rules + 1);
}

/* Goes on with the first tracks, as long as the frame lists the known ones, where they are. Returns how many. */
static size_t
follow_first (GstCcaRules *rules, const GstCcaRulesFrame *frame)
{
  Crowd *now = &rules->now;
  size_t n = 0;

  for (; n < now->n && n < frame->n_tracks && now->tracks[n].id == frame->tracks[n].id; n++)
    follow (rules, &now->tracks[n], &now->visits[n * rules->params.n_rules], &frame->tracks[n]);
  return n;
}

/* Takes the frame's tracks: begins new ones, continues known ones, and ends the others. */
static void
take_tracks (GstCcaRules *rules, const GstCcaRulesFrame *frame)
{
  const size_t n_rules = rules->params.n_rules, first = follow_first (rules, frame);
  Crowd *now = &rules->now, *last = &rules->last;
  size_t old = 0;

  last->n = now->n - first;
  if (last->n > 0) {
    memcpy (last->tracks, now->tracks + first, last->n * sizeof *last->tracks);
    memcpy (last->visits, now->visits + first * n_rules, last->n * n_rules * sizeof *last->visits);
  }
  for (size_t i = first; i < frame->n_tracks; i++) {
    Track *track = &now->tracks[i];
    Visit *visits = &now->visits[i * n_rules];

    for (; old < last->n && last->tracks[old].id < frame->tracks[i].id; old++)
      end_track (rules, &last->tracks[old], &last->visits[old * n_rules]);
    if (old < last->n && last->tracks[old].id == frame->tracks[i].id) {
      *track = last->tracks[old];
      memcpy (visits, &last->visits[old * n_rules], n_rules * sizeof *visits);
      old++;
    } else {
      *track = (Track) { .id = frame->tracks[i].id, .zone = NO_ZONE };
      memset (visits, 0, n_rules * sizeof *visits);
    }
    follow (rules, track, visits, &frame->tracks[i]);
  }
  for (; old < last->n; old++)
    end_track (rules, &last->tracks[old], &last->visits[old * n_rules]);
  now->n = frame->n_tracks;
}

static void
forget_tracks (GstCcaRules *rules)
{
  rules->now.n = 0;
  if (rules->traffic != NULL)
    gst_cca_traffic_forget (rules->traffic);
  for (size_t i = 0; i < rules->params.n_rules; i++) {
    Rule *rule = &rules->rules[i];

    rule->occupancy = 0;
    /* So that the next frame sees a change, and times begin with it. */
    rule->was_occupied = rule->motion;
  }
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static double
coverage_of (const GstCcaRulesFrame *frame)
{
  double sum = 0.0;

  if (frame->coverage >= 0.0)
    return frame->coverage;
  for (size_t i = 0; i < frame->n_tracks; i++)
    if (frame->tracks[i].state != GST_CCA_OBJECT_COASTING)
      sum += frame->tracks[i].area;
  return fmin (sum / ((double) frame->width * frame->height), 1.0);
}

/* Sets the time, and whether the frame is of a scene that changes. */
static void
begin_frame (GstCcaRules *rules, const GstCcaRulesFrame *frame)
{
  const bool new_size = rules->width > 0 && (frame->width != rules->width || frame->height != rules->height);
  const double coverage = coverage_of (frame);
  double passed = 0.0;

  if (!rules->started) {
    rules->started = !frame->paused;
    rules->time = frame->time;
    rules->usual = coverage;
    rules->quiet = false;
  } else {
    passed = (double) (frame->time - rules->time);
    rules->time = frame->time;
  }
  rules->silent = frame->paused || rules->paused || frame->scene_changed || new_size
                  || coverage - rules->usual > rules->params.rise;
  if (!frame->paused)
    rules->usual += (coverage - rules->usual) * passed / (passed + COVERAGE_MEMORY_NS);
  if (rules->silent) {
    rules->quiet = true;
    rules->quiet_since = rules->time;
  } else {
    rules->quiet = rules->quiet && rules->time - rules->quiet_since < rules->params.hold;
    rules->silent = rules->quiet;
  }
}

static bool
is_inside (const void *data, size_t track, size_t rule)
{
  const GstCcaRules *rules = data;

  return rules->now.visits[track * rules->params.n_rules + rule].inside;
}

/* Returns the frame with the events so far. */
static GstCcaTrafficFrame
traffic_frame (const GstCcaRules *rules, const GstCcaRulesFrame *frame)
{
  const GstCcaPosition reference = reference_of (&rules->params, frame->width, frame->height);

  return (GstCcaTrafficFrame) {
    .time = rules->time,
    .width = frame->width,
    .height = frame->height,
    .scale_x = frame->width / reference.x,
    .scale_y = frame->height / reference.y,
    .silent = rules->silent,
    .tracks = frame->tracks,
    .n_tracks = frame->n_tracks,
    .rules = rules->traffic_rules,
    .is_inside = is_inside,
    .inside = rules,
    .events = rules->events,
    .n_events = rules->n_events,
  };
}

/* Measures, and reports the events that follow. */
static void
watch_traffic (GstCcaRules *rules, const GstCcaRulesFrame *frame)
{
  const GstCcaTrafficFrame traffic = traffic_frame (rules, frame);
  const GstCcaRulesEvent *events;
  size_t n_events;

  for (size_t i = 0; i < rules->params.n_rules; i++)
    rules->traffic_rules[i] = (GstCcaTrafficRule) { &rules->rules[i].place, rules->rules[i].occupancy };
  if (!gst_cca_traffic_run (rules->traffic, &traffic, &events, &n_events)
      || !GST_CCA_RESERVE (rules->events, rules->room_events, rules->n_events + n_events)) {
    rules->out_of_memory = true;
    return;
  }
  for (size_t i = 0; i < n_events; i++) {
    GstCcaRulesEvent *event = &rules->events[rules->n_events++];

    *event = events[i];
    event->counts = rules->rules[event->rule].counts;
    event->occupancy = rules->rules[event->rule].occupancy;
  }
}

bool
gst_cca_rules_run (GstCcaRules *rules, const GstCcaRulesFrame *frame, const GstCcaRulesEvent **events, size_t *n_events)
{
  if (!crowd_reserve (&rules->now, frame->n_tracks, rules->params.n_rules)
      || !crowd_reserve (&rules->last, rules->now.n, rules->params.n_rules)
      || (rules->traffic != NULL && !gst_cca_traffic_reserve (rules->traffic, frame->n_tracks)))
    return false;
  rules->n_events = 0;
  rules->out_of_memory = false;
  begin_frame (rules, frame);
  set_frame_size (rules, frame->width, frame->height);
  if (frame->paused) {
    forget_tracks (rules);
  } else {
    if (rules->traffic != NULL) {
      const GstCcaTrafficFrame traffic = traffic_frame (rules, frame);

      gst_cca_traffic_begin (rules->traffic, &traffic);
    }
    take_tracks (rules, frame);
  }
  rules->paused = frame->paused;
  for (size_t i = 0; i < rules->params.n_rules; i++)
    watch_motion (rules, i);
  if (rules->traffic != NULL && !frame->paused)
    watch_traffic (rules, frame);
  if (rules->out_of_memory)
    return false;
  *events = rules->events;
  *n_events = rules->n_events;
  return true;
}

void
gst_cca_rules_forget (GstCcaRules *rules)
{
  rules->started = false;
  forget_tracks (rules);
}

/* --- Another engine's counters and tracks ------------------------------------------------------------ */

static bool
same_rule (const GstCcaRules *a, size_t i, const GstCcaRules *b, size_t j)
{
  const GstCcaRulesRule *x = &a->rules[i].place.params, *y = &b->rules[j].place.params;

  if (x->kind != y->kind || x->n_points != y->n_points || strcmp (x->name, y->name) != 0)
    return false;
  if (x->n_points == 0)
    return true;
  if (a->params.relative != b->params.relative
      || (!a->params.relative && (a->params.width != b->params.width || a->params.height != b->params.height)))
    return false;
  for (size_t k = 0; k < x->n_points; k++)
    if (x->points[k].x != y->points[k].x || x->points[k].y != y->points[k].y)
      return false;
  return true;
}

/* Returns the old engine's rule that is the same, or NO_ZONE. */
static size_t
find_rule (const GstCcaRules *rules, size_t index, const GstCcaRules *old)
{
  for (size_t i = 0; i < old->params.n_rules; i++)
    if (same_rule (rules, index, old, i))
      return i;
  return NO_ZONE;
}

static void
adopt_rule (GstCcaRules *rules, size_t index, const GstCcaRules *old, size_t from)
{
  const size_t n_rules = rules->params.n_rules, n_old = old->params.n_rules;
  Rule *rule = &rules->rules[index];
  const Rule *before = &old->rules[from];

  rule->counts = before->counts;
  rule->occupancy = before->occupancy;
  rule->motion = before->motion;
  rule->motion_since = before->motion_since;
  rule->was_occupied = before->was_occupied;
  if (rules->traffic != NULL && old->traffic != NULL)
    gst_cca_traffic_adopt_rule (rules->traffic, index, old->traffic, from);
  for (size_t i = 0; i < rules->now.n; i++) {
    rules->now.visits[i * n_rules + index] = old->now.visits[i * n_old + from];
    if (old->now.tracks[i].zone == from && rule->place.params.flows)
      rules->now.tracks[i].zone = index;
  }
}

bool
gst_cca_rules_adopt (GstCcaRules *rules, const GstCcaRules *old)
{
  const size_t n_rules = rules->params.n_rules, n_old = old->params.n_rules;

  if (!crowd_reserve (&rules->now, old->now.n, n_rules)
      || (rules->traffic != NULL && old->traffic != NULL && !gst_cca_traffic_adopt (rules->traffic, old->traffic)))
    return false;
  if (old->width > 0)
    set_frame_size (rules, old->width, old->height);
  rules->started = old->started;
  rules->time = old->time;
  rules->usual = old->usual;
  rules->quiet = old->quiet;
  rules->quiet_since = old->quiet_since;
  rules->paused = old->paused;
  rules->now.n = old->now.n;
  for (size_t i = 0; i < old->now.n; i++) {
    rules->now.tracks[i] = old->now.tracks[i];
    rules->now.tracks[i].zone = NO_ZONE;
  }
  for (size_t i = 0; i < old->now.n * n_rules; i++)
    rules->now.visits[i] = (Visit) { .unknown = true };
  for (size_t i = 0; i < n_rules; i++) {
    const size_t from = find_rule (rules, i, old);

    if (from == NO_ZONE)
      continue;
    adopt_rule (rules, i, old, from);
    for (size_t j = 0; j < n_rules; j++) {
      const size_t to = find_rule (rules, j, old);

      if (to != NO_ZONE)
        rules->flows[i * n_rules + j] = old->flows[from * n_old + to];
    }
  }
  return true;
}

/* --- Counters ---------------------------------------------------------------------------------------- */

void
gst_cca_rules_reset_counts (GstCcaRules *rules)
{
  const size_t n = rules->params.n_rules;

  for (size_t i = 0; i < n; i++)
    rules->rules[i].counts = (GstCcaRulesCounts) { 0, 0 };
  for (size_t i = 0; i < n * n; i++)
    rules->flows[i] = 0;
}

size_t
gst_cca_rules_n_rules (const GstCcaRules *rules)
{
  return rules->params.n_rules;
}

const GstCcaRulesRule *
gst_cca_rules_rule (const GstCcaRules *rules, size_t rule)
{
  return &rules->rules[rule].place.params;
}

const GstCcaPosition *
gst_cca_rules_points (const GstCcaRules *rules, size_t rule, size_t *n_points)
{
  *n_points = rules->rules[rule].place.n_points;
  return rules->width > 0 ? rules->rules[rule].place.points : NULL;
}

GstCcaRulesCounts *
gst_cca_rules_counts (GstCcaRules *rules, size_t rule)
{
  return &rules->rules[rule].counts;
}

uint32_t
gst_cca_rules_occupancy (const GstCcaRules *rules, size_t rule)
{
  return rules->rules[rule].occupancy;
}

uint64_t
gst_cca_rules_flow (const GstCcaRules *rules, size_t from, size_t to)
{
  return rules->flows[from * rules->params.n_rules + to];
}

/* --- Measures ---------------------------------------------------------------------------------------- */

GstCcaRulesMeasures
gst_cca_rules_measures (const GstCcaRules *rules, size_t rule)
{
  return rules->traffic != NULL ? *gst_cca_traffic_measures (rules->traffic, rule) : (GstCcaRulesMeasures) { 0 };
}

const GstCcaRulesGroundTrack *
gst_cca_rules_ground_tracks (const GstCcaRules *rules, size_t *n)
{
  *n = 0;
  return rules->traffic != NULL ? gst_cca_traffic_tracks (rules->traffic, n) : NULL;
}
