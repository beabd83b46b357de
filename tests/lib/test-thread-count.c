/* gst-cca: frames get several threads where several are faster, by scripted times
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>

#include "../add-tests.h"
#include "cca/cpu/thread_count.h"

#define MOST 4u

/* The time of a frame on one thread of a machine, and on several. */
typedef struct
{
  uint64_t one_ns, several_ns;
} Machine;

/* Runs n frames. Returns on how many of them several threads worked. */
static uint32_t
run_frames (CcaThreadCount *count, const Machine *machine, uint32_t n)
{
  uint32_t n_several = 0;

  for (uint32_t i = 0; i < n; i++) {
    const uint32_t n_threads = cca_thread_count_choose (count, MOST);

    g_assert_cmpuint (n_threads, >=, 1);
    g_assert_cmpuint (n_threads, <=, MOST);
    n_several += n_threads > 1;
    cca_thread_count_add (count, n_threads, MOST, n_threads > 1 ? machine->several_ns : machine->one_ns,
                          machine->one_ns);
  }
  return n_several;
}

static void
test_several_pay (void)
{
  const Machine machine = { 2000000, 1100000 };
  CcaThreadCount count;

  cca_thread_count_init (&count);
  g_assert_cmpuint (cca_thread_count_choose (&count, MOST), ==, MOST);
  run_frames (&count, &machine, 64);
  g_assert_cmpuint (run_frames (&count, &machine, 10000), >, 9800);
}

/* Threads that wake too late to save a tenth of the time. */
static void
test_one_is_as_fast (void)
{
  const Machine machines[] = { { 1000000, 950000 }, { 1000000, 1000000 }, { 1000000, 1500000 } };

  for (size_t i = 0; i < G_N_ELEMENTS (machines); i++) {
    CcaThreadCount count;

    cca_thread_count_init (&count);
    run_frames (&count, &machines[i], 64);
    g_assert_cmpuint (run_frames (&count, &machines[i], 10000), <, 500);
  }
}

/* A stream that is live and then is not, or a machine that gets other work. */
static void
test_change (void)
{
  const Machine late = { 1000000, 1300000 }, quick = { 1000000, 600000 };
  CcaThreadCount count;

  cca_thread_count_init (&count);
  run_frames (&count, &late, 3000);
  run_frames (&count, &quick, 1000);
  g_assert_cmpuint (run_frames (&count, &quick, 1000), >, 950);
  run_frames (&count, &late, 1000);
  g_assert_cmpuint (run_frames (&count, &late, 1000), <, 100);
}

/* One frame in twenty that something else delays changes nothing. */
static void
test_late_frames (void)
{
  const Machine usual = { 2000000, 1100000 }, late = { 20000000, 11000000 };
  uint32_t n_several = 0;
  CcaThreadCount count;

  cca_thread_count_init (&count);
  for (uint32_t i = 0; i < 500; i++)
    n_several += run_frames (&count, &usual, 19) + run_frames (&count, &late, 1);
  g_assert_cmpuint (n_several, >, 9500);
}

/* Each thread more must be paid for by the last frame's work, and little work needs no trials. */
static void
test_work (void)
{
  const Machine little = { 70000, 1 }, some = { 230000, 100000 };
  CcaThreadCount count;

  cca_thread_count_init (&count);
  run_frames (&count, &little, 1);
  g_assert_cmpuint (run_frames (&count, &little, 1000), ==, 0);
  run_frames (&count, &some, 1);
  g_assert_cmpuint (cca_thread_count_choose (&count, MOST), ==, 3);
  g_assert_cmpuint (cca_thread_count_choose (&count, 2), ==, 2);
}

TESTS_MAIN ("/thread-count", test_several_pay, test_one_is_as_fast, test_change, test_late_frames, test_work)
