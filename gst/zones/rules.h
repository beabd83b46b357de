/* gst-cca: rules over tracks: zones, lines, and what happens there
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Coordinates are in pixels and lie between them: (0, 0) is the frame's upper left corner, (width, height) the lower
 * right one. Times are in ns. Equal input gives equal output. One thread at a time; engines are independent.
 *
 * What counts of a track is its anchor, a point of its box. A track that is not seen (coasting) stays where it was last
 * seen: it neither enters, leaves, crosses nor dwells. A track ends with the first frame that does not list it.
 *
 * When a track is seen again, the straight way in between is judged, and what it crossed counts then, if the object
 * can have gone it: it was not seen for at most 1 s, and its centre is no farther from the way that it would have gone
 * at its last velocity than half of its longer side and half of that way. It may have stopped, or gone on. If not,
 * another object may have been taken for it, and the rules judge the track as one that ended where it was last seen and
 * began where it is seen now: a line counts nothing, a zone what its births say. In a zone that has both places it
 * stays, and a standing object stays a standing one.
 *
 * A zone contains a track from the first frame with its anchor inside or on the border, until the anchor is further
 * than the band outside. With the anchor GST_CCA_RULES_OVERLAP it does from the first frame with at least that part of
 * the box inside, until less than half of that part is. Where a track lies is judged in frames: a track that jumps over
 * a zone was not in it.
 *
 * A line counts a crossing when a track is further than the band from it, and its way since it last was (or since it
 * began) has crossed the line more often from one side to the other than back: jitter, reversals within the band and
 * ways round the line's ends count nothing.
 *
 * When the whole scene changes, nothing counts and nothing is told: tracks that begin, move or end meanwhile do so
 * silently. A scene changes when the foreground covers, by the parameter rise, a larger part of the frame than it did
 * on the exponential average over 30 s, when the frame's size changes (trackers begin anew), or when the caller says
 * so; and until that has not been so for the parameter hold.
 *
 * While the engine is paused, because the camera does not see its scene, zones hold no tracks, nothing counts, nothing
 * is told, and no time passes for what is measured. The end of a pause is a change of the scene: the tracks that are
 * there then begin silently.
 *
 * Where the ground is known, the engine follows the middle of the lower side of each track's box on it in metres, and
 * measures what rules tell of speeds. Within a pixel of the frame's border, that side is not seen. A line is occupied
 * while a track that it is for stands on it, as footprint.h tells; one that is not seen stays where it was.
 *
 * With size classes, a track without a kind has that of its size class for the rules: the class of the median of the
 * areas, as of GstCcaRulesGroundTrack, of the frames so far in which its whole box was in the picture and its place was
 * known; there must be three of them at least.
 */
#pragma once

#include <stdint.h>

#include "homography.h"
#include "box.h"
#include "polygon.h"

#define GST_CCA_RULES_NEVER UINT64_MAX
#define GST_CCA_RULES_NO_RULE SIZE_MAX
#define GST_CCA_RULES_MAX_SIZE_CLASSES 8

typedef enum
{
  GST_CCA_RULES_ZONE,
  GST_CCA_RULES_LINE
} GstCcaRulesKind;

typedef enum
{
  GST_CCA_RULES_FOOT,   /* where the object stands: the middle of the box, 7 % of its height above the lower side */
  GST_CCA_RULES_BOTTOM, /* the middle of the box's lower side */
  GST_CCA_RULES_CENTER, /* the box's centre */
  GST_CCA_RULES_OVERLAP /* zones only: the part of the box that lies inside */
} GstCcaRulesAnchor;

/* Lengths, areas and points are in pixels of the reference size, or relative: x and widths to the frame's width; y,
 * heights and distances to its height; areas to its area. */
