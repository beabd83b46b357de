/* gst-cca: the command line of cca-bench
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "bench-options.h"
#include "bench-tuning.h"

#include <stdio.h>
#include <string.h>

#include "patterns.h"

#define TUNE_SIZES "320x240,640x480,1280x720,1920x1080,3840x2160,8192x8192"
#define TUNE_DENSITIES "10,50,90"
#define TUNE_PATIENCE 20
#define NOT_GIVEN G_MININT

/* The texts of options that are lists. */
typedef struct
{
  char *sizes, *densities, *granularities, *patterns, *families, *parameters, *foregrounds, *connectivities;
  char *backends, *algorithms, *tasks, *isas, *formats, *threads, *peers, *reference, *memory;
} Texts;

static GArray *
new_numbers (void)
{
  return g_array_new (FALSE, FALSE, sizeof (guint));
}

static gboolean
usage_error (GError **error, const char *option, const char *text, const char *allowed)
{
  g_set_error (error, BENCH_ERROR, BENCH_ERROR_USAGE, "--%s: \"%s\" is not %s", option, text, allowed);
  return FALSE;
}

/* Appends the numbers of a list like 1,4,16 or 0:100:5 (from, to, step). */
static gboolean
parse_numbers (const char *option, const char *text, guint min, guint max, GArray *numbers, GError **error)
{
  g_autofree char *allowed =
      g_strdup_printf ("a list of numbers from %u to %u, such as %u,%u or %u:%u:STEP", min, max, min, max, min, max);
  g_auto (GStrv) items = g_strsplit (text, ",", -1);

  if (items[0] == NULL)
    return usage_error (error, option, text, allowed);
  for (guint i = 0; items[i] != NULL; i++) {
    g_auto (GStrv) ends = g_strsplit (items[i], ":", -1);
    guint64 range[3] = { 0, 0, 1 };
    const guint n = g_strv_length (ends);

    if (n != 1 && n != 3)
      return usage_error (error, option, text, allowed);
    for (guint e = 0; e < n; e++)
      if (!g_ascii_string_to_unsigned (ends[e], 10, e < 2 ? min : 1, max, &range[e], NULL))
        return usage_error (error, option, text, allowed);
    if (n == 1)
      range[1] = range[0];
    for (guint64 number = range[0]; number <= range[1]; number += range[2]) {
      const guint value = (guint) number;

      g_array_append_val (numbers, value);
    }
  }
  return TRUE;
}

static gboolean
parse_sizes (const char *text, GArray *sizes, GError **error)
{
  g_auto (GStrv) items = g_strsplit (text, ",", -1);

  for (guint i = 0; items[i] != NULL; i++) {
    g_auto (GStrv) sides = g_strsplit (items[i], "x", 2);
    guint64 width, height;
    BenchSize size;

    if (g_strv_length (sides) != 2 || !g_ascii_string_to_unsigned (sides[0], 10, 1, CCA_MAX_SIZE, &width, NULL)
        || !g_ascii_string_to_unsigned (sides[1], 10, 1, CCA_MAX_SIZE, &height, NULL))
      return usage_error (error, "size", text, "a list of sizes from 1x1 to 65535x65535, such as 640x480,1920x1080");
    size = (BenchSize) { (guint) width, (guint) height };
    g_array_append_val (sizes, size);
  }
  return TRUE;
}

typedef const char *(*NameFunc) (guint index);

/* Appends the indices of the names in a list; "all" stands for all of them. name_of gives NULL beyond the last. */
static gboolean
parse_names (const char *option, const char *text, NameFunc name_of, GArray *indices, GError **error)
{
  g_auto (GStrv) items = g_strsplit (text, ",", -1);
  const gboolean all = strcmp (text, "all") == 0;
  guint n_found = 0;

  for (guint i = 0; items[i] != NULL; i++) {
    const guint before = n_found;

    for (guint index = 0; name_of (index) != NULL; index++) {
      if (all || strcmp (name_of (index), items[i]) == 0) {
        g_array_append_val (indices, index);
        n_found++;
      }
    }
    if (n_found == before && !all) {
      g_autoptr (GString) allowed = g_string_new ("one of all");

      for (guint index = 0; name_of (index) != NULL; index++)
        g_string_append_printf (allowed, ", %s", name_of (index));
      return usage_error (error, option, items[i], allowed->str);
    }
  }
  return TRUE;
}

