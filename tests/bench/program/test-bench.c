/* gst-cca: tests of the benchmark's command line
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The environment variable CCA_BENCH has the path of the program.
 */
#include <gio/gio.h>
#include <gst/gst.h>

#include "../../test-folder.h"
#include "bench-engine.h"

typedef struct
{
  char *folder, *csv;
  char *out, *err;
  int status;
} Run;

static void
run_set_up (Run *run, gconstpointer unused)
{
  run->folder = test_folder_new ();
  run->csv = g_build_filename (run->folder, "results.csv", NULL);
}

static void
run_tear_down (Run *run, gconstpointer unused)
{
  test_folder_remove (run->folder);
  g_free (run->folder);
  g_free (run->csv);
  g_free (run->out);
  g_free (run->err);
}

/* With arguments that a space separates. */
static void
run_bench (Run *run, const char *arguments)
{
  g_autofree char *line = g_strconcat (g_getenv ("CCA_BENCH"), " ", arguments, NULL);
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (
      (const char *const *) words, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);

  g_clear_pointer (&run->out, g_free);
  g_clear_pointer (&run->err, g_free);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &run->out, &run->err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  run->status = g_subprocess_get_exit_status (process);
}

/* As run_bench(), with one image of each, in the cache; the CSV file's lines. */
static char **
run_for_csv (Run *run, const char *arguments)
{
  g_autofree char *line = g_strdup_printf ("-n 1 --warm-up 0 --masks 1 --footprint 0 --csv %s %s", run->csv, arguments);
  g_autofree char *text = NULL;

  run_bench (run, line);
  if (strstr (arguments, "--tune") == NULL)
    g_assert_cmpstr (run->err, ==, "");
  g_assert_cmpint (run->status, ==, 0);
  g_assert_true (g_file_get_contents (run->csv, &text, NULL, NULL));
  g_assert_true (g_str_has_suffix (text, "\n"));
  text[strlen (text) - 1] = '\0';
  return g_strsplit (text, "\n", -1);
}

/* The fields of a CSV line, of which those with commas are quoted. */
static char **
split_line (const char *line)
{
  g_auto (GStrv) parts = g_strsplit (line, "\"", -1);
  g_autofree char *joined = NULL;

  /* Every other part lies between quotes. */
  for (guint i = 1; parts[0] != NULL && parts[i] != NULL; i += 2)
    g_strdelimit (parts[i], ",", ';');
  joined = g_strjoinv ("", parts);
  return g_strsplit (joined, ",", -1);
}

static char *
field (char **lines, guint line, const char *name)
{
  g_auto (GStrv) names = split_line (lines[0]);
  g_auto (GStrv) values = split_line (lines[line]);

  g_assert_cmpuint (g_strv_length (values), ==, g_strv_length (names));
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return g_strdup (values[i]);
  g_error ("the results have no column %s", name);
}

static void
assert_field (char **lines, guint line, const char *name, const char *expected)
{
  g_autofree char *value = field (lines, line, name);

  g_assert_cmpstr (value, ==, expected);
}

static guint
count_algorithms (void)
{
  const CcaAlgorithm *const *algorithms = cca_algorithms (CCA_BACKEND_CPU);
  guint n = 0;

  while (algorithms[n] != NULL)
    n++;
  return n;
}