typedef struct
{
  const char *name;
  GstCcaRulesKind kind;
  const GstCcaPosition *points; /* zone: a polygon; line: a polyline */
  size_t n_points;              /* zone: at least 3, or 0 for the whole frame; line: at least 2 */
  GstCcaRulesAnchor anchor;
  double overlap; /* for GST_CCA_RULES_OVERLAP: the least part, 0…1; 0: whatever is more than nothing */
  double band;    /* distance; below 0: 1 % of the frame's height, or 10 % of the box's if that is more, and 40 % for a
                     track that crosses a line back */

  /* The tracks that the rule is for, when they enter, cross, or are told of as left or removed; 0: no limit. */
  double min_area, max_area, min_width, max_width, min_height, max_height;
  const uint32_t *kinds; /* the tracks are of one of these … */
  size_t n_kinds;        /* … or 0: of any kind, known or not */

  /* Of zones. Times are GST_CCA_RULES_NEVER for events that are off. */
  bool births;         /* count tracks that begin inside as entering, and tracks that end inside as leaving */
  bool flows;          /* the zone is an origin and a destination */
  uint64_t dwell;      /* tell when a track has been inside for so long; once a stay */
  uint64_t left;       /* tell when a track has stood still inside for so long; once a stop */
  uint64_t removed;    /* tell when a track has stood still for so long whose box matches the zone */
  double radius;       /* a track stands still that stays so near to where it stopped; below 0: 1 % of the height */
  double match;        /* for removed: zone and box share at least this part of each, above 0…1 */
  uint64_t motion_on;  /* tell when the zone has held tracks for so long */
  uint64_t motion_off; /* tell when, after that, it has held none for so long; not NEVER if motion_on is not */
  double queue_speed;  /* m/s; a track inside that is slower waits; needs the ground */
  uint64_t stopped;    /* tell when a track inside has been slower than stop_speed for so long; needs the ground */
  double stop_speed;   /* m/s */
  bool one_way;        /* tell when a track inside moves against the way */
  GstCcaPosition way[2];
  uint64_t crowded; /* tell when more than crowd tracks have been inside for so long, and when no more have been */
  uint32_t crowd;

  /* Of lines. */
  int allowed;     /* 1, -1: tell of crossings in the other direction; 0: all are allowed */
  size_t from;     /* another line, where a section begins that ends here; or GST_CCA_RULES_NO_RULE */
  double distance; /* the section's length, metres; 0: that on the ground */

  /* Of both. */
  uint64_t window;   /* measure over so long; NEVER: do not measure */
  double free_speed; /* m/s, without congestion; 0: not known */
} GstCcaRulesRule;

/* Sets the defaults of a kind: no name, no points, GST_CCA_RULES_FOOT, births and flows, nothing told but entering,
 * leaving and crossing. */
void gst_cca_rules_rule_init (GstCcaRulesRule *rule, GstCcaRulesKind kind);

/* Of areas above those of the class before. */
typedef struct
{
  uint32_t kind;   /* never 0 */
  double max_area; /* m²; that of the last class is not read */
} GstCcaRulesSizeClass;

typedef struct
{
  bool relative;
  uint32_t width, height; /* the reference size of pixels; 0: the frame's */
  const GstCcaRulesRule *rules;
  size_t n_rules;
  const GstCcaGround *ground;         /* from pixels of a frame of ground_width × ground_height; NULL: not known */
  double ground_width, ground_height; /* 0: the frame's */
  double rise;                        /* part of the frame, above 0…1; 1: scenes never change */
  uint64_t hold;                      /* ns */
  GstCcaRulesSizeClass size_classes[GST_CCA_RULES_MAX_SIZE_CLASSES]; /* by ascending area; need the ground */
  size_t n_size_classes;
} GstCcaRulesParams;

typedef struct
{
  uint64_t time;          /* never goes back; only differences count, so it may overflow */
  uint32_t width, height; /* pixels, at least 1; rules and the state of tracks are scaled to it */
  double coverage;        /* the part of the frame that is foreground; below 0: not known, then that of the tracks */
  bool scene_changed;     /* the caller knows that the whole scene changed */
  const GstCcaObject *tracks; /* not tentative, by ascending id; read are id, state, box, velocity and area */
  size_t n_tracks;
  bool paused; /* the frame does not show the scene: its tracks and coverage are not read */
} GstCcaRulesFrame;

typedef enum
{
  GST_CCA_RULES_ENTER,
  GST_CCA_RULES_LEAVE,
  GST_CCA_RULES_DWELL,
  GST_CCA_RULES_CROSS,
  GST_CCA_RULES_LEFT,
  GST_CCA_RULES_REMOVED,
  GST_CCA_RULES_MOTION_ON,
  GST_CCA_RULES_MOTION_OFF,
  GST_CCA_RULES_WRONG_WAY,
  GST_CCA_RULES_STOPPED,
  GST_CCA_RULES_SECTION, /* passed; speed is the mean one, dwell the time that it took */
  GST_CCA_RULES_CROWD_ON,
  GST_CCA_RULES_CROWD_OFF
} GstCcaRulesEventType;

/* Which measures are known; as flags. */
typedef enum
{
  GST_CCA_RULES_SPEED = 1 << 0,
  GST_CCA_RULES_HEADING = 1 << 1,
  GST_CCA_RULES_HEADWAY = 1 << 2,
  GST_CCA_RULES_GAP = 1 << 3,
  GST_CCA_RULES_FLOW = 1 << 4,
  GST_CCA_RULES_OCCUPIED = 1 << 5,
  GST_CCA_RULES_CONGESTION = 1 << 6,
  GST_CCA_RULES_QUEUE = 1 << 7
} GstCcaRulesMeasured;

