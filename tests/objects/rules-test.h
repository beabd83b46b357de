/* gst-cca: shared by the tests of rules: films of scripted tracks, and the events and counts of the rules
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include "../add-tests.h"
#include "gst/zones/rules.h"

#define FRAME_NS (40 * G_GUINT64_CONSTANT (1000000))
#define SECOND (25 * FRAME_NS)

/* Frames of 1000×500 every 40 ms, with tracks of 20×40. */
typedef struct
{
  GstCcaRulesParams params;
  GstCcaRulesRule rules[4];
  GstCcaRules *engine;
  guint32 width, height;
  guint64 time;
  gdouble coverage;
  gboolean paused;
  GstCcaObject tracks[64];
  gsize n;
  GString *told; /* reports not read yet */
} Film;

/* A zone of 100…200 × 100…200; its tolerance band takes jitter of up to 5 pixels. */
extern const GstCcaPosition square[4], far_square[4];
/* A line from left to right at y = 300: a track that goes down crosses it forward. */
extern const GstCcaPosition gate[2];

Film *film_new (void);
Film *film_with_zone (GstCcaRulesRule **rule);
Film *film_with_line (void);
/* Makes a film with a zone that reports everything at once, and a line. */
Film *busy_film (void);
/* Asserts that all reports were read, and frees the film. */
void film_free (Film *film);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free)

/* Adds a rule. Call it before the first frame, or before the rules are replaced. */
GstCcaRulesRule *add_rule (Film *film, GstCcaRulesKind kind, const gchar *name, const GstCcaPosition *points, gsize n);

/* Puts a track into the frame, by the middle of its box's lower side. Ids must ascend. */
GstCcaObject *put (Film *film, guint64 id, gdouble x, gdouble y);
/* Does the same for a track that is not seen. */
void coast (Film *film, guint64 id, gdouble x, gdouble y);
/* Shows a track that is not seen for n frames. */
void hide_track (Film *film, guint64 id, gdouble x, gdouble y, guint n_frames);
/* Shows a track with this velocity, pixels per second. */
void show_moving (Film *film, guint64 id, gdouble x, gdouble y, gdouble velocity_x, gdouble velocity_y);

/* Shows the frame; returns FALSE if an allocation failed. */
gboolean try_frame (Film *film);
/* Shows the frame and starts the next. */
void show (Film *film);
void show_track (Film *film, guint64 id, gdouble x, gdouble y);

/* Walks a track straight to a place, a step per frame. */
void walk (Film *film, guint64 id, gdouble from_x, gdouble from_y, gdouble to_x, gdouble to_y, guint steps);
void stand (Film *film, guint64 id, gdouble x, gdouble y, gdouble seconds);

/* Reads the reports: "TYPE RULE TRACK", with a direction if there is one, separated by ", ". */
#define assert_told(film, text)                                                                                        \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_assert_cmpstr ((film)->told->str, ==, text);                                                                     \
    g_string_truncate ((film)->told, 0);                                                                               \
  }                                                                                                                    \
  G_STMT_END

#define assert_counts(film, rule, in, out, inside)                                                                     \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_assert_cmpuint (gst_cca_rules_counts ((film)->engine, rule)->n_in, ==, in);                                      \
    g_assert_cmpuint (gst_cca_rules_counts ((film)->engine, rule)->n_out, ==, out);                                    \
    g_assert_cmpuint (gst_cca_rules_occupancy ((film)->engine, rule), ==, inside);                                     \
  }                                                                                                                    \
  G_STMT_END
