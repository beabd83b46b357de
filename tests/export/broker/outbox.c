/* gst-cca: the outbox loses and doubles nothing within its bounds, and counts dropped messages
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "../../add-tests.h"
#include "../../test-folder.h"
#include "outbox.h"

#include <signal.h>
#include <string.h>

#define MANY 1000000
#define LARGE ((guint64) 64 * 1024 * 1024)

/* --- Messages ---------------------------------------------------------------------------------------- */

static void
push (GstCcaOutbox *outbox, guint64 number, gsize size)
{
  g_autofree gchar *text = g_strdup_printf ("%-*" G_GUINT64_FORMAT, (int) size, number);

  gst_cca_outbox_push (outbox, gst_cca_broker_message_new (g_strdup ("topic"), NULL, g_bytes_new (text, strlen (text)),
                                                           GST_CCA_BROKER_NO_TIME, FALSE));
}

static void
push_all (GstCcaOutbox *outbox, guint64 first, guint64 behind)
{
  for (guint64 number = first; number < behind; number++)
    push (outbox, number, 0);
}

static guint64
number_of (const GstCcaBrokerMessage *message)
{
  g_autofree gchar *text = g_strndup (g_bytes_get_data (message->payload, NULL), g_bytes_get_size (message->payload));

  return g_ascii_strtoull (text, NULL, 10);
}

static void
store (GstCcaOutbox *outbox)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (gst_cca_outbox_store (outbox, &error));
  g_assert_no_error (error);
}

