/* gst-cca: any bytes as an image for a region, scaled to a frame
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The input is the frame's width and height, a byte each, and the file. The checksums of a PNG's chunks are made true:
 * otherwise almost every change would end there.
 */
#include <glib.h>
#include <string.h>

#include "fuzz.h"
#include "gst/region/gstccaregion.h"

enum
{
  MAX_PIXELS = 64 * 64
};

/* --- PNG --------------------------------------------------------------------------------------------- */

static guint32
read_big_endian (const guint8 *bytes)
{
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

/* CRC-32 of ISO 3309. */
static guint32
crc_of (const guint8 *bytes, gsize n)
{
  guint32 crc = ~0u;

  for (gsize i = 0; i < n; i++) {
    crc ^= bytes[i];
    for (guint bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
  }
  return ~crc;
}

static void
mend_png (guint8 *file, gsize size)
{
  for (gsize at = 8; size - at >= 12;) {
    const guint32 length = read_big_endian (file + at);
    guint32 crc;

    if (length > size - at - 12)
      return;
    crc = GUINT32_TO_BE (crc_of (file + at + 4, length + 4));
    memcpy (file + at + 8 + length, &crc, 4);
    at += 12 + length;
  }
}

static void
check_png (const GstCcaGreyImage *image, const guint8 *file)
{
  if (image->width != read_big_endian (file + 16) || image->height != read_big_endian (file + 20))
    fuzz_fail ("the image has another size than the file says");
}

/* --- PGM, read apart from the product ---------------------------------------------------------------- */

static guint
next_number (const guint8 *file, gsize size, gsize *at)
{
  guint64 value = 0;

  while (*at < size && (g_ascii_isspace (file[*at]) || file[*at] == '#'))
    if (file[(*at)++] == '#')
      while (*at < size && file[*at] != '\n' && file[*at] != '\r')
        ++*at;
  for (; *at < size && g_ascii_isdigit (file[*at]); ++*at)
    value = MIN (value * 10 + (file[*at] - '0'), G_MAXUINT);
  return (guint) value;
}

static void
check_pgm (const GstCcaGreyImage *image, const guint8 *file, gsize size)
{
  gsize at = 2;
  const guint width = next_number (file, size, &at), height = next_number (file, size, &at),
              white = next_number (file, size, &at);

  at++;
  if (image->width != width || image->height != height || size - at < (gsize) width * height)
    fuzz_fail ("the image has another size than the file says");
  for (gsize i = 0; i < (gsize) width * height; i++)
    if (image->pixels[i] != MIN (file[at + i], white) * 255 / white)
      fuzz_fail ("a pixel differs");
}

/* --- Both -------------------------------------------------------------------------------------------- */

static void
check_scaled (const GstCcaGreyImage *image, guint width, guint height)
{
  g_autofree guint8 *pixels = g_malloc (width * height);

  gst_cca_grey_image_scale (image, width, height, pixels);
  for (guint i = 0; i < width * height; i++) {
    const guint x = (guint) ((i % width + 0.5) * image->width / width),
                y = (guint) ((i / width + 0.5) * image->height / height);

    if (pixels[i] != image->pixels[y * image->width + x])
      fuzz_fail ("a scaled pixel differs");
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Reader reader = { data, size, 0 };
  const guint frame_width = 1 + read_byte (&reader), frame_height = 1 + read_byte (&reader);
  const gsize length = reader_left (&reader);
  guint8 *file = g_memdup2 (reader.data + reader.next, length); /* so that a read beyond it is seen */
  GstCcaGreyImage *image;
  GError *error = NULL;
  gboolean is_png;
  guint width, height;

  if (!gst_cca_grey_image_is_one ((const gchar *) file, length)) {
    g_free (file);
    return 0;
  }
  is_png = file[0] != 'P';
  if (is_png)
    mend_png (file, length);
  image = gst_cca_grey_image_read ((const gchar *) file, length, MAX_PIXELS, "file", &error);
  if ((image == NULL) != (error != NULL))
    fuzz_fail ("an image with an error, or none without");
  if (error && !g_str_has_prefix (error->message, "file: "))
    fuzz_fail ("the error does not say where");
  g_clear_error (&error);
  if (image) {
    if (!gst_cca_grey_image_read_size ((const gchar *) file, length, "file", &width, &height, NULL)
        || width != image->width || height != image->height || width * height > MAX_PIXELS)
      fuzz_fail ("the size is another one");
    if (is_png)
      check_png (image, file);
    else
      check_pgm (image, file, length);
    check_scaled (image, frame_width, frame_height);
  }
  g_free (image);
  g_free (file);
  return 0;
}
