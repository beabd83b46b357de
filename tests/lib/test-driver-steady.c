/* gst-cca: frames like earlier ones make nothing in the driver; plans that grow never release in cca_plan_run(); a file
 * of kernels is loaded once, with the first plan that needs it; threads block for a frame where that costs no frames
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <glib.h>
#include <pthread.h>

#include "cases.h"
#include "compare.h"
#include "device.h"
#include "driver.h"

#define SETTINGS(S)                                                                                                    \
  S (nothing, (void) p)                                                                                                \
  S (area, p->order = CCA_ORDER_AREA, p->covariance = true, p->max_components = 5)                                     \
  S (filter, p->min_area = 3, p->max_area = 900, p->close_radius = 1)                                                  \
  S (motion, p->foreground = CCA_FOREGROUND_MOTION, p->motion.learning = 1, p->denoise = true)                         \
  S (samples, set_motion (p), p->motion.model = CCA_MODEL_SAMPLES)                                                     \
  S (values, p->foreground = CCA_FOREGROUND_VALUES)                                                                    \
  S (count_only, p->max_components = 0)                                                                                \
  S (overlaps, p->overlaps = true)                                                                                     \
  S (details, p->shape = true, p->intensity = true)                                                                    \
  S (details_by_area, set_area (p), set_details (p))

#define DEFINE(name, ...)                                                                                              \
  static void set_##name (CcaParams *p)                                                                                \
  {                                                                                                                    \
    __VA_ARGS__;                                                                                                       \
  }
SETTINGS (DEFINE)

#define ADDRESS(name, ...) set_##name,
static void (*const settings[]) (CcaParams *p) = { SETTINGS (ADDRESS) };

/* Frames like those before make nothing in the driver, and allocate nothing on the host. */
static void
check_steady (const Target *target, const CcaParams *params)
{
  uint64_t before[FAKE_CUDA_N_KINDS] = { 0 };
  size_t n_allocations = 0;
  CountingAllocator counting;
  CcaMeasurement measurement;
  CcaContext *context = NULL;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;

  counting_allocator_init (&counting);
  g_assert_cmpint (open_context (&counting, &context), ==, CCA_OK);
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, params, OUTPUT, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  for (size_t frame = 0; frame < 6 * N_FIGURES; frame++) {
    const bool steady = frame >= 2 * N_FIGURES;

    g_assert_cmpint (run (plan, result, frame % N_FIGURES, target->memory), ==, CCA_OK);
    g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
    check_measurement (&measurement, params, frame % N_FIGURES);
    for (FakeCudaKind kind = 0; kind < FAKE_CUDA_N_KINDS; kind++) {
      if (steady && kind != FAKE_CUDA_CURRENT && fake->n_made (kind) != before[kind])
        g_test_fail_printf ("frame %zu makes %s", frame, fake->kind_name (kind));
      before[kind] = fake->n_made (kind);
    }
    if (steady && counting.n_calls != n_allocations)
      g_test_fail_printf ("frame %zu allocates host memory", frame);
    n_allocations = counting.n_calls;
  }
  cca_result_free (result);
  cca_plan_free (plan);
  cca_context_free (context);
  counting_allocator_clear (&counting);
}

static void
test_steady (CcaContext *context, const Target *target)
{
  images_init ();
  for (size_t i = 0; i < G_N_ELEMENTS (settings) && !g_test_failed (); i++) {
    CcaParams params = target_params (target, 4);

    settings[i](&params);
    if (compare_can (target->algorithm, &params, OUTPUT))
      check_steady (target, &params);
  }
  images_clear ();
}

static uint64_t
n_released (FakeCudaKind kind)
{
  return fake->n_made (kind) - fake->n_held (kind);
}

/* Releasing memory waits for the device, so that cca_plan_run() must not, though a result needs more room: frames of
 * other plans may be in flight. */
