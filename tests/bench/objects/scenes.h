/* gst-cca: scripted scenes of moving objects, with ground truth
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Objects are drawn into masks, in which libcca finds components, so that a tracker gets what it would get of a camera:
 * several components of an object that a pole hides in part, one of objects that touch.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum
{
  SCENE_WALK,   /* alone, in lanes of their own */
  SCENE_STOP,   /* they stop, then continue or turn back */
  SCENE_CROSS,  /* they pass each other in one lane */
  SCENE_CROWD,  /* 500 small ones */
  SCENE_POLE,   /* poles cut them in two */
  SCENE_PAIRS,  /* two meet, stay together, and part */
  SCENE_DROPS,  /* frames are missing, the rate varies */
  SCENE_FAST,   /* small ones that move by more than their size */
  SCENE_NOISE,  /* specks, objects that are missing for a frame or break in pieces, that come nearer and go */
  SCENE_BIRTHS, /* they vanish, and others appear near there */
  N_SCENES
} SceneKind;

typedef enum
{
  SCENE_USUAL, /* what the tracker was tuned on */
  SCENE_WIDE   /* other frame sizes and rates, 10 to 60 a second; more kinds of sizes, speeds, poles, meetings, noise */
} SceneRange;

/* Returns "walk", "stop", … */
const char *scene_name (SceneKind kind);

/* An object's box in a frame, hidden parts included, clipped to the frame. */
typedef struct
{
  uint32_t id; /* from 1 on */
  double x, y, width, height;
} SceneBox;

typedef struct Scene Scene;

/* Returns a scene, which the caller frees. The same kind, range and seed always give the same frames. */
Scene *scene_new (SceneKind kind, SceneRange range, uint32_t seed);
void scene_free (Scene *scene);

uint32_t scene_width (const Scene *scene);
uint32_t scene_height (const Scene *scene);

/* Draws the next frame: width x height bytes, 255 where an object is and 0 elsewhere. *boxes, *n_boxes of them, are
 * valid until the next call. Returns FALSE after the last frame. */
bool scene_next (Scene *scene, uint8_t *mask, uint64_t *time_ns, const SceneBox **boxes, size_t *n_boxes);
