/* gst-cca: scripted scenes of moving objects, with ground truth
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "scenes.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define MAX_OBJECTS 500
#define MAX_POLES 5
#define UNIT_NS 40e6

/* An object is in the truth when so much of its box lies in the frame. */
#define IN_VIEW 0.25

typedef enum
{
  BLOB,   /* an ellipse */
  WALKER, /* a body, and legs that move */
  BLOCK   /* a rectangle */
} Shape;

/* From a time on, an object moves like this. Times and speeds are in units of 40 ms. */
typedef struct
{
  int time;
  double vx, vy;
} Turn;

typedef struct
{
  Shape shape;
  double x, y; /* centre */
  double vx, vy;
  double width, height, growth; /* growth: the size's factor per 40 ms */
  double phase;                 /* of the steps */
  bool bounces;                 /* at the frame's borders */
  double from, until;           /* when it is there, 40 ms; until 0: always */
  Turn turns[4];
  int n_turns;
} Object;

struct Scene
{
  SceneKind kind;
  SceneRange range;
  uint64_t random;
  uint32_t width, height;
  double clock, end, tick; /* in 40 ms: of the frame, of the last one, between two */
  double drops;            /* part of the frames that are missing */
  double missing, broken;  /* part of an object's frames in which it is */
  int n_specks;
  Object objects[MAX_OBJECTS];
  int n_objects;
  struct
  {
    int x, width;
  } poles[MAX_POLES];
  int n_poles;
  SceneBox boxes[MAX_OBJECTS];
};

static const char *const names[N_SCENES] = { "walk",  "stop",  "cross", "crowd", "pole",
                                             "pairs", "drops", "fast",  "noise", "births" };

const char *
scene_name (SceneKind kind)
{
  return names[kind];
}

/* --- Chance ------------------------------------------------------------------------------------------ */

