/* gst-cca: runs the tracker on scripted scenes, prints its scores, and writes what other trackers need
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: track-scenes SEED… [--write FILE]
 *
 * Prints a row for each kind of scene: IDF1 of all published boxes and of those that were seen, as means over the
 * seeds, and the time per frame. With --write, FILE receives lines of kind seed frame width height time  what id x y
 * width height in which what is "truth", "box" (a component: id is its label), "track", "coasting".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "identity.h"
#include "vision.h"

typedef struct
{
  double all, seen; /* IDF1 */
  double seconds;   /* of the tracker */
  size_t frames;
} Score;

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void *
need (void *memory)
{
  if (memory == NULL)
    abort ();
  return memory;
}

static void
write_line (FILE *file, const char *prefix, const char *what, uint64_t id, double x, double y, double w, double h)
{
  if (file != NULL)
    fprintf (file, "%s %s %llu %.2f %.2f %.2f %.2f\n", prefix, what, (unsigned long long) id, x, y, w, h);
}

static void
run_scene (SceneKind kind, uint32_t seed, FILE *file, Score *score)
{
  Scene *scene = scene_new (kind, seed);
  const uint32_t width = scene_width (scene), height = scene_height (scene);
  uint8_t *mask = need (malloc ((size_t) width * height));
  Vision *vision = vision_new (width, height);
  GstCcaTracker *tracker = need (gst_cca_tracker_new (NULL));
  Identity *all = identity_new (), *seen = identity_new ();
  SceneBox *boxes = NULL;
  const SceneBox *truth;
  uint64_t time_ns;
  size_t n_truth;

  for (unsigned number = 0; scene_next (scene, mask, &time_ns, &truth, &n_truth); number++) {
    GstCcaTrackerFrame frame;
    const GstCcaTrackerTrack *tracks;
    size_t n_tracks, n_seen = 0, n = 0;
    char prefix[128];
    double start;

    vision_look (vision, mask, time_ns, &frame);
    start = now ();
    if (!gst_cca_tracker_run (tracker, &frame, &tracks, &n_tracks))
      abort ();
    score->seconds += now () - start;
    score->frames++;

    snprintf (prefix, sizeof prefix, "%s %u %u %u %u %llu", scene_name (kind), seed, number, width, height,
              (unsigned long long) time_ns);
    for (size_t i = 0; i < n_truth; i++)
      write_line (file, prefix, "truth", truth[i].id, truth[i].x, truth[i].y, truth[i].width, truth[i].height);
    for (size_t i = 0; i < frame.n_components; i++) {
      const GstCcaTrackerComponent *c = &frame.components[i];

      write_line (file, prefix, "box", c->label, c->x, c->y, c->width, c->height);
    }
    boxes = need (realloc (boxes, (n_tracks + 1) * sizeof *boxes));
    for (int coasting = 0; coasting < 2; coasting++) {
      for (size_t i = 0; i < n_tracks; i++) {
        const GstCcaTrackerTrack *track = &tracks[i];

        if (track->state == GST_CCA_TRACKER_TENTATIVE || (track->state == GST_CCA_TRACKER_COASTING) != coasting)
          continue;
        boxes[n++] = (SceneBox) { (uint32_t) track->id, track->x, track->y, track->width, track->height };
        write_line (file, prefix, coasting ? "coasting" : "track", track->id, track->x, track->y, track->width,
                    track->height);
      }
      if (!coasting)
        n_seen = n;
    }
    identity_add (all, truth, n_truth, boxes, n);
    identity_add (seen, truth, n_truth, boxes, n_seen);
  }
  score->all += identity_f1 (all);
  score->seen += identity_f1 (seen);
  if (getenv ("TRACK_SCENES_EACH") != NULL)
    printf ("  %s %u: %.3f %.3f\n", scene_name (kind), seed, identity_f1 (all), identity_f1 (seen));
  identity_free (all);
  identity_free (seen);
  gst_cca_tracker_free (tracker);
  vision_free (vision);
  scene_free (scene);
  free (boxes);
  free (mask);
}

int
main (int argc, char **argv)
{
  Score total = { 0.0 };
  FILE *file = NULL;
  int n_seeds = argc - 1;

  if (argc > 2 && strcmp (argv[argc - 2], "--write") == 0) {
    n_seeds -= 2;
    file = fopen (argv[argc - 1], "w");
    if (file == NULL) {
      fprintf (stderr, "track-scenes: %s: %s\n", argv[argc - 1], strerror (errno));
      return 1;
    }
  }
  if (n_seeds < 1) {
    fprintf (stderr, "usage: track-scenes SEED… [--write FILE]\n");
    return 2;
  }
  printf ("%-6s %8s %8s %9s\n", "scene", "IDF1", "seen", "us/frame");
  for (int kind = 0; kind < N_SCENES; kind++) {
    Score score = { 0.0 };

    for (int i = 0; i < n_seeds; i++)
      run_scene (kind, (uint32_t) strtoul (argv[i + 1], NULL, 10), file, &score);
    printf ("%-6s %8.3f %8.3f %9.1f\n", scene_name (kind), score.all / n_seeds, score.seen / n_seeds,
            score.seconds / score.frames * 1e6);
    total.all += score.all / n_seeds / N_SCENES;
    total.seen += score.seen / n_seeds / N_SCENES;
  }
  printf ("%-6s %8.3f %8.3f\n", "mean", total.all, total.seen);
  if (file != NULL && fclose (file) != 0) {
    fprintf (stderr, "track-scenes: %s: %s\n", argv[argc - 1], strerror (errno));
    return 1;
  }
  return 0;
}