#define NAMES(thing, name)                                                                                             \
  static const char *name_of_##thing (guint index)                                                                     \
  {                                                                                                                    \
    return name;                                                                                                       \
  }
NAMES (pattern, index < n_patterns ? pattern_name (index) : NULL)
NAMES (family, index < N_FAMILIES ? family_name ((Family) index) : NULL)
NAMES (foreground, bench_foreground_name ((BenchForeground) index))
NAMES (backend, cca_backend_name ((CcaBackend) index))
NAMES (isa, cca_isa_name ((CcaIsa) index))
NAMES (format, cca_format_name ((CcaFormat) index))
NAMES (task, index <= BENCH_LABELS ? bench_task_name ((BenchTask) index) : NULL)
NAMES (memory, bench_memories[index] != NULL ? bench_memories[index]->name : NULL)
NAMES (peer, bench_peers[index] != NULL ? bench_peers[index]->name : NULL)

/* Whether a name is in a list of names; "all" holds every name. */
static gboolean
is_listed (const char *name, const char *list)
{
  g_auto (GStrv) items = g_strsplit (list, ",", -1);

  return strcmp (list, "all") == 0 || g_strv_contains ((const char *const *) items, name);
}

/* Every name in the list of algorithms must be in the registry of one of the backends. */
static gboolean
check_algorithms (const char *text, const GArray *backends, GError **error)
{
  g_auto (GStrv) items = g_strsplit (text, ",", -1);
  g_autoptr (GString) known = g_string_new ("one of all, none");

  for (guint i = 0; items[i] != NULL; i++) {
    gboolean found = strcmp (text, "all") == 0 || strcmp (text, "none") == 0;

    for (guint b = 0; b < backends->len; b++) {
      for (const CcaAlgorithm *const *a = cca_algorithms (g_array_index (backends, guint, b)); *a != NULL; a++) {
        found |= strcmp ((*a)->name, items[i]) == 0;
        if (i == 0)
          g_string_append_printf (known, ", %s", (*a)->name);
      }
    }
    if (!found)
      return usage_error (error, "algorithm", items[i], known->str);
  }
  return TRUE;
}

static gboolean
parse_memory (BenchOptions *self, const char *text, GError **error)
{
  g_autoptr (GArray) memories = new_numbers ();

  if (!parse_names ("memory", text, name_of_memory, memories, error))
    return FALSE;
  if (memories->len != 1)
    return usage_error (error, "memory", text, "one kind of memory");
  self->method.memory = bench_memories[g_array_index (memories, guint, 0)];
  return TRUE;
}

/* The registered algorithms asked for, in every way asked for that makes a difference to them. */
static void
add_algorithms (GArray *contenders, const BenchMethod *method, guint max_components, const char *names,
                const GArray *backends, const GArray *tasks, const GArray *isas, const GArray *formats,
                const GArray *threads)
{
  for (guint b = 0; b < backends->len; b++) {
    for (const CcaAlgorithm *const *a = cca_algorithms (g_array_index (backends, guint, b)); *a != NULL; a++) {
      const guint n_isas = (*a)->backend == CCA_BACKEND_CPU ? isas->len : 1;
      const gboolean can_thread = ((*a)->capabilities & CCA_CAN_THREADS) != 0;
      const guint n_threads = can_thread ? threads->len : 1;

      for (guint i = 0; i < tasks->len * n_isas * n_threads * formats->len; i++) {
        const guint way = i / formats->len;
        const BenchTask task = g_array_index (tasks, guint, way / n_threads / n_isas);
        const BenchContender contender = {
          .name = (*a)->name,
          .task = task,
          .engine = &bench_engine_cca,
          .counts = TRUE,
          .algorithm = *a,
          .isa =
              (*a)->backend == CCA_BACKEND_CPU ? g_array_index (isas, guint, way / n_threads % n_isas) : CCA_ISA_AUTO,
          .format = g_array_index (formats, guint, i % formats->len),
          .n_threads = can_thread ? g_array_index (threads, guint, way % n_threads) : 1,
          .max_components = max_components,
        };

        if (is_listed ((*a)->name, names)
            && ((*a)->capabilities & (task == BENCH_LABELS ? CCA_CAN_LABEL : CCA_CAN_ANALYSE)) != 0
            && (!method->overlaps || ((*a)->capabilities & CCA_CAN_OVERLAPS) != 0))
          g_array_append_val (contenders, contender);
      }
    }
  }
}