/* Returns the token of the next message, which must have a number; or 0 if none waits, with number 0. */
static guint64
next (GstCcaOutbox *outbox, guint64 number)
{
  g_autoptr (GError) error = NULL;
  guint64 token = 0;
  const GstCcaBrokerMessage *message = gst_cca_outbox_next (outbox, &token, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (message ? number_of (message) : 0, ==, number);
  return token;
}

static void
check_balance (GstCcaOutbox *outbox)
{
  const GstCcaOutboxStats stats = gst_cca_outbox_stats (outbox);

  g_assert_cmpuint (stats.messages + stats.recovered, ==,
                    stats.sent + stats.queued + stats.in_flight + stats.dropped_overflow + stats.dropped_spool
                        + stats.dropped_refused);
}

static void
deliver (GstCcaOutbox *outbox, guint64 first, guint64 behind)
{
  for (guint64 number = first; number < behind; number++) {
    g_assert_true (gst_cca_outbox_finish (outbox, next (outbox, number), GST_CCA_OUTBOX_SENT));
    check_balance (outbox);
  }
}

static gint64 now; /* us */

static gint64
tell_time (void)
{
  return now;
}

/* The outbox tries the disk again a second after it has failed, and not before. */
static void
pass_retry_interval (GstCcaOutbox *outbox)
{
  now += G_TIME_SPAN_SECOND - 1;
  store (outbox);
  g_assert_false (gst_cca_outbox_can_store (outbox));
  now += 1;
}

static GstCcaOutbox *
open_outbox (const gchar *folder, guint64 max_messages, guint64 spool_max_bytes)
{
  GstCcaOutbox *outbox = gst_cca_outbox_new (max_messages, LARGE, tell_time);
  g_autoptr (GError) error = NULL;

  if (folder)
    gst_cca_outbox_open_spool (outbox, folder, spool_max_bytes, NULL, &error);
  g_assert_no_error (error);
  return outbox;
}

/* --- Memory ------------------------------------------------------------------------------------------ */

static void
test_order (void)
{
  g_autoptr (GstCcaOutbox) outbox = open_outbox (NULL, MANY, 0);

  g_assert_cmpuint (next (outbox, 0), ==, 0);
  push_all (outbox, 1, 101);
  check_balance (outbox);
  deliver (outbox, 1, 51);
  push_all (outbox, 101, 201);
  deliver (outbox, 51, 201);
  g_assert_cmpuint (next (outbox, 0), ==, 0);
}

static void
test_outcomes (void)
{
  g_autoptr (GstCcaOutbox) outbox = open_outbox (NULL, MANY, 0);
  guint64 tokens[11];
  GstCcaOutboxStats stats;

  push_all (outbox, 1, 21);
  for (guint i = 1; i <= 10; i++)
    tokens[i] = next (outbox, i);
  /* In any order. */
  g_assert_true (gst_cca_outbox_finish (outbox, tokens[7], GST_CCA_OUTBOX_AGAIN));
  g_assert_true (gst_cca_outbox_finish (outbox, tokens[2], GST_CCA_OUTBOX_SENT));
  g_assert_true (gst_cca_outbox_finish (outbox, tokens[3], GST_CCA_OUTBOX_AGAIN));
  g_assert_true (gst_cca_outbox_finish (outbox, tokens[1], GST_CCA_OUTBOX_REFUSED));
  g_assert_false (gst_cca_outbox_finish (outbox, tokens[1], GST_CCA_OUTBOX_SENT)); /* once only */
  g_assert_false (gst_cca_outbox_finish (outbox, 12345, GST_CCA_OUTBOX_SENT));
  stats = gst_cca_outbox_stats (outbox);
  g_assert_cmpuint (stats.sent, ==, 1);
  g_assert_cmpuint (stats.dropped_refused, ==, 1);
  g_assert_cmpuint (stats.in_flight, ==, 6);
  g_assert_cmpuint (stats.queued, ==, 12);
  check_balance (outbox);
  /* Failed messages come first. */
  g_assert_cmpuint (next (outbox, 3), ==, tokens[3]);
  g_assert_cmpuint (next (outbox, 7), ==, tokens[7]);
  next (outbox, 11);
  gst_cca_outbox_restart (outbox);
  g_assert_cmpuint (gst_cca_outbox_stats (outbox).in_flight, ==, 0);
  for (guint i = 3; i <= 20; i++)
    deliver (outbox, i, i + 1);
  g_assert_cmpuint (next (outbox, 0), ==, 0);
}

static void
test_overflow (void)
{
  g_autoptr (GstCcaOutbox) outbox = open_outbox (NULL, 100, 0);
  guint64 flying[10];
  GstCcaOutboxStats stats;

  push_all (outbox, 1, 51);
  for (guint i = 0; i < 10; i++)
    flying[i] = next (outbox, i + 1);
  push_all (outbox, 51, 201);
  stats = gst_cca_outbox_stats (outbox);
  g_assert_cmpuint (stats.in_flight, ==, 10); /* they stay */
  g_assert_cmpuint (stats.queued, ==, 90);
  g_assert_cmpuint (stats.dropped_overflow, ==, 100);
  check_balance (outbox);
  g_assert_true (gst_cca_outbox_finish (outbox, flying[4], GST_CCA_OUTBOX_AGAIN)); /* its place is the first */
  deliver (outbox, 5, 6);
  for (guint64 number = 111; number <= 200; number++) /* the newest are there */
    deliver (outbox, number, number + 1);
  g_assert_cmpuint (next (outbox, 0), ==, 0);
}

static void
test_overflow_bytes (void)
{
  g_autoptr (GstCcaOutbox) outbox = gst_cca_outbox_new (MANY, 100 * 1000, tell_time);
  GstCcaOutboxStats stats;

  for (guint i = 1; i <= 300; i++)
    push (outbox, i, 1000);
  stats = gst_cca_outbox_stats (outbox);
  g_assert_cmpuint (stats.queued, >, 80);
  g_assert_cmpuint (stats.queued, <, 100);
  g_assert_cmpuint (stats.dropped_overflow, ==, 300 - stats.queued);
  push (outbox, 301, 200 * 1000); /* fits in no way */
  stats = gst_cca_outbox_stats (outbox);
  g_assert_cmpuint (stats.queued, ==, 0);
  g_assert_cmpuint (stats.dropped_overflow, ==, 301);
  push_all (outbox, 302, 303);
  deliver (outbox, 302, 303);
}

/* --- Spool ------------------------------------------------------------------------------------------- */

static void
test_spool_keeps_up (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaOutbox) outbox = open_outbox (folder, 10, LARGE);

  for (guint64 number = 1; number <= 5000; number += 10) {
    push_all (outbox, number, number + 10);
    g_assert_cmpuint (next (outbox, 0), ==, 0); /* nothing goes out that is not on disk */
    store (outbox);
    g_assert_cmpuint (gst_cca_outbox_stats (outbox).spooled, ==, 10);
    deliver (outbox, number, number + 10);
    store (outbox);
    g_assert_cmpuint (gst_cca_outbox_stats (outbox).spooled, ==, 0);
  }
  g_clear_pointer (&outbox, gst_cca_outbox_free);
  outbox = open_outbox (folder, 10, LARGE);
  g_assert_cmpuint (gst_cca_outbox_stats (outbox).recovered, ==, 0);
}