/* What a rule measured over its window. */
typedef struct
{
  unsigned known;      /* GstCcaRulesMeasured */
  double speed;        /* m/s; line: the mean of crossings; zone: of the tracks inside, over time */
  double flow;         /* a minute; line: crossings; zone: entries */
  double occupied;     /* the part of the time in which tracks were inside, or one stood on the line, 0…1 */
  double congestion;   /* 0: as fast as the free speed; 1: all stand */
  uint32_t queue;      /* zone: tracks that wait now */
  double queue_length; /* from the first to the last of them, metres */
} GstCcaRulesMeasures;

/* A track on the ground. */
typedef struct
{
  uint64_t id;
  unsigned known; /* GstCcaRulesMeasured */
  double place[2];
  double speed;        /* m/s */
  double heading;      /* degrees clockwise from the ground's y axis, 0…360 */
  double area;         /* of its silhouette, as if it stood upright and faced the camera, m² */
  uint32_t size_class; /* the kind of one; 0: not known */
} GstCcaRulesGroundTrack;

/* Never decreases but for gst_cca_rules_reset_counts(). */
typedef struct
{
  uint64_t n_in, n_out; /* zone: entered, left; line: crossed from its left to its right side, and back */
} GstCcaRulesCounts;

typedef struct
{
  GstCcaRulesEventType type;
  size_t rule;
  uint64_t track;           /* 0: none, with GST_CCA_RULES_MOTION_OFF and crowds */
  int direction;            /* of a crossing: 1 to the right side, -1 to the left; else 0 */
  GstCcaPosition position;  /* the track's anchor (its box's centre for GST_CCA_RULES_OVERLAP); with no track the centre
                               of the box around the zone */
  uint64_t dwell;           /* how long the track has been inside; GST_CCA_RULES_NEVER where that says nothing */
  GstCcaRulesCounts counts; /* of the rule, after the event */
  uint32_t occupancy;       /* tracks inside, after the event */
  unsigned known;           /* GstCcaRulesMeasured, of what follows */
  double speed;             /* of the track, m/s */
  uint64_t headway;         /* of a crossing: since the one before in the same direction */
  double gap;               /* of a crossing: how far ahead the track of the one before is by then, at the speed that it
                               had, metres */
  uint32_t size_class;      /* of the track, the kind of one; 0: not known */
} GstCcaRulesEvent;

typedef struct GstCcaRules GstCcaRules;

/* Copies the parameters and returns an engine, which the caller frees; NULL if memory is exhausted. */
GstCcaRules *gst_cca_rules_new (const GstCcaRulesParams *params);
void gst_cca_rules_free (GstCcaRules *rules); /* NULL is allowed */

/* Goes on where another engine stopped: rules of the same kind, name and geometry keep their counters, flows and what
 * they know of tracks; others take the tracks that are there silently. Call it before the first frame. Returns FALSE if
 * memory is exhausted: then the engine must be freed. */
bool gst_cca_rules_adopt (GstCcaRules *rules, const GstCcaRules *old);

/* Takes a frame and returns its events, by ascending track, then rule; then motion, then measured ones. They are valid
 * until the next call for this engine. Returns FALSE if memory is exhausted: then *events and *n_events are not
 * changed, and some of what the frame would have told may be counted and not told. */
bool gst_cca_rules_run (GstCcaRules *rules, const GstCcaRulesFrame *frame, const GstCcaRulesEvent **events,
                        size_t *n_events);

/* Forgets all tracks and the last time, for flushes and new timelines. Counters stay, and so does motion that is on. */
void gst_cca_rules_forget (GstCcaRules *rules);

/* Sets all counters and flows to 0. Tracks inside stay. */
void gst_cca_rules_reset_counts (GstCcaRules *rules);

size_t gst_cca_rules_n_rules (const GstCcaRules *rules);

/* Returns the engine's copy of a rule's parameters, which lives as long as the engine. */
const GstCcaRulesRule *gst_cca_rules_rule (const GstCcaRules *rules, size_t rule);

/* Returns the points of a rule in the last frame, closed for zones; NULL before the first frame. */
const GstCcaPosition *gst_cca_rules_points (const GstCcaRules *rules, size_t rule, size_t *n_points);

/* The rule's counters may be set, as from a former run. */
GstCcaRulesCounts *gst_cca_rules_counts (GstCcaRules *rules, size_t rule);

/* Returns the number of tracks inside of a zone; 0 for a line. */
uint32_t gst_cca_rules_occupancy (const GstCcaRules *rules, size_t rule);

/* Returns what a rule measures: as it was at its last event, or less than a second ago. */
GstCcaRulesMeasures gst_cca_rules_measures (const GstCcaRules *rules, size_t rule);

/* Returns the tracks of the last frame that were seen and whose place on the ground is known, by ascending id; they are
 * valid until the next frame. */
const GstCcaRulesGroundTrack *gst_cca_rules_ground_tracks (const GstCcaRules *rules, size_t *n);

/* Returns how many tracks entered the zone `to` and had entered `from` last before. */
uint64_t gst_cca_rules_flow (const GstCcaRules *rules, size_t from, size_t to);