/* Takes levels that cannot run here out of "all"; one asked for by name is an error. */
static gboolean
keep_available_isas (GArray *isas, const char *text, GError **error)
{
  for (guint i = isas->len; i-- > 0;) {
    const CcaIsa isa = g_array_index (isas, guint, i);

    if (strcmp (text, "all") == 0 ? isa == CCA_ISA_AUTO || !cca_isa_available (isa) : FALSE)
      g_array_remove_index (isas, i);
    else if (!cca_isa_available (isa))
      return usage_error (error, "isa", cca_isa_name (isa), "available in this build on this processor (see --list)");
  }
  return TRUE;
}

/* On a device the benchmark measures the device's work, not the transfer of millions of components. */
static guint
default_max_components (const BenchMemory *memory)
{
  CcaParams params;

  cca_params_init (&params);
  return memory->kind == CCA_MEMORY_HOST ? CCA_MAX_COMPONENTS : params.max_components;
}

/* Only host memory is within reach of every backend. */
static gboolean
check_backends (const BenchMemory *memory, const GArray *backends, GError **error)
{
  for (guint b = 0; b < backends->len; b++) {
    const CcaBackend backend = g_array_index (backends, guint, b);

    if (memory->kind == CCA_MEMORY_DEVICE && backend != CCA_BACKEND_CUDA)
      return usage_error (error, "backend", cca_backend_name (backend), "able to take images from --memory=device");
  }
  return TRUE;
}

static gboolean
parse_contenders (BenchOptions *self, const Texts *texts, guint max_components, GError **error)
{
  g_autoptr (GArray) backends = new_numbers (), tasks = new_numbers (), isas = new_numbers ();
  g_autoptr (GArray) formats = new_numbers (), threads = new_numbers (), peers = new_numbers ();

  if (!parse_names ("backend", texts->backends, name_of_backend, backends, error)
      || !check_backends (self->method.memory, backends, error)
      || !check_algorithms (texts->algorithms, backends, error)
      || !parse_names ("task", texts->tasks, name_of_task, tasks, error)
      || !parse_names ("isa", texts->isas, name_of_isa, isas, error) || !keep_available_isas (isas, texts->isas, error)
      || !parse_names ("format", texts->formats, name_of_format, formats, error)
      || !parse_numbers ("threads", texts->threads, 1, CCA_MAX_THREADS, threads, error))
    return FALSE;
  if (strcmp (texts->peers, "none") != 0 && !parse_names ("peer", texts->peers, name_of_peer, peers, error))
    return FALSE;

  for (guint i = 0; i < peers->len; i++) {
    const BenchPeer *peer = bench_peers[g_array_index (peers, guint, i)];
    const BenchContender contender = { .name = peer->name,
                                       .task = peer->task,
                                       .engine = peer->engine,
                                       .counts = peer->counts,
                                       .connectivity = peer->connectivity,
                                       .n_threads = 1 };
    const char *missing = bench_peer_missing (peer);
    g_autofree char *problem = NULL;

    if (missing != NULL)
      problem = g_strconcat ("here: ", missing, NULL);
    else if (peer->memory != self->method.memory->kind)
      problem = g_strdup ("able to take images from the chosen --memory");

    if (problem == NULL)
      g_array_append_val (self->contenders, contender);
    else if (strcmp (texts->peers, "all") != 0)
      return usage_error (error, "peer", peer->name, problem);
  }
  add_algorithms (self->contenders, &self->method, max_components, texts->algorithms, backends, tasks, isas, formats,
                  threads);
  if (self->contenders->len == 0) {
    g_set_error (error, BENCH_ERROR, BENCH_ERROR_USAGE,
                 "nothing to measure: no algorithm of the chosen backends does "
                 "the chosen tasks, and no peer is chosen");
    return FALSE;
  }

  if (texts->reference == NULL)
    self->reference = g_array_index (self->contenders, BenchContender, 0).name;
  for (guint i = 0; texts->reference != NULL && self->reference == NULL && i < self->contenders->len; i++)
    if (strcmp (g_array_index (self->contenders, BenchContender, i).name, texts->reference) == 0)
      self->reference = g_array_index (self->contenders, BenchContender, i).name;
  return self->reference != NULL
         || usage_error (error, "reference", texts->reference, "the name of an algorithm or peer that is measured");
}