/* Far more than memory may hold, read back in their order, while others come. */
static void
test_spool_behind (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaOutbox) outbox = open_outbox (folder, 100, LARGE);
  guint64 pushed = 1, delivered = 1;

  for (; pushed <= 20000; pushed++) {
    push (outbox, pushed, 0);
    if (pushed % 50 == 0)
      store (outbox);
    if (pushed % 3 == 0 && pushed > 100) {
      deliver (outbox, delivered, delivered + 1);
      delivered++;
    }
  }
  store (outbox);
  g_assert_cmpuint (gst_cca_outbox_stats (outbox).spooled, ==, pushed - delivered);
  deliver (outbox, delivered, pushed);
  store (outbox);
  g_assert_cmpuint (gst_cca_outbox_stats (outbox).dropped_overflow, ==, 0);
}

static void
test_spool_restart (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  guint64 first = 1, pushed = 1;

  for (guint round = 0; round < 8; round++) {
    g_autoptr (GstCcaOutbox) outbox = open_outbox (folder, MANY, LARGE);
    GstCcaOutboxStats stats = gst_cca_outbox_stats (outbox);

    g_assert_cmpuint (stats.recovered, ==, pushed - first);
    g_assert_cmpuint (stats.spooled, ==, pushed - first);
    push_all (outbox, pushed, pushed + 3000);
    pushed += 3000;
    store (outbox);
    deliver (outbox, first, first + 1500);
    first += 1500;
    for (guint i = 0; i < 20; i++) /* in flight when the process ends */
      next (outbox, first + i);
    store (outbox);
    check_balance (outbox);
  }
}

/* Only the unbroken run of delivered messages from the start is forgotten: a message that fails later must be there. */
static void
test_spool_mark (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaOutbox) outbox = open_outbox (folder, MANY, LARGE);
  guint64 tokens[101];

  push_all (outbox, 1, 101);
  store (outbox);
  for (guint i = 1; i <= 100; i++)
    tokens[i] = next (outbox, i);
  for (guint i = 2; i <= 100; i++)
    gst_cca_outbox_finish (outbox, tokens[i], GST_CCA_OUTBOX_SENT);
  store (outbox);
  g_clear_pointer (&outbox, gst_cca_outbox_free);
  outbox = open_outbox (folder, MANY, LARGE);
  g_assert_cmpuint (gst_cca_outbox_stats (outbox).recovered, ==, 100);
  deliver (outbox, 1, 101);
  store (outbox);
  g_clear_pointer (&outbox, gst_cca_outbox_free);
  outbox = open_outbox (folder, MANY, LARGE);
  g_assert_cmpuint (gst_cca_outbox_stats (outbox).recovered, ==, 0);
}

static void
test_spool_overflow (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaOutbox) outbox = open_outbox (folder, MANY, 1024 * 1024);
  GstCcaOutboxStats stats;
  guint64 token, last = 0, n = 0;
  const GstCcaBrokerMessage *message;

  for (guint i = 1; i <= 10000; i++)
    push (outbox, i, 1000);
  for (guint i = 0; i < 4; i++)
    store (outbox);
  check_balance (outbox);
  stats = gst_cca_outbox_stats (outbox);
  g_assert_cmpuint (stats.dropped_spool, >, 5000);
  g_assert_cmpuint (stats.dropped_overflow, ==, 0);
  for (; (message = gst_cca_outbox_next (outbox, &token, NULL)); n++) {
    const guint64 number = number_of (message);

    g_assert_cmpuint (number, >, last);
    last = number;
    gst_cca_outbox_finish (outbox, token, GST_CCA_OUTBOX_SENT);
  }
  g_assert_cmpuint (last, ==, 10000);
  g_assert_cmpuint (n + stats.dropped_spool, ==, 10000);
  push (outbox, 1, 2 * 1024 * 1024); /* fits in no way, and blocks none behind it */
  push (outbox, 2, 0);
  g_assert_false (gst_cca_outbox_store (outbox, NULL));
  pass_retry_interval (outbox);
  store (outbox);
  deliver (outbox, 2, 3);
  g_assert_cmpuint (gst_cca_outbox_stats (outbox).dropped_spool, ==, stats.dropped_spool + 1);
}

