/* gst-cca: bytes to buffers of any size and layout, through an element that maps their luma
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A buffer that has all of its luma gives the oracle's components and mask; any other gives one error, and nothing
 * outside of its memory is read.
 */
#include "gst/element-test.h"
#include "fuzz.h"
#include "lib/compare.h"

#include <string.h>

#define MAX_WIDTH 80u
#define MAX_HEIGHT 24u
#define MAX_SIZE 6000u
#define MAX_MEMORIES 4u

/* Elements live as long as the program; caps change as inputs want it. */
typedef struct
{
  GstHarness *harness;
  GstCaps *caps; /* those it has, or NULL */
} Element;

enum
{
  ELEMENT_CCA,
  ELEMENT_CCL,
  N_ELEMENTS
};

static Element elements[N_ELEMENTS];

/* An input's caps and layout. */
typedef struct
{
  GstCaps *caps;
  GstVideoInfo info;
  guint8 *bytes; /* of all memories one after the other */
  gsize size;
  gboolean has_meta;
  guint meta_width, meta_height, n_planes;
  gsize offset;
  gint stride;
} Input;

static void G_GNUC_PRINTF (2, 3) fail (const Input *input, const gchar *format, ...)
{
  va_list args;
  gchar *problem;

  va_start (args, format);
  problem = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("%" G_GSIZE_FORMAT " bytes of %s, meta %d: %ux%u, %u planes, offset %" G_GSIZE_FORMAT ", stride %d\n",
              input->size, gst_caps_to_string (input->caps), input->has_meta, input->meta_width, input->meta_height,
              input->n_planes, input->offset, input->stride);
  fuzz_fail (problem);
}

/* --- From bytes -------------------------------------------------------------------------------------- */

static GstCaps *
read_caps (Reader *reader)
{
  static const gchar *const more[] = { NULL, NULL, "colorimetry=(string)1:4:0:0", "colorimetry=(string)2:4:0:0" };
  const guint8 choice = read_byte (reader);
  const guint width = 1 + read_byte (reader) % MAX_WIDTH, height = 1 + read_byte (reader) % MAX_HEIGHT;

  return test_caps (test_formats[choice % test_n_formats], width, height, more[choice / 16 % G_N_ELEMENTS (more)]);
}

/* Numbers of the sizes that matter, and the largest ones. */
static guint64
read_number (Reader *reader, guint64 usual)
{
  switch (read_byte (reader) % 8) {
    case 0: return read_byte (reader);
    case 1: return read_u16 (reader);
    case 2: return read_u32 (reader);
    case 3: return G_MAXUINT64 - read_u16 (reader);
    case 4: return usual + read_byte (reader);
    case 5: return usual - read_byte (reader);
    default: return usual;
  }
}

static void
read_layout (Reader *reader, Input *input)
{
  const GstVideoInfo *info = &input->info;

  input->has_meta = read_byte (reader) % 4 != 0;
  input->offset = GST_VIDEO_INFO_PLANE_OFFSET (info, 0);
  input->stride = GST_VIDEO_INFO_PLANE_STRIDE (info, 0);
  input->n_planes = GST_VIDEO_INFO_N_PLANES (info);
  if (!input->has_meta)
    return;
  input->meta_width = (guint) read_number (reader, (guint64) GST_VIDEO_INFO_WIDTH (info));
  input->meta_height = (guint) read_number (reader, (guint64) GST_VIDEO_INFO_HEIGHT (info));
  input->offset = read_number (reader, input->offset);
  input->stride = (gint) read_number (reader, (guint64) input->stride);
  if (read_byte (reader) % 8 == 0)
    input->n_planes = read_byte (reader) % (GST_VIDEO_MAX_PLANES + 1);
}

/* The bytes of a row that are read. */
static gsize
row_bytes (const Input *input)
{
  return (gsize) GST_VIDEO_INFO_WIDTH (&input->info) * (gsize) GST_VIDEO_INFO_COMP_PSTRIDE (&input->info, 0);
}

/* One past the last byte that the luma has, where that can be said. */
static guint64
luma_end (const Input *input)
{
  const guint64 rows = (guint64) GST_VIDEO_INFO_HEIGHT (&input->info) - 1;

  if (input->stride < 0 || input->offset > MAX_SIZE)
    return GST_VIDEO_INFO_SIZE (&input->info);
  return input->offset + (guint64) input->stride * rows + row_bytes (input);
}