static void
test_random (Run *run, gconstpointer unused)
{
  g_auto (GStrv) lines = run_for_csv (run, "--size 33x17 --density 0,50,100 --granularity 2 --peer none");
  const guint n = 2 * count_algorithms ();

  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 3 * n);
  for (guint line = 1; line <= 3 * n; line++) {
    const guint density = 50 * ((line - 1) / n);
    g_autofree char *text = g_strdup_printf ("%u", density);
    g_autofree char *median = field (lines, line, "median_ns");

    assert_field (lines, line, "source", "random");
    assert_field (lines, line, "width", "33");
    assert_field (lines, line, "height", "17");
    assert_field (lines, line, "density", text);
    assert_field (lines, line, "granularity", "2");
    assert_field (lines, line, "iterations", "1");
    if (density != 50)
      assert_field (lines, line, "components", density == 0 ? "0" : "1");
    g_assert_cmpfloat (g_ascii_strtod (median, NULL), >, 0);
  }
  for (guint i = 0; i < count_algorithms (); i++)
    g_assert_nonnull (strstr (run->out, cca_algorithms (CCA_BACKEND_CPU)[i]->name));
  g_assert_nonnull (strstr (run->out, "random g=2 50 %, 33x17, 8-connectivity"));
  g_assert_nonnull (strstr (run->out, "All cases"));
}

/* Every way to run an algorithm, and the peers, on figures whose components are known. */
static void
test_contenders (Run *run, gconstpointer unused)
{
  g_auto (GStrv) lines = run_for_csv (run, "--pattern checkerboard --size 64x48 --isa all --threads 1,2 "
                                           "--connectivity 4,8 --peer all");
  guint n_seen[2] = { 0 };

  for (guint line = 1; lines[line] != NULL; line++) {
    g_autofree char *connectivity = field (lines, line, "connectivity");
    const gboolean eight = g_str_equal (connectivity, "8");

    assert_field (lines, line, "components", eight ? "1" : "1536");
    n_seen[eight]++;
  }
  g_assert_cmpuint (n_seen[0], >=, 2 * count_algorithms ());
  g_assert_cmpuint (n_seen[0], ==, n_seen[1]);
}

/* The same masks in every format: a line for each, and the same components. */
static void
test_formats (Run *run, gconstpointer unused)
{
  g_auto (GStrv) lines = run_for_csv (run, "--format all --algorithm runs --task analysis --size 33x17 --density 40 "
                                           "--granularity 2 --masks 3 --peer none");
  g_autofree char *components = field (lines, 1, "components");
  CcaFormat format = 0;

  for (; lines[1 + format] != NULL; format++) {
    assert_field (lines, 1 + format, "format", cca_format_name (format));
    assert_field (lines, 1 + format, "components", components);
  }
  g_assert_null (cca_format_name (format));
}

/* The members of the families, whose components are known. */
static void
test_families (Run *run, gconstpointer unused)
{
  static const struct
  {
    const char *source, *parameter, *components;
  } members[] = {
    { "leveling", "1", "1" },
    { "leveling", "2", "1" },
    { "leveling", "3", "1" },
    { "leveling", "4", "1" },
    { "leveling", "5", "1" },
    { "scaling(2)", "0", "0" },
    { "scaling(2)", "50", "1" },
    { "scaling(2)", "100", "1" },
    { "subdivision(2)", "0", "1" },
    { "subdivision(2)", "1", "4" },
    { "subdivision(2)", "2", "16" },
    { "subdivision(2)", "3", "64" },
    { "random-merging(2;3)", "0", "64" },
    { "random-merging(2;3)", "50", NULL },
    { "random-merging(2;3)", "100", "1" },
  };
  g_auto (GStrv) lines = run_for_csv (
      run, "--family leveling,scaling,subdivision,random-merging --level 2 --parameter 0:5:1,50,100 --size 64x64 "
           "--algorithm runs --task analysis --peer none");
  g_auto (GStrv) larger = run_for_csv (run, "--family subdivision --size 16x16,128x128 --connectivity 4,8 "
                                            "--algorithm runs --task labels --peer none");
  guint line = 1;

  for (guint i = 0; i < G_N_ELEMENTS (members); i++) {
    /* Numbers that only some families have are left out for others. */
    for (g_autofree char *parameter = field (lines, line, "parameter");
         !g_str_equal (parameter, members[i].parameter);) {
      g_free (parameter);
      parameter = field (lines, ++line, "parameter");
    }
    assert_field (lines, line, "source", members[i].source);
    assert_field (lines, line, "foreground", "family");
    if (members[i].components != NULL)
      assert_field (lines, line, "components", members[i].components);
    line++;
  }
  g_assert_null (lines[line]);
  /* s = 0 in 16 x 16 pixels, 0 to 3 in 128 x 128; 4-connectivity and 8-connectivity. */
  g_assert_cmpuint (g_strv_length (larger), ==, 1 + 2 * (1 + 4));
  assert_field (larger, 10, "components", "64");
}

