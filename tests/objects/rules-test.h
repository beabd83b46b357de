/* gst-cca: what the tests of rules share: films of scripted tracks, and what the rules tell and count
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
  GString *told; /* since it was last read */
} Film;

/* A zone of 100…200 × 100…200; jitter of up to 5 pixels is within the band. */
extern const GstCcaPosition square[4], far_square[4];
/* From the left to the right at y = 300: a track that goes down crosses it forward. */
extern const GstCcaPosition gate[2];

Film *film_new (void);
Film *film_with_zone (GstCcaRulesRule **rule);
Film *film_with_line (void);
/* With a zone that tells of everything at once, and a line. */
Film *busy_film (void);
/* Asserts that nothing was told since it was last read. */
void film_free (Film *film);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free)

/* Before the first frame, or before rules are exchanged. */
GstCcaRulesRule *add_rule (Film *film, GstCcaRulesKind kind, const gchar *name, const GstCcaPosition *points, gsize n);

/* Puts a track into the frame by the middle of its box's lower side; by ascending ids. */
GstCcaObject *put (Film *film, guint64 id, gdouble x, gdouble y);
/* The same of a track that is not seen. */
void coast (Film *film, guint64 id, gdouble x, gdouble y);
/* Shows a track that is not seen for so many frames. */
void hide_track (Film *film, guint64 id, gdouble x, gdouble y, guint n_frames);
/* Shows a track that moves by so many pixels a second. */
void show_moving (Film *film, guint64 id, gdouble x, gdouble y, gdouble velocity_x, gdouble velocity_y);

/* Shows the frame; returns FALSE if an allocation failed. */
gboolean try_frame (Film *film);
/* Shows the frame and begins the next. */
void show (Film *film);
void show_track (Film *film, guint64 id, gdouble x, gdouble y);

/* A track walks straight to a place, a step a frame. */
void walk (Film *film, guint64 id, gdouble from_x, gdouble from_y, gdouble to_x, gdouble to_y, guint steps);
void stand (Film *film, guint64 id, gdouble x, gdouble y, gdouble seconds);

/* Reads what was told: "TYPE RULE TRACK", with a direction where there is one, separated by ", ". */
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