static void
read_bytes (Reader *reader, Input *input)
{
  const guint64 usual = input->has_meta ? luma_end (input) : GST_VIDEO_INFO_SIZE (&input->info);
  const guint64 size = read_number (reader, usual);
  Reader part;

  input->size = MIN (size, MAX_SIZE);
  input->bytes = g_malloc (MAX (input->size, 1));
  part = read_part (reader, 64);
  for (gsize i = 0; i < input->size; i++)
    input->bytes[i] = read_in_circles (&part);
}

/* A part of the bytes in a memory of its own, which may be a part of a block. */
static GstMemory *
new_memory (Reader *reader, const guint8 *bytes, gsize size)
{
  const guint8 choice = read_byte (reader);
  const gsize before = choice & 1 ? choice / 4 % 16 : 0, behind = choice & 2 ? choice / 4 : 0;
  guint8 *block = g_malloc (MAX (before + size + behind, 1));

  memset (block, 0x80, before + size + behind);
  memcpy (block + before, bytes, size);
  return gst_memory_new_wrapped (choice & 128 ? GST_MEMORY_FLAG_READONLY : 0, block, before + size + behind, before,
                                 size, block, g_free);
}

static GstBuffer *
read_buffer (Reader *reader, const Input *input)
{
  const guint n_memories = read_byte (reader) % (MAX_MEMORIES + 1);
  GstBuffer *buffer = gst_buffer_new ();
  gsize done = 0;

  for (guint i = 0; i < n_memories && done < input->size; i++) {
    const gsize left = input->size - done, size = i + 1 == n_memories ? left : read_number (reader, left) % (left + 1);

    gst_buffer_append_memory (buffer, new_memory (reader, input->bytes + done, size));
    done += size;
  }
  if (done < input->size)
    gst_buffer_append_memory (buffer, new_memory (reader, input->bytes + done, input->size - done));
  if (input->has_meta) {
    gsize offsets[GST_VIDEO_MAX_PLANES] = { input->offset };
    gint strides[GST_VIDEO_MAX_PLANES] = { input->stride };

    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (&input->info),
                                    input->meta_width, input->meta_height, input->n_planes, offsets, strides);
  }
  return buffer;
}

/* --- Expected results -------------------------------------------------------------------------------- */

/* Whether all of the luma is in the buffer. */
static gboolean
fits (const Input *input)
{
  const guint width = (guint) GST_VIDEO_INFO_WIDTH (&input->info),
              height = (guint) GST_VIDEO_INFO_HEIGHT (&input->info);

  if (!input->has_meta)
    return input->size >= GST_VIDEO_INFO_SIZE (&input->info);
  return input->n_planes > 0 && input->meta_width >= width && input->meta_height >= height
         && input->stride >= (gint) row_bytes (input) && input->offset <= input->size
         && luma_end (input) <= input->size;
}

/* As the oracle calls it; a YUV format but those below has 8-bit luma in its first plane. */
static OracleFormat
oracle_format (const Input *input)
{
  switch (GST_VIDEO_INFO_FORMAT (&input->info)) {
    case GST_VIDEO_FORMAT_YUY2: return ORACLE_YUY2;
    case GST_VIDEO_FORMAT_UYVY: return ORACLE_UYVY;
    case GST_VIDEO_FORMAT_P010_10LE: return ORACLE_P010;
    case GST_VIDEO_FORMAT_GRAY16_LE: return ORACLE_GRAY16_LE;
    case GST_VIDEO_FORMAT_GRAY16_BE: return ORACLE_GRAY16_BE;
    case GST_VIDEO_FORMAT_BGRx:
    case GST_VIDEO_FORMAT_BGRA: return ORACLE_BGRX;
    case GST_VIDEO_FORMAT_RGBx:
    case GST_VIDEO_FORMAT_RGBA: return ORACLE_RGBX;
    default: return ORACLE_GRAY8;
  }
}

static OracleFrame *
expected_frame (const Input *input)
{
  const gsize row = row_bytes (input), height = (gsize) GST_VIDEO_INFO_HEIGHT (&input->info);
  const OracleFormat format = oracle_format (input);
  /* The caps of RGB say BT.709 or, in read_caps(), BT.601. */
  const gboolean is_601 = GST_VIDEO_INFO_COLORIMETRY (&input->info).matrix == GST_VIDEO_COLOR_MATRIX_BT601;
  OracleParams params = { .diagonal = true,
                          .format = format,
                          .red = is_601 ? 0.299 : 0.2126,
                          .green = is_601 ? 0.587 : 0.7152,
                          .mode = ORACLE_NONZERO,
                          .max_components = 4096 };
  g_autofree guint8 *pixels = g_malloc (row * height);
  OracleFrame *frame;

  if (GST_VIDEO_INFO_COLORIMETRY (&input->info).range == GST_VIDEO_COLOR_RANGE_16_235)
    params.black = format == ORACLE_GRAY16_LE || format == ORACLE_GRAY16_BE ? 16 * 256 : 16;
  for (gsize y = 0; y < height; y++)
    memcpy (pixels + y * row, input->bytes + input->offset + y * (gsize) input->stride, row);
  frame = oracle_run (&params, NULL, pixels, (guint32) GST_VIDEO_INFO_WIDTH (&input->info), (guint32) height);
  return frame;
}