static gboolean
check_range (const char *option, gint64 value, gint64 min, gint64 max, GError **error)
{
  if (value >= min && value <= max)
    return TRUE;
  g_set_error (error, BENCH_ERROR, BENCH_ERROR_USAGE,
               "--%s: %" G_GINT64_FORMAT " is not from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, option, value, min,
               max);
  return FALSE;
}

static gboolean
parse_lists (BenchOptions *self, const Texts *texts, GError **error)
{
  if (texts->sizes != NULL && !parse_sizes (texts->sizes, self->sizes, error))
    return FALSE;
  if (texts->patterns != NULL && !parse_names ("pattern", texts->patterns, name_of_pattern, self->patterns, error))
    return FALSE;
  if (texts->families != NULL && !parse_names ("family", texts->families, name_of_family, self->families, error))
    return FALSE;
  if (texts->parameters != NULL && !parse_numbers ("parameter", texts->parameters, 0, 100, self->parameters, error))
    return FALSE;
  return parse_numbers ("density", texts->densities, 0, 100, self->densities, error)
         && parse_numbers ("granularity", texts->granularities, 1, 1024, self->granularities, error)
         && parse_names ("foreground", texts->foregrounds, name_of_foreground, self->foregrounds, error)
         && parse_numbers ("connectivity", texts->connectivities, 4, 8, self->connectivities, error);
}

static gboolean
check_connectivities (const BenchOptions *self, GError **error)
{
  for (guint i = 0; i < self->connectivities->len; i++) {
    const guint connectivity = g_array_index (self->connectivities, guint, i);

    if (connectivity != 4 && connectivity != 8) {
      g_set_error (error, BENCH_ERROR, BENCH_ERROR_USAGE, "--connectivity: %u is neither 4 nor 8", connectivity);
      return FALSE;
    }
  }
  return TRUE;
}

/* Families are of squares with a power of two a side, which has room for a pattern. */
static gboolean
check_families (const BenchOptions *self, const Texts *texts, GError **error)
{
  for (guint s = 0; self->families->len > 0 && s < MAX (self->sizes->len, 1); s++) {
    const BenchSize size = self->sizes->len > 0 ? g_array_index (self->sizes, BenchSize, s) : (BenchSize) { 0 };

    if (size.width != size.height || (size.width & (size.width - 1)) != 0 || size.width <= 1u << self->level
        || size.width > 1u << RIDGE_MAX_SIDE_BITS)
      return usage_error (error, "size", texts->sizes != NULL ? texts->sizes : "",
                          "a list of squares with a power of two a side, more than two to the power of --level, as "
                          "--family wants");
  }
  return TRUE;
}

static gboolean
check_gpu_options (const BenchMethod *method, int ahead, GError **error)
{
  const char *needing = ahead > 0 ? "of a GPU, which --ahead is for" : "of a GPU, which --signs is for";

  return (ahead <= 0 && !method->signs) || method->memory->sign != NULL
         || usage_error (error, "memory", method->memory->name, needing);
}

/* A line of the table is for one GPU, has both tasks, and a limited number of steps. */
static gboolean
check_tune (const BenchOptions *self, const Texts *texts, GError **error)
{
  gboolean done[2] = { FALSE };

  if (!self->tune)
    return TRUE;
  if (self->method.memory->generation == NULL)
    return usage_error (error, "memory", self->method.memory->name, "of a GPU, which --tune is for");
  if (self->sizes->len > BENCH_TUNING_SIZES)
    return usage_error (error, "size", texts->sizes,
                        "a list of at most " G_STRINGIFY (BENCH_TUNING_SIZES) " sizes, as --tune wants");
  if (self->masks_folder != NULL)
    return usage_error (error, "save-masks", self->masks_folder, "possible together with --tune");
  for (guint c = 0; c < self->contenders->len; c++)
    done[g_array_index (self->contenders, BenchContender, c).task] = TRUE;
  return (done[BENCH_ANALYSIS] && done[BENCH_LABELS])
         || usage_error (error, "task", texts->tasks, "all that --tune needs, which is analysis and labels");
}

static void
default_text (char **text, const char *value)
{
  if (*text == NULL)
    *text = g_strdup (value);
}

static void
texts_clear (Texts *texts)
{
  char **const all[] = { &texts->sizes,    &texts->densities,  &texts->granularities, &texts->patterns,
                         &texts->families, &texts->parameters, &texts->foregrounds,   &texts->connectivities,
                         &texts->backends, &texts->algorithms, &texts->tasks,         &texts->isas,
                         &texts->formats,  &texts->threads,    &texts->peers,         &texts->reference,
                         &texts->memory };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_clear_pointer (all[i], g_free);
}

