/* gst-cca: a stream's time, by time stamps that may be wrong
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../add-tests.h"
#include "gst/common/gstccatimes.h"

#define S GST_SECOND
#define YEAR (365 * 86400 * S)
#define NONE GST_CLOCK_TIME_NONE

typedef struct
{
  GstClockTime stamp, time;
  GstCcaClockStep step;
} Frame;

#define ON GST_CCA_CLOCK_GOES_ON
#define BACK GST_CCA_CLOCK_WENT_BACK
#define AHEAD GST_CCA_CLOCK_WAS_AHEAD

typedef struct
{
  const gchar *name;
  Frame frames[10]; /* up to a stamp and a time of 0 behind the first */
} Case;

static const Case cases[] = {
  { "regular", { { 5 * S, 5 * S, ON }, { 6 * S, 6 * S, ON }, { 16 * S, 16 * S, ON } } },
  { "little-back", { { 5 * S, 5 * S, ON }, { 6 * S, 6 * S, ON }, { 5 * S, 6 * S, ON }, { 7 * S, 7 * S, ON } } },
  { "one-ahead",
    { { 5 * S, 5 * S, ON },
      { 6 * S, 6 * S, ON },
      { YEAR, 7 * S, ON },
      { 8 * S, 8 * S, AHEAD },
      { 9 * S, 9 * S, ON } } },
  { "one-ahead-and-little-back",
    { { 5 * S, 5 * S, ON },
      { 6 * S, 6 * S, ON },
      { YEAR, 7 * S, ON },
      { 6 * S, 7 * S, AHEAD },
      { 7 * S, 8 * S, ON } } },
  { "one-back",
    { { YEAR, YEAR, ON }, { YEAR + S, YEAR + S, ON }, { S, YEAR + 2 * S, BACK }, { YEAR + 3 * S, YEAR + 3 * S, ON } } },
  { "gap", { { 5 * S, 5 * S, ON }, { 6 * S, 6 * S, ON }, { YEAR, 7 * S, ON }, { YEAR + S, YEAR + S, ON } } },
  { "back",
    { { YEAR, YEAR, ON },
      { YEAR + S, YEAR + S, ON },
      { S, YEAR + 2 * S, BACK },
      { 2 * S, YEAR + 3 * S, ON },
      { 3 * S, YEAR + 4 * S, ON } } },
  { "two-ahead-and-back",
    { { S, S, ON },
      { 2 * S, 2 * S, ON },
      { YEAR, 3 * S, ON },
      { YEAR + S, YEAR + S, ON },
      { 5 * S, YEAR + 2 * S, BACK },
      { 6 * S, YEAR + 3 * S, ON } } },
  { "none-goes-on",
    { { S, S, ON },
      { 2 * S, 2 * S, ON },
      { 3 * YEAR, 3 * S, ON },
      { 2 * YEAR, 4 * S, ON },
      { YEAR, 5 * S, ON },
      { 6 * S, 6 * S, AHEAD } } },
  { "first-is-wrong",
    { { NONE - 1, NONE - 1, ON }, { 0, NONE - 1, BACK }, { S, S - 2, ON }, { 2 * S, 2 * S - 2, ON } } },
  { "slow",
    { { 0, 0, ON }, { 60 * S, 0, ON }, { 120 * S, 120 * S, ON }, { 180 * S, 180 * S, ON }, { 780 * S, 780 * S, ON } } },
  { "without-stamps", { { NONE, 0, ON }, { NONE, 2 * S, ON }, { NONE, 4 * S, ON }, { 5 * S, 5 * S, ON } } },
};

static void
test_case (gconstpointer data)
{
  const Case *scripted = data;
  GstCcaClock clock = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (scripted->frames); i++) {
    const Frame *frame = &scripted->frames[i];

    if (i > 0 && frame->stamp == 0 && frame->time == 0)
      break;
    g_assert_cmpint (gst_cca_clock_advance (&clock, frame->stamp, 2 * S), ==, frame->step);
    g_assert_cmpuint (clock.time, ==, frame->time);
  }
}

/* After any stamps, time advances again once three in a row are regular. */
static void
test_any (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  GstCcaClock clock = { 0 };

  for (guint i = 0; i < 10000; i++) {
    GstClockTime stamp = 0;

    for (guint k = 0; k < 10; k++) {
      stamp = ((guint64) g_rand_int (random) << 32 | g_rand_int (random)) >> g_rand_int_range (random, 0, 64);
      gst_cca_clock_advance (&clock, stamp, g_rand_int (random));
    }
    for (guint k = 1; k <= 5; k++) {
      const GstClockTime last = clock.time;

      gst_cca_clock_advance (&clock, stamp / 2 + k * S, 0);
      if (k > 3)
        g_assert_cmpuint (clock.time - last, ==, S);
    }
  }
}

CASES_MAIN ()
{
  ADD_ROWS ("/clock", cases, test_case);
  g_test_add_func ("/clock/any", test_any);
}