static void
check_components (const Input *input, GstBuffer *buffer, const OracleFrame *expected)
{
  const GstCcaMeta *meta = gst_buffer_get_cca_meta (buffer);
  CcaMeasurement measurement;
  gchar *difference;

  if (meta == NULL)
    fail (input, "there is no meta");
  measurement = (CcaMeasurement) { .n_components = meta->n_components,
                                   .n_stored = meta->n_stored,
                                   .truncated = meta->truncated,
                                   .components = (const CcaComponent *) meta->components };
  difference = compare_measurement (&measurement, expected);
  if (difference)
    fail (input, "%s", difference);
}

static void
check_mask (const Input *input, GstBuffer *buffer, const OracleFrame *expected)
{
  const gsize stride = GST_ROUND_UP_4 (expected->width);
  GstMapInfo map;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ) || map.size < stride * expected->height)
    fail (input, "the mask cannot be mapped");
  for (gsize y = 0; y < expected->height; y++)
    for (gsize x = 0; x < expected->width; x++)
      if (map.data[y * stride + x] != (expected->labels[y * expected->width + x] ? 255 : 0))
        fail (input, "the mask differs at %" G_GSIZE_FORMAT ", %" G_GSIZE_FORMAT, x, y);
  gst_buffer_unmap (buffer, &map);
}

static void
check_output (const Input *input, guint element, GstBuffer *buffer)
{
  OracleFrame *expected = expected_frame (input);

  check_components (input, buffer, expected);
  if (element == ELEMENT_CCL)
    check_mask (input, buffer, expected);
  oracle_frame_free (expected);
}

/* --- Elements ---------------------------------------------------------------------------------------- */

/* No plugin but ours, and no registry. */
static void
start (void)
{
  GError *error = NULL;

  g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE);
  gst_init (NULL, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  gst_plugin_load_file (PLUGIN, &error);
  g_assert_no_error (error);
  elements[ELEMENT_CCA].harness = test_harness ("cca post-messages=false", NULL);
  elements[ELEMENT_CCL].harness = test_harness ("ccl post-messages=false output=mask", NULL);
}

/* The harness keeps all events for us. */
static void
drop_events (GstHarness *harness)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (harness)) || (event = gst_harness_try_pull_upstream_event (harness)))
    gst_event_unref (event);
}

static void
push (const Input *input, guint index, GstBuffer *buffer)
{
  Element *element = &elements[index];
  GstMessage *message;
  GstFlowReturn flow;

  if (!element->caps || !gst_caps_is_equal (element->caps, input->caps))
    gst_harness_set_src_caps (element->harness, gst_caps_ref (input->caps));
  gst_caps_replace (&element->caps, input->caps);
  flow = gst_harness_push (element->harness, buffer);
  message = test_pop_message (element->harness, GST_MESSAGE_ERROR);
  if (flow != (fits (input) ? GST_FLOW_OK : GST_FLOW_ERROR) || (message != NULL) != (flow == GST_FLOW_ERROR))
    fail (input, "the flow is %s, %s message", gst_flow_get_name (flow), message ? "with a" : "without");
  gst_clear_message (&message);
  drop_events (element->harness);
  test_assert_no_message (element->harness, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
  if (flow == GST_FLOW_OK) {
    buffer = gst_harness_pull (element->harness);
    check_output (input, index, buffer);
    gst_buffer_unref (buffer);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Reader reader = { data, size, 0 };
  Input input = { 0 };
  GstBuffer *buffer;
  guint element;

  if (!elements[0].harness)
    start ();
  element = read_byte (&reader) % N_ELEMENTS;
  input.caps = read_caps (&reader);
  g_assert_true (gst_video_info_from_caps (&input.info, input.caps));
  read_layout (&reader, &input);
  read_bytes (&reader, &input);
  buffer = read_buffer (&reader, &input);
  push (&input, element, buffer);
  gst_caps_unref (input.caps);
  g_free (input.bytes);
  return 0;
}