/* Whoever labels has the digest of the same labels. */
static void
test_check_labels (Run *run, gconstpointer unused)
{
  g_auto (GStrv) lines = run_for_csv (run, "--check-labels --size 33x17 --density 50 --granularity 1");
  g_autofree char *digest = NULL;

  for (guint line = 1; lines[line] != NULL; line++) {
    g_autofree char *task = field (lines, line, "task");

    if (g_str_equal (task, "labels") && digest == NULL)
      digest = field (lines, line, "digest");
    assert_field (lines, line, "digest", g_str_equal (task, "labels") ? digest : "");
  }
  g_assert_nonnull (digest);
  g_assert_cmpuint (strlen (digest), ==, 32);
}

/* Whether GStreamer has an element; skips the test otherwise. */
static gboolean
has_element (const char *name)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);
  g_autofree char *reason = g_strdup_printf ("GStreamer has no element %s", name);

  if (factory == NULL)
    g_test_skip (reason);
  return factory != NULL;
}

#define SIDE 64

/* Four bright squares, one of them less so, on a dark ground. */
static guint8
squares_pixel (int x, int y)
{
  const gboolean inside = x % 32 >= 12 && x % 32 < 20 && y % 32 >= 12 && y % 32 < 20;

  return !inside ? 10 : x < 32 && y < 32 ? 200 : 255;
}

/* The foreground by the definition in bench-foreground.h, %. */
static double
adaptive_density (void)
{
  guint n_foreground = 0;

  for (int y = 0; y < SIDE; y++) {
    for (int x = 0; x < SIDE; x++) {
      double sum = 0;
      guint n = 0;

      for (int v = MAX (y - 15, 0); v <= MIN (y + 15, SIDE - 1); v++)
        for (int u = MAX (x - 15, 0); u <= MIN (x + 15, SIDE - 1); u++, n++)
          sum += squares_pixel (u, v);
      n_foreground += squares_pixel (x, y) > sum / n - 7;
    }
  }
  return 100.0 * n_foreground / (SIDE * SIDE);
}

static void
test_picture (Run *run, gconstpointer unused)
{
  const double square = 100.0 * 8 * 8 / (SIDE * SIDE);
  const struct
  {
    const char *foreground, *components;
    double density;
  } expected[] = { { "nonzero", "1", 100 },
                   { "threshold", "3", 3 * square },
                   { "otsu", "4", 4 * square },
                   { "adaptive", NULL, adaptive_density () } };
  g_autofree char *path = g_build_filename (run->folder, "squares.pgm", NULL);
  g_autofree char *arguments =
      g_strdup_printf ("--foreground nonzero,threshold,otsu,adaptive --threshold 220 %s", path);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_auto (GStrv) lines = NULL;
  guint n_seen[G_N_ELEMENTS (expected)] = { 0 };

  if (!has_element ("pnmdec"))
    return;
  g_byte_array_append (file, (const guint8 *) "P5\n64 64\n255\n", 13);
  for (int i = 0; i < SIDE * SIDE; i++) {
    const guint8 value = squares_pixel (i % SIDE, i / SIDE);

    g_byte_array_append (file, &value, 1);
  }
  g_assert_true (g_file_set_contents (path, (const char *) file->data, file->len, NULL));
  lines = run_for_csv (run, arguments);
  for (guint line = 1; lines[line] != NULL; line++) {
    g_autofree char *foreground = field (lines, line, "foreground");
    g_autofree char *density = field (lines, line, "density");
    guint i = 0;

    while (!g_str_equal (expected[i].foreground, foreground))
      g_assert_cmpuint (++i, <, G_N_ELEMENTS (expected));
    n_seen[i]++;
    if (expected[i].components != NULL)
      assert_field (lines, line, "components", expected[i].components);
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (density, NULL), expected[i].density, 0.01);
    assert_field (lines, line, "source", "squares.pgm");
    assert_field (lines, line, "width", "64");
  }
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (n_seen[i], >=, 2 * count_algorithms ());
}

