/* gst-cca: runs the tracker on scripted scenes, prints its scores, and writes the input of other trackers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: track-scenes [--wide] [--boxes] [--only KIND] [--write FILE] SEED…
 *
 * --wide takes scenes of the wide range (scenes.h), --boxes gives the tracker no coverage, --only takes one kind.
 * Prints a row for each kind of scene: IDF1 of all published boxes and of those that were seen, as means over the
 * seeds, and the time per frame. With --write, FILE receives lines of kind seed frame width height time  what id x y
 * width height in which what is "truth", "box" (a component: id is its label), "track", "coasting".
 */
#include <errno.h>
#include <getopt.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vision.h"
#include "../times.h"

typedef struct
{
  SceneRange range;
  bool boxes;
  const char *only; /* or NULL */
  FILE *file;       /* or NULL */
} Options;

typedef struct
{
  double all, seen; /* IDF1 */
  double time;      /* of the tracker, ns */
  size_t frames;
} Score;

static void
write_line (FILE *file, const char *prefix, const char *what, uint64_t id, double x, double y, double w, double h)
{
  if (file != NULL)
    fprintf (file, "%s %s %llu %.2f %.2f %.2f %.2f\n", prefix, what, (unsigned long long) id, x, y, w, h);
}

static void
run_scene (SceneKind kind, uint32_t seed, const Options *options, Score *score)
{
  Scene *scene = scene_new (kind, options->range, seed);
  FILE *file = options->file;
  const uint32_t width = scene_width (scene), height = scene_height (scene);
  uint8_t *mask = g_malloc ((size_t) width * height);
  Vision *vision = vision_new (width, height);
  GstCcaTracker *tracker = gst_cca_tracker_new (NULL);
  Identity *all = identity_new (), *seen = identity_new ();
  SceneBox *boxes = NULL;
  const SceneBox *truth;
  uint64_t time_ns;
  size_t n_truth;

  if (tracker == NULL)
    abort ();
  for (unsigned number = 0; scene_next (scene, mask, &time_ns, &truth, &n_truth); number++) {
    GstCcaTrackerFrame frame;
    const GstCcaObject *tracks;
    size_t n_tracks, n_seen = 0, n = 0;
    char prefix[128];
    double start;

    vision_look (vision, mask, time_ns, &frame);
    if (options->boxes)
      frame.coverage = NULL;
    start = bench_now ();
    if (!gst_cca_tracker_run (tracker, &frame, &tracks, &n_tracks))
      abort ();
    score->time += bench_now () - start;
    score->frames++;

    snprintf (prefix, sizeof prefix, "%s %u %u %u %u %llu", scene_name (kind), seed, number, width, height,
              (unsigned long long) time_ns);
    for (size_t i = 0; i < n_truth; i++)
      write_line (file, prefix, "truth", truth[i].id, truth[i].x, truth[i].y, truth[i].width, truth[i].height);
    for (size_t i = 0; i < frame.n_components; i++) {
      const GstCcaTrackerComponent *c = &frame.components[i];

      write_line (file, prefix, "box", c->label, c->x, c->y, c->width, c->height);
    }
    boxes = g_renew (SceneBox, boxes, n_tracks + 1);
    for (int coasting = 0; coasting < 2; coasting++) {
      for (size_t i = 0; i < n_tracks; i++) {
        const GstCcaObject *track = &tracks[i];
        const SceneBox box = vision_box (track);

        if (track->state == GST_CCA_OBJECT_TENTATIVE || (track->state == GST_CCA_OBJECT_COASTING) != coasting)
          continue;
        boxes[n++] = box;
        write_line (file, prefix, coasting ? "coasting" : "track", track->id, box.x, box.y, box.width, box.height);
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
  g_free (boxes);
  g_free (mask);
}

static int
usage (void)
{
  fprintf (stderr, "usage: track-scenes [--wide] [--boxes] [--only KIND] [--write FILE] SEED…\n");
  return 2;
}

int
main (int argc, char **argv)
{
  static const struct option names[] = { { "wide", no_argument, NULL, 'w' },
                                         { "boxes", no_argument, NULL, 'b' },
                                         { "only", required_argument, NULL, 'o' },
                                         { "write", required_argument, NULL, 'f' },
                                         { NULL, 0, NULL, 0 } };
  const char *path = NULL;
  Options options = { SCENE_USUAL, false, NULL, NULL };
  Score total = { 0.0 };
  int option, n_seeds, n_kinds = 0;

  while ((option = getopt_long (argc, argv, "", names, NULL)) != -1)
    switch (option) {
      case 'w': options.range = SCENE_WIDE; break;
      case 'b': options.boxes = true; break;
      case 'o': options.only = optarg; break;
      case 'f': path = optarg; break;
      default: return usage ();
    }
  n_seeds = argc - optind;
  if (n_seeds < 1)
    return usage ();
  if (path != NULL && (options.file = fopen (path, "w")) == NULL) {
    fprintf (stderr, "track-scenes: %s: %s\n", path, strerror (errno));
    return 1;
  }
  printf ("%-6s %8s %8s %9s\n", "scene", "IDF1", "seen", "us/frame");
  for (int kind = 0; kind < N_SCENES; kind++) {
    Score score = { 0.0 };

    if (options.only != NULL && strcmp (options.only, scene_name (kind)) != 0)
      continue;
    for (int i = 0; i < n_seeds; i++)
      run_scene (kind, (uint32_t) strtoul (argv[optind + i], NULL, 10), &options, &score);
    printf ("%-6s %8.3f %8.3f %9.1f\n", scene_name (kind), score.all / n_seeds, score.seen / n_seeds,
            score.time / score.frames / 1e3);
    total.all += score.all / n_seeds;
    total.seen += score.seen / n_seeds;
    n_kinds++;
  }
  if (n_kinds == 0)
    return usage ();
  printf ("%-6s %8.3f %8.3f\n", "mean", total.all / n_kinds, total.seen / n_kinds);
  if (path != NULL && fclose (options.file) != 0) {
    fprintf (stderr, "track-scenes: %s: %s\n", path, strerror (errno));
    return 1;
  }
  return 0;
}
