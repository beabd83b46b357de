/* gst-cca: films on which the background model of samples is tested: drawn pixels, and the foreground that the oracle
 * finds in them
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

#include "compare.h"

/* How a film stores its chroma. */
typedef enum
{
  CHROMA_NONE,
  CHROMA_PLANES,
  CHROMA_PAIRS,
  CHROMA_PAIRS_V_FIRST
} Chroma;

/* A film, and the expected foreground. */
typedef struct
{
  const char *name;
  uint32_t width, height, n_frames;
  Chroma chroma;
  uint32_t shift_x, shift_y;
  bool leaves;      /* the left half of the background sways; light and camera stay */
  bool stands;      /* an object stands from the end of learning on; light and camera stay */
  bool holds;       /* the model is told where objects are */
  bool drifts;      /* the camera drifts farther than it is followed, and back */
  bool returns;     /* scenes come and go; light and camera stay */
  bool opens;       /* dark at first, then it becomes light; the camera stays */
  bool shade;       /* the standing object is dark and has the background's colour, like a deep shadow */
  bool colourless;  /* all chroma is 128 */
  CcaParams params; /* algorithm and n_threads are the target's */
  uint8_t *luma, *chroma_planes;
  size_t luma_size, chroma_size; /* of a frame */
  OracleChroma *layouts;         /* of each frame */
  OracleFrame **expected;        /* once a film is first run */
} Film;

/* The story: an object leaves the place where learning found it, another wanders with its shadow, a part flickers, the
 * camera shakes, the light changes, and at last another scene is shown. Frames to the first of each: */
enum
{
  LEARNED = 10,
  LEAVES = 16,
  SHAKES = 26,
  STILL = 34,
  BRIGHTER = 42,
  SATURATED = 50,
  OTHER_SCENE = 58,
  RETURNS = 68, /* of films whose scenes come and go: the second one */
  LIGHTS_OFF = 260,
  LIGHTS_ON = 335,
  GLITCH = 40, /* of films whose light and camera stay: another scene for some frames */
  NORMAL = 43,
  OPENS = 30, /* of films that are dark at first: it becomes light, … */
  OPEN = 50   /* … and is */
};

extern Film films[];
extern const size_t n_films;

/* Draws all films, and frees them. */
void films_init (void);
void films_clear (void);

Film *film_of (const char *name);

/* Lets the oracle find the foreground of all frames, unless it has. */
void film_expect (Film *film);

/* The film's chroma of a frame; NULL without. */
const OracleChroma *film_chroma (const Film *film, uint32_t t);

/* Where an object stands. */
OracleRectangle film_standing_place (const Film *film);

/* Fills in the places held before a frame: of an object that stands, and of one that has left; now and then the whole
 * frame or many small places, at last none. Returns the number of rectangles. */
uint32_t film_held_places (const Film *film, uint32_t t, CcaRectangle places[CCA_MAX_HELD]);