/* A clip in which two squares appear after the background has been learnt, its masks doubled in size. */
static void
test_motion (Run *run, gconstpointer unused)
{
  g_autofree char *path = g_build_filename (run->folder, "clip.y4m", NULL);
  g_autofree char *arguments = g_strdup_printf ("--foreground motion --first 35 --frames 2 --size 128x128 %s", path);
  g_autoptr (GString) file = g_string_new ("YUV4MPEG2 W64 H64 F25:1 Ip A1:1 C420\n");
  g_auto (GStrv) lines = NULL;

  if (!has_element ("y4mdec"))
    return;
  for (guint frame = 0; frame < 40; frame++) {
    g_string_append (file, "FRAME\n");
    for (guint y = 0; y < 64; y++)
      for (guint x = 0; x < 64; x++)
        g_string_append_c (file, frame >= 34 && x % 32 < 8 && y < 8 ? (char) 200 : (char) 50);
    for (guint i = 0; i < 2 * 32 * 32; i++)
      g_string_append_c (file, (char) 128);
  }
  g_assert_true (g_file_set_contents (path, file->str, file->len, NULL));
  lines = run_for_csv (run, arguments);
  for (guint line = 1; lines[line] != NULL; line++) {
    assert_field (lines, line, "components", "2");
    assert_field (lines, line, "masks", "2");
    assert_field (lines, line, "width", "128");
  }
  g_assert_cmpuint (g_strv_length (lines), >, 2 * count_algorithms ());
}

/* Masks that were saved are the same when read again. */
static void
test_save_masks (Run *run, gconstpointer unused)
{
  g_autofree char *save =
      g_strdup_printf ("--save-masks %s --size 33x17 --density 40 --granularity 2 --masks 2", run->folder);
  g_autofree char *read = g_strdup_printf ("--masks 2 %s/random-g2-d40-33x17.y4m", run->folder);
  g_auto (GStrv) fresh = run_for_csv (run, "--masks 2 --size 33x17 --density 40 --granularity 2 --algorithm runs");
  g_auto (GStrv) saved = NULL;
  g_autofree char *expected = field (fresh, 1, "components");

  if (!has_element ("y4mdec"))
    return;
  run_bench (run, save);
  g_assert_cmpstr (run->err, ==, "");
  g_assert_cmpstr (run->out, ==, "");
  g_assert_cmpint (run->status, ==, 0);
  saved = run_for_csv (run, read);
  assert_field (saved, 1, "masks", "2");
  assert_field (saved, 1, "width", "33");
  assert_field (saved, 1, "height", "17");
  assert_field (saved, 1, "components", expected);

  g_free (save);
  save = g_strdup_printf ("--save-masks %s/none --size 33x17 --density 40 --granularity 2", run->folder);
  run_bench (run, save);
  g_assert_cmpint (run->status, ==, 1);
  g_assert_nonnull (strstr (run->err, "random-g2-d40-33x17.y4m"));
}

/* Skips the case where there is no GPU, nor what stands for one. */
static gboolean
skip_without_gpu (void)
{
  CcaContextOptions options;
  CcaContext *context;

  cca_context_options_init (&options);
  options.backend = CCA_BACKEND_CUDA;
  if (cca_context_new (&options, &context) != CCA_OK) {
    g_test_skip (cca_last_error ());
    return TRUE;
  }
  cca_context_free (context);
  return FALSE;
}