/* Messages that the disk does not take stay in memory, in order and within its bounds, until the disk takes them. */
static void
test_spool_fails (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaOutbox) outbox = open_outbox (folder, 100, LARGE);
  g_autoptr (GError) error = NULL;
  GstCcaOutboxStats stats;
  guint64 n_stored, token;

  test_folder_limit_files (2000);
  push_all (outbox, 1, 101);
  g_assert_false (gst_cca_outbox_store (outbox, &error));
  g_assert_nonnull (strstr (error->message, folder));
  g_assert_false (gst_cca_outbox_can_store (outbox));
  stats = gst_cca_outbox_stats (outbox);
  n_stored = stats.spooled;
  g_assert_cmpuint (n_stored, >, 10);
  g_assert_cmpuint (n_stored, <, 100);
  g_assert_cmpuint (stats.spool_errors, ==, 1);
  g_assert_cmpuint (stats.queued, ==, 100);
  push_all (outbox, 101, 101 + n_stored); /* as many as memory holds */
  g_assert_cmpuint (gst_cca_outbox_stats (outbox).dropped_overflow, ==, 0);
  push_all (outbox, 101 + n_stored, 111 + n_stored);
  g_assert_cmpuint (gst_cca_outbox_stats (outbox).dropped_overflow, ==, 10); /* the oldest that are not on disk */
  check_balance (outbox);
  deliver (outbox, 1, n_stored + 1);
  deliver (outbox, n_stored + 11, n_stored + 31);
  token = next (outbox, n_stored + 31);
  g_assert_true (gst_cca_outbox_finish (outbox, token, GST_CCA_OUTBOX_AGAIN));
  test_folder_limit_files (RLIM_INFINITY);
  pass_retry_interval (outbox);
  store (outbox);
  g_assert_true (gst_cca_outbox_can_store (outbox));
  stats = gst_cca_outbox_stats (outbox);
  g_assert_cmpuint (stats.spooled, ==, stats.queued);
  check_balance (outbox);
  deliver (outbox, n_stored + 31, n_stored + 111);
}

/* A message in flight that was not on disk is there after a restart if the disk takes it in the end. */
static void
test_spool_fails_in_flight (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaOutbox) outbox = open_outbox (folder, 100, LARGE);

  test_folder_limit_files (0);
  push_all (outbox, 1, 51);
  g_assert_false (gst_cca_outbox_store (outbox, NULL));
  for (guint i = 1; i <= 20; i++)
    next (outbox, i);
  test_folder_limit_files (RLIM_INFINITY);
  pass_retry_interval (outbox);
  gst_cca_outbox_restart (outbox);
  store (outbox);
  g_clear_pointer (&outbox, gst_cca_outbox_free);
  outbox = open_outbox (folder, 100, LARGE);
  deliver (outbox, 1, 51);
}

/* --- Threads ----------------------------------------------------------------------------------------- */

#define N_PUSHED 50000

static gpointer
push_many (gpointer data)
{
  push_all (data, 1, N_PUSHED + 1);
  return NULL;
}

/* Delivers all, with some at random again, while another thread pushes. */
static void
check_threads (GstCcaOutbox *outbox)
{
  GThread *thread = g_thread_new ("push", push_many, outbox);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint64 expected = 1;

  while (expected <= N_PUSHED) {
    const GstCcaBrokerMessage *message;
    guint64 token;

    store (outbox);
    message = gst_cca_outbox_next (outbox, &token, NULL);
    check_balance (outbox);
    if (!message)
      continue;
    g_assert_cmpuint (number_of (message), ==, expected);
    if (g_rand_int_range (rand, 0, 10) == 0) {
      gst_cca_outbox_finish (outbox, token, GST_CCA_OUTBOX_AGAIN);
    } else {
      gst_cca_outbox_finish (outbox, token, GST_CCA_OUTBOX_SENT);
      expected++;
    }
  }
  g_thread_join (thread);
  g_assert_cmpuint (gst_cca_outbox_stats (outbox).sent, ==, N_PUSHED);
}

static void
test_threads (void)
{
  g_autoptr (GstCcaOutbox) outbox = open_outbox (NULL, MANY, 0);

  check_threads (outbox);
}

static void
test_threads_spool (void)
{
  g_autoptr (TestFolder) folder = test_folder_new ();
  g_autoptr (GstCcaOutbox) outbox = open_outbox (folder, MANY, LARGE);

  check_threads (outbox);
}

CASES_MAIN ()
{
  signal (SIGXFSZ, SIG_IGN);
  ADD_TESTS ("/outbox", test_order, test_outcomes, test_overflow, test_overflow_bytes, test_threads,
             test_threads_spool);
  g_test_add_func ("/outbox/spool/keeps-up", test_spool_keeps_up);
  g_test_add_func ("/outbox/spool/behind", test_spool_behind);
  g_test_add_func ("/outbox/spool/restart", test_spool_restart);
  g_test_add_func ("/outbox/spool/mark", test_spool_mark);
  g_test_add_func ("/outbox/spool/overflow", test_spool_overflow);
  g_test_add_func ("/outbox/spool/fails", test_spool_fails);
  g_test_add_func ("/outbox/spool/fails-in-flight", test_spool_fails_in_flight);
}