/* SplitMix64: Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014. */
static uint64_t
next_random (Scene *scene)
{
  uint64_t z = scene->random += 0x9e3779b97f4a7c15u;

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double
between (Scene *scene, double low, double high)
{
  return low + (high - low) * (double) (next_random (scene) >> 11) / 9007199254740992.0;
}

static bool
chance (Scene *scene, double probability)
{
  return between (scene, 0.0, 1.0) < probability;
}

static int
whole (Scene *scene, int low, int high)
{
  return low + (int) (next_random (scene) % (uint64_t) (high - low + 1));
}

/* The usual bounds, or those of the wide range. */
static double
either (Scene *scene, double low, double high, double wide_low, double wide_high)
{
  return scene->range == SCENE_WIDE ? between (scene, wide_low, wide_high) : between (scene, low, high);
}

static int
either_whole (Scene *scene, int low, int high, int wide_low, int wide_high)
{
  return scene->range == SCENE_WIDE ? whole (scene, wide_low, wide_high) : whole (scene, low, high);
}

/* --- Scripts ----------------------------------------------------------------------------------------- */

static Object *
add_walker (Scene *scene, double x, double y, double vx)
{
  Object *object = &scene->objects[scene->n_objects++];
  const double height = either (scene, 45.0, 75.0, 30.0, 85.0);
  Shape shape = chance (scene, 0.7) ? WALKER : BLOB;

  if (scene->range == SCENE_WIDE && chance (scene, 0.4))
    shape = BLOCK;
  *object = (Object) {
    .shape = shape,
    .x = x,
    .y = y,
    .vx = vx,
    .width = height * between (scene, 0.4, 0.6),
    .height = height,
    .growth = 1.0,
    .phase = between (scene, 0.0, 6.0),
  };
  return object;
}

static double
some_speed (Scene *scene)
{
  return either (scene, 1.2, 4.0, 0.5, 7.0) * (chance (scene, 0.5) ? 1.0 : -1.0);
}

/* A walker for each of four lanes, who enters from the side, or is there already, and sometimes another behind. */
static void
fill_lanes (Scene *scene)
{
  for (int lane = 0; lane < 4; lane++) {
    const double y = 45.0 + 90.0 * lane, vx = some_speed (scene);
    const double start = between (scene, -60.0, 250.0);

    add_walker (scene, vx > 0.0 ? start : scene->width - start, y, vx);
    if (chance (scene, 0.5))
      add_walker (scene, vx > 0.0 ? start - 150.0 : scene->width - start + 150.0, y, vx);
  }
}

static void
script_stops (Scene *scene)
{
  fill_lanes (scene);
  for (int i = 0; i < scene->n_objects; i++) {
    Object *object = &scene->objects[i];
    const int stop = whole (scene, 30, 70), go = stop + either_whole (scene, 15, 50, 5, 70);
    const double vx = object->vx;
    const bool follows = i > 0 && scene->objects[i - 1].y == object->y;

    if (follows)
      memcpy (object->turns, scene->objects[i - 1].turns, sizeof object->turns);
    else {
      object->turns[0] = (Turn) { stop, 0.0, 0.0 };
      object->turns[1] = (Turn) { go, chance (scene, 0.3) ? -vx : vx, 0.0 };
    }
    object->n_turns = 2;
  }
}

static void
script_crossings (Scene *scene)
{
  for (int lane = 0; lane < 4; lane++) {
    const double y = 45.0 + 90.0 * lane, meet = between (scene, 220.0, 420.0);
    const int when = whole (scene, 50, 100);
    const double left = either (scene, 1.5, 4.0, 0.8, 6.0);
    const double right =
        chance (scene, 0.75) ? -either (scene, 1.5, 4.0, 0.8, 6.0) : left * either (scene, 0.25, 0.45, 0.2, 0.7);

    add_walker (scene, meet - left * when, y + between (scene, -6.0, 6.0), left);
    add_walker (scene, meet - right * when, y + between (scene, -6.0, 6.0), right);
  }
}

static void
script_crowd (Scene *scene)
{
  scene->width = 1280;
  scene->height = 720;
  scene->end = 100.0;
  for (int i = 0; i < 500; i++) {
    Object *object = &scene->objects[scene->n_objects++];
    const double angle = between (scene, 0.0, 6.28318), speed = either (scene, 0.3, 2.5, 0.1, 3.5);

    *object = (Object) { BLOB,
                         20.0 + i % 30 * 42.7,
                         20.0 + i / 30 * 42.0,
                         speed * cos (angle),
                         speed * sin (angle),
                         either (scene, 5.0, 9.0, 3.5, 12.0),
                         either (scene, 5.0, 9.0, 3.5, 12.0),
                         1.0 };
    object->bounces = true;
  }
}

static void
script_poles (Scene *scene)
{
  fill_lanes (scene);
  scene->n_poles = either_whole (scene, 1, 3, 1, 5);
  for (int i = 0; i < scene->n_poles; i++) {
    scene->poles[i].x =
        scene->range == SCENE_WIDE ? whole (scene, 40, 100) + 110 * i : whole (scene, 100, 180) + 170 * i;
    scene->poles[i].width = either_whole (scene, 4, 12, 3, 40);
  }
}

/* Two people come near until they overlap, walk or stand together, and part: each walks on, or back. */
static void
script_pairs (Scene *scene)
{
  for (int lane = 0; lane < 4; lane++) {
    const double y = 45.0 + 90.0 * lane, middle = between (scene, 240.0, 400.0);
    const int meet = whole (scene, 35, 60), part = meet + either_whole (scene, 10, 50, 5, 80);
    const double left = either (scene, 1.5, 3.0, 1.0, 5.0), right = either (scene, 1.5, 3.0, 1.0, 5.0);
    const double together = chance (scene, 0.5) ? 0.0 : between (scene, -1.5, 1.5);
    Object *a = add_walker (scene, 0.0, y + between (scene, -5.0, 5.0), left);
    Object *b = add_walker (scene, 0.0, y + between (scene, -5.0, 5.0), -right);
    const double distance = (a->width + b->width) / 2.0 * either (scene, 0.4, 0.9, 0.2, 0.95);
    const bool passes = chance (scene, 0.3);

    a->x = middle - distance / 2.0 - left * meet;
    b->x = middle + distance / 2.0 + right * meet;
    a->n_turns = b->n_turns = 2;
    a->turns[0] = b->turns[0] = (Turn) { meet, together, 0.0 };
    a->turns[1] = (Turn) { part, passes ? left : -left, 0.0 };
    b->turns[1] = (Turn) { part, passes ? -right : right, 0.0 };
  }
}

static void
script_fast (Scene *scene)
{
  const int n = scene->range == SCENE_WIDE ? whole (scene, 4, 20) : 12;

  for (int i = 0; i < n; i++) {
    Object *object = &scene->objects[scene->n_objects++];
    const double angle = between (scene, 0.0, 6.28318), speed = either (scene, 12.0, 28.0, 8.0, 36.0);

    *object = (Object) { BLOB,
                         between (scene, 20.0, 620.0),
                         between (scene, 20.0, 340.0),
                         speed * cos (angle),
                         speed * sin (angle),
                         either (scene, 5.0, 10.0, 3.0, 14.0),
                         either (scene, 5.0, 10.0, 3.0, 14.0),
                         1.0 };
    object->bounces = true;
  }
}

static void
script_noise (Scene *scene)
{
  fill_lanes (scene);
  for (int i = 0; i < scene->n_objects; i++)
    scene->objects[i].growth = between (scene, 0.996, 1.003);
  scene->missing = scene->range == SCENE_WIDE ? between (scene, 0.02, 0.2) : 0.08;
  scene->broken = scene->range == SCENE_WIDE ? between (scene, 0.05, 0.3) : 0.15;
  scene->n_specks = scene->range == SCENE_WIDE ? whole (scene, 5, 40) : 15;
}

static void
script_births (Scene *scene)
{
  for (int place = 0; place < 6; place++) {
    double x = 110.0 + 210.0 * (place % 3), y = 90.0 + 180.0 * (place / 3), clock = between (scene, 0.0, 30.0);

    while (clock < scene->end) {
      const double angle = between (scene, 0.0, 6.28318), speed = either (scene, 0.5, 3.0, 0.2, 5.0);
      const double length = either (scene, 12.0, 40.0, 8.0, 60.0);
      Object *object = add_walker (scene, x, y, speed * cos (angle));

      object->vy = speed * sin (angle);
      object->x -= object->vx * clock; /* it moves before it is there */
      object->y -= object->vy * clock;
      object->from = clock;
      object->until = clock + length;
      clock += length + either (scene, 1.0, 15.0, 1.0, 30.0);
      x = 110.0 + 210.0 * (place % 3) + between (scene, -30.0, 30.0);
      y = 90.0 + 180.0 * (place / 3) + between (scene, -30.0, 30.0);
    }
  }
}

/* Another size, and another frame rate. */
static void
widen (Scene *scene)
{
  static const double sizes[] = { 0.5, 0.75, 1.0, 1.5, 2.0 };
  static const double rates[] = { 10.0, 15.0, 25.0, 25.0, 30.0, 50.0, 60.0 };
  const double size = sizes[scene->kind == SCENE_CROWD ? 2 : whole (scene, 0, 4)];
  const double rate = rates[scene->kind == SCENE_FAST ? whole (scene, 2, 6) : whole (scene, 0, 6)];

  scene->tick = 25.0 / rate;
  scene->width = (uint32_t) (scene->width * size);
  scene->height = (uint32_t) (scene->height * size);
  for (int i = 0; i < scene->n_objects; i++) {
    Object *object = &scene->objects[i];
    const double own = scene->kind == SCENE_FAST ? 1.0 : size; /* small ones stay small */

    object->x *= size;
    object->y *= size;
    object->vx *= own;
    object->vy *= own;
    object->width *= own;
    object->height *= own;
    for (int k = 0; k < object->n_turns; k++) {
      object->turns[k].vx *= own;
      object->turns[k].vy *= own;
    }
  }
  for (int i = 0; i < scene->n_poles; i++) {
    scene->poles[i].x = (int) (scene->poles[i].x * size);
    scene->poles[i].width = (int) ceil (scene->poles[i].width * size);
  }
}

Scene *
scene_new (SceneKind kind, SceneRange range, uint32_t seed)
{
  Scene *scene = g_new (Scene, 1);

  *scene = (Scene) { .kind = kind,
                     .range = range,
                     .random = (uint64_t) seed << 8 | kind,
                     .width = 640,
                     .height = 360,
                     .end = 150.0,
                     .tick = 1.0 };
  switch (kind) {
    case SCENE_STOP: script_stops (scene); break;
    case SCENE_CROSS: script_crossings (scene); break;
    case SCENE_CROWD: script_crowd (scene); break;
    case SCENE_POLE: script_poles (scene); break;
    case SCENE_PAIRS: script_pairs (scene); break;
    case SCENE_FAST: script_fast (scene); break;
    case SCENE_NOISE: script_noise (scene); break;
    case SCENE_BIRTHS: script_births (scene); break;
    default: fill_lanes (scene); break;
  }
  if (kind == SCENE_DROPS)
    scene->drops = range == SCENE_WIDE ? between (scene, 0.1, 0.6) : 0.3;
  if (range == SCENE_WIDE)
    widen (scene);
  return scene;
}

void
scene_free (Scene *scene)
{
  g_free (scene);
}

uint32_t
scene_width (const Scene *scene)
{
  return scene->width;
}

uint32_t
scene_height (const Scene *scene)
{
  return scene->height;
}

/* --- Frames ------------------------------------------------------------------------------------------ */

static bool
is_there (const Scene *scene, const Object *object)
{
  return object->until <= 0.0 || (scene->clock >= object->from && scene->clock < object->until);
}

/* A velocity that does not lead over the frame's borders. */
static double
turned (double position, double velocity, double size, double length, double time)
{
  const double next = position + velocity * time;

  return next < size / 2.0 ? fabs (velocity) : next > length - size / 2.0 ? -fabs (velocity) : velocity;
}

static void
step (Scene *scene)
{
  for (int i = 0; i < scene->n_objects; i++) {
    Object *object = &scene->objects[i];

    for (int k = 0; k < object->n_turns; k++)
      if (object->turns[k].time >= scene->clock && object->turns[k].time < scene->clock + scene->tick) {
        object->vx = object->turns[k].vx;
        object->vy = object->turns[k].vy;
      }
    if (object->bounces) {
      object->vx = turned (object->x, object->vx, object->width, scene->width, scene->tick);
      object->vy = turned (object->y, object->vy, object->height, scene->height, scene->tick);
    }
    object->x += object->vx * scene->tick;
    object->y += object->vy * scene->tick;
    object->width *= pow (object->growth, scene->tick);
    object->height *= pow (object->growth, scene->tick);
    object->phase += 0.12 * fabs (object->vx) * scene->tick;
  }
  scene->clock += scene->tick;
}

static bool
in_ellipse (double x, double y)
{
  return x * x + y * y <= 1.0;
}

/* Whether a point is in an object; -1…1 is its box. */
static bool
is_inside (const Object *object, double x, double y)
{
  const double swing = 0.65 * sin (object->phase);
  double leg;

  if (object->shape == BLOCK)
    return true;
  if (object->shape == BLOB)
    return in_ellipse (x, y);
  if (in_ellipse (x / 0.4, (y + 0.75) / 0.25) || (y > -0.6 && y < 0.2 && fabs (x) < 0.7))
    return true;
  leg = swing * (y - 0.1) / 0.9;
  return y >= 0.1 && y <= 1.0 && (fabs (x - leg) < 0.33 || fabs (x + leg) < 0.33);
}

static void
draw_object (Scene *scene, const Object *object, uint8_t *mask, bool broken)
{
  const double half_width = object->width / 2.0, half_height = object->height / 2.0;
  const int left = (int) fmax (0.0, floor (object->x - half_width));
  const int right = (int) fmin (scene->width, ceil (object->x + half_width));
  const int top = (int) fmax (0.0, floor (object->y - half_height));
  const int bottom = (int) fmin (scene->height, ceil (object->y + half_height));
  const double gap = broken ? between (scene, -0.5, 0.5) : 2.0;

  for (int y = top; y < bottom; y++)
    for (int x = left; x < right; x++) {
      const double dx = (x + 0.5 - object->x) / half_width, dy = (y + 0.5 - object->y) / half_height;

      if (is_inside (object, dx, dy) && fabs (dy - gap) > 0.06)
        mask[(size_t) y * scene->width + x] = 255;
    }
}

static void
draw_specks (Scene *scene, uint8_t *mask)
{
  for (int i = 0; i < scene->n_specks; i++) {
    const int x = whole (scene, 0, (int) scene->width - 3), y = whole (scene, 0, (int) scene->height - 3);
    const int width = whole (scene, 1, 3), height = whole (scene, 1, 2);

    for (int k = 0; k < width * height; k++)
      mask[(size_t) (y + k / width) * scene->width + x + k % width] = 255;
  }
}

static size_t
list_boxes (Scene *scene)
{
  size_t n = 0;

  for (int i = 0; i < scene->n_objects; i++) {
    const Object *object = &scene->objects[i];
    const double left = fmax (0.0, object->x - object->width / 2.0);
    const double right = fmin (scene->width, object->x + object->width / 2.0);
    const double top = fmax (0.0, object->y - object->height / 2.0);
    const double bottom = fmin (scene->height, object->y + object->height / 2.0);

    if (is_there (scene, object) && right > left && bottom > top
        && (right - left) * (bottom - top) >= IN_VIEW * object->width * object->height)
      scene->boxes[n++] = (SceneBox) { (uint32_t) i + 1, left, top, right - left, bottom - top };
  }
  return n;
}

bool
scene_next (Scene *scene, uint8_t *mask, uint64_t *time_ns, const SceneBox **boxes, size_t *n_boxes)
{
  const bool noisy = scene->kind == SCENE_NOISE;
  int steps = 1;

  /* Runs of missing frames, as a queue that overflows leaves, and single ones. */
  if (scene->kind == SCENE_DROPS && chance (scene, scene->drops))
    steps = chance (scene, 0.3) ? whole (scene, 4, 8) : whole (scene, 2, 3);
  for (int i = 0; i < steps; i++) {
    if (scene->clock > scene->end - scene->tick / 2.0)
      return false;
    step (scene);
  }
  memset (mask, 0, (size_t) scene->width * scene->height);
  for (int i = 0; i < scene->n_objects; i++)
    if (is_there (scene, &scene->objects[i]) && (!noisy || !chance (scene, scene->missing)))
      draw_object (scene, &scene->objects[i], mask, noisy && chance (scene, scene->broken));
  if (noisy)
    draw_specks (scene, mask);
  for (int i = 0; i < scene->n_poles; i++)
    for (uint32_t y = 0; y < scene->height; y++)
      memset (mask + (size_t) y * scene->width + scene->poles[i].x, 0, (size_t) scene->poles[i].width);
  *time_ns = (uint64_t) (scene->clock * UNIT_NS);
  *boxes = scene->boxes;
  *n_boxes = list_boxes (scene);
  return true;
}