/* Images in a GPU's memory: everything that this build has for them, on figures whose components are known. */
static void
test_device (Run *run, gconstpointer unused)
{
  g_auto (GStrv) lines = NULL;

  if (skip_without_gpu ())
    return;
  lines = run_for_csv (run, "--memory device --pattern checkerboard --size 64x48 --connectivity 4,8");
  for (guint line = 1; lines[line] != NULL; line++) {
    g_autofree char *connectivity = field (lines, line, "connectivity");
    g_autofree char *backend = field (lines, line, "backend");
    g_autofree char *median = field (lines, line, "median_ns");
    g_autofree char *call = field (lines, line, "call_ns");

    if (g_str_equal (backend, "cuda"))
      assert_field (lines, line, "components", g_str_equal (connectivity, "8") ? "1" : "1536");
    g_assert_cmpfloat (g_ascii_strtod (median, NULL), >, 0);
    g_assert_cmpfloat (g_ascii_strtod (call, NULL), >, g_ascii_strtod (median, NULL) / 2);
  }
}

/* --tune goes through the registry, on a GPU or on the null device, and ends with a line of C. */
static void
test_tune (Run *run, gconstpointer unused)
{
  g_auto (GStrv) lines = NULL;

  if (skip_without_gpu ())
    return;
  lines = run_for_csv (run, "--tune --size 33x17,65x48 --granularity 2 --density 50 --max-components 0");
  g_test_message ("%s", run->out);
  for (const CcaAlgorithm *const *a = cca_algorithms (CCA_BACKEND_CUDA); *a != NULL; a++)
    g_assert_nonnull (strstr (run->out, (*a)->name));
  g_assert_nonnull (strstr (run->out, "33x17 "));
  g_assert_nonnull (strstr (run->out, "65x48 "));
  g_assert_true (g_regex_match_simple (
      "\\n  \\{ [0-9]+, \\{ \\{ .*, CCA_ANY_SIZE \\} \\}, \\{ \\{ .*, CCA_ANY_SIZE \\} \\} \\},\\n$", run->out, 0, 0));
}

static void
test_bad_arguments (Run *run, gconstpointer unused)
{
  static const struct
  {
    const char *arguments, *complaint;
    gboolean of_device; /* which a build without CUDA does not know, and says so first */
  } cases[] = { { "--nonsense", "--nonsense" },
                { "--algorithm nonsense", "nonsense" },
                { "--algorithm runs,nonsense", "nonsense" },
                { "--algorithm none --peer none", "nothing to measure" },
                { "--backend tpu", "tpu" },
                { "--task labelling", "labelling" },
                { "--isa mmx", "mmx" },
                { "--peer nobody", "nobody" },
                { "--reference nobody", "nobody" },
                { "--foreground background", "background" },
                { "--pattern plaid", "plaid" },
                { "--family plaid --size 64x64", "plaid" },
                { "--family leveling", "power of two" },
                { "--family leveling --size 64x32", "64x32" },
                { "--family leveling --size 48x48", "48x48" },
                { "--family leveling --size 8x8", "8x8" },
                { "--family leveling --size 64x64 --level 0", "level" },
                { "--size 0x4", "0x4" },
                { "--size 640", "640" },
                { "--size 65536x1", "65536x1" },
                { "--density 101", "101" },
                { "--density 0:100:0", "0:100:0" },
                { "--density 1:2", "1:2" },
                { "--granularity 0", "0" },
                { "--connectivity 6", "6" },
                { "--threads 65", "65" },
                { "--format NV12", "NV12" },
                { "--max-components 16777217", "16777217" },
                { "--threshold 256", "256" },
                { "--close-radius 9", "9" },
                { "--iterations 0", "0" },
                { "--memory tape", "tape" },
                { "--memory device --backend cpu", "device", TRUE },
                { "--memory host --peer read", "read" },
                { "--patience -1", "-1" },
                { "--lead -1", "-1" },
                { "--signs", "--signs" },
                { "--ahead 5", "--ahead" },
                { "--memory device --ahead -1", "-1", TRUE },
                { "--tune --memory host", "host" },
                { "--tune --save-masks /tmp", "save-masks", TRUE },
                { "--tune --size 1x1,2x1,3x1,4x1,5x1,6x1,7x1,8x1,9x1", "at most 8 sizes", TRUE },
                { "--tune --task labels", "labels", TRUE },
                { "--tune --algorithm nonsense", "nonsense", TRUE },
                { "--every 0", "0" },
                { "--frames 0", "0" } };

  run_bench (run, "--memory nonsense");
  const gboolean has_device = strstr (run->err, "device") != NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    run_bench (run, cases[i].arguments);
    g_test_message ("%s: %s", cases[i].arguments, run->err);
    g_assert_cmpint (run->status, ==, 2);
    g_assert_nonnull (
        strstr (run->err, cases[i].of_device && !has_device ? "\"device\" is not one of" : cases[i].complaint));
    g_assert_nonnull (strstr (run->err, "usage: cca-bench"));
    g_assert_cmpstr (run->out, ==, "");
  }
}