static void
test_growing (CcaContext *context, const Target *target)
{
  CcaParams params = target_params (target, 4);
  CcaMeasurement measurement;
  CcaPlan *plan = NULL;
  CcaResult *result = NULL;
  uint64_t device, pinned;

  if (!compare_can (target->algorithm, &params, OUTPUT))
    return;
  images_init ();
  params.max_components = 2;
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, OUTPUT, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  g_assert_cmpint (run (plan, result, DOTS, target->memory), ==, CCA_OK);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  params.max_components = 500;
  device = fake->n_made (FAKE_CUDA_MEMORY);
  g_assert_cmpint (cca_plan_set_params (plan, &params), ==, CCA_OK);
  g_assert_cmpuint (fake->n_made (FAKE_CUDA_MEMORY), ==, device); /* the plan's workspace serves */

  device = n_released (FAKE_CUDA_MEMORY);
  pinned = n_released (FAKE_CUDA_PINNED);
  g_assert_cmpint (run (plan, result, DOTS, target->memory), ==, CCA_OK);
  g_assert_cmpuint (n_released (FAKE_CUDA_MEMORY), ==, device);
  g_assert_cmpuint (n_released (FAKE_CUDA_PINNED), ==, pinned);
  g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  check_measurement (&measurement, &params, DOTS);
  g_assert_cmpuint (n_released (FAKE_CUDA_MEMORY), ==, device + 1);
  cca_result_free (result);
  cca_plan_free (plan);
  images_clear ();
}

static CcaPlan *
make_plan (CcaContext *context, const CcaParams *params)
{
  CcaPlan *plan = NULL;

  check_ok (cca_plan_new (context, WIDTH, HEIGHT, params, CCA_OUTPUT_NONE, &plan), "plan");
  return plan;
}

static CcaContext *
make_context (CountingAllocator *counting)
{
  CcaContext *context = NULL;

  counting_allocator_init (counting);
  g_assert_cmpint (open_context (counting, &context), ==, CCA_OK);
  return context;
}

/* Runs frames of a plan whose thread is elsewhere for a while before each, or at each. Returns how often a thread that
 * slept asked whether its frame was done. */
static uint64_t
count_queries (CcaPlan *plan, CcaResult *result, bool elsewhere)
{
  enum
  {
    N = 4,
    PAUSE = 20000 /* µs */
  };
  CcaMeasurement measurement;
  uint64_t before = 0;

  for (int i = 0; i <= N; i++) {
    if (i == 1) /* the first one follows what went before */
      before = fake->n_queries ();
    if (elsewhere)
      g_usleep (PAUSE);
    g_assert_cmpint (run (plan, result, DOTS, CCA_MEMORY_DEVICE), ==, CCA_OK);
    if (!elsewhere)
      g_usleep (PAUSE);
    g_assert_cmpint (cca_result_wait (result, &measurement), ==, CCA_OK);
  }
  return fake->n_queries () - before;
}

/* A thread spins for a single stream, and for a busy one of several; it sleeps only for one that is elsewhere. */
static void
test_waits (void)
{
  CountingAllocator counting;
  CcaContext *context = make_context (&counting);
  CcaPlan *plan = NULL;
  CcaResult *result = NULL, *other = NULL;
  CcaParams params;

  cca_params_init (&params);
  images_init ();
  g_assert_cmpint (cca_plan_new (context, WIDTH, HEIGHT, &params, OUTPUT, &plan), ==, CCA_OK);
  g_assert_cmpint (cca_result_new (plan, &result), ==, CCA_OK);
  for (int i = 0; i < 2; i++) {
    g_assert_cmpuint (count_queries (plan, result, true), ==, 0);
    g_assert_cmpint (cca_result_new (plan, &other), ==, CCA_OK);
    g_assert_cmpuint (count_queries (plan, result, true), >, 0);
    g_assert_cmpuint (count_queries (plan, result, false), <, 3);
    cca_result_free (other);
  }
  cca_result_free (result);
  cca_plan_free (plan);
  images_clear ();
  cca_context_free (context);
  counting_allocator_clear (&counting);
}

/* Makes a plan of each algorithm. */
static void
make_all_plans (CcaContext *context)
{
  for (const CcaAlgorithm *const *a = cca_algorithms (CCA_BACKEND_CUDA); *a; a++) {
    CcaParams params;

    cca_params_init (&params);
    params.algorithm = (*a)->name;
    cca_plan_free (make_plan (context, &params));
  }
}

