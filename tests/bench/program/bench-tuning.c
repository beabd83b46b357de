/* gst-cca: the results of cca-bench --tune
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-tuning.h"

#include <math.h>

#include "cuda/tuning.h"

G_STATIC_ASSERT (BENCH_TUNING_SIZES == CCA_TUNING_STEPS);

/* An algorithm that is no more than this times the fastest's time stays in use. */
#define TOLERANCE 1.02

/* All cases of an algorithm at a task, in a size. */
typedef struct
{
  const char *name;
  BenchTask task;
  guint width, height;
  guint n_cases;
  double log_times; /* sum, of ns */
} Entry;

struct BenchTuning
{
  GArray *entries; /* Entry */
};

BenchTuning *
bench_tuning_new (void)
{
  BenchTuning *self = g_new (BenchTuning, 1);

  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  return self;
}

void
bench_tuning_free (BenchTuning *self)
{
  g_array_unref (self->entries);
  g_free (self);
}

static guint64
n_pixels (const Entry *entry)
{
  return (guint64) entry->width * entry->height;
}

/* The entry of an algorithm, NULL where it has no case. */
static Entry *
find (const BenchTuning *self, BenchTask task, guint64 pixels, const char *name)
{
  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = &g_array_index (self->entries, Entry, i);

    if (entry->task == task && n_pixels (entry) == pixels && g_str_equal (entry->name, name))
      return entry;
  }
  return NULL;
}

void
bench_tuning_add (BenchTuning *self, const BenchCase *bench_case, const BenchContender *contenders, guint n_contenders,
                  const BenchSummary *summaries)
{
  const guint64 pixels = (guint64) bench_case->width * bench_case->height;

  for (guint c = 0; c < n_contenders; c++) {
    const BenchContender *contender = &contenders[c];
    Entry *entry = find (self, contender->task, pixels, contender->name);

    if (entry == NULL) {
      const Entry first = {
        .name = contender->name, .task = contender->task, .width = bench_case->width, .height = bench_case->height
      };

      g_array_append_val (self->entries, first);
      entry = &g_array_index (self->entries, Entry, self->entries->len - 1);
    }
    entry->n_cases++;
    entry->log_times += log (summaries[c].median);
  }
}

static double
mean_time (const Entry *entry)
{
  return exp (entry->log_times / entry->n_cases);
}

/* Returns the fastest algorithm of those that did all cases of a size. */
static const Entry *
find_fastest (const BenchTuning *self, BenchTask task, guint64 pixels)
{
  const Entry *fastest = NULL;

  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *entry = &g_array_index (self->entries, Entry, i);

    if (entry->task != task || n_pixels (entry) != pixels || (fastest != NULL && entry->n_cases < fastest->n_cases))
      continue;
    if (fastest == NULL || entry->n_cases > fastest->n_cases || mean_time (entry) < mean_time (fastest))
      fastest = entry;
  }
  return fastest;
}

/* The fastest of the next larger size than `pixels`, NULL beyond the largest. */
static const Entry *
next_size (const BenchTuning *self, BenchTask task, guint64 pixels)
{
  guint64 next = G_MAXUINT64;

  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *entry = &g_array_index (self->entries, Entry, i);

    if (entry->task == task && n_pixels (entry) > pixels)
      next = MIN (next, n_pixels (entry));
  }
  return find_fastest (self, task, next);
}

/* The names of all algorithms, in order of appearance. */
static GPtrArray *
list_names (const BenchTuning *self)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < self->entries->len; i++) {
    const char *name = g_array_index (self->entries, Entry, i).name;

    if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
      g_ptr_array_add (names, (gpointer) name);
  }
  return names;
}

static void
print_size (const BenchTuning *self, const GPtrArray *names, const Entry *fastest, GString *text)
{
  g_autofree char *size = g_strdup_printf ("%ux%u", fastest->width, fastest->height);

  g_string_append_printf (text, "  %-14s %6u", size, fastest->n_cases);
  for (guint i = 0; i < names->len; i++) {
    const Entry *entry = find (self, fastest->task, n_pixels (fastest), g_ptr_array_index (names, i));

    if (entry != NULL)
      g_string_append_printf (text, " %10.1f%c", mean_time (entry) / 1e3, entry == fastest ? '*' : ' ');
    else
      g_string_append_printf (text, " %10s ", "-");
  }
  g_string_append_c (text, '\n');
}

char *
bench_tuning_table (const BenchTuning *self)
{
  g_autoptr (GPtrArray) names = list_names (self);
  GString *text = g_string_new ("us a frame, geometric means over the cases; * is the fastest\n");

  for (BenchTask task = BENCH_ANALYSIS; task <= BENCH_LABELS; task++) {
    const Entry *fastest = next_size (self, task, 0);

    g_string_append_printf (text, "%-16s %6s", bench_task_name (task), "cases");
    for (guint i = 0; i < names->len; i++)
      g_string_append_printf (text, " %10s ", (const char *) g_ptr_array_index (names, i));
    g_string_append_c (text, '\n');
    for (; fastest != NULL; fastest = next_size (self, task, n_pixels (fastest)))
      print_size (self, names, fastest, text);
  }
  return g_string_free (text, FALSE);
}

/* What to use for the fastest's size, where `used` is so for smaller ones. */
static const char *
choose (const BenchTuning *self, const char *used, const Entry *fastest)
{
  const Entry *kept = used != NULL ? find (self, fastest->task, n_pixels (fastest), used) : NULL;
  const gboolean keep =
      kept != NULL && kept->n_cases == fastest->n_cases && mean_time (kept) <= TOLERANCE * mean_time (fastest);

  return keep ? used : fastest->name;
}

static void
print_steps (const BenchTuning *self, BenchTask task, GString *text)
{
  const Entry *fastest = next_size (self, task, 0);
  const char *used = NULL;

  g_string_append (text, "{ ");
  for (guint64 before = 0; fastest != NULL; fastest = next_size (self, task, before)) {
    const char *chosen = choose (self, used, fastest);

    if (used != NULL && !g_str_equal (chosen, used))
      g_string_append_printf (text, "{ \"%s\", %.0f }, ", used, floor (sqrt ((double) before * n_pixels (fastest))));
    used = chosen;
    before = n_pixels (fastest);
  }
  g_string_append_printf (text, "{ \"%s\", CCA_ANY_SIZE } }", used);
}

char *
bench_tuning_line (const BenchTuning *self, int generation)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "  { %d, ", generation);
  print_steps (self, BENCH_ANALYSIS, text);
  g_string_append (text, ", ");
  print_steps (self, BENCH_LABELS, text);
  g_string_append (text, " },\n");
  return g_string_free (text, FALSE);
}