static void
test_bad_files (Run *run, gconstpointer unused)
{
  g_autofree char *path = g_build_filename (run->folder, "text.txt", NULL);
  g_autofree char *unwritable = g_strdup_printf ("--csv %s/no/such/folder.csv --size 8x8", run->folder);

  run_bench (run, "/no/such/file.png");
  g_assert_cmpint (run->status, ==, 1);
  g_assert_nonnull (strstr (run->err, "/no/such/file.png"));

  g_assert_true (g_file_set_contents (path, "This is no picture.\n", -1, NULL));
  run_bench (run, path);
  g_assert_cmpint (run->status, ==, 1);
  g_assert_nonnull (strstr (run->err, "text.txt"));

  run_bench (run, unwritable);
  g_assert_cmpint (run->status, ==, 1);
  g_assert_nonnull (strstr (run->err, "folder.csv"));
}

static void
test_list (Run *run, gconstpointer unused)
{
  run_bench (run, "--list");
  g_assert_cmpint (run->status, ==, 0);
  for (guint i = 0; i < count_algorithms (); i++)
    g_assert_nonnull (strstr (run->out, cca_algorithms (CCA_BACKEND_CPU)[i]->description));
  for (guint isa = 0; cca_isa_name (isa) != NULL; isa++)
    g_assert_nonnull (strstr (run->out, cca_isa_name (isa)));
  for (guint i = 0; bench_peers[i] != NULL; i++)
    g_assert_nonnull (strstr (run->out, bench_peers[i]->description));
}

static void
add_program_test (const char *path, void (*test) (Run *, gconstpointer))
{
  g_test_add (path, Run, NULL, run_set_up, test, run_tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  if (g_getenv ("CCA_BENCH") == NULL)
    g_error ("CCA_BENCH is not set: see test-bench.c");

  add_program_test ("/bench/program/random", test_random);
  add_program_test ("/bench/program/contenders", test_contenders);
  add_program_test ("/bench/program/formats", test_formats);
  add_program_test ("/bench/program/check-labels", test_check_labels);
  add_program_test ("/bench/program/picture", test_picture);
  add_program_test ("/bench/program/motion", test_motion);
  add_program_test ("/bench/program/families", test_families);
  add_program_test ("/bench/program/save-masks", test_save_masks);
  add_program_test ("/bench/program/device", test_device);
  add_program_test ("/bench/program/tune", test_tune);
  add_program_test ("/bench/program/bad-arguments", test_bad_arguments);
  add_program_test ("/bench/program/bad-files", test_bad_files);
  add_program_test ("/bench/program/list", test_list);
  return g_test_run ();
}