static void
test_modules (void)
{
  const uint64_t before = fake->n_held (FAKE_CUDA_MODULE);
  CountingAllocator counting;
  CcaContext *context = make_context (&counting);
  CcaParams params;
  CcaPlan *plan, *like;
  uint64_t n;

  g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, before + 1);
  cca_params_init (&params);
  plan = make_plan (context, &params);
  n = fake->n_held (FAKE_CUDA_MODULE);
  like = make_plan (context, &params);
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, n);
  params.overlaps = true;
  params.denoise = true;
  params.shape = true;
  g_assert_cmpint (cca_plan_set_params (plan, &params), ==, CCA_OK);
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, n + 3);
  make_all_plans (context);
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), >, n + 8);
  cca_plan_free (plan);
  cca_plan_free (like);
  cca_context_free (context);
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, before);
  counting_allocator_clear (&counting);
}

/* Contexts of libcca in the same context of the driver share its modules until the last of them is freed, in any order;
 * another context of the driver has its own. */
static void
test_modules_shared (void)
{
  const uint64_t before = fake->n_held (FAKE_CUDA_MODULE);
  void *const native = device_context_new (0);
  CountingAllocator counting[3];
  CcaContext *contexts[3];
  CcaPlan *plans[3];
  CcaContextOptions options;
  CcaParams params;
  uint64_t n;

  cca_params_init (&params);
  cca_context_options_init (&options);
  options.backend = CCA_BACKEND_CUDA;
  for (int i = 0; i < 2; i++) {
    contexts[i] = make_context (&counting[i]);
    plans[i] = make_plan (contexts[i], &params);
    if (i == 0)
      n = fake->n_held (FAKE_CUDA_MODULE) - before;
    g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, before + n);
  }
  counting_allocator_init (&counting[2]);
  options.allocator = counting[2].allocator;
  options.native = native;
  g_assert_cmpint (cca_context_new (&options, &contexts[2]), ==, CCA_OK);
  plans[2] = make_plan (contexts[2], &params);
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, before + 2 * n);
  for (int i = 0; i < 3; i++) {
    g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, before + (i < 2 ? 2 : 1) * n);
    cca_plan_free (plans[i]);
    cca_context_free (contexts[i]);
    counting_allocator_clear (&counting[i]);
  }
  g_assert_cmpuint (fake->n_held (FAKE_CUDA_MODULE), ==, before);
  device_context_free (native);
}

#define N_THREADS 4

typedef struct
{
  CcaContext *context;
  pthread_barrier_t start;
} Race;

static gpointer
run_race (gpointer data)
{
  Race *race = data;

  CountingAllocator counting;
  CcaContext *context;

  pthread_barrier_wait (&race->start);
  context = race->context ? race->context : make_context (&counting);
  make_all_plans (context);
  pthread_barrier_wait (&race->start);
  if (!race->context) {
    cca_context_free (context);
    counting_allocator_clear (&counting);
  }
  return NULL;
}

/* Lets n threads make plans of all algorithms, in one new context or in one each, on the same context of the driver.
 * Returns how many modules were loaded. */
static uint64_t
count_modules (size_t n_threads, bool one_context)
{
  const uint64_t before = fake->n_made (FAKE_CUDA_MODULE);
  CountingAllocator counting;
  Race race = { .context = one_context ? make_context (&counting) : NULL };
  GThread *threads[N_THREADS];

  pthread_barrier_init (&race.start, NULL, (unsigned) n_threads);
  for (size_t i = 0; i < n_threads; i++)
    threads[i] = g_thread_new ("plans", run_race, &race);
  for (size_t i = 0; i < n_threads; i++)
    g_thread_join (threads[i]);
  pthread_barrier_destroy (&race.start);
  if (one_context) {
    cca_context_free (race.context);
    counting_allocator_clear (&counting);
  }
  return fake->n_made (FAKE_CUDA_MODULE) - before;
}

/* Plans that are made at the same time load each file once. */
static void
test_modules_at_once (void)
{
  const uint64_t n = count_modules (1, true);

  for (int i = 0; i < 400; i++)
    g_assert_cmpuint (count_modules (N_THREADS, i % 2), ==, n);
}

int
main (int argc, char **argv)
{
  driver_init (&argc, &argv);
  targets_add_image_test_where ("/driver-steady/steady", test_steady, is_cuda);
  targets_add_image_test_where ("/driver-steady/growing", test_growing, is_cuda);
  g_test_add_func ("/driver-steady/waits", test_waits);
  g_test_add_func ("/driver-steady/modules", test_modules);
  g_test_add_func ("/driver-steady/modules-shared", test_modules_shared);
  g_test_add_func ("/driver-steady/modules-at-once", test_modules_at_once);
  return g_test_run ();
}