/* Sets the cases that tell most in little time. */
static void
set_tune_defaults (Texts *texts)
{
  default_text (&texts->memory, "device");
  default_text (&texts->sizes, TUNE_SIZES);
  default_text (&texts->densities, TUNE_DENSITIES);
  default_text (&texts->connectivities, "4,8");
  default_text (&texts->peers, "none");
}

static void
set_defaults (Texts *texts)
{
  default_text (&texts->densities, "0:100:10");
  default_text (&texts->granularities, "1,4,16");
  default_text (&texts->foregrounds, "nonzero");
  default_text (&texts->connectivities, "8");
  default_text (&texts->memory, "host");
  default_text (&texts->backends, strcmp (texts->memory, "host") == 0 ? "cpu" : "cuda");
  default_text (&texts->algorithms, "all");
  default_text (&texts->tasks, "all");
  default_text (&texts->isas, "auto");
  default_text (&texts->formats, "GRAY8");
  default_text (&texts->threads, "1");
  default_text (&texts->peers, "all");
}

void
bench_options_free (BenchOptions *self)
{
  GArray *const arrays[] = { self->sizes,      self->densities,   self->granularities,  self->patterns,  self->families,
                             self->parameters, self->foregrounds, self->connectivities, self->contenders };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_unref (arrays[i]);
  g_strfreev (self->files);
  g_free (self->csv);
  g_free (self->masks_folder);
  g_free (self);
}

