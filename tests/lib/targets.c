/* gst-cca: every backend, algorithm and instruction set as a test case of its own
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "targets.h"

#include <glib.h>

#include "device.h"

static const CcaBackend backends[] = { CCA_BACKEND_CPU, CCA_BACKEND_CUDA };

#if defined(__x86_64__) || defined(__i386__)
static const CcaIsa isas[] = { CCA_ISA_C, CCA_ISA_SSE41, CCA_ISA_AVX2, CCA_ISA_AVX512 };
#elif defined(__aarch64__) || defined(__ARM_NEON)
static const CcaIsa isas[] = { CCA_ISA_C, CCA_ISA_NEON };
#else
static const CcaIsa isas[] = { CCA_ISA_C };
#endif

void
targets_for_each (void (*f) (const Target *target, void *data), void *data)
{
  for (size_t b = 0; b < G_N_ELEMENTS (backends); b++) {
    const bool cpu = backends[b] == CCA_BACKEND_CPU;

    for (const CcaAlgorithm *const *a = cca_algorithms (backends[b]); *a; a++)
      for (size_t i = 0; i < (cpu ? G_N_ELEMENTS (isas) : 1); i++) {
        Target target = { backends[b], cpu ? isas[i] : CCA_ISA_AUTO, *a, CCA_MEMORY_HOST };

        f (&target, data);
        target.memory = CCA_MEMORY_DEVICE;
        if (!cpu)
          f (&target, data);
      }
  }
}

typedef struct
{
  Target target;
  TargetTest test; /* NULL: data_test */
  TargetDataTest data_test;
  void *data;
} TestData;

CcaStatus
target_open (const Target *target, bool all_threads, const CcaAllocator *allocator, CcaContext **context)
{
  CcaContextOptions options;

  cca_context_options_init (&options);
  options.backend = target->backend;
  options.isa = target->isa;
  options.all_threads = all_threads;
  if (allocator != NULL)
    options.allocator = *allocator;
  return cca_context_new (&options, context);
}

static void
run_test (gconstpointer data)
{
  const TestData *test_data = data;
  const Target *target = &test_data->target;
  CcaContext *context;
  CcaStatus status;

  if (target->backend == CCA_BACKEND_CUDA)
    device_keep ();
  if (target->backend == CCA_BACKEND_CPU && !cca_isa_available (target->isa)) {
    char *reason = g_strdup_printf ("no %s on this processor or in this build", cca_isa_name (target->isa));
    g_test_skip (reason);
    g_free (reason);
    return;
  }
  status = target_open (target, true, NULL, &context);
  if (status == CCA_ERROR_UNAVAILABLE) {
    g_test_skip (cca_last_error ());
    return;
  }
  if (status != CCA_OK) {
    g_test_fail_printf ("no context: %s: %s", cca_status_text (status), cca_last_error ());
    return;
  }
  if (test_data->test)
    test_data->test (context, target);
  else
    test_data->data_test (context, target, test_data->data);
  cca_context_free (context);
}

typedef struct
{
  const char *path;
  TargetTest test;
  bool (*applies) (const Target *target);
  bool every_memory;
  TargetDataTest data_test;
  void *data;
  uint32_t n_added;
} Registration;

static void
add_test (const Target *target, void *data)
{
  Registration *registration = data;
  const char *backend = cca_backend_name (target->backend), *algorithm = target->algorithm->name;
  TestData *test_data;
  char *path;

  if (registration->applies && !registration->applies (target))
    return;
  if (target->memory == CCA_MEMORY_DEVICE && !registration->every_memory)
    return;
  registration->n_added++;
  test_data = g_new (TestData, 1);
  *test_data = (TestData) { *target, registration->test, registration->data_test, registration->data };
  if (target->memory == CCA_MEMORY_DEVICE)
    path = g_strdup_printf ("%s/%s/%s/device", registration->path, backend, algorithm);
  else if (target->isa == CCA_ISA_AUTO)
    path = g_strdup_printf ("%s/%s/%s", registration->path, backend, algorithm);
  else
    path = g_strdup_printf ("%s/%s/%s/%s", registration->path, backend, algorithm, cca_isa_name (target->isa));
  g_test_add_data_func_full (path, test_data, run_test, g_free);
  g_free (path);
}

static void
skip_test (void)
{
  g_test_skip ("no algorithm in this build is what the test is about");
}

static void
add_tests (Registration registration)
{
  targets_for_each (add_test, &registration);
  if (registration.n_added == 0)
    g_test_add_func (registration.path, skip_test);
}

void
targets_add_test (const char *path, TargetTest test)
{
  add_tests ((Registration) { path, test, NULL, false });
}

void
targets_add_test_where (const char *path, TargetTest test, bool (*applies) (const Target *target))
{
  add_tests ((Registration) { path, test, applies, false });
}

void
targets_add_image_test (const char *path, TargetTest test)
{
  add_tests ((Registration) { path, test, NULL, true });
}

void
targets_add_image_test_where (const char *path, TargetTest test, bool (*applies) (const Target *target))
{
  add_tests ((Registration) { path, test, applies, true });
}

void
targets_add_image_data_test (const char *path, TargetDataTest test, void *data, bool (*applies) (const Target *target))
{
  add_tests ((Registration) { path, NULL, applies, true, test, data });
}

bool
target_copies (const Target *target)
{
  return target->backend == CCA_BACKEND_CUDA && target->memory == CCA_MEMORY_HOST;
}

bool
target_can_label (const Target *target)
{
  return target->algorithm->capabilities & CCA_CAN_LABEL;
}

bool
target_can_values (const Target *target)
{
  return target->algorithm->capabilities & CCA_CAN_VALUES;
}

bool
target_can_overlaps (const Target *target)
{
  return target->algorithm->capabilities & CCA_CAN_OVERLAPS;
}

bool
target_is_first (const Target *target)
{
  return target->algorithm == cca_algorithms (target->backend)[0];
}

bool
target_is_best_isa (const Target *target)
{
  CcaIsa best = CCA_ISA_C;

  for (size_t i = 0; i < G_N_ELEMENTS (isas); i++)
    if (cca_isa_available (isas[i]))
      best = isas[i];
  return target->backend != CCA_BACKEND_CPU || target->isa == best;
}

Layout
target_layout (const Target *target, size_t turn)
{
  Layout layout = layouts[turn % n_layouts];

  layout.memory = target->memory;
  layout.pinned = target->backend == CCA_BACKEND_CUDA && target->memory == CCA_MEMORY_HOST && turn % 2 == 1;
  return layout;
}

const uint32_t *
target_threads (const Target *target)
{
  static const uint32_t one[] = { 1, 0 }, several[] = { 1, 2, 3, 7, 0 }, few[] = { 1, 3, 0 };

  return !(target->algorithm->capabilities & CCA_CAN_THREADS) ? one : FRAME_STRIDE > 1 ? few : several;
}

CcaParams
target_params (const Target *target, uint32_t connectivity)
{
  CcaParams params;

  cca_params_init (&params);
  params.algorithm = target->algorithm->name;
  params.connectivity = connectivity;
  params.max_components = CCA_MAX_COMPONENTS;
  params.stage_interval = 2; /* frames that are timed and others in turns */
  return params;
}
