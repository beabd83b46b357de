/* gst-cca: the time that ccaprivacy's logic takes for a 4K NV12 frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage: veil-speed
 *
 * Ten people of 250 x 700 pixels, or the whole frame, by mode. Prints the median and the slowest of 60 frames, in
 * processor time of the one thread.
 */
#include "gst/privacy/veil.h"
#include "../times.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
  WIDTH = 3840,
  HEIGHT = 2160,
  CELL = 16,
  COLUMNS = WIDTH / CELL,
  ROWS = HEIGHT / CELL,
  PEOPLE = 10,
  FRAMES = 60,
  BUFFERS = 4,
};

static GstCcaCoverBox people[PEOPLE];
static uint8_t counts[COLUMNS * ROWS];
static uint8_t frames[BUFFERS][WIDTH * HEIGHT * 3 / 2];

static void
place_people (void)
{
  for (uint32_t i = 0; i < PEOPLE; i++) {
    people[i] = (GstCcaCoverBox) { 100 + 370 * i, 400 + 400 * (i % 3), 250, 700 };
    for (uint32_t y = people[i].y / CELL; y < (people[i].y + people[i].height) / CELL; y++)
      for (uint32_t x = people[i].x / CELL; x < (people[i].x + people[i].width) / CELL; x++)
        counts[y * COLUMNS + x] = 200;
  }
}

static void
hide (GstCcaCover *cover, GstCcaVeil *veil, uint8_t *pixels, bool whole, GstCcaVeilMode mode)
{
  uint8_t *chroma = pixels + WIDTH * HEIGHT;
  const GstCcaVeilFrame frame = {
    WIDTH,
    HEIGHT,
    3,
    { { pixels, WIDTH, 1, 0, 0 }, { chroma, WIDTH, 2, 1, 1 }, { chroma + 1, WIDTH, 2, 1, 1 } },
    { 128, 128, 128 }
  };

  if (!gst_cca_cover_begin (cover, WIDTH, HEIGHT) || !gst_cca_veil_begin (veil, cover))
    exit (1);
  if (whole) {
    gst_cca_cover_hide_all (cover, 4);
  } else {
    gst_cca_cover_mark_cells (cover, counts, CELL, COLUMNS, ROWS);
    gst_cca_cover_grow_marks (cover, 16);
    gst_cca_cover_hide_marks (cover, people, PEOPLE, 16, 4);
  }
  gst_cca_veil_paint (veil, cover, &frame, mode);
}

int
main (void)
{
  static const char *const modes[] = { "blur", "pixelate", "fill" };
  GstCcaCover cover = { 0 };
  GstCcaVeil veil = { 0 };

  for (size_t i = 0; i < sizeof frames; i++)
    ((uint8_t *) frames)[i] = (uint8_t) rand ();
  place_people ();
  for (int whole = 0; whole < 2; whole++)
    for (int mode = 0; mode < 3; mode++) {
      double times[FRAMES];

      for (int i = 0; i < FRAMES; i++) {
        const double before = bench_processor_time ();

        hide (&cover, &veil, frames[i % BUFFERS], whole, (GstCcaVeilMode) mode);
        times[i] = (bench_processor_time () - before) / 1e6;
      }
      bench_sort (times, FRAMES);
      printf ("%s, %s: %.2f ms, at most %.2f\n", whole ? "whole frame" : "ten people", modes[mode], times[FRAMES / 2],
              times[FRAMES - 1]);
    }
  gst_cca_veil_free (&veil);
  gst_cca_cover_free (&cover);
  return 0;
}