BenchOptions *
bench_options_new (int *argc, char ***argv, GError **error)
{
  g_autoptr (BenchOptions) self = g_new0 (BenchOptions, 1);
  Texts texts = { 0 };
  int seed = 1, n_masks = 2, threshold = 127, close_radius = 0, first = 0, every = 1, count = 16;
  int level = 3, subdivisions = 5;
  int iterations = 21, warm_up = 2, patience = NOT_GIVEN, footprint = -1, max_components = -1, ahead = 0, lead = 0;
  const GOptionEntry input[] = {
    { "random", 0, 0, G_OPTION_ARG_NONE, &self->random, "Random images; the default without FILE and --pattern", NULL },
    { "density", 'd', 0, G_OPTION_ARG_STRING, &texts.densities, "Foreground of random images, %; 0:100:10", "LIST" },
    { "granularity", 'g', 0, G_OPTION_ARG_STRING, &texts.granularities, "Side of their blocks, pixels; 1,4,16",
      "LIST" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "Of the random numbers; 1", "N" },
    { "masks", 0, 0, G_OPTION_ARG_INT, &n_masks, "Different random images in each case; 2", "N" },
    { "pattern", 0, 0, G_OPTION_ARG_STRING, &texts.patterns, "Figures, or all; see --list", "LIST" },
    { "family", 0, 0, G_OPTION_ARG_STRING, &texts.families,
      "Families of ridge patterns, or all; see --list. Sizes are squares with a power of two a side", "LIST" },
    { "level", 0, 0, G_OPTION_ARG_INT, &level, "Of the patterns in a family; 3", "N" },
    { "subdivisions", 0, 0, G_OPTION_ARG_INT, &subdivisions, "Of the image in a random family; 5, if there is room",
      "N" },
    { "parameter", 0, 0, G_OPTION_ARG_STRING, &texts.parameters,
      "Members of families: levels of leveling, divisions of subdivision (default: all), per cent of others (default: "
      "0:100:10)",
      "LIST" },
    { "size", 's', 0, G_OPTION_ARG_STRING, &texts.sizes, "1920x1080; files: scaled to it, nearest neighbour", "LIST" },
    { "foreground", 'f', 0, G_OPTION_ARG_STRING, &texts.foregrounds,
      "Of files: nonzero (default), threshold, otsu, adaptive, motion", "LIST" },
    { "threshold", 0, 0, G_OPTION_ARG_INT, &threshold, "Of --foreground=threshold; 127", "N" },
    { "invert", 0, 0, G_OPTION_ARG_NONE, &self->mask.invert, "Swap foreground and background of files", NULL },
    { "denoise", 0, 0, G_OPTION_ARG_NONE, &self->mask.denoise, "3x3 majority; always on for motion", NULL },
    { "close-radius", 0, 0, G_OPTION_ARG_INT, &close_radius, "Closing of files' masks, pixels; 0", "N" },
    { "first", 0, 0, G_OPTION_ARG_INT, &first, "First frame taken from a file; 0", "N" },
    { "every", 0, 0, G_OPTION_ARG_INT, &every, "Take every Nth frame from there; 1", "N" },
    { "frames", 0, 0, G_OPTION_ARG_INT, &count, "Frames taken at most; 16", "N" },
    { NULL },
  };
  const GOptionEntry main_entries[] = {
    { "list", 'l', 0, G_OPTION_ARG_NONE, &self->list, "List algorithms, ISA levels, peers, figures and families",
      NULL },
    { "tune", 0, 0, G_OPTION_ARG_NONE, &self->tune,
      "Find the fastest algorithm for each size on this GPU, and print its line for cuda/tuning.c. Other defaults: "
      "--memory=device --size=" TUNE_SIZES " --density=" TUNE_DENSITIES
      " --connectivity=4,8 --peer=none --patience=" G_STRINGIFY (TUNE_PATIENCE) ", "
                                                                                "random images beside FILEs, too",
      NULL },
    { "algorithm", 'a', 0, G_OPTION_ARG_STRING, &texts.algorithms, "Algorithms, all or none; all", "LIST" },
    { "memory", 'm', 0, G_OPTION_ARG_STRING, &texts.memory,
      "Where images lie: host, or device, timed by the GPU's clock; host", "NAME" },
    { "backend", 'b', 0, G_OPTION_ARG_STRING, &texts.backends, "Backends; cpu, for memory of a device cuda", "LIST" },
    { "task", 't', 0, G_OPTION_ARG_STRING, &texts.tasks, "analysis, labels or both; all", "LIST" },
    { "connectivity", 'c', 0, G_OPTION_ARG_STRING, &texts.connectivities, "4, 8 or 4,8; 8", "LIST" },
    { "isa", 'i', 0, G_OPTION_ARG_STRING, &texts.isas, "CPU instruction sets; auto, the best", "LIST" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &texts.formats,
      "Formats of the algorithms' images, GRAY8, YUY2, UYVY, P010, RGBX, BGRX, GRAY16_LE or GRAY16_BE; all; GRAY8",
      "LIST" },
    { "threads", 'j', 0, G_OPTION_ARG_STRING, &texts.threads, "Threads where an algorithm can use them; 1", "LIST" },
    { "max-components", 0, 0, G_OPTION_ARG_INT, &max_components,
      "Components that algorithms shall store; all, as peers; in memory of a device 4096, the library's default", "N" },
    { "peer", 'p', 0, G_OPTION_ARG_STRING, &texts.peers, "Peers, all or none; all", "LIST" },
    { "reference", 'r', 0, G_OPTION_ARG_STRING, &texts.reference, "What ratios refer to; the first peer", "NAME" },
    { "iterations", 'n', 0, G_OPTION_ARG_INT, &iterations, "Images timed in each case; 21", "N" },
    { "warm-up", 0, 0, G_OPTION_ARG_INT, &warm_up, "Images before; 2", "N" },
    { "lead", 0, 0, G_OPTION_ARG_INT, &lead,
      "Images that a contender does right before each, untimed, so that the caches are as its own stream leaves them; "
      "0",
      "N" },
    { "patience", 0, 0, G_OPTION_ARG_INT, &patience, "Time in a case after which nobody goes on; 0: no limit", "MS" },
    { "footprint", 0, 0, G_OPTION_ARG_INT, &footprint,
      "Memory that inputs, and outputs, go round in; twice the "
      "last-level cache; 0: one image stays in the cache",
      "MiB" },
    { "ahead", 0, 0, G_OPTION_ARG_INT, &ahead,
      "Keep the GPU busy for so long before each image, so that its own time does not wait for the host; 0", "US" },
    { "overlaps", 0, 0, G_OPTION_ARG_NONE, &self->method.overlaps,
      "Have the algorithms that can find the overlaps with the last image, too; the others do not take part", NULL },
    { "shapes", 0, 0, G_OPTION_ARG_NONE, &self->method.shapes, "Have the algorithms measure shapes, too", NULL },
    { "intensities", 0, 0, G_OPTION_ARG_NONE, &self->method.intensities, "Have the algorithms measure intensities, too",
      NULL },
    { "stages", 0, 0, G_OPTION_ARG_NONE, &self->method.stages,
      "Have a GPU time the stages, too, which costs it time; a CPU always does", NULL },
    { "signs", 0, 0, G_OPTION_ARG_NONE, &self->method.signs,
      "For profilers of a GPU: a kernel bench_mark before and after each image", NULL },
    { "check-labels", 0, 0, G_OPTION_ARG_NONE, &self->method.check_labels,
      "Compare all labels before the timing, not only the numbers of components, and put their digest into the CSV "
      "file",
      NULL },
    { "csv", 'o', 0, G_OPTION_ARG_FILENAME, &self->csv, "Write the results there, too", "FILE" },
    { "save-masks", 0, 0, G_OPTION_ARG_FILENAME, &self->masks_folder,
      "Write the masks there as Y4M files, and measure nothing", "FOLDER" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->files, NULL, "[FILE or URI…]" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  GOptionGroup *group = g_option_group_new ("input", "Input:", "Show the options for the input", NULL, NULL);
  gboolean parsed;

  self->sizes = g_array_new (FALSE, FALSE, sizeof (BenchSize));
  self->contenders = g_array_new (FALSE, FALSE, sizeof (BenchContender));
  self->densities = new_numbers ();
  self->granularities = new_numbers ();
  self->patterns = new_numbers ();
  self->families = new_numbers ();
  self->parameters = new_numbers ();
  self->foregrounds = new_numbers ();
  self->connectivities = new_numbers ();
  g_option_context_set_summary (context, "Compares connected-component algorithms on random images, figures, image "
                                         "files and videos.\nLists are separated by commas.");
  g_option_context_add_main_entries (context, main_entries, NULL);
  g_option_group_add_entries (group, input);
  g_option_context_add_group (context, group);

  parsed = g_option_context_parse (context, argc, argv, error);
  if (parsed) {
    if (self->tune)
      set_tune_defaults (&texts);
    if (patience == NOT_GIVEN)
      patience = self->tune ? TUNE_PATIENCE : 0;
    set_defaults (&texts);
    parsed = parse_lists (self, &texts, error) && check_connectivities (self, error)
             && parse_memory (self, texts.memory, error);
    if (parsed && max_components < 0)
      max_components = default_max_components (self->method.memory);
    parsed = parsed && check_range ("max-components", max_components, 0, CCA_MAX_COMPONENTS, error)
             && parse_contenders (self, &texts, max_components, error) && check_tune (self, &texts, error)
             && check_gpu_options (&self->method, ahead, error) && check_range ("ahead", ahead, 0, 1000000, error)
             && check_range ("seed", seed, 0, G_MAXINT, error) && check_range ("masks", n_masks, 1, 1000, error)
             && check_range ("level", level, 1, RIDGE_MAX_SIDE_BITS - 1, error)
             && check_range ("subdivisions", subdivisions, 0, RIDGE_MAX_SIDE_BITS - 1, error)
             && check_range ("threshold", threshold, 0, 255, error)
             && check_range ("close-radius", close_radius, 0, CCA_MAX_CLOSE_RADIUS, error)
             && check_range ("first", first, 0, G_MAXINT, error) && check_range ("every", every, 1, G_MAXINT, error)
             && check_range ("frames", count, 1, 100000, error)
             && check_range ("iterations", iterations, 1, 1000000, error)
             && check_range ("warm-up", warm_up, 0, 1000000, error) && check_range ("lead", lead, 0, 1000, error)
             && check_range ("patience", patience, 0, 1000000, error)
             && check_range ("footprint", footprint, -1, 1 << 20, error);
    self->level = (guint) level;
    self->subdivisions = (guint) subdivisions;
    parsed = parsed && check_families (self, &texts, error);
  }
  texts_clear (&texts);
  if (!parsed)
    return NULL;

  self->seed = seed;
  self->n_masks = n_masks;
  self->mask.threshold = threshold;
  self->mask.close_radius = close_radius;
  self->mask.first = first;
  self->mask.every = every;
  self->mask.count = count;
  self->method.iterations = iterations;
  self->method.warm_up = warm_up;
  self->method.lead = lead;
  self->method.ahead = ahead * G_GUINT64_CONSTANT (1000);
  self->method.patience = patience * 1e6;
  self->method.footprint = footprint < 0 ? BENCH_TWICE_THE_CACHE : (gsize) footprint << 20;
  self->random |= self->tune || (self->files == NULL && self->patterns->len == 0 && self->families->len == 0);
  return g_steal_pointer (&self);
}
